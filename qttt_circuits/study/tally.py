"""Counting games, each once."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..checksums import digest
from ..errors import RecordError
from .record import GameRecord
from .result import Ending, StudyResult
from .settings import Study

DIGITS = 16
"""How many hexadecimal digits of a SHA-256 a checksum has."""


def checksum(*data: Any) -> str:
    """Returns a checksum of JSON-able data, which does not depend on the order of keys."""
    return digest(data)[:DIGITS]


class Tally:
    """The games of a study that were played so far.

    Args:
        study: The study.
    """

    def __init__(self, study: Study) -> None:
        self.study = study
        self._seen: dict[int, str] = {}
        self._endings: Counter[Ending] = Counter()

    def __len__(self) -> int:
        return len(self._seen)

    def __contains__(self, number: object) -> bool:
        return number in self._seen

    @property
    def result(self) -> StudyResult:
        """What they show."""
        return StudyResult(self.study, dict(self._endings))

    def add(self, game: GameRecord) -> bool:
        """Counts a game and returns whether it is new; the same one is not counted again.

        Raises:
            RecordError: If another game has its number.
        """
        content = checksum(game.to_json())
        known = self._seen.get(game.number)
        if known not in (None, content):
            raise RecordError(f"game {game.number} was played before, and otherwise")
        if known is None:
            self._seen[game.number] = content
            self._endings[Ending.of(game, self.study)] += 1
        return known is None
