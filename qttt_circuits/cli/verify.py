"""``qttt verify``: check what the documents claim."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING

import click

from .arguments import (
    HELP,
    backend_option,
    confirm_spending,
    json_option,
    print_json,
    yes_option,
)
from .tables import print_table

if TYPE_CHECKING:
    from ..claims import Row
    from ..device_verification import DeviceVerification
    from ..verification import Verification


@click.command(context_settings=HELP)
@click.option("--shots", type=int, metavar="N",
              help="Shots a circuit.  [default: 100000, on a device 20000]")  # fmt: skip
@click.option("--seed", type=int, metavar="N", help="Drawn if not given.")
@backend_option
@yes_option
@json_option
def verify(shots: int | None, seed: int | None, backend: str, yes: bool, as_json: bool) -> int:
    """Check the documents' claims exactly, on state vectors, and by shots.

    On a device or a noise snapshot: the distance of the accepted shots from each position's
    distribution, beside that of the raw and of the mitigated ones. Exits with 1 if a claim does
    not hold.
    """
    from rich.console import Console
    from rich.progress import Progress

    from ..backends import Aer, resolve
    from ..claims import CLAIMS
    from ..device_verification import verify_on_device
    from ..execution import check_shots
    from ..verification import ENCODINGS, Verification
    from ..verification import verify as run_verification

    chosen = resolve(backend)
    usual = 100_000 if isinstance(chosen, Aer) else 20_000
    number = check_shots(usual if shots is None else shots)
    circuits = sum(len(claim.on_devices(ENCODINGS)) for claim in CLAIMS)
    confirm_spending(chosen, number, circuits=circuits, yes=yes)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("verifying", total=1.0)

        def progress(step: str, part: float) -> None:
            bar.update(task, description=step, completed=part)

        found: Verification | DeviceVerification
        if isinstance(chosen, Aer):
            found = run_verification(shots=number, seed=seed, backend=backend, progress=progress)
        else:
            found = verify_on_device(chosen, shots=number, seed=seed, progress=progress)
    if as_json:
        print_json(found.to_json())
    elif isinstance(found, Verification):
        print_verification(found)
    else:
        print_device_verification(found)
    return 0 if found.holds else 1


def print_device_verification(found: DeviceVerification) -> None:
    """Prints a verification on a device, a position and encoding a row."""
    from ..device_verification import DEVICE_TOLERANCE

    print_table(
        "total variation distance from the document's distribution",
        ["claim", "encoding", "raw", "selected", "mitigated", "accepted", ""],
        [
            [
                row.id,
                row.encoding,
                f"{row.raw_tvd:.4f}",
                "no shot" if row.measured is None else f"{row.measured:.4f}",
                "-" if row.mitigated_tvd is None else f"{row.mitigated_tvd:.4f}",
                f"{row.accepted / row.shots:.3f}",
                "holds" if row.holds else "FAILS",
            ]
            for row in found.rows
        ],
        whole=2,
        least=LEAST_WIDTH,
    )
    if found.without_qubits:
        click.echo(f"nothing to run for: {', '.join(found.without_qubits)}")
    if any(row.mitigated_tvd is None for row in found.rows):
        click.echo("not mitigated: readout mitigation needs pip install 'qttt-circuits[m3]'")
    held = sum(row.holds for row in found.rows)
    click.echo(
        f"{held} of {len(found.rows)} hold: post-selected distance at most {DEVICE_TOLERANCE:g}"
    )


LEAST_WIDTH = 100
"""The columns that the tables take where the terminal is narrower."""


def print_verification(found: Verification) -> None:
    """Prints a verification: a table a position, a row for each number that is claimed.

    Columns give what was found exactly, on state vectors and by shots; ``0.3867(15)`` is a
    frequency with the standard error of its last digits.
    """
    from ..claims import NUMERICAL, STANDARD_ERRORS

    positions: dict[str, dict[str, list[Row]]] = {}
    for row in found.rows:
        position, _, number = row.id.partition("/")
        positions.setdefault(position, {}).setdefault(number, []).append(row)
    for position, numbers in positions.items():
        rows = [row for same in numbers.values() for row in same]
        circuits = list(dict.fromkeys(row.encoding for row in rows if row.encoding))
        print_table(
            f"{position} ({rows[0].source}): {rows[0].claim.rpartition(': ')[0]}",
            ["claim", "value", "exact", *circuits, ""],
            [_cells(number, same, circuits) for number, same in numbers.items()],
            least=LEAST_WIDTH,
        )
    failed = [row for row in found.rows if not row.holds]
    for row in failed:
        click.echo(
            f"does not hold: {row.id} ({row.method} {row.encoding}): expected {row.expected:.9g}, "
            f"measured {row.measured:.9g}, tolerance {row.tolerance:.2g}"
        )
    click.echo(
        "exact: the exact engine. spin, pair, …: circuits in these encodings or of these kinds, "
        "by shots as\n0.3867(15), a frequency with the standard error of its last digits, and by "
        "state vectors.\noverlap: prepare, undo an independent preparation, read zeros."
    )
    tolerance = (
        f"Tolerances: exact numbers equal symbolically, state vectors to {NUMERICAL:g}, "
        f"frequencies within {STANDARD_ERRORS:g} standard errors."
    )
    click.echo(f"{tolerance}\n{len(found.rows) - len(failed)} of {len(found.rows)} checks hold")


def _cells(number: str, rows: list[Row], encodings: list[str]) -> list[str]:
    measured = {row.encoding: _measured(row) for row in rows}
    return [
        f"{number} = {' or '.join(dict.fromkeys(row.expected_exact for row in rows))}",
        " or ".join(dict.fromkeys(f"{row.expected:.6g}" for row in rows)),
        measured.get("", ""),
        *(measured.get(encoding, "") for encoding in encodings),
        "holds" if all(row.holds for row in rows) else "FAILS",
    ]


def _measured(row: Row) -> str:
    if row.method == "exact":
        return "equal" if row.holds else f"{row.measured:.6g}"
    if row.standard_error is None:
        return f"{row.measured:.5g}" if row.expected else f"{row.measured:.0e}"
    if not row.standard_error:
        return f"{row.measured:.6g}"
    digits = max(0, 1 - floor(log10(row.standard_error)))
    return f"{row.measured:.{digits}f}({round(row.standard_error * 10**digits)})"
