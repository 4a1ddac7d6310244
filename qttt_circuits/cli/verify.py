"""``qttt verify``: check what the documents claim."""

from __future__ import annotations

import click

from ..verification import Row, Verification
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
    """Prints a verification, one number a row."""
    columns = ["claim", "source", "method", "expected", "", "measured", "± s.e.", "tol.", ""]
    print_table("what the documents claim", columns, [_cells(row) for row in found.rows])
    failed = [row for row in found.rows if not row.holds]
    click.echo(f"{len(found.rows) - len(failed)} of {len(found.rows)} hold")
    for row in failed:
        click.echo(f"does not hold: {row.id} ({row.method} {row.encoding})")


def _cells(row: Row) -> list[str]:
    return [
        row.claim,
        row.source,
        f"{row.method} {row.encoding}".strip(),
        row.expected_exact,
        f"{row.expected:.6g}",
        f"{row.measured:.6g}",
        "" if row.standard_error is None else f"{row.standard_error:.2g}",
        f"{row.tolerance:.2g}",
        "holds" if row.holds else "FAILS",
    ]
