"""The stand-in as tests hold it: a subprocess that can be killed and started again."""

import http.client
import json
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from . import client_env

if TYPE_CHECKING:
    import pytest

TESTS = Path(__file__).parent.parent
TIMEOUT = 30.0
STEP = 0.05


class StandIn:
    """A stand-in, not yet started.

    Args:
        directory: Where it keeps everything; a stand-in started on the directory of an earlier one
            has its jobs and its faults.
        *options: More options of ``python -m cloud``.
    """

    def __init__(self, directory: Path, *options: str) -> None:
        self.directory = directory
        self.port = 0
        self._options = options
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def start(self) -> None:
        """Starts the server: at first on a free port, later on the same one."""
        self.directory.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "cloud", "--directory", str(self.directory.resolve())]
        command += ["--port", str(self.port), "--with-parent", *self._options]
        if self.port:
            command.append("--lazy")
        with (self.directory / "errors.txt").open("a") as errors:
            self._process = subprocess.Popen(
                command, cwd=TESTS, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError((self.directory / "errors.txt").read_text())
        self.port = int(line)

    def kill(self) -> None:
        """Kills the server without warning; does nothing if it does not run."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(TIMEOUT)
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    @property
    def environment(self) -> dict[str, str]:
        """The environment for subprocesses."""
        return client_env.environment(self.port)

    def point(self, monkeypatch: "pytest.MonkeyPatch", **account: str) -> None:
        """Changes the environment of this process.

        Args:
            monkeypatch: Undoes it.
            **account: ``token`` or ``instance``, if not the usual ones.
        """
        client_env.point(monkeypatch, self.port, **account)

    def fault(self, where: str, what: str, **more: Any) -> None:
        """Sets a fault; see ``faults`` for the fields."""
        self._ask("POST", "faults", {"where": where, "what": what, **more})

    def faults(self) -> list[dict[str, Any]]:
        """Returns the faults that are still to happen."""
        found: list[dict[str, Any]] = self._ask("GET", "faults")
        return found

    def clear(self) -> None:
        """Forgets all faults and ends all silences."""
        self._ask("DELETE", "faults")

    def jobs(self, tag: str | None = None) -> list[dict[str, Any]]:
        """Returns the jobs that were really created, lost ones too, oldest first.

        Args:
            tag: Only those with this tag.
        """
        found: list[dict[str, Any]] = self._ask("GET", "jobs")
        return [job for job in found if tag is None or tag in job["tags"]]

    def reset(self) -> None:
        """Forgets all faults, jobs and requests."""
        for path in ("faults", "jobs", "requests"):
            self._ask("DELETE", path)

    def do(self, job_id: str, action: str, **more: Any) -> None:
        """Changes the fate of a job that is there.

        Args:
            job_id: Which one.
            action: ``hold``, ``release``, ``lose``, ``find`` or ``fail``.
            **more: ``reason`` and ``code`` of a failure.
        """
        self._ask("POST", f"jobs/{job_id}", {"do": action, **more})

    def requests(self, route: str | None = None) -> list[dict[str, Any]]:
        """Returns the requests so far, oldest first, also when the server does not run.

        Args:
            route: Only those of this route.
        """
        path = self.directory / "requests.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        entries = [json.loads(line) for line in lines]
        return [entry for entry in entries if route in (None, entry["route"])]

    def wait_for(self, route: str, number: int, seconds: float = TIMEOUT) -> None:
        """Waits until there were so many requests of a route.

        Args:
            route: The route.
            number: How many, since the last reset.
            seconds: How long to wait.

        Raises:
            TimeoutError: There were fewer.
        """
        deadline = time.monotonic() + seconds
        while len(self.requests(route)) < number:
            if time.monotonic() > deadline:
                raise TimeoutError(f"fewer than {number} requests of {route}")
            time.sleep(STEP)

    def _ask(self, method: str, path: str, value: Any = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            connection.request(method, f"/_admin/{path}", json.dumps(value))
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        if response.status >= 400:
            raise ValueError(text)
        return json.loads(text) if text else None
