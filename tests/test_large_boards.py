"""Dice games on boards of other sizes, where whole boards are too many to be listed."""

import json
from itertools import combinations, product
from random import Random

import numpy as np
import pytest
import sympy
from helpers import RULE_SETS
from hypothesis import given
from strategies import games

from qttt_circuits import Game, Surd
from qttt_circuits.board import Board, board_code, board_of, code_of, lines
from qttt_circuits.errors import OptionError, TooManyBoardsError
from qttt_circuits.moves import DiceMove
from qttt_circuits.players import Limit, player

EXACT = 1e-12
CORNER = {square: 5 * ((square - 1) // 3) + (square - 1) % 3 + 1 for square in range(1, 10)}
"""The squares of a board of 3 a side, laid over the upper left corner of one of 5."""


def until_due(rules, size, seed, **options):
    """Returns a game of random moves in which the board must be observed."""
    game, rng = Game(rules, size=size, **options), Random(seed)
    while not game.observation_due:
        game.push(game.random_move(rng))
    return game


def moved(move):
    """Returns a move on the corner of a larger board."""
    return DiceMove(tuple(CORNER[s] for s in move.squares), move.signs, move.player)


def in_corner(board):
    """Returns a board laid over the corner of a larger one that is empty elsewhere."""
    letters = ["E"] * 25
    for square, symbol in enumerate(board, 1):
        letters[CORNER[square] - 1] = symbol
    return "".join(letters)


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("seed", range(10))
def test_the_same_moves_make_the_same_state_on_a_corner_of_a_larger_board(rules, seed):
    small, large, rng = Game(rules), Game(rules, size=5), Random(seed)
    while not small.observation_due:
        move = small.random_move(rng)
        small.push(move)
        large.push(moved(move))
        expected = {in_corner(board): p for board, p in small.probabilities().items()}
        assert large.probabilities() == pytest.approx(expected, abs=EXACT)
        assert large.success == pytest.approx(small.success, rel=EXACT)
        # a larger board has all the moves of a smaller one
        assert {moved(m) for m in small.legal_moves} <= set(large.legal_moves)


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_legal_moves_are_the_candidates_that_are_not_refused(rules, size):
    squares, rng = range(1, size**2 + 1), Random(size)
    candidates = [DiceMove((s,), (sign,)) for s in squares for sign in (1, -1)]
    candidates += [
        DiceMove(pair, signs)
        for pair in combinations(squares, 2)
        for signs in product((1, -1), repeat=2)
    ]
    game = Game(rules, size=size)
    while not game.observation_due:
        legal = list(game.legal_moves)
        assert legal == [move for move in candidates if game.refusal(move) is None]
        assert len(game.legal_moves) == len(legal)
        game.push(legal[rng.randrange(len(legal))])
    assert not game.legal_moves


@given(games(max_plies=14))
def test_the_sets_of_a_table_are_those_of_its_dice(game):
    table = game.table
    squares = range(1, len(table.marks) + 1)
    held = dict(zip(squares, table.dice, strict=True))
    empty = {s for s in squares if not held[s] and table.marks[s - 1] == "E"}
    met = {s for s in squares if len(held[s]) == 1 and held[s][0].owner != table.turn}
    assert {s for s in squares if table.open >> s - 1 & 1} == empty
    assert {s for s in squares if table.open_empty(s)} == empty
    assert {s for s in squares if table.meetable >> s - 1 & 1} == met


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("size", [3, 4])
def test_boards_are_products_of_components_and_sum_to_marginals(rules, size):
    game = until_due(rules, size, 3)
    boards = game.probabilities()
    marginals = {s: dict.fromkeys("EXO", 0.0) for s in range(1, size**2 + 1)}
    for board, p in boards.items():
        product_ = 1.0
        for component in game.components():
            product_ *= component.probabilities["".join(board[s - 1] for s in component.squares)]
        assert product_ == pytest.approx(p, abs=EXACT)
        for square, symbol in enumerate(board, 1):
            marginals[square][symbol] += p
    assert game.marginals().keys() == marginals.keys()
    for square, held in game.marginals().items():
        assert held == pytest.approx(marginals[square], abs=EXACT)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_exact_components_and_marginals_are_those_in_floats(rules):
    game = until_due(rules, 5, 2)
    for group, exact in zip(game.components(), game.components(exact=True), strict=True):
        assert group.squares == exact.squares
        assert sum(exact.probabilities.values(), Surd(0)) == 1
        floats = {c: float(p) for c, p in exact.probabilities.items()}
        assert dict(group.probabilities) == pytest.approx(floats, abs=EXACT)
    for square, held in game.marginals(exact=True).items():
        assert sympy.simplify(sum(held.values()) - 1) == 0
        floats = {symbol: float(p) for symbol, p in held.items()}
        assert game.marginals()[square] == pytest.approx(floats, abs=EXACT)


def test_exact_marginals_of_the_half_cancelling_move():
    game = Game("cancelling", size=6)
    game.push("1,2")
    game.push("-2,3")
    # document 000: the piece is found in its first square with probability 1/(4 - √2)
    assert sympy.simplify(game.marginals(exact=True)[1]["X"] - 1 / (4 - sympy.sqrt(2))) == 0


def test_a_position_in_words_has_the_options_that_are_not_as_usual():
    game = Game("shiftflip", size=6, first="O")
    game.push("35,36")
    assert game.text() == "shiftflip first=O size=6 35,36"
    assert repr(game) == "<Game shiftflip first=O size=6 35,36>"
    assert Game("shiftflip", size=np.int64(4)).rules.title == "shiftflip size=4"


@pytest.mark.parametrize("line", [3.0, 2.5, [3], [], {}, b"3", None, True])
def test_an_option_that_is_no_text_and_no_integer_is_refused(line):
    with pytest.raises(OptionError, match="option line of shiftflip"):
        Game("shiftflip", size=4, line=line)


def test_observed_marks_are_certain_in_marginals():
    game = Game("tiqtaqtoe", size=2, line=2, scoring="points")
    for move in ("1", "2,3", "4"):
        game.push(move)
    assert game.marginals()[1] == {"E": 0.0, "X": 1.0, "O": 0.0}
    game.observe(board="XOEX")
    assert game.marginals()[2] == {"E": 0.0, "X": 0.0, "O": 1.0}
    assert game.marginals()[3] == {"E": 1.0, "X": 0.0, "O": 0.0}
    assert game.components() == ()


@pytest.mark.parametrize("rules", RULE_SETS)
def test_too_many_boards_are_not_listed_but_can_be_observed(rules):
    game = until_due(rules, 6, 1)
    seed = 1
    while game.table.state.boards <= 100_000:
        seed += 1
        game = until_due(rules, 6, seed)
    for asked in (
        game.probabilities,
        game.amplitudes,
        lambda: game.probabilities(exact=True),
        lambda: game.amplitudes(exact=True),
    ):
        with pytest.raises(TooManyBoardsError, match=r"components\(\) or marginals\(\)"):
            asked()
    board = game.observe(seed=7)
    assert len(board) == 36
    assert game.observed == board
    game.pop()
    assert game.observe(seed=7) == board
    for component in game.components():
        assert board  # the observed board is among the configurations of every component
        assert "".join(board[s - 1] for s in component.squares) in component.probabilities


def test_no_group_spans_more_than_four_squares_on_any_board():
    for rules in RULE_SETS:
        for seed in range(5):
            game = until_due(rules, 6, seed)
            assert max(len(c.squares) for c in game.components()) <= 4
            assert sum(len(c.squares) for c in game.components()) == 36


@pytest.mark.parametrize("size", [1, 2, 3, 4, 6])
def test_codes_are_ordered_as_boards_and_add_up(size):
    squares, rng = size**2, Random(size)
    boards = sorted({"".join(rng.choices("EXO", k=squares)) for _ in range(50)})
    codes = [code_of(board) for board in boards]
    assert codes == sorted(codes)
    for board, code in zip(boards, codes, strict=True):
        assert board_of(code, squares) == board
        assert isinstance(board_of(code, squares), Board)
        parts = [board_code(symbol, [s], squares) for s, symbol in enumerate(board, 1)]
        assert sum(parts) == code


def full_by(game, board):
    """Plays dice one by one until the board is full as told, and observes it."""
    left = {mark: [s for s, m in enumerate(board, 1) if m == mark] for mark in "XO"}
    while not game.observation_due:
        mark = max(left, key=lambda m: len(left[m]))
        game.push(f"{mark}:{left[mark].pop()}")
    game.observe(board=board)


def test_a_line_is_as_long_as_a_side_unless_told_otherwise():
    board = "XXXOOOOXXXOXOXOX"
    assert [[board[s - 1] for s in line] for line in lines(4, 4)].count(["X"] * 4) == 0
    game = Game("tiqtaqtoe", size=4)
    full_by(game, board)
    assert str(game.outcome()) == "a draw (full board; X 0, O 0)"
    game = Game("tiqtaqtoe", size=4, line=3)
    full_by(game, board)
    assert game.outcome().reason == "both have three in a row"
    game = Game("tiqtaqtoe", size=4, line=3, scoring="points")
    full_by(game, board)
    counts = {m: sum(all(board[s - 1] == m for s in line) for line in lines(4, 3)) for m in "XO"}
    assert game.outcome().scores == counts


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"size": 1}, "from 2 to 9, not 1"),
        ({"size": 10}, "from 2 to 9, not 10"),
        ({"line": 4}, "a line of 4 squares does not fit on a board of 3 a side"),
        ({"size": 4, "line": 1}, "from 2 to a side's, not 1"),
        ({"size": "large"}, "not 'large'"),
    ],
)
def test_sizes_and_lines_that_cannot_be_are_refused(options, said):
    with pytest.raises(OptionError, match=said):
        Game("tiqtaqtoe", **options)


def test_a_larger_board_is_recorded_with_its_size():
    game = Game("cancelling", size=4, line=3)
    game.push("1,16")
    twin = Game.from_record(json.loads(json.dumps(game.record())))
    assert twin == game
    assert twin.rules.title == "cancelling size=4 line=3"
    assert Game("cancelling", size=4).rules.title == "cancelling size=4"


@pytest.mark.parametrize("kind", ["random", "search", "mcts"])
def test_players_play_on_larger_boards(kind):
    game, mover = Game("shiftflip", size=6), player(kind, 1)
    limit = Limit(depth=2, nodes=60)
    while not game.observation_due:
        choice = mover.choose(game, limit)
        assert choice.move in game.legal_moves
        game.push(choice.move)
    assert len(game.observe(seed=1)) == 36


def test_games_without_independent_groups_say_so():
    for asked in (Game("goff").components, Game("goff").marginals):
        with pytest.raises(OptionError, match=r"goff .* ask for probabilities\(\)"):
            asked()


def test_the_shell_tells_groups_and_squares_apart(qttt):
    run = qttt("probabilities", "shiftflip", "--option", "size=4", "1,2", "-2,3", "--components")
    assert (run.status, run.err) == (0, "")
    assert any(
        "1,2,3" in row and "XEO" in row and "0.6666666667" in row for row in run.out.split("\n")
    )
    found = json.loads(
        qttt("probabilities", "cancelling", "1,2", "-2,3", "--components", "--json").out
    )
    [group] = found["components"]
    assert sorted(group["squares"]) == [1, 2, 3]
    assert sum(group["probabilities"].values()) == pytest.approx(1, abs=EXACT)
    assert sorted(group["exact"].values())[0] == "1/7 + 1/28*sqrt(2)"
    assert found["marginals"]["4"] == {"E": 1.0, "X": 0.0, "O": 0.0}


def test_the_shell_refuses_a_table_of_too_many_boards(qttt):
    moves = [f"{a},{a + 1}" for a in range(1, 36, 2)]
    run = qttt("probabilities", "tiqtaqtoe", "--option", "size=6", *moves)
    assert run.status == 2
    assert run.out == ""
    assert "262,144 boards" in run.err
    assert "components()" in run.err
