"""Many seeded games of every rule set: none fails, and every record replays to the same game."""

import json
import random

import pytest

from qttt_circuits import Game
from qttt_circuits.games import all_rules

MOST_PLIES = 400
SETS = [
    *((name, {}) for name in sorted(all_rules()) if name != "cat-and-hounds"),
    ("goff", {"collapse": "measure"}),
    *(("cat-and-hounds", {"level": str(level)}) for level in range(1, 6)),
]
sets = pytest.mark.parametrize(("rules", "chosen"), SETS, ids=str)


def played(rules, chosen, seed):
    rng, game = random.Random(seed), Game(rules, **chosen)
    while game.outcome() is None and len(game.history) < MOST_PLIES:
        if game.observation_due:
            game.observe(seed=rng)
        else:
            game.push(game.random_move(rng))
    return game


def check(rules, chosen, seeds):
    for seed in seeds:
        game = played(rules, chosen, seed)
        outcome = game.outcome()
        if outcome is not None:
            assert game.turn is None
            assert not list(game.legal_moves)
            assert all(0 <= score <= 8 for score in outcome.scores.values())
        replayed = Game.from_record(json.loads(json.dumps(game.record())))
        assert replayed == game
        assert str(replayed.outcome()) == str(outcome)
        assert replayed.observed == game.observed
        assert replayed.probabilities() == game.probabilities()


@sets
def test_some_games_end_and_replay(rules, chosen):
    check(rules, chosen, range(10))


@pytest.mark.slow
@sets
def test_a_thousand_games_end_and_replay(rules, chosen):
    check(rules, chosen, range(1000))
