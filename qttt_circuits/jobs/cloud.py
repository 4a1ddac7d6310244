"""What is asked of IBM's service about a run, each question under a deadline of our own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.providers import BackendV2

from .. import ibm
from ..errors import ExecutionError
from ..measured import registers_of, shots_of
from ..secrets import hashed, scrub
from .record import JobRecord
from .store import Shots

TAG = "qttt-circuits"
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


class MisfitError(ExecutionError):
    """An answer that does not fit the run: asking again would not help."""


@dataclass(frozen=True)
class State:
    """How far a job is.

    Attributes:
        name: One of the states above.
        detail: What the service says of it, for people.
    """

    name: str
    detail: str = ""


def crn_of(service: Any) -> str:
    """Returns the instance CRN that a service uses; never to be shown.

    Raises:
        ExecutionError: If the account names none, so that no other could be told from it.
    """
    account = service.active_account() or {}
    crn = str(account.get("instance") or "")
    if not crn:
        raise ExecutionError(f"the IBM account names no instance: {ibm.HOW_TO_SAVE}")
    return crn


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
        return str(
            ibm.within(2 * ibm.DEADLINE, lambda: sampler.run(pubs, shots=record.shots)).job_id()
        )


def find(service: Any, run_id: str) -> list[Any]:
    """Returns the jobs of a run that the service knows, the oldest first.

    Raises:
        ExecutionError: If the service cannot be asked.
    """
    with ibm.explained():
        jobs = ibm.within(ibm.DEADLINE, lambda: service.jobs(job_tags=[run_id], limit=None))
        return sorted(jobs, key=lambda job: (str(job.creation_date), job.job_id()))


def fetch(service: Any, job_id: str) -> Any:
    """Returns a job by its id, or None if the service knows none.

    Raises:
        ExecutionError: If the service cannot be asked.
    """
    with ibm.explained():
        try:
            return ibm.within(ibm.DEADLINE, lambda: service.job(job_id))
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
            status = ibm.within(ibm.DEADLINE, job.status)
        except Exception as error:
            if _not_found(error):
                return State(GONE)
            raise
        name = _STATES.get(str(getattr(status, "name", status)).upper(), QUEUED)
        return State(name, _detail(job, name))


def _detail(job: Any, state: str) -> str:
    if state == ERROR:
        message = str(ibm.within(ibm.DEADLINE, job.error_message) or "")
        return scrub(" ".join(message.split()))
    if state == QUEUED:
        try:
            position = ibm.within(ibm.DEADLINE, job.metrics).get("position_in_queue")
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
            ibm.within(ibm.DEADLINE, job.cancel)
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
        answers = ibm.within(ibm.DEADLINE, job.result)
        if len(answers) != len(circuits):
            raise MisfitError(f"{len(answers)} results came back for {len(circuits)} circuits")
    try:
        return [
            np.asarray(shots_of(answer, registers_of(circuit)), dtype=np.uint8)
            for answer, circuit in zip(answers, circuits, strict=True)
        ]
    except ExecutionError as error:
        raise MisfitError(str(error)) from error
