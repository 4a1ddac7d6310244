"""``qttt solve``: what a position is worth with best play."""

from __future__ import annotations

from fractions import Fraction

import click

from ..game import Game
from ..solving import Solution
from ..solving import solve as solve_position
from .arguments import HELP, MovesCommand, game_arguments, json_option, print_json
from .tables import print_table


@click.command(cls=MovesCommand, context_settings=HELP)
@game_arguments
@click.option("--opening", metavar="MOVE", help="A first move, as if it stood before MOVE.")
@json_option
def solve(game: Game, opening: str | None, as_json: bool) -> None:
    """Work out what a position is worth: its value, every move's, and the best line.

    The value is the score of X, or of the cat, minus the other side's with best play of both.
    """
    from rich.console import Console
    from rich.markup import escape

    if opening is not None:
        game = _opened(game, opening)
    with Console(stderr=True).status("solving") as status:
        found = solve_position(game, progress=lambda text: status.update(f"solving {escape(text)}"))
    if as_json:
        print_json(found.to_json())
        return
    click.echo(str(game))
    click.echo()
    print_solution(found)


def _opened(game: Game, opening: str) -> Game:
    """Returns a game with a move before its moves."""
    opened = Game(game.rules, strict=game.strict)
    opened.push(opening)
    for move in game.history:
        opened.push(move)
    return opened


def print_solution(found: Solution) -> None:
    """Prints a solution: moves that are worth the same share a row."""
    rows: dict[str, list[str]] = {}
    for rated in found.moves:
        plies = f" in {1 + rated.worth.plies}" if "plies" in found.facts else ""
        rows.setdefault(f"{_number(rated.value)}{plies}", []).append(str(rated.move))
    if rows:
        print_table(
            "moves, best first", ["value", "moves"], [[v, " ".join(m)] for v, m in rows.items()]
        )
    click.echo(f"value for {found.side}: {_number(found.value)}")
    if found.line:
        click.echo(f"best line: {' '.join(map(str, found.line))}")
    for name, number in found.facts.items():
        click.echo(f"{name}: {number:,}")


def _number(value: Fraction | float) -> str:
    """Returns a value with its sign and six decimals at most."""
    return f"{round(float(value), 6) + 0.0:+g}"
