"""Positions and games: taking back, copying, equality, the view of the legal moves, observing."""

import copy
import pickle
from itertools import islice
from random import Random

import numpy as np
import pytest
import sympy
from helpers import RULE_SETS, snapshot, whole_game
from hypothesis import given
from hypothesis import strategies as st
from strategies import games

from qttt_circuits import (
    Board,
    DiceMove,
    Game,
    IllegalMoveError,
    NotationError,
    Observation,
)
from qttt_circuits.errors import OptionError
from qttt_circuits.position import Position
from qttt_circuits.randomness import as_generator, as_seed

DUE = "5 5,9 2,6 1,3 1,4 2,8 3,7"


def played(name, moves, **options):
    game = Game(name, **options)
    for move in moves.split():
        game.push(move)
    return game


@given(games())
def test_taking_back_restores_everything_move_by_move(game):
    moves = [str(move) for move in game.history]
    replayed = Game(game.rules, strict=game.strict)
    snapshots = [snapshot(replayed)]
    for move in moves:
        replayed.push(move)
        snapshots.append(snapshot(replayed))
    assert snapshots[-1] == snapshot(game)
    for move, after in zip(reversed(moves), reversed(snapshots), strict=False):
        assert snapshot(game) == after
        assert str(game.pop()) == move
    assert snapshot(game) == snapshots[0]
    with pytest.raises(IndexError):
        game.pop()
    assert snapshot(game) == snapshots[0]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_random_walk_forth_and_back_ends_where_it_was(rules):
    rng = Random(11)
    game = Game(rules)
    stack = [snapshot(game)]
    for _ in range(60):
        if len(stack) > 1 and (game.outcome() is not None or rng.random() < 0.35):
            game.pop()
            stack.pop()
            assert snapshot(game) == stack[-1]
            continue
        if game.observation_due:
            game.observe(seed=rng)
        else:
            game.push(rng.choice(list(game.legal_moves)))
        stack.append(snapshot(game))


def test_taking_back_an_observation_brings_the_dice_back():
    game = played("tiqtaqtoe", DUE)
    before = snapshot(game)
    board = game.observe(seed=4)
    assert not any(game.table.dice)
    assert game.pop() == Observation(board)
    assert snapshot(game) == before
    game.observe(seed=4)
    assert game.observed == board


@given(games(), st.text("0123456789-,:XO@E", max_size=6))
def test_a_failed_push_changes_nothing(game, text):
    before = snapshot(game)
    try:
        game.push(text)
    except (IllegalMoveError, NotationError):
        assert snapshot(game) == before
        assert text not in game.legal_moves
    else:
        assert str(game.pop()) == text
        assert snapshot(game) == before


def test_push_returns_the_value_and_history_keeps_it_as_written():
    game = Game("cancelling")
    move = game.push("2,1")
    assert move == DiceMove((1, 2), (1, 1))
    assert str(move) == "2,1"
    value = DiceMove((2, 3), (-1, 1))
    assert game.push(value) == value
    assert game.history == (move, value)
    assert game.text() == "cancelling 2,1 -2,3"
    assert game.pop() == value


def test_the_history_cannot_be_used_to_change_the_game():
    game = played("tiqtaqtoe", "1 2")
    assert isinstance(game.history, tuple)
    found = game.probabilities()
    found.clear()
    assert game.probabilities() == {"XOEEEEEEE": 1.0}


def test_an_illegal_move_error_names_move_position_and_reason():
    game = played("cancelling", "1,2 -2,3")
    with pytest.raises(ValueError, match="closed") as caught:
        game.push("2,5")
    error = caught.value
    assert type(error) is IllegalMoveError
    assert error.move == "2,5"
    assert error.position == "cancelling 1,2 -2,3"
    assert "square 2" in error.reason
    assert str(error) == f"illegal move '2,5' in cancelling 1,2 -2,3: {error.reason}"


def test_legal_moves_are_found_only_as_far_as_they_are_asked_for(monkeypatch):
    game = Game("shiftflip")
    asked = []
    original = type(game.rules).legal_moves

    def counting(self, table):
        for move in original(self, table):
            asked.append(move)
            yield move

    monkeypatch.setattr(type(game.rules), "legal_moves", counting)
    moves = game.legal_moves
    assert asked == []
    assert [str(move) for move in islice(moves, 3)] == ["1", "-1", "2"]
    assert len(asked) == 3
    asked.clear()
    assert moves
    assert len(asked) == 1
    asked.clear()
    assert "5,6" in moves
    assert DiceMove((5, 6), (1, -1)) in moves
    assert asked == []


def test_legal_moves_are_a_view_that_follows_the_game():
    game = Game("tiqtaqtoe")
    view = game.legal_moves
    assert len(view) == 45
    game.push("1")
    assert len(view) == 44
    assert "1" not in view
    game.pop()
    assert "1" in view
    assert list(view) == list(view)
    assert repr(view).startswith("<LegalMoves 1 2 3")


def test_membership_takes_text_and_values_in_any_order_of_dice():
    game = played("cancelling", "1")
    for inside in ("1,2", "2,1", "-1,2", "2,-1", "O:2,1", DiceMove((2, 1), (1, 1))):
        assert inside in game.legal_moves
    for outside in ("1", "0", "", "nonsense", "-1,-2", None, 5, 1.5, (1, 2), object()):
        assert outside not in game.legal_moves


def test_there_is_no_turn_when_the_game_is_over():
    game = played("tiqtaqtoe", "1 4 2 5 3 7 6 9 8")
    assert game.turn == "O"
    game.observe(seed=1)
    assert game.turn is None
    game.pop()
    assert game.turn == "O"


@given(games())
def test_a_copy_is_equal_and_independent(game):
    before = snapshot(game)
    for twin in (game.copy(), game.copy().copy()):
        assert type(twin) is Game
        assert twin == game
        assert snapshot(twin) == before
        if twin.history:
            twin.pop()
            assert twin != game
        if twin.outcome() is None and not twin.observation_due:
            twin.push(next(iter(twin.legal_moves)))
            twin.pop()
        assert snapshot(game) == before


@given(games(max_plies=10))
def test_pickles_and_deep_copies_go_on_like_the_original(game):
    before = snapshot(game)
    for twin in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert type(twin) is Game
        assert twin == game
        assert snapshot(twin) == before
        whole_game(twin, Random(1), plies=4)
        assert snapshot(game) == before
        original = whole_game(game.copy(), Random(1), plies=4)
        assert original == twin
        assert snapshot(original) == snapshot(twin)


def test_games_are_equal_by_rules_options_and_moves():
    game = played("cancelling", "1,2 -2,3")
    assert game == played("cancelling", "2,1 3,-2")
    assert game != played("cancelling", "1,2 2,-3")
    assert game != played("cancelling", "1,2")
    assert game != played("cancelling", "X:1,2 -2,3")
    assert game != played("shiftflip", "1,2 -2,3")
    assert game != played("cancelling", "1,2 -2,3", scoring="points")
    assert game != played("cancelling", "1,2 -2,3", first="O")
    assert game != played("cancelling", "1,2 -2,3", strict=True)
    assert game != "cancelling 1,2 -2,3"


def test_games_change_and_so_have_no_hash():
    with pytest.raises(TypeError):
        hash(Game("tiqtaqtoe"))


def test_equality_counts_observed_boards():
    first, second = played("tiqtaqtoe", DUE), played("tiqtaqtoe", DUE)
    boards = list(first.probabilities())
    first.observe(board=boards[0])
    second.observe(board=boards[1])
    assert first != second
    second.pop()
    second.observe(board=boards[0])
    assert first == second


def test_the_repr_shows_rules_and_moves():
    assert repr(played("cancelling", "1,2 -2,3")) == "<Game cancelling 1,2 -2,3>"
    assert repr(Position("tiqtaqtoe")) == "<Position tiqtaqtoe>"


# --- observing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_same_seed_observes_the_same_board(rules):
    def boards(make_seed):
        found = []
        for seed in range(12):
            game = played(rules, "1,2 2,3 4,5 5,6 7,8 8,9")
            found.append(game.observe(seed=make_seed(seed)))
            assert game.observed == found[-1]
            assert str(game.history[-1]) == f"@{found[-1]}"
        return found

    assert boards(int) == boards(int) == boards(Random)
    assert boards(np.random.default_rng) == boards(np.random.default_rng)
    assert len(set(boards(int))) > 3


def test_a_generator_is_used_as_it_is_and_moves_on():
    rng = Random(3)
    state = rng.getstate()
    game = played("tiqtaqtoe", DUE)
    first = game.observe(seed=rng)
    assert rng.getstate() != state
    rng.setstate(state)
    game.pop()
    assert game.observe(seed=rng) == first


def test_observing_without_a_seed_draws_a_possible_board():
    game = played("tiqtaqtoe", DUE)
    possible = game.probabilities()
    board = game.observe()
    assert isinstance(board, Board)
    assert board in possible


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True, b"1", [1]])
def test_what_is_no_seed_is_refused_and_the_game_stays(seed):
    game = played("tiqtaqtoe", DUE)
    before = snapshot(game)
    with pytest.raises(OptionError):
        game.observe(seed=seed)
    assert snapshot(game) == before


def test_seeds_are_integers_or_come_from_generators():
    assert as_seed(5) == 5
    assert as_seed(np.int64(5)) == 5
    assert as_seed(Random(1)) == as_seed(Random(1))
    assert as_seed(np.random.default_rng(1)) == as_seed(np.random.default_rng(1))
    assert 0 <= as_seed(None) < 2**32
    rng = Random(2)
    assert as_generator(rng) is rng
    assert as_generator(2).random() == Random(2).random()


def test_a_board_is_replayed_and_counts_as_an_observation():
    game = played("tiqtaqtoe", DUE)
    board = max(game.probabilities())
    assert game.observe(board=board) == board
    assert game == played("tiqtaqtoe", f"{DUE} @{board}")


@pytest.mark.parametrize(
    ("moves", "arguments", "error", "reason"),
    [
        ("1", {"seed": 1}, IllegalMoveError, "due only"),
        ("1", {}, IllegalMoveError, "due only"),
        ("1", {"board": "XEEEEEEEE"}, IllegalMoveError, "due only"),
        (DUE, {"board": "EEEEEEEEE"}, IllegalMoveError, "probability zero"),
        (DUE, {"board": "XXXXXXXXX"}, IllegalMoveError, "probability zero"),
        (DUE, {"board": ""}, NotationError, "not a board"),
        (DUE, {"board": "EEEEXEEE"}, NotationError, "not a board"),
        (DUE, {"board": "EEEE"}, NotationError, "not a board"),
        (DUE, {"board": "eeeeeeeee"}, NotationError, "not a board"),
        (DUE, {"board": "@EEEEEEEEE"}, NotationError, "not a board"),
        ("1 4 2 5 3 7 6 9 8 @XXXOOXOXO", {"seed": 1}, IllegalMoveError, "over"),
        ("1 4 2 5 3 7 6 9 8 @XXXOOXOXO", {"board": "XXXOOXOXO"}, IllegalMoveError, "over"),
    ],
)
def test_a_refused_observation_leaves_the_game_as_it_was(moves, arguments, error, reason):
    game = played("tiqtaqtoe", moves)
    before = snapshot(game)
    with pytest.raises(error, match=reason):
        game.observe(**arguments)
    assert snapshot(game) == before


def test_a_refused_observation_draws_nothing_from_the_generator():
    rng = Random(8)
    state = rng.getstate()
    for moves in ("1", "1 4 2 5 3 7 6 9 8 @XXXOOXOXO"):
        with pytest.raises(IllegalMoveError) as caught:
            played("tiqtaqtoe", moves).observe(seed=rng)
        assert caught.value.move == "observe"
        assert caught.value.position == f"tiqtaqtoe {moves}"
    assert rng.getstate() == state


def test_observe_takes_one_source_only():
    game = played("tiqtaqtoe", DUE)
    with pytest.raises(OptionError, match="one of"):
        game.observe(board=max(game.probabilities()), backend="aer")


# --- numbers --------------------------------------------------------------------------------------


@given(games(max_plies=7))
def test_exact_numbers_are_sympy_expressions_of_the_floats(game):
    exact = game.probabilities(exact=True)
    found = game.probabilities()
    assert list(exact) == list(found)
    assert all(isinstance(p, sympy.Expr) for p in exact.values())
    assert sympy.expand(sum(exact.values())) == 1
    assert {b: float(p) for b, p in exact.items()} == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        ("cancelling", "1,2 -2,3"),
        ("cancelling", "3,4 -3,1 O:-4,2"),
        ("shiftflip", "1,2 -2,3"),
        ("shiftflip", "-1 1,-2"),
        ("tiqtaqtoe", "1,2 2,3"),
    ],
)
def test_exact_amplitudes_square_to_exact_probabilities(rules, moves):
    game = played(rules, moves)
    amplitudes, probabilities = game.amplitudes(exact=True), game.probabilities(exact=True)
    assert list(amplitudes) == list(probabilities) == sorted(probabilities)
    for board, amplitude in amplitudes.items():
        assert sympy.simplify(amplitude**2 - probabilities[board]) == 0
    floats = game.amplitudes()
    assert {b: float(a) for b, a in amplitudes.items()} == pytest.approx(floats, abs=1e-12)


def test_asking_collapses_nothing():
    game = played("cancelling", "1,2 -2,3")
    before = snapshot(game)
    game.probabilities()
    game.probabilities(exact=True)
    game.amplitudes()
    game.amplitudes(exact=True)
    list(game.legal_moves)
    str(game)
    assert snapshot(game) == before
    assert game.success == before["success"] == pytest.approx(0.815300968741, abs=1e-12)
