"""Document 000's own ways to roll the half-cancelling move.

A group is rolled that way if it is a superposition that one half-cancelling move has met, or two,
one at each end, and nothing else. The move lays its cancelling die on one of two squares and an
upright one on the other, the *entangled* square, whichever of them the met die lies on.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..board import opponent
from ..numbers import ROOT2, Surd
from .dice import D8, D32, Digits
from .groups import Group
from .steps import Range, Step

# 000, 4.2: one half cancelled
ENTANGLED = 1 / (8 - 2 * ROOT2)
OTHER = YOURS = 1 / (4 - ROOT2)
CANCELLED = (3 - 2 * ROOT2) / (8 - 2 * ROOT2)
# 000, 4.2: both halves cancelled
BOTH_ENTANGLED = 1 / (4 * (3 - ROOT2))
BOTH_YOURS = 1 / (2 * (3 - ROOT2))
BOTH_CANCELLED = (3 - 2 * ROOT2) / (4 * (3 - ROOT2))

D100_TEXT = "roll a d100, or two d10 for tens and ones, of which 0 and 0 are 100"


@dataclass(frozen=True)
class HalfCancelled:
    """The roles that the outcomes of a half-cancelled group have in document 000.

    Attributes:
        you: The player who cancels; the opponent owns the piece.
        opponent: The opponent.
        cancelled: The opponent's piece in the cancelled square, one outcome a cancelling move.
        entangled: The opponent's piece in the entangled square, one a move.
        yours: Your piece in the entangled square, one a move.
        other: The opponent's piece in the square that was not met; none if both are cancelled.
    """

    you: str
    opponent: str
    cancelled: tuple[str, ...]
    entangled: tuple[str, ...]
    yours: tuple[str, ...]
    other: tuple[str, ...]

    @property
    def probabilities(self) -> dict[str, Surd]:
        """The document's probability of each outcome."""
        if not self.other:
            sides = (BOTH_CANCELLED, BOTH_ENTANGLED, BOTH_YOURS)
        else:
            sides = (CANCELLED, ENTANGLED, YOURS)
        kinds = zip((self.cancelled, self.entangled, self.yours), sides, strict=True)
        found = {outcome: p for outcomes, p in kinds for outcome in outcomes}
        return found | dict.fromkeys(self.other, OTHER)


def half_cancelled(group: Group) -> HalfCancelled | None:
    """Returns the roles of the outcomes of a group, or None if it is not half-cancelled."""
    first, *moves = group.maps
    if first.kind != "superposition" or {move.kind for move in moves} != {"half-cancelling"}:
        return None
    cancelled = [move.cancels[0] for move in moves]
    entangled = [sum(move.squares) - c for move, c in zip(moves, cancelled, strict=True)]
    met = {move.squares[0] for move in moves}
    theirs = moves[0].met
    yours = opponent(theirs)
    found = HalfCancelled(
        you=yours,
        opponent=theirs,
        cancelled=tuple(group.board(s, theirs) for s in cancelled),
        entangled=tuple(group.board(s, theirs) for s in entangled),
        yours=tuple(group.board(s, yours) for s in entangled),
        other=tuple(group.board(s, theirs) for s in first.squares if s not in met),
    )
    return found if found.probabilities == group.distribution else None


def d100(roles: HalfCancelled) -> tuple[Step, ...] | None:
    """Returns the document's table for a d100; None if both halves are cancelled, it has none."""
    if not roles.other:
        return None
    [cancelled], [entangled], [yours], [other] = (
        roles.cancelled,
        roles.entangled,
        roles.yours,
        roles.other,
    )
    ranges = (
        Range(1, 19, entangled),
        Range(20, 20, cancelled),
        Range(21, 59, other),
        Range(60, 60, cancelled),
        Range(61, 99, yours),
        Range(100, 100, cancelled),
    )
    return (Step((Digits(100),), ranges, f"{D100_TEXT}; this table is document 000's"),)


def d4(roles: HalfCancelled) -> tuple[Step, ...]:
    """Returns the document's procedure for d4 dice: a check for each failure, then a d5 or d6.

    With both halves cancelled the second check is made only if the first has found no failure.
    """
    you, they = roles.you, roles.opponent
    steps = [
        Step(
            (D32(),),
            (Range(1, 31, None), Range(32, 32, outcome)),
            f"step {number}: {'otherwise ' if number > 1 else ''}roll two of {they}'s d4 and one "
            f"of {you}'s: if the two show 4 and {you}'s 1 or 2, cancelling has failed: {outcome}",
        )
        for number, outcome in enumerate(roles.cancelled, 1)
    ]
    text = (
        f"step {len(steps) + 1}: otherwise roll two d4, and add 4 to the second if the first shows "
        "3 or 4; "
    )
    ranges: tuple[Range, ...]
    if roles.other:
        [entangled], [other], [yours] = roles.entangled, roles.other, roles.yours
        ranges = (Range(1, 1, entangled), Range(2, 3, other), Range(4, 5, yours))
        text += "roll 6, 7 and 8 again; or roll a d6, and 6 again"
    else:
        (first, second), (third, fourth) = roles.entangled, roles.yours
        ranges = (
            Range(1, 1, first),
            Range(2, 2, second),
            Range(3, 4, third),
            Range(5, 6, fourth),
        )
        text += "roll 7 and 8 again; or roll a d6"
    return (*steps, Step((D8(), Digits(6)), ranges, text))
