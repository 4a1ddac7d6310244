"""Neither the API key nor the instance is written, logged or shown, whatever happens to a run."""

import io
import json
import logging
import pickle
import traceback

import pytest

pytest.importorskip("qiskit_ibm_runtime")

from cloud.account import _encode
from cloud.client_env import INSTANCE, TOKEN
from runs import SEED, SHOTS, files, fresh_store, played, program, the_run

from qttt_circuits import ibm
from qttt_circuits import ibm as asked
from qttt_circuits.errors import QtttError
from qttt_circuits.secrets import hashed, scrub

pytest_plugins = ("cloud.fixtures",)

store = pytest.fixture(fresh_store)

OTHER_TOKEN = "canary-Zq81-key-of-nobody"
OTHER_CRN = "crn:v1:bluemix:public:quantum-computing:us-east:a/canaryaccount:9999-canary::"
SECRETS = (TOKEN, INSTANCE, "0000stand-in", "1111-open", OTHER_TOKEN, OTHER_CRN, "canaryaccount",
           "9999-canary")  # fmt: skip
BEARER = _encode({"alg": "HS256", "typ": "JWT"})
POLL = 0.05


def check_clean(text):
    """None of the secrets is in a text, nor the key that the service makes of them."""
    for secret in (*SECRETS, BEARER):
        assert secret not in text, text[max(0, text.index(secret) - 200) :][:400]


@pytest.fixture
def logged():
    """Everything that any logger says, at its most talkative."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(name)s %(levelname)s %(message)s"))
    root = logging.getLogger()
    names = [name for name in logging.root.manager.loggerDict if "qttt" in name or "ibm" in name]
    names += ["qiskit_ibm_runtime", "qiskit_runtime_service", "urllib3", "requests"]
    loggers = [root, *map(logging.getLogger, names)]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    root.addHandler(handler)
    yield stream
    root.removeHandler(handler)
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


@pytest.fixture
def seen(cloud, store, logged, capfd):
    """Collects what is shown, and finds no secret in it, nor in what was written or logged."""
    shown = []
    yield shown
    captured = capfd.readouterr()
    for text in (*shown, captured.out, captured.err, logged.getvalue()):
        check_clean(text)
    for name, content in files(store).items():
        check_clean(name)
        check_clean(content.decode("latin-1"))


def attempt(seen, call, *arguments, **options):
    """Calls and keeps all that a person could see of an error; returns whether there was one."""
    try:
        seen.append(repr(call(*arguments, **options)))
    except QtttError as error:
        seen += [str(error), repr(error), "".join(traceback.format_exception(error))]
        return True
    return False


def submit(store, backend="ibm_torino", **options):
    return played().submit(backend=backend, shots=SHOTS, seed=SEED, store=store, **options)


def test_a_whole_life_shows_no_secret(cloud, store, seen):
    job = submit(store, readout=True, suppress=("dd",))
    job.wait(poll=POLL, progress=seen.append)
    seen += [repr(job), str(job.record), repr(job.result()), repr(job.mitigated())]
    seen.append(json.dumps(job.result().to_json()))
    seen.append(repr(pickle.dumps(job.record)))
    seen.append(" ".join(job.resume()))
    assert job.record.instance
    assert hashed(INSTANCE, job.record.salt) == job.record.instance
    assert "ibm_torino" in job.record.backend


def test_equal_instances_have_different_hashes_in_different_runs(cloud, store, seen):
    first, second = submit(store), submit(store)
    assert first.record.salt != second.record.salt
    assert first.record.instance != second.record.instance


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("what", ["drop", "status", pytest.param("silent", marks=pytest.mark.slow)])
def test_a_failing_submission_shows_no_secret(cloud, store, seen, monkeypatch, what, when):
    cloud.fault("submit", what, when=when, **({"status": 400} if what == "status" else {}))
    with monkeypatch.context() as patch:
        if what == "silent":
            patch.setattr(asked, "DEADLINE", 1.0)
        assert attempt(seen, submit, store)
    cloud.clear()
    job = the_run(store)
    seen += [repr(job), str(job.record.error)]
    attempt(seen, job.resume)
    attempt(seen, job.resume, resubmit=True)
    attempt(seen, job.wait, poll=POLL, progress=seen.append)
    assert job.status == "done"


@pytest.mark.parametrize("route", ["token", "search", "backends", "jobs", "job", "results"])
@pytest.mark.parametrize(
    "status", [401, *(pytest.param(n, marks=pytest.mark.slow) for n in (400, 403, 404, 429))]
)
def test_a_refused_question_shows_no_secret(cloud, store, backend, seen, route, status):
    job = submit(store, backend)
    cloud.fault(route, "status", status=status, times=2)
    attempt(seen, job.wait, timeout=0.2, poll=POLL, progress=seen.append)
    cloud.clear()
    attempt(seen, the_run(store).resume)
    seen.append(repr(the_run(store)))


def test_a_failure_that_names_the_secrets_is_told_without_them(cloud, store, seen):
    reason = f"account {TOKEN} of {INSTANCE} has no time left"
    cloud.fault("submit", "fail", reason=reason)
    job = submit(store)
    job.wait(poll=POLL)
    assert attempt(seen, job.result)
    assert "has no time left" in the_run(store).record.error


@pytest.mark.parametrize(
    "account", [{"token": OTHER_TOKEN}, {"instance": OTHER_CRN}, {"instance": "9999-canary"}]
)
def test_a_refused_account_is_not_shown(cloud, store, backend, seen, monkeypatch, account):
    job = submit(store, backend)
    with monkeypatch.context() as patch:
        cloud.point(patch, **account)
        assert attempt(seen, submit, store)
        assert attempt(seen, job.resume)
        assert attempt(seen, job.wait)
        assert attempt(seen, job.cancel)
        assert attempt(seen, ibm.devices)


def test_without_a_network_no_secret_is_shown(cloud, store, backend, seen, monkeypatch):
    job = submit(store, backend)
    with monkeypatch.context() as patch:
        for name in ("HTTP_PROXY", "HTTPS_PROXY"):
            patch.setenv(name, "http://127.0.0.1:9")
        assert attempt(seen, submit, store)
        assert attempt(seen, job.wait)


def test_the_command_line_shows_no_secret(qttt, cloud, store, logged):
    texts = []

    def call(*arguments, status=0):
        run = qttt(*arguments)
        assert run.status == status, run.err
        texts.extend((run.out, run.err))
        return run

    position = ("cancelling", "1,2", "-2,3", "--seed", "5", "--shots", "200")
    device = ("--backend", "ibm_torino")
    run = json.loads(call("submit", *position, *device, "--yes", "--json").out)["run"]
    call("submit", *position, *device, status=2)
    call("jobs", "wait", run, "--poll", str(POLL), "--json")
    for command in (("list",), ("list", "--json"), ("show", run), ("show", run, "--json"),
                    ("result", run), ("result", run, "--json"), ("resume", run)):  # fmt: skip
        call("jobs", *command)
    call("jobs", "cancel", run, status=3)
    call("backends")
    call("backends", "--json")
    cloud.fault("submit", "drop", when="after")
    call("submit", *position, *device, "--yes", "--json", status=3)
    for text in (*texts, logged.getvalue(), *map(repr, files(store).values())):
        check_clean(text)


@pytest.mark.slow
@pytest.mark.parametrize("account", [{"token": OTHER_TOKEN}, {"instance": OTHER_CRN}])
def test_a_process_shows_no_secret_even_of_an_account_that_is_refused(
    cloud, store, monkeypatch, account
):
    cloud.point(monkeypatch, **account)
    process = program("submit", "cancelling", "1,2", "--backend", "ibm_torino", "--yes")
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (3, "")
    assert len([line for line in err.splitlines() if line.startswith("qttt: ")]) == 1
    check_clean(err)
    assert files(store) == {}


def test_secrets_are_replaced_by_what_they_are(monkeypatch):
    monkeypatch.setenv("QISKIT_IBM_TOKEN", OTHER_TOKEN)
    told = scrub(f"key {OTHER_TOKEN} of '{OTHER_CRN}', {OTHER_CRN}.")
    check_clean(told)
    assert told == "key [secret] of '[CRN]', [CRN]"


def test_an_empty_account_hides_nothing(monkeypatch):
    for name in ("QISKIT_IBM_TOKEN", "QISKIT_IBM_INSTANCE"):
        monkeypatch.setenv(name, "")
    assert scrub("a plain text") == "a plain text"


def test_a_hash_depends_on_the_salt_and_the_secret():
    hashes = {hashed(secret, salt) for secret in (INSTANCE, OTHER_CRN) for salt in ("a", "b")}
    assert len(hashes) == 4
    assert hashed(INSTANCE, "a") == hashed(INSTANCE, "a")
