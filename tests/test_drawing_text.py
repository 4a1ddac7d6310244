"""The board as text: dice with owner, value and sign, observed marks, and what is next."""

import pytest
from hypothesis import given
from strategies import games

from qttt_circuits import Game

BOARDS = {
    ("cancelling", ""): """\
cancelling: X to move
 1      | 2      | 3
        |        |
--------+--------+--------
 4      | 5      | 6
        |        |
--------+--------+--------
 7      | 8      | 9
        |        |""",
    ("cancelling", "5 1,2 -2,3"): """\
cancelling: O to move
 1       | 2       | 3
   O2△   | O1△ X2▽ | O1△ X2△
---------+---------+---------
 4       | 5       | 6
         |   X4△   |
---------+---------+---------
 7       | 8       | 9
         |         |""",
    ("shiftflip", "-5 5,-9 8"): """\
shiftflip: O to move
 1       | 2       | 3
         |         |
---------+---------+---------
 4       | 5       | 6
         | X2▽ O2△ |
---------+---------+---------
 7       | 8       | 9
         |   X4△   | X2▽ O2▽""",
    ("tiqtaqtoe", "2,3 6,9 1 3,8 4,9 1,7 5,6"): """\
tiqtaqtoe: the board must be observed, then O moves
 1       | 2       | 3
 X2△ O2△ |   X2△   | X1△ O2△
---------+---------+---------
 4       | 5       | 6
 O1△ X2△ | O1△ X2△ | O1△ X2△
---------+---------+---------
 7       | 8       | 9
 X2△ O2△ | X1△ O2△ | O1△ X2△""",
    ("tiqtaqtoe", "2,3 6,9 1 3,8 4,9 1,7 5,6 @OXOXXEXEO 6,8"): """\
tiqtaqtoe: the board must be observed, then X moves
 1      | 2      | 3
  [O]   |  [X]   |  [O]
--------+--------+--------
 4      | 5      | 6
  [X]   |  [X]   |  O2△
--------+--------+--------
 7      | 8      | 9
  [X]   |  O2△   |  [O]""",
    ("tiqtaqtoe", "1 4 2 5 3,6 7,8 9 @XXXOOEOEX"): """\
tiqtaqtoe: X wins (three in a row; X 1, O 0)
 1      | 2      | 3
  [X]   |  [X]   |  [X]
--------+--------+--------
 4      | 5      | 6
  [O]   |  [O]   |
--------+--------+--------
 7      | 8      | 9
  [O]   |        |  [X]""",
}


@pytest.mark.parametrize(("rules", "moves"), BOARDS)
def test_a_position_prints_as_its_board(rules, moves, capsys):
    game = Game(rules)
    for move in moves.split():
        game.push(move)
    print(game)
    assert capsys.readouterr().out == BOARDS[rules, moves] + "\n"
    assert game.draw() == str(game)


@pytest.mark.parametrize(
    ("moves", "status"),
    [
        ("1 4 2 5 3 6 7 8 9 @XXXOOOXOX", "a draw (both have three in a row; X 0, O 0)"),
        ("1 2 3 5 4 6 8 7 9 @XOXXOOOXX", "a draw (full board; X 0, O 0)"),
        ("4 1 5 2 7 3 8 9 O:6 @OOOXXOXXO", "O wins (three in a row; X 0, O 1)"),
    ],
)
def test_the_first_line_says_how_the_game_ended(moves, status):
    game = Game("tiqtaqtoe")
    for move in moves.split():
        game.push(move)
    assert str(game).splitlines()[0] == f"tiqtaqtoe: {status}"


@given(games())
def test_every_die_and_mark_is_drawn_in_its_square(game):
    lines = str(game).splitlines()
    assert len(lines) == 9
    assert all(line == line.rstrip() for line in lines)
    assert lines[0].startswith(f"{game.rules.title}: ")
    cells = [cell.strip() for line in (lines[2], lines[5], lines[8]) for cell in line.split("|")]
    for square, (cell, mark, dice) in enumerate(
        zip(cells, game.observed, game.table.dice, strict=True), 1
    ):
        if mark != "E":
            assert cell == f"[{mark}]", square
        else:
            drawn = [f"{d.owner}{d.value}{'△' if d.sign == 1 else '▽'}" for d in dice]
            assert cell.split() == drawn, square
