"""Dice that are thrown together and read as one number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

_NUMBERS = ("no", "a", "two", "three", "four")


class Dice(ABC):
    """Dice and how they are read: as a number from 1 to `faces`, all equally likely."""

    @property
    @abstractmethod
    def sides(self) -> tuple[int, ...]:
        """How many sides each die has, in the order in which they are read."""

    @property
    @abstractmethod
    def faces(self) -> int:
        """How many numbers can come up."""

    @abstractmethod
    def read(self, values: Sequence[int]) -> int:
        """Returns the number that the dice show.

        Args:
            values: What each die shows, from 1.
        """

    def write(self, number: int) -> str:
        """Returns a number the way people see it on the dice."""
        return str(number)

    def throw(self, rng: Random) -> int:
        """Returns a number at random.

        Args:
            rng: Where randomness comes from; one number is drawn a die.
        """
        return self.read([rng.randint(1, sides) for sides in self.sides])


@dataclass(frozen=True)
class Digits(Dice):
    """Equal dice read one after the other like the digits of a number: 11, 12, … 44.

    Attributes:
        base: The sides of each.
        count: How many.
    """

    base: int
    count: int = 1

    @property
    def sides(self) -> tuple[int, ...]:
        """The base, once a die."""
        return (self.base,) * self.count

    @property
    def faces(self) -> int:
        """A power of the base."""
        return int(self.base**self.count)

    def read(self, values: Sequence[int]) -> int:
        """Returns the place of the rolled digits among all, in order."""
        number = 0
        for value in values:
            number = number * self.base + value - 1
        return number + 1

    def write(self, number: int) -> str:
        """Returns the digits."""
        digits, rest = [], number - 1
        for _ in range(self.count):
            rest, digit = divmod(rest, self.base)
            digits.append(str(digit + 1))
        return "".join(reversed(digits))

    def __str__(self) -> str:
        return f"{_NUMBERS[self.count]} d{self.base}"


@dataclass(frozen=True)
class D8(Dice):
    """Document 000's d8 of two d4: a control, which adds 4 if it shows 3 or 4, and an outcome."""

    @property
    def sides(self) -> tuple[int, ...]:
        """The control and the outcome."""
        return (4, 4)

    @property
    def faces(self) -> int:
        """Eight."""
        return 8

    def read(self, values: Sequence[int]) -> int:
        """Returns the outcome, or 4 more."""
        control, outcome = values
        return outcome + 4 * (control > 2)

    def __str__(self) -> str:
        return "two d4 as a d8"


@dataclass(frozen=True)
class D32(Dice):
    """Document 000's d32 of three d4: two of the opponent's and one of one's own.

    The highest number is that of the failure: both of the opponent's show 4, one's own 1 or 2.
    """

    @property
    def sides(self) -> tuple[int, ...]:
        """The opponent's two, then one's own."""
        return (4, 4, 4)

    @property
    def faces(self) -> int:
        """Thirty-two: one's own die only counts as low or high."""
        return 32

    def read(self, values: Sequence[int]) -> int:
        """Returns the place of the roll, a low own die standing above a high one."""
        first, second, own = values
        return 2 * (4 * (first - 1) + second - 1) + (2 if own <= 2 else 1)

    def write(self, number: int) -> str:
        """Returns the opponent's dice and whether one's own is low or high."""
        pair, low = divmod(number - 1, 2)
        return f"{pair // 4 + 1}{pair % 4 + 1}+{'1-2' if low else '3-4'}"

    def __str__(self) -> str:
        return "three d4 as a d32"
