"""A table for real dice: which roll stands for which outcome, and how far that is from exact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from ..games.base import Exact
from ..randomness import Seed, as_generator
from .shares import distance
from .steps import Range, Step


@dataclass(frozen=True)
class Entry:
    """What a table says of one outcome.

    Attributes:
        step: The number of the step that decides on it, from 1; 0 if no roll shows it.
        rolls: The rolls in that step, as text.
        outcome: The outcome.
        probability: Its probability by the table, all steps together.
        exact: Its exact probability.
    """

    step: int
    rolls: str
    outcome: str
    probability: Fraction
    exact: Exact


@dataclass(frozen=True)
class RollTable:
    """How to roll what an observation of a position shows.

    Attributes:
        position: The position as text.
        dice: The kind of dice, such as ``d100``.
        steps: What is thrown in turn until an outcome is found.
        exact: The exact probability of each outcome.
        notes: What else there is to know, in lines.
    """

    position: str
    dice: str
    steps: tuple[Step, ...]
    exact: Mapping[str, Exact] = field(hash=False)
    notes: tuple[str, ...] = ()

    @cached_property
    def probabilities(self) -> dict[str, Fraction]:
        """The probability of each outcome by the table, in the order of rolling."""
        found: dict[str, Fraction] = {}
        reached = Fraction(1)
        for step in self.steps:
            onward = Fraction(0)
            for r in step.ranges:
                share = reached * r.size / step.kept
                if r.outcome is None:
                    onward += share
                else:
                    found[r.outcome] = found.get(r.outcome, Fraction(0)) + share
            reached = onward
        return found

    @cached_property
    def distance_exact(self) -> Exact:
        """The total variation distance from the exact distribution, as an exact number."""
        return distance(self.probabilities, self.exact)

    @property
    def distance(self) -> float:
        """The same as a float."""
        return float(self.distance_exact)

    @property
    def procedure(self) -> tuple[str, ...]:
        """What to do, line by line, and what to know about it."""
        missing = tuple(
            f"no roll shows {outcome}, of probability {float(p):.4g}"
            for outcome, p in self.exact.items()
            if outcome not in self.probabilities
        )
        return (*(step.text for step in self.steps), *missing, *self.notes)

    def roll(self, seed: Seed = None) -> str:
        """Returns an outcome, rolled with simulated dice by the table.

        Args:
            seed: A seed or generator; None draws one.
        """
        rng = as_generator(seed)
        for step in self.steps:
            found = None
            while found is None:
                found = step.find(step.dice[0].throw(rng))
            if found.outcome is not None:
                return found.outcome
        raise AssertionError("the last step of a table decides")

    def entries(self) -> Iterator[Entry]:
        """Yields what the table says of each outcome, those that no roll shows at the end."""
        for number, step in enumerate(self.steps, 1):
            for outcome in dict.fromkeys(r.outcome for r in step.ranges):
                if outcome is not None:
                    yield self._entry(number, step.written(outcome), outcome)
        for outcome in self.exact:
            if outcome not in self.probabilities:
                yield self._entry(0, "", outcome)

    def _entry(self, step: int, rolls: str, outcome: str) -> Entry:
        p = self.probabilities.get(outcome, Fraction(0))
        return Entry(step, rolls, outcome, p, self.exact[outcome])

    @property
    def faces(self) -> int:
        """The numbers that can come up; of several steps, the equally likely cases they make."""
        if len(self.steps) == 1:
            return self.steps[0].faces
        return lcm(*(p.denominator for p in self.probabilities.values()))

    @property
    def rerolled(self) -> int:
        """How many of them are rolled again; of several steps none, each rolls its own again."""
        return self.steps[0].rerolled if len(self.steps) == 1 else 0

    def ranges(self) -> tuple[Range, ...]:
        """Returns what the `faces` mean; cases of several steps come in the order of rolling."""
        if len(self.steps) == 1:
            return self.steps[0].ranges
        ranges: list[Range] = []
        last = 0
        for outcome, p in self.probabilities.items():
            ranges.append(Range(last + 1, last + int(p * self.faces), outcome))
            last = ranges[-1].last
        return tuple(ranges)

    def to_json(self) -> dict[str, Any]:
        """Returns the table as JSON-able data.

        A row of ``table`` is a range of rolls with an outcome. ``probability`` is that of the
        range, so that all sum to 1, and ``exact`` that of the outcome, which may have several.
        ``from`` and ``to`` are null in the row of an outcome that no roll shows.
        """
        kept = self.faces - self.rerolled
        spans: list[tuple[int | None, int | None, str, float]] = [
            (r.first, r.last, r.outcome, r.size / kept)
            for r in self.ranges()
            if r.outcome is not None
        ]
        spans += [(None, None, o, 0.0) for o in self.exact if o not in self.probabilities]
        return {
            "dice": self.dice,
            "faces": self.faces,
            "rerolled": self.rerolled,
            "table": [
                {
                    "from": first,
                    "to": last,
                    "outcome": outcome,
                    "probability": probability,
                    "exact": str(self.exact[outcome]),
                }
                for first, last, outcome, probability in spans
            ],
            "distance": self.distance,
            "distance_exact": str(self.distance_exact),
            "procedure": list(self.procedure),
            "steps": [
                {
                    "dice": str(step.dice[0]),
                    "faces": step.faces,
                    "rerolled": step.rerolled,
                    "table": [
                        {"from": r.first, "to": r.last, "outcome": r.outcome} for r in step.ranges
                    ],
                }
                for step in self.steps
            ],
        }

    def distance_text(self) -> str:
        """Returns how far the table is from exact, in one line."""
        if not self.distance_exact:
            return "total variation distance 0: the table is exact"
        return f"total variation distance {self.distance:.6f} = {self.distance_exact}"

    def __str__(self) -> str:
        rows = [
            (f"{e.step}: " if len(self.steps) > 1 and e.step else "", e.rolls or "none", e)
            for e in self.entries()
        ]
        width = max(len(step + rolls) for step, rolls, _ in rows)
        lines = [
            f"{(step + rolls).ljust(width)}  {e.outcome}  {e.probability} for {e.exact}"
            for step, rolls, e in rows
        ]
        return "\n".join([*self.procedure, *lines, self.distance_text()])
