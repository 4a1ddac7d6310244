"""A player that knows the value of every position, in games that are solved."""

from __future__ import annotations

from random import Random
from typing import Any

from ..games import Rules
from ..position import Position
from ..solving import best, missing, refusal
from .base import Choice, Limit, Player, require_move_due


class PerfectPlayer(Player):
    """Plays a best move; without chance it wins as soon and loses as late as possible."""

    name = "perfect"
    summary = "a best move, in games that are solved"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._memory: dict[Any, Any] = {}

    def refusal(self, rules: Rules[Any]) -> str | None:
        """Returns why a whole game cannot be played, or None if it can."""
        return refusal(rules) or missing(rules)

    def choose(self, position: Position, limit: Limit) -> Choice:
        """Returns a best move; of several always the same.

        Raises:
            OptionError: If the game has no solver.
            MissingExtraError: If that takes a package that is not installed.
        """
        require_move_due(position)
        move, value = best(position, memory=self._memory)
        return Choice(move, value)
