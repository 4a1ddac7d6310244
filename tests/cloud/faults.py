"""What can be made to go wrong, where, and how many times.

A fault is a JSON object with these fields:

* ``where``: the route, as named in ``api.ROUTES`` (``submit``, ``job``, ``jobs``, ``results``,
  ``cancel``, ``token``, ``backends`` …), or ``*`` for any.
* ``what``:

  * ``drop``: the connection is closed without an answer, as the cloud would. With
    ``behind_proxy`` the client sees what it sees when a proxy does that, and repeats even a POST.
  * ``status``: the answer has this ``status`` (503 if not given), with a ``Retry-After`` of
    ``retry_after`` seconds if given.
  * ``silent``: the connection stays open and nothing is ever answered; it ends when the client
    gives up, when the faults are cleared, or after ``seconds`` (300).
  * ``hold``, ``fail``, ``lose``: only at ``submit``. The job is created and answered for as usual;
    it then stays queued until released, ends in an error with ``reason`` and ``code``, or is not
    found any more.

* ``when`` (of the first three): ``before`` or ``after`` the request has had its effect. A
  submission dropped ``after`` has created a job that the client knows nothing of.
* ``times``: how many requests it meets; 1 if not given.

Of the faults that fit a request, the one that was set first is used up first.
"""

import json
import threading
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from .disk import write_atomically

ANSWERS = ("drop", "status", "silent")
FATES = ("hold", "fail", "lose")


@dataclass
class Fault:
    """One kind of failure, at one route, a number of times."""

    where: str
    what: str
    when: str = "before"
    times: int = 1
    status: int = 503
    retry_after: int | None = None
    seconds: float = 300.0
    behind_proxy: bool = False
    reason: str = "The stand-in was told to fail this job."
    code: int = 9999

    def __post_init__(self) -> None:
        if self.what not in ANSWERS + FATES:
            raise ValueError(f"what must be one of {ANSWERS + FATES}, not {self.what!r}")
        if self.what in FATES and self.where != "submit":
            raise ValueError(f"{self.what} is a fate of jobs: where must be 'submit'")
        if self.when not in ("before", "after"):
            raise ValueError(f"when must be 'before' or 'after', not {self.when!r}")
        if self.times < 1 or not 400 <= self.status <= 599:
            raise ValueError("times must be positive, and status that of an error")

    @property
    def phase(self) -> str:
        """When it is looked for: ``before``, ``after``, or ``fate``."""
        return "fate" if self.what in FATES else self.when

    def __str__(self) -> str:
        detail = f" {self.status}" if self.what == "status" else ""
        return f"{self.what}{detail}" + ("" if self.what in FATES else f" {self.when}")


class Faults:
    """The faults that are still to happen, kept in a file.

    Args:
        path: The file; what it holds is taken over.
        routes: The names that ``where`` may have.
    """

    def __init__(self, path: Path, routes: tuple[str, ...]) -> None:
        self._path = path
        self._routes = (*routes, "*")
        self._lock = threading.Lock()
        self.cleared = threading.Event()
        """Set when the faults are cleared, and replaced then: silences wait on it."""
        kept = json.loads(path.read_text()) if path.exists() else []
        self._faults = [Fault(**fault) for fault in kept]

    def add(self, given: list[dict[str, Any]]) -> None:
        """Adds faults.

        Args:
            given: Their fields.

        Raises:
            ValueError: A field is unknown or has an impossible value.
        """
        known = {field.name for field in fields(Fault)}
        new = []
        for fault in given:
            if unknown := set(fault) - known:
                raise ValueError(f"a fault has no {sorted(unknown)}")
            if fault.get("where") not in self._routes or "what" not in fault:
                raise ValueError(f"where must be one of {self._routes}, and what be given")
            new.append(Fault(**fault))
        with self._lock:
            self._faults += new
            self._save()

    def clear(self) -> None:
        """Forgets all faults and ends all silences."""
        with self._lock:
            self._faults = []
            self._save()
            ended, self.cleared = self.cleared, threading.Event()
        ended.set()

    def take(self, route: str, phase: str) -> Fault | None:
        """Uses a fault up once.

        Args:
            route: The route of the request.
            phase: ``before``, ``after`` or ``fate``.

        Returns:
            The first fault that fits, or None.
        """
        with self._lock:
            for fault in self._faults:
                if fault.where in (route, "*") and fault.phase == phase:
                    fault.times -= 1
                    self._faults = [one for one in self._faults if one.times]
                    self._save()
                    return fault
        return None

    def remaining(self) -> list[dict[str, Any]]:
        """Returns the fields of the faults that are still to happen."""
        with self._lock:
            return [asdict(fault) for fault in self._faults]

    def _save(self) -> None:
        write_atomically(self._path, json.dumps([asdict(fault) for fault in self._faults]))
