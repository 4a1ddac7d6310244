"""What the benchmarks share: how their figures are summed up and shown."""

from __future__ import annotations

import json
import platform
import statistics
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from qttt_circuits.cli.tables import print_table

Row = Mapping[str, Any]


def parser(description: str | None) -> ArgumentParser:
    """Returns a parser with the options that every benchmark has."""
    made = ArgumentParser(description=description)
    made.add_argument("--json", action="store_true", help="print one JSON document instead")
    return made


def spread(times: Iterable[float]) -> dict[str, float]:
    """Returns median, least and largest of some times."""
    times = list(times)
    return {"median": statistics.median(times), "min": min(times), "max": max(times)}


def report(name: str, rows: Sequence[Row], *, as_json: bool, settings: Row, note: str = "") -> None:
    """Prints the rows of a benchmark, as a table in milliseconds or as JSON in seconds.

    Args:
        name: The benchmark.
        rows: One measurement each, all with the same keys; floats are seconds unless their key is
            ``ratio``.
        as_json: Whether to print JSON.
        settings: What it was measured with.
        note: What a person should know of it.
    """
    if as_json:
        packages = {p: version(p) for p in ("qttt-circuits", "qiskit", "qiskit-aer")}
        where = {"python": platform.python_version(), "machine": platform.machine(), **packages}
        document = {"benchmark": name, "settings": settings, "environment": where, "rows": rows}
        print(json.dumps(document, indent=2))
        return
    cells = [[_cell(key, value) for key, value in row.items()] for row in rows]
    print_table(f"{name}: times in milliseconds", list(rows[0]), cells)
    if note:
        print(note)


def _cell(key: str, value: object) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:.2f}" if key == "ratio" else f"{1000 * value:.2f}"
