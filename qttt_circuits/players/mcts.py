"""A player that tries games out: Monte-Carlo tree search, with chance nodes sampled exactly."""

from __future__ import annotations

from math import log, sqrt
from random import Random
from time import monotonic
from typing import Any

from ..games import Rules
from ..moves import Move, Observation
from ..position import Position
from .base import NODES, Choice, Limit, Player, require_move_due

CURIOSITY = 0.7
"""How much moves that were tried seldom are preferred."""
WIDTH = 2.0
"""A side that was to move n times in a position considers WIDTH·√n of its moves."""
PLAYOUT = 6
"""The moves of a playout; the rules' estimate stands for the rest of the game."""


class MctsPlayer(Player):
    """Grows a tree of moves and outcomes, plays at random from its leaves, and keeps the means.

    In the tree a side picks the move with the highest upper confidence bound (UCT). It begins with
    few moves, those with the best estimates, and widens as the position is visited more often; in a
    game without an end of moves it goes on with random ones. Observations are sampled from the
    exact distribution.
    """

    name = "mcts"
    summary = "tries games out at random, the promising ones more often"

    def choose(self, position: Position, limit: Limit) -> Choice:
        """Returns the move that was tried most often; the depth of the limit does not matter."""
        require_move_due(position)
        tree = _Tree(position.rules, self.rng)
        root = _Node(position.table)
        deadline = None if limit.seconds is None else monotonic() + limit.seconds
        nodes = NODES if limit.nodes is None and deadline is None else limit.nodes
        while not root.children or (
            (nodes is None or tree.nodes < nodes) and (deadline is None or monotonic() < deadline)
        ):
            tree.grow(root)
            if len(root.children) == 1 and not root.waiting and position.rules.finite:
                break  # the only move
        sign = position.rules.sign(position.table)
        tried = [(kid.visits, sign * kid.mean, i) for i, kid in enumerate(root.children.values())]
        _, mean, best = max(tried)
        move = list(root.children)[best]
        assert isinstance(move, Move)
        return Choice(move, sign * mean, tree.nodes)


class _Node:
    """A position in the tree.

    Attributes:
        table: The position.
        children: What follows, by move or by what an observation showed.
        waiting: The moves that were not tried yet, the best last; None if not asked yet.
        visits: How often the search came here.
        total: The sum of what came of it, for the first side.
    """

    __slots__ = ("children", "table", "total", "visits", "waiting")

    def __init__(self, table: Any) -> None:
        self.table = table
        self.children: dict[Move | str, _Node] = {}
        self.waiting: list[tuple[Move, Any]] | None = None
        self.visits, self.total = 0, 0.0

    @property
    def mean(self) -> float:
        return self.total / self.visits


class _Tree:
    def __init__(self, rules: Rules[Any], rng: Random) -> None:
        self.rules, self.rng, self.nodes = rules, rng, 0

    def grow(self, root: _Node) -> None:
        """Walks down the tree, adds a leaf, plays from there, and counts what came of it."""
        rules, path, node, fresh = self.rules, [root], root, False
        while not fresh and rules.outcome(node.table) is None:
            if rules.observation_due(node.table):
                node = self._observed(node)
            else:
                node, fresh = self._moved(node)
            path.append(node)
        self.nodes += 1  # a walk counts too: once all is in the tree nothing else does
        value = self._playout(node.table)
        for node in path:
            node.visits += 1
            node.total += value

    def _observed(self, node: _Node) -> _Node:
        seen = self.rules.sample(node.table, self.rng)
        if seen not in node.children:
            node.children[seen] = _Node(self._play(node.table, Observation(seen)))
        return node.children[seen]

    def _moved(self, node: _Node) -> tuple[_Node, bool]:
        """Returns the position after a move, and whether it is new in the tree."""
        if node.waiting is None:
            node.waiting = self._ordered(node.table)
        if len(node.children) < max(1.0, WIDTH * sqrt(node.visits)):
            if node.waiting:
                move, table = node.waiting.pop()
            elif not self.rules.finite:
                move = self._random(node.table)
                table = self._play(node.table, move)
            else:
                return self._favourite(node), False
            node.children[move] = _Node(table)
            return node.children[move], True
        return self._favourite(node), False

    def _ordered(self, table: Any) -> list[tuple[Move, Any]]:
        """Returns the candidates with the tables after them, the best last, equal ones shuffled."""
        found = [(move, self._play(table, move)) for move in self.rules.candidates(table)]
        self.rng.shuffle(found)
        sign = self.rules.sign(table)
        return sorted(found, key=lambda pair: sign * self._guess(pair[1]))

    def _favourite(self, node: _Node) -> _Node:
        sign, scale = self.rules.sign(node.table), CURIOSITY * self.rules.most
        reach = log(node.visits)
        return max(
            node.children.values(),
            key=lambda kid: sign * kid.mean + scale * sqrt(reach / kid.visits),
        )

    def _play(self, table: Any, move: Move) -> Any:
        self.nodes += 1
        return self.rules.play(table, move)

    def _playout(self, table: Any) -> float:
        rules = self.rules
        for _ in range(PLAYOUT):
            if rules.outcome(table) is not None:
                break
            if rules.observation_due(table):
                table = self._play(table, Observation(rules.sample(table, self.rng)))
            else:
                table = self._play(table, self._random(table))
        return self._guess(table)

    def _random(self, table: Any) -> Move:
        if not self.rules.finite:
            return self.rules.random_move(table, self.rng)
        moves = list(self.rules.candidates(table))
        return moves[self.rng.randrange(len(moves))]

    def _guess(self, table: Any) -> float:
        """Returns the score of the first side minus the other's, guessed if the game goes on."""
        outcome = self.rules.outcome(table)
        return self.rules.estimate(table) if outcome is None else self.rules.lead(outcome)
