"""TiqTaqToe in which every die may be placed upside-down.

Source: document 002.
"""

from __future__ import annotations

from collections.abc import Mapping

from .. import maps
from ..maps import LocalMap
from .dice import FULL, DiceRules, Die


class Shiftflip(DiceRules):
    """Signs are free; an upside-down die stands for the opponent's mark with a minus sign."""

    name = "shiftflip"
    summary = "every die upright or upside-down"
    source = "002"

    def sign_refusal(self, signs: tuple[int, ...], *, meets: bool) -> str | None:
        """Refuses nothing."""
        return None

    def cancelling_map(
        self, t: int, e: int, met: Die, new: Mapping[int, Die], cancels: tuple[int, ...]
    ) -> LocalMap:
        """Returns the shiftflip, half-shiftflip, spreading or off-board map."""
        if len(cancels) == 2:
            leaving = maps.off_board if met.value == FULL else maps.spreading
            return leaving(t, e, met.symbol)
        [cancelled] = cancels
        kept = new[e if cancelled == t else t]
        if met.value == FULL:
            return maps.cancelling(t, e, met.symbol, met.sign * kept.sign, cancelled == t)
        c = new[cancelled].sign
        return maps.half_shiftflip(t, e, met.symbol, kept.sign, c, cancelled == t)
