"""Records of runs: JSON without loss, enough to read a result with neither game nor network."""

import json
import socket
import subprocess
import sys
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from runs import PATIENCE, SEED, SHOTS, fresh_store, played

from qttt_circuits.errors import RecordError
from qttt_circuits.jobs import Job, JobRecord
from qttt_circuits.jobs.record import STATUSES, checksum, dump_circuit, new_run_id

store = pytest.fixture(fresh_store)

texts = st.text(max_size=12)
numbers = st.integers(0, 2**70)
SETTINGS = ("position",)
records = st.builds(
    JobRecord,
    run_id=texts,
    created=texts,
    status=st.sampled_from(STATUSES),
    backend=texts,
    game=st.dictionaries(texts, st.none() | texts | numbers, max_size=3),
    experiment=st.fixed_dictionaries(
        {
            "settings": st.fixed_dictionaries(
                dict.fromkeys(("position", "encoding", "ancillas"), texts)
            )
        },
        optional={"distribution": st.dictionaries(texts, st.floats(0, 1), max_size=3)},
    ),
    shots=st.integers(1, 10**9),
    seed=numbers,
    circuits=st.tuples(texts),
    registers=st.just({"obs": 2}),
    qubits=st.tuples(numbers, numbers),
    calibrated=st.just(()),
    fidelity=st.none() | st.floats(0, 1),
    suppress=st.lists(texts, max_size=2).map(tuple),
    max_seconds=st.none() | numbers,
    instance=texts,
    salt=texts,
    versions=st.dictionaries(texts, texts, max_size=3),
    job_id=st.none() | texts,
    job_ids_cancelled=st.lists(texts, max_size=3).map(tuple),
    error=st.none() | texts,
)


@given(records)
def test_a_record_goes_through_json_without_loss(record):
    assert JobRecord.from_json(json.loads(json.dumps(record.to_json()))) == record


@given(records, st.sampled_from([field.name for field in fields(JobRecord)]))
def test_a_record_without_some_part_is_whole_or_refused(record, name):
    data = record.to_json()
    del data[name]
    try:
        found = JobRecord.from_json(json.loads(json.dumps(data)))
    except RecordError:
        return
    assert found == replace(record, **{name: getattr(found, name)})


def test_a_record_of_the_future_with_more_parts_is_read(store):
    job = played().submit(backend="aer", shots=SHOTS, seed=SEED, store=store)
    data = {**job.record.to_json(), "invented_later": 1}
    assert JobRecord.from_json({**data, "checksum": checksum(data)}) == job.record
    del data["checksum"]  # records had none at first
    assert JobRecord.from_json(data) == job.record


def test_a_record_that_was_changed_is_refused_whatever_was_changed(store):
    job = played().submit(backend="aer", shots=SHOTS, seed=SEED, store=store)
    sound = job.record.to_json()
    for name in sound:
        if name not in ("format", "version"):
            for wrong in (-1, None, "x", [[]], {"a": 1}, True):
                if wrong is sound[name]:
                    continue
                with pytest.raises(RecordError):
                    JobRecord.from_json({**sound, name: wrong})


@pytest.mark.parametrize("wrong", [-1, None, 1.5, [[]], True, 10**30], ids=str)
def test_a_damaged_record_does_not_hide_the_others(store, wrong):
    healthy = played().submit(backend="aer", shots=SHOTS, seed=SEED, store=store)
    damaged = played().submit(backend="aer", shots=SHOTS, seed=SEED, store=store)
    path = store.directory / f"{damaged.run_id}.json"
    whole = json.loads(path.read_text())
    del whole["checksum"]  # as in a record that never had one
    for name in ("circuits", "qubits", "calibrated", "job_ids_cancelled", "registers", "shots"):
        path.write_text(json.dumps({**whole, name: wrong}))
        records, problems = store.all()
        assert healthy.run_id in [record.run_id for record in records]
        assert len(records) + len(problems) == 2


@pytest.mark.parametrize(
    "changes",
    [{"distribution": {"EEEEEEEEE": 1.5}}, {"distribution": {}}, {"predicted_acceptance": 1e30}],
    ids=str,
)
def test_probabilities_that_are_none_are_refused(store, changes):
    job = played().submit(backend="aer", shots=SHOTS, seed=SEED, store=store)
    damaged = replace(job.record, experiment={**job.record.experiment, **changes})
    with pytest.raises(RecordError, match="its experiment is damaged"):
        damaged.load_experiment()


def test_a_record_of_version_1_with_a_table_of_outcomes_is_read(store):
    job = played().submit(backend="aer", shots=SHOTS, seed=SEED, store=store)
    new = job.record.to_json()
    assert new["version"] == 2
    experiment = {
        **new["experiment"],
        "distribution": dict(job.record.load_experiment().distribution),
    }
    old = {**new, "version": 1, "experiment": experiment}
    path = store.directory / f"{job.run_id}.json"
    path.write_text(json.dumps({**old, "checksum": checksum(old)}))
    read = Job.load(job.run_id, store)
    assert read.record.load_experiment().distribution == experiment["distribution"]
    assert read.result() == job.result()
    assert read.result().fit() == job.result().fit()


def test_names_of_runs_are_all_different():
    names = {new_run_id() for _ in range(1000)}
    assert len(names) == 1000
    assert all(name.startswith("qttt-") for name in names)


@pytest.mark.parametrize("data", [None, 1, "text", [], {}, {"format": "qttt-circuits game"}])
def test_what_is_no_record_is_refused(data):
    with pytest.raises(RecordError, match="not the record of a run"):
        JobRecord.from_json(data)


# --- circuits and experiments -------------------------------------------------------------------


@pytest.fixture
def job(store):
    return played().submit(backend="aer", shots=SHOTS, seed=SEED, store=store)


def test_circuits_come_back_as_they_were(job):
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.measure([0, 1], [1, 0])
    record = replace(job.record, circuits=tuple(map(dump_circuit, (circuit, circuit))))
    assert record.load_circuits() == [circuit, circuit]


@pytest.mark.parametrize(
    "circuits", [("",), ("QQ==",), ("not base64!",), (5,), (None,), 5, "text", None, ({},)]
)
def test_damaged_circuits_are_refused_by_name(job, circuits):
    record = replace(job.record, circuits=circuits)
    for load in (record.load_circuits, record.load_experiment):
        with pytest.raises(RecordError, match=f"run {job.run_id}: its circuits are damaged"):
            load()


@pytest.mark.parametrize("share", range(8))
def test_cut_circuits_are_refused(job, share):
    [whole] = job.record.circuits
    record = replace(job.record, circuits=(whole[: 4 * (share * len(whole) // 32)],))
    with pytest.raises(RecordError, match="damaged"):
        record.load_circuits()


@pytest.mark.parametrize("part", ["settings", "decoder", "distribution", "predicted_acceptance"])
@pytest.mark.parametrize("value", [KeyError, None, 1, "text"])
def test_a_damaged_experiment_is_refused_by_name(job, part, value):
    if (part, value) == ("predicted_acceptance", 1):
        value = []
    damaged = {**job.record.experiment, part: value}
    if value is KeyError:
        del damaged[part]
    with pytest.raises(RecordError, match=f"run {job.run_id}: its experiment is damaged"):
        replace(job.record, experiment=damaged).load_experiment()


@pytest.mark.parametrize("part", ["kind", "encoding", "marks", "squares", "ancillas", "pieces"])
def test_a_decoder_without_a_part_is_refused(job, part):
    decoder = {k: v for k, v in job.record.experiment["decoder"].items() if k != part}
    with pytest.raises(RecordError, match="its experiment is damaged"):
        replace(
            job.record, experiment={**job.record.experiment, "decoder": decoder}
        ).load_experiment()


@pytest.mark.parametrize(
    "changes", [{"kind": "overlap"}, {"encoding": "nosuch"}, {"ancillas": [{"clbit": 1}]}]
)
def test_a_decoder_of_another_kind_is_refused(job, changes):
    decoder = {**job.record.experiment["decoder"], **changes}
    with pytest.raises(RecordError, match="its experiment is damaged"):
        replace(
            job.record, experiment={**job.record.experiment, "decoder": decoder}
        ).load_experiment()


# --- decoding -----------------------------------------------------------------------------------

HOW = [
    {},
    {"ancillas": "all"},
    {"synthesis": "state"},
    {"elide": False},
    {"encoding": "one-hot"},
    {"check_pieces": False},
]


@pytest.mark.parametrize("options", HOW, ids=str)
@pytest.mark.parametrize("moves", [("cancelling", "1,2", "-2,3"), ("shiftflip", "1", "1,4", "2,5")])
def test_a_record_decodes_as_the_live_experiment_does(store, moves, options):
    game = played(*moves)
    live = game.experiment(**options)
    job = game.submit(backend="aer", shots=SHOTS, seed=SEED, store=store, **options)
    record = Job.load(job.run_id, store).record
    recorded = record.load_experiment()
    assert recorded.decoder == live.decoder
    assert recorded.distribution == live.distribution
    assert recorded.predicted_acceptance == live.predicted_acceptance
    assert recorded.key == live.key
    [kept] = store.load_shots(job.run_id)
    random = np.random.default_rng(SEED).integers(0, 2, (300, kept.shape[1]), dtype=np.uint8)
    for bits in (kept, random):
        ours, theirs = recorded.decode(bits), live.decode(bits)
        assert ours.counts == theirs.counts
        assert ours.rejected == theirs.rejected
        assert ours.first == theirs.first
    assert job.result().counts == live.decode(kept).counts
    assert record.game == game.record()


READ = """
import json, sys
from qttt_circuits.jobs import Job
job = Job.load(sys.argv[1])
found = job.result()
print(json.dumps([found.counts, found.rejected, found.first]))
"""


def test_reading_a_result_needs_no_network_and_no_other_process(job, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    found = Job.load(job.run_id, job.store).result()
    read = subprocess.run(
        [sys.executable, "-c", READ, job.run_id], capture_output=True, text=True, timeout=PATIENCE
    )
    assert json.loads(read.stdout) == [found.counts, found.rejected, found.first]


def test_reading_a_result_does_not_replay_the_game(job):
    damaged = replace(job.record, game={"rules": "nosuch"})
    job.store.save(damaged)
    assert Job.load(job.run_id, job.store).result().counts == job.result().counts
