"""How long things take to start, each a process of its own, as ratios to an empty Python.

Ratios are of the least times, which other work on the machine disturbs least.
"""

from __future__ import annotations

import subprocess
import sys
from time import perf_counter

from report import parser, report, spread

GAME = """
import random
from qttt_circuits import Game
rng, game = random.Random(1), Game("tiqtaqtoe")
while game.outcome() is None:
    if game.observation_due:
        game.observe(seed=rng)
    else:
        game.push(rng.choice(list(game.legal_moves)))
"""
QTTT = ("-m", "qttt_circuits")
POSITION = ("cancelling", "1,2", "-2,3")
COMMANDS = {
    "python -c pass": ("-c", "pass"),
    "import qttt_circuits": ("-c", "import qttt_circuits"),
    "import Game, play one game": ("-c", GAME),
    "qttt probabilities": (*QTTT, "probabilities", *POSITION),
    "qttt sample": (*QTTT, "sample", *POSITION, "--seed", "1"),
}


def timed(arguments: tuple[str, ...]) -> float:
    """Returns the time of one process."""
    start = perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start


def main() -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--repeats", type=int, default=5, metavar="N", help="runs of each")
    given = arguments.parse_args()
    # in turn, so that a slow moment of the machine is shared by all of them
    times: dict[str, list[float]] = {what: [] for what in COMMANDS}
    for round_number in range(given.repeats + 1):
        for what, command in COMMANDS.items():
            time = timed(command)
            if round_number:  # the first round fills the file system's caches
                times[what].append(time)
    empty = min(times["python -c pass"])
    rows = []
    for what, found in times.items():
        summary = spread(found)
        rows.append({"what": what, **summary, "ratio": summary["min"] / empty})
    report("starting", rows, as_json=given.json, settings={"repeats": given.repeats})


if __name__ == "__main__":
    main()
