"""The stand-in for the IBM Quantum cloud, driven by the real client library, without failures."""

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import numpy as np
import pytest
from cloud.client_env import INSTANCE, OTHER_INSTANCE, TOKEN
from cloud.control import TESTS, StandIn
from cloud.jobs import Jobs
from qiskit import ClassicalRegister, QuantumCircuit
from qiskit.circuit import Parameter
from qiskit.providers.exceptions import QiskitBackendNotFoundError

pytest.importorskip("qiskit_ibm_runtime")

from qiskit_ibm_runtime import QiskitRuntimeService, SamplerV2
from qiskit_ibm_runtime.accounts.exceptions import InvalidAccountError
from qiskit_ibm_runtime.api.exceptions import RequestsApiError
from qiskit_ibm_runtime.exceptions import (
    IBMInputValueError,
    RuntimeInvalidStateError,
    RuntimeJobNotFound,
)
from qiskit_ibm_runtime.executor_sampler import Sampler

pytest_plugins = ("cloud.fixtures",)
pytestmark = pytest.mark.filterwarnings(
    "ignore:The SamplerV2 class is deprecated:DeprecationWarning"
)

BACKEND = "ibm_torino"
SHOTS = 200
PATIENCE = 60
SAMPLERS = pytest.mark.parametrize("sampler", [Sampler, SamplerV2], ids=["executor", "sampler"])

FETCH = """
import json, sys
from qiskit_ibm_runtime import QiskitRuntimeService
jobs = QiskitRuntimeService().jobs(job_tags=[sys.argv[1]], limit=None)
found = {job.job_id(): job.result(timeout=60)[0].data.pair.get_counts() for job in jobs}
print(json.dumps({job.job_id(): [job.status(), found[job.job_id()]] for job in jobs}))
"""


def counts(result, register, pub=0):
    return result[pub].data[register].get_counts()


# --- without faults -----------------------------------------------------------------------------


def test_an_account_logs_in_and_sees_its_instances_and_backends(cloud, service):
    assert service.active_instance() == INSTANCE
    assert [(one["crn"], one["plan"]) for one in service.instances()] == [
        (INSTANCE, "open"),
        (OTHER_INSTANCE, "open"),
    ]
    assert [backend.name for backend in service.backends()] == [BACKEND]
    assert service.least_busy(min_num_qubits=100).name == BACKEND
    usage = service.usage()
    assert usage["usage_remaining_seconds"] == usage["usage_limit_seconds"]


def test_a_backend_is_the_snapshot_of_a_device(backend):
    assert backend.num_qubits == 133
    assert "cz" in backend.target.operation_names
    assert backend.properties().backend_name == BACKEND
    assert backend.status().operational
    assert backend.status().status_msg == "active"


def test_a_wrong_key_and_a_foreign_instance_are_refused(cloud, monkeypatch):
    cloud.point(monkeypatch, token="another-key")
    with pytest.raises(InvalidAccountError, match="valid API token"):
        QiskitRuntimeService()
    cloud.point(monkeypatch, instance=INSTANCE.replace("1111", "3333"))
    with pytest.raises(IBMInputValueError, match="does not have access"):
        QiskitRuntimeService()


@SAMPLERS
def test_a_job_gives_its_bits_in_their_registers(submit, sampler):
    job = submit("a-tag", sampler=sampler)
    result = job.result(timeout=PATIENCE)
    assert list(result[0].data) == ["pair", "single"]
    assert counts(result, "pair") == {"01": SHOTS}
    assert set(counts(result, "single")) == {"0", "1"}
    assert result[0].data.single.num_shots == SHOTS
    assert job.status() == "DONE"
    assert job.tags == ["a-tag"]
    assert job.backend().name == BACKEND
    assert job.metrics()["usage"]["status"] == "complete"
    assert job.usage() > 0
    assert set(job.inputs) >= {"options"}


@SAMPLERS
def test_equal_jobs_give_equal_bits_but_equal_pubs_do_not(submit, circuit, sampler):
    first, second = (submit(sampler=sampler, pubs=[circuit] * 2) for _ in range(2))
    first, second = first.result(timeout=PATIENCE), second.result(timeout=PATIENCE)
    for pub in (0, 1):
        assert np.array_equal(first[pub].data.single.array, second[pub].data.single.array)
    assert not np.array_equal(first[0].data.single.array, first[1].data.single.array)


@SAMPLERS
def test_parameters_keep_their_places(submit, circuit, sampler):
    first, second = Parameter("a"), Parameter("b")
    swept = QuantumCircuit(*circuit.qregs, ClassicalRegister(2, "pair"))
    for qubit, angle in enumerate((second, first)):
        swept.sx(qubit)
        swept.rz(angle, qubit)
        swept.sx(qubit)
        swept.measure(qubit, qubit)
    # the circuit sorts its parameters: the first of a pair is that of qubit 1
    pub = (swept, [[0, np.pi], [np.pi, 0]])
    data = submit(sampler=sampler, pubs=[pub]).result(timeout=PATIENCE)[0].data
    assert data.pair.shape == (2,)
    assert [data.pair.get_counts(place) for place in (0, 1)] == [{"10": SHOTS}, {"01": SHOTS}]


def test_twirling_and_decoupling_arrive_in_the_circuits(cloud, backend, circuit):
    sampler = Sampler(mode=backend)
    sampler.options.twirling.enable_gates = sampler.options.twirling.enable_measure = True
    sampler.options.dynamical_decoupling.enable = True
    result = sampler.run([circuit], shots=1000).result(timeout=PATIENCE)
    assert counts(result, "pair") == {"01": 1024}


def test_another_process_fetches_jobs_by_tag_after_a_crash(cloud, submit):
    done = submit("run-1")
    expected = counts(done.result(timeout=PATIENCE), "pair")
    cloud.fault("submit", "hold")
    waiting = submit("run-1", sampler=SamplerV2)
    submit("run-2")
    cloud.fault("jobs", "drop")
    cloud.kill()
    cloud.start()
    assert waiting.status() == "QUEUED"
    cloud.do(waiting.job_id(), "release")
    found = subprocess.run(
        [sys.executable, "-c", FETCH, "run-1"],
        env=cloud.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert json.loads(found.stdout) == {
        waiting.job_id(): ["DONE", expected],
        done.job_id(): ["DONE", expected],
    }
    assert cloud.faults() == []


def test_a_search_needs_all_tags_and_turns_all_pages(cloud, service, submit):
    cloud.fault("submit", "hold", times=30)
    jobs = [submit("all", f"number-{n % 2}").job_id() for n in range(23)]

    def found(*tags, **more):
        return [job.job_id() for job in service.jobs(job_tags=list(tags), **more)]

    assert found("all", limit=None) == jobs[::-1]
    assert found("all", limit=None, descending=False) == jobs
    assert found("all", "number-1", limit=None) == jobs[1::2][::-1]
    assert found("all", limit=2, skip=1) == jobs[-3:-1][::-1]
    assert found("none", limit=None) == []
    assert found("all", limit=None, pending=False) == []
    assert service.backend(BACKEND).status().pending_jobs == 23


def test_a_job_is_cancelled_once(cloud, service, submit):
    cloud.fault("submit", "hold")
    job = submit()
    job.cancel()
    fetched = service.job(job.job_id())
    assert fetched.status() == "CANCELLED"
    with pytest.raises(RuntimeInvalidStateError, match="was cancelled"):
        fetched.result()
    with pytest.raises(RuntimeInvalidStateError, match="cannot be cancelled"):
        job.cancel()


def test_a_job_changes_its_tags_and_is_deleted(service, submit):
    job = submit("old")
    assert job.update_tags(["new"]) == ["new"]
    service.delete_job(job.job_id())
    with pytest.raises(RuntimeJobNotFound):
        service.job(job.job_id())


def test_another_instance_does_not_see_the_job(cloud, submit, monkeypatch):
    job = submit("mine")
    cloud.point(monkeypatch, instance=OTHER_INSTANCE)
    other = QiskitRuntimeService()
    assert other.jobs(job_tags=["mine"], limit=None) == []
    with pytest.raises(RuntimeJobNotFound):
        other.job(job.job_id())


# --- the stand-in itself ------------------------------------------------------------------------


def test_nothing_secret_is_recorded(cloud, submit):
    submit("run")
    text = (cloud.directory / "requests.jsonl").read_text()
    assert '"route": "submit"' in text
    assert TOKEN not in text
    assert INSTANCE not in text


def test_no_request_leads_elsewhere(cloud):
    with pytest.raises(urllib.error.HTTPError, match="421"):
        urllib.request.urlopen("http://quantum.cloud.ibm.com/api/v1/jobs", timeout=PATIENCE)
    with pytest.raises(OSError, match="403"):
        urllib.request.urlopen("https://quantum.cloud.ibm.com/api/v1/jobs", timeout=PATIENCE)
    assert len(cloud.requests("foreign")) == 2


@pytest.mark.parametrize(
    "fault",
    [
        {"where": "nowhere", "what": "drop"},
        {"where": "job", "what": "explode"},
        {"where": "job", "what": "hold"},
        {"where": "job", "what": "status", "status": 200},
        {"where": "job", "what": "drop", "times": 0},
        {"where": "job", "what": "drop", "colour": "red"},
    ],
    ids=str,
)
def test_a_fault_that_makes_no_sense_is_refused(cloud, fault):
    with pytest.raises(ValueError, match="error"):
        cloud.fault(**fault)
    assert cloud.faults() == []


def test_a_job_that_was_running_at_a_crash_runs_again(tmp_path):
    jobs = Jobs(tmp_path)
    made = jobs.create("{}", instance=INSTANCE, program="sampler", backend=BACKEND)
    assert jobs.take(0) is not None
    assert jobs.take(0) is None
    again = Jobs(tmp_path).take(0)
    assert (again.id, again.status) == (made.id, "Running")


def test_it_ends_with_the_process_that_started_it(tmp_path):
    script = (
        "import os, sys; from pathlib import Path; from cloud.control import StandIn\n"
        "cloud = StandIn(Path(sys.argv[1])); cloud.start()\n"
        "print(cloud.port, flush=True); os.kill(os.getpid(), 9)"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    ended = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == -signal.SIGKILL

    def connect_for_a_while():
        for _ in range(300):
            socket.create_connection(("127.0.0.1", int(ended.stdout)), timeout=PATIENCE).close()
            time.sleep(0.1)

    with pytest.raises(ConnectionRefusedError):
        connect_for_a_while()


@pytest.mark.slow
def test_a_dead_server_is_an_error_and_its_jobs_come_back_with_it(cloud, service, submit):
    job = submit("run")
    expected = counts(job.result(timeout=PATIENCE), "single")
    cloud.kill()
    try:
        with pytest.raises(RequestsApiError, match="Max retries exceeded"):
            service.jobs(job_tags=["run"], limit=None)
        with pytest.raises(QiskitBackendNotFoundError):
            submit("run")
        with pytest.raises(InvalidAccountError):
            QiskitRuntimeService()
    finally:
        cloud.start()
    [again] = service.jobs(job_tags=["run"], limit=None)
    assert counts(again.result(timeout=PATIENCE), "single") == expected


@pytest.mark.slow
def test_the_noise_and_the_other_backend_are_there_when_asked_for(tmp_path, monkeypatch, circuit):
    options = ("--noise", "--backend", "ibm_fez", "--backend", BACKEND)
    with StandIn(tmp_path, *options) as cloud:
        cloud.point(monkeypatch)
        service = QiskitRuntimeService()
        assert {one.name for one in service.backends()} == {"ibm_fez", BACKEND}
        job = Sampler(mode=service.backend(BACKEND)).run([circuit], shots=4000)
        found = counts(job.result(timeout=PATIENCE), "pair")
    assert 3000 < found["01"] < 4000
