"""Wrong use of the command line: one line on standard error, exit status 2, nothing else."""

import json
import subprocess
import sys

import pytest
from test_moves import BAD_BOARDS, BAD_MOVES

DUE = ("5", "5,9", "2,6", "1,3", "1,4", "2,8", "3,7")
COMMANDS = ["probabilities", "amplitudes", "legal"]


def check_refused(run, *parts):
    """A refusal is one line, names the program, shows no traceback and leaves the output empty."""
    assert run.status == 2
    assert run.out == ""
    assert run.err.startswith("qttt: ")
    assert run.err.endswith("\n")
    assert len(run.err.splitlines()) == 1
    assert "Traceback" not in run.err
    assert 'File "' not in run.err
    for part in parts:
        assert part in run.err


# what begins with -- is taken for an option, and no shell can pass on a NUL
TOKENS = [text for text in BAD_MOVES + BAD_BOARDS if not text.startswith("--") and "\0" not in text]


@pytest.mark.parametrize("text", TOKENS)
@pytest.mark.parametrize("as_json", [False, True])
def test_bad_notation_is_refused(qttt, text, as_json):
    check_refused(qttt("probabilities", "shiftflip", text, *["--json"] * as_json))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("cancelling", "0"), "no square 0"),
        (("cancelling", "10"), "no square 10"),
        (("cancelling", "1,1"), "different squares"),
        (("cancelling", "1", "1"), "single die"),
        (("cancelling", "1", "1,2", "1,3"), "two dice"),
        (("cancelling", "1", "2", "1,3"), "own"),
        (("cancelling", "X:1", "X:2", "O:1,2"), "empty"),
        (("tiqtaqtoe", "1", "-1,2"), "cancelling die"),
        (("cancelling", "1", "-1,-2"), "at most one"),
        (("cancelling", "-1,2"), "meets"),
        (("tiqtaqtoe", *DUE, "1"), "observed first"),
        (("tiqtaqtoe", "1", "@XEEEEEEEE"), "due only"),
        (("tiqtaqtoe", *DUE, "@EEEEEEEEE"), "probability zero"),
        (("tiqtaqtoe", *"142537698", "@XXXOOXOXO", "1"), "over"),
    ],
)
def test_illegal_moves_are_refused_with_their_reason(qttt, command, arguments, reason):
    run = qttt(command, *arguments, "--json")
    check_refused(run, reason, arguments[-1])
    assert "different squares" in reason or " ".join(arguments[:-1]) in run.err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ((), ("qttt rules", "--record")),
        (("nosuch", "1"), ("unknown rule set 'nosuch'",)),
        (("canceling", "1"), ("did you mean 'cancelling'",)),
        (("Tiqtaqtoe",), ("did you mean 'tiqtaqtoe'",)),
        (("",), ("unknown rule set ''",)),
        (("cancelling", "--option", "first"), ("NAME=VALUE",)),
        (("cancelling", "--option", ""), ("NAME=VALUE",)),
        (("cancelling", "--option", "=X"), ("unknown option",)),
        (("cancelling", "--option", "first=Z"), ("X or O", "'Z'")),
        (("cancelling", "--option", "first="), ("X or O",)),
        (("cancelling", "--option", "frist=X"), ("did you mean 'first'",)),
        (("cancelling", "--option"), ("--option",)),
        (("cancelling", "--record"), ("--record",)),
        (("cancelling", "1", "--jsn"), ("'--jsn'", "did you mean '--json'")),
        (("cancelling", "--recrod", "x"), ("'--recrod'", "did you mean '--record'")),
        (("cancelling", "--json=1"), ("--json",)),
        (("cancelling", "--1,2"), ("'--1,2'",)),
        (("--1,2",), ("'--1,2'",)),
        (("cancelling", "1", "--", "--1,2"), ("'--1,2'",)),
    ],
)
def test_wrong_arguments_are_refused(qttt, command, arguments, parts):
    check_refused(qttt(command, *arguments), *parts)
    if "--" not in arguments:
        check_refused(qttt(command, "--json", *arguments), *parts)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("ruls",), ("unknown command 'ruls'", "did you mean 'rules'")),
        (("probability", "cancelling"), ("did you mean 'probabilities'",)),
        (("xyz",), ("unknown command 'xyz'",)),
        (("--jsn", "rules"), ("--jsn",)),
        (("-2,3",), ("-2,3",)),
        (("rules", "canceling"), ("did you mean 'cancelling'",)),
        (("rules", "goff", "cancelling"), ("cancelling",)),
        (("rules", "--jsn"), ("--jsn",)),
        (("show",), ("--record FILE",)),
        (("show", "one.json", "two.json"), ("one.json",)),
    ],
)
def test_wrong_commands_are_refused(qttt, arguments, parts):
    check_refused(qttt(*arguments), *parts)


def record(**changes):
    made = {
        "format": "qttt-circuits game",
        "version": 1,
        "rules": "cancelling",
        "options": {},
        "strict": False,
        "moves": ["1,2", "-2,3"],
    }
    return json.dumps({**made, **changes})


BAD_RECORDS = {
    "empty": ("", "not a JSON document"),
    "text": ("cancelling 1,2", "not a JSON document"),
    "cut": (record()[:-5], "not a JSON document"),
    "two": (record() + record(), "not a JSON document"),
    "deep": ("[" * 200_000, "not a JSON document"),
    "bytes": (b"\xff\xfe\x00", "not a JSON document"),
    "list": ("[]", "not a game record"),
    "null": ("null", "not a game record"),
    "format": (record(format="other"), "not a game record"),
    "version": (record(version=2), "version 2"),
    "rules": (record(rules="nosuch"), "unknown rule set 'nosuch'"),
    "options": (record(options={"first": 1}), "X or O"),
    "moves": (record(moves="1,2"), "moves"),
    "replay": (record(moves=["1", "2", "1"]), "move 3: illegal move '1'"),
    "notation": (record(moves=["1\n2"]), "move 1: '1\\n2'"),
    "surrogate": (record(moves=["\ud800"]), "move 1: '\\ud800'"),
    "strict": (record(strict=True, moves=["O:1"]), "turn"),
}


@pytest.mark.parametrize("name", BAD_RECORDS)
def test_bad_records_are_refused_with_the_name_of_the_file(qttt, tmp_path, name):
    content, message = BAD_RECORDS[name]
    path = tmp_path / f"{name}.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    check_refused(qttt("show", str(path)), str(path), message)
    check_refused(qttt("probabilities", "--record", str(path), "--json"), str(path), message)


def test_files_that_cannot_be_read_are_refused(qttt, tmp_path):
    missing = str(tmp_path / "missing.json")
    for arguments in (
        ("show", missing),
        ("show", missing, "--json"),
        ("legal", "--record", missing),
        ("show", str(tmp_path / "two\nlines.json")),
        ("show", str(tmp_path)),
        ("legal", "--record", str(tmp_path), "--json"),
        ("show", ""),
    ):
        check_refused(qttt(*arguments), "" if arguments[1] == "" else str(tmp_path))


@pytest.mark.parametrize("more", [("cancelling",), ("--option", "first=O")])
def test_a_record_beside_rules_or_options_is_refused(qttt, tmp_path, more):
    path = tmp_path / "game.json"
    path.write_text(record())
    check_refused(qttt("legal", "--record", str(path), *more), "record")


def test_no_arguments_at_all_show_how_it_is_used(qttt):
    run = qttt()
    assert run.status == 2
    assert run.out == ""
    assert run.err.startswith("Usage: qttt")
    assert "probabilities" in run.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("rules",),
        ("legal", "shiftflip", "--json"),
        ("play", "goff", "--x", "random", "--seed", "1"),
    ],
    ids=" ".join,
)
def test_a_reader_that_has_gone_is_no_error_of_ours(arguments):
    ran = subprocess.run(
        f"{sys.executable} -m qttt_circuits {' '.join(arguments)} | true; echo ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ran.stderr == ""
    assert ran.stdout.strip() in ("141", "0")  # 0 if all was written before it went


@pytest.mark.parametrize("arguments", ["play goff", "show -", "show --record -"])
def test_a_closed_input_is_an_empty_one(arguments):
    ran = subprocess.run(
        f"{sys.executable} -m qttt_circuits {arguments} <&-",
        shell=True, executable="/bin/bash", capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ran.returncode == (0 if arguments.startswith("play") else 2)
    assert "Traceback" not in ran.stderr
