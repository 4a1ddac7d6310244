"""Tokens and CRNs are kept out of everything that is read: errors, logs, records."""

import io
import logging
import sys

import pytest
from circuits import BrokenSampler, play

from qttt_circuits import secrets
from qttt_circuits.errors import ExecutionError
from qttt_circuits.secrets import ScrubbingFilter, hashed, remember, scrub

CRN = "crn:v1:bluemix:public:quantum-computing:us-east:a/0123456789abcdef:11-22-33-44::"
TOKEN = "aBcDeF-0123456789_this.is+a/token=="


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    monkeypatch.setattr(secrets, "_known", set())
    for name in ("QISKIT_IBM_TOKEN", "QISKIT_IBM_INSTANCE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def logged():
    """A logger with the filter, and what reaches its handler."""
    stream = io.StringIO()
    logger = logging.getLogger("qttt_circuits.tests.secrets")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    scrubbing = ScrubbingFilter()
    logger.addFilter(scrubbing)
    logger.addHandler(handler)
    logger.propagate = False
    yield logger, stream
    logger.removeFilter(scrubbing)
    logger.removeHandler(handler)


# --- text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CRN, "[CRN]"),
        (f"no access to {CRN} today", "no access to [CRN] today"),
        (f"'{CRN}', \"{CRN}\" and ({CRN})", "'[CRN]', \"[CRN]\" and ([CRN])"),
        (f'{{"instance": "{CRN}", "n": 1}}', '{"instance": "[CRN]", "n": 1}'),
        (f"[{CRN}]", "[[CRN]]"),
        (f"<{CRN}>", "<[CRN]>"),
        (f"{CRN}\n{CRN}", "[CRN]\n[CRN]"),
        (f"url?instance={CRN}&x", "url?instance=[CRN]"),
        ("", ""),
        ("nothing of the kind: a crn is a name", "nothing of the kind: a crn is a name"),
    ],
    ids=[
        "alone",
        "in a sentence",
        "quoted",
        "json",
        "list",
        "tag",
        "lines",
        "url",
        "none",
        "other",
    ],
)
def test_every_crn_is_replaced(text, expected):
    assert scrub(text) == expected


def test_a_remembered_secret_is_replaced_wherever_it_stands():
    assert TOKEN in scrub(f"token {TOKEN}")
    remember(TOKEN)
    assert scrub(f"token={TOKEN}; again {TOKEN}{TOKEN}.") == (
        "token=[secret]; again [secret][secret]."
    )
    assert scrub("another token") == "another token"


def test_an_instance_by_name_is_a_secret_too_once_it_is_remembered():
    remember("my-private-instance")
    assert scrub("instance my-private-instance is full") == "instance [secret] is full"


@pytest.mark.parametrize("variable", ["QISKIT_IBM_TOKEN", "QISKIT_IBM_INSTANCE"])
def test_what_the_environment_holds_is_a_secret(monkeypatch, variable):
    monkeypatch.setenv(variable, TOKEN)
    assert scrub(f"{TOKEN} was refused") == "[secret] was refused"
    monkeypatch.delenv(variable)
    assert scrub(f"{TOKEN} was refused") == f"{TOKEN} was refused"


@pytest.mark.parametrize("nothing", [None, "", "a", "abc", 12345, b"bytes of some length"])
def test_what_is_no_secret_or_too_short_for_one_replaces_nothing(nothing):
    remember(nothing)
    assert scrub("abc a 12345 None") == "abc a 12345 None"


# --- logs


def test_messages_are_scrubbed(logged):
    logger, stream = logged
    remember(TOKEN)
    logger.warning("refused: %s with %s", CRN, TOKEN)
    logger.error(f"plain {CRN} {TOKEN}")
    logger.info("below the level %s", CRN)
    assert stream.getvalue() == (
        "WARNING refused: [CRN] with [secret]\nERROR plain [CRN] [secret]\n"
    )


def test_arguments_of_any_kind_are_scrubbed(logged):
    logger, stream = logged
    remember(TOKEN)
    logger.warning("%(a)s and %(b)d", {"a": {"token": TOKEN}, "b": 7})
    logger.warning("%r", [CRN, TOKEN])
    logger.warning("%s", RuntimeError(TOKEN))
    assert stream.getvalue().splitlines() == [
        "WARNING {'token': '[secret]'} and 7",
        "WARNING ['[CRN]', '[secret]']",
        "WARNING [secret]",
    ]


def test_percent_signs_in_what_is_logged_are_left_alone(logged):
    logger, stream = logged
    logger.warning("%s", f"50% of {CRN} %s %d")
    assert stream.getvalue() == "WARNING 50% of [CRN] %s %d\n"


def test_exceptions_are_scrubbed_with_their_tracebacks(logged):
    logger, stream = logged
    remember(TOKEN)
    try:
        try:
            raise KeyError(TOKEN)
        except KeyError as error:
            raise RuntimeError(f"no such instance {CRN}") from error
    except RuntimeError:
        logger.exception("failed for %s", TOKEN)
        logger.warning("again", exc_info=sys.exc_info())
    output = stream.getvalue()
    assert CRN not in output
    assert TOKEN not in output
    assert output.count("RuntimeError: no such instance [CRN]") == 2
    assert output.count("KeyError: '[secret]'") == 2
    assert "failed for [secret]" in output


def test_a_message_that_does_not_fit_its_arguments_is_scrubbed_and_kept(logged):
    logger, stream = logged
    logger.warning(f"{CRN} %d", "no number")
    logger.warning(f"{CRN}", "too", "many")
    assert CRN not in stream.getvalue()
    assert stream.getvalue().count("[CRN]") == 2


def test_no_record_is_dropped_and_others_are_left_as_they_are(logged):
    logger, stream = logged
    logger.warning("nothing to hide: %s", 5)
    assert stream.getvalue() == "WARNING nothing to hide: 5\n"
    record = logging.LogRecord("x", logging.INFO, "f.py", 1, "said %s", (CRN,), None)
    assert ScrubbingFilter().filter(record) is True
    assert record.getMessage() == "said [CRN]"


# --- errors


def test_the_error_of_a_sampler_is_scrubbed(monkeypatch):
    class Talkative(BrokenSampler):
        def run(self, pubs, *, shots=None):
            raise RuntimeError(f"{CRN}\nrefuses {TOKEN}")

    remember(TOKEN)
    with pytest.raises(ExecutionError) as failed:
        play("tiqtaqtoe", "1,2").sample(shots=5, sampler=Talkative(), self_test=False)
    assert str(failed.value) == "Talkative failed: [CRN] refuses [secret]"


# --- hashes


def test_a_hash_tells_the_same_secret_and_no_other():
    assert hashed(CRN, "salt") == hashed(CRN, "salt")
    assert hashed(CRN, "salt") != hashed(CRN + "x", "salt")


def test_a_hash_is_salted_and_gives_nothing_away():
    found = {hashed(CRN, salt) for salt in ("", "a", "b", "another salt")}
    assert len(found) == 4
    for text in found:
        assert len(text) == 32
        assert set(text) <= set("0123456789abcdef")
        assert "crn" not in text
