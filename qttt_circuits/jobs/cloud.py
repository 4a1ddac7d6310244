"""What is asked of IBM's service about a run, each question under a deadline of our own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from qiskit import QuantumCircuit
from qiskit.providers import BackendV2

from .. import ibm
from ..errors import ExecutionError
from ..measured import registers_of, shots_of
from ..secrets import hashed
from .record import JobRecord
from .store import Shots

TAG = "qttt-circuits"
DEADLINE = 60.0
"""How many seconds a question may take: the client itself would wait for ever."""

QUEUED, RUNNING, DONE, ERROR, CANCELLED, GONE = (
    "queued",
    "running",
    "done",
    "error",
    "cancelled",
    "gone",
)
_STATES = {
    "INITIALIZING": QUEUED,
    "QUEUED": QUEUED,
    "VALIDATING": QUEUED,
    "RUNNING": RUNNING,
    "DONE": DONE,
    "ERROR": ERROR,
    "CANCELLED": CANCELLED,
}
T = TypeVar("T")


class UnreachableError(ExecutionError):
    """The service did not answer: nothing is known of the run that was not known before."""


@dataclass(frozen=True)
class State:
    """How far a job is.

    Attributes:
        name: One of the states above.
        detail: What the service says of it, for people.
    """

    name: str
    detail: str = ""


def within(seconds: float, question: Callable[[], T]) -> T:
    """Returns the answer to a question that is given so many seconds.

    Raises:
        UnreachableError: If there is no answer by then; the question is left behind.
    """
    answers: list[T] = []
    errors: list[BaseException] = []

    def ask() -> None:
        try:
            answers.append(question())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not answers:
        raise UnreachableError(f"IBM did not answer within {seconds:g} seconds")
    return answers[0]


def crn_of(service: Any) -> str:
    """Returns the instance CRN that a service uses; never to be shown."""
    account = service.active_account() or {}
    return str(account.get("instance") or "")


def instance_hash(service: Any, salt: str) -> str:
    """Returns the salted hash of the instance that a service uses."""
    return hashed(crn_of(service), salt)


def send(record: JobRecord, circuits: Sequence[QuantumCircuit], backend: BackendV2) -> str:
    """Submits a run as one job and returns the job's id.

    Raises:
        ExecutionError: If the service says no or nothing; a job may exist all the same.
    """
    with ibm.explained():
        sampler = ibm.sampler(backend, suppress=record.suppress, seconds=record.max_seconds)
        sampler.options.environment.job_tags = [TAG, record.run_id]
        pubs = [(circuit,) for circuit in circuits]
        return str(within(2 * DEADLINE, lambda: sampler.run(pubs, shots=record.shots)).job_id())


def find(service: Any, run_id: str) -> list[Any]:
    """Returns the jobs of a run that the service knows, the oldest first.

    Raises:
        ExecutionError: If the service cannot be asked.
    """
    with ibm.explained():
        jobs = within(DEADLINE, lambda: service.jobs(job_tags=[run_id], limit=None))
        return sorted(jobs, key=lambda job: (str(job.creation_date), job.job_id()))


def fetch(service: Any, job_id: str) -> Any:
    """Returns a job by its id, or None if the service knows none.

    Raises:
        ExecutionError: If the service cannot be asked.
    """
    with ibm.explained():
        try:
            return within(DEADLINE, lambda: service.job(job_id))
        except Exception as error:
            if _not_found(error):
                return None
            raise


def state_of(job: Any) -> State:
    """Returns how far a job is.

    Raises:
        ExecutionError: If the service cannot be asked.
    """
    with ibm.explained():
        try:
            status = within(DEADLINE, job.status)
        except Exception as error:
            if _not_found(error):
                return State(GONE)
            raise
        name = _STATES.get(str(getattr(status, "name", status)).upper(), QUEUED)
        return State(name, _detail(job, name))


def _detail(job: Any, state: str) -> str:
    if state == ERROR:
        return str(within(DEADLINE, job.error_message) or "")
    if state == QUEUED:
        try:
            position = within(DEADLINE, job.metrics).get("position_in_queue")
        except Exception:  # the place in the queue is a courtesy, not every service knows it
            return ""
        return "" if position is None else f"place {position} in the queue"
    return ""


def _not_found(error: Exception) -> bool:
    if type(error).__name__ == "RuntimeJobNotFound":
        return True
    return getattr(error, "status_code", None) == 404


def cancel(job: Any) -> bool:
    """Cancels a job and returns whether the service took it.

    Raises:
        ExecutionError: If the service cannot be asked.
    """
    with ibm.explained():
        try:
            within(DEADLINE, job.cancel)
        except Exception as error:
            if type(error).__name__ == "RuntimeInvalidStateError":
                return False
            raise
        return True


def results(job: Any, circuits: Sequence[QuantumCircuit]) -> list[Shots]:
    """Returns the bits that a finished job gave, one array a circuit.

    Raises:
        ExecutionError: If the service cannot be asked, or the answer does not fit the circuits.
    """
    with ibm.explained():
        answers = within(DEADLINE, job.result)
        if len(answers) != len(circuits):
            raise ExecutionError(f"{len(answers)} results came back for {len(circuits)} circuits")
        return [
            np.asarray(shots_of(answer, registers_of(circuit)), dtype=np.uint8)
            for answer, circuit in zip(answers, circuits, strict=True)
        ]
