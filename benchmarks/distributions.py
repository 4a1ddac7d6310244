"""How long the exact distribution over all boards takes, after each ply of the dice games.

Games are random up to their first observation, and the distribution is asked for after every move;
a row is a rule set and how many moves have been made. Ratios are to a bare Python loop of as many
multiply-adds as there are squares on all the boards, which is what writing the boards down takes.
"""

from __future__ import annotations

import random
from collections import defaultdict
from statistics import median
from time import perf_counter
from typing import Any

from positions import DICE_GAMES
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

LOOP = 10_000


def measure(games: int, seed: int) -> list[dict[str, Any]]:
    """Measures every rule set once."""
    rows: list[dict[str, Any]] = []
    for rules in DICE_GAMES:
        rng = random.Random(f"{rules} {seed}")
        step = bare_loop(LOOP) / LOOP
        times: defaultdict[int, list[float]] = defaultdict(list)
        boards: defaultdict[int, list[int]] = defaultdict(list)
        for _ in range(games):
            game = Game(rules)
            while not game.observation_due:
                game.push(rng.choice(list(game.legal_moves)))
                start = perf_counter()
                found = game.probabilities()
                times[len(game.history)].append(perf_counter() - start)
                boards[len(game.history)].append(len(found))
        for ply in sorted(times):
            summary = spread(times[ply])
            usual = median(boards[ply])
            rows.append(
                {
                    "rules": rules,
                    "ply": ply,
                    "games": len(times[ply]),
                    "boards": int(usual),
                    "most boards": max(boards[ply]),
                    **summary,
                    "ratio": summary["median"] / (step * 9 * usual),
                }
            )
    return rows


def main() -> None:
    arguments = parser(__doc__, runs=2)
    arguments.add_argument("--games", type=positive, default=100, metavar="N", help="a rule set")
    arguments.add_argument("--seed", type=natural, default=1)
    given = arguments.parse_args()
    rows = repeated(lambda: measure(given.games, given.seed), given.runs)
    note = "ratios are to a bare loop of as many multiply-adds as the boards have squares"
    report(
        "the exact distribution after each ply", rows, as_json=given.json,
        settings=settings_of(given), note=note,
    )  # fmt: skip


if __name__ == "__main__":
    script(main)
