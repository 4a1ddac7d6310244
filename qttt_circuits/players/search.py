"""A player that looks ahead: expectimax, with chance nodes where the board is observed."""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import Any

from ..games import Rules
from ..moves import Move, Observation
from ..position import Position
from .base import Choice, Limit, Player, require_move_due


class _LimitReachedError(Exception):
    """The limit on nodes or time was reached."""


class SearchPlayer(Player):
    """Looks ahead as far as the limit says, and guesses by the rules' estimate from there on.

    Between observations it prunes by alpha and beta; below an observation, whose outcomes are
    weighed by their exact probabilities, it looks at everything. Of moves that seem equally good it
    plays a random one.
    """

    name = "search"
    summary = "looks some moves ahead, over all outcomes of observations"

    def choose(self, position: Position, limit: Limit) -> Choice:
        """Returns the move that seems best at the greatest depth that the limit allows."""
        require_move_due(position)
        moves = list(position.legal_moves)
        search = _Search(position.rules, limit)
        chosen = Choice(moves[self.rng.randrange(len(moves))])
        for depth in range(1, limit.depth + 1):
            try:
                values = [search.value(search.after(position.table, m), depth - 1) for m in moves]
            except _LimitReachedError:
                break
            best = search.sign(position.table) * max(
                search.sign(position.table) * value for value in values
            )
            equal = [move for move, value in zip(moves, values, strict=True) if value == best]
            chosen = Choice(equal[self.rng.randrange(len(equal))], best, search.nodes)
        return chosen


class _Search:
    def __init__(self, rules: Rules[Any], limit: Limit) -> None:
        self.rules, self.limit, self.nodes = rules, limit, 0
        self.deadline = None if limit.seconds is None else monotonic() + limit.seconds

    def sign(self, table: Any) -> int:
        """Returns 1 if the side whose score counts as positive is to move, else -1."""
        return 1 if self.rules.turn(table) == self.rules.sides[0] else -1

    def after(self, table: Any, move: Move) -> Any:
        """Returns the table after a move, counting it."""
        self.nodes += 1
        over = self.limit.nodes is not None and self.nodes > self.limit.nodes
        if over or (self.deadline is not None and monotonic() > self.deadline):
            raise _LimitReachedError
        return self.rules.play(table, move)

    def value(self, table: Any, depth: int, low: float = -inf, high: float = inf) -> float:
        """Returns what a table is worth for the first side, as far as it matters.

        Args:
            table: The table.
            depth: Moves to look ahead.
            low: What the first side is sure of elsewhere.
            high: What the other side is sure of elsewhere.
        """
        rules = self.rules
        outcome = rules.outcome(table)
        if outcome is not None:
            first, other = rules.sides
            return outcome.scores[first] - outcome.scores[other]
        if rules.observation_due(table):
            return sum(
                p * self.value(self.after(table, Observation(seen)), depth)
                for seen, p in rules.distribution(table).items()
            )
        if depth == 0:
            return rules.estimate(table)
        sign, best = self.sign(table), -inf
        for move in rules.legal_moves(table):
            best = max(best, sign * self.value(self.after(table, move), depth - 1, low, high))
            if sign > 0:
                low = max(low, best)
            else:
                high = min(high, -best)
            if low >= high:
                break
        return sign * best
