"""Classical boards: letters, squares, lines."""

import copy
import json
import pickle

import pytest
from helpers import LINES
from hypothesis import given
from hypothesis import strategies as st

from qttt_circuits import Board, NotationError, QtttError
from qttt_circuits.board import lines, opponent

boards = st.text("EXO", min_size=9, max_size=9)


def test_the_eight_lines_of_the_board_are_the_known_ones():
    found = lines()
    assert len(found) == 8
    assert {tuple(sorted(line)) for line in found} == {tuple(map(int, line)) for line in LINES}


@pytest.mark.parametrize(
    ("size", "length", "count"), [(1, 1, 4), (2, 3, 0), (3, 3, 8), (4, 4, 10), (4, 3, 24)]
)
def test_lines_of_other_boards_are_counted(size, length, count):
    found = lines(size, length)
    assert len(found) == count
    assert all(1 <= square <= size * size for line in found for square in line)
    assert all(len(line) == length for line in found)


def test_lines_of_a_larger_board_stay_straight():
    assert {(1, 6, 11), (4, 7, 10), (2, 3, 4), (8, 12, 16)} <= set(lines(4, 3))
    assert (3, 4, 5) not in lines(4, 3)


@given(boards)
def test_a_board_is_its_text(text):
    board = Board(text)
    assert board == text
    assert hash(board) == hash(text)
    assert {text: 1}[board] == 1
    assert str(board) == text
    assert json.loads(json.dumps({board: board})) == {text: text}
    assert board.size == 3
    assert Board(board) == board


@given(boards)
def test_squares_are_numbered_from_one_row_by_row(text):
    board = Board(text)
    assert "".join(board.at(square) for square in range(1, 10)) == text
    for symbol in "EXO":
        assert board.squares(symbol) == tuple(s for s in range(1, 10) if text[s - 1] == symbol)
    assert list(board.rows()) == [text[:3], text[3:6], text[6:]]
    assert board.full == ("E" not in text)


@given(boards)
def test_lines_of_a_mark_are_those_it_fills(text):
    board = Board(text)
    for mark in "XO":
        expected = {line for line in LINES if all(text[int(s) - 1] == mark for s in line)}
        found = {"".join(map(str, sorted(line))) for line in board.lines_of(mark)}
        assert found == expected


def test_lines_of_literal_boards():
    assert Board("XXXOOEOEX").lines_of("X") == ((1, 2, 3),)
    assert Board("XXXOOEOEX").lines_of("O") == ()
    assert set(Board("XOXOXOXOX").lines_of("X")) == {(1, 5, 9), (3, 5, 7)}


def test_a_diagram_shows_the_rows():
    assert Board("XEOEEEOXX").diagram() == "X . O\n. . .\nO X X"
    assert Board("XEOX").diagram() == "X .\nO X"
    assert Board("XEOX").size == 2


def test_the_opponent_is_the_other_mark():
    assert (opponent("X"), opponent("O")) == ("O", "X")


@given(boards)
def test_boards_survive_pickling_and_copying(text):
    board = Board(text)
    for twin in (pickle.loads(pickle.dumps(board)), copy.copy(board), copy.deepcopy(board)):
        assert twin == board
        assert isinstance(twin, Board)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "EEEEEEEE",
        "EEEEEEEEEE",
        "eeeeeeeee",
        "xoxoxoxox",
        "EEEEEEEE ",
        " EEEEEEEE",
        "EEEEEEEEE\n",
        "EEEE0EEEE",
        "EEEEЕEEEE",  # a Cyrillic letter in the middle
        "........." ,
        None,
        5,
        b"EEEEEEEEE",
        ["E"] * 9,
    ],
)  # fmt: skip
def test_what_is_no_board_is_refused(text):
    with pytest.raises(NotationError) as caught:
        Board(text)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, QtttError)
    assert "is not a board" in str(caught.value)
    assert "\n" not in str(caught.value)
