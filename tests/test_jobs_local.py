"""Runs on this machine: recorded, read again, repeated bit by bit, observed once."""

import subprocess
import sys

import numpy as np
import pytest
from runs import DUE, PATIENCE, SEED, SHOTS, files, fresh_store, full_disk, played, the_run

from qttt_circuits import Game
from qttt_circuits.errors import (
    ExecutionError,
    IllegalMoveError,
    OptionError,
    RecordError,
    StoreError,
    UnknownNameError,
)
from qttt_circuits.jobs import Job

store = pytest.fixture(fresh_store)


def run(store, game=None, **options):
    settings = {"backend": "aer", "shots": SHOTS, "seed": SEED, "store": store, **options}
    return (game or played()).submit(**settings)


def test_a_run_on_aer_is_done_at_once(store):
    job = run(store)
    assert job.status == "done"
    assert job.record.local
    result = job.result()
    assert (result.shots, result.backend, result.seed) == (SHOTS, "aer:statevector", SEED)
    assert result.accepted + sum(result.rejected.values()) == SHOTS
    assert set(result.counts) <= set(played().probabilities())
    assert job.mitigated() is None
    assert Job.load(job.run_id[:9], store).result().counts == result.counts
    assert files(store).keys() == {f"{job.run_id}.json", f"{job.run_id}.npz"}


def test_the_default_store_is_that_of_the_environment(store):
    job = played().submit(backend="aer", shots=SHOTS)
    assert the_run(store).run_id == job.run_id


@pytest.mark.parametrize("backend", ["aer", "aer:matrix_product_state", "fake_torino"])
def test_equal_seeds_give_equal_bits_and_other_seeds_others(store, backend):
    if backend.startswith("fake"):
        pytest.importorskip("qiskit_ibm_runtime")
    first, second, other = (
        store.load_shots(run(store, backend=backend, seed=seed).run_id)[0]
        for seed in (SEED, SEED, SEED + 1)
    )
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


def test_a_seed_that_is_drawn_is_recorded(store):
    job = run(store, seed=None)
    again = run(store, seed=job.record.seed)
    assert job.result().counts == again.result().counts


@pytest.mark.parametrize("backend", ["aer", "fake_torino"])
def test_a_run_without_its_bits_is_repeated_bit_by_bit(store, backend):
    if backend.startswith("fake"):
        pytest.importorskip("qiskit_ibm_runtime")
    job = run(store, backend=backend)
    expected = job.store.load_shots(job.run_id)
    (store.directory / f"{job.run_id}.npz").unlink()
    with pytest.raises(ExecutionError, match=f"qttt jobs resume {job.run_id}"):
        job.result()
    assert "run again" in job.resume()[0]
    assert np.array_equal(store.load_shots(job.run_id)[0], expected[0])
    (store.directory / f"{job.run_id}.npz").unlink()
    job.wait()
    assert np.array_equal(store.load_shots(job.run_id)[0], expected[0])
    assert job.resume() == [f"run {job.run_id} is done"]


def test_a_snapshot_is_calibrated_and_mitigated(store):
    pytest.importorskip("qiskit_ibm_runtime")
    pytest.importorskip("mthree")
    job = run(store, backend="fake_torino", shots=4000, readout=True)
    mitigated = Job.load(job.run_id, store).mitigated()
    assert sum(mitigated.quasi.values()) == pytest.approx(1)
    assert len(store.load_shots(job.run_id)) == 3
    assert 0 < job.record.fidelity < 1
    assert len(job.record.qubits) == store.load_shots(job.run_id)[0].shape[1]


def test_a_run_that_ended_cannot_be_cancelled(store):
    job = run(store)
    with pytest.raises(ExecutionError, match="ended: it is done"):
        job.cancel()


def test_what_cannot_be_run_is_refused_and_leaves_nothing(store):
    single = played("cancelling", "1")
    for game, options in (
        (single, {}),
        (Game("tiqtaqtoe"), {}),
        (None, {"suppress": ("dd",)}),
        (None, {"suppress": ("nosuch",)}),
        (None, {"max_seconds": 5}),
        (None, {"readout": True}),
        (None, {"shots": 0}),
        (None, {"shots": 1.5}),
        (None, {"backend": "aer:nosuch"}),
        (None, {"encoding": "nosuch"}),
    ):
        with pytest.raises(OptionError):
            run(store, game, **options)
    assert files(store) == {}


def test_a_position_without_qubits_says_so(store):
    with pytest.raises(OptionError, match="nothing in superposition: there is nothing to run"):
        run(store, played("cancelling", "1"))


def test_an_unknown_snapshot_offers_the_nearest(store):
    pytest.importorskip("qiskit_ibm_runtime")
    with pytest.raises(UnknownNameError, match="did you mean 'fake_torino'"):
        run(store, backend="fake_torin")


def test_a_full_disk_keeps_a_run_from_starting(store, monkeypatch):
    monkeypatch.setattr("os.fsync", full_disk)
    monkeypatch.setattr("qttt_circuits.jobs.local.run", pytest.fail)
    with pytest.raises(StoreError, match="No space left"):
        run(store)
    assert files(store) == {}


def test_a_disk_that_fills_up_leaves_a_run_to_be_resumed(store, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(store, "save_shots", full_disk)
        with pytest.raises(OSError, match="No space left"):
            run(store)
    job = the_run(store)
    assert job.status == "prepared"
    with pytest.raises(ExecutionError, match="no result, it is prepared"):
        job.result()
    job.resume()
    assert the_run(store).result().counts == run(store).result().counts


def test_damaged_bits_are_an_error_and_stay(store):
    job = run(store)
    path = store.directory / f"{job.run_id}.npz"
    path.write_bytes(path.read_bytes()[:-30])
    before = files(store)
    for ask in (job.result, job.mitigated, job.resume, job.wait):
        with pytest.raises(RecordError, match=r"\.npz: the bits of the run are damaged"):
            ask()
    assert files(store) == before


# --- observing ----------------------------------------------------------------------------------


def accepted_first(job):
    experiment = job.record.load_experiment()
    readings = map(experiment.decoder.read, job.store.load_shots(job.run_id)[0])
    return next(reading.name for reading in readings if reading.accepted)


def test_the_first_accepted_shot_becomes_the_observed_board(store):
    game = played(*DUE)
    job = run(store, game)
    assert str(game.observe(job=job)) == accepted_first(job)
    assert game.record()["moves"][-1] == f"@{accepted_first(job)}"
    assert the_run(store).observed


def test_a_run_is_observed_once(store):
    job = run(store, played(*DUE))
    played(*DUE).observe(job=job)
    for again in (job, Job.load(job.run_id, store), the_run(store)):
        game = played(*DUE)
        before = game.record()
        with pytest.raises(OptionError, match="observed already"):
            game.observe(job=again)
        assert game.record() == before


OBSERVE = """
import sys
sys.path.insert(0, sys.argv[2])
from runs import DUE, played
from qttt_circuits.jobs import Job
print(played(*DUE).observe(job=Job.load(sys.argv[1])))
"""


def test_a_run_that_another_process_has_observed_is_refused(store):
    job = run(store, played(*DUE))
    here = __file__.rpartition("/")[0]
    command = [sys.executable, "-c", OBSERVE, job.run_id, here]
    for status in (0, 1):
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == status, done.stderr
    assert "observed already" in done.stderr
    with pytest.raises(OptionError, match="observed already"):
        played(*DUE).observe(job=job)


def test_undoing_an_observation_does_not_give_the_run_back(store):
    game = played(*DUE)
    job = run(store, game)
    game.observe(job=job)
    game.pop()
    with pytest.raises(OptionError, match="observed already"):
        game.observe(job=job)


def refused(game, error, **options):
    before = (game.record(), game.text())
    with pytest.raises(error) as caught:
        game.observe(**options)
    assert (game.record(), game.text()) == before
    return str(caught.value)


def test_a_refused_observation_changes_neither_game_nor_record(store):
    job = run(store, played(*DUE))
    before = files(store)
    refused(played(), IllegalMoveError, job=job)
    other = played("tiqtaqtoe", "5", "5,9", "2,6", "1,3", "1,4", "2,7", "3,8")
    assert "not of this position" in refused(other, OptionError, job=job)
    refused(played(*DUE), OptionError, job=job, board="XXXXXXXXX")
    assert files(store) == before
    played(*DUE).observe(job=job)


def test_a_run_that_has_not_ended_is_not_observed(store, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(store, "save_shots", full_disk)
        with pytest.raises(OSError, match="No space"):
            run(store, played(*DUE))
    job = the_run(store)
    assert "no result" in refused(played(*DUE), ExecutionError, job=job)
    assert not the_run(store).observed


def test_a_full_disk_while_noting_leaves_the_game_and_the_run_as_they_were(store, monkeypatch):
    job = run(store, played(*DUE))
    before = files(store)
    with monkeypatch.context() as patch:
        patch.setattr("os.open", full_disk)
        assert "No space left" in refused(played(*DUE), StoreError, job=job)
    assert files(store) == before
    game = played(*DUE)
    assert str(game.observe(job=job)) == accepted_first(job)


def test_a_record_that_was_damaged_meanwhile_is_not_observed(store):
    job = run(store, played(*DUE))
    (store.directory / f"{job.run_id}.json").write_text("{")
    before = files(store)
    refused(played(*DUE), RecordError, job=job)
    assert files(store) == before
