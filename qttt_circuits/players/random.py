"""A player that moves at random."""

from __future__ import annotations

from ..position import Position
from .base import Choice, Limit, Player, require_move_due


class RandomPlayer(Player):
    """Plays every distinct legal move with the same chance."""

    name = "random"
    summary = "every legal move with the same chance"

    def choose(self, position: Position, limit: Limit) -> Choice:
        """Returns a random legal move."""
        require_move_due(position)
        return Choice(position.random_move(self.rng))
