"""TiqTaqToe with one cancelling die a colour.

Source: document 000.
"""

from __future__ import annotations

from collections.abc import Mapping

from .. import maps
from ..maps import LocalMap
from .dice import FULL, DiceRules, Die


class Cancelling(DiceRules):
    """At most one die of a move is upside-down, and only where the move meets a die."""

    name = "cancelling"
    summary = "one cancelling die a colour, for moves that meet a die"
    source = "000"
    cancelling_dice = True

    def sign_refusal(self, signs: tuple[int, ...], *, meets: bool) -> str | None:
        """Refuses two cancelling dice, and one that meets nothing."""
        if signs.count(-1) > 1:
            return "at most one die of a move may be cancelling"
        if -1 in signs and not meets:
            return "a cancelling die is played only in a move that meets a die"
        return None

    def cancelling_map(
        self, t: int, e: int, met: Die, new: Mapping[int, Die], cancels: tuple[int, ...]
    ) -> LocalMap:
        """Returns the cancelling map where a 4 is met, the half-cancelling one where a 2 is."""
        [cancelled] = cancels
        if met.value == FULL:
            kept = new[e if cancelled == t else t]
            return maps.cancelling(t, e, met.symbol, met.sign * kept.sign, cancelled == t)
        return maps.half_cancelling(t, e, met.symbol, cancelled == t)
