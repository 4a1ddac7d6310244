"""How well players do: seeded games of each against a player that moves at random.

A game counts (1 + own score - the other's) / 2: 1 if it is won, 1/2 if it is drawn and 0 if it is
lost, where scores are 1 and 0. A game that is unfinished after the most plies counts 1/2. The 95 %
interval is Wilson's, which is right for games that count 1 or 0 and too wide with others between.
Times are those of the player that is measured, a move.
"""

from __future__ import annotations

import json
import random
import sys
from statistics import fmean
from time import perf_counter
from typing import Any

from report import natural, parser, positive, script
from rich.console import Console
from rich.progress import track

from qttt_circuits.cli.tables import print_table
from qttt_circuits.games import Rules, all_rules, rules
from qttt_circuits.moves import Observation
from qttt_circuits.players import Limit, Player, player
from qttt_circuits.position import Position
from qttt_circuits.study import wilson

KINDS = ("search", "mcts", "perfect")
"""The kinds that are measured; the perfect one only if asked for, as it solves the game first."""
LEVELS = "12345"


def games() -> dict[str, Rules[Any]]:
    """Returns every game by what it is called here, each level of cat and hounds on its own."""
    found = {}
    for name in all_rules():
        for level in LEVELS if "level" in all_rules()[name].choices else ("",):
            options = {"level": level} if level else {}
            found[f"{name} {level}".strip()] = rules(name, **options)
    return found


def play(
    game: Rules[Any], side: int, measured: Player, seed: int, limit: Limit, most: int
) -> tuple[float, list[float]]:
    """Plays one game and returns what it counts for a side, and the time of each of its moves.

    Args:
        game: The rules.
        side: The number of the side that the measured player has.
        measured: That player.
        seed: The seed of the other player and of observations.
        limit: How much is thought about a move.
        most: The most plies.
    """
    position, rng, times = Position(game), random.Random(seed), []
    own, other = game.sides[side], game.sides[1 - side]
    random_player = player("random", rng)
    for _ in range(most):
        if position.outcome() is not None:
            break
        if position.observation_due:
            position.push(Observation(game.sample(position.table, rng)))
        elif position.turn == own:
            start = perf_counter()
            move = measured.choose(position, limit).move
            times.append(perf_counter() - start)
            position.push(move)
        else:
            position.push(random_player.choose(position, limit).move)
    outcome = position.outcome()
    if outcome is None:
        return 0.5, times
    return (1 + outcome.scores[own] - outcome.scores[other]) / 2, times


def measure(name: str, kind: str, side: int, given: Any) -> dict[str, Any]:
    """Returns a row: so many games of one kind of player on one side of one game."""
    game, limit = games()[name], Limit(given.depth, given.nodes)
    measured = player(kind, 0)
    counts, times = [], []
    for seed in track(
        range(given.seed, given.seed + given.games),
        f"{name}: {kind} plays {game.sides[side]}",
        console=Console(stderr=True),
        transient=True,
    ):
        measured.rng.seed(seed)
        count, took = play(game, side, measured, seed, limit, given.max_plies)
        counts.append(count)
        times += took
    low, high = wilson(fmean(counts), given.games)
    return {
        "rules": name,
        "player": kind,
        "side": game.sides[side],
        "games": given.games,
        "mean": fmean(counts),
        "low": low,
        "high": high,
        "seconds": fmean(times) if times else 0.0,
        "longest": max(times, default=0.0),
    }


SIDES = {None: (0, 1), "first": (0,), "second": (1,)}


def main() -> None:
    arguments = parser((__doc__ or "").splitlines()[0])
    arguments.add_argument("--games", type=positive, default=100, metavar="N", help="games a row")
    arguments.add_argument("--only", action="append", metavar="RULES", help="such as 'goff'")
    arguments.add_argument("--player", action="append", choices=KINDS, help="may be repeated")
    arguments.add_argument("--side", choices=("first", "second"), help="one side only")
    arguments.add_argument("--depth", type=positive, default=Limit.depth, metavar="N")
    arguments.add_argument("--nodes", type=positive, default=Limit.nodes, metavar="N")
    arguments.add_argument("--max-plies", type=positive, default=200, metavar="N")
    arguments.add_argument("--seed", type=natural, default=1, help="of the first game")
    given = arguments.parse_args()
    known = games()
    unknown = {*(given.only or ())} - {word for n in known for word in (n, n.split()[0])}
    if unknown:
        arguments.error(f"no game is called {' or '.join(sorted(unknown))}: {', '.join(known)}")
    wanted = [n for n in known if not given.only or {n, n.split()[0]} & {*given.only}]
    kinds = dict.fromkeys(given.player or KINDS[:2])
    refused = {
        (name, kind): reason
        for name in wanted
        for kind in kinds
        if (reason := player(kind, 0).refusal(known[name])) is not None
    }
    told = [f"{kind} does not play {name}: {why}" for (name, kind), why in refused.items()]
    if len(refused) == len(wanted) * len(kinds):
        arguments.error("; ".join(told))
    for line in told:
        print(f"left out, as {line}", file=sys.stderr)
    rows = [
        measure(name, kind, side, given)
        for name in wanted
        for kind in kinds
        if (name, kind) not in refused
        for side in SIDES[given.side]
    ]
    if given.json:
        settings = {key: getattr(given, key) for key in ("games", "depth", "nodes", "seed")}
        print(json.dumps({"benchmark": "players", "settings": settings, "rows": rows}, indent=2))
        return
    cells = [
        [
            row["rules"],
            row["player"],
            row["side"],
            f"{row['mean']:.3f}",
            f"{row['low']:.3f}-{row['high']:.3f}",
            f"{1000 * row['seconds']:.0f}",
            f"{1000 * row['longest']:.0f}",
        ]
        for row in rows
    ]
    columns = ["rules", "player", "side", "mean", "95 %", "ms a move", "longest"]
    print_table(f"against random, {given.games} games a row", columns, cells, whole=3)


if __name__ == "__main__":
    script(main)
