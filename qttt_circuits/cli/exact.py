"""Commands that need the exact engine only; they load neither Qiskit nor a simulator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..game import Game
from ..games import all_rules
from .arguments import (
    HELP,
    MovesCommand,
    game_arguments,
    json_option,
    print_json,
    read_game,
    read_record,
)
from .tables import print_table


@click.command(context_settings=HELP)
@json_option
def rules(as_json: bool) -> None:
    """List the rule sets."""
    found = all_rules()
    if as_json:
        print_json(
            {
                name: {
                    "summary": cls.summary,
                    "source": cls.source,
                    "options": {k: list(v) for k, v in cls.choices.items()},
                }
                for name, cls in found.items()
            }
        )
        return
    print_table(
        "rule sets",
        ["name", "what it is", "document", "options (default first)"],
        [
            [
                name,
                cls.summary,
                cls.source,
                " ".join(f"{k}={'|'.join(v)}" for k, v in cls.choices.items()),
            ]
            for name, cls in found.items()
        ],
    )


def _header(game: Game) -> dict[str, Any]:
    return {
        "rules": game.rules.name,
        "moves": [str(move) for move in game.history],
        "turn": game.turn,
        "observation_due": game.observation_due,
        "success": game.success,
    }


@click.command(cls=MovesCommand, context_settings=HELP)
@game_arguments
@click.option("--exact", is_flag=True, help="Print exact numbers a + b*sqrt(2) as well.")
@json_option
def probabilities(
    moves: tuple[str, ...],
    record: Path | None,
    options: tuple[str, ...],
    exact: bool,
    as_json: bool,
) -> None:
    """Print the probability of every board that an observation could show.

    Nothing is observed by asking.
    """
    game = read_game(moves, record, options)
    found = game.probabilities()
    if not (exact or as_json):
        click.echo(str(game))
        click.echo()
        rows = [[board, f"{p:.10f}"] for board, p in found.items()]
        print_table("probabilities", ["board", "probability"], rows)
        return
    surds = {str(b): str(p) for b, p in game.exact_state.distribution(game.observed).items()}
    if as_json:
        print_json({**_header(game), "probabilities": found, "exact": surds})
        return
    click.echo(str(game))
    click.echo()
    rows = [[board, f"{p:.10f}", surds[board]] for board, p in found.items()]
    print_table("probabilities", ["board", "probability", "exact"], rows)


@click.command(cls=MovesCommand, context_settings=HELP)
@game_arguments
@click.option("--exact", is_flag=True, help="Print exact expressions as well.")
@json_option
def amplitudes(
    moves: tuple[str, ...],
    record: Path | None,
    options: tuple[str, ...],
    exact: bool,
    as_json: bool,
) -> None:
    """Print the amplitude of every board, normalised, right up to one global phase."""
    game = read_game(moves, record, options)
    found = game.amplitudes()
    expressions: dict[str, str] = {}
    if exact or as_json:
        expressions = {str(b): str(a) for b, a in game.amplitudes(exact=True).items()}
    if as_json:
        print_json({**_header(game), "amplitudes": found, "exact": expressions})
        return
    click.echo(str(game))
    click.echo()
    rows = [
        [board, f"{a:+.10f}", *([expressions[board]] if exact else [])]
        for board, a in found.items()
    ]
    print_table("amplitudes", ["board", "amplitude", *(["exact"] if exact else [])], rows)


@click.command(cls=MovesCommand, context_settings=HELP)
@game_arguments
@json_option
def legal(
    moves: tuple[str, ...], record: Path | None, options: tuple[str, ...], as_json: bool
) -> None:
    """List the legal moves."""
    game = read_game(moves, record, options)
    found = [str(move) for move in game.legal_moves]
    if as_json:
        print_json({**_header(game), "legal": found})
    elif found:
        click.echo(" ".join(found))
    else:
        click.echo(str(game).splitlines()[0])


@click.command(context_settings=HELP)
@click.argument("record", type=click.Path(path_type=Path))
@json_option
def show(record: Path, as_json: bool) -> None:
    """Print the game in a record: its moves and its board."""
    game = read_record(record)
    if as_json:
        print_json({**_header(game), "board": game.observed, "record": game.record()})
        return
    click.echo(game.text())
    click.echo(str(game))
