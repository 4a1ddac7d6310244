"""A game of a study, as it is written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from ..games import Side
from .settings import Study

UNFINISHED = "unfinished"


@dataclass(frozen=True)
class GameRecord:
    """One game.

    Attributes:
        number: Its number in the study, from 0.
        moves: The moves and observed outcomes, as text.
        winner: The side that won; None for a draw or an unfinished game.
        scores: Points by side; None for an unfinished game.
        reason: What ended it.
    """

    number: int
    moves: tuple[str, ...]
    winner: Side | None
    scores: Mapping[Side, float] | None = field(hash=False)
    reason: str

    @property
    def plies(self) -> int:
        """How many moves and observations there were."""
        return len(self.moves)

    def to_json(self) -> dict[str, Any]:
        """Returns the game as JSON-able data."""
        return {
            "game": self.number,
            "moves": list(self.moves),
            "winner": self.winner,
            "scores": None if self.scores is None else dict(self.scores),
            "reason": self.reason,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], study: Study) -> GameRecord:
        """Returns the game that JSON data describe.

        Raises:
            ValueError: If it is none of the study's; the message says what is wrong.
        """
        number, moves, scores = data.get("game"), data.get("moves"), data.get("scores")
        winner, reason = data.get("winner"), data.get("reason")
        if type(number) is not int or not 0 <= number < study.games:
            raise ValueError(f"{number!r} is no game of the study: they are 0 to {study.games - 1}")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise ValueError("the moves are no list of text")
        if not isinstance(reason, str):
            raise ValueError("the reason is no text")
        if scores is None:
            if winner is not None or len(moves) != study.max_plies:
                raise ValueError(f"a game is unfinished after {study.max_plies} plies only")
        elif not _are_scores(scores, study) or winner not in (None, *study.rules.sides):
            raise ValueError("the scores or the winner are not those of a game")
        return cls(number, tuple(moves), winner, scores, reason)


def _are_scores(scores: object, study: Study) -> bool:
    return (
        isinstance(scores, dict)
        and set(scores) == set(study.rules.sides)
        and all(type(score) in (int, float) and isfinite(score) for score in scores.values())
    )
