"""Every reason for which a move or an observation is refused."""

import pytest
from helpers import RULE_SETS, snapshot

from qttt_circuits import Game, IllegalMoveError, NotationError, Observation, QtttError
from qttt_circuits.errors import OptionError, UnknownNameError
from qttt_circuits.moves import Move

# X 5, O 5,9, ... fill the board of a tiqtaqtoe game; it is then observed and goes on
FILLED = "5 5,9 2,6 1,3 1,4 2,8 3,7"
GOES_ON = "2,3 6,9 1 3,8 4,9 1,7 5,6 @OXOXXEXEO"

REFUSALS = [
    # squares that do not exist
    ("shiftflip", "", "0", "no square 0"),
    ("shiftflip", "", "-0", "no square 0"),
    ("tiqtaqtoe", "", "10", "no square 10"),
    ("tiqtaqtoe", "", "999", "no square 999"),
    ("cancelling", "", "1,10", "no square 10"),
    ("cancelling", "", "0,1", "no square 0"),
    # observed marks stay
    ("tiqtaqtoe", GOES_ON, "1", "observed mark"),
    ("tiqtaqtoe", GOES_ON, "9,6", "observed mark"),
    ("tiqtaqtoe", GOES_ON, "6,9", "observed mark"),
    ("tiqtaqtoe", GOES_ON, "X:1,6", "observed mark"),
    # no self-entangling
    ("tiqtaqtoe", "1 2", "1,3", "own"),
    ("tiqtaqtoe", "1 2", "3,1", "own"),
    ("tiqtaqtoe", "1 2", "1", "own"),
    ("tiqtaqtoe", "1 2", "O:2,3", "own"),
    ("shiftflip", "-1 2", "1,3", "own"),
    ("tiqtaqtoe", "X:1,2", "X:2,3", "own"),
    # closed squares
    ("tiqtaqtoe", "1 1,2", "1,3", "two dice|closed"),
    ("tiqtaqtoe", "1 1,2", "2,3", "two dice|closed"),
    ("tiqtaqtoe", "1 1,2", "O:2,3", "two dice|closed"),
    ("tiqtaqtoe", "1 1,2", "2", "two dice|closed"),
    ("cancelling", "1 -1,2", "1", "two dice|closed"),
    ("shiftflip", "1 -1,-2", "1", "two dice|closed"),
    # at least one square open-empty
    ("tiqtaqtoe", "X:1 X:2", "O:1,2", "empty"),
    ("tiqtaqtoe", "1,2 3", "O:1,2", "empty"),
    ("shiftflip", "1,2 3", "O:-1,-2", "empty"),
    # a single die goes on an open-empty square
    ("tiqtaqtoe", "1", "1", "single die"),
    ("tiqtaqtoe", "1,2", "2", "single die"),
    ("shiftflip", "1", "-1", "single die"),
    # signs
    ("tiqtaqtoe", "", "-1", "cancelling die"),
    ("tiqtaqtoe", "", "-1,2", "cancelling die"),
    ("tiqtaqtoe", "", "1,-2", "cancelling die"),
    ("tiqtaqtoe", "1", "-1,2", "cancelling die"),
    ("tiqtaqtoe", "1", "1,-2", "cancelling die"),
    ("tiqtaqtoe", "1", "-1,-2", "cancelling die"),
    ("cancelling", "1", "-1,-2", "at most one"),
    ("cancelling", "", "-1,-2", "at most one"),
    ("cancelling", "", "-1", "meets"),
    ("cancelling", "", "-1,2", "meets"),
    ("cancelling", "1", "-2,3", "meets"),
    ("cancelling", "1", "2,-3", "meets"),
    ("cancelling", "1", "-2", "meets"),
    # before and after an observation
    ("tiqtaqtoe", FILLED, "1", "observed first"),
    ("tiqtaqtoe", FILLED, "1,2", "observed first"),
    ("tiqtaqtoe", "", "@EEEEEEEEE", "due only"),
    ("tiqtaqtoe", "1", "@XEEEEEEEE", "due only"),
    ("tiqtaqtoe", GOES_ON, "@OXOXXEXEO", "due only"),
    ("tiqtaqtoe", FILLED, "@EEEEEEEEE", "probability zero"),
    ("tiqtaqtoe", FILLED, "@XXXXXXXXX", "probability zero"),
    ("tiqtaqtoe", "2,3 6,9 1 3,8 4,9 1,7 5,6 @OXOXXEXEO 6,8", "@XXOXXEXOO", "probability zero"),
    ("tiqtaqtoe", "2,3 6,9 1 3,8 4,9 1,7 5,6 @OXOXXEXEO 6,8", "@OXOXXEXEO", "probability zero"),
    # the end
    ("tiqtaqtoe", "1 4 2 5 3 7 6 9 8 @XXXOOXOXO", "1", "over"),
    ("tiqtaqtoe", "1 4 2 5 3 7 6 9 8 @XXXOOXOXO", "O:1,2", "over"),
    ("tiqtaqtoe", "1 4 2 5 3 7 6 9 8 @XXXOOXOXO", "@XXXOOXOXO", "over"),
    ("tiqtaqtoe", "1 4 2 5 3,6 7,8 9 @XXXOOEOEX", "6", "over"),
]


@pytest.mark.parametrize(("name", "moves", "refused", "reason"), REFUSALS)
def test_the_rules_refuse_and_say_why(name, moves, refused, reason):
    game = Game(name)
    for move in moves.split():
        game.push(move)
    before = snapshot(game)
    assert refused not in game.legal_moves
    assert game.parse(refused) not in game.legal_moves
    with pytest.raises(IllegalMoveError, match=reason) as caught:
        game.push(refused)
    error = caught.value
    assert isinstance(error, ValueError)
    assert isinstance(error, QtttError)
    assert error.move == refused
    assert error.position == game.text() == " ".join([name, *moves.split()])
    assert all(part in str(error) for part in (refused, error.position, error.reason))
    assert "\n" not in str(error)
    assert snapshot(game) == before


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_refused_value_is_refused_like_its_text(name):
    game = Game(name)
    game.push("1")
    value = game.parse("1")
    with pytest.raises(IllegalMoveError, match="single die") as caught:
        game.push(value)
    assert caught.value.move == "1"
    assert len(game.history) == 1


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_same_square_twice_is_no_move_at_all(name):
    game = Game(name)
    for text in ("3,3", "3,-3"):
        with pytest.raises(NotationError, match="different squares"):
            game.push(text)


def test_a_strict_game_refuses_a_player_out_of_turn():
    game = Game("cancelling", strict=True)
    with pytest.raises(IllegalMoveError, match="turn") as caught:
        game.push("O:1")
    assert caught.value.move == "O:1"
    assert "O:1" not in game.legal_moves
    assert "X:1" in game.legal_moves
    game.push("X:1")
    with pytest.raises(IllegalMoveError, match="turn"):
        game.push("X:2")
    assert game.turn == "O"
    game.push("O:2")
    game.push("3")
    assert [str(move) for move in game.history] == ["X:1", "O:2", "3"]


def test_a_game_that_is_not_strict_lets_the_named_player_move():
    game = Game("cancelling")
    assert "O:1" in game.legal_moves
    game.push("3,4")
    game.push("-3,1")
    assert game.turn == "X"
    game.push("O:-4,2")
    assert game.turn == "X"
    assert {d.owner for d in game.table.dice[1]} == {"X", "O"}
    game.push("X:5")
    game.push("X:6")
    assert game.turn == "O"
    game.push("X:7")
    assert game.turn == "O"


def test_an_observed_board_is_refused_as_a_value_too():
    game = Game("shiftflip")
    with pytest.raises(IllegalMoveError, match="due only"):
        game.push(Observation("EEEEEEEEE"))
    with pytest.raises(NotationError):
        game.push(Observation("EEEE"))
    with pytest.raises(NotationError):
        game.push(Observation("nonsense!"))
    assert game.history == ()


def test_a_move_of_another_game_is_refused():
    class Castling(Move):
        def __str__(self):
            return "O-O"

    game = Game("shiftflip")
    with pytest.raises(IllegalMoveError, match="dice") as caught:
        game.push(Castling())
    assert caught.value.move == "O-O"
    assert Castling() not in game.legal_moves


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (("canceling",), {}, UnknownNameError, "did you mean 'cancelling'"),
        (("Shiftflip",), {}, UnknownNameError, "did you mean 'shiftflip'"),
        (("",), {}, UnknownNameError, "known are cancelling, cat-and-hounds, goff, "),
        (("chess",), {}, UnknownNameError, "unknown rule set 'chess'"),
        ((5,), {}, UnknownNameError, "unknown rule set 5"),
        (("tiqtaqtoe",), {"frist": "O"}, UnknownNameError, "did you mean 'first'"),
        (("tiqtaqtoe",), {"rules": "O"}, UnknownNameError, "unknown option of tiqtaqtoe 'rules'"),
        (("tiqtaqtoe",), {"first": "o"}, OptionError, "first of tiqtaqtoe is X or O, not 'o'"),
        (("tiqtaqtoe",), {"first": None}, OptionError, "first of tiqtaqtoe is X or O"),
        (("tiqtaqtoe",), {"scoring": "line"}, OptionError, "lines or points, not 'line'"),
    ],
)
def test_unknown_rules_and_options_are_refused(arguments, options, error, message):
    with pytest.raises(error, match=message) as caught:
        Game(*arguments, **options)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, QtttError)


def test_options_are_refused_beside_rules_that_have_theirs():
    rules = Game("tiqtaqtoe", first="O").rules
    assert Game(rules).turn == "O"
    with pytest.raises(OptionError):
        Game(rules, first="X")
