"""Every kind of failure once, and what the client library makes of it.

Those that take the client's whole back-off, 15 seconds, are marked slow.
"""

import threading

import pytest
from qiskit.providers.exceptions import QiskitBackendNotFoundError

pytest.importorskip("qiskit_ibm_runtime")

from qiskit_ibm_runtime import QiskitRuntimeService
from qiskit_ibm_runtime.accounts.exceptions import InvalidAccountError
from qiskit_ibm_runtime.api.exceptions import RequestsApiError
from qiskit_ibm_runtime.exceptions import (
    IBMNotAuthorizedError,
    IBMRuntimeError,
    RuntimeJobFailureError,
    RuntimeJobMaxTimeoutError,
    RuntimeJobNotFound,
    RuntimeJobTimeoutError,
)

pytest_plugins = ("cloud.fixtures",)

BACKEND = "ibm_torino"
SHOTS = 200
PATIENCE = 60
BEFORE_AND_AFTER = pytest.mark.parametrize(("when", "created"), [("before", 0), ("after", 1)])


def counts(result, register, pub=0):
    return result[pub].data[register].get_counts()


# --- at submission ------------------------------------------------------------------------------


@BEFORE_AND_AFTER
def test_a_dropped_connection_leaves_the_job_unknown(cloud, submit, when, created):
    cloud.fault("submit", "drop", when=when)
    with pytest.raises(IBMRuntimeError, match="Connection aborted"):
        submit("run")
    assert len(cloud.requests("submit")) == 1
    assert len(cloud.jobs("run")) == created


def test_a_connection_dropped_behind_a_proxy_makes_two_jobs(cloud, service, submit):
    cloud.fault("submit", "drop", when="after", behind_proxy=True)
    job = submit("run")
    first, second = (one["id"] for one in cloud.jobs("run"))
    assert job.job_id() == second
    found = service.jobs(job_tags=["run"], limit=None, descending=False)
    assert [one.job_id() for one in found] == [first, second]
    assert found[0].creation_date < found[1].creation_date


@BEFORE_AND_AFTER
@pytest.mark.parametrize("status", [500, 503])
def test_a_server_error_is_retried_and_may_make_two_jobs(cloud, submit, status, when, created):
    cloud.fault("submit", "status", status=status, when=when)
    job = submit("run")
    assert len(cloud.requests("submit")) == 2
    assert len(cloud.jobs("run")) == 1 + created
    assert cloud.jobs("run")[-1]["id"] == job.job_id()


@pytest.mark.parametrize(
    ("status", "error"), [(400, IBMRuntimeError), (401, IBMNotAuthorizedError)], ids=str
)
def test_a_refusal_is_not_retried(cloud, submit, status, error):
    cloud.fault("submit", "status", status=status)
    with pytest.raises(error, match=str(status)):
        submit("run")
    assert len(cloud.requests("submit")) == 1
    assert cloud.jobs("run") == []


@pytest.mark.parametrize("retry_after", [None, 1])
def test_too_many_requests_are_not_retried_at_submission(cloud, submit, retry_after):
    cloud.fault("submit", "status", status=429, retry_after=retry_after)
    with pytest.raises(IBMRuntimeError, match="429"):
        submit("run")
    assert len(cloud.requests("submit")) == 1


@BEFORE_AND_AFTER
def test_a_silent_submission_blocks_until_it_breaks(cloud, submit, when, created):
    awaited = len(cloud.requests("submit")) + 1
    cloud.fault("submit", "silent", when=when)
    caught = []

    def attempt():
        with pytest.raises(IBMRuntimeError) as error:
            submit("run")
        caught.append(error)

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    cloud.wait_for("submit", awaited)
    thread.join(0.5)
    assert thread.is_alive()
    assert len(cloud.jobs("run")) == created
    cloud.clear()
    thread.join(PATIENCE)
    assert len(caught) == 1


def test_faults_happen_in_the_order_in_which_they_were_set(cloud, submit):
    cloud.fault("submit", "status", status=503)
    cloud.fault("submit", "drop", when="before")
    with pytest.raises(IBMRuntimeError, match="Connection aborted"):
        submit("run")
    assert cloud.faults() == []
    assert cloud.jobs("run") == []


# --- afterwards ---------------------------------------------------------------------------------


def test_a_job_stays_queued_until_it_is_released(cloud, submit):
    cloud.fault("submit", "hold")
    job = submit()
    with pytest.raises(RuntimeJobTimeoutError):
        job.result(timeout=0.2, poll_interval=0.1)
    assert job.status() == "QUEUED"
    cloud.do(job.job_id(), "release")
    assert counts(job.result(timeout=PATIENCE), "pair") == {"01": SHOTS}


@pytest.mark.parametrize(
    ("code", "error"),
    [(9999, RuntimeJobFailureError), (1305, RuntimeJobMaxTimeoutError)],
    ids=["failed", "ran-too-long"],
)
def test_a_job_fails_with_its_reason(cloud, submit, code, error):
    cloud.fault("submit", "fail", reason="the fridge is warm", code=code)
    job = submit()
    with pytest.raises(error, match="the fridge is warm"):
        job.result(timeout=PATIENCE)
    assert job.status() == "ERROR"
    assert "the fridge is warm" in job.error_message()


def test_a_lost_job_is_not_found(cloud, service, submit):
    cloud.fault("submit", "lose")
    job = submit("run")
    with pytest.raises(RequestsApiError, match="404"):
        job.status()
    with pytest.raises(RuntimeJobNotFound):
        service.job(job.job_id())
    assert service.jobs(job_tags=["run"], limit=None) == []
    assert [one["id"] for one in cloud.jobs("run")] == [job.job_id()]
    cloud.do(job.job_id(), "find")
    assert service.job(job.job_id()).job_id() == job.job_id()


def test_short_failures_while_polling_are_not_seen(cloud, submit):
    job = submit()
    cloud.fault("job", "status", status=500)
    cloud.fault("job", "drop")
    cloud.fault("results", "drop")
    job.result(timeout=PATIENCE)
    assert len(cloud.requests("results")) == 2
    assert cloud.faults() == []


def test_too_many_requests_while_polling_are_an_error_unless_told_when_to_return(cloud, submit):
    cloud.fault("submit", "hold")
    job = submit()
    cloud.fault("job", "status", status=429)
    with pytest.raises(RequestsApiError, match="429"):
        job.status()
    cloud.fault("job", "status", status=429, retry_after=1)
    assert job.status() == "QUEUED"


def test_a_silent_server_blocks_polling(cloud, submit):
    cloud.fault("submit", "hold")
    job = submit()
    cloud.fault("job", "silent")
    answers = []
    thread = threading.Thread(target=lambda: answers.append(job.status()), daemon=True)
    thread.start()
    thread.join(1)
    assert thread.is_alive()
    cloud.clear()
    thread.join(PATIENCE)
    assert answers == ["QUEUED"]


def test_a_lost_answer_to_a_cancellation_is_an_error_and_the_job_is_cancelled(cloud, submit):
    cloud.fault("submit", "hold")
    job = submit()
    cloud.fault("cancel", "drop", when="after")
    with pytest.raises(IBMRuntimeError, match="Failed to cancel"):
        job.cancel()
    assert job.status() == "CANCELLED"


@pytest.mark.parametrize("what", ["drop", "status"])
def test_one_failure_at_login_is_taken_for_a_bad_account(cloud, what):
    cloud.fault("token", what)
    with pytest.raises(InvalidAccountError):
        QiskitRuntimeService()


# --- slow ---------------------------------------------------------------------------------------


@pytest.mark.slow
@BEFORE_AND_AFTER
def test_lasting_server_errors_end_in_an_error_and_may_leave_six_jobs(cloud, submit, when, created):
    cloud.fault("submit", "status", status=503, when=when, times=7)
    with pytest.raises(IBMRuntimeError, match="too many 503"):
        submit("run")
    assert len(cloud.requests("submit")) == 6
    assert len(cloud.jobs("run")) == 6 * created


@pytest.mark.slow
@pytest.mark.parametrize("what", ["drop", "status"])
def test_lasting_failures_while_polling_are_an_error(cloud, submit, what):
    job = submit()
    cloud.fault("job", what, status=500, times=7)
    with pytest.raises(RequestsApiError, match="Max retries exceeded"):
        job.status()
    assert len(cloud.requests("job")) == 6
    cloud.clear()
    assert job.result(timeout=PATIENCE)


@pytest.mark.slow
def test_lasting_failures_of_the_list_look_like_an_unknown_backend(cloud, service):
    cloud.fault("backends", "status", status=500, times=7)
    with pytest.raises(QiskitBackendNotFoundError, match="No backend matches"):
        service.backend(BACKEND)
