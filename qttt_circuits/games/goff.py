"""Goff's quantum tic-tac-toe: a move is one piece shared by two squares.

Source: document 001, first half, after A. Goff, Am. J. Phys. 74, 962 (2006). Squares are nodes and
moves are edges. Without a cycle a group of moves is a tree, whose moves can be assigned to squares
in as many ways as it has squares: one is left free and every move points away from it. A move that
closes a cycle leaves two ways, and the other player, or the circuit, picks one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import sqrt
from typing import TYPE_CHECKING

from ..board import EMPTY, Board, Mark, O, X, lines, opponent
from ..moves import Move, Observation
from .base import Outcome, Rules, Side
from .spooky import (
    Assignment,
    Choice,
    Piece,
    Spooky,
    SpookyMove,
    assignment_text,
    assignments,
    cycle_of,
    group_of,
    groups,
    parse_choice,
    parse_placing,
)
from .worth import line_chances

if TYPE_CHECKING:
    import sympy

SIZE = 3
SQUARES = range(1, SIZE**2 + 1)


@dataclass(frozen=True)
class Table:
    """What lies on the board between two moves.

    Attributes:
        classical: The classical mark on each square.
        spooky: The spooky moves, in order.
        number: The subscript of the next move.
        turn: The side to choose and to move.
        due: The moves of the group that must collapse, the closing one last.
        outcome: How the game ended.
    """

    classical: tuple[Piece | None, ...]
    spooky: tuple[Spooky, ...]
    number: int
    turn: Mark
    due: tuple[Spooky, ...] = ()
    outcome: Outcome | None = None

    @property
    def observed(self) -> list[tuple[Spooky, ...]]:
        """The groups that an observation shows: the one that must collapse, or all."""
        return [self.due] if self.due else groups(self.spooky)

    @property
    def open(self) -> list[int]:
        """The squares without a classical mark."""
        return [s for s, piece in zip(SQUARES, self.classical, strict=True) if piece is None]


_placing = cache(SpookyMove)
"""Moves by their squares; one object serves all tables."""


class Goff(Rules[Table]):
    """Goff's game.

    Options: ``first`` (X or O) moves first. ``tie_break``: of two lines that a collapse completes,
    the one with the lower ``sum`` of subscripts counts more (document 001), or the one with the
    lower largest subscript, ``max`` (Goff's paper). ``single_square``: whether both halves may be
    put in one square without marks (document 001). ``collapse``: by ``choice`` of the player who
    did not close the cycle, or ``measure``, which leaves it to an observation.
    """

    name = "goff"
    summary = "a piece is shared by two squares; cycles collapse"
    source = "001"
    notation = (
        "5,8 is a piece shared by two squares, 5 one put in a square, 5=X3 the choice that mark X3 "
        "takes square 5, @5=X3,6=O4 an observed collapse"
    )
    outcomes = "assignment"
    circuits = "goff"
    solver = "goff"
    painter = "goff"
    choices = {  # noqa: RUF012 - declared as a class variable by the base class
        "first": ("X", "O"),
        "tie_break": ("sum", "max"),
        "single_square": ("true", "false"),
        "collapse": ("choice", "measure"),
    }

    def start(self) -> Table:
        """Returns an empty table."""
        return Table((None,) * len(SQUARES), (), 1, X if self.options["first"] == X else O)

    def parse(self, text: str) -> Move:
        """Reads a move such as ``5,8``, a choice such as ``5=X3``, or an observed collapse."""
        if text.startswith("@"):
            taken = sorted((c.square, str(c)) for c in map(parse_choice, text[1:].split(",")))
            return Observation(",".join(mark for _, mark in taken))
        if "=" in text:
            return parse_choice(text)
        return parse_placing(text)

    def turn(self, table: Table) -> Mark:
        """Returns the side to choose and to move."""
        return table.turn

    def outcome(self, table: Table) -> Outcome | None:
        """Returns how the game ended."""
        return table.outcome

    def observation_due(self, table: Table) -> bool:
        """Whether a cycle has closed that the circuit resolves."""
        return bool(table.due) and self.options["collapse"] == "measure"

    def not_due(self, table: Table) -> str:
        """Returns why nothing is observed now."""
        if table.outcome is not None:
            return "the game is over"
        if self.options["collapse"] == "measure":
            return "a collapse is observed only where a cycle has closed"
        return "players choose how cycles collapse; with collapse=measure they are observed"

    # --- legality

    def refusal(self, table: Table, move: Move) -> str | None:
        """Returns why a move, a choice or an observed collapse is not legal, or None if it is."""
        if table.outcome is not None:
            return "the game is over"
        if isinstance(move, Observation):
            if not self.observation_due(table):
                return self.not_due(table)
            ways = map(assignment_text, assignments(table.due), [table.due] * 2)
            return None if move.outcome in ways else "this assignment has probability zero"
        if isinstance(move, Choice):
            return self._choice_refusal(table, move)
        if not isinstance(move, SpookyMove):
            return f"{self.name} is played with spooky marks"
        if table.due:
            return f"a cycle has closed: {self._due(table)}"
        return self._move_refusal(table, move)

    def _choice_refusal(self, table: Table, move: Choice) -> str | None:
        if not table.due:
            return "there is nothing to choose: no cycle has closed"
        if self.options["collapse"] == "measure":
            return "the circuit picks how the cycle collapses: it must be observed"
        cycle = cycle_of(table.due)
        marks = ", ".join(str(spooky.piece) for spooky in cycle)
        named = [spooky for spooky in cycle if spooky.piece == move.piece]
        if not named:
            return f"{move.piece} is not in the cycle, which is {marks}"
        if move.square not in named[0].squares:
            a, b = sorted(named[0].squares)
            return f"{move.piece} is in squares {a} and {b}, not in {move.square}"
        return None

    def _move_refusal(self, table: Table, move: SpookyMove) -> str | None:
        for square in move.squares:
            if square not in SQUARES:
                return f"there is no square {square}: squares are 1 to {len(SQUARES)}"
            piece = table.classical[square - 1]
            if piece is not None:
                return f"square {square} holds the classical mark {piece}"
        if len(move.squares) > 1 or len(table.open) == 1:
            return None
        if self.options["single_square"] == "false":
            return "a move takes two different squares, unless one square only is left"
        if any(move.squares[0] in spooky.squares for spooky in table.spooky):
            return f"both halves go in a square without marks, and {move.squares[0]} holds some"
        return None

    def legal_moves(self, table: Table) -> Iterator[Move]:
        """Yields the legal moves, squares ascending; a choice names the closing mark."""
        if table.outcome is not None or self.observation_due(table):
            return
        if table.due:
            closing = table.due[-1]
            yield from (Choice(square, closing.piece) for square in sorted(closing.squares))
            return
        free = table.open
        if self.options["single_square"] == "true" or len(free) == 1:
            held = {s for spooky in table.spooky for s in spooky.squares}
            yield from (_placing((s,)) for s in free if s not in held)
        yield from map(_placing, combinations(free, 2))

    # --- playing

    def play(self, table: Table, move: Move) -> Table:
        """Returns the table after a legal move, choice or observed collapse."""
        if isinstance(move, SpookyMove):
            return self._place(table, move)
        ways = assignments(table.due)
        if isinstance(move, Choice):
            [way] = [w for w in ways if w[move.piece.number] == move.square]
        elif isinstance(move, Observation):
            [way] = [w for w in ways if assignment_text(w, table.due) == move.outcome]
        else:
            raise TypeError(f"{self.name} cannot play a {type(move).__name__}")
        classical = list(table.classical)
        for spooky in table.due:
            classical[way[spooky.piece.number] - 1] = spooky.piece
        left = tuple(spooky for spooky in table.spooky if spooky not in table.due)
        return self._settled(Table(tuple(classical), left, table.number, table.turn))

    def _place(self, table: Table, move: SpookyMove) -> Table:
        piece = Piece(table.turn, table.number)
        turn, number = opponent(table.turn), table.number + 1
        if len(move.squares) == 1:
            classical = list(table.classical)
            classical[move.squares[0] - 1] = piece
            return self._settled(Table(tuple(classical), table.spooky, number, turn))
        a, b = move.squares
        spooky = (*table.spooky, Spooky(piece, (a, b)))
        before = group_of(table.spooky, a)
        closes = any(b in s.squares for s in before)
        due = group_of(spooky, a) if closes else ()
        return Table(table.classical, spooky, number, turn, due)

    def _settled(self, table: Table) -> Table:
        """Returns a table with its outcome, after marks became classical."""
        values: dict[Mark, list[int]] = {X: [], O: []}
        count = sum if self.options["tie_break"] == "sum" else max
        for line in lines(SIZE):
            pieces = [p for s in line if (p := table.classical[s - 1]) is not None]
            if len(pieces) == len(line) and len({p.player for p in pieces}) == 1:
                values[pieces[0].player].append(count(p.number for p in pieces))
        best = {mark: min(found) for mark, found in values.items() if found}
        if not best and table.open:
            return table
        scores: dict[Side, float] = dict.fromkeys((X, O), 0.0)
        reason = "no line on a full board"
        if best:
            winner = min(best, key=best.__getitem__)
            scores.update({mark: 1.0 if mark == winner else 0.5 for mark in best})
            reason = "three in a row"
        if len(best) == 2:
            reason = f"both have three in a row, X counts {best[X]} and O {best[O]}"
        outcome = Outcome(winner if best else None, scores, reason)
        return Table(table.classical, table.spooky, table.number, table.turn, (), outcome)

    # --- what an observation shows

    def _ways(self, table: Table) -> Iterator[tuple[str, Assignment]]:
        """Yields what the moves that are observed together can be assigned to."""
        moves = tuple(spooky for group in table.observed for spooky in group)
        for chosen in product(*map(assignments, table.observed)):
            way = {number: square for part in chosen for number, square in part.items()}
            yield assignment_text(way, moves), way

    def distribution(self, table: Table) -> dict[str, float]:
        """Returns the probability of every assignment: of the group that must collapse, or of all.

        All assignments with no square used twice have the same probability.
        """
        return {text: float(p) for text, p in self.exact_distribution(table).items()}

    def exact_distribution(self, table: Table) -> dict[str, Fraction]:
        """Returns the same as fractions."""
        ways = sorted(text for text, _ in self._ways(table))
        return dict.fromkeys(ways, Fraction(1, len(ways)))

    def amplitudes(self, table: Table) -> dict[str, float]:
        """Returns the amplitude of every assignment: all are equal."""
        return {text: sqrt(p) for text, p in self.distribution(table).items()}

    def exact_amplitudes(self, table: Table) -> dict[str, sympy.Expr]:
        """Returns the same as expressions."""
        import sympy

        exact = self.exact_distribution(table)
        return {text: sympy.sqrt(sympy.Rational(1, p.denominator)) for text, p in exact.items()}

    def details(self, table: Table) -> Mapping[str, Mapping[str, Mapping[str, float]]]:
        """Returns with what probability each square would hold each mark."""
        ways = [way for _, way in self._ways(table)]
        held: dict[str, dict[str, float]] = {}
        for spooky in table.due or table.spooky:
            for square in spooky.squares:
                n = sum(way[spooky.piece.number] == square for way in ways)
                held.setdefault(str(square), {})[str(spooky.piece)] = n / len(ways)
        return {"squares": dict(sorted(held.items()))} if held else {}

    def estimate(self, table: Table) -> float:
        """Returns a guess from what single squares would hold, after the better choice."""
        if table.due and not self.observation_due(table):
            sign = self.sign(table)
            return sign * max(
                sign * self._guess(self.play(table, move)) for move in self.legal_moves(table)
            )
        return self._guess(table)

    def _guess(self, table: Table) -> float:
        if table.outcome is not None:
            return table.outcome.scores[X] - table.outcome.scores[O]
        held: list[dict[str, float]] = [
            {} if piece is None else {piece.player: 1.0} for piece in table.classical
        ]
        for group in groups(table.spooky):
            ways = assignments(group)
            for way in ways:
                for spooky in group:
                    square = held[way[spooky.piece.number] - 1]
                    player = spooky.piece.player
                    square[player] = square.get(player, 0.0) + 1 / len(ways)
        return line_chances(held, SIZE, SIZE)

    # --- what the board shows

    def board(self, table: Table) -> Board:
        """Returns the classical marks."""
        return Board("".join(EMPTY if p is None else p.player for p in table.classical))

    def cells(self, table: Table) -> dict[str, str]:
        """Returns the spooky marks of each square, or its classical mark as ``[X3]``."""
        cells = {}
        for square, piece in zip(SQUARES, table.classical, strict=True):
            marks = " ".join(str(s.piece) for s in table.spooky if square in s.squares)
            cells[str(square)] = marks if piece is None else f"[{piece}]"
        return cells

    def status(self, table: Table) -> str:
        """Returns whose turn it is, what there is to choose, or how the game ended."""
        return self._due(table) if table.due else super().status(table)

    def _due(self, table: Table) -> str:
        if self.options["collapse"] == "measure":
            return f"the collapse must be observed, then {table.turn} moves"
        ways = " or ".join(map(str, self.legal_moves(table)))
        return f"{table.turn} chooses {ways}, then moves"


class GoffOriginal(Goff):
    """The game of Goff's paper: lines compared by their largest subscripts, two squares a move."""

    name = "goff-original"
    summary = "goff as in his paper: tie_break=max, single_square=false"
    source = "001; Goff 2006"
    choices = {  # noqa: RUF012
        **Goff.choices,
        "tie_break": ("max", "sum"),
        "single_square": ("false", "true"),
    }
