"""Commands that need the exact engine only; they load neither Qiskit nor a simulator."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import getdoc
from pathlib import Path
from typing import Any

import click

from ..board import SYMBOLS
from ..errors import OptionError, UnknownNameError
from ..game import Game
from ..games import Rules, all_rules
from .arguments import (
    HELP,
    MovesCommand,
    game_arguments,
    json_option,
    moves_argument,
    named_options,
    options_option,
    print_json,
    read_game,
    record_option,
    write_record,
)
from .files import output_option, write_file
from .tables import print_table


@click.command(context_settings=HELP)
@click.argument("name", required=False)
@json_option
def rules(name: str | None, as_json: bool) -> None:
    """List the rule sets, or one of them: options, and how moves are written."""
    found = all_rules()
    if name is not None:
        if name not in found:
            raise UnknownNameError("rule set", name, found)
        found = {name: found[name]}
    if as_json:
        print_json(
            {
                name: {
                    "summary": cls.summary,
                    "source": cls.source,
                    "notation": cls.notation,
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
                " ".join(f"{k}={'|'.join(v)}" for k, v in _values(cls).items()),
            ]
            for name, cls in found.items()
        ],
        whole=1,
        least=100,
    )
    notations: dict[str, list[str]] = {}
    for name, cls in found.items():
        notations.setdefault(cls.notation, []).append(name)
    for notation, names in notations.items():
        click.echo(f"moves of {', '.join(names)}: {notation}")
    if name is not None:
        click.echo(f"\n{getdoc(found[name])}")


def _values(cls: type[Rules[Any]]) -> dict[str, list[str]]:
    """Returns the values of each option; an ellipsis stands for those that are not listed."""
    return {
        option: [value for value in values if value] + ["…"] * (option in cls.others)
        for option, values in cls.choices.items()
    }


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
@click.option("--exact", is_flag=True, help="Print exact numbers as well.")
@click.option(
    "--components",
    "apart",
    is_flag=True,
    help="Print each group of entangled squares, and each square, instead of whole boards.",
)
@json_option
def probabilities(game: Game, exact: bool, apart: bool, as_json: bool) -> None:
    """Print the probability of every outcome, such as a board, that an observation could show.

    Nothing is observed by asking.
    """
    if apart:
        _print_components(game, exact, as_json)
        return
    rules, table = game.rules, game.table
    found = game.probabilities()
    # as the rules write them, without sympy where they have numbers of their own
    known = exact or (as_json and rules.exact(table))
    exactly = {o: str(p) for o, p in rules.exact_distribution(table).items()} if known else None
    if as_json:
        _print_json(game, "probabilities", found, exactly)
        return
    rows = [[outcome, f"{p:.10f}"] for outcome, p in found.items()]
    _print(game, "probabilities", "probability", rows, exactly)


def _print_components(game: Game, exact: bool, as_json: bool) -> None:
    squares = game.marginals()
    groups = [
        (group.squares, group.probabilities, {c: str(p) for c, p in same.probabilities.items()})
        for group, same in zip(game.components(), game.components(exact=True), strict=True)
    ]
    if as_json:
        found = [{"squares": s, "probabilities": dict(p), "exact": e} for s, p, e in groups]
        print_json({**_header(game), "components": found, "marginals": squares})
        return
    click.echo(str(game))
    rows = [
        [",".join(map(str, own)), c, f"{known[c]:.10f}", *([exactly[c]] if exact else [])]
        for own, known, exactly in sorted(groups, key=lambda group: min(group[0]))
        for c in sorted(known)
    ]
    if rows:
        columns = ["squares", "symbols", "probability", *(["exact"] if exact else [])]
        print_table("groups of squares", columns, rows)
    cells = [[str(s), *(f"{p:.10f}" for p in held.values())] for s, held in squares.items()]
    print_table("squares", ["square", *SYMBOLS], cells)


@click.command(cls=MovesCommand, context_settings=HELP)
@game_arguments
@click.option("--exact", is_flag=True, help="Print exact expressions as well.")
@json_option
def amplitudes(game: Game, exact: bool, as_json: bool) -> None:
    """Print the amplitude of every outcome, normalised, right up to one global phase."""
    found = game.amplitudes()
    known = exact or (as_json and game.rules.exact(game.table))
    exactly = {o: str(a) for o, a in game.amplitudes(exact=True).items()} if known else None
    if as_json:
        numbers = {outcome: _number(a) for outcome, a in found.items()}
        _print_json(game, "amplitudes", numbers, exactly)
        return
    rows = [[outcome, _amplitude(a)] for outcome, a in found.items()]
    _print(game, "amplitudes", "amplitude", rows, exactly)


def _print_json(
    game: Game, what: str, found: Mapping[str, object], exactly: Mapping[str, str] | None
) -> None:
    document = {**_header(game), what: found}
    if exactly is not None:
        document["exact"] = exactly
    print_json({**document, **_details(game)})


def _details(game: Game) -> dict[str, Any]:
    details = game.rules.details(game.table)
    return {name.replace(" ", "_"): rows for name, rows in details.items()}


def _print(
    game: Game, title: str, what: str, rows: list[list[str]], exactly: Mapping[str, str] | None
) -> None:
    click.echo(str(game))
    click.echo()
    columns = [game.rules.outcomes, what]
    if exactly is not None:
        columns.append("exact")
        rows = [[*row, exactly[row[0]]] for row in rows]
    print_table(title, columns, rows)
    for name, table in game.rules.details(game.table).items():
        names = list(dict.fromkeys(column for cells in table.values() for column in cells))
        names.sort(key=lambda name: int("".join(filter(str.isdigit, name)) or 0))
        print_table(
            name,
            ["", *names],
            [
                [row, *(f"{cells[c]:.6g}" if c in cells else "" for c in names)]
                for row, cells in table.items()
            ],
        )


def _number(amplitude: complex) -> float | list[float]:
    """Returns an amplitude as JSON has it: a number, or real and imaginary part."""
    value = complex(amplitude)
    return [value.real, value.imag] if value.imag else value.real


def _amplitude(amplitude: complex) -> str:
    value = complex(amplitude)
    return f"{value.real:+.10f}" + (f"{value.imag:+.10f}i" if value.imag else "")


@click.command(cls=MovesCommand, context_settings=HELP)
@game_arguments
@json_option
def legal(game: Game, as_json: bool) -> None:
    """List the legal moves, or some of them where there are infinitely many."""
    found = [str(move) for move in game.legal_moves]
    if as_json:
        print_json({**_header(game), "legal": found})
    elif not found:
        click.echo(str(game).splitlines()[0])
    elif game.rules.finite:
        click.echo(" ".join(found))
    else:
        click.echo("\n".join(found))
        click.echo("qttt: these are some of infinitely many", err=True)


@click.command(cls=MovesCommand, context_settings=HELP)
@moves_argument
@options_option
@record_option
@output_option("--svg", help="Draw the board to an SVG file as well.")
@output_option("--filmstrip", help="Draw a small board after each move to an SVG file as well.")
@output_option("--save", help="Write the game's record as well.")
@json_option
def show(
    moves: tuple[str, ...],
    options: tuple[str, ...],
    record: Path | None,
    svg: Path | None,
    filmstrip: Path | None,
    save: Path | None,
    as_json: bool,
) -> None:
    """Print a game, its moves and its board: one in a record, or RULES and MOVE.

    A single argument that is the name of a file is a record.
    """
    if record is None and not options and len(moves) == 1:
        [named] = moves
        if named not in all_rules():
            moves, record = (), Path(named)
    game = read_game(moves, record, named_options(options))
    for path in filter(None, (svg, filmstrip)):
        if path.suffix.lower() != ".svg":
            raise OptionError(f"{path}: pictures of games are SVG: name it FILE.svg")
    if svg is not None:
        write_file(svg, game.draw("svg"))
    if filmstrip is not None:
        write_file(filmstrip, game.filmstrip())
    if save is not None:
        write_record(game, save)
    if as_json:
        print_json({**_header(game), "board": game.observed, "record": game.record()})
        return
    click.echo(game.text())
    click.echo(str(game))
