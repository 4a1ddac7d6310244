"""``qttt sample``: observe a position many times."""

from __future__ import annotations

from pathlib import Path

import click

from ..backends import Aer, resolve
from ..execution import check_shots
from ..result import Result
from .arguments import (
    HELP,
    MovesCommand,
    backend_option,
    circuit_options,
    confirm_spending,
    game_arguments,
    json_option,
    print_json,
    read_game,
    yes_option,
)
from .tables import print_table


@click.command(cls=MovesCommand, context_settings=HELP)
@game_arguments
@circuit_options
@click.option("--shots", type=int, default=4096, show_default=True, metavar="N")
@click.option("--seed", type=int, metavar="N", help="Drawn and reported if not given.")
@backend_option
@yes_option
@json_option
def sample(
    moves: tuple[str, ...],
    record: Path | None,
    options: tuple[str, ...],
    encoding: str,
    ancillas: str,
    synthesis: str,
    elide: bool,
    shots: int,
    seed: int | None,
    backend: str,
    yes: bool,
    as_json: bool,
) -> None:
    """Observe a position many times on a quantum computer or a simulator."""
    game = read_game(moves, record, options)
    chosen = resolve(backend)
    confirm_spending(chosen, check_shots(shots), yes=yes)
    result = game.sample(
        shots,
        seed,
        backend=backend if isinstance(chosen, Aer) else chosen,
        encoding=encoding,
        ancillas=ancillas,
        synthesis=synthesis,
        elide=elide,
    )
    if as_json:
        print_json(result.to_json())
        return
    click.echo(str(game))
    click.echo()
    print_result(result)


def print_result(result: Result) -> None:
    """Prints counts beside exact probabilities, and what became of every shot."""
    exact, errors, frequencies = (
        result.experiment.distribution,
        result.standard_errors,
        result.frequencies,
    )
    rows = [
        [
            outcome,
            str(result.counts.get(outcome, 0)),
            f"{frequencies.get(outcome, 0.0):.4f} ± {errors.get(outcome, 0.0):.4f}",
            f"{exact.get(outcome, 0.0):.4f}",
        ]
        for outcome in sorted({*exact, *result.counts})
    ]
    print_table("outcomes", ["board", "counts", "frequency", "exact"], rows)
    found = result.fit()
    p_value = "none (one bin)" if found.p_value is None else f"{found.p_value:.3f}"
    settings = result.experiment.settings
    click.echo(
        f"{result.account()}\n"
        f"total variation distance {found.tvd:.4f}, p-value {p_value}\n"
        f"backend {result.backend}, encoding {settings['encoding']}, "
        f"ancillas {settings['ancillas']}, seed {result.seed}"
    )
