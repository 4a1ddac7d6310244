"""The notation of moves and observed boards."""

import copy
import pickle
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import dice_moves

from qttt_circuits import Board, DiceMove, Game, NotationError, Observation
from qttt_circuits.moves import parse_dice

BAD_MOVES = [
    "",
    " ",
    "1,",
    ",1",
    ",",
    "1,,2",
    " 1",
    "1 ",
    "1, 2",
    "1 2",
    "1;2",
    "1-2",
    "1\n",
    "1,2\n",
    "\n1",
    "X:1\n",
    "1\r",
    "1,2\x00",
    "1.0",
    "1e0",
    "+1",
    "0x1",
    "1_0",
    "01",
    "1,02",
    "00",
    "--1,2",
    "1,--2",
    "-",
    "-,1",
    "1-",
    "\u22121,2",  # a minus sign that is none of ASCII's
    "\uff11,2",  # a full-width digit
    "\u0661",  # an Arabic digit
    "\u00b2",
    "1,2,3",
    "1,-2,3",
    "1,1",
    "1,-1",
    "-1,-1",
    "O:",
    ":1",
    "x:1",
    "o:1",
    "E:1",
    "Z:1",
    "XO:1",
    "X:X:1",
    "X: 1",
    "X;1",
    "O:1,1",
    "1000",
    "9" * 20,
    "9" * 5000,
    "1," + "9" * 5000,
    "one",
    "c7",
    "5=X3",
    "1:0.6,5:-0.8",
]

BAD_BOARDS = [
    "@",
    "@EEEEEEEE",
    "@EEEEEEEEEE",
    "@eeeeeeeee",
    "@EEEEEEEEE\n",
    "@ EEEEEEEE",
    "@EEEEEEEE?",
    "@@EEEEEEEEE",
    "O:@EEEEEEEEE",
    "-@EEEEEEEEE",
    "@E",
    "@EEEE",
    "@" + "E" * 16,
]


@given(dice_moves())
def test_text_parses_to_the_value_and_back(move):
    text = str(move)
    parsed = DiceMove.parse(text)
    assert parsed == move
    assert hash(parsed) == hash(move)
    assert (parsed.squares, parsed.signs, parsed.player) == (move.squares, move.signs, move.player)
    assert str(parsed) == text
    assert parse_dice(text) == move


@given(st.text("0123456789-,:XO@E \n", max_size=8))
def test_text_is_refused_or_prints_back_the_same(text):
    try:
        move = parse_dice(text)
    except NotationError:
        return
    assert str(move) == text


@given(st.text(max_size=6))
def test_any_text_at_all_is_refused_or_prints_back_the_same(text):
    try:
        move = parse_dice(text)
    except NotationError:
        return
    assert str(move) == text


@given(dice_moves())
def test_the_order_of_the_dice_matters_to_the_print_only(move):
    turned = DiceMove(move.squares[::-1], move.signs[::-1], move.player)
    assert turned == move
    assert hash(turned) == hash(move)
    assert len({turned, move}) == 1


def test_one_two_and_two_one_are_one_move_and_print_as_written():
    first, second = parse_dice("1,2"), parse_dice("2,1")
    assert first == second
    assert hash(first) == hash(second)
    assert (str(first), str(second)) == ("1,2", "2,1")
    assert str(parse_dice("O:-9,3")) == "O:-9,3"


def test_a_leading_minus_lays_that_die_upside_down():
    assert parse_dice("5") == DiceMove((5,), (1,))
    assert parse_dice("-5") == DiceMove((5,), (-1,))
    assert parse_dice("1,-2") == DiceMove((1, 2), (1, -1))
    assert parse_dice("-1,2") == DiceMove((1, 2), (-1, 1))
    assert parse_dice("O:-4,2") == DiceMove((4, 2), (-1, 1), "O")
    assert parse_dice("-4,2").player is None


def test_moves_differ_by_square_sign_and_player():
    texts = [
        f"{player}{','.join(f'{s}{q}' for s, q in zip(signs, squares, strict=True))}"
        for player in ("", "X:", "O:")
        for squares in ((1,), (2,), (1, 2), (1, 3))
        for signs in product(("", "-"), repeat=len(squares))
    ]
    assert len({parse_dice(text) for text in texts}) == len(texts)
    assert parse_dice("1") != "1"
    assert parse_dice("-1,2") != parse_dice("1,-2")


@pytest.mark.parametrize("text", BAD_MOVES)
def test_bad_notation_is_refused_in_one_line(text):
    with pytest.raises(NotationError) as caught:
        parse_dice(text)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)
    assert str(caught.value)


@pytest.mark.parametrize("text", BAD_MOVES + BAD_BOARDS)
def test_bad_notation_is_refused_by_a_game_which_stays_as_it_is(text):
    game = Game("shiftflip")
    with pytest.raises(NotationError):
        game.push(text)
    assert game.history == ()
    assert text not in game.legal_moves


@pytest.mark.parametrize("value", [None, 5, 1.0, ("1", "2"), b"1", ["1,2"], object()])
def test_what_is_neither_text_nor_a_move_is_refused(value):
    game = Game("tiqtaqtoe")
    with pytest.raises(NotationError):
        game.push(value)
    assert value not in game.legal_moves


@pytest.mark.parametrize(
    ("squares", "signs"), [((), ()), ((1, 2, 3), (1, 1, 1)), ((4, 4), (1, -1))]
)
def test_values_with_a_wrong_number_of_squares_are_refused(squares, signs):
    with pytest.raises(NotationError):
        DiceMove(squares, signs)


@given(st.text("EXO", min_size=9, max_size=9))
def test_observed_boards_parse_and_print_back(text):
    move = parse_dice(f"@{text}")
    assert move == Observation(text)
    assert str(move) == f"@{text}"
    assert isinstance(move.outcome, Board)
    assert move.player is None
    assert move != parse_dice("1")


@given(dice_moves())
def test_moves_survive_pickling_and_copying(move):
    for twin in (pickle.loads(pickle.dumps(move)), copy.copy(move), copy.deepcopy(move)):
        assert twin == move
        assert str(twin) == str(move)


def test_moves_cannot_be_changed():
    move = DiceMove((1,), (1,))
    with pytest.raises(AttributeError):
        move.squares = (2,)
    with pytest.raises(AttributeError):
        move.player = "O"
