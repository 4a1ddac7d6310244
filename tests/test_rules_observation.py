"""Observation, continuation and the end of a game."""

from random import Random

import pytest
from helpers import LINES, OTHER, RULE_SETS, has_line, reference_game
from hypothesis import given
from strategies import games

from qttt_circuits import Board, Game, Outcome

X_WINS = "1 4 2 5 3 7 6 9 8"  # XXXOOXOXO
BOTH = "1 4 2 5 3 6 7 8 9"  # XXXOOOXOX
NEITHER = "1 2 3 5 4 6 8 7 9"  # XOXXOOOXX
TWO_LINES = "1 5 2 6 3 8 4 9 7"  # XXXXOOXOO
OPEN_ENDED = "1 4 2 5 3,6 7,8 9"  # XX?OO??OX with X on 3 or 6, O on 7 or 8


def played(name, moves, **options):
    game = Game(name, **options)
    for move in moves.split():
        game.push(move)
    return game


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize(
    ("moves", "board", "winner", "scores", "reason"),
    [
        (X_WINS, "XXXOOXOXO", "X", (1, 0), "three in a row"),
        (BOTH, "XXXOOOXOX", None, (0, 0), "both have three in a row"),
        (NEITHER, "XOXXOOOXX", None, (0, 0), "full board"),
        (TWO_LINES, "XXXXOOXOO", "X", (1, 0), "three in a row"),
        (OPEN_ENDED, "XXXOOEOEX", "X", (1, 0), "three in a row"),
    ],
)
def test_lines_end_a_game_after_an_observation(name, moves, board, winner, scores, reason):
    game = played(name, moves)
    assert game.observation_due
    assert game.outcome() is None
    assert board in game.probabilities()
    assert game.observe(board=board) == board
    outcome = game.outcome()
    assert isinstance(outcome, Outcome)
    assert outcome.winner == winner
    assert dict(outcome.scores) == dict(zip("XO", scores, strict=True))
    assert outcome.reason == reason
    assert game.turn is None
    assert not game.observation_due
    assert list(game.legal_moves) == []
    assert len(game.legal_moves) == 0
    assert not game.legal_moves
    assert game.probabilities() == {board: 1.0}


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize(
    ("moves", "board", "winner", "scores"),
    [
        (X_WINS, "XXXOOXOXO", "X", (1, 0)),
        (BOTH, "XXXOOOXOX", None, (1, 1)),
        (NEITHER, "XOXXOOOXX", None, (0, 0)),
        (TWO_LINES, "XXXXOOXOO", "X", (2, 0)),
    ],
)
def test_points_count_a_point_a_line_on_the_full_board(name, moves, board, winner, scores):
    game = played(name, moves, scoring="points")
    game.observe(board=board)
    outcome = game.outcome()
    assert outcome.winner == winner
    assert dict(outcome.scores) == dict(zip("XO", scores, strict=True))
    assert "full board" in outcome.reason
    assert game.turn is None


@pytest.mark.parametrize("name", RULE_SETS)
def test_with_points_a_line_does_not_end_a_game_that_has_empty_squares(name):
    game = played(name, OPEN_ENDED, scoring="points")
    game.observe(board="XXXOOEOEX")
    assert game.outcome() is None
    assert game.turn == "O"
    assert {s for m in game.legal_moves for s in m.squares} == {6, 8}
    game.push("6")
    game.push("8")
    game.observe(board="XXXOOOOXX")
    assert game.outcome().winner is None
    assert dict(game.outcome().scores) == {"X": 1, "O": 1}


@pytest.mark.parametrize("name", RULE_SETS)
def test_more_points_win_where_lines_would_be_a_draw(name):
    moves = "1 7 2 8 3 9 4 X:5 X:6"
    game = played(name, moves, scoring="points")
    game.observe(board="XXXXXXOOO")
    assert dict(game.outcome().scores) == {"X": 2, "O": 1}
    assert game.outcome().winner == "X"
    game = played(name, moves)
    game.observe(board="XXXXXXOOO")
    assert dict(game.outcome().scores) == {"X": 0, "O": 0}
    assert game.outcome().winner is None


@pytest.mark.parametrize("scoring", ["lines", "points"])
def test_o_wins_with_a_line_of_o(scoring):
    game = played("tiqtaqtoe", "4 1 5 2 7 3 8 9 O:6", scoring=scoring)
    game.observe(board="OOOXXOXXO")
    assert game.outcome().winner == "O"
    assert game.outcome().scores["X"] == 0
    # 1, 2, 3 and 3, 6, 9
    assert game.outcome().scores["O"] == (1 if scoring == "lines" else 2)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("mark", ["X", "O"])
def test_any_of_the_eight_lines_wins(line, mark):
    other = OTHER[mark]
    rest = [str(s) for s in range(1, 10) if str(s) not in line]
    # the other player gets one square, the rest is cleared of a piece that left the board
    moves = [f"{mark}:{square}" for square in line] + [f"{other}:{rest[0]}"]
    for a, b in (rest[1:3], rest[3:5]):
        moves += [f"{mark}:{a}", f"{other}:-{a},-{b}"]
    game = played("shiftflip", " ".join([*moves, f"{other}:{rest[5]}"]))
    assert game.observation_due
    [board] = game.probabilities()
    assert board.count(mark) == 3
    game.observe(seed=1)
    assert game.outcome().winner == mark


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_line_of_dice_ends_nothing_before_the_board_is_observed(name):
    game = played(name, "1 4 2 5 3")
    assert all(has_line(board, "X") for board in game.probabilities())
    assert game.outcome() is None
    assert game.turn == "O"
    assert not game.observation_due
    assert "7" in game.legal_moves
    game.push("6")
    assert all(has_line(board, mark) for board in game.probabilities() for mark in "XO")
    assert game.outcome() is None
    assert game.turn == "X"


@given(games(max_plies=30))
def test_only_an_observation_ever_ends_a_game(game):
    if game.outcome() is None:
        return
    assert str(game.history[-1]).startswith("@")
    board = game.observed
    assert str(game.history[-1]) == f"@{board}"
    if game.rules.options["scoring"] == "points":
        assert board.full
    else:
        assert board.full or has_line(board, "X") or has_line(board, "O")


def test_an_observation_is_due_when_no_square_is_open_and_not_before():
    game = Game("tiqtaqtoe")
    for move in ("5", "5,9", "2,6", "1,3", "1,4", "2,8"):
        game.push(move)
        assert not game.observation_due
    game.push("3,7")
    assert game.observation_due
    # squares that hold dice for certain empty are not open either
    game = played("shiftflip", "1 -1,-2 3 4 5 6 7 8")
    assert not game.observation_due
    game.push("9")
    assert game.observation_due
    assert all(board.startswith("EE") for board in game.probabilities())


def test_marks_stay_empty_squares_open_and_the_turn_goes_to_the_initiators_opponent():
    game = played("tiqtaqtoe", "2,3 6,9 1 3,8 4,9 1,7 5,6")
    assert game.observation_due
    assert game.turn == "O"  # X made the last move
    game.observe(board="OXOXXEXEO")
    assert game.turn == "O"
    assert game.observed == "OXOXXEXEO"
    assert isinstance(game.observed, Board)
    assert not any(game.table.dice)
    assert [str(move) for move in game.legal_moves] == ["6", "8", "6,8"]
    assert game.probabilities() == {"OXOXXEXEO": 1.0}
    assert game.amplitudes() == {"OXOXXEXEO": 1.0}
    assert game.success == 1
    game.push("6,8")
    assert game.observation_due
    assert game.turn == "X"  # O made the last move
    assert game.probabilities() == pytest.approx({"OXOXXOXEO": 0.5, "OXOXXEXOO": 0.5})
    game.observe(board="OXOXXEXOO")
    assert game.turn == "X"
    assert [str(move) for move in game.legal_moves] == ["6"]
    game.push("6")
    assert game.turn == "O"
    assert game.outcome() is None
    game.observe(board="OXOXXXXOO")
    assert game.outcome().winner == "X"


def test_success_counts_from_the_last_observation():
    moves = "4,7 2,5 3,-5 8,9 -1,9 4,-6"
    game = played("cancelling", moves)
    assert game.success < 0.6
    game.observe(board="EEXEEEXOE")
    assert game.success == 1
    assert game.rules.exact_state(game.table).success == 1
    game.push("2,9")
    game.push("2,-6")
    assert game.success == pytest.approx(0.815300968741, abs=1e-9)


def test_the_initiator_is_whoever_made_the_last_move():
    game = played("tiqtaqtoe", "1 2 3 5 4 6 8 7 O:9")
    assert game.observation_due
    assert game.turn == "X"
    game = played("tiqtaqtoe", "1 2 3 5 4 6 8 7 9")
    assert game.turn == "O"


@pytest.mark.parametrize("name", RULE_SETS)
def test_option_first_says_who_begins(name):
    assert Game(name).turn == "X"
    assert Game(name, first="X").turn == "X"
    game = Game(name, first="O")
    assert game.turn == "O"
    game.push("1")
    assert game.turn == "X"
    assert game.probabilities() == {"OEEEEEEEE": 1.0}
    game.pop()
    game.push("X:1")
    assert game.turn == "O"


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("seed", range(6))
def test_random_games_end_exactly_when_the_reference_says_so(name, seed):
    game = Game(name)
    for reference, text in reference_game(name, seed, plies=60):
        if text is not None:
            game.push(text)
        ended = bool(text and text.startswith("@") and reference.over())
        assert (game.outcome() is not None) == ended, game.text()
        assert game.observation_due == (reference.full and not ended)
        assert game.turn == (None if ended else reference.turn)
        assert game.observed == reference.marks
        if ended:
            lined = [mark for mark in "XO" if has_line(reference.marks, mark)]
            assert game.outcome().winner == (lined[0] if len(lined) == 1 else None)


def test_a_shiftflip_game_can_go_on_for_ever():
    emptied = "X:1 O:-1,-2 X:3 O:-3,-4 X:5 O:-5,-6 X:7 O:-7,-8"
    game = played("shiftflip", f"{emptied} X:9")
    for _ in range(3):
        assert game.observation_due
        assert game.probabilities() == {"EEEEEEEEX": 1.0}
        game.observe(seed=0)
        assert game.outcome() is None
        assert game.observed == "EEEEEEEEX"
        assert len(game.legal_moves) == 2 * 8 + 4 * 28
        for move in emptied.split():
            game.push(move)
        assert game.turn == "X"


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (Outcome("X", {"X": 1.0, "O": 0.0}, "three in a row"),
         "X wins (three in a row; X 1, O 0)"),
        (Outcome(None, {"X": 0.5, "O": 0.5}, "full board"), "a draw (full board; X 0.5, O 0.5)"),
    ],
)  # fmt: skip
def test_an_outcome_says_who_won_and_how(outcome, text):
    assert str(outcome) == text


def test_observing_draws_from_the_distribution():
    game = played("cancelling", "1,2 -2,3 4 5 6 7 8 9")
    assert game.observation_due
    rng, counts = Random(5), {}
    draws = 1500
    for _ in range(draws):
        board = game.observe(seed=rng)
        counts[board] = counts.get(board, 0) + 1
        game.pop()
    expected = game.probabilities()
    assert counts.keys() <= expected.keys()
    for board, p in expected.items():
        # six standard deviations of a binomial count
        assert abs(counts.get(board, 0) - draws * p) < 6 * (draws * p * (1 - p)) ** 0.5
