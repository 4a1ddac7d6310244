"""Spooky marks: move values of Goff's game, and what connected moves can be assigned to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..board import Mark, O, X
from ..errors import NotationError
from ..moves import Move, integers

_PLACING = re.compile(r"([0-9]{1,3})(?:,([0-9]{1,3}))?")
_TAKING = re.compile(r"([0-9]{1,3})=([XO])([0-9]{1,3})")
_HELP = "write two squares such as '5,8', one such as '5', or a choice such as '5=X3'"

Assignment = dict[int, int]
"""Subscript of a move to the square that it takes."""


@dataclass(frozen=True, eq=False)
class SpookyMove(Move):
    """A piece shared by two squares, or put in one.

    Two are equal if they name the same squares, in whatever order.

    Attributes:
        squares: One or two squares, as written; one if it is written twice.

    Raises:
        NotationError: If there are not one or two squares.
    """

    squares: tuple[int, ...]

    def __post_init__(self) -> None:
        squares = tuple(dict.fromkeys(integers("squares", self.squares)))
        if not 1 <= len(self.squares) <= 2:
            raise NotationError(f"move {self}: a piece is in one or two squares")
        object.__setattr__(self, "squares", squares)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpookyMove):
            return NotImplemented
        return set(self.squares) == set(other.squares)

    def __hash__(self) -> int:
        return hash(frozenset(self.squares))

    def __str__(self) -> str:
        return ",".join(map(str, self.squares))


@dataclass(frozen=True)
class Piece:
    """A mark with its subscript, the number of the move that it came from.

    Attributes:
        player: Whose it is.
        number: The subscript.

    Raises:
        NotationError: If they are no player and no number.
    """

    player: Mark
    number: int

    def __post_init__(self) -> None:
        if self.player not in (X, O):
            raise NotationError(f"a player is X or O, not {self.player!r}")
        integers("subscripts", (self.number,))

    def __str__(self) -> str:
        return f"{self.player}{self.number}"


@dataclass(frozen=True)
class Choice(Move):
    """How a cycle collapses: a mark of it takes one of its squares.

    Attributes:
        square: The square.
        piece: The mark that takes it.
    """

    square: int
    piece: Piece

    def __post_init__(self) -> None:
        integers("squares", (self.square,))
        if not isinstance(self.piece, Piece):
            raise NotationError(f"a choice places a Piece, not {self.piece!r}")

    def __str__(self) -> str:
        return f"{self.square}={self.piece}"


@dataclass(frozen=True)
class Spooky:
    """A move that no collapse has placed yet.

    Attributes:
        piece: Its mark.
        squares: The two squares, in the order in which they were written.
    """

    piece: Piece
    squares: tuple[int, int]


def group_of(spooky: Iterable[Spooky], square: int) -> tuple[Spooky, ...]:
    """Returns the moves that are connected with a square, in order."""
    moves, reached, size = tuple(spooky), {square}, 0
    while len(reached) > size:
        size = len(reached)
        reached |= {s for move in moves if reached & {*move.squares} for s in move.squares}
    return tuple(move for move in moves if reached & {*move.squares})


def groups(spooky: Iterable[Spooky]) -> list[tuple[Spooky, ...]]:
    """Returns moves in connected groups, by their first moves."""
    found: list[tuple[Spooky, ...]] = []
    for move in (moves := tuple(spooky)):
        if not any(move in group for group in found):
            found.append(group_of(moves, move.squares[0]))
    return found


def outward(tree: Iterable[Spooky], free: int) -> Assignment:
    """Returns the squares that the moves of a tree take if one square of it is left free."""
    taken: Assignment = {}
    reached, waiting = {free}, list(tree)
    while waiting:
        for move in waiting:
            near = [s for s in move.squares if s in reached]
            if near:
                [far] = [s for s in move.squares if s != near[0]]
                taken[move.piece.number] = far
                reached.add(far)
        waiting = [move for move in waiting if move.piece.number not in taken]
    return taken


def assignments(group: tuple[Spooky, ...]) -> list[Assignment]:
    """Returns every way to give the moves of a connected group squares of their own.

    Args:
        group: A tree, or a group whose last move closes its only cycle.
    """
    squares = sorted({s for move in group for s in move.squares})
    if len(group) < len(squares):
        return [outward(group, free) for free in squares]
    *tree, closing = group
    return [
        {**outward(tree, square), closing.piece.number: square}
        for square in sorted(closing.squares)
    ]


def _square(text: str, digits: str) -> int:
    if len(digits) > 1 and digits[0] == "0":
        raise NotationError(f"{text!r} is not a move: {digits!r} is no square; {_HELP}")
    return int(digits)


def parse_placing(text: str) -> SpookyMove:
    """Reads a move such as ``5,8`` or ``5``.

    Raises:
        NotationError: If the text is none.
    """
    match = _PLACING.fullmatch(text)
    if match is None:
        raise NotationError(f"{text!r} is not a move: {_HELP}")
    return SpookyMove(tuple(_square(text, s) for s in match.groups() if s))


def parse_choice(text: str) -> Choice:
    """Reads a choice such as ``5=X3``.

    Raises:
        NotationError: If the text is none.
    """
    match = _TAKING.fullmatch(text)
    if match is None:
        raise NotationError(f"{text!r} is not a choice: write a square and a mark, as in '5=X3'")
    player: Mark = "X" if match[2] == "X" else "O"
    return Choice(_square(text, match[1]), Piece(player, _square(text, match[3])))


def assignment_text(way: Assignment, moves: Iterable[Spooky]) -> str:
    """Returns an assignment in the notation of outcomes: squares ascending."""
    taken = sorted((way[spooky.piece.number], spooky.piece) for spooky in moves)
    return ",".join(f"{square}={piece}" for square, piece in taken)


def cycle_of(group: tuple[Spooky, ...]) -> list[Spooky]:
    """Returns the moves of the cycle of a group: those that the two ways place differently."""
    one, other = assignments(group)
    return [s for s in group if one[s.piece.number] != other[s.piece.number]]
