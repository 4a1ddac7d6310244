"""What a player is: something that chooses a move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from ..errors import OptionError
from ..games import Rules
from ..moves import Move
from ..position import Position

NODES = 5000
"""The positions that players look at by default: well under a second in every game."""

registered: dict[str, type[Player]] = {}
"""The players by name; filled as their modules are loaded."""


@dataclass(frozen=True)
class Limit:
    """How much a player may think about one move.

    Attributes:
        depth: Moves to look ahead; nothing to `mcts`, which looks as far as it gets.
        nodes: Positions to look at; None for any number.
        seconds: Time; a choice that is limited by it can differ from run to run.
    """

    depth: int = 2
    nodes: int | None = NODES
    seconds: float | None = None


@dataclass(frozen=True)
class Choice:
    """What a player chose.

    Attributes:
        move: The move.
        value: The score that the player expects, the game's first side's minus the other's; None
            if it expects nothing.
        nodes: How many positions it looked at.
    """

    move: Move
    value: float | None = None
    nodes: int = 0


class Player(ABC):
    """Chooses moves. A class with a ``name`` registers itself.

    Args:
        rng: Where the player's randomness comes from.

    Attributes:
        name: The kind of player.
        summary: One line on it.
    """

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if cls.name:
            registered[cls.name] = cls

    def refusal(self, rules: Rules[Any]) -> str | None:
        """Returns why the player cannot play a game, or None if it can."""
        return None

    @abstractmethod
    def choose(self, position: Position, limit: Limit) -> Choice:
        """Returns a legal move; the position stays as it is.

        Args:
            position: A position in which a move is due.
            limit: How much to think.

        Raises:
            OptionError: If no move is due, or the player cannot play this game.
        """


def require_move_due(position: Position) -> None:
    """Raises an error unless a side is to move.

    Raises:
        OptionError: If the game is over or must be observed.
    """
    if position.outcome() is not None or position.observation_due:
        raise OptionError(f"no move is due: {position.rules.status(position.table)}")
