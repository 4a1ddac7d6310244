"""A player at the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ..errors import IllegalMoveError, NotationError
from ..position import Position
from .base import Choice, Limit, Player, require_move_due


class HumanPlayer(Player):
    """Asks a person until a legal move is typed.

    Args:
        rng: Not used.
        read: Returns what the person typed; by default standard input.
        tell: Says what was wrong with it.
    """

    name = "human"
    summary = "you, at the keyboard"

    def __init__(
        self,
        rng: Random,
        read: Callable[[Position], str] = lambda position: input("> "),
        tell: Callable[[str], None] = print,
    ) -> None:
        super().__init__(rng)
        self._read, self._tell = read, tell

    def choose(self, position: Position, limit: Limit) -> Choice:
        """Returns the first legal move that is typed.

        Raises:
            EOFError: If the input ends.
        """
        require_move_due(position)
        while True:
            text = self._read(position).strip()
            try:
                move = position.parse(text)
                reason = position.refusal(move)
            except NotationError as error:
                self._tell(str(error))
                continue
            if reason is None:
                return Choice(move)
            self._tell(str(IllegalMoveError(text, position.text(), reason)))
