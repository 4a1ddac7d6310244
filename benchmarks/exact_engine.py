"""How long a whole random game takes with the exact engine.

Every move is drawn from the legal ones and checked again as it is pushed; every due observation is
drawn from the exact state, until the game ends or the limit on plies is reached: "random". "Asking"
is the same and asks for the probabilities of all boards after every ply. "Replay" only pushes the
moves and observed boards of the game.
"""

from __future__ import annotations

import random
from statistics import median_low
from time import perf_counter

from report import parser, report, spread

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


def timed(what: str, rules: str, seed: int, max_plies: int) -> tuple[float, Game]:
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


def main() -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--games", type=int, default=50, metavar="N", help="games a row")
    arguments.add_argument("--max-plies", type=int, default=200, metavar="N")
    arguments.add_argument("--seed", type=int, default=1, help="of the first game")
    given = arguments.parse_args()
    rows = []
    for rules in all_rules():
        play(rules, given.seed, given.max_plies, probabilities=True)  # fills the caches
        for what in WHAT:
            seeds = range(given.seed, given.seed + given.games)
            found = [timed(what, rules, seed, given.max_plies) for seed in seeds]
            rows.append(
                {
                    "rules": rules,
                    "what": what,
                    **spread(time for time, _ in found),
                    "plies": median_low(len(game.history) for _, game in found),
                    "unfinished": sum(game.outcome() is None for _, game in found),
                }
            )
    settings = {"games": given.games, "max_plies": given.max_plies, "seed": given.seed}
    note = f"{given.games} seeded games a row; plies is the median, observations included"
    report("a whole game, exact engine", rows, as_json=given.json, settings=settings, note=note)


if __name__ == "__main__":
    main()
