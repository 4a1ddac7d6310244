"""Solving Goff's game, where the players choose how cycles collapse."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from ..board import X
from ..games import Rules
from ..games.goff import Table
from ..games.spooky import Choice, SpookyMove
from ..moves import Move
from ..position import Position
from .base import Progress, Solution, Worth, solution
from .goff_search import Solver


def refusal(rules: Rules[Table]) -> str | None:
    """Returns why games by some rules are not solved, or None if they are."""
    if rules.options["collapse"] == "measure":
        return "games with collapse=measure are not solved: their collapses are chance"
    return None


def solve(
    position: Position, progress: Progress, memory: dict[Any, Any], *, line: bool
) -> Solution:
    """Returns the value of a position, of every legal move, and a principal variation.

    Args:
        position: The position.
        progress: Is told what is being solved.
        memory: What was found before.
        line: Whether to work out a principal variation.
    """
    options = position.rules.options
    key = (options["tie_break"], options["single_square"] == "true")
    if key not in memory:
        memory[key] = Solver(*key)
    solver = memory[key]
    before = solver.nodes
    sign = 1 if options["first"] == X else -1

    def worth(table: Table) -> Worth:
        if table.outcome is not None:
            return Worth(Fraction(position.rules.lead(table.outcome)))
        return Worth(sign * solver.value(table))

    found = solution(position, worth, _kind, progress, line=line)
    return replace(found, facts={"positions": solver.nodes - before})


def _kind(move: Move) -> str:
    if isinstance(move, Choice):
        return "choice"
    return "classical" if isinstance(move, SpookyMove) and len(move.squares) == 1 else "spooky"
