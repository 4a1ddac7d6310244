"""Solving cat and hounds at level 1, where nothing is left to chance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..games.branches import CAT, Table
from ..games.cat_and_hounds import CatAndHounds
from ..games.hunting import CatMove
from ..moves import Move
from ..position import Position
from .base import Progress, Solution, Worth, solution
from .hunt_search import Hunt

LARGEST = 8
"""The largest board that is solved; each further row takes about a hundred times as long."""


def refusal(rules: CatAndHounds) -> str | None:
    """Returns why games by some rules are not solved, or None if they are."""
    if rules.level != 1:
        return f"cat and hounds is solved at level 1, where the cat is classical, not {rules.level}"
    size = rules.squares.size
    if size > LARGEST:
        return f"cat and hounds is solved on boards of up to {LARGEST} squares a side, not {size}"
    return None


def solve(
    position: Position, progress: Progress, memory: dict[Any, Any], *, line: bool
) -> Solution:
    """Returns the value of a position, of every legal move, and a principal variation.

    The facts are the plies to the end if the winner hurries and the loser delays, the positions
    that can follow, this one included, and the games, that is, courses to an end.

    Args:
        position: The position.
        progress: Is told how many positions were solved.
        memory: What was found before.
        line: Whether to work out a principal variation.

    """
    rules = position.rules
    assert isinstance(rules, CatAndHounds)
    if rules.squares not in memory:
        memory[rules.squares] = Hunt(
            rules.squares, lambda number: progress(f"{position.text()}: {number:,} positions")
        )
    hunt: Hunt = memory[rules.squares]
    before = hunt.positions

    def worth(table: Table) -> Worth:
        if table.outcome is not None:
            return Worth(rules.lead(table.outcome))
        cat_wins, plies, _ = _solved(hunt, table)
        return Worth(1.0 if cat_wins else -1.0, plies)

    if position.outcome() is not None:
        found = solution(position, worth, _kind, progress, line=line)
        return replace(found, facts={"plies": 0, "positions": 1, "games": 1})
    _, plies, games = _solved(hunt, position.table)
    positions = hunt.positions - before
    found = solution(position, worth, _kind, progress, line=line)
    return replace(found, facts={"plies": plies, "positions": positions, "games": games})


def _solved(hunt: Hunt, table: Table) -> tuple[bool, int, int]:
    branch = table.branches[0]
    hounds = sum(1 << hunt.numbers[square] for square in branch.hounds)
    return hunt.solve(hunt.numbers[branch.cat], hounds, table.turn == CAT)


def _kind(move: Move) -> str:
    return "cat" if isinstance(move, CatMove) else "hound"
