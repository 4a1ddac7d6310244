"""Playing at the keyboard: whole games typed, and all that can be typed besides moves."""

import io
import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from qttt_circuits import Game

SETS = [
    ("tiqtaqtoe", {}),
    ("cancelling", {}),
    ("shiftflip", {}),
    ("goff", {}),
    ("goff", {"collapse": "measure"}),
    ("goff-original", {}),
    ("leaw-cheong", {}),
    *(("cat-and-hounds", {"level": str(level), "size": "6"}) for level in range(1, 6)),
]
BOTH = ("--x", "human", "--o", "human")


@pytest.fixture
def typed(qttt, monkeypatch):
    """Calls ``qttt`` with lines on standard input."""

    def call(lines, *arguments):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return qttt("play", *arguments)

    return call


def options(chosen):
    return [word for name, value in chosen.items() for word in ("--option", f"{name}={value}")]


def whole_game(rules, chosen, seed):
    """Returns the moves of a random game in which observations are as ``qttt play`` makes them."""
    rng, game, moves = random.Random(seed), Game(rules, **chosen), []
    while game.outcome() is None:
        if game.observation_due:
            game.observe(backend="aer", seed=seed + len(game.history))
        else:
            moves.append(str(game.push(game.random_move(rng))))
    return game, moves


@pytest.mark.parametrize(("rules", "chosen"), SETS, ids=lambda value: str(value))
def test_a_typed_game_goes_to_its_end_and_its_record_replays(typed, tmp_path, rules, chosen):
    game, moves = whole_game(rules, chosen, 5)
    record = tmp_path / "game.json"
    run = typed(moves, rules, *options(chosen), *BOTH, "--seed", "5", "--record", str(record))
    assert run.status == 0
    assert str(game.outcome()) in run.out
    replayed = Game.from_record(json.loads(record.read_text()))
    assert replayed == game
    assert replayed.outcome() == game.outcome()


def test_wrong_moves_are_explained_and_asked_again(typed):
    run = typed(["1,1", "one", "5", "5"], "tiqtaqtoe", *BOTH, "--seed", "1")
    assert run.status == 0
    assert "two different squares" in run.out
    assert "'one' is not a move" in run.out
    assert "illegal move '5' in tiqtaqtoe 5: " in run.out
    assert run.out.count("X: 5\n") == 1
    assert "stopped" in run.out


@pytest.mark.parametrize("stop", [["quit"], ["q"], []], ids=["quit", "q", "end of input"])
def test_stopping_keeps_the_record_and_it_goes_on(typed, tmp_path, stop):
    record = tmp_path / "game.json"
    run = typed(["1,2", *stop], "cancelling", *BOTH, "--record", str(record))
    assert run.status == 0
    assert f"the game is kept in {record}" in run.out
    typed(["-2,3"], "--record", str(record), *BOTH)
    assert json.loads(record.read_text())["moves"] == ["1,2", "-2,3"]


@pytest.mark.parametrize(("rules", "chosen"), SETS, ids=lambda value: str(value))
def test_every_question_has_an_answer_at_every_stage(typed, rules, chosen):
    _, moves = whole_game(rules, chosen, 6)
    asked = [word for move in moves for word in ("?", "board", "probabilities", "circuit", move)]
    run = typed(["help", *asked], rules, *options(chosen), *BOTH, "--seed", "6")
    assert run.status == 0
    assert "take back your last move" in run.out
    assert "Traceback" not in run.out + run.err


@pytest.mark.parametrize("rules", ["tiqtaqtoe", "goff", "leaw-cheong", "cat-and-hounds"])
def test_a_hint_is_a_legal_move(typed, rules):
    run = typed(["hint"], rules, *BOTH)
    [hint] = [line for line in run.out.splitlines() if line.startswith("search would play ")]
    assert hint.removeprefix("search would play ") in Game(rules).legal_moves


def test_the_legal_moves_are_listed(typed):
    run = typed(["1,2", "?"], "cancelling", *BOTH)
    game = Game("cancelling")
    game.push("1,2")
    assert " ".join(map(str, game.legal_moves)) in run.out


def test_undo_takes_back_the_last_move_of_whoever_asks(typed, tmp_path):
    record = tmp_path / "game.json"
    typed(["5", "undo", "1", "2", "undo"], "tiqtaqtoe", *BOTH, "--record", str(record))
    # of two people, whoever asks, the last move is taken back
    assert json.loads(record.read_text())["moves"] == ["1"]


def test_undo_takes_back_the_other_players_answer_as_well(typed, tmp_path):
    record = tmp_path / "game.json"
    typed(["5", "undo", "1,2", "quit"], "tiqtaqtoe", "--seed", "1", "--record", str(record))
    moves = json.loads(record.read_text())["moves"]
    assert moves[0] == "1,2"
    assert len(moves) == 2


def test_there_is_nothing_to_undo_at_the_start(typed):
    assert "there is nothing to take back" in typed(["undo"], "goff", *BOTH).out


def test_undo_goes_back_over_an_observation(typed, tmp_path):
    record = tmp_path / "game.json"
    moves = ["1,2", "3,4", "5,6", "7", "8", "9"]
    for seed in range(20):
        record.unlink(missing_ok=True)
        where = ("--record", str(record), "--seed", str(seed))
        run = typed([*moves, "undo"], "tiqtaqtoe", *BOTH, *where)
        assert "observed: " in run.out
        if "stopped" in run.out:  # the board that was observed has not ended the game
            break
    assert json.loads(record.read_text())["moves"] == moves[:5]


def test_json_leaves_standard_output_to_the_document(typed):
    run = typed(["5", "quit"], "tiqtaqtoe", *BOTH, "--json")
    assert json.loads(run.out)["moves"] == ["5"]
    assert "X to move" in run.err


def test_the_same_seed_and_the_same_moves_are_the_same_game(typed):
    lines = ["5", "1,2", "?"]
    first, again = (typed(lines, "tiqtaqtoe", "--seed", "9").out for _ in range(2))
    assert first == again


def start(arguments, **environment):
    return subprocess.Popen(
        [sys.executable, "-m", "qttt_circuits", "play", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", **environment},
    )


def until_kept(record, moves):
    for _ in range(600):
        if record.exists() and json.loads(record.read_text())["moves"][: len(moves)] == moves:
            return
        time.sleep(0.05)
    raise AssertionError("the record was not written")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_a_game_that_is_cut_off_is_kept(tmp_path, sent):
    record = tmp_path / "game.json"
    game = start(["goff", *BOTH, "--record", str(record)])
    game.stdin.write("5,8\n5,9\n")
    game.stdin.flush()
    until_kept(record, ["5,8", "5,9"])
    game.send_signal(sent)
    out, err = game.communicate(timeout=60)
    assert "Traceback" not in out + err
    if sent == signal.SIGINT:
        assert game.returncode == 130
        assert err.endswith("> qttt: interrupted\n")  # after the prompts
        assert err.count("\n") == 1
        assert str(record) in out
    assert Game.from_record(json.loads(record.read_text())).text() == "goff 5,8 5,9"


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_plain_terminals_get_plain_text(environment):
    game = start(["cat-and-hounds", *BOTH, "--option", "level=2"], **environment)
    out, err = game.communicate("split:c7,e7\nprobabilities\n", timeout=60)
    assert game.returncode == 0
    assert "\x1b" not in out + err
    assert "left  0.5000" in out or "left: 1/2" in out


def test_a_game_that_was_stopped_or_taken_back_goes_on_as_it_would_have(typed, tmp_path):
    whole, record = tmp_path / "whole.json", tmp_path / "game.json"
    both = ("--x", "random", "--o", "random", "--seed", "2")
    level = ("--option", "level=5")
    typed([], "cat-and-hounds", *level, *both, "--record", str(whole))
    typed([], "cat-and-hounds", *level, *both, "--max-plies", "7", "--record", str(record))
    typed([], *both, "--record", str(record))
    assert json.loads(record.read_text()) == json.loads(whole.read_text())
    answered = typed(["1", "2", "?"], "tiqtaqtoe", "--seed", "2").out
    assert typed(["1", "undo", "1", "2", "?"], "tiqtaqtoe", "--seed", "2").out.endswith(
        answered[-200:]
    )


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("leaw-cheong", "--o", "perfect"), "no solver for leaw-cheong"),
        (("cat-and-hounds", "--o", "perfect", "--option", "level=2"), "solved at level 1"),
        (("cat-and-hounds", "--o", "perfect", "--option", "size=20"), "up to 8 squares"),
        (("goff", "--o", "nobody"), "unknown player 'nobody'"),
        (("goff", "--backend", "aer:nothing"), "aer:nothing"),
    ],
    ids=str,
)
def test_what_cannot_be_played_is_refused_before_the_game_begins(typed, arguments, part):
    run = typed(["1"], *arguments, "--json")
    assert (run.status, run.out) == (2, "")
    assert len(run.err.splitlines()) == 1
    assert part in run.err
