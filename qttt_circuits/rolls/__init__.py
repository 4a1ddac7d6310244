"""Rolling tables: what an observation shows, rolled with real dice.

    >>> from qttt_circuits import Game
    >>> from qttt_circuits.rolls import rolls
    >>> game = Game("cancelling")
    >>> for move in "1,2", "-2,3":
    ...     _ = game.push(move)
    >>> table = rolls(game)
    >>> table.steps[0].find(20).outcome, str(table.distance_exact)
    ('EXEEEEEEE', '73/350 - 1/7*sqrt(2)')

Document 000 has tables of its own for the half-cancelling move; every other position whose
distribution is known exactly gets one by largest remainder, or an exact one of d4 or d6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..errors import OptionError, UnknownNameError
from ..games.base import Exact
from ..position import Position
from . import documents
from .dice import Digits
from .documents import HalfCancelled, half_cancelled
from .groups import Group, group_of, groups
from .shares import common_denominator, exact_numbers, largest_remainder
from .steps import Range, Step
from .table import Entry, RollTable

__all__ = ["DICE", "Entry", "Range", "RollTable", "Step", "rolls"]

DICE = ("d100", "d4", "d6")
_MOST = {4: 4, 6: 3}
"""The most dice that are thrown together, by their sides."""
_DOCUMENTS: Mapping[str, Callable[[HalfCancelled], tuple[Step, ...] | None]] = {
    "d100": documents.d100,
    "d4": documents.d4,
}


def rolls(position: Position, dice: str = "d100", *, square: int | None = None) -> RollTable:
    """Returns a table by which an observation of a position is rolled with real dice.

    Args:
        position: A position of a game, over or not.
        dice: ``d100``, ``d4`` or ``d6``.
        square: In the dice games, a square of the group of entangled squares that is rolled alone;
            squares of other groups are written ``?``.

    Raises:
        UnknownNameError: If there are no such dice.
        OptionError: If there is nothing to roll, the distribution is not known exactly, it has more
            outcomes than the dice have faces, or the square is in no group.
    """
    if not isinstance(position, Position):
        raise OptionError(f"rolls takes a game or a position, not {type(position).__name__}")
    if dice not in DICE:
        raise UnknownNameError("dice", dice, DICE)
    found = groups(position)
    group: Group | None = None
    if square is not None:
        group = group_of(position, found, square)
    elif len(found) == 1:
        group = found[0]
    distribution: Mapping[str, Exact]
    if group is None:
        distribution = position.rules.exact_distribution(position.table)
    else:
        distribution = group.distribution
    if not any(distribution):  # in Goff's game an empty board has one outcome, without a name
        raise OptionError(f"there is nothing to roll in {position.text()}: play a move first")
    exact = exact_numbers(distribution)
    roles = half_cancelled(group) if group else None
    steps = _DOCUMENTS[dice](roles) if roles and dice in _DOCUMENTS else None
    notes = ["nothing is left to chance"] if len(exact) == 1 else []
    if group is None and len(found) > 1:
        notes.append(_independent(found))
    steps = steps or (_step(dice, exact, len(found)),)
    return RollTable(position.text(), dice, steps, exact, tuple(notes))


def _independent(found: list[Group]) -> str:
    squares = " and ".join(",".join(map(str, group.squares)) for group in found)
    return (
        f"the squares {squares} are independent: each group can be rolled alone, "
        "with --square N for one of its squares"
    )


def _step(dice: str, exact: Mapping[str, Exact], independent: int) -> Step:
    """Returns the table of any position for dice."""
    probabilities = list(exact.values())
    sides = int(dice.removeprefix("d"))
    most = _MOST.get(sides, 1)
    if len(probabilities) > sides**most:
        instead = "roll each group alone, with square=" if independent > 1 else "take other dice"
        raise OptionError(
            f"{len(probabilities)} outcomes are more than the {sides**most} faces of {dice} dice: "
            f"{instead}"
        )
    denominator = common_denominator(probabilities) if most > 1 else None
    if denominator is not None and denominator <= sides**most:
        count = next(k for k in range(1, most + 1) if sides**k >= denominator)
        # as often as the denominator goes into the faces, so that the fewest are rolled again
        used = sides**count // denominator * denominator
    else:
        count, used = most, sides**most
    thrown = Digits(sides, count)
    counts = largest_remainder(probabilities, used)
    ranges, last = [], 0
    for outcome, n in zip(exact, counts, strict=True):
        if n:
            ranges.append(Range(last + 1, last + n, outcome))
            last += n
    text = documents.D100_TEXT if dice == "d100" else f"roll {thrown}"
    if count > 1:
        text += " and read them one after the other, as digits"
    if used < thrown.faces:
        again = thrown.write(used + 1)
        text += f"; roll {again} " + ("and more again" if used + 1 < thrown.faces else "again")
    return Step((thrown,), tuple(ranges), text)
