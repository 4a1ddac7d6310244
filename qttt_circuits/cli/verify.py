"""``qttt verify``: check what the documents claim."""

from __future__ import annotations

from math import floor, log10

import click

from ..verification import NUMERICAL, STANDARD_ERRORS, Row, Verification
from ..verification import verify as run_verification
from .arguments import FORWARD, json_option, print_json
from .tables import print_table


@click.command(context_settings=FORWARD)
@click.option("--shots", type=int, default=100_000, show_default=True, metavar="N")
@click.option("--seed", type=int, metavar="N", help="Drawn if not given.")
@click.option("--backend", default="aer", metavar="NAME", show_default=True,
              help="aer, aer:METHOD, fake_NAME or a device.")  # fmt: skip
@json_option
def verify(shots: int, seed: int | None, backend: str, as_json: bool) -> int:
    """Check the documents' claims exactly, on state vectors, and by shots.

    Exits with 1 if one does not hold.
    """
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("verifying", total=1.0)

        def progress(step: str, part: float) -> None:
            bar.update(task, description=step, completed=part)

        found = run_verification(shots=shots, seed=seed, backend=backend, progress=progress)
    if as_json:
        print_json(found.to_json())
    else:
        print_verification(found)
    return 0 if found.holds else 1


def print_verification(found: Verification) -> None:
    """Prints a verification: a table a position, a row for each number that is claimed.

    Columns give what was found exactly, on state vectors and by shots; ``0.3867(15)`` is a
    frequency with the standard error of its last digits.
    """
    encodings = list(dict.fromkeys(row.encoding for row in found.rows if row.encoding))
    positions: dict[str, dict[str, list[Row]]] = {}
    for row in found.rows:
        position, _, number = row.id.partition("/")
        positions.setdefault(position, {}).setdefault(number, []).append(row)
    for position, numbers in positions.items():
        first = next(iter(numbers.values()))[0]
        moves = first.claim.partition(":")[0]
        print_table(
            f"{position} ({first.source}): {moves}",
            ["claim", "value", "exact", *encodings, ""],
            [_cells(number, rows, encodings) for number, rows in numbers.items()],
        )
    failed = [row for row in found.rows if not row.holds]
    for row in failed:
        click.echo(
            f"does not hold: {row.id} ({row.method} {row.encoding}): expected {row.expected:.9g}, "
            f"measured {row.measured:.9g}, tolerance {row.tolerance:.2g}"
        )
    tolerance = (
        f"Tolerances: exact numbers equal symbolically, state vectors to {NUMERICAL:g}, "
        f"frequencies within {STANDARD_ERRORS:g} standard errors."
    )
    click.echo(f"{tolerance}\n{len(found.rows) - len(failed)} of {len(found.rows)} checks hold")


def _cells(number: str, rows: list[Row], encodings: list[str]) -> list[str]:
    measured = {row.encoding: _measured(row) for row in rows}
    return [
        f"{number} = {rows[0].expected_exact}",
        f"{rows[0].expected:.5g}",
        measured.get("", ""),
        *(measured.get(encoding, "") for encoding in encodings),
        "holds" if all(row.holds for row in rows) else "FAILS",
    ]


def _measured(row: Row) -> str:
    if row.method == "exact":
        return "equal" if row.holds else f"{row.measured:.5g}"
    if row.standard_error is None:
        return f"{row.measured:.5g}" if row.expected else f"{row.measured:.0e}"
    if not row.standard_error:
        return f"{row.measured:.6g}"
    digits = max(0, 1 - floor(log10(row.standard_error)))
    return f"{row.measured:.{digits}f}({round(row.standard_error * 10**digits)})"
