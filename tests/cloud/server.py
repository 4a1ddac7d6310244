"""HTTP: the proxy that the client speaks to, its faults, its log, and the admin endpoints.

Under ``/_admin/`` on the same port, all in JSON:

* ``GET health``: the process id.
* ``GET faults``, ``POST faults`` (one or a list of them, see ``faults``), ``DELETE faults``.
* ``GET jobs``: all jobs, lost ones too. ``DELETE jobs``: forgets them all.
* ``DELETE requests``: forgets the log.
* ``POST jobs/ID`` with ``{"do": "hold" | "release" | "lose" | "find" | "fail"}``, for ``fail`` with
  ``reason`` and ``code``. ``hold`` and ``fail`` leave a job alone that has ended.
"""

import json
import os
import select
import socket
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .api import ROUTES, Answer, Api, Request, find_route, refuse, say
from .faults import Fault, Faults
from .jobs import FINAL, Jobs

DOMAIN = "cloud.test"
STEP = 0.05


class Log:
    """The requests so far, one JSON object a line.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()

    def add(self, **entry: Any) -> None:
        """Adds a request."""
        line = json.dumps({"time": time.time(), **entry}) + "\n"
        with self._lock, self._path.open("a") as file:
            file.write(line)

    def clear(self) -> None:
        """Forgets all requests."""
        with self._lock:
            self._path.write_text("")


class Server(ThreadingHTTPServer):
    """The stand-in.

    Args:
        port: Where to listen; 0 for a free one.
        directory: Where everything is kept.
        backends: The names of the backends.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int, directory: Path, backends: tuple[str, ...]) -> None:
        self.jobs = Jobs(directory / "jobs")
        self.faults = Faults(directory / "faults.json", tuple(ROUTES))
        self.log = Log(directory / "requests.jsonl")
        self.api = Api(self.jobs, self.faults, backends)
        super().__init__(("127.0.0.1", port), Handler)

    def server_bind(self) -> None:
        """Binds without asking a name server for the name of the host."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = "localhost", int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Passes over clients that have gone away."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    timeout = 600
    server: Server

    def do_GET(self) -> None:
        """Answers any method."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urlsplit(self.path)
        if parts.path.startswith("/_admin/"):
            self._send(self._admin(parts.path.removeprefix("/_admin/"), body))
            return
        host = parts.hostname or ""
        if host != DOMAIN and not host.endswith(f".{DOMAIN}"):
            self.server.log.add(method=self.command, host=host, path=parts.path, route="foreign")
            self._send(refuse(421, 1, "The stand-in leads nowhere else."))
            return
        self._meet(host, parts.path, parts.query, body)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815

    def do_CONNECT(self) -> None:
        """Refuses to lead to a real host."""
        host = self.path.partition(":")[0]
        self.server.log.add(method=self.command, host=host, path="", route="foreign")
        self._send(refuse(403, 1, "The stand-in leads nowhere else."))

    def log_message(self, format: str, *args: Any) -> None:
        """Prints nothing."""

    def _meet(self, host: str, path: str, query: str, body: bytes) -> None:
        route, argument = find_route(self.command, host, path)
        faults = self.server.faults
        cleared = faults.cleared
        fault = faults.take(route, "before")
        answer = Answer(500)
        if fault is None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Request(route, argument, parse_qs(query), headers, body)
            try:
                answer = self.server.api.answer(asked)
            except Exception as error:
                answer = refuse(400, 2, f"The stand-in does not understand this: {error!r}")
            fault = faults.take(route, "after")
        if fault is not None and fault.what == "status":
            answer = refuse(fault.status, 3, "The stand-in was told to.", fault.retry_after)
        self.server.log.add(
            method=self.command,
            host=host,
            path=path,
            query=query,
            route=route,
            status=answer.status if fault is None or fault.what == "status" else None,
            fault=fault and str(fault),
        )
        if fault is None or fault.what == "status":
            self._send(answer)
        else:
            if fault.what == "silent":
                self._wait(fault, cleared)
            self._drop(bare=fault.behind_proxy)

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        if answer.retry_after is not None:
            self.send_header("Retry-After", str(answer.retry_after))
        if answer.status != 204:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def _wait(self, fault: Fault, cleared: threading.Event) -> None:
        deadline = time.monotonic() + fault.seconds
        while time.monotonic() < deadline and not cleared.wait(STEP):
            ready = select.select([self.connection], [], [], 0)[0]
            if ready and not self.connection.recv(1, socket.MSG_PEEK):
                return

    def _drop(self, bare: bool) -> None:
        """Closes the connection.

        A client takes a connection that a proxy closes without a byte for a proxy that it could
        not reach, and sends even a POST again. An empty line makes it see what it sees when the
        cloud itself closes the connection.
        """
        self.close_connection = True
        with suppress(OSError):
            if not bare:
                self.connection.sendall(b"\r\n")
            self.connection.shutdown(socket.SHUT_RDWR)

    def _admin(self, path: str, body: bytes) -> Answer:
        given = json.loads(body or b"null")
        match self.command, path.split("/"):
            case "GET", ["health"]:
                return say({"pid": os.getpid()})
            case "GET", ["faults"]:
                return say(self.server.faults.remaining())
            case "DELETE", ["faults"]:
                self.server.faults.clear()
                return Answer(204)
            case "POST", ["faults"]:
                try:
                    self.server.faults.add(given if isinstance(given, list) else [given])
                except (ValueError, TypeError) as error:
                    return say({"error": str(error)}, 400)
                return Answer(204)
            case "GET", ["jobs"]:
                return say([asdict(job) for job in self.server.jobs.all()])
            case "DELETE", ["jobs"]:
                for job in self.server.jobs.all():
                    self.server.jobs.delete(job.id)
                return Answer(204)
            case "DELETE", ["requests"]:
                self.server.log.clear()
                return Answer(204)
            case "POST", ["jobs", job_id] if self._do(job_id, given):
                return Answer(204)
        return say({"error": f"nothing to be done for {self.command} {path}"}, 400)

    def _do(self, job_id: str, given: dict[str, Any]) -> bool:
        jobs = self.server.jobs
        match given.get("do"):
            case "hold":
                return bool(jobs.change(job_id, unless=(*FINAL, "Running"), held=True))
            case "release":
                return bool(jobs.change(job_id, held=False))
            case "lose" | "find":
                return bool(jobs.change(job_id, lost=given["do"] == "lose"))
            case "fail":
                jobs.fail(job_id, given.get("reason", "Told to fail."), given.get("code", 9999))
                return True
        return False
