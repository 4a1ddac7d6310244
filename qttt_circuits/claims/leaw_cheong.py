"""What document 001 says of Leaw and Cheong's game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from typing import Any

import sympy

from ..board import O, X
from ..decoders.overlap import OTHER, SAME
from ..errors import OptionError
from ..experiment import Experiment
from ..game import Game
from ..games import rules
from ..games.leaw_cheong import LeawCheong, Table
from ..vectors import SQUARES, VectorMove
from .base import Claim, Fact
from .row import Row

MOVES = "1:r1/2,5:r1/2 1:1/2,5:-1/2,9:r1/2 9:r1/2,1:-1/2,5:1/2 2:3/5,3:4/5i 4 2:4/5,3:-3/5i"
"""A game with real and complex amplitudes; the third move interferes with the first."""
ENCODINGS = ("one-hot", "binary")


@dataclass(frozen=True)
class OccupationClaim(Claim):
    """What a player's moves occupy, divided by how many they are: amplitudes add first."""

    def circuits(self, encodings: Sequence[str]) -> Mapping[str, Mapping[str, object]]:
        """Returns both circuits in both encodings."""
        return {
            f"{circuit} {encoding}": {"circuit": circuit, "encoding": encoding}
            for circuit in ("occupation", "direct")
            for encoding in ENCODINGS
        }

    def on_devices(self, encodings: Sequence[str]) -> Mapping[str, Mapping[str, object]]:
        """Returns the circuits with a qubit a square: nearly every binary code is a square."""
        circuits = self.circuits(encodings)
        return {name: c for name, c in circuits.items() if c["encoding"] == "one-hot"}

    def acceptance(self, circuit: str) -> str:
        """Returns 1, or one in as many as the player has moves where an index selects them."""
        return self.success if circuit.startswith("occupation") else "1"


@dataclass(frozen=True)
class OverlapClaim(Claim):
    """How two moves overlap.

    Attributes:
        pair: The numbers of the two moves.
    """

    pair: tuple[int, int] = (1, 2)

    def circuits(self, encodings: Sequence[str]) -> Mapping[str, Mapping[str, object]]:
        """Returns the overlap circuit in both encodings."""
        circuit = f"overlap:{self.pair[0]},{self.pair[1]}"
        return {f"overlap {e}": {"circuit": circuit, "encoding": e} for e in ENCODINGS}

    def exact_distribution(self, game: Game) -> Mapping[str, Any]:
        """Returns |⟨k|j⟩|² as an expression, and the rest."""
        same = _overlap(game, *self.pair)
        return {SAME: same, OTHER: sympy.simplify(1 - same)}

    def statevector_rows(self, circuit: str, experiment: Experiment) -> Iterator[Row]:
        """Yields the weight of all zeros; the states that are not all zeros have no names."""
        from qiskit.quantum_info import Statevector

        zeros = abs(Statevector(experiment.preparation).data[0]) ** 2
        yield self.rows(circuit).numerical(f"P({SAME})", self.probabilities[SAME], float(zeros))


def _overlap(game: Game, j: int, k: int) -> sympy.Expr:
    """Returns |⟨k|j⟩|² exactly."""
    table: Table = game.table
    left, right = (table.played[number - 1].move.exact_vector() for number in (k, j))
    product = sum(sympy.conjugate(a) * b for a, b in zip(left, right, strict=True))
    return sympy.simplify(sympy.expand(product * sympy.conjugate(product)))


def _game(moves: str) -> Game:
    game = Game("leaw-cheong")
    for move in moves.split():
        game.push(move)
    return game


def _first(moves: int) -> str:
    return " ".join(MOVES.split()[:moves])


CLAIMS: tuple[Claim, ...] = (
    OccupationClaim(
        "occupations-added", "001, weights", "leaw-cheong", _first(3),
        # X has (1, 5, 9) = (r1/2 - 1/2, r1/2 + 1/2, r1/2), over the root of 2 moves
        {"1": "(3-2*sqrt(2))/8", "5": "(3+2*sqrt(2))/8", "9": "1/4"},
        {"1": "sqrt(2)-1", "5": "sqrt(2)+1", "9": "sqrt(2)"},
        success="1/2",
    ),
    OccupationClaim(
        "occupations-complex", "001, weights", "leaw-cheong", _first(4),
        # O has (1, 5, 9, 2, 3) = (1/2, -1/2, r1/2, 3/5, 4/5 i)
        {"1": "1/8", "2": "9/50", "3": "8/25", "5": "1/8", "9": "1/4"},
        {"1": "1/2", "5": "-1/2", "9": "sqrt(2)/2", "2": "3/5", "3": "4*I/5"},
        success="1/2",
    ),
    OverlapClaim(
        "orthogonal", "001, orthogonality", "leaw-cheong", _first(3),
        {SAME: "0", OTHER: "1"}, {}, pair=(1, 3),
    ),
    OverlapClaim(
        "orthogonal-complex", "001, orthogonality", "leaw-cheong", MOVES,
        {SAME: "0", OTHER: "1"}, {}, pair=(4, 6),
    ),
    OverlapClaim(
        "unit-norm", "001, unit vectors", "leaw-cheong", _first(2),
        {SAME: "1", OTHER: "0"}, {}, pair=(2, 2),
    ),
)  # fmt: skip


# --- what the rules decide


def _overlaps() -> sympy.Expr:
    game = _game(MOVES)
    pairs = combinations(range(1, len(game.history) + 1), 2)
    return sum((_overlap(game, j, k) for j, k in pairs), sympy.Integer(0))


def _norms() -> sympy.Expr:
    game = _game(MOVES)
    return sum((_overlap(game, k, k) for k in range(1, len(game.history) + 1)), sympy.Integer(0))


def _occupied(moves: int) -> sympy.Expr:
    game = _game(_first(moves))
    held = game.rules.exact_distribution(game.table)
    k = len(game.table.of(game.table.last))
    return sympy.simplify(sum(held.values()) * k)


@cache
def classical_games() -> dict[str | None, int]:
    """Returns how many games of classical moves each player wins, None for draws.

    Every legal course is counted, by way of the positions it goes through: which moves a player has
    made decides a position, not in which order, as occupations are sums.

    Raises:
        OptionError: If a game ends otherwise than three in a row of classical marks would.
    """
    game = rules("leaw-cheong")
    assert isinstance(game, LeawCheong)
    moves = [VectorMove.parse(str(square)) for square in SQUARES]
    ended: dict[str | None, int] = {}
    reached: dict[str, tuple[Table, int]] = {"": (game.start(), 1)}
    while reached:
        further: dict[str, tuple[Table, int]] = {}
        for table, courses in reached.values():
            for move in moves:
                if game.refusal(table, move) is not None:
                    continue
                after = game.play(table, move)
                board = game.board(after)
                in_line = [mark for mark in (X, O) if board.lines_of(mark)]
                winner = after.outcome.winner if after.outcome else None
                if in_line != ([] if winner is None else [winner]):
                    raise OptionError(f"board {board} has the result {after.outcome}")
                if after.outcome:
                    ended[winner] = ended.get(winner, 0) + courses
                else:
                    known = further.get(board, (after, 0))[1]
                    further[board] = (after, known + courses)
        reached = further
    return ended


_CLASSICAL = ("001, classical play as a special case", "leaw-cheong with classical moves only")
FACTS: tuple[Fact, ...] = (
    Fact("orthonormal", "001, orthogonality", f"leaw-cheong {MOVES}",
         "all overlaps added", "0", _overlaps),
    Fact("orthonormal", "001, unit vectors", f"leaw-cheong {MOVES}",
         "all norms added", "6", _norms),
    *(
        Fact("occupied", "001, weights", f"leaw-cheong {_first(moves)}",
             f"occupations added after move {moves}", str((moves + 1) // 2),
             partial(_occupied, moves))
        for moves in range(1, 7)
    ),
    Fact("classical", *_CLASSICAL, "games", "255168", lambda: sum(classical_games().values())),
    Fact("classical", *_CLASSICAL, "games X wins", "131184", lambda: classical_games()["X"]),
    Fact("classical", *_CLASSICAL, "games O wins", "77904", lambda: classical_games()["O"]),
    Fact("classical", *_CLASSICAL, "games drawn", "46080", lambda: classical_games()[None]),
)  # fmt: skip
