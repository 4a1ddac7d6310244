"""`Job`: one run, from submitting to its result, whatever happens in between.

The record is written before anything is submitted, and the id of the job after. An error from
submitting means *unknown*: the service may have made the job all the same, or two of them. `resume`
asks for the run by its tag and settles it, so that no run is lost and none is counted twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from qiskit.providers import BackendV2

from .. import ibm
from ..errors import ExecutionError, RecordError
from ..measured import measured_bits
from ..mitigation import Mitigated, assignments, mitigate
from ..result import Result
from ..secrets import scrub
from . import cloud, local
from .record import CANCELLED, DONE, FAILED, PREPARED, SUBMITTED, JobRecord
from .store import Shots, Store, as_store

Progress = Callable[[str], None]
FIRST_POLL, SLOWEST_POLL = 5.0, 60.0
MOST_FAILURES = 12
"""How many questions in a row may fail, with growing pauses, before waiting is given up."""


@dataclass
class Job:
    """A run and its record, which follows what happens to it.

    Attributes:
        record: The record as it is in the store.
        store: The store.
    """

    record: JobRecord
    store: Store

    @classmethod
    def load(cls, name: str, store: Store | str | Path | None = None) -> Job:
        """Returns a run by its id or the beginning of it.

        Raises:
            StoreError: If there is none.
            RecordError: If its record cannot be read.
        """
        found = as_store(store)
        return cls(found.load(name), found)

    @property
    def run_id(self) -> str:
        """Our own name of the run."""
        return self.record.run_id

    @property
    def status(self) -> str:
        """How far the run is, as last recorded."""
        return self.record.status

    def _note(self, **changes: Any) -> None:
        self.record = self.store.save(replace(self.record, **changes))

    def send(self, backend: BackendV2) -> None:
        """Submits the run to a device and notes the job's id.

        Raises:
            ExecutionError: If that failed; a job may exist all the same.
        """
        try:
            job_id = cloud.send(self.record, self.record.load_circuits(), backend)
        except ExecutionError as error:
            self._note(error=scrub(str(error)))
            raise ExecutionError(
                f"submitting run {self.run_id} failed, and a job may exist all the same: "
                f"'qttt jobs resume {self.run_id}' finds out ({scrub(str(error))})"
            ) from None
        self._note(status=SUBMITTED, job_id=job_id, error=None)

    def run_local(self) -> None:
        """Simulates the run here and notes what it gave.

        Raises:
            QtttError: If the backend is not there any more, or fails.
        """
        shots = local.run(self.record)
        self.store.save_shots(self.run_id, shots)
        self._note(status=DONE, error=None)

    def _has_bits(self) -> bool:
        """Whether there are bits; damaged ones are an error, and stay as they are."""
        return self.store.load_shots(self.run_id) is not None

    def _shots(self) -> list[Shots]:
        """Returns the bits of the run.

        Raises:
            ExecutionError: If they are gone.
            RecordError: If they do not fit the record.
        """
        shots = self.store.load_shots(self.run_id)
        again = f"'qttt jobs resume {self.run_id}' gets them again"
        if shots is None:
            raise ExecutionError(f"run {self.run_id} is done but its bits are gone: {again}")
        calibrated = len(self.record.calibrated)
        widths = [sum(self.record.registers.values()), *([calibrated] * 2 if calibrated else [])]
        if [array.shape[1] for array in shots] != widths or not all(map(len, shots)):
            raise RecordError(
                f"run {self.run_id}: its bits do not fit its record; with their file gone, {again}"
            )
        return shots

    def _service(self) -> Any:
        service = ibm.service()
        if cloud.instance_hash(service, self.record.salt) != self.record.instance:
            raise ExecutionError(
                f"run {self.run_id} was submitted with another instance than the account's: "
                "use the account that it was submitted with"
            )
        return service

    def resume(self, *, resubmit: bool = False) -> list[str]:
        """Settles where a run stands and returns what was found, in words.

        A run of which no job id is known is looked for by its tag: one job is adopted, of several
        the oldest is kept and the others are cancelled.

        Args:
            resubmit: Whether to submit again a run of which the service knows no job.

        Raises:
            ExecutionError: If the service cannot be asked, or knows no job.
        """
        if self.status in (FAILED, CANCELLED):
            return [f"run {self.run_id} is {self.status}"]
        if self.status == DONE and self._has_bits():
            return [f"run {self.run_id} is done"]
        if self.record.local:
            self.run_local()
            return [f"run {self.run_id} was run again with its seed"]
        service = self._service()
        jobs = cloud.find(service, self.run_id)
        if not jobs and self.record.job_id is None:
            return self._lost(service, resubmit)
        said = self._adopt(jobs)
        return [*said, self._update(service)]

    def _lost(self, service: Any, resubmit: bool) -> list[str]:
        if not resubmit:
            raise ExecutionError(
                f"the service knows no job of run {self.run_id}: it was not submitted, and "
                f"'qttt jobs resume {self.run_id} --resubmit' submits it"
            )
        self.send(ibm.device_of(service, self.record.backend))
        return [f"run {self.run_id} was submitted again as job {self.record.job_id}"]

    def _adopt(self, jobs: list[Any]) -> list[str]:
        """Takes one job of several and cancels the others, which are not counted."""
        said = []
        known = self.record.job_id
        ids = [job.job_id() for job in jobs]
        if known is None:
            known = ids[0]
            self._note(status=SUBMITTED, job_id=known, error=None)
            said.append(f"run {self.run_id} is job {known}")
        for job in jobs:
            other = job.job_id()
            if other == known or other in self.record.job_ids_cancelled:
                continue
            took = cloud.cancel(job)
            self._note(job_ids_cancelled=(*self.record.job_ids_cancelled, other))
            what = "cancelled" if took else "left as it had ended"
            said.append(f"job {other} is a duplicate and was {what}; it does not count")
        return said

    def _update(self, service: Any) -> str:
        """Asks for the job's state, fetches what it gave, and notes both."""
        job = cloud.fetch(service, str(self.record.job_id))
        state = cloud.State(cloud.GONE) if job is None else cloud.state_of(job)
        if state.name == cloud.DONE:
            self.store.save_shots(self.run_id, cloud.results(job, self.record.load_circuits()))
            self._note(status=DONE, error=None)
        elif state.name == cloud.ERROR:
            self._note(status=FAILED, error=scrub(state.detail) or "the job failed")
        elif state.name == cloud.CANCELLED:
            self._note(status=CANCELLED)
        elif state.name == cloud.GONE:
            error = f"the service knows no job {self.record.job_id} any more"
            self._note(status=FAILED, error=error)
        return f"{state.name}, {state.detail}" if state.detail else state.name

    def wait(
        self,
        *,
        timeout: float | None = None,
        progress: Progress = lambda state: None,
        poll: float = FIRST_POLL,
    ) -> None:
        """Waits until a run has ended, however it does.

        Args:
            timeout: The most seconds to wait.
            progress: Is told the state whenever it is asked for.
            poll: Seconds until the second question; the pauses grow to a minute.

        Raises:
            ExecutionError: If it has not ended in time, or the service cannot be used at all.
        """
        end = None if timeout is None else time.monotonic() + timeout
        if self.status == PREPARED or (self.status == DONE and not self._has_bits()):
            for line in self.resume():
                progress(line)
        if self.status != SUBMITTED:
            return
        service = self._service()
        self._adopt(cloud.find(service, self.run_id))
        failures = 0
        while True:
            try:
                progress(self._update(service))
                failures = 0
            except cloud.MisfitError:
                raise
            except ExecutionError as error:
                # a dropped connection is not a failed job
                failures += 1
                if failures == MOST_FAILURES:
                    raise ExecutionError(
                        f"{failures} questions in a row about run {self.run_id} failed; it is as "
                        f"it was and can be waited for again ({scrub(str(error))})"
                    ) from error
                progress(f"no answer ({error})")
            if self.status != SUBMITTED:
                return
            if end is not None and time.monotonic() + poll > end:
                raise ExecutionError(f"run {self.run_id} has not ended within {timeout:g} seconds")
            time.sleep(poll)
            poll = min(2 * poll, SLOWEST_POLL)

    def cancel(self) -> None:
        """Cancels a run.

        Raises:
            ExecutionError: If it has ended already, or the service cannot be asked.
        """
        if self.status in (DONE, FAILED, CANCELLED):
            raise ExecutionError(f"run {self.run_id} has ended: it is {self.status}")
        if not self.record.local:
            service = self._service()
            jobs = cloud.find(service, self.run_id)
            if self.record.job_id not in (None, *(job.job_id() for job in jobs)):
                known = cloud.fetch(service, str(self.record.job_id))
                jobs += [] if known is None else [known]
            taken = [cloud.cancel(job) for job in jobs]
            if not all(taken):
                self._adopt(jobs)
                self._update(service)
                if self.status in (DONE, FAILED):
                    raise ExecutionError(f"run {self.run_id} has ended: it is {self.status}")
        self._note(status=CANCELLED)

    def result(self) -> Result:
        """Returns what the run showed, its bits decoded and post-selected anew.

        Raises:
            ExecutionError: If the run has not ended, or has failed.
        """
        return self._read()[0]

    @property
    def observed(self) -> bool:
        """Whether the outcome has become a move of a game."""
        return self.store.claimed(self.run_id)

    def claim(self) -> None:
        """Takes the outcome for a game, which can be done only once.

        Raises:
            OptionError: If it has been taken.
            StoreError: If that cannot be written down.
            RecordError: If the record has been damaged.
        """
        self.store.load(self.run_id)  # nothing is taken from a run that cannot be read again
        self.store.claim(self.run_id)

    def mitigated(self) -> Mitigated | None:
        """Returns the mitigated distribution, or None if the readout was not calibrated.

        Raises:
            ExecutionError: If the run has not ended, or has failed.
        """
        return self._read()[1]

    def _read(self) -> tuple[Result, Mitigated | None]:
        if self.status != DONE:
            reason = f": {self.record.error}" if self.record.error else ""
            going_on = self.status not in (FAILED, CANCELLED)
            hint = f"; see 'qttt jobs wait {self.run_id}'" if going_on else ""
            raise ExecutionError(
                f"run {self.run_id} has no result, it is {self.status}{reason}{hint}"
            )
        shots = self._shots()
        experiment = self.record.load_experiment()
        bits = measured_bits(np.asarray(shots[0]), self.record.registers)
        found = experiment.decode(np.asarray(shots[0]))
        parts = len(experiment.parts) if local.in_parts(self.record) else 1
        result = replace(
            found, backend=self.record.backend, seed=self.record.seed, parts=max(1, parts)
        )
        if not self.record.calibrated:
            return result, None
        width = {"c": len(self.record.calibrated)}
        matrices = assignments(*(measured_bits(np.asarray(s), width) for s in shots[1:]))
        known = dict(zip(self.record.calibrated, matrices, strict=True))
        return result, mitigate(experiment, bits, self.record.qubits, known)
