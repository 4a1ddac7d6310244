"""Arguments that the commands share, and the game that they describe."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from ..errors import OptionError, RecordError
from ..game import Game
from ..games import all_rules, rules
from .files import write_file

F = TypeVar("F", bound=Callable[..., Any])

HELP = {"help_option_names": ["-h", "--help"]}
_MARK = "\0"
MOST_BYTES = 10_000_000
"""The longest record that is read."""


class Stopped(click.ClickException):
    """An interrupt, with what a person should know of it."""

    exit_code = 130


class MovesCommand(click.Command):
    """A command whose arguments may be moves such as ``-2,3``, which are no options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Marks the moves that begin with a minus, so that click leaves them alone."""
        valued = {
            name
            for parameter in self.params
            if isinstance(parameter, click.Option) and not parameter.is_flag
            for name in parameter.opts
        }
        marked: list[str] = []
        for i, token in enumerate(args):
            after_option = bool(marked) and marked[-1] in valued
            if token == "--" and not after_option:
                marked += args[i:]
                break
            is_move = _MINUS_MOVE.match(token) is not None and not after_option
            marked.append(_MARK + token if is_move else token)
        return super().parse_args(ctx, marked)


_MINUS_MOVE = re.compile(r"-[^-a-zA-Z]")


def _unmarked(
    ctx: click.Context, param: click.Parameter, value: tuple[str, ...]
) -> tuple[str, ...]:
    return tuple(text.removeprefix(_MARK) for text in value)


def _decorated(command: F, options: Iterable[Callable[[F], F]]) -> F:
    for decorate in options:
        command = decorate(command)
    return command


def _options(what: str) -> Callable[[F], F]:
    return click.option(
        "--option", "options", multiple=True, metavar="NAME=VALUE",
        help=f"An option of {what}; may be given several times.",
    )  # fmt: skip


options_option = _options("the rule set")
record_option = click.option(
    "--record", type=click.Path(path_type=Path), metavar="FILE",
    help="A game's record, instead of RULES and MOVE; - reads standard input.",
)  # fmt: skip
moves_argument = click.argument("moves", nargs=-1, callback=_unmarked, metavar="[RULES MOVE...]")

_GAME = (options_option, record_option, moves_argument)
_COMPILED = (_options("the rule set or of its circuits"), record_option, moves_argument)
_CIRCUIT = (
    click.option("--no-elide", "elide", is_flag=True, flag_value=False, default=None,
                 help="Keep qubits that stay constant."),
    click.option("--synthesis", metavar="moves|state",
                 help="One gate a move, or the position's state prepared directly; dice games."),
    click.option("--ancillas", metavar="needed|all",
                 help="Ancillas for the moves that can fail, or one for every move; dice games."),
    click.option("--encoding", metavar="NAME",
                 help="How a square is held in qubits: in the dice games spin (the default), pair, "
                      "gray or one-hot."),
)  # fmt: skip
_CIRCUIT_NAMES = ("encoding", "ancillas", "synthesis", "elide")


def game_arguments(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds ``RULES MOVE…``, ``--record`` and ``--option`` to a command, which is given ``game``."""

    @wraps(command)
    def with_game(
        *, moves: tuple[str, ...], record: Path | None, options: tuple[str, ...], **rest: Any
    ) -> Any:
        return command(read_game(moves, record, named_options(options)), **rest)

    return _decorated(with_game, _GAME)


def circuit_arguments(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds these and how to compile to a command, which is given ``game`` and ``compiled``."""

    @wraps(command)
    def with_circuit(
        *, moves: tuple[str, ...], record: Path | None, options: tuple[str, ...], **rest: Any
    ) -> Any:
        given = {name: rest.pop(name) for name in _CIRCUIT_NAMES}
        compiled = {name: value for name, value in given.items() if value is not None}
        chosen = {}
        for name, value in named_options(options).items():
            if record is None and moves and name in known_options(moves[0]):
                chosen[name] = value
            else:
                if name in compiled:
                    raise OptionError(f"{name} is given twice, as {compiled[name]} and {value}")
                compiled[name] = {"true": True, "false": False}.get(value, value)
        return command(read_game(moves, record, chosen), compiled, **rest)

    return _decorated(_decorated(with_circuit, _CIRCUIT), _COMPILED)


def known_options(name: str) -> Collection[str]:
    """Returns the options of a rule set; none if there is no such rule set."""
    found = all_rules().get(name)
    return found.choices if found else ()


def named_options(options: tuple[str, ...]) -> dict[str, str]:
    """Returns options given as ``NAME=VALUE`` by name.

    Raises:
        OptionError: If one of them is not.
    """
    named: dict[str, str] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise OptionError(f"--option {option!r}: write NAME=VALUE")
        if named.setdefault(name, value) != value:
            raise OptionError(f"--option {name} is given twice, as {named[name]} and {value}")
    return named


DEFAULT_BACKEND = "aer"
backend_option = click.option(
    "--backend",
    default=DEFAULT_BACKEND,
    metavar="NAME",
    show_default=True,
    help="aer, aer:METHOD, fake_NAME, or a device of the saved IBM account.",
)
yes_option = click.option("--yes", is_flag=True, help="Spend device time without asking.")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
)


def read_game(moves: tuple[str, ...], record: Path | None, options: Mapping[str, str]) -> Game:
    """Returns the game that the arguments of a command describe.

    Args:
        moves: The rule set and the moves.
        record: The file of a record, instead.
        options: Options of the rule set.

    Raises:
        QtttError: If there is no such game.
    """
    if record is not None:
        if moves or options:
            raise click.UsageError("give a record or a rule set with moves, not both")
        return read_record(record)
    if not moves:
        raise click.UsageError("name a rule set (see 'qttt rules') or give --record FILE")
    game = Game(rules(moves[0], **options))
    for move in moves[1:]:
        game.push(move)
    return game


def read_record(path: Path) -> Game:
    """Returns the game that a file holds.

    Raises:
        RecordError: If it cannot be read or is no record.
    """
    try:
        if str(path) == "-":
            content = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with path.open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise RecordError(f"{path}: longer than {MOST_BYTES:,} bytes, so not a game's record")
        record = json.loads(content)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from error
    except RecordError:
        raise
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}: not a JSON document") from error
    try:
        return Game.from_record(record)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error


def write_record(game: Game, path: Path) -> None:
    """Writes a game's record in one step, so that the file always holds a whole one."""
    write_file(path, json.dumps(game.record()) + "\n")


def confirm_spending(backend: object, shots: int, *, circuits: int = 1, yes: bool) -> None:
    """Asks before device time is spent; simulators and snapshots cost none.

    Args:
        backend: What will be run on.
        shots: Shots of each circuit.
        circuits: How many circuits.
        yes: Whether the question has been answered beforehand.

    Raises:
        click.UsageError: If the answer is no, or there is nobody to ask.
    """
    from qiskit.providers import BackendV2

    from ..ibm import is_hardware
    from ..planner import device_seconds

    if yes or not isinstance(backend, BackendV2) or not is_hardware(backend):
        return
    question = (
        f"{backend.name}: about {device_seconds(shots, circuits):.0f} seconds of device time for "
        f"{circuits} circuits of {shots} shots, a rough estimate; go on"
    )
    try:
        agreed = click.confirm(question, err=True)
    except click.Abort:
        click.echo(err=True)  # ends the line of the question
        agreed = False
    if not agreed:
        raise click.UsageError("nothing was submitted; --yes goes on without asking")


def print_json(document: object) -> None:
    """Prints one JSON document."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=False))
