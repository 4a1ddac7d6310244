"""Throws of dice and what their numbers mean."""

from __future__ import annotations

from dataclasses import dataclass

from .dice import Dice


@dataclass(frozen=True)
class Range:
    """Rolls that mean the same.

    Attributes:
        first: The first number.
        last: The last one.
        outcome: What they show; None if the next step decides.
    """

    first: int
    last: int
    outcome: str | None

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return self.last - self.first + 1


@dataclass(frozen=True)
class Step:
    """One throw of dice, repeated while it shows a number that is in none of the ranges.

    Attributes:
        dice: What can be thrown, the first unless others are wanted; they differ only in numbers
            that are rolled again.
        ranges: What the numbers mean, ascending.
        text: What to do, in one line.
    """

    dice: tuple[Dice, ...]
    ranges: tuple[Range, ...]
    text: str

    @property
    def faces(self) -> int:
        """How many numbers the dice can show."""
        return self.dice[0].faces

    @property
    def kept(self) -> int:
        """How many of them mean something."""
        return sum(r.size for r in self.ranges)

    @property
    def rerolled(self) -> int:
        """How many of them are rolled again."""
        return self.faces - self.kept

    def find(self, number: int) -> Range | None:
        """Returns the range of a number, or None if it is rolled again."""
        return next((r for r in self.ranges if r.first <= number <= r.last), None)

    def written(self, outcome: str | None) -> str:
        """Returns the rolls that mean an outcome, as in ``20, 60, 100``."""
        write = self.dice[0].write
        return ", ".join(
            write(r.first) if r.size == 1 else f"{write(r.first)}-{write(r.last)}"
            for r in self.ranges
            if r.outcome == outcome
        )
