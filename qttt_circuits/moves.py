"""Move values of the dice games and their notation.

Text parses to a value and prints back the same. A value knows no position: whether it is legal is
the rules' business.

    5          one 4-die on square 5
    1,2        two 2-dice on squares 1 and 2
    -2,3       the same with the die on square 2 upside-down
    O:-4,2     the player named
    @EEEEXOEEE an observed board
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import index

from .board import Board, Mark, O, X
from .errors import NotationError

_MOVE = re.compile(r"(?:(?P<player>[XO]):)?(?P<dice>-?[0-9]+(?:,-?[0-9]+)*)")
_HELP = "write one or two squares such as '5', '1,2' or '-2,3'"


class Move:
    """A move value of any game. Its text parses back to an equal value.

    Attributes:
        player: The player, if the move names one.
    """

    player: Mark | None = None


@dataclass(frozen=True)
class DiceMove(Move):
    """One 4-die or two 2-dice of a fresh colour.

    Two moves are equal if they place the same dice for the same player, in whatever order.

    Attributes:
        squares: The one or two squares, as written.
        signs: For each square 1 for an upright die, -1 for one that lies upside-down.
        player: The player, if the move names one.

    Raises:
        NotationError: If there are not one or two squares, or one of them twice, or if signs or
            player are none.
    """

    squares: tuple[int, ...]
    signs: tuple[int, ...]
    player: Mark | None = None

    def __post_init__(self) -> None:
        # whatever is given becomes tuples of integers, so that the value cannot change later
        object.__setattr__(self, "squares", integers("squares", self.squares))
        object.__setattr__(self, "signs", integers("signs", self.signs))
        if len(self.signs) != len(self.squares) or not set(self.signs) <= {1, -1}:
            raise NotationError(
                f"signs {self.signs!r} do not fit squares {self.squares!r}: write 1 or -1 for each"
            )
        if not (self.player is None or (isinstance(self.player, str) and self.player in (X, O))):
            raise NotationError(f"a player is X or O, not {self.player!r}")
        if not 1 <= len(self.squares) <= 2:
            raise NotationError(f"move {self}: a move has one or two dice, not {len(self.squares)}")
        if len(set(self.squares)) != len(self.squares):
            raise NotationError(f"move {self}: the two dice of a move go on two different squares")

    @classmethod
    def parse(cls, text: str) -> DiceMove:
        """Reads a move.

        Raises:
            NotationError: If the text is no move.
        """
        match = _MOVE.fullmatch(text)
        if match is None:
            raise NotationError(f"{text!r} is not a move: {_HELP}")
        squares, signs = [], []
        for die in match["dice"].split(","):
            digits = die.removeprefix("-")
            if len(digits) > 3 or (len(digits) > 1 and digits[0] == "0"):
                raise NotationError(f"{text!r} is not a move: {digits[:9]!r} is no square; {_HELP}")
            squares.append(int(digits))
            signs.append(-1 if die.startswith("-") else 1)
        player: Mark | None = "X" if match["player"] == "X" else "O" if match["player"] else None
        return cls(tuple(squares), tuple(signs), player)

    @property
    def dice(self) -> frozenset[tuple[int, int]]:
        """The dice as a set of (square, sign)."""
        return frozenset(zip(self.squares, self.signs, strict=True))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DiceMove):
            return NotImplemented
        return self.dice == other.dice and self.player == other.player

    def __hash__(self) -> int:
        return hash((self.dice, self.player))

    def __str__(self) -> str:
        dice = ",".join(
            f"{'-' if n < 0 else ''}{s}" for s, n in zip(self.squares, self.signs, strict=True)
        )
        return f"{self.player}:{dice}" if self.player else dice


def integers(what: str, values: object) -> tuple[int, ...]:
    """Returns values as a tuple of integers, which cannot change later.

    Raises:
        NotationError: If they are none.
    """
    if type(values) is tuple and all(type(value) is int for value in values):
        return values  # the usual case, which searching meets all the time
    if isinstance(values, Sequence) and not isinstance(values, str | bytes):
        with suppress(TypeError):
            if not any(isinstance(value, bool) for value in values):
                return tuple(index(value) for value in values)
    raise NotationError(f"{what} are a tuple of integers, not {values!r}")


@dataclass(frozen=True)
class Observation(Move):
    """An observed outcome in a history, written ``@`` and the outcome.

    Attributes:
        outcome: What was observed, as the game writes it.
    """

    outcome: str

    def __str__(self) -> str:
        return f"@{self.outcome}"


def parse_dice(text: str) -> Move:
    """Reads a move or an observed board of the dice games.

    Raises:
        NotationError: If the text is neither.
    """
    if text.startswith("@"):
        return Observation(Board(text[1:]))
    return DiceMove.parse(text)
