"""How cost grows with the board: a dice game on boards of 3×3 squares and larger.

On each board one seeded random game is played until no square is open, and then everything is done
with that position: its groups of entangled squares are listed, the marginal of every square is
worked out, one observation is drawn by the exact engine, the position is compiled, and it is
sampled on Aer. What the library refuses, and what was refused or took long on a smaller board, is
left out: `null` in the JSON.
`--plot FILE` draws the medians on a logarithmic scale, as PNG, SVG or PDF; that takes matplotlib,
the extra 'viz'.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from positions import DICE_GAMES
from report import (
    Row,
    bare_loop,
    duration,
    natural,
    parser,
    positive,
    repeated,
    report,
    script,
    settings_of,
    shot_count,
    spread,
    timed,
)

from qttt_circuits import Game, QtttError
from qttt_circuits.cli.files import check_plot, write_file
from qttt_circuits.games import rules as rules_named


@cache
def tell_once(what: str) -> None:
    """Says something on standard error, in the first of several runs."""
    print(what, file=sys.stderr)


def refusal(rules: str, size: int) -> str:
    """Returns why rules have no board of a size; nothing if they have one."""
    try:
        rules_named(rules, size=size)
    except QtttError as error:
        return str(error)
    return ""


def to_full_board(rules: str, size: int, seed: int) -> Game:
    """Returns a random game, moves uniform over the legal ones, with no square left open.

    Raises:
        QtttError: If the rules have no board of this size.
    """
    rng = random.Random(f"{rules} {size} {seed}")
    game = Game(rules) if size == 3 else Game(rules, size=size)
    while not game.observation_due:
        game.push(rng.choice(list(game.legal_moves)))
    return game


def replay(game: Game) -> Game:
    """Returns a game of the same rules after the same moves, which has kept nothing it found."""
    again = Game(game.rules)
    for move in game.history:
        again.push(move)
    return again


def observed(game: Game) -> None:
    """Observes a position by the exact engine, and takes the observation back."""
    game.observe(seed=1)
    game.pop()


def works(shots: int) -> dict[str, Callable[[Game], object]]:
    """Returns what is done with a position, by name."""
    return {
        "play": replay,
        "components": Game.components,
        "marginals": Game.marginals,
        "observe": observed,
        "compile": Game.experiment,
        "sample": lambda game: game.sample(shots, seed=1),
    }


def several(
    work: Callable[[Game], object], game: Game, repeats: int, seconds: float
) -> list[float]:
    """Returns how long some work takes with a position; one time only, of the first, if it is long.

    Each time the position is a new one, as a position may keep what it has found.
    """

    def once() -> float:
        fresh = replay(game)
        return timed(lambda: work(fresh), 1)[0]

    first = once()  # also fills the caches
    return [first] if first > seconds else [once() for _ in range(repeats)]


def measure(
    rules: str, sizes: Sequence[int], seed: int, shots: int, repeats: int, seconds: float
) -> list[dict[str, Any]]:
    """Measures every size once."""
    rows: list[dict[str, Any]] = []
    given_up: set[str] = set()
    for size in sizes:
        game = to_full_board(rules, size, seed)
        loop = bare_loop()
        for what, work in works(shots).items():
            times: list[float] = []
            if what not in given_up:
                try:
                    times = several(work, game, repeats, seconds)
                except QtttError as error:
                    tell_once(f"{what} is left out from {size}×{size} on: {error}")
            if not times or max(times) > seconds:
                given_up.add(what)
            rows.append(_row(size, game, what, times, loop))
    return rows


def _row(size: int, game: Game, what: str, times: list[float], loop: float) -> dict[str, Any]:
    summary = spread(times) if times else dict.fromkeys(("median", "min", "max"))
    median = summary["median"]
    return {
        "board": f"{size}×{size}",
        "what": what,
        "moves": len(game.history),
        **summary,
        "ratio": median / loop if median is not None else None,
    }


def plot(rows: Sequence[Row], rules: str, path: Path) -> None:
    """Draws the medians of the rows on a logarithmic scale, what is done a line each."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.4), layout="constrained")
    axes = figure.subplots()
    boards = list(dict.fromkeys(row["board"] for row in rows))
    for what, marker in zip(works(0), "osD^vX", strict=True):
        found = [
            (boards.index(row["board"]), 1000 * row["median"])
            for row in rows
            if row["what"] == what and row["median"] is not None
        ]
        if found:
            axes.plot(*zip(*found, strict=True), marker=marker, label=what)
    axes.set_yscale("log")
    axes.set_xticks(range(len(boards)), boards)
    axes.set_xlabel("board")
    axes.set_ylabel("time in milliseconds")
    axes.set_title(f"{rules}: a random game until no square is open")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend()
    # without a date or names drawn by chance the same figures are the same file
    dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    kind, drawn = path.suffix.lower(), BytesIO()
    with rc_context({"svg.hashsalt": rules}):
        figure.savefig(drawn, format=kind.removeprefix("."), metadata=dates.get(kind))
    write_file(path, drawn.getvalue())


def main() -> None:
    arguments = parser(__doc__, runs=2)
    arguments.add_argument("--rules", choices=DICE_GAMES, default=DICE_GAMES[0])
    arguments.add_argument("--sizes", type=positive, nargs="+", default=[3, 4, 5, 6], metavar="N")
    arguments.add_argument("--seed", type=natural, default=1)
    arguments.add_argument("--shots", type=shot_count, default=1000, metavar="N")
    arguments.add_argument("--repeats", type=positive, default=5, metavar="N", help="medians of N")
    arguments.add_argument("--seconds", type=duration, default=20, metavar="N",
                           help="what takes longer is tried on no larger board")  # fmt: skip
    arguments.add_argument("--plot", type=Path, metavar="FILE", help="draw it: .png, .svg or .pdf")
    given = arguments.parse_args()
    if given.plot:
        check_plot(given.plot)
    reasons = {size: refusal(given.rules, size) for size in given.sizes}
    given.sizes = [size for size, reason in reasons.items() if not reason]
    if not given.sizes:
        arguments.error("; ".join(reasons.values()))
    for size, reason in reasons.items():
        if reason:
            print(f"{size}×{size} is left out: {reason}", file=sys.stderr)
    rows = repeated(
        lambda: measure(
            given.rules, given.sizes, given.seed, given.shots, given.repeats, given.seconds
        ),
        given.runs,
    )
    if given.plot:
        plot(rows, given.rules, given.plot)
    settings = {**settings_of(given), "plot": str(given.plot) if given.plot else None}
    note = f"{given.shots} shots; ratios are to a bare loop of 10,000 multiply-adds"
    report("growth", rows, as_json=given.json, settings=settings, note=note)


if __name__ == "__main__":
    script(main)
