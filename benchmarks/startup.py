"""How long things take to start, each a process of its own, beside an empty Python.

Ratios are of the least times, which other work on the machine disturbs least; "beyond" is by how
much the least time exceeds that of the empty Python. Modules are compiled beforehand, as they are
after an installation.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from report import parser, positive, repeated, report, script, settings_of, spread

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
    "import click": ("-c", "import click"),
    "import qttt_circuits": ("-c", "import qttt_circuits"),
    "import Game, play one game": ("-c", GAME),
    "qttt --help": (*QTTT, "--help"),
    "qttt probabilities": (*QTTT, "probabilities", "tiqtaqtoe", "1,2"),
    "qttt probabilities --json": (*QTTT, "probabilities", "tiqtaqtoe", "1,2", "--json"),
    "qttt sample": (*QTTT, "sample", *POSITION, "--seed", "1"),
}


def timed(arguments: tuple[str, ...], environment: Mapping[str, str]) -> float:
    """Returns the time of one process."""
    command = [sys.executable, *arguments]
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return perf_counter() - start


def measure(repeats: int, environment: Mapping[str, str]) -> list[dict[str, Any]]:
    """Measures every command once, in turn, so that a slow moment is shared by all of them."""
    times: dict[str, list[float]] = {what: [] for what in COMMANDS}
    for round_number in range(repeats + 1):
        for what, command in COMMANDS.items():
            time = timed(command, environment)
            if round_number:  # the first round fills the file system's caches
                times[what].append(time)
    empty = min(times["python -c pass"])
    rows = []
    for what, found in times.items():
        summary = spread(found)
        beyond = summary["min"] - empty
        rows.append({"what": what, **summary, "beyond": beyond, "ratio": summary["min"] / empty})
    return rows


def main() -> None:
    arguments = parser(__doc__, runs=2)
    arguments.add_argument("--repeats", type=positive, default=5, metavar="N", help="of each")
    given = arguments.parse_args()
    with TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        rows = repeated(lambda: measure(given.repeats, environment), given.runs)
    note = "ratio and beyond compare least times with that of python -c pass"
    report("starting", rows, as_json=given.json, settings=settings_of(given), note=note)


if __name__ == "__main__":
    script(main)
