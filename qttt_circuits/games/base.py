"""What every game defines, and what a position needs of it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from operator import index
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from ..board import O, X, grid
from ..errors import OptionError, UnknownNameError
from ..moves import Move
from ..state import Uniform

if TYPE_CHECKING:
    import sympy

    from ..components import Component

TableT = TypeVar("TableT")
WHOLE = "ask for probabilities() of whole outcomes"
Side = str
"""Who plays: ``X`` and ``O`` in most games."""
Exact = Any
"""An exact number that sympy takes, prints and turns into a float: a `Surd`, a fraction, …"""

registered: dict[str, type[Rules[Any]]] = {}
"""The rule sets by name; filled as their modules are loaded."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended.

    Attributes:
        winner: The winning side, or None for a draw.
        scores: Points by side.
        reason: What ended it.
    """

    winner: Side | None
    scores: Mapping[Side, float] = field(hash=False)
    reason: str

    def __str__(self) -> str:
        points = ", ".join(f"{mark} {score:g}" for mark, score in self.scores.items())
        wins = "win" if str(self.winner).endswith("s") else "wins"
        ended = f"{self.winner} {wins}" if self.winner else "a draw"
        return f"{ended} ({self.reason}; {points})"


def as_text(value: object) -> str | None:
    """Returns the value of an option as text, such as ``true`` or ``4``; None if it is none."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return str(value)
    try:
        return str(index(value))  # type: ignore[arg-type]
    except TypeError:
        return None


class Rules(ABC, Generic[TableT]):
    """The rules of one game: what is legal, what a move does, when it ends.

    Rules are values without a game going on. They work on *tables*: immutable descriptions of what
    lies on the board between two moves. A class with a ``name`` registers itself.

    Attributes:
        name: The rule set's name.
        summary: One line on what it is.
        source: The document it comes from.
        notation: How moves are written, in one line.
        outcomes: What an observation shows, in one word.
        circuits: The module of `compiling` that makes the game's circuits.
        solver: The module of `solving` that solves the game, if there is one.
        painter: The module of `drawing` that paints the board, if it is no plain grid of text.
        finite: Whether a position has finitely many legal moves.
        sides: Who plays; the side whose score counts as positive comes first.
        choices: The options and the values they can have, as text, the default first.
        others: For options with more values than these, a pattern of them, and all in words.
        options: The options of this instance.
    """

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    source: ClassVar[str] = ""
    notation: ClassVar[str] = ""
    outcomes: ClassVar[str] = "board"
    circuits: ClassVar[str] = ""
    solver: ClassVar[str] = ""
    painter: ClassVar[str] = ""
    finite: ClassVar[bool] = True
    sides: ClassVar[tuple[Side, Side]] = (X, O)
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"first": ("X", "O")}
    others: ClassVar[Mapping[str, tuple[str, str]]] = {}

    def __init__(self, /, **options: object) -> None:
        for option, value in options.items():
            if option not in self.choices:
                raise UnknownNameError(f"option of {self.name}", option, self.choices)
            text = as_text(value)
            pattern, words = self.others.get(option, ("(?!)", " or ".join(self.choices[option])))
            known = text in self.choices[option]
            if text is None or not (known or re.fullmatch(pattern, text)):
                raise OptionError(f"option {option} of {self.name} is {words}, not {value!r}")
        self.options: dict[str, str] = {
            option: as_text(options.get(option, values[0])) or ""
            for option, values in self.choices.items()
        }

    @property
    def title(self) -> str:
        """The name, and the options that are not as usual, such as ``cat-and-hounds level=5``."""
        usual = self.usual()
        chosen = [f"{k}={v}" for k, v in self.options.items() if v != usual[k]]
        return " ".join([self.name, *chosen])

    def usual(self) -> dict[str, str]:
        """Returns the values that options have if they are not given."""
        return {name: values[0] for name, values in self.choices.items()}

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
    def turn(self, table: TableT) -> Side:
        """Returns the side to move; while an observation is due, the side to move after it."""

    @abstractmethod
    def refusal(self, table: TableT, move: Move) -> str | None:
        """Returns why a move or an observed outcome is not legal, or None if it is."""

    @abstractmethod
    def legal_moves(self, table: TableT) -> Iterable[Move]:
        """Returns the legal moves once each, in canonical form; lazily if there may be many."""

    @abstractmethod
    def play(self, table: TableT, move: Move) -> TableT:
        """Returns the table after a legal move or a possible observed outcome."""

    @abstractmethod
    def observation_due(self, table: TableT) -> bool:
        """Whether the board must be observed before the next move."""

    def not_due(self, table: TableT) -> str:
        """Returns why nothing is observed now."""
        over = self.outcome(table) is not None
        return "the game is over" if over else f"nothing is observed in {self.name}"

    @abstractmethod
    def outcome(self, table: TableT) -> Outcome | None:
        """Returns how the game ended, or None while it goes on."""

    @abstractmethod
    def board(self, table: TableT) -> str:
        """Returns what stands on the board for certain, in the game's own letters."""

    @abstractmethod
    def cells(self, table: TableT) -> Mapping[str, str]:
        """Returns what each square shows as short text, by its name, row by row from the top."""

    @abstractmethod
    def distribution(self, table: TableT) -> Mapping[str, float]:
        """Returns the probability of every outcome that an observation could show, sorted."""

    @abstractmethod
    def exact_distribution(self, table: TableT) -> Mapping[str, Exact]:
        """Returns the same in exact numbers.

        Raises:
            OptionError: If they are not known exactly.
        """

    @abstractmethod
    def amplitudes(self, table: TableT) -> Mapping[str, complex]:
        """Returns the normalised amplitude of every outcome, right up to one global phase."""

    @abstractmethod
    def exact_amplitudes(self, table: TableT) -> Mapping[str, sympy.Expr]:
        """Returns the same as sympy expressions.

        Raises:
            OptionError: If they are not known exactly.
        """

    def components(self, table: TableT, *, exact: bool = False) -> tuple[Component[Any], ...]:
        """Returns the groups of squares that are not entangled with each other.

        Args:
            table: The table.
            exact: Whether their numbers are exact rather than floats.

        Raises:
            OptionError: If the game keeps none apart.
        """
        raise OptionError(f"{self.name} keeps no independent groups of squares: {WHOLE}")

    def marginals(self, table: TableT, *, exact: bool = False) -> dict[int, dict[str, Any]]:
        """Returns the probability of each symbol on each square.

        Args:
            table: The table.
            exact: Whether they are exact numbers rather than floats.

        Raises:
            OptionError: If the game keeps none apart.
        """
        raise OptionError(f"{self.name} has no probabilities of single squares: {WHOLE}")

    def exact(self, table: TableT) -> bool:
        """Whether probabilities and amplitudes are known exactly."""
        return True

    def success(self, table: TableT) -> float:
        """Returns the probability that all post-selections since the last observation succeed."""
        return 1.0

    def sample(self, table: TableT, rng: Uniform) -> str:
        """Returns one outcome of an observation, drawn from the exact distribution.

        Args:
            table: The table.
            rng: Where randomness comes from.
        """
        found = self.distribution(table)
        threshold = rng.random() * sum(found.values())
        reached = accumulate(found.values())
        # rounding may leave the sum below the threshold: the last outcome takes the rest
        inside = (o for o, r in zip(found, reached, strict=True) if r > threshold)
        return next(inside, list(found)[-1])

    def status(self, table: TableT) -> str:
        """Returns whose turn it is and what is due, or how the game ended."""
        outcome = self.outcome(table)
        if outcome is not None:
            return str(outcome)
        if self.observation_due(table):
            return f"the board must be observed, then {self.turn(table)} moves"
        return f"{self.turn(table)} to move"

    def diagram(self, table: TableT) -> str:
        """Returns the board as a grid of squares with what each shows."""
        return grid(self.cells(table))

    def hint(self, table: TableT) -> str:
        """Returns in a line what helps the side to move; empty if there is nothing to say."""
        return ""

    # --- what players ask

    def lead(self, outcome: Outcome) -> float:
        """Returns the score of the side that counts as positive minus the other's."""
        first, other = self.sides
        return outcome.scores[first] - outcome.scores[other]

    def sign(self, table: TableT) -> int:
        """Returns 1 if the side whose score counts as positive is to move, else -1."""
        return 1 if self.turn(table) == self.sides[0] else -1

    @property
    def most(self) -> float:
        """The most by which a side's score can be above the other's."""
        return 1.0

    def estimate(self, table: TableT) -> float:
        """Returns a guess of the first side's score minus the other's, while the game goes on.

        Where the board must be observed it is near the mean of the guesses after that.
        """
        return 0.0

    def candidates(self, table: TableT) -> Iterable[Move]:
        """Returns the moves that are worth a thought, a few of them where there is no end of moves.

        They depend on nothing but the table; there is one at least if there is a legal move.
        """
        return self.legal_moves(table)

    def key(self, table: TableT) -> Hashable:
        """Returns what is equal for two tables only if all that can follow is the same."""
        return table

    def details(self, table: TableT) -> Mapping[str, Mapping[str, Mapping[str, float]]]:
        """Returns what else is worth knowing of a table: named tables, by row and column."""
        return {}

    def project(self, table: TableT, move: Move) -> Move:
        """Returns the legal move nearest to one that is not.

        Raises:
            OptionError: If the game knows no such thing, or there is none.
        """
        raise OptionError(f"{self.name} knows no nearest legal move")

    def random_move(self, table: TableT, rng: Random) -> Move:
        """Returns a legal move drawn at random, each distinct one with the same chance.

        Raises:
            OptionError: If there is none.
        """
        moves = self.legal_moves(table)
        found = moves if isinstance(moves, tuple) else list(moves)
        if not found:
            raise OptionError(f"there is no legal move: {self.status(table)}")
        return found[rng.randrange(len(found))]
