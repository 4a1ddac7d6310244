"""Leaw and Cheong's quantum tic-tac-toe: moves are orthogonal unit vectors over the squares.

Source: document 001, second half, after J. N. Leaw and S. A. Cheong, J. Phys. A 43, 455304 (2010).
A player's moves add up, square by square, before they are squared: that is how much a player
*occupies* a square. A line is won when its three squares weigh three.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, sqrt
from random import Random
from typing import TYPE_CHECKING

from ..board import EMPTY, Board, Mark, O, X, lines, opponent
from ..errors import SHORT, OptionError, shortened
from ..moves import Move, Observation
from ..vectors import (
    NEGLIGIBLE,
    SQUARES,
    TOLERANCE,
    Vector,
    VectorMove,
    added,
    beside,
    distance,
    inner,
)
from .base import Outcome, Rules, Side
from .weighing import distinct, heaviest_moves, projector

if TYPE_CHECKING:
    import sympy

SIZE = 3
ROUNDING = 1e-14
"""How far norms and overlaps may be off by rounding alone."""
WINNING = 3
"""What the squares of a line must weigh together to win."""


@dataclass(frozen=True)
class Played:
    """A move that was made.

    Attributes:
        player: Who made it.
        move: The move.
        vector: Its amplitudes; those of the nearest legal vector where the move is off by less than
            the tolerance, so that such errors do not add up.
        exact: Whether they are known exactly.
    """

    player: Mark
    move: VectorMove
    vector: Vector
    exact: bool = False


@dataclass(frozen=True)
class Table:
    """The moves so far.

    Attributes:
        played: The moves.
        turn: The side to move.
        outcome: How the game ended.
    """

    played: tuple[Played, ...]
    turn: Mark
    outcome: Outcome | None = field(default=None)

    def of(self, player: Mark) -> list[Played]:
        """Returns a player's moves."""
        return [played for played in self.played if played.player == player]

    def occupations(self, player: Mark) -> tuple[float, ...]:
        """Returns how much a player occupies each square, in order; the sum is the moves made."""
        return tuple(abs(a) ** 2 for a in added(p.vector for p in self.of(player)))

    @property
    def last(self) -> Mark:
        """The player who moved last."""
        return self.played[-1].player if self.played else opponent(self.turn)


def heaviest(occupations: Sequence[float]) -> tuple[float, tuple[int, ...]]:
    """Returns the weight of the heaviest line, and the line."""
    return max((sum(occupations[s - 1] for s in line), line) for line in lines(SIZE))


def _weight(own: Vector, move: Vector) -> float:
    """Returns the weight of the heaviest line after a move of a side that holds a sum so far."""
    return heaviest([abs(a + b) ** 2 for a, b in zip(own, move, strict=True)])[0]


class LeawCheong(Rules[Table]):
    """Leaw and Cheong's game.

    Options: ``first`` (X or O) moves first.
    """

    name = "leaw-cheong"
    summary = "moves are orthogonal vectors over the squares; lines are weighed"
    source = "001"
    notation = (
        "1:0.6,5:-0.8 gives squares amplitudes, which may be 3/5, r1/2 for the root of 1/2, 0.8i "
        "or 3/5+4/5i; norm:1:3,5:4 normalises; 5 is a classical move"
    )
    outcomes = "square"
    circuits = "leaw_cheong"
    painter = "leaw_cheong"
    finite = False

    def start(self) -> Table:
        """Returns a table without moves."""
        return Table((), X if self.options["first"] == X else O)

    def parse(self, text: str) -> Move:
        """Reads a move."""
        return Observation(text[1:]) if text.startswith("@") else VectorMove.parse(text)

    def turn(self, table: Table) -> Mark:
        """Returns the side to move."""
        return table.turn

    def outcome(self, table: Table) -> Outcome | None:
        """Returns how the game ended."""
        return table.outcome

    def observation_due(self, table: Table) -> bool:
        """Whether the board must be observed: never, as lines are weighed."""
        return False

    # --- legality

    def refusal(self, table: Table, move: Move) -> str | None:
        """Returns why a move is not legal, or None if it is."""
        if table.outcome is not None:
            return "the game is over"
        if isinstance(move, Observation):
            return self.not_due(table)
        if not isinstance(move, VectorMove):
            return f"{self.name} is played with vectors over the squares"
        for square, _ in move.entries:
            if square not in SQUARES:
                return f"there is no square {square}: squares are 1 to {len(SQUARES)}"
        vector = move.vector()
        length = hypot(*map(abs, vector))
        if abs(length - 1) > TOLERANCE:
            return f"its norm is {length:.10g}, not 1{self._offer(table, vector)}"
        overlaps = [abs(inner(played.vector, vector)) for played in table.played]
        if overlaps and max(overlaps) > TOLERANCE:
            k = overlaps.index(max(overlaps))
            other = shortened(str(table.played[k].move), SHORT)
            offer = self._offer(table, vector)
            return f"it overlaps move {k + 1}, {other}, by {overlaps[k]:.6g}{offer}"
        return None

    def _offer(self, table: Table, vector: Vector) -> str:
        near = beside(vector, [played.vector for played in table.played])
        if near is not None:
            return f"; the nearest legal move is {VectorMove.of(near, simplify=True)}"
        if any(vector):
            return ", and it is in the span of the moves so far, so no legal move is near"
        return ""

    def legal_moves(self, table: Table) -> Iterator[VectorMove]:
        """Yields the legal projections of the nine classical moves, each distinct one once."""
        if table.outcome is not None:
            return
        found: list[Vector] = []
        for square in SQUARES:
            basis = tuple(complex(s == square) for s in SQUARES)
            near = beside(basis, [played.vector for played in table.played])
            if near is None or any(distance(near, other) <= TOLERANCE for other in found):
                continue
            found.append(near)
            yield VectorMove.of(near, simplify=True)

    def project(self, table: Table, move: Move) -> VectorMove:
        """Returns the legal move nearest to a vector: its part orthogonal to all moves so far.

        Raises:
            OptionError: If it is in the span of the moves so far, or the game is over.
        """
        if table.outcome is not None:
            raise OptionError("the game is over: no move is legal")
        if not isinstance(move, VectorMove) or any(s not in SQUARES for s, _ in move.entries):
            raise OptionError(f"{move} is not a vector over squares 1 to {len(SQUARES)}")
        near = beside(move.vector(), [played.vector for played in table.played])
        if near is None:
            raise OptionError(f"{move} is in the span of the moves so far: no legal move is near")
        return VectorMove.of(near, simplify=True)

    def random_move(
        self, table: Table, rng: Random, *, complex_amplitudes: bool = False
    ) -> VectorMove:
        """Returns a legal move drawn from the Haar measure of the complement of the moves so far.

        Args:
            table: The table.
            rng: Where randomness comes from.
            complex_amplitudes: Whether a complex vector is drawn rather than a real one.

        Raises:
            OptionError: If the game is over.
        """
        if table.outcome is not None:
            raise OptionError("the game is over: no move is legal")
        others = [played.vector for played in table.played]
        near = None
        while near is None:
            drawn = [complex(rng.gauss(0, 1)) for _ in SQUARES]
            if complex_amplitudes:
                drawn = [complex(a.real, rng.gauss(0, 1)) for a in drawn]
            near = beside(tuple(drawn), others)
        return VectorMove.of(near)

    # --- playing

    def play(self, table: Table, move: Move) -> Table:
        """Returns the table after a legal move."""
        if not isinstance(move, VectorMove):
            raise TypeError(f"{self.name} cannot play a {type(move).__name__}")
        player, vector = table.turn, move.vector()
        others = [played.vector for played in table.played]
        off = [abs(hypot(*map(abs, vector)) - 1), *(abs(inner(v, vector)) for v in others)]
        exact = move.exact
        if max(off) > ROUNDING:
            near, exact = beside(vector, others), False
            vector = vector if near is None else near
        played = Played(player, move, vector, exact)
        after = Table((*table.played, played), opponent(player))
        outcome = None
        weight, line = heaviest(after.occupations(player))
        if weight >= WINNING - TOLERANCE:
            squares = " ".join(map(str, line))
            scores: dict[Side, float] = {m: float(m == player) for m in (X, O)}
            outcome = Outcome(player, scores, f"line {squares} weighs {weight:.6g}")
        elif len(after.played) == len(SQUARES):
            outcome = Outcome(None, dict.fromkeys((X, O), 0.0), "nine moves without a line")
        return Table(after.played, after.turn, outcome)

    # --- what an observation shows

    def exact(self, table: Table) -> bool:
        """Whether every amplitude was typed exactly."""
        return all(played.exact for played in table.played)

    def distribution(self, table: Table) -> dict[str, float]:
        """Returns the occupations of the player who moved last, divided by that player's moves."""
        k = len(table.of(table.last))
        return {
            str(square): p / k
            for square, p in zip(SQUARES, table.occupations(table.last), strict=True)
            if p > NEGLIGIBLE**2
        }

    def exact_distribution(self, table: Table) -> dict[str, sympy.Expr]:
        """Returns the same as expressions."""
        import sympy

        return {
            square: sympy.expand(a * sympy.conjugate(a))
            for square, a in self.exact_amplitudes(table).items()
        }

    def amplitudes(self, table: Table) -> dict[str, complex]:
        """Returns the sum of the moves of the player who moved last, normalised."""
        vectors = [played.vector for played in table.of(table.last)]
        root = sqrt(len(vectors) or 1)
        total = zip(SQUARES, added(vectors), strict=True)
        return {str(s): a / root for s, a in total if abs(a) > NEGLIGIBLE}

    def exact_amplitudes(self, table: Table) -> dict[str, sympy.Expr]:
        """Returns the same as expressions."""
        import sympy

        if not self.exact(table):
            raise OptionError(
                "exact values are known only where every amplitude is a fraction or a root: 3/5, "
                "r1/2, not 0.6"
            )
        vectors = [played.move.exact_vector() for played in table.of(table.last)]
        root = sympy.sqrt(len(vectors))
        total = [sympy.expand(sum(column)) for column in zip(*vectors, strict=True)]
        return {str(s): sympy.expand(a / root) for s, a in zip(SQUARES, total, strict=False) if a}

    def details(self, table: Table) -> Mapping[str, Mapping[str, Mapping[str, float]]]:
        """Returns the occupations of both players and the weights of all lines."""
        held = {mark: table.occupations(mark) for mark in (X, O)}
        return {
            "occupations": {
                str(square): {mark: held[mark][square - 1] for mark in (X, O)} for square in SQUARES
            },
            "line weights": {
                " ".join(map(str, line)): {
                    mark: sum(held[mark][s - 1] for s in line) for mark in (X, O)
                }
                for line in lines(SIZE)
            },
        }

    def candidates(self, table: Table) -> Iterator[VectorMove]:
        """Yields moves that make a line heaviest, for the side to move or, to spoil it, the other.

        What the other side would play can be played with either sign; the one that suits the own
        lines better is taken.
        """
        if table.outcome is not None:
            return
        beside = projector(played.vector for played in table.played)
        own, other = (self._sum(table, m) for m in (table.turn, opponent(table.turn)))
        found = [move for _, move in heaviest_moves(beside, own, SIZE)]
        for _, move in heaviest_moves(beside, other, SIZE):
            back = tuple(-a for a in move)
            found.append(max(move, back, key=lambda v: _weight(own, v)))
        yield from map(VectorMove.of, distinct(found))
        if len(found) < len(SQUARES):
            yield from self.legal_moves(table)

    def estimate(self, table: Table) -> float:
        """Returns a guess from how heavy a line each side could make with its next move."""
        beside = projector(played.vector for played in table.played)
        turn, weights = table.turn, {X: 0.0, O: 0.0}
        left = len(SQUARES) - len(table.played)
        for mark in (X, O) if left > 1 else (turn,):
            moves = heaviest_moves(beside, self._sum(table, mark), SIZE)
            weights[mark] = max((weight for weight, _ in moves), default=0.0)
        sign = self.sign(table)
        if weights[turn] >= WINNING - TOLERANCE:
            return float(sign)
        if left == 1:
            return 0.0
        lead = weights[turn] - weights[opponent(turn)]
        return sign * max(-1.0, min(1.0, lead / (2 * WINNING)))

    def key(self, table: Table) -> Hashable:
        """Returns the vectors of both sides; their order does not matter."""
        return table.turn, frozenset((played.player, played.vector) for played in table.played)

    def _sum(self, table: Table, mark: Mark) -> Vector:
        return added(played.vector for played in table.of(mark))

    # --- what the board shows

    def board(self, table: Table) -> Board:
        """Returns the classical moves: on their squares nothing else can be."""
        letters = [EMPTY] * len(SQUARES)
        for played in table.played:
            if played.move.square:
                letters[played.move.square - 1] = played.player
        return Board("".join(letters))

    def cells(self, table: Table) -> dict[str, str]:
        """Returns how much each player occupies each square, if it is a hundredth at least."""
        held = {mark: table.occupations(mark) for mark in (X, O)}
        return {
            str(square): " ".join(
                f"{mark} {held[mark][square - 1]:.2f}"
                for mark in (X, O)
                if held[mark][square - 1] >= 0.005
            )
            for square in SQUARES
        }

    def hint(self, table: Table) -> str:
        """Returns which phase of the ninth move gives the heaviest line."""
        found = self.forced(table)
        if found is None:
            return ""
        move, weight = found
        return (
            "the ninth move is forced up to its phase; its heaviest line, "
            f"{weight:.6g}, comes with {move}"
        )

    def forced(self, table: Table) -> tuple[VectorMove, float] | None:
        """Returns the ninth move with the phase that makes its line heaviest, and that weight."""
        if len(table.played) != len(SQUARES) - 1 or table.outcome is not None:
            return None
        others = [played.vector for played in table.played]
        candidates = (
            beside(tuple(complex(s == square) for s in SQUARES), others) for square in SQUARES
        )
        last = max(filter(None, candidates), key=lambda v: max(map(abs, v)))
        own = added(played.vector for played in table.of(table.turn))
        best: tuple[float, complex] = (-1.0, 1 + 0j)
        for line in lines(SIZE):
            shared = sum(own[s - 1].conjugate() * last[s - 1] for s in line)
            weight = sum(abs(own[s - 1]) ** 2 + abs(last[s - 1]) ** 2 for s in line)
            phase = shared.conjugate() / abs(shared) if abs(shared) > TOLERANCE else 1 + 0j
            best = max(best, (weight + 2 * abs(shared), phase), key=lambda found: found[0])
        weight, phase = best
        return VectorMove.of((a * phase for a in last), simplify=True), weight
