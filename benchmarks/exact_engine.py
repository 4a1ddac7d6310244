"""How long a whole random game takes with the exact engine, and how many a second that makes.

Every move is drawn from the legal ones and checked again as it is pushed; every due observation is
drawn from the exact state, until the game ends or the limit on plies is reached: "random". "Asking"
is the same and asks for the probabilities of all boards after every ply. "Replay" only pushes the
moves and observed boards of the game. Ratios are to a bare Python loop of 10,000 multiply-adds.

The engine remembers what moves make of groups of squares, so as many other games are played first,
as in a match between two programs: what is timed are games that it has not seen, by an engine that
has seen games. What the first game of a process takes is in `startup.py`.
"""

from __future__ import annotations

import random
from statistics import median_low
from time import perf_counter
from typing import Any

from report import (
    bare_loop,
    natural,
    parser,
    positive,
    repeated,
    report,
    script,
    settings_of,
    spread,
)

from qttt_circuits import Game
from qttt_circuits.games import all_rules

WHAT = ("replay", "random", "asking")


def play(rules: str, seed: int, max_plies: int, *, probabilities: bool) -> Game:
    """Plays one random game and returns it."""
    rng = random.Random(seed)
    game = Game(rules)
    for _ in range(max_plies):
        if game.outcome() is not None:
            break
        if game.observation_due:
            game.observe(seed=rng)
        else:
            game.push(rng.choice(list(game.legal_moves)))
        if probabilities:
            game.probabilities()
    return game


def warm_up(rules: str, games: int, max_plies: int, first_seed: int) -> None:
    """Plays as many games as are measured, and none of those."""
    for seed in range(first_seed + games, first_seed + 2 * games):
        play(rules, seed, max_plies, probabilities=True)


def timed_game(what: str, rules: str, seed: int, max_plies: int) -> tuple[float, Game]:
    """Returns the time that one game took, and the game."""
    if what == "replay":
        history = play(rules, seed, max_plies, probabilities=False).history
        start = perf_counter()
        game = Game(rules)
        for move in history:
            game.push(move)
    else:
        start = perf_counter()
        game = play(rules, seed, max_plies, probabilities=what == "asking")
    return perf_counter() - start, game


def measure(games: int, max_plies: int, first_seed: int) -> list[dict[str, Any]]:
    """Measures every rule set once."""
    rows: list[dict[str, Any]] = []
    for rules in all_rules():
        warm_up(rules, games, max_plies, first_seed)
        loop = bare_loop()
        for what in WHAT:
            seeds = range(first_seed, first_seed + games)
            found = [timed_game(what, rules, seed, max_plies) for seed in seeds]
            summary = spread(time for time, _ in found)
            rows.append(
                {
                    "rules": rules,
                    "what": what,
                    **summary,
                    "a second": round(games / sum(time for time, _ in found)),
                    "ratio": summary["median"] / loop,
                    "plies": median_low(len(game.history) for _, game in found),
                    "unfinished": sum(game.outcome() is None for _, game in found),
                }
            )
    return rows


def main() -> None:
    arguments = parser(__doc__, runs=2)
    arguments.add_argument("--games", type=positive, default=50, metavar="N", help="games a row")
    arguments.add_argument("--max-plies", type=positive, default=200, metavar="N")
    arguments.add_argument("--seed", type=natural, default=1, help="of the first game")
    given = arguments.parse_args()
    rows = repeated(lambda: measure(given.games, given.max_plies, given.seed), given.runs)
    note = (
        f"{given.games} seeded games a row; plies is the median, observations included; games a "
        "second are of the first run; ratios are to a bare loop of 10,000 multiply-adds"
    )
    report(
        "a whole game, exact engine", rows, as_json=given.json, settings=settings_of(given),
        note=note,
    )  # fmt: skip


if __name__ == "__main__":
    script(main)
