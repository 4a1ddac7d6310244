"""TiqTaqToe with d4 dice: classical, superposition, entangling and half-entangling moves.

Source: document 002, "Original moves" and gameplay rules.
"""

from __future__ import annotations

from ..maps import Effect
from .dice import DiceRules
from .dice_table import Die


class TiqTaqToe(DiceRules):
    """All dice lie upright."""

    name = "tiqtaqtoe"
    summary = "TiqTaqToe with d4 dice: every die upright"
    source = "002"

    def sign_refusal(self, signs: tuple[int, ...], *, meets: bool) -> str | None:
        """Refuses every upside-down die."""
        return "tiqtaqtoe has no cancelling die" if -1 in signs else None

    def cancelling_effect(self, met: Die, new: tuple[Die, Die], cancels: tuple[int, ...]) -> Effect:
        """Is never asked: upright dice of two players never show one symbol."""
        raise ValueError("no die cancels in tiqtaqtoe")
