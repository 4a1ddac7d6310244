"""The answers of the cloud, by route, without the network."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from . import account, devices
from .client_env import TOKEN
from .faults import Faults
from .jobs import FINAL, Job, Jobs

ROUTES = {
    "token": ("POST", "iam", r"/identity/token"),
    "search": ("POST", "api.global-search-tagging", r"/v3/resources/search"),
    "plan": ("GET", "globalcatalog", r"/api/v1/[^/]+"),
    "usage": ("GET", "quantum", r"/api/v1/instances/usage"),
    "backends": ("GET", "quantum", r"/api/v1/backends"),
    "configuration": ("GET", "quantum", r"/api/v1/backends/([^/]+)/configuration"),
    "properties": ("GET", "quantum", r"/api/v1/backends/([^/]+)/properties"),
    "status": ("GET", "quantum", r"/api/v1/backends/([^/]+)/status"),
    "submit": ("POST", "quantum", r"/api/v1/jobs"),
    "jobs": ("GET", "quantum", r"/api/v1/jobs"),
    "job": ("GET", "quantum", r"/api/v1/jobs/([^/]+)"),
    "delete": ("DELETE", "quantum", r"/api/v1/jobs/([^/]+)"),
    "results": ("GET", "quantum", r"/api/v1/jobs/([^/]+)/results"),
    "metrics": ("GET", "quantum", r"/api/v1/jobs/([^/]+)/metrics"),
    "logs": ("GET", "quantum", r"/api/v1/jobs/([^/]+)/logs"),
    "cancel": ("POST", "quantum", r"/api/v1/jobs/([^/]+)/cancel"),
    "tags": ("PUT", "quantum", r"/api/v1/jobs/([^/]+)/tags"),
}
"""By name: the method, the host without its ``.cloud.test``, and the path."""

INSTANCE_HEADER = "service-crn"
PROGRAMS = ("sampler", "executor")
SECONDS_PER_JOB = 2
"""What every job is said to have taken of the device."""


@dataclass(frozen=True)
class Request:
    """What was asked."""

    route: str
    argument: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    """By name, in lower case."""
    body: bytes


@dataclass(frozen=True)
class Answer:
    """What is answered."""

    status: int
    body: bytes = b""
    kind: str = "application/json"
    retry_after: int | None = None


def say(value: Any, status: int = 200) -> Answer:
    """Answers with JSON."""
    return Answer(status, json.dumps(value).encode())


def refuse(status: int, code: int, message: str, retry_after: int | None = None) -> Answer:
    """Answers with an error, as the cloud writes them."""
    error = {"code": code, "message": message, "solution": "", "more_info": ""}
    body = json.dumps({"errors": [error], "trace": "stand-in"}).encode()
    return Answer(status, body, retry_after=retry_after)


def find_route(method: str, host: str, path: str) -> tuple[str, str]:
    """Returns the name of a route and the backend or job in its path.

    Args:
        method: The method of the request.
        host: Its host.
        path: Its path, without the query.
    """
    place = host.removesuffix(".cloud.test").removeprefix("eu-de.")
    for name, (its_method, its_place, pattern) in ROUTES.items():
        match = re.fullmatch(pattern, path)
        if match and (method, place) == (its_method, its_place):
            return name, "".join(match.groups())
    return "unknown", ""


class Api:
    """Answers requests.

    Args:
        jobs: The jobs.
        faults: Asked for what is to befall the jobs that are created.
        backends: The names of the backends.
    """

    def __init__(self, jobs: Jobs, faults: Faults, backends: tuple[str, ...]) -> None:
        self._jobs = jobs
        self._faults = faults
        self._backends = backends

    def answer(self, request: Request) -> Answer:
        """Does what a request asks for and returns the answer."""
        if request.route == "token":
            return self._token(request)
        if request.route == "unknown":
            return refuse(404, 1, "The stand-in has no such address.")
        if not account.authorized(request.headers):
            return refuse(401, 1217, "Unable to authenticate the account.")
        if request.route == "search":
            return say(account.search())
        if request.route == "plan":
            return say(account.plan())
        if request.headers.get(INSTANCE_HEADER) not in account.INSTANCES:
            return refuse(403, 1218, "The account has no such instance.")
        if ROUTES[request.route][2].startswith("/api/v1/backends"):
            return self._backend(request)
        if ROUTES[request.route][2].startswith("/api/v1/jobs/"):
            return self._one_job(request)
        if request.route == "submit":
            return self._submit(request)
        if request.route == "jobs":
            return self._list(request)
        instance = request.headers[INSTANCE_HEADER]
        ended = [job for job in self._of(request) if job.status == "Completed"]
        return say(account.usage(instance, SECONDS_PER_JOB * len(ended)))

    def _token(self, request: Request) -> Answer:
        fields = request.body.decode().split("&")
        if f"apikey={TOKEN}" in fields:
            return say(account.make_token())
        message = "Provided API key could not be found."
        return say({"errorCode": "BXNIM0415E", "errorMessage": message}, 400)

    def _backend(self, request: Request) -> Answer:
        queued: dict[str, int] = {}
        for job in self._jobs.all():
            if job.status not in FINAL and not job.lost:
                queued[job.backend] = queued.get(job.backend, 0) + 1
        name = request.argument
        if request.route == "backends":
            return say(devices.listed(self._backends, queued))
        if name not in self._backends:
            return refuse(404, 1180, f"There is no backend {name}.")
        if request.route == "status":
            return say(devices.status(name, queued.get(name, 0)))
        return say(devices.snapshot(name, "conf" if request.route == "configuration" else "props"))

    def _submit(self, request: Request) -> Answer:
        asked = json.loads(request.body)
        if asked["program_id"] not in PROGRAMS:
            return refuse(404, 1207, "There is no such program.")
        if asked.get("backend") not in self._backends:
            return refuse(400, 1180, "There is no such backend.")
        fates: dict[str, Any] = {}
        if fate := self._faults.take("submit", "fate"):
            made: dict[str, dict[str, Any]] = {
                "hold": {"held": True},
                "lose": {"lost": True},
                "fail": {"failure": {"reason": fate.reason, "code": fate.code}},
            }
            fates = made[fate.what]
        aside = ("program_id", "backend", "tags", "params")
        job = self._jobs.create(
            json.dumps(asked["params"]),
            instance=request.headers[INSTANCE_HEADER],
            program=asked["program_id"],
            backend=asked["backend"],
            tags=asked.get("tags", []),
            details={name: value for name, value in asked.items() if name not in aside},
            **fates,
        )
        return say({"id": job.id, "backend": job.backend, "private": False})

    def _list(self, request: Request) -> Answer:
        def first(name: str, default: str = "") -> str:
            return request.query.get(name, [default])[0]

        found = self._of(request)
        for tag in request.query.get("tags", []):
            found = [job for job in found if tag in job.tags]
        if backend := first("backend"):
            found = [job for job in found if job.backend == backend]
        if program := first("program"):
            found = [job for job in found if job.program == program]
        if session := first("session_id"):
            found = [job for job in found if job.details.get("session_id") == session]
        if pending := first("pending"):
            found = [job for job in found if (job.status not in FINAL) == (pending == "true")]
        if after := first("created_after"):
            found = [job for job in found if _moment(job.created) >= _moment(after)]
        if before := first("created_before"):
            found = [job for job in found if _moment(job.created) <= _moment(before)]
        if first("sort") != "ASC":
            found.reverse()
        limit, offset = int(first("limit", "200")), int(first("offset", "0"))
        page = [describe(job) for job in found[offset : offset + limit]]
        return say({"jobs": page, "count": len(found), "limit": limit, "offset": offset})

    def _one_job(self, request: Request) -> Answer:
        job = next((job for job in self._of(request) if job.id == request.argument), None)
        if job is None:
            return refuse(404, 1291, "Job not found.")
        if request.route == "results":
            return Answer(200, self._jobs.result(job).encode(), "text/plain")
        if request.route == "metrics":
            return say(metrics(job))
        if request.route == "logs":
            return Answer(200, job.reason.encode(), "text/plain")
        if request.route == "cancel":
            reason = {"reason": "Job was cancelled by the user.", "code": 1304}
            if self._jobs.change(job.id, unless=FINAL, status="Cancelled", held=False, **reason):
                return Answer(204)
            return refuse(409, 1247, f"The job is {job.status.lower()} already.")
        if request.route == "delete":
            self._jobs.delete(job.id)
            return Answer(204)
        if request.route == "tags":
            self._jobs.change(job.id, tags=json.loads(request.body)["tags"])
            return Answer(204)
        exclude = request.query.get("exclude_params", ["false"])[0] == "true"
        return say(describe(job) | ({} if exclude else {"params": self._jobs.params(job.id)}))

    def _of(self, request: Request) -> list[Job]:
        instance = request.headers[INSTANCE_HEADER]
        return [job for job in self._jobs.all() if job.instance == instance and not job.lost]


def describe(job: Job) -> dict[str, Any]:
    """Returns a job as the cloud describes it, without its parameters."""
    state: dict[str, Any] = {"status": job.status}
    if job.reason:
        state |= {"reason": job.reason, "reason_code": job.code}
    return job.details | {
        "id": job.id,
        "backend": job.backend,
        "program": {"id": job.program},
        "created": job.created,
        "tags": job.tags,
        "status": job.status,
        "state": state,
        "estimated_running_time_seconds": SECONDS_PER_JOB,
    }


def metrics(job: Job) -> dict[str, Any]:
    """Returns when a job ran and what it used."""
    seconds = SECONDS_PER_JOB if job.status == "Completed" else 0
    return {
        "timestamps": {"created": job.created, "running": job.running, "finished": job.finished},
        "usage": {
            "quantum_seconds": seconds,
            "qpu_charge_time_seconds": seconds,
            "status": "complete" if job.status in FINAL else "pending",
        },
        "position_in_queue": None,
        "estimated_start_time": None,
    }


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
