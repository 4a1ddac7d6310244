"""Solvers: what positions are worth with best play, one file a kind of game.

A rule set names the module here that solves it, which has ``refusal(rules)`` and
``solve(position, progress, memory, line=…)``. It may have ``best(position, memory)`` as well, if
one best move is found faster than the values of all, ``known(rules)``, if what some tables are
worth is known without a search, and ``missing(rules)``, if a package makes it fast enough for whole
games.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import OptionError
from ..games import Rules
from ..moves import Move
from .base import Progress, Rated, Solution, Worth

if TYPE_CHECKING:
    from ..position import Position

__all__ = ["Rated", "Solution", "Worth", "best", "known", "missing", "refusal", "solve"]


def refusal(rules: Rules[Any]) -> str | None:
    """Returns why games of a rule set are not solved, or None if they are."""
    if not rules.solver:
        return f"there is no solver for {rules.name}"
    reason: str | None = import_module(f".{rules.solver}", __name__).refusal(rules)
    return reason


def missing(rules: Rules[Any]) -> str | None:
    """Returns what is not installed without which early positions are not solved, or None."""
    module = import_module(f".{rules.solver}", __name__)
    reason: str | None = module.missing(rules) if hasattr(module, "missing") else None
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
    memory = {} if memory is None else memory
    found: Solution = _module(position).solve(position, progress, memory, line=line)
    return found


def best(position: Position, *, memory: dict[Any, Any] | None = None) -> tuple[Move, float]:
    """Returns a best move, and what the position is worth.

    Args:
        position: A position in which a move is due.
        memory: What was found before, to be used and added to.

    Raises:
        OptionError: If nothing solves this game.
    """
    module = _module(position)
    memory = {} if memory is None else memory
    if hasattr(module, "best"):
        found: tuple[Move, float] = module.best(position, memory)
        return found
    rated = module.solve(position, lambda text: None, memory, line=False).moves[0]
    return rated.move, float(rated.value)


def known(rules: Rules[Any]) -> Callable[[Any], float | None]:
    """Returns what tells the value of a table if it is known without a search, and else None."""
    if refusal(rules) is None:
        module = import_module(f".{rules.solver}", __name__)
        if hasattr(module, "known"):
            found: Callable[[Any], float | None] = module.known(rules)
            return found
    return lambda table: None


def _module(position: Position) -> Any:
    """Returns the module that solves a position's game.

    Raises:
        OptionError: If there is none.
    """
    if not hasattr(position, "rules"):
        raise OptionError(f"what is solved is a Game, not {position!r:.60}")
    reason = refusal(position.rules)
    if reason is not None:
        raise OptionError(reason)
    return import_module(f".{position.rules.solver}", __name__)
