"""The commands that need the exact engine only: rules, probabilities, amplitudes, legal, show."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import sympy

import qttt_circuits
from qttt_circuits import Game

ROOT = Path(qttt_circuits.__file__).parent.parent
HEADER = {"rules", "moves", "turn", "observation_due", "success"}

POSITIONS = [
    ("tiqtaqtoe", ()),
    ("tiqtaqtoe", ("1,2", "2,3")),
    ("cancelling", ("1,2", "-2,3")),
    ("cancelling", ("3,4", "-3,1", "O:-4,2")),
    ("shiftflip", ("-1", "-1,2", "5,-6")),
    ("tiqtaqtoe", ("5", "5,9", "2,6", "1,3", "1,4", "2,8", "3,7")),
    ("tiqtaqtoe", ("1", "4", "2", "5", "3", "7", "6", "9", "8", "@XXXOOXOXO")),
]
every_position = pytest.mark.parametrize(("rules", "moves"), POSITIONS)


def played(rules, moves, **options):
    game = Game(rules, **options)
    for move in moves:
        game.push(move)
    return game


def document(run):
    """Returns what a successful call printed, which is one JSON document and nothing else."""
    assert run.status == 0, run.err
    assert run.err == ""
    return json.loads(run.out)


@pytest.fixture
def record_file(tmp_path):
    """Writes a game's record into a file and returns its name."""

    def write(game):
        path = tmp_path / "game.json"
        path.write_text(json.dumps(game.record()))
        return str(path)

    return write


def check_header(found, game):
    assert found["rules"] == game.rules.name
    assert found["moves"] == [str(move) for move in game.history]
    assert found["turn"] == game.turn
    assert found["observation_due"] is game.observation_due
    assert found["success"] == pytest.approx(game.success, abs=1e-12)


@every_position
def test_probabilities_as_json_are_those_of_the_game(qttt, rules, moves):
    found = document(qttt("probabilities", rules, *moves, "--json"))
    game = played(rules, moves)
    assert set(found) == HEADER | {"probabilities", "exact"}
    check_header(found, game)
    assert found["probabilities"] == pytest.approx(dict(game.probabilities()), abs=1e-12)
    exact = game.probabilities(exact=True)
    assert set(found["exact"]) == set(exact)
    for board, text in found["exact"].items():
        assert sympy.expand(sympy.sympify(text) - exact[board]) == 0


def test_exact_texts_are_a_plus_b_times_root_two(qttt):
    found = document(qttt("probabilities", "cancelling", "1,2", "-2,3", "--json"))
    assert found["exact"] == {
        "XEEEEEEEE": "2/7 + 1/14*sqrt(2)",
        "EEOEEEEEE": "2/7 + 1/14*sqrt(2)",
        "EEXEEEEEE": "1/7 + 1/28*sqrt(2)",
        "EXEEEEEEE": "2/7 - 5/28*sqrt(2)",
    }
    assert found["probabilities"]["EXEEEEEEE"] == pytest.approx(0.0331761495760, abs=1e-12)
    assert found["success"] == pytest.approx(0.815300968741, abs=1e-9)
    assert found["turn"] == "X"


@every_position
def test_amplitudes_as_json_are_those_of_the_game(qttt, rules, moves):
    found = document(qttt("amplitudes", rules, *moves, "--json"))
    game = played(rules, moves)
    assert set(found) == HEADER | {"amplitudes", "exact"}
    check_header(found, game)
    assert found["amplitudes"] == pytest.approx(dict(game.amplitudes()), abs=1e-12)
    assert set(found["exact"]) == set(found["amplitudes"])
    for board, text in found["exact"].items():
        parsed = sympy.sympify(text)
        assert float(parsed) == pytest.approx(found["amplitudes"][board], abs=1e-12)
    if len(moves) < 4:
        exact = game.amplitudes(exact=True)
        for board, text in found["exact"].items():
            assert sympy.simplify(sympy.sympify(text) - exact[board]) == 0


@every_position
def test_legal_as_json_lists_the_legal_moves(qttt, rules, moves):
    found = document(qttt("legal", rules, *moves, "--json"))
    game = played(rules, moves)
    assert set(found) == HEADER | {"legal"}
    check_header(found, game)
    assert found["legal"] == [str(move) for move in game.legal_moves]


@every_position
def test_show_as_json_prints_the_record_and_the_board(qttt, record_file, rules, moves):
    game = played(rules, moves)
    found = document(qttt("show", record_file(game), "--json"))
    assert set(found) == HEADER | {"board", "record"}
    check_header(found, game)
    assert found["board"] == game.observed
    assert Game.from_record(found["record"]) == game


def test_rules_as_json_name_every_rule_set_with_its_options(qttt):
    found = document(qttt("rules", "--json"))
    dice = {"tiqtaqtoe", "cancelling", "shiftflip"}
    assert set(found) >= dice | {"goff", "goff-original", "leaw-cheong"}
    for name, entry in found.items():
        assert entry["summary"]
        assert entry["notation"]
        assert entry["source"].startswith(("000", "001", "002", "004"))
        if name in dice:
            assert entry["options"] == {
                "first": ["X", "O"],
                "scoring": ["lines", "points"],
                "size": ["3", "4", "5", "6"],
                "line": [""],
            }


def test_rules_print_a_table_for_people(qttt):
    run = qttt("rules")
    assert run.status == 0
    assert run.err == ""
    for name in ("tiqtaqtoe", "cancelling", "shiftflip"):
        assert name in run.out


def test_probabilities_print_the_board_and_a_table(qttt):
    run = qttt("probabilities", "cancelling", "1,2", "-2,3")
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith(str(played("cancelling", ["1,2", "-2,3"])) + "\n")
    for board, p in (("XEEEEEEEE", "0.3867295402"), ("EXEEEEEEE", "0.0331761496")):
        assert any(board in line and p in line for line in run.out.splitlines())
    assert "sqrt" not in run.out
    exact = qttt("probabilities", "cancelling", "1,2", "-2,3", "--exact")
    assert "2/7 - 5/28*sqrt(2)" in exact.out
    assert exact.out.startswith(str(played("cancelling", ["1,2", "-2,3"])) + "\n")


def test_amplitudes_print_signs(qttt):
    run = qttt("amplitudes", "shiftflip", "1", "-1,2")
    assert (run.status, run.err) == (0, "")
    assert "0.7071067812" in run.out
    assert "sqrt" not in run.out
    exact = qttt("amplitudes", "shiftflip", "1", "-1,2", "--exact")
    assert "sqrt(2)/2" in exact.out
    minus = qttt("amplitudes", "shiftflip", "-1")
    assert "-1.0000000000" in minus.out


def test_legal_prints_moves_on_one_line_or_what_is_due(qttt):
    run = qttt("legal", "tiqtaqtoe", "1", "1,2", "3", "4", "5", "6", "7", "8")
    assert (run.status, run.out, run.err) == (0, "9 4,9 6,9 8,9\n", "")
    due = qttt("legal", "tiqtaqtoe", "1", "1,2", "3", "4", "5", "6", "7", "8", "9")
    assert due.status == 0
    assert due.out == "tiqtaqtoe: the board must be observed, then O moves\n"
    over = qttt("legal", "tiqtaqtoe", *POSITIONS[-1][1])
    assert over.out == "tiqtaqtoe: X wins (three in a row; X 1, O 0)\n"


def test_show_prints_the_moves_and_the_board(qttt, record_file):
    game = played("cancelling", ["1,2", "-2,3"])
    run = qttt("show", record_file(game))
    assert (run.status, run.err) == (0, "")
    assert run.out == f"cancelling 1,2 -2,3\n{game}\n"


@pytest.mark.parametrize("command", ["probabilities", "amplitudes", "legal"])
def test_a_record_stands_for_rules_and_moves(qttt, record_file, command):
    game = played("cancelling", ["2,1", "X:-2,3"], first="O", scoring="points")
    path = record_file(game)
    by_record = document(qttt(command, "--record", path, "--json"))
    by_moves = document(
        qttt(command, "cancelling", "2,1", "X:-2,3", "--json",
             "--option", "first=O", "--option", "scoring=points")
    )  # fmt: skip
    assert by_record == by_moves
    check_header(by_record, game)


def test_options_change_the_rules(qttt):
    found = document(qttt("legal", "tiqtaqtoe", "--option", "first=O", "--json"))
    assert found["turn"] == "O"
    opened = ("1", "4", "2", "5", "3,6", "7,8", "9", "@XXXOOEOEX")
    points = document(qttt("legal", "tiqtaqtoe", *opened, "--option", "scoring=points", "--json"))
    assert points["turn"] == "O"
    assert points["legal"] == ["6", "8", "6,8"]
    lines = document(qttt("legal", "tiqtaqtoe", *opened, "--json"))
    assert lines["turn"] is None
    assert lines["legal"] == []


def test_moves_that_begin_with_a_minus_need_no_quoting_and_no_dashes(qttt):
    plain = document(qttt("probabilities", "cancelling", "1,2", "-2,3", "--json"))
    for arguments in (
        ("--json", "cancelling", "1,2", "-2,3"),
        ("cancelling", "--json", "1,2", "-2,3"),
        ("--json", "--", "cancelling", "1,2", "-2,3"),
    ):
        assert document(qttt("probabilities", *arguments)) == plain
    single = document(qttt("probabilities", "shiftflip", "-5", "--json"))
    assert single["moves"] == ["-5"]
    assert single["probabilities"] == {"EEEEOEEEE": 1.0}


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("command", ["", "rules", "probabilities", "amplitudes", "legal", "show"])
def test_help_is_printed_for_every_command(qttt, command, flag):
    run = qttt(*command.split(), flag)
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("Usage: qttt")


def test_the_version_is_printed(qttt):
    run = qttt("--version")
    assert (run.status, run.err) == (0, "")
    assert run.out == f"qttt, version {qttt_circuits.__version__}\n"


def test_the_module_runs_as_the_command():
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}

    def call(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "qttt_circuits", *arguments],
            capture_output=True,
            encoding="utf-8",
            env=environment,
            timeout=60,
        )

    version = call("--version")
    assert (version.returncode, version.stderr) == (0, "")
    assert version.stdout.rstrip("\n") == f"qttt, version {qttt_circuits.__version__}"
    found = call("probabilities", "cancelling", "1,2", "-2,3", "--json")
    assert (found.returncode, found.stderr) == (0, "")
    assert json.loads(found.stdout)["moves"] == ["1,2", "-2,3"]
    bad = call("probabilities", "cancelling", "1,1", "--json")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert len(bad.stderr.splitlines()) == 1
