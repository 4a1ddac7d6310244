"""Solving Goff's game, where the players choose how cycles collapse."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ..board import O, X
from ..errors import OptionError
from ..games.goff import Table
from ..games.spooky import Choice, SpookyMove
from ..moves import Move
from ..position import Position
from .base import Progress, Solution, solution
from .goff_search import Solver


def solve(position: Position, progress: Progress) -> Solution:
    """Returns the value of a position, of every legal move, and a principal variation.

    Args:
        position: The position.
        progress: Is told what is being solved.

    Raises:
        OptionError: If cycles are observed: their collapse is no choice then.
    """
    options = position.rules.options
    if options["collapse"] == "measure":
        raise OptionError("games with collapse=measure are not solved: their collapses are chance")
    solver = Solver(options["tie_break"], options["single_square"] == "true")
    sign = 1 if options["first"] == X else -1

    def value(table: Table) -> Fraction:
        outcome = table.outcome
        if outcome is not None:
            return Fraction(outcome.scores[X] - outcome.scores[O])
        return sign * solver.value(table)

    found = solution(position, value, _kind, progress)
    return replace(found, facts={"positions": solver.nodes})


def _kind(move: Move) -> str:
    if isinstance(move, Choice):
        return "choice"
    return "classical" if isinstance(move, SpookyMove) and len(move.squares) == 1 else "spooky"
