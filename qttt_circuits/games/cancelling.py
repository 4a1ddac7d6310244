"""TiqTaqToe with one cancelling die a colour.

Source: document 000.
"""

from __future__ import annotations

from .. import maps
from ..maps import Effect, T
from .dice import DiceRules
from .dice_table import FULL, Die


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

    def cancelling_effect(self, met: Die, new: tuple[Die, Die], cancels: tuple[int, ...]) -> Effect:
        """Returns the cancelling map where a 4 is met, the half-cancelling one where a 2 is."""
        [cancelled] = cancels
        if met.value == FULL:
            kept = new[1 - cancelled]
            return maps.cancelling(met.symbol, met.sign * kept.sign, cancelled == T)
        return maps.half_cancelling(met.symbol, cancelled == T)
