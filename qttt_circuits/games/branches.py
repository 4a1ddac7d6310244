"""The superposition in cat and hounds: branches, their amplitudes, and how they interfere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from string import ascii_lowercase

from .base import Outcome, Side

CAT, HOUNDS = "cat", "hounds"
WAYS = {2: ("left", "right"), 3: ("left", "centre", "right")}
"""The names of the branches after a split in two or three."""


@dataclass(frozen=True)
class Branch:
    """One part of a superposition.

    Attributes:
        name: ``left``, ``centre`` or ``right``; ``cat`` if there was no other since a measurement.
        cat: The cat's square.
        hounds: The hounds' squares, sorted.
        amplitude: Its amplitude, an integer not 0; probabilities go as its square.
    """

    name: str
    cat: str
    hounds: tuple[str, ...]
    amplitude: int = 1


@dataclass(frozen=True)
class Flip:
    """Branches of which the phase was flipped.

    Attributes:
        names: Their names.
    """

    names: tuple[str, ...]


@dataclass(frozen=True)
class Merge:
    """Branches that became equal: their amplitudes were added and the board renormalised.

    Attributes:
        names: Their names; the first one stays.
    """

    names: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """What stands on the board between two turns.

    Attributes:
        branches: The branches, in the order of their names.
        turn: The side to move, or to move after the measurement that is due.
        split: The names that the last split gave, empty if it was measured since.
        events: Flips and merges since that split.
        turns: The cat's turns since then, None while the cat is classical.
        due: Whether the cat must be measured.
        success: The probability that all merges since the split succeed.
        outcome: How the game ended.
    """

    branches: tuple[Branch, ...]
    turn: Side
    split: tuple[str, ...] = ()
    events: tuple[Flip | Merge, ...] = ()
    turns: int | None = None
    due: bool = False
    success: Fraction = Fraction(1)
    outcome: Outcome | None = None

    @property
    def classical(self) -> bool:
        """Whether there is one branch only."""
        return len(self.branches) == 1

    def probabilities(self) -> dict[str, Fraction]:
        """Returns the probability of each branch by its name."""
        norm = sum(b.amplitude**2 for b in self.branches)
        return {b.name: Fraction(b.amplitude**2, norm) for b in self.branches}


def settled_sign(table: Table) -> Table:
    """Returns the table without what cannot be seen: a phase for all, the length of one alone."""
    branches = table.branches
    if branches[0].amplitude < 0:
        branches = tuple(replace(b, amplitude=-b.amplitude) for b in branches)
    if len(branches) > 1:
        return replace(table, branches=branches)
    return replace(table, branches=(replace(branches[0], amplitude=1),), turns=None)


def merged(table: Table) -> Table:
    """Returns the table after interference: equal branches merge and the board renormalises.

    Amplitudes of branches that agree in the cat's square and in the hounds' add up under the first
    one's name; a branch without amplitude is gone. The map that sends n branches to one has
    σ²max = n, which is what the chance of success is relative to.
    """
    branches, events, success = table.branches, table.events, table.success
    alike: dict[tuple[str, tuple[str, ...]], list[Branch]] = {}
    for branch in branches:
        alike.setdefault((branch.cat, branch.hounds), []).append(branch)
    for same in alike.values():
        if len(same) == 1:
            continue
        before = sum(b.amplitude**2 for b in branches)
        added = replace(same[0], amplitude=sum(b.amplitude for b in same))
        kept = (added if b is same[0] else b for b in branches if b not in same[1:])
        branches = tuple(b for b in kept if b.amplitude)
        after = sum(b.amplitude**2 for b in branches)
        success *= Fraction(after, len(same) * before)
        events = (*events, Merge(tuple(b.name for b in same)))
    return replace(table, branches=branches, events=events, success=success)


# --- as text


def in_one_line(table: Table) -> str:
    """Returns the branches: name, sign, probability, cat and hounds of each."""
    probabilities = table.probabilities()
    return " ".join(
        f"{b.name}:{'-' if b.amplitude < 0 else ''}{probabilities[b.name]}:{b.cat}"
        f"/{','.join(b.hounds)}"
        for b in table.branches
    )


def shown_on(table: Table, square: str) -> str:
    """Returns what a square shows.

    ``C`` is a classical cat and ``H`` a hound; ``L``, ``C`` and ``R`` are the cats of the branches,
    ``hl`` is a hound in branch left only.
    """
    cats = [b.name[0].upper() for b in table.branches if b.cat == square]
    if table.classical and cats:
        return "C"
    hounds = [b.name[0] for b in table.branches if square in b.hounds]
    if len(hounds) == len(table.branches):
        return "H"
    shown = "".join(cats) + (f"h{''.join(hounds)}" if hounds else "")
    return shown or "."


def hunt_text(table: Table, cells: Mapping[str, str], size: int) -> str:
    """Returns the board with the top row first, and a line for each branch.

    Args:
        table: The table.
        cells: What each dark square shows.
        size: Squares a side.
    """
    width = max(map(len, cells.values())) + 1
    columns = ascii_lowercase[:size]
    lines = []
    for row in range(size, 0, -1):
        shown = "".join(cells.get(f"{column}{row}", " ").ljust(width) for column in columns)
        lines.append(f"{row:>3}  {shown}".rstrip())
    lines.append(f"     {''.join(column.ljust(width) for column in columns)}".rstrip())
    if not table.classical:
        p = table.probabilities()
        lines.append(
            "  L, C and R are the cats of the branches; h and letters a hound in these only"
        )
        lines += [
            f"  {b.name}: {p[b.name]}, phase {'-' if b.amplitude < 0 else '+'}, cat on {b.cat}"
            for b in table.branches
        ]
    return "\n".join(lines)
