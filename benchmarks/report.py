"""What the benchmarks share: runs, baselines, and how figures are summed up and shown.

A row is one figure: what was measured, the median, least and largest of some values, and as
``ratio`` how many times a baseline of the same run the median is. With ``--runs N`` everything is
measured N times over, and a row also gives the median of each run and how far they lie apart.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import inf
from time import perf_counter
from typing import Any, NoReturn

from qttt_circuits import QtttError, __version__
from qttt_circuits.cli.tables import print_table
from qttt_circuits.execution import MAX_SHOTS

Row = Mapping[str, Any]
MULTIPLY_ADDS = 10_000
"""What the bare Python loop does that times are compared with."""


@dataclass(frozen=True)
class Unit:
    """What the floats of a benchmark are, and in what a person reads them."""

    title: str
    factor: float


TIME = Unit("times in milliseconds", 1000.0)
"""JSON has seconds."""
MEMORY = Unit("peak memory in MiB", 1 / 2**20)
"""JSON has bytes."""


class Parser(ArgumentParser):
    """A parser that says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        """Says what is wrong, and ends the program with status 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def at_least(least: int, most: float = inf) -> Callable[[str], int]:
    """Returns what takes integers from one number on, for a parser."""

    def integer(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            to = "on" if most == inf else f"to {most:,}"
            raise ArgumentTypeError(f"{text!r} is no integer from {least} {to}")
        return number

    return integer


positive = at_least(1)
natural = at_least(0)
shot_count = at_least(1, MAX_SHOTS)


def duration(text: str) -> float:
    """Returns a time above 0, for a parser."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < inf:
        raise ArgumentTypeError(f"{text!r} is no number above 0")
    return number


def script(main: Callable[[], None]) -> None:
    """Runs a benchmark; what the library or the system refuses is one line, and status 2."""
    try:
        main()
    except (QtttError, OSError) as error:
        sys.exit(_refused(error))


def _refused(error: Exception) -> int:
    print(f"{os.path.basename(sys.argv[0])}: {error}", file=sys.stderr)
    return 2


def parser(description: str | None, *, runs: int = 0) -> Parser:
    """Returns a parser with the options that every benchmark has.

    Args:
        description: What is measured.
        runs: How often everything is measured by default; 0 for a benchmark that runs once.
    """
    made = Parser(description=description)
    made.add_argument("--json", action="store_true", help="print one JSON document instead")
    if runs:
        made.add_argument("--runs", type=positive, default=runs, metavar="N", help="how often")
    return made


def spread(times: Iterable[float]) -> dict[str, float]:
    """Returns median, least and largest of some times."""
    times = list(times)
    return {"median": statistics.median(times), "min": min(times), "max": max(times)}


def timed(work: Callable[[], object], repeats: int) -> list[float]:
    """Returns the time of each of some repetitions of work."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return times


def bare_loop(multiply_adds: int = MULTIPLY_ADDS, repeats: int = 5) -> float:
    """Returns the least time of a Python loop of multiply-adds of floats, and of nothing else."""

    def work() -> float:
        total, factor = 0.0, 0.5
        for _ in range(multiply_adds):
            total += factor * total
        return total

    return min(timed(work, repeats))


def repeated(measure: Callable[[], Sequence[Row]], runs: int) -> list[dict[str, Any]]:
    """Returns the rows of several runs as one.

    Args:
        measure: Measures everything once; gives the same rows in the same order each time.
        runs: How often.

    Returns:
        The rows. Of each, ``medians`` are those of the runs, ``spread`` is by how much the largest
        of them exceeds the least, ``min`` and ``max`` are over all runs, other floats are medians
        over the runs, and whatever else the rows have is taken from the first run.
    """
    return [_merged(rows) for rows in zip(*(measure() for _ in range(runs)), strict=True)]


def _merged(rows: Sequence[Row]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for key in rows[0]:
        values = [row[key] for row in rows if row[key] is not None]
        merged[key] = _joined(key, values) if values else None
        if key == "median":
            merged["medians"] = values or None
            merged["spread"] = max(values) / min(values) - 1 if values else None
    return merged


def _joined(key: str, values: Sequence[Any]) -> Any:
    if key in ("min", "max"):
        return min(values) if key == "min" else max(values)
    return statistics.median(values) if isinstance(values[0], float) else values[0]


def report(
    name: str,
    rows: Sequence[Row],
    *,
    as_json: bool,
    settings: Row,
    note: str = "",
    unit: Unit = TIME,
) -> None:
    """Prints the rows of a benchmark, as a table for a person or as JSON.

    Args:
        name: The benchmark.
        rows: One measurement each, all with the same keys; floats are of the unit unless their key
            ends in ``ratio`` or is ``spread`` or ``share``; None is what was not measured.
        as_json: Whether to print JSON.
        settings: What it was measured with.
        note: What a person should know of it.
        unit: What the floats are.
    """
    if as_json:
        packages = {"qttt-circuits": __version__}  # also from a source tree, not installed
        packages |= {package: version(package) for package in ("qiskit", "qiskit-aer")}
        where = {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            **packages,
        }
        document = {"benchmark": name, "settings": settings, "environment": where, "rows": rows}
        print(json.dumps(document, indent=2))
        return
    cells = [[_cell(key, value, unit) for key, value in row.items()] for row in rows]
    names = sum(isinstance(value, str) for value in rows[0].values())
    print_table(f"{name}: {unit.title}", list(rows[0]), cells, whole=names)
    if note:
        print(note)


def settings_of(given: Namespace) -> dict[str, Any]:
    """Returns the options that a benchmark was given, but for how to print."""
    return {key: value for key, value in vars(given).items() if key != "json"}


def _cell(key: str, value: object, unit: Unit) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return " ".join(_cell("", part, unit) for part in value)
    if not isinstance(value, float):
        return str(value)
    if key in ("spread", "share"):
        return f"{value:.1%}"
    if key.endswith("ratio"):
        return f"{value:.0f}" if value >= 100 else _short(value)
    return _short(value * unit.factor)


def _short(number: float) -> str:
    return f"{number:.2f}" if number >= 0.1 or number <= 0 else f"{number:.2g}"
