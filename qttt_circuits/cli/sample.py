"""``qttt sample``: observe a position many times."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..distribution import ProductDistribution
from ..fit import COMPONENTS, OUTCOMES
from ..game import Game
from .arguments import (
    HELP,
    MovesCommand,
    backend_option,
    circuit_arguments,
    confirm_spending,
    json_option,
    print_json,
    yes_option,
)
from .files import check_plot, output_option, write_file
from .tables import print_table

if TYPE_CHECKING:
    from ..result import Result

DPI = 150
"""Pixels an inch of a PNG."""


@click.command(cls=MovesCommand, context_settings=HELP)
@circuit_arguments
@click.option("--shots", type=int, default=4096, show_default=True, metavar="N")
@click.option("--seed", type=int, metavar="N", help="Drawn and reported if not given.")
@output_option("--plot", help="Draw frequencies and rejections to a file: .png, .svg or .pdf.")
@backend_option
@yes_option
@json_option
def sample(
    game: Game,
    compiled: dict[str, Any],
    shots: int,
    seed: int | None,
    plot: Path | None,
    backend: str,
    yes: bool,
    as_json: bool,
) -> None:
    """Observe a position many times on a quantum computer or a simulator."""
    from ..backends import Aer, resolve
    from ..execution import check_shots

    if plot is not None:
        check_plot(plot)
    chosen = resolve(backend)
    confirm_spending(chosen, check_shots(shots), yes=yes)
    result = game.sample(
        shots,
        seed,
        backend=backend if isinstance(chosen, Aer) else chosen,
        **compiled,
    )
    if plot is not None:
        drawn = BytesIO()
        result.plot().savefig(drawn, dpi=DPI, format=plot.suffix.lower().removeprefix("."))
        write_file(plot, drawn.getvalue())
    if as_json:
        print_json(result.to_json())
        return
    click.echo(str(game))
    click.echo()
    print_result(result)


_DISTANCE = {
    OUTCOMES: "total variation distance",
    COMPONENTS: "largest total variation distance of a component",
}
_SHOWN = ("circuit", "encoding", "ancillas")


def print_result(result: Result) -> None:
    """Prints counts beside exact probabilities, and what became of every shot."""
    exact, errors, frequencies = (
        result.experiment.distribution,
        result.standard_errors,
        result.frequencies,
    )
    few = result.not_shown()
    rows = [
        [
            outcome,
            str(result.counts.get(outcome, 0)),
            f"{frequencies.get(outcome, 0.0):.4f} ± {errors.get(outcome, 0.0):.4f}",
            f"{exact.get(outcome, 0.0):{'.3g' if few else '.4f'}}",
        ]
        for outcome in result.shown()
    ]
    settings, outcomes = result.experiment.settings, result.experiment.decoder.outcomes
    print_table("outcomes", [outcomes, "counts", "frequency", "exact"], rows)
    if few:
        click.echo(few)
    if few and isinstance(exact, ProductDistribution):
        click.echo()
        _print_marginals(result, exact)
    found = result.fit()
    p_value = "none (one bin)" if found.p_value is None else f"{found.p_value:.3f}"
    parts = f"{result.parts} circuits, " if result.parts > 1 else ""
    how = [f"{name} {settings[name]}, " for name in _SHOWN if name in settings]
    click.echo(
        f"{result.account()}\n"
        f"{_DISTANCE[found.of]} {found.tvd:.4f}, p-value {p_value}\n"
        f"backend {result.backend}, {parts}{''.join(how)}seed {result.seed}"
    )


def _print_marginals(result: Result, distribution: ProductDistribution) -> None:
    """Prints what each square that is left to chance shows, beside the exact probabilities."""
    exact, seen = distribution.marginals(), result.marginals()
    letters = sorted({letter for table in (*exact.values(), *seen.values()) for letter in table})
    rows = [
        [
            str(square),
            *(
                f"{seen[square].get(letter, 0.0):.4f} ({p.get(letter, 0.0):.4f})"
                for letter in letters
            ),
        ]
        for square, p in exact.items()
        if len(p) > 1 or len(seen[square]) > 1
    ]
    print_table("squares, exact in brackets", ["", *letters], rows)
