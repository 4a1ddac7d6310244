"""``qttt submit`` and ``qttt jobs``: one document, errors in one line, nothing spent unasked."""

import io
import json
import subprocess
import sys

import pytest
from runs import PATIENCE, files, fresh_store, the_run
from test_cli_errors import check_refused

pytest.importorskip("qiskit_ibm_runtime")

pytest_plugins = ("cloud.fixtures",)

store = pytest.fixture(fresh_store)

POSITION = ("cancelling", "1,2", "-2,3", "--seed", "5")
ON_AER = ("submit", *POSITION, "--backend", "aer", "--shots", "200")
ON_DEVICE = ("submit", *POSITION, "--backend", "ibm_torino", "--shots", "200")


def check_failed(run, *parts):
    """A failed run is told in one line, with exit status 3 and no output."""
    assert run.status == 3
    assert run.out == ""
    assert run.err.startswith("qttt: ")
    assert len(run.err.splitlines()) == 1
    assert "Traceback" not in run.err
    for part in parts:
        assert part in run.err


def document(run):
    assert run.status == 0, run.err
    return json.loads(run.out)


# --- on this machine ----------------------------------------------------------------------------


def test_a_run_is_submitted_shown_and_read(qttt, store):
    summary = document(qttt(*ON_AER, "--json"))
    job = the_run(store)
    assert summary["run"] == job.run_id
    assert (summary["status"], summary["shots"], summary["seed"]) == ("done", 200, 5)
    assert summary["position"] == "cancelling 1,2 -2,3"
    assert document(qttt("jobs", "show", job.run_id, "--json")) == summary
    assert document(qttt("jobs", "list", "--json")) == {"runs": [summary], "problems": []}
    result = document(qttt("jobs", "result", job.run_id, "--json"))
    assert result["counts"] == job.result().counts
    assert (result["run"], result["mitigated"]) == (job.run_id, None)
    assert document(qttt("jobs", "wait", job.run_id[:9], "--json")) == result


def test_the_texts_say_what_to_do_next(qttt, store):
    submitted = qttt(*ON_AER)
    job = the_run(store)
    assert f"run {job.run_id} is done" in submitted.out
    assert f"qttt jobs wait {job.run_id}" in submitted.out
    assert job.run_id in qttt("jobs", "show", job.run_id).out
    assert job.run_id in qttt("jobs", "list").out
    assert "is done" in qttt("jobs", "resume", job.run_id).out
    read = qttt("jobs", "result", job.run_id)
    assert "200 shots" in read.out
    assert "distance from exact: raw" in read.out


def test_equal_seeds_give_equal_documents(qttt, store):
    runs = [document(qttt(*ON_AER, "--json"))["run"] for _ in range(2)]
    first, second = (document(qttt("jobs", "result", run, "--json")) for run in runs)
    assert {**first, "run": ""} == {**second, "run": ""}


def test_a_store_can_be_named(qttt, store, tmp_path):
    elsewhere = ("--store", str(tmp_path / "elsewhere"))
    run = document(qttt(*ON_AER, *elsewhere, "--json"))["run"]
    assert files(store) == {}
    assert len(document(qttt("jobs", "list", *elsewhere, "--json"))["runs"]) == 1
    assert document(qttt("jobs", "result", run, *elsewhere, "--json"))["run"] == run
    for command in ("show", "result", "wait", "resume", "cancel"):
        check_refused(qttt("jobs", command, run), "there is no run", str(store.directory))


def test_a_readout_calibrated_on_a_snapshot_is_mitigated(qttt, store):
    pytest.importorskip("mthree")
    summary = document(
        qttt("submit", *POSITION, "--backend", "fake_torino", "--shots", "2000",
             "--mitigate", "readout", "--json")
    )  # fmt: skip
    assert 0 < summary["predicted_fidelity"] < 1
    result = document(qttt("jobs", "result", summary["run"], "--json"))
    assert sum(result["mitigated"]["quasi"].values()) == pytest.approx(1)
    assert "mitigated and post-selected" in qttt("jobs", "result", summary["run"]).out


def test_shots_are_planned_when_they_are_auto(qttt, store):
    run = qttt("submit", *POSITION, "--backend", "aer", "--json")
    summary = document(run)
    assert len(run.err.splitlines()) == 1
    assert f"{summary['shots']} shots: a distance below 0.02 from exact" in run.err
    wider = document(qttt("submit", *POSITION, "--backend", "aer", "--tvd", "0.1", "--json"))
    assert wider["shots"] < summary["shots"]
    read = document(qttt("jobs", "result", summary["run"], "--json"))
    assert read["fit"]["tvd"] < 0.02


@pytest.mark.parametrize(
    ("more", "parts"),
    [
        (("--shots", "many"), ("--shots takes a number or auto", "'many'")),
        (("--shots", "0"), ("shots must be from 1",)),
        (("--shots", "1.5"), ("--shots",)),
        (("--shots", "auto", "--tvd", "0"), ("between 0 and 1",)),
        (("--shots", "auto", "--tvd", "0.00001"), ("more than",)),
        (("--seed", "x"), ("--seed",)),
        (("--mitigate", "zne"), ("--mitigate takes readout", "'zne'")),
        (("--mitigate", "readout"), ("no readout",)),
        (("--suppress", "dd"), ("IBM's devices",)),
        (("--suppress", "nosuch"), ("dd and twirling", "'nosuch'")),
        (("--max-seconds", "5"), ("IBM's devices",)),
        (("--max-seconds", "0"), ("--max-seconds",)),
        (("--backend", "aer:nosuch"), ("unknown backend",)),
        (("--backend", "fake_torin"), ("did you mean 'fake_torino'",)),
        (("--encoding", "spn"), ("did you mean 'spin'",)),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_wrong_options_are_refused_and_leave_nothing(qttt, store, more, parts, as_json):
    check_refused(qttt(*ON_AER, *more, *["--json"] * as_json), *parts)
    assert files(store) == {}


def test_wrong_positions_are_refused_and_leave_nothing(qttt, store):
    aer = ("--backend", "aer", "--shots", "10")
    for arguments, part in (
        (("cancelling", "1", *aer), "nothing to run"),
        (("cancelling", *aer), "nothing to run"),
        (("nosuch", "1,2", *aer), "unknown rule set"),
        (("cancelling", "1,1", *aer), "different squares"),
        (aer, "name a rule set"),
        (("cancelling", "1,2"), "--backend"),
    ):
        check_refused(qttt("submit", *arguments), part)
    assert files(store) == {}


@pytest.mark.parametrize("command", ["show", "result", "wait", "resume", "cancel"])
def test_runs_that_are_not_there_are_refused(qttt, store, command):
    for name in ("nosuch", "../nosuch", "", "..", "*"):
        check_refused(qttt("jobs", command, name))
    check_refused(qttt("jobs", command), "RUN")
    document(qttt(*ON_AER, "--json"))
    document(qttt(*ON_AER, "--json"))
    check_refused(qttt("jobs", command, "qttt-"), "several runs begin with 'qttt-'")


def test_a_run_that_ended_is_not_cancelled(qttt, store):
    run = document(qttt(*ON_AER, "--json"))["run"]
    check_failed(qttt("jobs", "cancel", run), "has ended: it is done")


def test_damaged_files_are_named_beside_the_runs(qttt, store):
    run = document(qttt(*ON_AER, "--json"))["run"]
    path = store.directory / "qttt-damaged.json"
    path.write_text('{"format": ')
    before = files(store)
    listed = qttt("jobs", "list")
    assert listed.status == 0
    assert run in listed.out
    assert listed.err == f"qttt: not read: {path}: not a JSON document\n"
    found = document(qttt("jobs", "list", "--json"))
    assert [one["run"] for one in found["runs"]] == [run]
    assert [one["path"] for one in found["problems"]] == [str(path)]
    for command in ("show", "result", "wait", "resume", "cancel"):
        check_refused(qttt("jobs", command, "qttt-damaged"), str(path), "not a JSON document")
    assert files(store) == before


def test_no_runs_are_an_empty_list(qttt, store):
    assert document(qttt("jobs", "list", "--json")) == {"runs": [], "problems": []}
    assert files(store) == {}


# --- on a device --------------------------------------------------------------------------------


def test_nothing_is_spent_without_an_answer(qttt, cloud, store, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    for more in ((), ("--json",), ("--shots", "auto"), ("--mitigate", "readout")):
        run = qttt(*ON_DEVICE, *more)
        assert (run.status, run.out) == (2, "")
        assert "nothing was submitted; --yes" in run.err
        assert "seconds of device time" in run.err
        assert "Traceback" not in run.err
    assert cloud.requests("submit") == []
    assert files(store) == {}


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "jobs"), [("n\n", 0), ("\n", 0), ("", 0), ("y\n", 1)])
def test_the_question_is_answered(cloud, store, answer, jobs):
    done = subprocess.run(
        [sys.executable, "-m", "qttt_circuits", *ON_DEVICE, "--json"],
        input=answer, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == (0 if jobs else 2)
    assert len(cloud.requests("submit")) == len(cloud.jobs()) == jobs
    assert len(store.all()[0]) == jobs
    if jobs:
        assert json.loads(done.stdout)["status"] == "submitted"
    else:
        assert done.stdout == ""
        assert files(store) == {}


def test_with_yes_it_is_submitted_waited_for_and_read(qttt, cloud, store):
    submitted = qttt(*ON_DEVICE, "--yes", "--json", "--mitigate", "readout", "--max-seconds", "9")
    summary = document(submitted)
    assert submitted.err == ""
    [job] = cloud.jobs(summary["run"])
    assert (summary["status"], summary["job"]) == ("submitted", job["id"])
    assert job["details"]["cost"] == 9
    waited = qttt("jobs", "wait", summary["run"], "--poll", "0.05", "--json")
    result = document(waited)
    assert waited.err == ""
    assert result["shots"] == 200
    assert result["mitigated"]["quasi"]
    assert result["backend"] == "ibm_torino"
    assert document(qttt("jobs", "result", summary["run"], "--json")) == result


def test_a_lost_submission_is_told_and_resumed(qttt, cloud, store):
    cloud.fault("submit", "drop", when="before")
    failed = qttt(*ON_DEVICE, "--yes", "--json")
    run = the_run(store).run_id
    check_failed(failed, f"qttt jobs resume {run}")
    check_failed(qttt("jobs", "result", run), "no result, it is prepared")
    check_failed(qttt("jobs", "resume", run), f"qttt jobs resume {run} --resubmit")
    check_failed(qttt("jobs", "wait", run, "--json"), "--resubmit")
    assert cloud.jobs() == []
    assert "submitted again as job" in qttt("jobs", "resume", run, "--resubmit").out
    assert document(qttt("jobs", "wait", run, "--poll", "0.05", "--json"))["shots"] == 200
    assert len(cloud.jobs()) == 1


def test_duplicates_are_reported(qttt, cloud, store):
    cloud.fault("submit", "hold", times=2)
    cloud.fault("submit", "status", when="after")
    cloud.fault("submit", "drop", when="after")
    check_failed(qttt(*ON_DEVICE, "--yes"))
    run = the_run(store).run_id
    first, second = (job["id"] for job in cloud.jobs(run))
    said = qttt("jobs", "resume", run).out
    assert f"is job {first}" in said
    assert f"job {second} is a duplicate and was cancelled" in said
    summary = document(qttt("jobs", "show", run, "--json"))
    assert (summary["job"], summary["cancelled_jobs"]) == (first, [second])


def test_waiting_too_short_a_time_and_failed_jobs_are_failures(qttt, cloud, store):
    cloud.fault("submit", "hold")
    run = document(qttt(*ON_DEVICE, "--yes", "--json"))["run"]
    wait = ("jobs", "wait", run, "--poll", "0.05", "--json")
    check_failed(qttt(*wait, "--timeout", "0.2"), "has not ended within 0.2 seconds")
    check_failed(qttt("jobs", "result", run, "--json"), "no result, it is submitted")
    cloud.do(cloud.jobs(run)[0]["id"], "fail", reason="the fridge is warm")
    check_failed(qttt(*wait), "it is failed: ", "the fridge is warm")
    check_failed(qttt("jobs", "result", run), "the fridge is warm")


def test_a_queued_run_is_cancelled(qttt, cloud, store):
    cloud.fault("submit", "hold")
    run = document(qttt(*ON_DEVICE, "--yes", "--json"))["run"]
    assert qttt("jobs", "cancel", run).out == f"run {run} is cancelled\n"
    assert cloud.jobs(run)[0]["status"] == "Cancelled"
    check_failed(qttt("jobs", "cancel", run), "has ended: it is cancelled")
    check_failed(qttt("jobs", "result", run), "cancelled")


def test_an_unknown_device_offers_the_nearest(qttt, cloud, store):
    more = ("--backend", "ibm_torin", "--yes")
    check_refused(qttt(*ON_DEVICE, *more), "unknown backend", "did you mean 'ibm_torino'")
    assert files(store) == {}


@pytest.mark.parametrize(
    "command",
    [("list",), ("list", "--json"), ("show", "r"), ("result", "r"), ("cancel", "r")],
    ids=" ".join,
)
def test_a_store_that_is_named_must_be_a_directory(qttt, tmp_path, command):
    file = tmp_path / "file"
    file.write_text("")
    for store, part in (
        (tmp_path / "none", "there is no such directory"),
        (file, "is not a directory"),
        ("", "empty name"),
    ):
        ran = qttt("jobs", *command, "--store", str(store))
        assert (ran.status, ran.out) == (2, "")
        [line] = ran.err.splitlines()
        assert part in line
    assert list(tmp_path.iterdir()) == [file]


def test_nothing_is_submitted_to_a_store_that_is_a_file(qttt, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    ran = qttt("submit", "goff", "1,2", "1,2", "--backend", "aer", "--store", str(file))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"qttt: --store {file} is not a directory\n"


def test_the_usual_store_may_not_be_there_yet(qttt, tmp_path, monkeypatch):
    monkeypatch.setenv("QTTT_DATA_DIR", str(tmp_path / "none"))
    ran = qttt("jobs", "list", "--json")
    assert (ran.status, json.loads(ran.out)) == (0, {"runs": [], "problems": []})
    (tmp_path / "none").write_text("")
    ran = qttt("jobs", "list", "--json")
    assert (ran.status, ran.out) == (2, "")
    assert "none is not a directory" in ran.err
