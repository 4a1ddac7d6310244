"""TiqTaqToe in which every die may be placed upside-down.

Source: document 002.
"""

from __future__ import annotations

from .. import maps
from ..maps import Effect, T
from .dice import DiceRules
from .dice_table import FULL, Die


class Shiftflip(DiceRules):
    """Signs are free; an upside-down die stands for the opponent's mark with a minus sign."""

    name = "shiftflip"
    summary = "every die upright or upside-down"
    source = "002"

    def sign_refusal(self, signs: tuple[int, ...], *, meets: bool) -> str | None:
        """Refuses nothing."""
        return None

    def cancelling_effect(self, met: Die, new: tuple[Die, Die], cancels: tuple[int, ...]) -> Effect:
        """Returns the shiftflip, half-shiftflip, spreading or off-board map."""
        if len(cancels) == 2:
            leaving = maps.off_board if met.value == FULL else maps.spreading
            return leaving(met.symbol)
        [cancelled] = cancels
        kept = new[1 - cancelled]
        if met.value == FULL:
            return maps.cancelling(met.symbol, met.sign * kept.sign, cancelled == T)
        return maps.half_shiftflip(met.symbol, kept.sign, new[cancelled].sign, cancelled == T)
