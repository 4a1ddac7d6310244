"""What every game defines, and what a position needs of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from ..board import Board, Mark
from ..errors import OptionError, UnknownNameError
from ..moves import Move
from ..numbers import Surd
from ..state import State, Uniform

TableT = TypeVar("TableT")

registered: dict[str, type[Rules[Any]]] = {}
"""The rule sets by name; filled as their modules are loaded."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended.

    Attributes:
        winner: The winner's mark, or None for a draw.
        scores: Points by player.
        reason: What ended it.
    """

    winner: Mark | None
    scores: Mapping[Mark, float] = field(hash=False)
    reason: str

    def __str__(self) -> str:
        points = ", ".join(f"{mark} {score:g}" for mark, score in self.scores.items())
        return f"{f'{self.winner} wins' if self.winner else 'a draw'} ({self.reason}; {points})"


class Rules(ABC, Generic[TableT]):
    """The rules of one game: what is legal, what a move does, when it ends.

    Rules are values without a game going on. They work on *tables*: immutable descriptions of what
    lies on the board between two moves. A class with a ``name`` registers itself.

    Attributes:
        name: The rule set's name.
        summary: One line on what it is.
        source: The document it comes from.
        choices: The options and the values they can have, the default first.
        options: The options of this instance.
    """

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    source: ClassVar[str] = ""
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"first": ("X", "O")}

    def __init__(self, /, **options: object) -> None:
        for option, value in options.items():
            if option not in self.choices:
                raise UnknownNameError(f"option of {self.name}", option, self.choices)
            if not isinstance(value, str) or value not in self.choices[option]:
                allowed = " or ".join(self.choices[option])
                raise OptionError(f"option {option} of {self.name} is {allowed}, not {value!r}")
        self.options: dict[str, str] = {
            option: str(options.get(option, values[0])) for option, values in self.choices.items()
        }

    @property
    def options_text(self) -> str:
        """The options in one line, such as ``first=X scoring=lines``."""
        return " ".join(f"{name}={value}" for name, value in self.options.items())

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if cls.name:
            registered[cls.name] = cls

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rules):
            return NotImplemented
        return self.name == other.name and self.options == other.options

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.options.items())))

    @abstractmethod
    def start(self) -> TableT:
        """Returns the table at the start of a game."""

    @abstractmethod
    def parse(self, text: str) -> Move:
        """Reads a move or an observed outcome in the game's notation.

        Raises:
            NotationError: If the text is neither.
        """

    @abstractmethod
    def turn(self, table: TableT) -> Mark:
        """Returns the side to move; while an observation is due, the side to move after it."""

    @abstractmethod
    def refusal(self, table: TableT, move: Move) -> str | None:
        """Returns why a move or an observed outcome is not legal, or None if it is."""

    @abstractmethod
    def legal_moves(self, table: TableT) -> Iterator[Move]:
        """Yields the legal moves once each, in canonical form."""

    @abstractmethod
    def play(self, table: TableT, move: Move) -> TableT:
        """Returns the table after a legal move or a possible observed outcome."""

    @abstractmethod
    def observation_due(self, table: TableT) -> bool:
        """Whether the board must be observed before the next move."""

    @abstractmethod
    def outcome(self, table: TableT) -> Outcome | None:
        """Returns how the game ended, or None while it goes on."""

    @abstractmethod
    def state(self, table: TableT) -> State[float]:
        """Returns the quantum state of the board in floating point."""

    @abstractmethod
    def exact_state(self, table: TableT) -> State[Surd]:
        """Returns the quantum state of the board in exact numbers."""

    @abstractmethod
    def marks(self, table: TableT) -> Board:
        """Returns the board of observed marks, over which the state is laid."""

    def sample(self, table: TableT, rng: Uniform) -> str:
        """Returns one outcome of an observation, drawn from the exact distribution.

        Args:
            table: The table.
            rng: Where randomness comes from.
        """
        return self.state(table).sample(self.marks(table), rng)
