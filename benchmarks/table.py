"""Runs the benchmarks and writes their main figures as a table in Markdown.

    python benchmarks/table.py               runs the scripts, keeps their JSON in build/benchmarks
    python benchmarks/table.py --from DIR    takes the JSON of an earlier run instead
    python benchmarks/table.py --only NAME   of some scripts only

A row is a figure, the median of each run, how far the runs lie apart, the least of all, which other
work on the machine disturbs least, and how many times its baseline it is, which was measured in the
same run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from report import Parser, script

from qttt_circuits.errors import RecordError

HERE = Path(__file__).parent
KEPT = Path("build/benchmarks")
SHOWN = ("half-cancelling", "full board")


def every(row: dict[str, Any]) -> bool:
    """Whether a row is shown: always."""
    return True


def gates(row: dict[str, Any]) -> str:
    """Returns the two-qubit gates of a row, in words; nothing where there are none to count."""
    return "" if row["gates"] is None else f" ({row['gates']} two-qubit gates)"


@dataclass(frozen=True)
class Source:
    """A script and what of it the table shows.

    Attributes:
        name: The script's name, without its ending.
        baseline: What its ratios are to.
        figure: The words for a row.
        shown: Whether a row is in the table.
        unit: What its values are.
    """

    name: str
    baseline: str
    figure: Callable[[dict[str, Any]], str]
    shown: Callable[[dict[str, Any]], bool] = every
    unit: str = "s"


SOURCES = (
    Source("startup", "`python -c pass`", lambda row: f"`{row['what']}`"),
    Source("memory", "`python -c pass`", lambda row: str(row["what"]), unit="B"),
    Source(
        "exact_engine",
        "loop of 10,000 multiply-adds",
        lambda row: f"a random game of `{row['rules']}`",
        lambda row: row["what"] == "random",
    ),
    Source(
        "distributions",
        "loop over the squares of the boards",
        lambda row: f"probabilities after {row['ply']} moves of `{row['rules']}`",
        lambda row: row["rules"] == "tiqtaqtoe" and row["ply"] <= 6,
    ),
    Source(
        "sampling",
        "for compiling a loop of 10,000 multiply-adds, for sampling Aer's own time",
        lambda row: f"{row['what']}, {row['position']}, `{row['encoding']}`",
        lambda row: row["position"] in SHOWN,
    ),
    Source("floors", "its floor", lambda row: f"{row['what']} (floor: {row['floor is']})"),
    Source(
        "growth",
        "loop of 10,000 multiply-adds",
        lambda row: f"{row['what']}, {row['board']}, {row['moves']} moves",
        lambda row: row["median"] is not None,
    ),
    Source(
        "peer_unitary",
        "the same by this library",
        lambda row: f"{row['what']}, {row['who']}" + gates(row),
    ),
)


def document(source: Source, directory: Path, *, run: bool) -> dict[str, Any] | None:
    """Returns what a script found, now or in an earlier run; None if it found nothing.

    Raises:
        SystemExit: If the script fails.
        RecordError: If what was kept of an earlier run is damaged.
    """
    path = directory / f"{source.name}.json"
    if run:
        directory.mkdir(parents=True, exist_ok=True)
        print(f"running {source.name}.py", file=sys.stderr)
        command = [sys.executable, str(HERE / f"{source.name}.py"), "--json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8")
        if done.returncode:
            sys.exit(f"{source.name}.py failed with status {done.returncode}")
        path.write_text(done.stdout, encoding="utf-8")
    if not path.is_file():
        return None
    text = path.read_text(encoding="utf-8")
    try:
        found: dict[str, Any] | None = json.loads(text) if text.strip() else None
    except ValueError:
        raise RecordError(f"{path}: not a JSON document") from None
    if found is not None and not (isinstance(found, dict) and {"environment", "rows"} <= {*found}):
        raise RecordError(f"{path}: not what a benchmark prints with --json")
    return found


def value(number: float, unit: str) -> str:
    """Returns a value with three digits and a unit that suits it."""
    if unit == "B":
        return f"{number / 2**20:.1f} MiB"
    if number >= 1:
        return f"{number:.3g} s" if number < 1000 else f"{number:.0f} s"
    return f"{1e3 * number:.3g} ms" if number >= 1e-3 else f"{1e6 * number:.3g} µs"


def lines(source: Source, found: dict[str, Any]) -> Iterator[str]:
    """Yields the rows of a script in Markdown."""
    for row in found["rows"]:
        if not source.shown(row):
            continue
        runs = ", ".join(value(median, source.unit) for median in row["medians"])
        ratio = f"{row['ratio']:.3g}" if row["ratio"] < 1000 else f"{row['ratio']:,.0f}"
        least = value(row["min"], source.unit)
        yield f"| {source.figure(row)} | {runs} | {row['spread']:.0%} | {least} | {ratio} |"


def table(sources: Sequence[Source], directory: Path, *, run: bool) -> Iterator[str]:
    """Yields the lines of the table, a part for each script that found something."""
    for source in sources:
        found = document(source, directory, run=run)
        if found is None:
            continue
        if source is not sources[0]:
            yield ""
        where = found["environment"]
        yield (
            f"`benchmarks/{source.name}.py`; Python {where['python']}, Qiskit {where['qiskit']}, "
            f"Aer {where['qiskit-aer']}, {where['cores']} cores. Ratios are to: {source.baseline}."
        )
        yield ""
        yield "| figure | runs | spread | least | ratio |"
        yield "|---|---|---|---|---|"
        yield from lines(source, found)


def main() -> None:
    arguments = Parser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--from", dest="kept", type=Path, metavar="DIR")
    arguments.add_argument("--only", nargs="+", choices=[s.name for s in SOURCES], metavar="NAME")
    given = arguments.parse_args()
    sources = [s for s in SOURCES if not given.only or s.name in given.only]
    if given.kept and not any((given.kept / f"{s.name}.json").is_file() for s in sources):
        names = ", ".join(f"{source.name}.json" for source in sources)
        arguments.error(f"--from {given.kept}: none of {names} is there")
    for line in table(sources, given.kept or KEPT, run=given.kept is None):
        print(line, flush=True)


if __name__ == "__main__":
    script(main)
