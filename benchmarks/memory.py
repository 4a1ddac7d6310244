"""How much memory things take at their peak, each a process of its own.

The peak is the largest resident set that the operating system saw of the process, shared libraries
included. Ratios are to an empty Python.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from report import MEMORY, parser, positive, repeated, report, script, settings_of, spread

GAME = """
import random
from qttt_circuits import Game
rng, game = random.Random(1), Game("tiqtaqtoe")
while not game.observation_due:
    game.push(rng.choice(list(game.legal_moves)))
"""
PEAK = """
import resource, sys
try:
    with open("/proc/self/status") as status:
        [kibibytes] = [line.split()[1] for line in status if line.startswith("VmHWM:")]
    print(1024 * int(kibibytes))
except OSError:
    unit = 1 if sys.platform == "darwin" else 1024
    print(unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
"""Linux counts what a process was before it became another program in ``ru_maxrss``, not here."""
FULL = """
from qttt_circuits import Game
game = Game("tiqtaqtoe")
for move in "1,8 2,8 6 6,9 3,7 4,7 5".split():
    game.push(move)
"""
WHAT = {
    "python -c pass": "",
    "import qttt_circuits": "import qttt_circuits",
    "moves to a full board": GAME,
    "probabilities of a full board": f"{FULL}game.probabilities()",
    "exact probabilities of it": f"{FULL}game.probabilities(exact=True)",
    "import qiskit_aer": "import qiskit_aer.primitives",
    "compiling a full board": f"{FULL}game.experiment()",
    "sampling it on Aer": f"{FULL}game.sample(10_000, seed=1)",
}


def peak(code: str) -> int:
    """Returns the peak of a process that runs some code, in bytes."""
    done = subprocess.run(
        [sys.executable, "-c", code + PEAK], check=True, capture_output=True, text=True
    )
    return int(done.stdout.split()[-1])


def measure(repeats: int) -> list[dict[str, Any]]:
    """Measures everything once."""
    rows: list[dict[str, Any]] = []
    for what, code in WHAT.items():
        summary = spread(float(peak(f"{code}\n")) for _ in range(repeats))
        empty = rows[0]["median"] if rows else summary["median"]
        beyond = summary["median"] - empty
        rows.append({"what": what, **summary, "beyond": beyond, "ratio": summary["median"] / empty})
    return rows


def main() -> None:
    arguments = parser(__doc__, runs=2)
    arguments.add_argument("--repeats", type=positive, default=3, metavar="N", help="of each")
    given = arguments.parse_args()
    rows = repeated(lambda: measure(given.repeats), given.runs)
    report(
        "memory", rows, as_json=given.json, settings=settings_of(given), unit=MEMORY,
        note="ratio and beyond compare with python -c pass",
    )  # fmt: skip


if __name__ == "__main__":
    script(main)
