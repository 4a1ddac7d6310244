"""The positions that the benchmarks measure: the documents' and seeded random ones."""

from __future__ import annotations

import random
from collections.abc import Iterator

from qttt_circuits import Game

DICE_GAMES = ("tiqtaqtoe", "cancelling", "shiftflip")

DOCUMENTS = (
    ("superposition", "tiqtaqtoe", "1,2"),
    ("entangling", "tiqtaqtoe", "1 1,2"),
    ("half-entangling", "tiqtaqtoe", "1,2 2,3"),
    ("cancelling", "cancelling", "1 -1,2"),
    ("half-cancelling", "cancelling", "1,2 -2,3"),
    ("both halves", "cancelling", "3,4 -3,1 O:-4,2"),
    ("half-shiftflip", "shiftflip", "1,2 -2,3"),
    ("spreading", "shiftflip", "1,2 -2,-3"),
)
"""Name, rule set and moves of the positions in the documents."""


def play(rules: str, moves: str) -> Game:
    """Returns a game after some moves."""
    game = Game(rules)
    for move in moves.split():
        game.push(move)
    return game


def to_observation(rules: str, rng: random.Random) -> Game:
    """Returns a random game, moves uniform over the legal ones, up to its first observation."""
    game = Game(rules)
    while not game.observation_due:
        game.push(rng.choice(list(game.legal_moves)))
    return game


def random_positions(rules: str, number: int, seed: int = 1) -> Iterator[Game]:
    """Yields random positions: random games stopped after a uniform number of their moves."""
    rng = random.Random(f"{rules} {seed}")
    for _ in range(number):
        game = to_observation(rules, rng)
        for _ in range(rng.randrange(len(game.history))):
            game.pop()
        yield game
