"""Move values of cat and hounds and their notation.

c7           the cat goes to c7
c7,e7~,.     the cats of the branches in order: ~ flips a phase, . stays
split:c7,e7  the cat splits
a1-b2        a hound moves
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import NotationError
from ..moves import Move

STAY = "."
SPLIT = "split:"
_SQUARE = "[a-z][1-9][0-9]?"
_STEP = re.compile(rf"({_SQUARE})(~?)|\.")
_HOUND = re.compile(f"({_SQUARE})-({_SQUARE})")
_HELP = "write a square such as 'c7', 'c7,e7~', 'split:c7,e7', or a hound's move such as 'a1-b2'"


@dataclass(frozen=True)
class Step:
    """Where one branch's cat goes.

    Attributes:
        square: The square, or `STAY`.
        flip: Whether the phase of the branch is flipped.
    """

    square: str
    flip: bool = False

    def __str__(self) -> str:
        return f"{self.square}{'~' * bool(self.flip)}"


@dataclass(frozen=True)
class CatMove(Move):
    """A turn of the cat.

    Attributes:
        steps: Where the cat of each branch goes, in the order of the branches; for a split, the
            squares of the branches to be.
        split: Whether the cat splits.

    Raises:
        NotationError: If it is no turn.
    """

    steps: tuple[Step, ...]
    split: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", tuple(self.steps))
        if not 1 <= len(self.steps) <= 3 or not all(isinstance(s, Step) for s in self.steps):
            raise NotationError(f"a turn of the cat has one to three squares: {_HELP}")
        for step in self.steps:
            if not isinstance(step.square, str) or _STEP.fullmatch(str(step)) is None:
                raise NotationError(f"{str(step)!r} is no square for a cat: {_HELP}")
        if self.split and any(step.flip or step.square == STAY for step in self.steps):
            raise NotationError("a split names squares only: all its amplitudes are equal")

    def squares(self) -> tuple[str, ...]:
        """Returns the squares that are named."""
        return tuple(step.square for step in self.steps if step.square != STAY)

    def __str__(self) -> str:
        return SPLIT * self.split + ",".join(map(str, self.steps))


@dataclass(frozen=True)
class HoundMove(Move):
    """A hound's move.

    Attributes:
        origin: Where it comes from.
        target: Where it goes.

    Raises:
        NotationError: If these are no squares.
    """

    origin: str
    target: str

    def __post_init__(self) -> None:
        if not all(isinstance(s, str) and re.fullmatch(_SQUARE, s) for s in self.squares()):
            raise NotationError(f"a hound moves between squares: {_HELP}")

    def squares(self) -> tuple[str, str]:
        """Returns both squares."""
        return self.origin, self.target

    def __str__(self) -> str:
        return f"{self.origin}-{self.target}"


def parse_hunting(text: str) -> Move:
    """Reads a turn of the cat or a hound's move.

    Raises:
        NotationError: If the text is neither.
    """
    hound = _HOUND.fullmatch(text)
    if hound is not None:
        return HoundMove(hound[1], hound[2])
    body = text.removeprefix(SPLIT)
    steps = []
    for part in body.split(",")[:4]:
        match = _STEP.fullmatch(part)
        if match is None:
            raise NotationError(f"{text[:80]!r} is not a move: {_HELP}")
        steps.append(Step(match[1] or STAY, bool(match[2])))
    return CatMove(tuple(steps), split=body != text)
