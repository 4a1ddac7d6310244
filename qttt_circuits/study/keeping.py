"""Writing the file of a study: by one process at a time, and never more than it can take back."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from typing import Self

from .. import __version__
from ..errors import OptionError, QtttError, StoreError
from .log import LogReader, as_line, as_path, game_line, header
from .record import GameRecord
from .settings import Study
from .tally import Tally

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has no such locks, and nothing stops a second run
    fcntl = None  # type: ignore[assignment]

_open_files: set[int] = set()


def _close_copies() -> None:
    """Closes what a forked process has inherited, or a lock would outlive the one that took it."""
    for descriptor in _open_files:
        with suppress(OSError):
            os.close(descriptor)
    _open_files.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_copies)


class StudyFile:
    """The file of a study, to which games are added. What it holds already is counted.

    Args:
        path: The file. It is made if there is none or an empty one.
        study: The study, which must be the one that is in the file if one is.

    Attributes:
        path: The file.
        tally: The games in it.

    Raises:
        OptionError: If there is another study in it, or one that another version was playing.
        RecordError: If there is something else in it, or it is damaged; it stays as it is.
        StoreError: If it cannot be written, or another process is writing it.
    """

    def __init__(self, path: str | os.PathLike[str], study: Study) -> None:
        self.path, self._study, self.tally = as_path(path), study, Tally(study)
        self._seal = str(header(study)["checksum"])
        self._writable = True
        try:
            self._file = self._opened()
        except OSError as error:
            raise self._unwritten(error) from error
        _open_files.add(self._file)
        try:
            self._lock()
            self._size = os.fstat(self._file).st_size
            self._begin()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file, which lets others write it."""
        if self._file in _open_files:
            _open_files.discard(self._file)
            with suppress(OSError):
                os.fsync(self._file)
            os.close(self._file)

    def add(self, games: Iterable[GameRecord]) -> None:
        """Adds games that are not in the file yet.

        Raises:
            RecordError: If another game with the same number was played before.
            StoreError: If they cannot be written. The file holds what it held before.
        """
        lines = [game_line(game, self._seal) for game in games if self.tally.add(game)]
        self._write(b"".join(lines))

    def _opened(self) -> int:
        if self.path.exists() and not stat.S_ISREG(self.path.stat().st_mode):
            raise StoreError(f"{self.path} is not a regular file, so no study is kept there")
        flags = os.O_APPEND | getattr(os, "O_BINARY", 0)
        try:
            return os.open(self.path, os.O_RDWR | os.O_CREAT | flags, 0o644)
        except PermissionError:
            self._writable = False  # will do if all games are there
            return os.open(self.path, os.O_RDONLY | flags)

    def _lock(self) -> None:
        if fcntl is None:  # pragma: no cover
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(f"{self.path}: another process is writing this study") from None
        except OSError as error:
            raise StoreError(f"{self.path} cannot be locked ({error.strerror})") from error

    def _begin(self) -> None:
        """Reads what is there, and leaves a file to which lines can be added."""
        first = as_line(header(self._study))
        with open(self._file, "rb", closefd=False) as file:
            if self._size < len(first) and file.read() == first[: self._size]:
                self._cut(0)  # empty, or the first line was not written to its end
                self._write(first)
                return
            file.seek(0)
            reader = LogReader(file, self.path)
            self._compare(reader)
            reader.count(self.tally)
        if len(self.tally) < self._study.games:
            if reader.program != __version__:
                raise OptionError(
                    f"{self.path}: version {reader.program} of the program was playing this study, "
                    f"and {__version__} may play otherwise: give another file"
                )
            if not self._writable:
                raise StoreError(f"{self.path} could not be written (Permission denied)")
            if reader.size < self._size:
                self._cut(reader.size)

    def _compare(self, reader: LogReader) -> None:
        there, here = _in_words(reader.study), _in_words(self._study)
        if there["rules"] != here["rules"]:
            here = {"rules": here["rules"]}  # of another game the rest tells nothing
        differ = [
            f"{name} {there[name]} and not {value}"
            for name, value in here.items()
            if there[name] != value
        ]
        if differ:
            raise OptionError(
                f"{self.path} holds another study, with {', '.join(differ)}: "
                f"leave these settings as they are there, or give another file"
            )

    def _cut(self, size: int) -> None:
        try:
            if size < self._size:
                os.ftruncate(self._file, size)
        except OSError as error:
            raise self._unwritten(error) from error
        self._size = size

    def _write(self, content: bytes) -> None:
        """Adds to the file, or leaves it as it was."""
        left = memoryview(content)
        try:
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as error:
            with suppress(OSError):  # else the next run drops the piece of a line
                os.ftruncate(self._file, self._size)
            raise self._unwritten(error) from error
        self._size += len(content)

    def _unwritten(self, error: OSError) -> QtttError:
        if isinstance(error, QtttError):
            return error
        return StoreError(f"{self.path} could not be written ({error.strerror})")


def _in_words(study: Study) -> dict[str, str]:
    """Returns the settings of a study as a person reads them."""
    settings = study.to_json()
    del settings["options"]
    settings |= {"rules": study.rules.title, "players": " and ".join(study.players)}
    return {name: str(value) for name, value in settings.items()}
