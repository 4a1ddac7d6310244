"""The solver of the dice games, against a slow one, against itself, and under symmetries."""

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random

import pytest
from helpers import RULE_SETS
from solver import TURNS, Slow, game_from, observed, positions, undecided

import qttt_circuits
from qttt_circuits import Game, solve
from qttt_circuits.errors import OptionError
from qttt_circuits.games import rules as rules_named
from qttt_circuits.players import player
from qttt_circuits.solving import best
from qttt_circuits.solving.tables import values

NEAR = 1e-12
SWAP = str.maketrans("XO", "OX")
rule_sets = pytest.mark.parametrize("rules", RULE_SETS)


# --- an independent solver


def assert_small_boards(rules, chosen):
    slow, known = Slow(rules), values(rules)
    boards = ["".join(letters) for letters in product("EXO", repeat=9) if letters.count("E") <= 2]
    for board in filter(chosen, boards):
        for turn in "XO":
            assert known.value(board, turn) == pytest.approx(slow.board(board, turn), abs=NEAR)


def least(board):
    """Whether a board comes first of those that turns and reflections make of it."""
    return all(board <= "".join(board[i] for i in turned) for turned in TURNS)


@rule_sets
def test_boards_with_up_to_two_empty_squares_are_worth_what_plain_recursion_says(rules):
    assert_small_boards(rules, least)  # another test turns the boards


@pytest.mark.slow
@rule_sets
def test_all_boards_with_up_to_two_empty_squares_are_worth_what_plain_recursion_says(rules):
    assert_small_boards(rules, lambda board: True)


@rule_sets
@pytest.mark.parametrize(("empty", "number"), [(3, 12), (4, 2)])
def test_positions_are_worth_what_plain_recursion_says(rules, empty, number):
    known = values(rules)
    for game in positions(rules, empty, number, 1):
        board, turn = game.tables[0].marks, game.tables[0].turn
        anew = Slow(rules, known.value).table(observed(rules, board, turn))
        assert known.value(board, turn) == pytest.approx(anew, abs=NEAR)
        slow = Slow(rules, known.value, known.value)
        found = solve(game, line=False)
        assert found.value == pytest.approx(slow.table(game.table), abs=NEAR)
        for rated in found.moves:
            table = game.rules.play(game.table, rated.move)
            assert rated.value == pytest.approx(slow.table(table), abs=NEAR)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "empty", "number"),
    [
        *[(rules, 4, 20) for rules in RULE_SETS],
        ("tiqtaqtoe", 5, 6),
        ("tiqtaqtoe", 6, 2),
        ("cancelling", 5, 4),
        ("shiftflip", 5, 1),
    ],
)
def test_larger_boards_are_worth_what_plain_recursion_says(rules, empty, number):
    rng, known = Random(f"{rules} {empty}"), values(rules)
    for _ in range(number):
        board, turn = undecided(empty, rng), rng.choice("XO")
        slow = Slow(rules, known.value).table(observed(rules, board, turn))
        assert known.value(board, turn) == pytest.approx(slow, abs=NEAR)


# --- Bellman's equation


def assert_bellman(game):
    """The value is the best of the moves' or, of an observation, the mean of the boards'."""
    rules, known, found = game.rules, values(game.rules.name), solve(game, line=False)
    if game.observation_due:
        mean = sum(
            float(p) * known.value(board, rules.turn(game.table))
            for board, p in game.probabilities(exact=True).items()
        )
        assert found.value == pytest.approx(mean, abs=NEAR)
        assert found.moves == ()
        return
    move, value = best(game)  # searched from here, while `solve` searches from each move on
    better = max if game.turn == "X" else min
    rated = {str(r.move): r.value for r in found.moves}
    assert sorted(rated) == sorted(map(str, game.legal_moves))
    assert value == pytest.approx(better(rated.values()), abs=NEAR)
    assert rated[str(move)] == pytest.approx(value, abs=2e-9)
    assert list(rated.values()) == sorted(
        rated.values(), key=lambda v: round(v * 1e9), reverse=game.turn == "X"
    )


@rule_sets
def test_a_position_is_worth_its_best_move(rules):
    for empty in range(1, 6):
        for game in positions(rules, empty, 10, 2):
            assert_bellman(game)


@pytest.mark.slow
@rule_sets
def test_two_thousand_positions_are_worth_their_best_moves(rules):
    for empty, number in [*((empty, 250) for empty in range(1, 8)), (8, 150), (9, 100)]:
        for game in positions(rules, empty, number, 3):
            assert_bellman(game)


# --- symmetries


@rule_sets
def test_turned_positions_are_worth_the_same_and_exchanged_ones_the_negative(rules):
    for empty in range(2, 6):
        for game in positions(rules, empty, 3, 4):
            value, board = solve(game, line=False).value, game.tables[0].marks
            turn = game.tables[0].turn
            for turned in TURNS:
                image = "".join(board[turned.index(i)] for i in range(9))
                moves = [
                    ",".join(
                        f"{'-' if sign < 0 else ''}{turned[square - 1] + 1}"
                        for square, sign in zip(move.squares, move.signs, strict=True)
                    )
                    for move in game.history
                ]
                same = game_from(rules, image, turn, moves)
                assert solve(same, line=False).value == pytest.approx(value, abs=NEAR)
                other = game_from(rules, image.translate(SWAP), turn.translate(SWAP), moves)
                assert solve(other, line=False).value == pytest.approx(-value, abs=NEAR)


@rule_sets
def test_who_begins_makes_no_difference_but_the_sign(rules):
    x, o = (solve(Game(rules, first=first), line=False) for first in "XO")
    assert x.value == pytest.approx(-o.value, abs=NEAR)
    assert [r.value for r in x.moves] == pytest.approx([-r.value for r in o.moves], abs=NEAR)


# --- what is solved, and how it is told


def test_the_first_move_is_worth_what_a_search_of_the_positions_after_it_finds():
    for move in ("5", "1,2", "2,8"):
        known = {str(r.move): r.value for r in solve(Game("tiqtaqtoe"), line=False).moves}
        game = Game("tiqtaqtoe")
        game.push(move)
        assert solve(game, line=False).value == pytest.approx(known[move], abs=NEAR)


@rule_sets
def test_the_best_line_goes_to_the_next_observation_and_loses_nothing(rules):
    for empty in (3, 4, 5):
        for game in positions(rules, empty, 3, 5):
            found = solve(game)
            assert found.facts.keys() == {"positions"}
            for move in found.line:
                game.push(move)
            assert game.observation_due or game.outcome() is not None
            assert solve(game).value == pytest.approx(found.value, abs=1e-8)
            assert solve(game).line == ()


def test_a_move_out_of_turn_is_followed_by_the_other_side():
    game = Game("cancelling")
    for move in ("1", "2", "O:-3,1", "5,6", "X:4,9", "X:7"):
        game.push(move)
    slow = Slow("cancelling", values("cancelling").value)
    memory = {}
    for _ in range(2):
        assert solve(game, memory=memory).value == pytest.approx(slow.table(game.table), abs=NEAR)
        game.pop()
        game.push("O:7")


def test_a_board_that_comes_back_is_worth_what_it_was():
    # O could have gone on with something better than leaving the board as it was
    game = game_from("shiftflip", "EOOOXEXXO", "X", ("1", "-1,-6"))
    assert game.probabilities() == {"EOOOXEXXO": 1}
    assert solve(game).value == values("shiftflip").value("EOOOXEXXO", "X") != 0


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"scoring": "points"}, "solved with scoring=lines, not scoring=points"),
        ({"size": 4}, "solved with size=3, not size=4"),
        ({"line": 2}, "solved with line=3, not line=2"),
    ],
    ids=str,
)
def test_other_games_are_refused(options, part):
    with pytest.raises(OptionError, match=part):
        solve(Game("shiftflip", **options))


def test_the_command_prints_json(qttt):
    ran = qttt("solve", "cancelling", "5", "-5,6", "1", "2", "3", "4", "--json")
    assert ran.status == 0
    found = json.loads(ran.out)
    assert list(found) == ["value", "turn", "moves", "line", "positions"]
    assert found["turn"] == "X"
    kinds = {rated["move"]: rated["kind"] for rated in found["moves"]}
    assert kinds["7"] == "classical"
    assert kinds["7,8"] == "superposition"
    assert kinds["2,7"] == "entangling"
    assert kinds["-2,7"] == kinds["2,-7"] == "cancelling"
    assert found["value"] == max(rated["value"] for rated in found["moves"])
    assert found["moves"][0]["move"] == found["line"][0]


SPOILT = """
import sys
from pathlib import Path
from qttt_circuits import Game, solve
game = Game("tiqtaqtoe")
for move in ("1", "2", "3,4", "5", "6"):
    game.push(move)
print(solve(game).value)
if len(sys.argv) > 1:
    for kept in Path(sys.argv[1]).rglob("*.nb?"):
        kept.write_bytes(kept.read_bytes()[:20] if sys.argv[2] == "cut" else b"")
"""


@pytest.mark.parametrize("how", ["cut", "empty"])
def test_compiled_code_that_was_kept_and_is_damaged_is_compiled_anew(tmp_path, how):
    root = Path(qttt_circuits.__file__).parent.parent
    env = {**os.environ, "PYTHONPATH": str(root), "NUMBA_CACHE_DIR": str(tmp_path)}
    told = [
        subprocess.run(
            [sys.executable, "-c", SPOILT, *arguments],
            capture_output=True,
            encoding="utf-8",
            env=env,
            timeout=300,
        )
        for arguments in ((str(tmp_path), how), ())
    ]
    assert list(tmp_path.rglob("*.nbi")), "something was kept"
    assert [(ran.returncode, ran.stderr) for ran in told] == [(0, "")] * 2
    assert told[0].stdout == told[1].stdout


# --- boards that come back

CIRCLING = ("shiftflip", "XXOXEXEXX", "X")
"""X wins by a die on each square. A single die keeps that, but O can take it off the board."""


def test_a_move_that_wins_stands_before_one_that_lets_the_board_come_back():
    found = solve(game_from(*CIRCLING))
    worth = {str(rated.move): rated.value for rated in found.moves}
    assert worth["5"] == worth["7"] == worth["5,7"] == found.value == 1
    assert str(found.moves[0].move) == "5,7"
    assert str(found.line[0]) == "5,7"


@pytest.mark.parametrize("empty", [2, 4])
def test_a_side_that_is_ahead_makes_moves_that_are_worth_as_much_if_coming_back_is_a_draw(empty):
    rng, memory, seen = Random(empty), {}, 0
    while seen < 12:
        board, turn = undecided(empty, rng), rng.choice("XO")
        sign = 1 if turn == "X" else -1
        if sign * values("shiftflip").value(board, turn) <= 0:
            continue
        seen += 1
        game = game_from("shiftflip", board, turn)
        slow = Slow("shiftflip", known=values("shiftflip").value, again=lambda board, turn: 0.0)
        move, value = best(game, memory=memory)
        after = slow.table(game.rules.play(game.table, move))
        assert after == pytest.approx(value, abs=1e-9), (board, turn, str(move))


# --- with and without numba

PLAIN = """
import json, sys
sys.modules["numba"] = None
from qttt_circuits import Game, solve
from qttt_circuits.errors import MissingExtraError
from qttt_circuits.solving.phase.jit import COMPILED
assert not COMPILED
values = []
for line in sys.stdin:
    rules, *moves = line.split()
    game = Game(rules)
    for move in moves:
        game.push(move)
    found = solve(game)
    values.append([found.value, {str(r.move): r.value for r in found.moves}, str(found.line)])
print(json.dumps(values))
try:
    solve(Game("cancelling"), line=False)
    game = Game("shiftflip")
    game.push("1,2")
    solve(game)
except MissingExtraError as error:
    print(error)
from qttt_circuits.players import player
print(player("perfect", 1).refusal(game.rules))
"""
MIDDLE = ("tiqtaqtoe 1 1,2 3,4 5", "cancelling 1,2 -2,3 4 -4,5 6 7", "shiftflip 1,2 -2,3 4 4,5 6,7")


def test_without_numba_small_positions_are_worth_the_same_and_large_ones_name_the_extra():
    root = Path(qttt_circuits.__file__).parent.parent
    ran = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", PLAIN],
        input="\n".join(MIDDLE),
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(root)},
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    plain, message, refusal = ran.stdout.splitlines()
    for line, (value, moves, best_line) in zip(MIDDLE, json.loads(plain), strict=True):
        rules, *played = line.split()
        game = Game(rules)
        for move in played:
            game.push(move)
        found = solve(game)
        assert found.value == pytest.approx(value, abs=NEAR)
        assert {str(r.move): r.value for r in found.moves} == pytest.approx(moves, abs=NEAR)
        assert str(found.line) == best_line
    assert "solving shiftflip with more than 5 open squares" in message
    assert "pip install 'qttt-circuits[solve]'" in message
    assert refusal.startswith(
        "playing shiftflip perfectly from the start needs an optional package"
    )
    assert player("perfect", 1).refusal(rules_named("shiftflip")) is None, "numba is here"
