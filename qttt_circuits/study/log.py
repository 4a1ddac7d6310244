"""The file of a study: a line that says what the study is, then a line for each game.

Lines are JSON with a checksum, and are only ever added, whole ones at a time, in whatever order the
games end. A program that is killed while it adds one leaves a last line without an end, which is
dropped when the study goes on. Any other damage is refused, and the file stays as it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from .. import __version__
from ..errors import OptionError, QtttError, RecordError
from .record import GameRecord
from .result import StudyResult
from .settings import Study
from .tally import Tally, checksum

FORMAT = "qttt-circuits study"
VERSION = 1
LONGEST_LINE = 10_000_000
"""The longest line that is read, in bytes."""
_TORN = b'{"game": '
"""How a line of a game begins."""


def header(study: Study, program: str = __version__) -> dict[str, Any]:
    """Returns what the first line of a study's file says.

    Args:
        study: The study.
        program: The version of the program that plays it.
    """
    data = {"format": FORMAT, "version": VERSION, "program": program, **study.to_json()}
    return {**data, "checksum": checksum(data)}


def game_line(game: GameRecord, seal: str) -> bytes:
    """Returns the line of a game.

    Args:
        game: The game.
        seal: The checksum of the first line: a game of another study is none of this one.
    """
    data = game.to_json()
    return as_line({**data, "checksum": checksum(seal, data)})


def as_line(data: dict[str, Any]) -> bytes:
    """Returns JSON-able data as a line."""
    return json.dumps(data, allow_nan=False).encode() + b"\n"


class LogReader:
    """Reads a study's file from its beginning.

    Args:
        file: The file.
        path: What it is called.

    Attributes:
        study: The study.
        program: The version of the program that plays it.
        size: How many bytes the lines have that were read whole.

    Raises:
        RecordError: If it is no file of a study.
    """

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file, self._path, self._number, self.size = file, path, 0, 0
        line = self._line()
        if line is None:
            raise self._wrong("it is no study: there is no whole line in it")
        data = self._json(line)
        if data.get("format") != FORMAT:
            raise self._wrong(f"it is no study: its 'format' is not {FORMAT!r}")
        if type(data.get("version")) is not int or data["version"] != VERSION:
            raise self._wrong(
                f"a study of version {data.get('version')!r}: this program reads {VERSION}"
            )
        self._seal = str(data.pop("checksum", ""))
        if self._seal != checksum(data):
            raise self._wrong("it was changed: its checksum is not that of its content")
        try:
            self.study, self.program = Study.from_json(data), str(data["program"])
        except QtttError as error:
            raise self._wrong(str(error)) from error
        except (KeyError, TypeError) as error:
            raise self._wrong("a part of the settings is missing or damaged") from error

    def games(self) -> Iterator[GameRecord]:
        """Yields the games in the order in which they were written, those that are there twice too.

        Raises:
            RecordError: If a line is damaged.
        """
        while (line := self._line()) is not None:
            data = self._json(line)
            given = data.pop("checksum", None)
            if given != checksum(self._seal, data):
                raise self._wrong("it was changed: its checksum is not that of its content")
            try:
                yield GameRecord.from_json(data, self.study)
            except ValueError as error:
                raise self._wrong(str(error)) from error

    def new_games(self, tally: Tally) -> Iterator[GameRecord]:
        """Counts the games, and yields those that were not counted before.

        Raises:
            RecordError: If a line is damaged, or two games have one number.
        """
        for game in self.games():
            try:
                new = tally.add(game)
            except RecordError as error:
                raise self._wrong(str(error)) from error
            if new:
                yield game

    def count(self, tally: Tally) -> None:
        """Counts the games.

        Raises:
            RecordError: If a line is damaged, or two games have one number.
        """
        for _ in self.new_games(tally):
            pass

    def _line(self) -> bytes | None:
        """Returns the next line, or None at the end or if only a piece of a line is left."""
        self._number += 1
        line = self._file.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise self._wrong(f"longer than {LONGEST_LINE:,} bytes")
        if line.endswith(b"\n"):
            self.size += len(line)
            return line
        if self._number > 1 and line[: len(_TORN)] != _TORN[: len(line)]:
            raise self._wrong("it is not the beginning of a game")
        return None

    def _json(self, line: bytes) -> dict[str, Any]:
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise self._wrong("not a JSON document") from error
        if not isinstance(data, dict):
            raise self._wrong("not a JSON object")
        return data

    def _wrong(self, reason: str) -> RecordError:
        return RecordError(f"{self._path}, line {self._number}: {reason}")


def as_path(path: str | os.PathLike[str]) -> Path:
    """Returns the path of a study's file.

    Raises:
        OptionError: If it is none.
    """
    try:
        found = Path(path)
    except TypeError:
        raise OptionError(f"a study's file is a path, not {path!r:.60}") from None
    if path == "" or "\0" in str(found):
        raise OptionError(f"{path!r:.60} is no name of a file")
    return found


def read_settings(path: str | os.PathLike[str]) -> Study:
    """Returns what study a file is of.

    Raises:
        OptionError: If the path is none.
        RecordError: If it cannot be read, or is no such file.
    """
    path = as_path(path)
    with _opened(path) as file:
        return LogReader(file, path).study


def read_study(path: str | os.PathLike[str]) -> StudyResult:
    """Returns what the games in a study's file show, whether or not more of them are to come.

    Raises:
        OptionError: If the path is none.
        RecordError: If it cannot be read, is no such file or is damaged; the line is named.
    """
    path = as_path(path)
    with _opened(path) as file:
        reader = LogReader(file, path)
        tally = Tally(reader.study)
        reader.count(tally)
        return tally.result


def read_games(path: str | os.PathLike[str]) -> list[GameRecord]:
    """Returns the games in a study's file by their numbers, each once.

    Raises:
        OptionError: If the path is none.
        RecordError: If it cannot be read, is no such file or is damaged; the line is named.
    """
    path = as_path(path)
    with _opened(path) as file:
        reader = LogReader(file, path)
        tally = Tally(reader.study)
        return sorted(reader.new_games(tally), key=lambda game: game.number)


def _opened(path: Path) -> BinaryIO:
    try:
        if path.exists() and not path.is_file():
            raise RecordError(f"{path}: not a regular file")
        return path.open("rb")
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from error
