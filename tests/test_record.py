"""Records of games: JSON-able, versioned, checked move by move when read."""

import json
from random import Random

import pytest
from helpers import RULE_SETS, snapshot, whole_game
from hypothesis import given
from strategies import games

from qttt_circuits import Game, QtttError
from qttt_circuits.errors import RecordError
from qttt_circuits.position import Position


def through_json(game):
    return json.loads(json.dumps(game.record()))


def record(**changes):
    made = {
        "format": "qttt-circuits game",
        "version": 1,
        "rules": "cancelling",
        "options": {"first": "X", "scoring": "lines"},
        "strict": False,
        "moves": ["1,2", "-2,3"],
    }
    return {key: value for key, value in {**made, **changes}.items() if value is not ...}


@given(games())
def test_any_game_comes_back_from_its_record(game):
    twin = Game.from_record(through_json(game))
    assert type(twin) is Game
    assert twin == game
    assert snapshot(twin) == snapshot(game)
    assert twin.record() == game.record()


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("scoring", ["lines", "points"])
def test_whole_random_games_come_back_with_their_observed_boards(rules, seed, scoring):
    game = Game(rules, scoring=scoring, first="XO"[seed % 2], strict=bool(seed % 3))
    whole_game(game, Random(seed))
    made = through_json(game)
    assert any(move.startswith("@") for move in made["moves"])
    twin = Game.from_record(made)
    assert twin == game
    assert snapshot(twin) == snapshot(game)
    while game.history:
        assert twin.pop() == game.pop()
        assert twin.turn == game.turn
        assert twin.table.dice == game.table.dice


def test_a_record_is_exactly_this():
    game = Game("cancelling", strict=True, scoring="points")
    game.push("2,1")
    game.push("O:3,-2")
    assert game.record() == {
        "format": "qttt-circuits game",
        "version": 1,
        "rules": "cancelling",
        "options": {"first": "X", "scoring": "points", "size": "3", "line": "3"},
        "strict": True,
        "moves": ["2,1", "O:3,-2"],
    }


def test_a_record_keeps_nothing_of_the_game_it_was_made_from():
    game = Game("tiqtaqtoe")
    made = game.record()
    made["moves"].append("1")
    made["options"]["first"] = "O"
    assert game.history == ()
    assert game.rules.options["first"] == "X"
    game.push("1")
    assert game.record()["moves"] == ["1"]


def test_options_and_strictness_may_be_left_out():
    game = Game.from_record(record(options=..., strict=...))
    assert game.rules.options == {"first": "X", "scoring": "lines", "size": "3", "line": "3"}
    assert game.strict is False
    assert game.text() == "cancelling 1,2 -2,3"


def test_strictness_is_kept():
    assert Game.from_record(record(strict=True)).strict is True
    assert Game.from_record(record(strict=False)).strict is False


def test_a_position_reads_a_record_as_a_position():
    assert type(Position.from_record(record())) is Position


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        (None, "not a game record"),
        ([], "not a game record"),
        ("qttt-circuits game", "not a game record"),
        (5, "not a game record"),
        ({}, "not a game record"),
        (record(format=...), "not a game record"),
        (record(format=None), "not a game record"),
        (record(format="qttt-circuits result"), "not a game record"),
        (record(format=["qttt-circuits game"]), "not a game record"),
        (record(version=...), "version None"),
        (record(version=2), "version 2"),
        (record(version=0), "version 0"),
        (record(version="1"), "version '1'"),
        (record(version=[1]), "version"),
        (record(rules=...), "damaged"),
        (record(rules=None), "damaged"),
        (record(rules=5), "damaged"),
        (record(rules=["cancelling"]), "damaged"),
        (record(rules="canceling"), "did you mean 'cancelling'"),
        (record(rules=""), "unknown rule set"),
        (record(options=None), "damaged"),
        (record(options=["first"]), "damaged"),
        (record(options="first"), "damaged"),
        (record(options={"frist": "X"}), "did you mean 'first'"),
        (record(options={"first": "x"}), "X or O"),
        (record(options={"first": ["X"]}), "X or O"),
        (record(options={"first": {}}), "X or O"),
        (record(options={"scoring": None}), "lines or points"),
        (record(moves=...), "moves"),
        (record(moves=None), "moves"),
        (record(moves="12"), "moves"),
        (record(moves={"1": "2"}), "moves"),
        (record(moves=[1]), "moves"),
        (record(moves=["1", None]), "moves"),
        (record(moves=["1", ["2"]]), "moves"),
        (record(moves=["1", "1"]), "move 2: illegal move '1' in cancelling 1: a single die"),
        (record(moves=["-1"]), "move 1: illegal move '-1' in cancelling:"),
        (record(moves=["1", "2", "x"]), "move 3: 'x' is not a move"),
        (record(moves=["1", "2", ""]), "move 3: '' is not a move"),
        (record(moves=["@EEEEEEEEE"]), "move 1: illegal move '@EEEEEEEEE'"),
        (record(moves=["@eeeeeeeee"]), "move 1: "),
        (record(moves=["1", "O:2", "O:3"], strict=True), "move 3: illegal move 'O:3'.*turn"),
        (record(moves=["O:1"], strict=True), "move 1: illegal move 'O:1'.*turn"),
        (record(moves=["X:1"], strict=True, options={"first": "O"}), "move 1: .*turn"),
    ],
)
def test_a_damaged_record_is_refused_in_one_line(damaged, message):
    with pytest.raises(RecordError, match=message) as caught:
        Game.from_record(damaged)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, QtttError)
    assert "\n" not in str(caught.value)


def test_an_impossible_observed_board_does_not_replay():
    moves = ["5", "5,9", "2,6", "1,3", "1,4", "2,8", "3,7"]
    with pytest.raises(RecordError, match=r"move 8: illegal move '@XXXXXXXXX'.*probability zero"):
        Game.from_record(record(rules="tiqtaqtoe", moves=[*moves, "@XXXXXXXXX"]))
    with pytest.raises(RecordError, match=r"move 8: illegal move '1'.*observed first"):
        Game.from_record(record(rules="tiqtaqtoe", moves=[*moves, "1"]))
