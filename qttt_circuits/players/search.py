"""A player that looks ahead: expectimax, with chance nodes where the board is observed."""

from __future__ import annotations

from collections.abc import Hashable
from math import inf
from random import Random
from time import monotonic
from typing import Any

from ..errors import TooManyBoardsError
from ..games import Rules
from ..moves import Move, Observation
from ..position import Position
from ..solving import known
from .base import Choice, Limit, Player, require_move_due

ERRING = 0.75
"""How often the other side is expected to play at random rather than a move that is the best."""
SURE = 1e-9
"""Values this near the best or worst possible score count as won or lost."""


class SearchPlayer(Player):
    """Looks ahead as far as the limit says, and guesses from there on.

    A guess is the rules' estimate. What is known without a search, such as the value of an observed
    board, is not looked into.

    It looks one move ahead, then two, and so on. If the limit comes first it plays the best of the
    moves that it has compared so far, beginning with the one that was best before. Which of moves
    that seem equally good it looks at first, and plays, is random.

    The other side is not expected to find its best move every time: a position in which it moves is
    worth something between its best move and the mean of all, unless the best wins for sure. With
    ``erring`` 0 this is plain expectimax, which gives up where only a mistake of the other side
    helps.

    Args:
        rng: Where the player's randomness comes from.
        erring: How often the other side is expected to play at random, from 0 to 1.
    """

    name = "search"
    summary = "looks some moves ahead, over all outcomes of observations"

    def __init__(self, rng: Random, erring: float = ERRING) -> None:
        super().__init__(rng)
        self.erring = erring

    def choose(self, position: Position, limit: Limit) -> Choice:
        """Returns the move that seems best at the greatest depth that the limit allows."""
        require_move_due(position)
        rules, table = position.rules, position.table
        sign, most = rules.sign(table), rules.most
        moves = list(rules.candidates(table))
        self.rng.shuffle(moves)
        search, chosen = _Search(rules, limit, sign, self.erring), Choice(moves[0])
        for depth in range(1, limit.depth + 1):
            found = search.best(table, moves, depth)
            if found is None:
                break
            values, complete = found
            best = max(values)
            if best <= -most + SURE and depth > 1 and complete:
                # all is lost against best play: what seemed best before may still last longer
                return Choice(chosen.move, sign * best, search.nodes)
            chosen = Choice(moves[values.index(best)], sign * best, search.nodes)
            if not complete or best >= most - SURE:
                break
            order = sorted(range(len(moves)), key=values.__getitem__, reverse=True)
            moves = [moves[i] for i in order]
        return Choice(chosen.move, chosen.value, search.nodes)


def _turned(window: tuple[float, float]) -> tuple[float, float]:
    """Returns a window of values as the other side sees it."""
    return -window[1], -window[0]


class _LimitReachedError(Exception):
    """The limit on nodes or time was reached."""


class _Search:
    """One choice: values for the first side, remembered by what plays the same and by depth.

    Values are exact within the window between ``low``, which the first side has elsewhere, and
    ``high``, which the other side has; outside they are bounds, which is all that matters there.
    Both kinds of pruning are sound, that is, they never change the value of the root: alpha and
    beta where a side moves, and at chance nodes `star1`, which supposes the best and worst scores
    that the rules allow for outcomes that were not looked at yet.
    """

    def __init__(self, rules: Rules[Any], limit: Limit, side: int, erring: float) -> None:
        self.rules, self.limit, self.nodes = rules, limit, 0
        self.side, self.erring = side, erring
        self.solved = known(rules)
        self.deadline = None if limit.seconds is None else monotonic() + limit.seconds
        self._known: dict[tuple[Hashable, int], tuple[float, float]] = {}

    def best(self, table: Any, moves: list[Move], depth: int) -> tuple[list[float], bool] | None:
        """Returns what moves are worth for the side to move, as far as it is better than before.

        Returns:
            The values, fewer than there are moves if the limit was reached, and whether all are
            there; None if there is not even one.
        """
        sign, best = self.rules.sign(table), -inf
        values: list[float] = []
        for move in moves:
            low, high = (best, inf) if sign > 0 else (-inf, -best)
            try:
                value = sign * self.value(self.after(table, move), depth - 1, low, high)
            except _LimitReachedError:
                return (values, False) if values else None
            values.append(value)
            best = max(best, value)
        return values, True

    def after(self, table: Any, move: Move) -> Any:
        """Returns the table after a move, counting it."""
        over = self.limit.nodes is not None and self.nodes >= self.limit.nodes
        if over or (self.deadline is not None and monotonic() > self.deadline):
            raise _LimitReachedError
        self.nodes += 1
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
            return rules.lead(outcome)
        solved = self.solved(table)
        if solved is not None:
            return solved
        if depth == 0:
            return rules.estimate(table)
        key = rules.key(table), depth
        least, most = self._known.get(key, (-inf, inf))
        if least == most or least >= high:
            return least
        if most <= low:
            return most
        look = self._chance if rules.observation_due(table) else self._choice
        value = look(table, depth, low, high)
        if value > low:
            least = max(least, value)
        if value < high:
            most = min(most, value)
        self._known[key] = least, most
        return value

    def _choice(self, table: Any, depth: int, low: float, high: float) -> float:
        """Returns the value of a table at which a side moves, by alpha and beta.

        The values of a side that errs count with their mean as well, to which any of them matters:
        they are looked at in full, until the side is sure to be too well off even so.
        """
        rules, sign = self.rules, self.rules.sign(table)
        tables = [self.after(table, move) for move in rules.candidates(table)]
        if depth > 1:  # the more likely a move is the best, the earlier; leaves need no order
            tables.sort(key=lambda t: self.value(t, 0) * -sign)
        errs = 0.0 if sign == self.side else self.erring
        best, total, value, left = -inf, 0.0, -inf, len(tables)
        floor, ceiling = (low, high) if sign > 0 else (-high, -low)
        for after in tables:
            # what the side to move is sure of, and what the other is, seen by the side to move
            window = (-inf, inf) if errs else (max(floor, best), ceiling)
            found = sign * self.value(after, depth - 1, *(window if sign > 0 else _turned(window)))
            best, total, left = max(best, found), total + found, left - 1
            value = best
            if errs and best < rules.most - SURE:
                mean = (total - left * rules.most) / len(tables)
                value = (1 - errs) * best + errs * mean
            if value >= ceiling:
                break
        return sign * value

    def _chance(self, table: Any, depth: int, low: float, high: float) -> float:
        """Returns the mean over all outcomes of an observation, by star1.

        With what is sure of the outcomes seen so far and ±`most` for the others, the mean has
        bounds; the window of the next outcome is what would bring the mean into the window. Where
        there are too many outcomes to list, their mean is guessed.
        """
        rules, most = self.rules, self.rules.most
        try:
            outcomes = rules.distribution(table)
        except TooManyBoardsError:
            return rules.estimate(table)
        found = sorted(outcomes.items(), key=lambda item: -item[1])
        mean, left = 0.0, sum(p for _, p in found)
        for seen, p in found:
            left -= p
            need, spare = (low - mean - left * most) / p, (high - mean + left * most) / p
            value = self.value(self.after(table, Observation(seen)), depth, need, spare)
            mean += p * value
            if value <= need:
                return mean + max(left, 0.0) * most
            if value >= spare:
                return mean - max(left, 0.0) * most
        return mean
