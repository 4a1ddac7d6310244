"""Solvers: what positions are worth with best play, one file a kind of game.

A rule set names the module here that solves it, which has ``refusal(rules)`` and
``solve(position, progress, memory, line=…)``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import OptionError
from ..games import Rules
from .base import Progress, Rated, Solution, Worth

if TYPE_CHECKING:
    from ..position import Position

__all__ = ["Rated", "Solution", "Worth", "refusal", "solve"]


def refusal(rules: Rules[Any]) -> str | None:
    """Returns why games of a rule set are not solved, or None if they are."""
    if not rules.solver:
        return f"there is no solver for {rules.name}"
    reason: str | None = import_module(f".{rules.solver}", __name__).refusal(rules)
    return reason


def solve(
    position: Position,
    *,
    progress: Progress = lambda text: None,
    memory: dict[Any, Any] | None = None,
    line: bool = True,
) -> Solution:
    """Returns what a position is worth with best play of both sides.

    Args:
        position: The position.
        progress: Is told what is being solved.
        memory: What was found before, to be used and added to. Facts then count what was added.
        line: Whether to work out a principal variation.

    Raises:
        OptionError: If nothing solves this game.
    """
    if not hasattr(position, "rules"):
        raise OptionError(f"what is solved is a Game, not {position!r:.60}")
    reason = refusal(position.rules)
    if reason is not None:
        raise OptionError(reason)
    module = import_module(f".{position.rules.solver}", __name__)
    memory = {} if memory is None else memory
    found: Solution = module.solve(position, progress, memory, line=line)
    return found
