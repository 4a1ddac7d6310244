"""A tournament: players of three kinds meet in several games, each on both sides.

More games: 10_tournament.py GAMES
"""

import random
import sys
from itertools import permutations

from qttt_circuits import Game
from qttt_circuits.players import Limit, player

games = int(sys.argv[1]) if len(sys.argv) > 1 else 2
LIMIT = Limit(depth=1, nodes=2000)
RULES = (("tiqtaqtoe", {}), ("goff-original", {}), ("cat-and-hounds", {"level": 4, "size": 6}))
KINDS = ("random", "search", "mcts")


def play(rules, options, kinds, seed):
    """Plays a game and returns the first side's score minus the other's."""
    game = Game(rules, **options)
    sides = game.rules.sides
    seats = {
        side: player(kind, seed + i) for i, side, kind in zip((0, 1), sides, kinds, strict=True)
    }
    rng = random.Random(seed)
    while game.outcome() is None:
        if game.observation_due:
            game.observe(seed=rng)  # drawn from the exact distribution
        else:
            game.push(seats[game.turn].choose(game, LIMIT).move)
    scores = game.outcome().scores
    return scores[sides[0]] - scores[sides[1]]


for rules, options in RULES:
    points = dict.fromkeys(KINDS, 0.0)
    for first, second in permutations(KINDS, 2):
        for seed in range(games):
            lead = play(rules, options, (first, second), 100 * seed)
            points[first] += (1 + lead) / 2
            points[second] += (1 - lead) / 2
    played = 2 * (len(KINDS) - 1) * games
    table = ", ".join(f"{kind} {points[kind]:g}" for kind in sorted(KINDS, key=points.get)[::-1])
    print(f"{rules}: {table} of {played} points each")
