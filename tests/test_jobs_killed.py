"""Killed without warning at every point of its life, a run still ends with one result."""

import json
import time

import numpy as np
import pytest

pytest.importorskip("qiskit_ibm_runtime")

from runs import (
    PATIENCE,
    POSITION,
    SEED,
    SHOTS,
    dies_at_write,
    files,
    fresh_store,
    killed,
    played,
    program,
    the_run,
)

from qttt_circuits.jobs import Job
from qttt_circuits.measured import registers_of, shots_of

pytest_plugins = ("cloud.fixtures",)

store = pytest.fixture(fresh_store)

SUBMIT = ("submit", *POSITION, "--seed", str(SEED), "--shots", str(SHOTS), "--yes")
ON_DEVICE = (*SUBMIT, "--backend", "ibm_torino")
POLL = 0.05


def submitted(store, backend, **options):
    return played().submit(backend=backend, shots=SHOTS, seed=SEED, store=store, **options)


def wait(run_id):
    return ("jobs", "wait", run_id, "--poll", str(POLL))


def check_ends_once(qttt, cloud, service, store, run_id):
    """Resuming and waiting give the result of one job, and again the same; nothing else counts."""
    resumed = qttt("jobs", "resume", run_id)
    if resumed.status:
        assert "--resubmit" in resumed.err
        assert cloud.jobs(run_id) == []
        resumed = qttt("jobs", "resume", run_id, "--resubmit")
    assert (resumed.status, resumed.err) == (0, "")
    for _ in range(2):
        waited = qttt(*wait(run_id), "--json")
        assert waited.status == 0
        assert json.loads(waited.out)["shots"] == SHOTS
    record = the_run(store).record
    jobs = cloud.jobs(run_id)
    ids = [job["id"] for job in jobs]
    assert len(ids) == len(cloud.jobs())
    assert record.status == "done"
    assert record.job_id in ids
    assert sorted(record.job_ids_cancelled) == sorted({*ids} - {record.job_id})
    [answer] = service.job(record.job_id).result()
    [circuit] = record.load_circuits()
    given = np.asarray(shots_of(answer, registers_of(circuit)))
    assert np.array_equal(given, store.load_shots(run_id)[0])
    kept = {name for name in files(store) if not name.endswith(".part")}
    assert kept == {f"{run_id}.json", f"{run_id}.npz"}


# --- while submitting ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("route", ["token", "backends"])
def test_killed_before_the_record_there_is_no_run_and_no_job(cloud, store, route):
    cloud.fault(route, "silent")
    killed(program(*ON_DEVICE), lambda: cloud.wait_for(route, 1, PATIENCE))
    assert files(store) == {}
    assert cloud.jobs() == []


@pytest.mark.parametrize("when", [pytest.param("before", marks=pytest.mark.slow), "after"])
def test_killed_while_the_submission_is_on_its_way(qttt, cloud, service, store, when):
    cloud.fault("submit", "silent", when=when)
    killed(program(*ON_DEVICE), lambda: cloud.wait_for("submit", 1, PATIENCE))
    job = the_run(store)
    assert job.status == "prepared"
    assert len(cloud.jobs(job.run_id)) == (when == "after")
    check_ends_once(qttt, cloud, service, store, job.run_id)
    assert len(cloud.jobs()) == 1


@pytest.mark.slow
def test_killed_while_the_client_submits_for_the_second_time(qttt, cloud, service, store):
    cloud.fault("submit", "hold", times=2)
    cloud.fault("submit", "status", when="after")
    cloud.fault("submit", "silent", when="after")
    killed(program(*ON_DEVICE), lambda: cloud.wait_for("submit", 2, PATIENCE))
    job = the_run(store)
    first, _ = (made["id"] for made in cloud.jobs(job.run_id))
    cloud.do(first, "release")
    check_ends_once(qttt, cloud, service, store, job.run_id)
    assert the_run(store).record.job_id == first
    assert cloud.jobs()[1]["status"] == "Cancelled"


@pytest.mark.parametrize(
    ("number", "moment", "recorded", "jobs"),
    [
        pytest.param(1, "before", 0, 0, marks=pytest.mark.slow),
        pytest.param(1, "after", 1, 0, marks=pytest.mark.slow),
        pytest.param(2, "before", 1, 1, marks=pytest.mark.slow),
        pytest.param(2, "after", 1, 1, marks=pytest.mark.slow),
    ],
)
def test_killed_at_a_write_of_a_submission(
    qttt, cloud, service, store, number, moment, recorded, jobs
):
    assert dies_at_write(number, moment, *ON_DEVICE)
    assert len(store.all()[0]) == recorded
    assert store.all()[1] == []
    assert len(cloud.jobs()) == jobs
    if recorded:
        check_ends_once(qttt, cloud, service, store, the_run(store).run_id)
        assert len(cloud.jobs()) == 1


@pytest.mark.slow
def test_a_submission_writes_twice_and_no_more(cloud, store):
    assert not dies_at_write(3, "before", *ON_DEVICE)


# --- while resuming -----------------------------------------------------------------------------


def unknown(cloud, store, backend, created):
    """Leaves a run of which no job id is known, but so many jobs exist; they are held."""
    if created:
        cloud.fault("submit", "hold", times=created)
    for _ in range(created - 1):
        cloud.fault("submit", "status", when="after")
    cloud.fault("submit", "drop", when="after" if created else "before")
    with pytest.raises(RuntimeError):
        submitted(store, backend)
    job = the_run(store)
    ids = [one["id"] for one in cloud.jobs(job.run_id)]
    assert len(ids) == created
    return job.run_id, ids


@pytest.mark.slow
@pytest.mark.parametrize("created", [1, 3])
@pytest.mark.parametrize(
    ("route", "when"),
    [("token", "before"), ("jobs", "after"), ("job", "before"), ("cancel", "before"),
     ("cancel", "after")],
)  # fmt: skip
def test_killed_while_resuming(qttt, cloud, service, backend, store, route, when, created):
    if route == "cancel" and created == 1:
        created = 2
    run_id, ids = unknown(cloud, store, backend, created)
    awaited = len(cloud.requests(route)) + 1
    cloud.fault(route, "silent", when=when)
    killed(program("jobs", "resume", run_id), lambda: cloud.wait_for(route, awaited, PATIENCE))
    cloud.do(ids[0], "release")
    check_ends_once(qttt, cloud, service, store, run_id)
    assert the_run(store).record.job_id == ids[0]
    assert [one["status"] for one in cloud.jobs()][1:] == ["Cancelled"] * (created - 1)


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_at_a_write_of_a_resumption(qttt, cloud, service, backend, store, number, moment):
    run_id, ids = unknown(cloud, store, backend, 3)
    assert dies_at_write(number, moment, "jobs", "resume", run_id)
    cloud.do(ids[0], "release")
    check_ends_once(qttt, cloud, service, store, run_id)
    assert the_run(store).record.job_id == ids[0]
    assert [one["status"] for one in cloud.jobs()][1:] == ["Cancelled"] * 2


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_while_submitting_again(qttt, cloud, service, backend, store, when):
    run_id, _ = unknown(cloud, store, backend, 0)
    cloud.fault("submit", "silent", when=when)
    again = ("jobs", "resume", run_id, "--resubmit")
    killed(program(*again), lambda: cloud.wait_for("submit", 2, PATIENCE))
    check_ends_once(qttt, cloud, service, store, run_id)
    assert len(cloud.jobs()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_while_noting_what_was_submitted_again(qttt, cloud, service, backend, store, moment):
    run_id, _ = unknown(cloud, store, backend, 0)
    assert dies_at_write(1, moment, "jobs", "resume", run_id, "--resubmit")
    check_ends_once(qttt, cloud, service, store, run_id)
    assert len(cloud.jobs()) == 1


# --- while waiting ------------------------------------------------------------------------------


@pytest.mark.slow
def test_killed_while_queued(qttt, cloud, service, backend, store):
    cloud.fault("submit", "hold")
    job = submitted(store, backend)
    killed(program(*wait(job.run_id)), lambda: cloud.wait_for("job", 3, PATIENCE))
    assert the_run(store).status == "submitted"
    cloud.do(job.record.job_id, "release")
    check_ends_once(qttt, cloud, service, store, job.run_id)


@pytest.mark.slow
def test_killed_while_running(qttt, cloud, service, backend, store):
    cloud.fault("submit", "hold")
    job = submitted(store, backend)
    process = program(*wait(job.run_id))

    def running():
        cloud.wait_for("job", 3, PATIENCE)
        cloud.fault("job", "silent", when="after", times=9)
        cloud.do(job.record.job_id, "release")
        while cloud.jobs()[0]["status"] == "Queued":
            time.sleep(0.01)

    killed(process, running)
    cloud.clear()
    check_ends_once(qttt, cloud, service, store, job.run_id)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("route", "when"),
    [("token", "before"), ("jobs", "before"), ("jobs", "after"), ("job", "before"),
     ("job", "after"), ("results", "before"), ("results", "after")],
)  # fmt: skip
def test_killed_while_it_waits_for_an_answer(qttt, cloud, service, backend, store, route, when):
    job = submitted(store, backend)
    awaited = len(cloud.requests(route)) + 1
    cloud.fault(route, "silent", when=when)
    killed(program(*wait(job.run_id)), lambda: cloud.wait_for(route, awaited, PATIENCE))
    assert the_run(store).status == "submitted"
    check_ends_once(qttt, cloud, service, store, job.run_id)
    assert len(cloud.jobs()) == 1


@pytest.mark.parametrize(
    ("number", "moment", "bits", "status"),
    [
        pytest.param(1, "before", False, "submitted", marks=pytest.mark.slow),
        (1, "after", True, "submitted"),
        pytest.param(2, "before", True, "submitted", marks=pytest.mark.slow),
        pytest.param(2, "after", True, "done", marks=pytest.mark.slow),
    ],
)
def test_killed_at_a_write_of_the_result(
    qttt, cloud, service, backend, store, number, moment, bits, status
):
    job = submitted(store, backend)
    assert dies_at_write(number, moment, *wait(job.run_id))
    assert the_run(store).status == status
    assert (store.load_shots(job.run_id) is not None) == bits
    check_ends_once(qttt, cloud, service, store, job.run_id)
    assert len(cloud.jobs()) == 1


@pytest.mark.slow
def test_killed_again_and_again_it_ends_all_the_same(qttt, cloud, service, store):
    assert dies_at_write(2, "before", *ON_DEVICE)
    run_id = the_run(store).run_id
    for number, moment in ((1, "before"), (1, "after"), (1, "before"), (2, "before")):
        assert dies_at_write(number, moment, *wait(run_id))
    check_ends_once(qttt, cloud, service, store, run_id)
    assert len(cloud.jobs()) == 1


@pytest.mark.slow
def test_killed_while_reading_the_result(qttt, cloud, service, backend, store):
    job = submitted(store, backend)
    job.wait(poll=POLL)
    before = files(store)
    process = program("jobs", "result", job.run_id)
    killed(process, lambda: time.sleep(0.5))
    assert files(store) == before
    check_ends_once(qttt, cloud, service, store, job.run_id)


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_while_cancelling(qttt, cloud, backend, store, when):
    cloud.fault("submit", "hold")
    job = submitted(store, backend)
    cloud.fault("cancel", "silent", when=when)
    process = program("jobs", "cancel", job.run_id)
    killed(process, lambda: cloud.wait_for("cancel", 1, PATIENCE))
    assert the_run(store).status == "submitted"
    if when == "after":
        assert qttt("jobs", "resume", job.run_id).status == 0
    else:
        assert qttt("jobs", "cancel", job.run_id).status == 0
    assert the_run(store).status == "cancelled"
    assert [one["status"] for one in cloud.jobs()] == ["Cancelled"]


@pytest.mark.slow
def test_a_server_killed_while_it_is_waited_for_is_outlasted(qttt, cloud, service, backend, store):
    cloud.fault("submit", "hold")
    job = submitted(store, backend)
    process = program(*wait(job.run_id), "--json")
    cloud.wait_for("job", 3, PATIENCE)
    cloud.kill()
    time.sleep(25)  # longer than the client itself repeats its question
    cloud.start()
    cloud.do(job.record.job_id, "release")
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert json.loads(out)["run"] == job.run_id
    check_ends_once(qttt, cloud, service, store, job.run_id)


# --- on this machine ----------------------------------------------------------------------------


def check_same_as_undisturbed(qttt, store, run_id, backend, shots=SHOTS):
    resumed = qttt("jobs", "resume", run_id)
    assert (resumed.status, resumed.err) == (0, "")
    undisturbed = played().submit(backend=backend, shots=shots, seed=SEED, store=store)
    kept, expected = (store.load_shots(name) for name in (run_id, undisturbed.run_id))
    for found, wanted in zip(kept, expected, strict=True):
        assert np.array_equal(found, wanted)
    assert Job.load(run_id, store).result().counts == undisturbed.result().counts
    again = qttt("jobs", "resume", run_id)
    assert "is done" in again.out


@pytest.mark.parametrize(
    ("backend", "number", "moment"),
    [
        ("aer", 1, "after"),
        pytest.param("aer", 2, "before", marks=pytest.mark.slow),
        pytest.param("aer", 2, "after", marks=pytest.mark.slow),
        pytest.param("aer", 3, "before", marks=pytest.mark.slow),
        pytest.param("aer", 3, "after", marks=pytest.mark.slow),
        pytest.param("fake_torino", 1, "after", marks=pytest.mark.slow),
        pytest.param("fake_torino", 2, "after", marks=pytest.mark.slow),
    ],
)
def test_a_local_run_killed_at_a_write_is_run_again_with_its_seed(
    qttt, store, backend, number, moment
):
    assert dies_at_write(number, moment, *SUBMIT, "--backend", backend)
    job = the_run(store)
    assert job.status == ("done" if (number, moment) == (3, "after") else "prepared")
    check_same_as_undisturbed(qttt, store, job.run_id, backend)


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "shots"), [("aer", 4_000_000), ("fake_torino", 50_000)])
def test_a_local_run_killed_in_its_midst_is_run_again_with_its_seed(qttt, store, backend, shots):
    command = ("submit", *POSITION, "--seed", str(SEED), "--shots", str(shots))
    process = program(*command, "--backend", backend)

    def recorded():
        deadline = time.monotonic() + PATIENCE
        while not store.all()[0]:
            assert time.monotonic() < deadline
            time.sleep(0.01)

    killed(process, recorded)
    job = the_run(store)
    assert job.status == "prepared"
    check_same_as_undisturbed(qttt, store, job.run_id, backend, shots)
