"""``qttt``: the group of commands, and how errors end it.

Exit status: 0 done, 1 what was asked about does not hold, 2 wrong use or an illegal move, 3 a
backend or job failed or no shot was accepted. Errors are one line on standard error.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, TextIO

import click

from .. import __version__
from ..errors import QtttError, did_you_mean
from .arguments import HELP, Stopped

if TYPE_CHECKING:
    from typing_extensions import Buffer

COMMANDS = {
    "amplitudes": "exact",
    "backends": "backends",
    "circuit": "circuit",
    "jobs": "jobs",
    "legal": "exact",
    "play": "play",
    "probabilities": "exact",
    "rolls": "rolls",
    "rules": "exact",
    "sample": "sample",
    "show": "exact",
    "solve": "solve",
    "study": "study",
    "submit": "jobs",
    "verify": "verify",
}
"""The module of each command, which is imported when the command is used."""


# click before 8.2 prints the help by itself
_NO_ARGUMENTS: tuple[type[click.UsageError], ...] = tuple(
    filter(None, [getattr(click.exceptions, "NoArgsIsHelpError", None)])
)


class _Group(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f".{COMMANDS[cmd_name]}", __package__)
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0].startswith("--"):
            raise click.NoSuchOption(args[0], ctx=ctx)
        if args and args[0] not in COMMANDS:
            hint = did_you_mean(args[0], sorted(COMMANDS))
            raise click.UsageError(f"unknown command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # click would write an empty line as well
            raise Stopped("interrupted") from None


@click.group(cls=_Group, context_settings={**HELP, "ignore_unknown_options": True})
@click.version_option(__version__, prog_name="qttt")
def qttt() -> None:
    """Quantum tic-tac-toe on quantum circuits, checked against exact amplitudes.

    A position is a rule set and moves: 'qttt rules' lists the rule sets and how their moves are
    written. In the dice games 5 is a die on square 5, 1,2 one on each of two squares, -2,3 the
    same with the die on square 2 upside-down.
    """


GONE = 141
"""The status with which a shell reports a program that SIGPIPE has ended."""


STANDARD_OUTPUT = "standard output"


class _Output(io.FileIO):
    """Standard output, which errors name."""

    def write(self, content: Buffer, /) -> int:
        try:
            return super().write(content)
        except OSError as error:
            error.filename = STANDARD_OUTPUT
            raise


def _named(stream: TextIO) -> TextIO:
    """Returns standard output, if it is a file, as one whose errors say what it is."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    raw = getattr(stream.buffer, "raw", stream.buffer)
    if type(raw) is not io.FileIO:
        return stream
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_Output(raw.fileno(), "wb", closefd=False)),
        encoding=stream.encoding,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through or raw is stream.buffer,
    )


def _discard_output() -> None:
    """Leaves nothing that the interpreter would write to standard output in the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Runs ``qttt`` and exits with its status."""
    # a stream that was closed before the program began is None
    sys.stdout = sys.stdout or io.StringIO()
    sys.stderr = sys.stderr or io.StringIO()
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BytesIO())
    sys.stdout = _named(sys.stdout)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that has no △ shows a ?
    try:
        status = qttt.main(prog_name="qttt", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        _fail("interrupted", 130)
    except _NO_ARGUMENTS as error:
        click.echo(error.ctx.get_help() if error.ctx else str(error), err=True)
        sys.exit(2)
    except click.NoSuchOption as error:
        known = error.ctx.command.params if error.ctx else []
        names = [name for parameter in known for name in parameter.opts if name.startswith("--")]
        _fail(f"no such option {error.option_name!r}{did_you_mean(error.option_name, names)}", 2)
    except click.ClickException as error:
        _fail(error.format_message(), error.exit_code)
    except QtttError as error:
        _fail(str(error), error.exit_status)
    except BrokenPipeError:
        _discard_output()  # its reader has gone
        sys.exit(GONE)
    except SystemExit as stop:
        # click meets a reader that has gone by itself, and calls it 1
        gone = type(sys.stdout).__name__.endswith("PacifyFlushWrapper")
        sys.exit(GONE if gone else stop.code)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    except MemoryError:
        _fail("not enough memory", 3)
    except OSError as error:
        if error.filename == STANDARD_OUTPUT:
            _discard_output()  # what was not written would be tried again at the end
        _fail(f"{error.filename or 'system'}: {error.strerror or error}", 2)
    sys.exit(status if isinstance(status, int) else 0)


def _fail(message: str, status: int) -> None:
    with suppress(OSError):  # nobody can be told, but the status can be right
        click.echo(f"qttt: {' '.join(message.split())}", err=True)
    sys.exit(status)
