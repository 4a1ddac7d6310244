"""Runs on the stand-in of IBM's cloud: whatever fails, one run ends with one job that counts."""

import json
import threading

import numpy as np
import pytest

pytest.importorskip("qiskit_ibm_runtime")

from cloud.client_env import INSTANCE, OTHER_INSTANCE
from qiskit_ibm_runtime.quantum_program.params_converters import QUANTUM_PROGRAM_PARAMS_CONVERTERS
from runs import PATIENCE, SEED, SHOTS, files, fresh_store, full_disk, played, the_run

from qttt_circuits import Game
from qttt_circuits import ibm as asked
from qttt_circuits.errors import ExecutionError, OptionError, StoreError, UnknownNameError
from qttt_circuits.jobs import Job
from qttt_circuits.measured import registers_of, shots_of

pytest_plugins = ("cloud.fixtures",)

store = pytest.fixture(fresh_store)

POLL = 0.05
SHORT = 1.0
"""A deadline for tests: long enough for every answer, short enough to wait for."""


def submitted(store, backend, shots=SHOTS, **options):
    return played().submit(backend=backend, shots=shots, seed=SEED, store=store, **options)


def check_counted_once(cloud, service, store, run_id):
    """A run has one result, of one job; every other job of it is named and does not count."""
    record = Job.load(run_id, store).record
    ids = [job["id"] for job in cloud.jobs(run_id)]
    assert record.status == "done"
    assert record.job_id in ids
    assert set(record.job_ids_cancelled) == {*ids} - {record.job_id}
    assert len(set(record.job_ids_cancelled)) == len(record.job_ids_cancelled)
    given = service.job(record.job_id).result()
    kept = store.load_shots(run_id)
    for answer, circuit, bits in zip(given, record.load_circuits(), kept, strict=True):
        assert np.array_equal(np.asarray(shots_of(answer, registers_of(circuit))), bits)
    assert Job.load(run_id, store).result().shots == record.shots
    assert len(files(store)) == 2


# --- without failures ---------------------------------------------------------------------------


def test_a_run_is_submitted_waited_for_and_read(cloud, service, backend, store):
    job = submitted(store, backend)
    assert job.status == "submitted"
    assert [one["id"] for one in cloud.jobs(job.run_id)] == [job.record.job_id]
    assert (the_run(store).status, the_run(store).record.job_id) == (job.status, job.record.job_id)
    with pytest.raises(ExecutionError, match="submitted"):
        job.result()
    told = []
    job.wait(poll=POLL, progress=told.append)
    assert told[-1] == "done"
    result = job.result()
    assert (result.shots, result.backend, result.seed) == (SHOTS, "ibm_torino", SEED)
    assert job.mitigated() is None
    check_counted_once(cloud, service, store, job.run_id)


def test_a_backend_can_be_named(cloud, service, store):
    job = submitted(store, "ibm_torino")
    job.wait(poll=POLL)
    check_counted_once(cloud, service, store, job.run_id)


def test_readout_is_calibrated_in_the_same_job_and_mitigated(cloud, service, backend, store):
    job = submitted(store, backend, readout=True)
    job.wait(poll=POLL)
    check_counted_once(cloud, service, store, job.run_id)
    assert len(store.load_shots(job.run_id)) == 3
    assert set(job.record.calibrated) == set(job.record.qubits)
    mitigated = job.mitigated()
    counts = job.result().frequencies
    assert mitigated.quasi == pytest.approx(counts, abs=1e-6)  # the stand-in has no noise
    assert mitigated.tvd == pytest.approx(job.result().fit().tvd, abs=1e-6)


def test_twirling_gives_more_shots_and_all_of_them_count(cloud, backend, store):
    job = submitted(store, backend, shots=1000, suppress=("twirling",))
    job.wait(poll=POLL)
    assert job.record.shots == 1000
    result = job.result()
    assert result.shots == 1024
    assert result.accepted + sum(result.rejected.values()) == 1024


def program_of(cloud, job):
    params = json.loads((cloud.directory / "jobs" / f"{job.record.job_id}.params").read_text())
    converter = QUANTUM_PROGRAM_PARAMS_CONVERTERS[params["schema_version"]]
    program, _ = converter.decoder(converter.model(**params))
    return program


def test_decoupling_reaches_the_service(cloud, backend, store):
    plain, decoupled = (submitted(store, backend, suppress=s) for s in ((), ("dd",)))
    assert "delay" not in program_of(cloud, plain).items[0].circuit.count_ops()
    assert program_of(cloud, decoupled).items[0].circuit.count_ops()["delay"] > 0
    decoupled.wait(poll=POLL)
    assert decoupled.result().shots == SHOTS


def test_the_cap_on_device_time_and_the_shots_reach_the_service(cloud, backend, store):
    capped, free = (submitted(store, backend, max_seconds=n) for n in (77, None))
    [seen] = cloud.jobs(capped.run_id)
    assert seen["details"]["cost"] == 77
    assert seen["tags"] == ["qttt-circuits", capped.run_id]
    assert seen["instance"] == INSTANCE
    assert "cost" not in cloud.jobs(free.run_id)[0]["details"]
    assert program_of(cloud, capped).shots == SHOTS


def test_what_cannot_be_run_is_refused_before_anything_is_written(cloud, backend, store):
    empty = Game("cancelling")
    empty.push("1")
    for game, options in (
        (empty, {}),
        (played(), {"suppress": ("cc",)}),
        (played(), {"encoding": "nosuch"}),
        (played(), {"seed": -1}),
    ):
        with pytest.raises(OptionError):
            game.submit(backend=backend, shots=SHOTS, store=store, **options)
    for shots in (0, 2.5, 10**9):
        with pytest.raises(OptionError):
            submitted(store, backend, shots=shots)
    assert files(store) == {}
    assert cloud.requests("submit") == []


def test_nothing_is_submitted_when_the_record_cannot_be_written(cloud, backend, store, monkeypatch):
    monkeypatch.setattr("os.replace", full_disk)
    with pytest.raises(StoreError, match="No space left"):
        submitted(store, backend)
    assert files(store) == {}
    assert cloud.requests("submit") == []


def test_a_job_id_that_cannot_be_noted_is_found_again(cloud, service, backend, store, monkeypatch):
    written = store.save

    def save(record):
        if record.job_id is not None:
            full_disk()
        return written(record)

    with monkeypatch.context() as patch:
        patch.setattr(store, "save", save)
        with pytest.raises(OSError, match="No space left"):
            submitted(store, backend)
    job = the_run(store)
    assert job.record.job_id is None
    job.wait(poll=POLL)
    check_counted_once(cloud, service, store, job.run_id)


# --- submitting fails ---------------------------------------------------------------------------

FAILURES = [
    ("drop", "before", {}),
    ("drop", "after", {}),
    ("status", "before", {"status": 400}),
    ("status", "after", {"status": 400}),
    ("status", "before", {"status": 401}),
    ("status", "after", {"status": 401}),
    ("status", "before", {"status": 429}),
    ("status", "after", {"status": 429}),
    pytest.param("silent", "before", {}, marks=pytest.mark.slow),
    ("silent", "after", {}),
]
LASTING = [
    pytest.param("status", when, {"status": status, "times": 7}, marks=pytest.mark.slow)
    for when in ("before", "after")
    for status in (500, 503)
]


@pytest.mark.parametrize(("what", "when", "more"), [*FAILURES, *LASTING])
def test_a_submission_that_fails_is_settled_with_one_job(
    cloud, service, backend, store, monkeypatch, what, when, more
):
    cloud.fault("submit", what, when=when, **more)
    with monkeypatch.context() as patch:
        if what == "silent":
            patch.setattr(asked, "DEADLINE", SHORT)
        with pytest.raises(ExecutionError, match="qttt jobs resume qttt-") as error:
            submitted(store, backend)
    cloud.clear()
    job = the_run(store)
    assert job.run_id in str(error.value)
    assert (job.status, job.record.job_id) == ("prepared", None)
    assert job.record.error
    before = cloud.jobs(job.run_id)
    if when == "before":
        assert before == []
        with pytest.raises(ExecutionError, match="--resubmit"):
            job.resume()
        with pytest.raises(ExecutionError, match="--resubmit"):
            job.wait(poll=POLL)
        assert cloud.jobs(job.run_id) == []
        assert "again as job" in job.resume(resubmit=True)[0]
        assert job.record.job_id == cloud.jobs(job.run_id)[0]["id"]
    else:
        said = " ".join(job.resume(resubmit=True))
        assert f"run {job.run_id} is job {before[0]['id']}" in said
        for duplicate in before[1:]:
            assert f"job {duplicate['id']} is a duplicate" in said
        assert job.record.job_id == before[0]["id"]
    assert len(cloud.jobs(job.run_id)) == max(1, len(before))
    job.wait(poll=POLL)
    assert job.record.error is None
    check_counted_once(cloud, service, store, job.run_id)


@pytest.mark.parametrize(
    ("what", "more"),
    [("status", {"status": 500}), ("status", {"status": 503}), ("drop", {"behind_proxy": True})],
)
@pytest.mark.parametrize("held", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_duplicate_that_the_client_made_is_cancelled_and_never_counted(
    cloud, service, backend, store, what, more, held
):
    if held:
        cloud.fault("submit", "hold", times=2)
    cloud.fault("submit", what, when="after", **more)
    job = submitted(store, backend)
    first, second = (one["id"] for one in cloud.jobs(job.run_id))
    assert job.record.job_id == second
    told = job.resume()
    assert any(f"job {first} is a duplicate" in line for line in told)
    if held:
        assert [one["status"] for one in cloud.jobs(job.run_id)] == ["Cancelled", "Queued"]
        cloud.do(second, "release")
    job.wait(poll=POLL)
    check_counted_once(cloud, service, store, job.run_id)
    assert job.resume() == [f"run {job.run_id} is done"]


def test_of_several_unknown_jobs_the_oldest_is_kept_and_the_others_are_cancelled(
    cloud, service, backend, store
):
    cloud.fault("submit", "hold", times=3)
    for _ in range(2):
        cloud.fault("submit", "status", when="after")
    cloud.fault("submit", "drop", when="after")
    with pytest.raises(ExecutionError):
        submitted(store, backend)
    job = the_run(store)
    ids = [one["id"] for one in cloud.jobs(job.run_id)]
    assert len(ids) == 3
    said = job.resume()
    assert job.record.job_id == ids[0]
    assert job.record.job_ids_cancelled == tuple(ids[1:])
    assert [one["status"] for one in cloud.jobs(job.run_id)] == ["Queued", *["Cancelled"] * 2]
    assert sum("duplicate" in line for line in said) == 2
    cloud.do(ids[0], "release")
    job.wait(poll=POLL)
    check_counted_once(cloud, service, store, job.run_id)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_failure_to_cancel_a_duplicate_is_made_good_by_the_next_resume(
    cloud, service, backend, store, when
):
    cloud.fault("submit", "hold", times=2)
    cloud.fault("submit", "status", when="after")
    job = submitted(store, backend)
    first, second = (one["id"] for one in cloud.jobs(job.run_id))
    cloud.fault("cancel", "drop", when=when)
    with pytest.raises(ExecutionError, match="IBM"):
        job.resume()
    assert the_run(store).record.job_id == second
    assert any("duplicate" in line for line in the_run(store).resume())
    assert [one["status"] for one in cloud.jobs(job.run_id)] == ["Cancelled", "Queued"]
    cloud.do(second, "release")
    the_run(store).wait(poll=POLL)
    check_counted_once(cloud, service, store, job.run_id)
    assert the_run(store).record.job_ids_cancelled == (first,)


def test_a_job_that_turns_up_after_a_second_submission_is_cancelled(cloud, service, backend, store):
    cloud.fault("submit", "lose")
    cloud.fault("submit", "drop", when="after")
    with pytest.raises(ExecutionError):
        submitted(store, backend)
    job = the_run(store)
    [hidden] = cloud.jobs(job.run_id)
    cloud.fault("submit", "hold")
    job.resume(resubmit=True)
    cloud.do(hidden["id"], "find")
    cloud.do(job.record.job_id, "release")
    job.wait(poll=POLL)
    assert job.record.job_ids_cancelled == (hidden["id"],)
    check_counted_once(cloud, service, store, job.run_id)


def test_resubmitting_a_run_that_has_a_job_makes_no_other(cloud, service, backend, store):
    job = submitted(store, backend)
    for _ in range(2):
        Job.load(job.run_id, store).resume(resubmit=True)
    the_run(store).wait(poll=POLL)
    the_run(store).resume(resubmit=True)
    assert len(cloud.jobs(job.run_id)) == 1
    check_counted_once(cloud, service, store, job.run_id)


def test_a_second_submission_can_fail_too(cloud, service, backend, store):
    for when in ("before", "after"):
        cloud.fault("submit", "drop", when=when)
    with pytest.raises(ExecutionError):
        submitted(store, backend)
    job = the_run(store)
    with pytest.raises(ExecutionError, match="may exist all the same"):
        job.resume(resubmit=True)
    job = the_run(store)
    job.resume(resubmit=True)
    job.wait(poll=POLL)
    assert len(cloud.jobs(job.run_id)) == 1
    check_counted_once(cloud, service, store, job.run_id)


@pytest.mark.parametrize("route", ["jobs", pytest.param("job", marks=pytest.mark.slow)])
def test_a_search_that_gets_no_answer_submits_nothing(cloud, backend, store, monkeypatch, route):
    cloud.fault("submit", "drop", when="after")
    with pytest.raises(ExecutionError):
        submitted(store, backend)
    cloud.fault(route, "silent")
    job = the_run(store)
    monkeypatch.setattr(asked, "DEADLINE", SHORT)
    with pytest.raises(ExecutionError, match="did not answer"):
        job.resume(resubmit=True)
    cloud.clear()
    assert len(cloud.jobs(job.run_id)) == 1
    the_run(store).wait(poll=POLL)
    assert the_run(store).status == "done"


# --- waiting and fetching -----------------------------------------------------------------------


@pytest.mark.parametrize("route", ["jobs", "job", "results"])
@pytest.mark.parametrize(
    ("what", "more"),
    [
        ("drop", {}),
        ("status", {"status": 500}),
        pytest.param("drop", {"times": 7}, marks=pytest.mark.slow),
        pytest.param("status", {"status": 500, "times": 7}, marks=pytest.mark.slow),
    ],
)
def test_a_failure_while_polling_is_no_failure_of_the_run(
    cloud, service, backend, store, route, what, more
):
    job = submitted(store, backend)
    cloud.fault(route, what, **more)
    told = []
    try:
        job.wait(poll=POLL, progress=told.append)
    except ExecutionError:  # the first question of all may be given up
        assert route == "jobs"
        assert the_run(store).status == "submitted"
        cloud.clear()
        job.wait(poll=POLL)
    assert any("no answer" in line for line in told) == bool(more.get("times") and route != "jobs")
    assert cloud.faults() == [] or more.get("times")
    check_counted_once(cloud, service, store, job.run_id)


@pytest.mark.parametrize("route", ["job", "results"])
@pytest.mark.parametrize("when", ["before", pytest.param("after", marks=pytest.mark.slow)])
def test_a_silent_server_is_left_after_the_deadline(
    cloud, service, backend, store, monkeypatch, route, when
):
    job = submitted(store, backend)
    cloud.fault(route, "silent", when=when)
    monkeypatch.setattr(asked, "DEADLINE", SHORT)
    told = []
    job.wait(poll=POLL, progress=told.append)
    assert any("no answer" in line for line in told)
    check_counted_once(cloud, service, store, job.run_id)


@pytest.mark.parametrize(
    "status", [429, *(pytest.param(n, marks=pytest.mark.slow) for n in (401, 403))]
)
def test_a_refused_question_is_asked_again(cloud, service, backend, store, status):
    job = submitted(store, backend)
    cloud.fault("job", "status", status=status)
    told = []
    job.wait(poll=POLL, progress=told.append)
    assert any("no answer" in line for line in told)
    check_counted_once(cloud, service, store, job.run_id)


def test_a_lost_job_ends_the_run_with_its_reason(cloud, backend, store):
    cloud.fault("submit", "lose")
    job = submitted(store, backend)
    job.wait(poll=POLL)
    assert job.status == "failed"
    with pytest.raises(ExecutionError, match=f"no job {job.record.job_id} any more"):
        the_run(store).result()
    with pytest.raises(ExecutionError, match="ended"):
        job.cancel()


@pytest.mark.parametrize("code", [9999, 1305])
def test_a_failed_job_ends_the_run_with_its_reason(cloud, backend, store, code):
    cloud.fault("submit", "fail", reason="the fridge is warm", code=code)
    job = submitted(store, backend)
    job.wait(poll=POLL)
    assert job.status == "failed"
    for read in (the_run(store).result, the_run(store).mitigated):
        with pytest.raises(ExecutionError, match="the fridge is warm"):
            read()
    assert job.resume(resubmit=True) == [f"run {job.run_id} is failed"]
    assert len(cloud.jobs(job.run_id)) == 1


def test_a_job_cancelled_elsewhere_ends_the_run(cloud, service, backend, store):
    cloud.fault("submit", "hold")
    job = submitted(store, backend)
    service.job(job.record.job_id).cancel()
    job.wait(poll=POLL)
    assert the_run(store).status == "cancelled"
    with pytest.raises(ExecutionError, match="cancelled"):
        job.result()
    assert files(store).keys() == {f"{job.run_id}.json"}


def test_waiting_ends_with_its_time_and_can_be_taken_up_again(cloud, service, backend, store):
    cloud.fault("submit", "hold")
    job = submitted(store, backend)
    with pytest.raises(ExecutionError, match=r"within 0\.3 seconds"):
        job.wait(timeout=0.3, poll=POLL)
    assert the_run(store).status == "submitted"
    cloud.do(job.record.job_id, "release")
    the_run(store).wait(timeout=PATIENCE, poll=POLL)
    check_counted_once(cloud, service, store, job.run_id)


def test_a_disk_that_is_full_when_the_bits_come_loses_nothing(
    cloud, service, backend, store, monkeypatch
):
    job = submitted(store, backend)
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full_disk)
        with pytest.raises(StoreError, match="No space left"):
            job.wait(poll=POLL)
    assert the_run(store).status == "submitted"
    assert files(store).keys() == {f"{job.run_id}.json"}
    the_run(store).wait(poll=POLL)
    check_counted_once(cloud, service, store, job.run_id)


def test_bits_that_were_deleted_are_fetched_again(cloud, service, backend, store):
    job = submitted(store, backend)
    job.wait(poll=POLL)
    expected = job.result().counts
    (store.directory / f"{job.run_id}.npz").unlink()
    with pytest.raises(ExecutionError, match=f"qttt jobs resume {job.run_id}"):
        the_run(store).result()
    the_run(store).wait(poll=POLL)
    assert the_run(store).result().counts == expected
    check_counted_once(cloud, service, store, job.run_id)


def test_a_server_that_is_killed_and_comes_back_is_waited_for(cloud, service, backend, store):
    cloud.fault("submit", "hold")
    job = submitted(store, backend)
    failed = []

    def wait():
        try:
            Job.load(job.run_id, store).wait(poll=POLL)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    cloud.wait_for("job", 3)
    cloud.kill()
    cloud.start()
    cloud.do(job.record.job_id, "release")
    thread.join(PATIENCE)
    assert failed == []
    check_counted_once(cloud, service, store, job.run_id)


# --- cancelling ---------------------------------------------------------------------------------


def test_a_queued_run_is_cancelled(cloud, backend, store):
    cloud.fault("submit", "hold")
    job = submitted(store, backend)
    job.cancel()
    assert [one["status"] for one in cloud.jobs(job.run_id)] == ["Cancelled"]
    assert the_run(store).status == "cancelled"
    with pytest.raises(ExecutionError, match="ended"):
        the_run(store).cancel()
    assert "cancelled" in the_run(store).resume(resubmit=True)[0]
    assert len(cloud.jobs(job.run_id)) == 1


def test_cancelling_too_late_gives_the_result(cloud, service, backend, store):
    job = submitted(store, backend)
    service.job(job.record.job_id).wait_for_final_state(timeout=PATIENCE)
    with pytest.raises(ExecutionError, match="ended: it is done"):
        job.cancel()
    check_counted_once(cloud, service, store, job.run_id)


def test_cancelling_a_run_cancels_every_job_of_it(cloud, backend, store):
    cloud.fault("submit", "hold", times=2)
    cloud.fault("submit", "status", when="after")
    cloud.fault("submit", "drop", when="after")
    with pytest.raises(ExecutionError):
        submitted(store, backend)
    job = the_run(store)
    job.cancel()
    assert [one["status"] for one in cloud.jobs(job.run_id)] == ["Cancelled"] * 2
    assert the_run(store).status == "cancelled"


def test_a_cancellation_that_fails_can_be_repeated(cloud, backend, store):
    cloud.fault("submit", "hold")
    job = submitted(store, backend)
    cloud.fault("cancel", "drop")
    with pytest.raises(ExecutionError, match="cancel"):
        job.cancel()
    assert the_run(store).status == "submitted"
    the_run(store).cancel()
    assert [one["status"] for one in cloud.jobs(job.run_id)] == ["Cancelled"]


# --- accounts and names -------------------------------------------------------------------------


def test_another_instance_is_refused_and_asked_nothing(cloud, backend, store, monkeypatch):
    job = submitted(store, backend)
    before = files(store)
    searched = len(cloud.requests("jobs"))
    with monkeypatch.context() as patch:
        cloud.point(patch, instance=OTHER_INSTANCE)
        for ask in (job.resume, job.wait, job.cancel):
            with pytest.raises(ExecutionError, match="another instance") as error:
                ask()
            assert "crn" not in str(error.value)
    assert files(store) == before
    assert len(cloud.requests("jobs")) == searched
    job.wait(poll=POLL)
    assert job.status == "done"


def test_an_unknown_backend_offers_the_nearest_name(cloud, store):
    for name, near in (("ibm_torin", "'ibm_torino'"), ("ibm-torino", "'ibm_torino'")):
        with pytest.raises(UnknownNameError, match=f"did you mean {near}"):
            submitted(store, name)
    with pytest.raises(UnknownNameError, match="known are ibm_torino"):
        submitted(store, "zzz")
    assert files(store) == {}


def test_a_bad_token_is_refused_with_both_explanations(cloud, store, monkeypatch):
    cloud.point(monkeypatch, token="not-the-api-key")
    with pytest.raises(ExecutionError, match=r"refused or the network.*check the token") as error:
        submitted(store, "ibm_torino")
    assert "not-the-api-key" not in str(error.value)
    assert files(store) == {}


def test_a_foreign_instance_is_refused_without_being_named(cloud, store, monkeypatch):
    foreign = INSTANCE.replace("1111", "3333")
    cloud.point(monkeypatch, instance=foreign)
    with pytest.raises(ExecutionError) as error:
        submitted(store, "ibm_torino")
    assert "3333" not in str(error.value)
    assert files(store) == {}


def test_no_network_is_explained(cloud, store, monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with pytest.raises(ExecutionError, match="the network cannot be reached"):
        submitted(store, "ibm_torino")
    assert files(store) == {}


def test_no_account_is_explained(cloud, store, monkeypatch, tmp_path):
    for name in ("QISKIT_IBM_TOKEN", "QISKIT_IBM_INSTANCE"):
        monkeypatch.delenv(name)
    monkeypatch.setattr(
        "qiskit_ibm_runtime.accounts.management._DEFAULT_ACCOUNT_CONFIG_JSON_FILE",
        str(tmp_path / "none.json"),
    )
    with pytest.raises(ExecutionError, match="no IBM account found: save one with"):
        submitted(store, "ibm_torino")
    assert files(store) == {}
