"""The perfect player in the dice games: it never loses any of what the tables promise."""

from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest
from helpers import RULE_SETS
from solver import game_from, positions

from qttt_circuits import Game, solve
from qttt_circuits.games import rules as rules_named
from qttt_circuits.players import Limit, player
from qttt_circuits.solving import known
from qttt_circuits.solving.dice import KEPT
from qttt_circuits.solving.tables import values

rule_sets = pytest.mark.parametrize("rules", RULE_SETS)
LIMIT = Limit()
MOST_MOVES = 500


def results(rules, kinds, games, seed):
    """Returns the results of games of two kinds of players, 1 where X wins."""
    seats = dict(zip("XO", (player(kind, seed + i) for i, kind in enumerate(kinds)), strict=True))
    found, rng = [], Random(seed)
    for _ in range(games):
        game = Game(rules)
        for _ in range(MOST_MOVES):
            if game.outcome() is not None:
                break
            if game.observation_due:
                game.observe(seed=rng)
            else:
                game.push(seats[game.turn].choose(game, LIMIT).move)
        found.append(game.rules.lead(game.outcome()))
    return found


def assert_keeps_its_value(rules, games, seed):
    worth = values(rules).value("E" * 9, "X")
    itself = results(rules, ("perfect", "perfect"), games, seed)
    assert abs(fmean(itself) - worth) <= 3 * stdev(itself) / sqrt(games)
    as_x = results(rules, ("perfect", "random"), games // 2, seed + 1)
    assert fmean(as_x) >= worth - 3 * stdev(as_x) / sqrt(games // 2)
    as_o = results(rules, ("random", "perfect"), games // 2, seed + 2)
    assert fmean(as_o) <= worth + 3 * stdev(as_o) / sqrt(games // 2)


def test_a_few_games_are_worth_what_the_table_says():
    assert_keeps_its_value("tiqtaqtoe", 40, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "games"), [("tiqtaqtoe", 400), ("cancelling", 400), ("shiftflip", 200)]
)
def test_two_thousand_games_are_worth_what_the_tables_say(rules, games):
    assert_keeps_its_value(rules, games, 1)


@rule_sets
def test_the_move_is_a_best_one_and_always_the_same(rules):
    for game in positions(rules, 4, 6, 6):
        if game.observation_due:
            continue
        before = game.copy()
        choices = [player("perfect", seed).choose(game, LIMIT) for seed in (1, 2)]
        assert game == before
        assert choices[0].move == choices[1].move
        found = solve(game, line=False)
        assert choices[0].value == pytest.approx(found.value, abs=1e-12)
        [value] = [r.value for r in found.moves if r.move == choices[0].move]
        assert value == pytest.approx(found.value, abs=2e-9)


# --- search


@rule_sets
def test_the_values_of_observed_boards_are_known_and_no_others(rules):
    table = values(rules)
    for game in positions(rules, 5, 10, 7):
        told = known(game.rules)
        assert told(game.tables[0]) == table.value(game.tables[0].marks, game.tables[0].turn)
        assert [told(after) for after in game.tables[1:]] == [None] * len(game.history)
    for other in (rules_named(rules, scoring="points"), rules_named("goff")):
        assert known(other)(other.start()) is None


def test_search_finds_a_best_last_move():
    # one square is open, so that the board is observed after any move
    game = game_from("shiftflip", "EEXOXOOXE", "X", ("1,9",))
    assert game.turn == "O"
    found = solve(game)
    for seed in range(5):
        choice = player("search", seed).choose(game, Limit(depth=2))
        assert choice.value == pytest.approx(found.value, abs=1e-12)


def test_a_player_remembers_few_phases_and_still_plays_the_same():
    mover = player("perfect", 1)
    played = list(positions("tiqtaqtoe", 3, 40, 11))
    first = [mover.choose(game, LIMIT).move for game in played if not game.observation_due]
    assert len(mover._memory["tiqtaqtoe"]) <= KEPT + 2  # and those of the empty board
    again = [mover.choose(game, LIMIT).move for game in played if not game.observation_due]
    assert first == again
