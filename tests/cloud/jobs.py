"""The jobs, kept on disk so that they outlive the server.

A job is three files: ``ID.params`` (what was submitted, as JSON), ``ID.json`` (what it is and how
far it got) and, when it has run, ``ID.result``. A job exists once its ``ID.json`` does, which is
written after the parameters; it is completed once that says so, which is written after the result.
A server that starts takes all jobs over; those that were running are queued again, and their seeds
being made from their content, give what they would have given.
"""

import json
import secrets
import threading
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .disk import write_atomically

FINAL = ("Completed", "Failed", "Cancelled")


@dataclass(frozen=True)
class Job:
    """A job as it stands."""

    id: str
    number: int
    created: str
    instance: str
    program: str
    backend: str
    tags: list[str] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    """What else the submission said of the job: session, image, cost …"""
    status: str = "Queued"
    held: bool = False
    lost: bool = False
    failure: dict[str, Any] | None = None
    """Reason and code with which it is to fail instead of being run."""
    reason: str = ""
    code: int | None = None
    running: str | None = None
    finished: str | None = None


class Jobs:
    """All jobs.

    Args:
        directory: Where they are kept; made if need be.
    """

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._changed = threading.Condition()
        self._jobs: dict[str, Job] = {}
        found = [Job(**json.loads(path.read_text())) for path in directory.glob("*.json")]
        for job in sorted(found, key=lambda one: one.number):
            interrupted = job.status == "Running"
            self._jobs[job.id] = replace(job, status="Queued", running=None) if interrupted else job

    def create(self, params: str, **known: Any) -> Job:
        """Makes a job, queued.

        Args:
            params: The parameters of the program, as JSON.
            **known: Fields of the job.

        Returns:
            The job.
        """
        with self._changed:
            number = 1 + max((job.number for job in self._jobs.values()), default=0)
            job = Job(id=secrets.token_hex(10), number=number, created=now(), **known)
            write_atomically(self._path(job.id, "params"), params)
            self._keep(job)
        return job

    def get(self, job_id: str) -> Job | None:
        """Returns a job, lost ones included, or None."""
        with self._changed:
            return self._jobs.get(job_id)

    def all(self) -> list[Job]:
        """Returns all jobs, lost ones included, oldest first."""
        with self._changed:
            return sorted(self._jobs.values(), key=lambda job: job.number)

    def params(self, job_id: str) -> Any:
        """Returns the parameters of a job, still in the client's encoding."""
        return json.loads(self._path(job_id, "params").read_text())

    def result(self, job: Job) -> str:
        """Returns what is answered when the results are asked for."""
        if job.status == "Completed":
            return self._path(job.id, "result").read_text()
        return f"Traceback (stand-in):\n{job.reason}" if job.status == "Failed" else ""

    def change(self, job_id: str, unless: tuple[str, ...] = (), **changes: Any) -> Job | None:
        """Changes a job.

        Args:
            job_id: Which one.
            unless: States in which it is left as it is.
            **changes: New values of its fields.

        Returns:
            The job as it is now, or None if it was left or is not there.
        """
        with self._changed:
            job = self._jobs.get(job_id)
            if job is None or job.status in unless:
                return None
            return self._keep(replace(job, **changes))

    def delete(self, job_id: str) -> None:
        """Deletes a job and its files."""
        with self._changed:
            self._jobs.pop(job_id, None)
            for suffix in ("json", "params", "result"):
                self._path(job_id, suffix).unlink(missing_ok=True)

    def take(self, seconds: float) -> Job | None:
        """Sets the oldest job that can run to running.

        Args:
            seconds: How long to wait for one.

        Returns:
            The job, or None if there was none for so long.
        """
        with self._changed:
            waiting = self._next() or (self._changed.wait(seconds) and self._next())
            if not waiting:
                return None
            return self._keep(replace(waiting, status="Running", running=now()))

    def complete(self, job_id: str, result: str) -> None:
        """Ends a job well, unless it was cancelled or deleted meanwhile."""
        with self._changed:
            if job_id in self._jobs:
                write_atomically(self._path(job_id, "result"), result)
                self.change(job_id, unless=FINAL, status="Completed", finished=now())

    def fail(self, job_id: str, reason: str, code: int) -> None:
        """Ends a job in an error, unless it has ended already."""
        self.change(job_id, unless=FINAL, status="Failed", finished=now(), reason=reason, code=code)

    def _next(self) -> Job | None:
        jobs = self._jobs.values()
        return next((job for job in jobs if job.status == "Queued" and not job.held), None)

    def _keep(self, job: Job) -> Job:
        write_atomically(self._path(job.id, "json"), json.dumps(asdict(job)))
        self._jobs[job.id] = job
        self._changed.notify_all()
        return job

    def _path(self, job_id: str, suffix: str) -> Path:
        return self._directory / f"{job_id}.{suffix}"


def now() -> str:
    """Returns the time as the service writes it."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
