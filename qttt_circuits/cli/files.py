"""Files that people name for output: what may be written to, and writing in one step."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import click

from ..errors import MissingExtraError, OptionError

F = TypeVar("F", bound=Callable[..., object])
PLOTS = (".png", ".svg", ".pdf")


def output_option(*names: str, help: str) -> Callable[[F], F]:
    """Returns an option that takes a file to be written, which is refused early if it cannot be."""
    return click.option(*names, callback=_checked, metavar="FILE", help=help)


def _checked(ctx: click.Context, param: click.Parameter, value: str | None) -> Path | None:
    if value is None:
        return None
    option = max(param.opts, key=len)
    if value == "-":
        raise OptionError(f"{option} takes the name of a file, and '-' is none (./- is)")
    if not value:
        raise OptionError(f"{option} is given an empty name: name a file")
    require_regular(Path(value))
    return Path(value)


def require_regular(path: Path) -> int | None:
    """Returns the permissions of a file that is to be written; None if there is none yet.

    Raises:
        OptionError: If there is something else: a directory, a pipe, a device.
        OSError: If that cannot be told.
    """
    try:
        found = path.stat().st_mode
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise OptionError(f"{str(path)!r} is no name of a file") from error
    if not stat.S_ISREG(found):
        what = "a directory, " if stat.S_ISDIR(found) else ""
        raise OptionError(f"{path} is {what}not a regular file, so nothing is written there")
    return stat.S_IMODE(found)


def write_file(path: Path, content: str | bytes) -> None:
    """Writes a file in one step, so that it always holds a whole content, the old or the new one.

    Of a link, what it leads to is written. Permissions stay what they were.

    Raises:
        OptionError: If there is something that is no regular file.
        OSError: If it cannot be written; the error has the name of the file.
    """
    import tempfile  # only writing pays for it

    fresh = ""
    try:
        mode = require_regular(path)
        target = Path(os.path.realpath(path))
        number, fresh = tempfile.mkstemp(".new", ".", target.parent)
        with open(number, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        Path(fresh).chmod(_usual_mode() if mode is None else mode)
        os.replace(fresh, target)
    except BaseException as error:
        if fresh:
            with suppress(OSError):
                Path(fresh).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def _usual_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def check_plot(path: Path) -> None:
    """Raises an error, before anything is run, if a plot cannot be drawn to a file."""
    if path.suffix.lower() not in PLOTS:
        raise OptionError(f"--plot {path}: the name of a plot ends in {', '.join(PLOTS)}")
    if not path.parent.is_dir():
        raise OptionError(f"--plot {path}: there is no directory {path.parent}")
    require_regular(path)
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("--plot", "viz") from error
