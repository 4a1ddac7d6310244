"""What limits a game, compiling and sampling: the functions that take most time of their own.

Each is done a number of times under cProfile; shares are of the time of all functions together.
The profiler slows Python down and not what is written in C or Rust, so shares of Python functions
are somewhat too large.
"""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Any

from exact_engine import play as random_game
from positions import play
from report import parser, positive, report, script, settings_of, shot_count

POSITION = ("cancelling", "1,2 -2,3")


def name_of(function: tuple[str, int, str]) -> str:
    """Returns what a person calls a function of the profiler."""
    file, _, name = function
    if file == "~":
        return name.strip("<>").removeprefix("built-in method ")
    path = Path(file)
    return f"{path.parent.name}/{path.name}: {name}"


def profiled(what: str, work: Callable[[], object], repeats: int, top: int) -> list[dict[str, Any]]:
    """Returns the functions that took most time of their own, as rows."""
    work()  # fills the caches
    profile = cProfile.Profile()
    profile.enable()
    for _ in range(repeats):
        work()
    profile.disable()
    # the statistics of a function: primitive calls, calls, own time, time with all it calls
    found = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    own = {function: (calls, time) for function, (_, calls, time, *_) in found.items()}
    total = sum(time for _, time in own.values())
    most = sorted(own, key=lambda function: -own[function][1])[:top]
    return [
        {
            "what": what,
            "function": name_of(function),
            "calls": round(own[function][0] / repeats),
            "own": own[function][1] / repeats,
            "share": own[function][1] / total,
        }
        for function in most
    ]


def measure(games: int, repeats: int, shots: int, top: int) -> Iterable[dict[str, Any]]:
    """Yields the rows of everything that is profiled."""
    seeds = count(1)
    yield from profiled(
        "a random game of tiqtaqtoe",
        lambda: random_game("tiqtaqtoe", next(seeds), 200, probabilities=False),
        games,
        top,
    )
    rules, moves = POSITION
    game = play(rules, moves)
    yield from profiled("compiling, half-cancelling", game.experiment, repeats, top)
    what = f"sampling, half-cancelling, {shots} shots"
    yield from profiled(what, lambda: game.sample(shots, seed=1), repeats, top)


def main() -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--games", type=positive, default=100, metavar="N", help="profiled")
    arguments.add_argument("--repeats", type=positive, default=20, metavar="N", help="of others")
    arguments.add_argument("--shots", type=shot_count, default=10_000, metavar="N")
    arguments.add_argument("--top", type=positive, default=8, metavar="N", help="functions shown")
    given = arguments.parse_args()
    rows = list(measure(given.games, given.repeats, given.shots, given.top))
    note = (
        "own is the time of a function without those that it calls, once;\n"
        "acquiring a lock is waiting for the thread in which Aer simulates"
    )
    report("profiles", rows, as_json=given.json, settings=settings_of(given), note=note)


if __name__ == "__main__":
    script(main)
