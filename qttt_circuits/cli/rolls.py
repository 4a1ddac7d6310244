"""``qttt rolls``: a table for real dice."""

from __future__ import annotations

import click

from ..game import Game
from ..rolls import RollTable
from ..rolls import rolls as table_for
from .arguments import HELP, MovesCommand, game_arguments, json_option, print_json
from .tables import print_table


@click.command(cls=MovesCommand, context_settings=HELP)
@game_arguments
@click.option(
    "--dice",
    default="d100",
    metavar="d100|d4|d6",
    show_default=True,
    help="The dice to roll; document 000's own way where it has one.",
)
@click.option(
    "--square",
    type=int,
    metavar="N",
    help="In the dice games, roll only the group of entangled squares that holds N.",
)
@json_option
def rolls(game: Game, dice: str, square: int | None, as_json: bool) -> None:
    """Print a table by which an observation is rolled with real dice, and how exact it is."""
    found = table_for(game, dice, square=square)
    if as_json:
        moves = [str(move) for move in game.history]
        print_json({"rules": game.rules.name, "moves": moves, **found.to_json()})
        return
    click.echo(str(game))
    click.echo()
    print_rolls(found, game.rules.outcomes)


def print_rolls(found: RollTable, outcomes: str) -> None:
    """Prints a table, what to do, and the distance.

    Args:
        found: The table.
        outcomes: What an observation shows, in one word.
    """
    several = len(found.steps) > 1
    rows = []
    for entry in found.entries():
        row = [str(entry.step or "")] if several else []
        row += [entry.rolls or "none", entry.outcome, f"{float(entry.probability):.6f}"]
        rows.append([*row, f"{float(entry.exact):.6f}", str(entry.exact)])
    columns = [*(["step"] if several else []), "roll", outcomes, "by table", "probability", "exact"]
    print_table(f"rolls of {found.dice}", columns, rows)
    for line in found.procedure:
        click.echo(line)
    click.echo(found.distance_text())
