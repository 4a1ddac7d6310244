"""Cat and hounds: a cat in superposition against hounds that want to trap it.

Source: document 004, after Gordon & Gordon (2012). The board has a few *branches*, each with a
square for the cat and a set of squares for the hounds; their amplitudes are integers over a common
root. A classical cat is a single branch. What happened to the amplitudes since the last split is
kept, as a circuit goes through the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import sqrt
from typing import TYPE_CHECKING

from ..errors import NotationError, OptionError
from ..moves import Move, Observation
from .base import Outcome, Rules, Side
from .branches import (
    CAT,
    HOUNDS,
    WAYS,
    Branch,
    Flip,
    Table,
    hunt_text,
    in_one_line,
    merged,
    settled_sign,
    shown_on,
)
from .chase import prospect
from .checkerboard import LARGEST, Checkerboard, checkerboard
from .hunting import STAY, CatMove, HoundMove, Step, parse_hunting

if TYPE_CHECKING:
    import sympy

BRANCHES = {2: 2, 3: 2, 4: 3, 5: 3}
"""How many branches a split makes, by level."""
TURNS = {3: 3, 4: 5, 5: 5}
"""The cat's turns from a split to the measurement, by level."""
INTERFERING = (4, 5)
SPLITTING_HOUNDS = 5


@lru_cache(1 << 16)
def _cat_move(squares: tuple[str, ...], flipped: tuple[int, ...]) -> CatMove:
    """Returns a move; one object serves all tables."""
    return CatMove(tuple(Step(square, i in flipped) for i, square in enumerate(squares)))


class CatAndHounds(Rules[Table]):
    """Cat and hounds.

    Options: ``level`` 1 to 5: 1 is classical; from 2 on the cat splits, in two or, from 4 on, in
    three; from 3 on it is measured; from 4 on branches interfere; at 5 hounds split with the cat.
    ``size``: squares a side. ``start``: the cat's square in the top row. ``first``: the side that
    moves first.
    """

    name = "cat-and-hounds"
    summary = "a cat in superposition slips past hounds, level=1 to 5"
    source = "004"
    notation = (
        "c7 is a cat's square, c7,e7~ those of its branches in order, ~ flipping a phase and . "
        "staying, split:c7,e7 a split, a1-b2 a hound's move, @left a measured branch"
    )
    outcomes = "branch"
    circuits = "cat_and_hounds"
    solver = "cat_and_hounds"
    painter = "hounds"
    sides = (CAT, HOUNDS)
    choices = {  # noqa: RUF012 - declared as a class variable by the base class
        "first": (CAT, HOUNDS),
        "level": ("1", "2", "3", "4", "5"),
        "size": ("8", "4", "6"),
        "start": ("",),
    }
    others = {  # noqa: RUF012
        "size": ("[1-9][0-9]?", f"an even number from 4 to {LARGEST}"),
        "start": ("[a-z][1-9][0-9]?", "a dark square of the top row, such as d8"),
    }

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        self.level, size = int(self.options["level"]), int(self.options["size"])
        if size % 2 or not 4 <= size <= LARGEST:
            raise OptionError(f"a board has an even size from 4 to {LARGEST}, not {size}")
        self.squares: Checkerboard = checkerboard(size)
        top = self.squares.on_row(size)
        if not self.options["start"]:
            self.options["start"] = self.squares.middle(size)
        if self.options["start"] not in top:
            raise OptionError(f"the cat starts on {', '.join(top)}, not on {self.options['start']}")

    def usual(self) -> dict[str, str]:
        """Returns the values that options have if they are not given, at this size."""
        return {**super().usual(), "start": self.squares.middle(self.squares.size)}

    def start(self) -> Table:
        """Returns the table at the start."""
        hounds = tuple(sorted(self.squares.on_row(1)))
        table = Table((Branch(CAT, self.options["start"], hounds),), self.options["first"])
        return self._settled(table)

    def parse(self, text: str) -> Move:
        """Reads a move or a measured branch."""
        if text.startswith("@"):
            if text[1:] not in (*WAYS[3], CAT):
                raise NotationError(f"{text!r} is no branch: write {', '.join(WAYS[3])}")
            return Observation(text[1:])
        return parse_hunting(text)

    def turn(self, table: Table) -> Side:
        """Returns the side to move; while a measurement is due, the side to move after it."""
        return table.turn

    def outcome(self, table: Table) -> Outcome | None:
        """Returns how the game ended."""
        return table.outcome

    def observation_due(self, table: Table) -> bool:
        """Whether the cat must be measured."""
        return table.due

    def not_due(self, table: Table) -> str:
        """Returns why nothing is observed now."""
        if table.outcome is not None:
            return "the game is over"
        if self.level not in TURNS:
            return f"the cat is not measured at level {self.level}"
        if table.turns is None:
            return "the cat is classical"
        left = TURNS[self.level] - table.turns
        return f"the cat is measured {left} more turn{'s' * (left > 1)} of its own from now"

    # --- what can move where

    def passed(self, branch: Branch) -> bool:
        """Whether the cat of a branch is level with or behind the rearmost hound."""
        row = self.squares.row
        return row[branch.cat] <= min(row[hound] for hound in branch.hounds)

    def free(self, branch: Branch) -> tuple[str, ...]:
        """Returns the squares next to the cat of a branch that its hounds leave free."""
        return tuple(s for s in self.squares.around[branch.cat] if s not in branch.hounds)

    def trapped(self, branch: Branch) -> bool:
        """Whether the cat of a branch has not passed and has no square to go to."""
        return not self.passed(branch) and not self.free(branch)

    def _acts(self, branch: Branch, move: HoundMove) -> bool:
        here = move.origin in branch.hounds and move.target in self.squares.up[move.origin]
        return here and move.target != branch.cat and move.target not in branch.hounds

    def _hound_moves(self, table: Table) -> Iterator[HoundMove]:
        enough = any if self.level == SPLITTING_HOUNDS else all
        for origin in sorted({hound for b in table.branches for hound in b.hounds}):
            for target in self.squares.up[origin]:
                move = HoundMove(origin, target)
                if enough(self._acts(branch, move) for branch in table.branches):
                    yield move

    def _joint_moves(self, table: Table) -> list[tuple[str, ...]]:
        """Returns the squares that the cats can go to together, `STAY` for one that stays."""
        each = [self.free(branch) or (STAY,) for branch in table.branches]
        joint = list(product(*each))
        if self.level in INTERFERING or table.classical:
            return joint
        apart = [squares for squares in joint if self._apart(table, squares)]
        if apart:
            return apart
        one_moves = [
            tuple(square if i == j else STAY for j in range(len(each)))
            for i, squares in enumerate(each)
            for square in squares
            if square != STAY
        ]
        return [squares for squares in one_moves if self._apart(table, squares)]

    def _apart(self, table: Table, squares: tuple[str, ...]) -> bool:
        ends = [b.cat if s == STAY else s for b, s in zip(table.branches, squares, strict=True)]
        return len({*ends}) == len(ends)

    # --- legality

    def refusal(self, table: Table, move: Move) -> str | None:
        """Returns why a move or a measured branch is not legal, or None if it is."""
        if table.outcome is not None:
            return "the game is over"
        if isinstance(move, Observation):
            if not table.due:
                return self.not_due(table)
            known = table.probabilities()
            return None if move.outcome in known else "this branch has probability zero"
        if table.due:
            return "the cat must be measured first"
        if not isinstance(move, CatMove | HoundMove):
            return f"{self.name} is played with a cat and hounds"
        for square in move.squares():
            if square not in self.squares.row:
                return f"{square} is no dark square of the board"
        if isinstance(move, HoundMove):
            return self._hound_refusal(table, move)
        if table.turn != CAT:
            return "it is the hounds' turn: write a move such as a1-b2"
        return self._split_refusal(table, move) if move.split else self._cat_refusal(table, move)

    def _hound_refusal(self, table: Table, move: HoundMove) -> str | None:
        if table.turn != HOUNDS:
            return "it is the cat's turn: write its square"
        if not any(move.origin in branch.hounds for branch in table.branches):
            return f"no hound is on {move.origin}"
        if move.target not in self.squares.up[move.origin]:
            return f"a hound moves diagonally up, from {move.origin} to " + " or ".join(
                self.squares.up[move.origin] or ("nowhere",)
            )
        blocked = [branch for branch in table.branches if not self._acts(branch, move)]
        if not blocked or (self.level == SPLITTING_HOUNDS and len(blocked) < len(table.branches)):
            return None
        branch = blocked[0]
        where = "" if table.classical else f" in branch {branch.name}"
        if move.origin not in branch.hounds:
            return f"no hound is on {move.origin}{where}"
        holder = "the cat" if branch.cat == move.target else "a hound"
        return f"{move.target} holds {holder}{where}"

    def _split_refusal(self, table: Table, move: CatMove) -> str | None:
        if self.level not in BRANCHES:
            return f"the cat does not split at level {self.level}"
        if not table.classical:
            return "the cat is in superposition already"
        free, number, squares = self.free(table.branches[0]), BRANCHES[self.level], move.squares()
        if len(squares) != number or len({*squares}) != number:
            return f"the cat splits to {number} different squares at level {self.level}"
        if len(free) < number:
            return f"the cat has {len(free)} free squares, and a split needs {number}"
        bad = [square for square in squares if square not in free]
        return f"the cat cannot go to {bad[0]}, only to {', '.join(free)}" if bad else None

    def _cat_refusal(self, table: Table, move: CatMove) -> str | None:
        if len(move.steps) != len(table.branches):
            names = ", ".join(branch.name for branch in table.branches)
            return f"write {len(table.branches)} squares, one a branch: {names}"
        flipped = [step for step in move.steps if step.flip]
        if flipped and self.level not in INTERFERING:
            return f"phases are not flipped at level {self.level}"
        if flipped and table.classical:
            return "only a superposed cat has a phase to flip"
        joint = self._joint_moves(table)
        squares = tuple(step.square for step in move.steps)
        if squares in joint:
            return None
        for branch, square in zip(table.branches, squares, strict=True):
            free = self.free(branch)
            who = "the cat" if table.classical else f"the cat of branch {branch.name}"
            if square == STAY and free and not any(STAY in other for other in joint):
                return f"{who} must move, to {' or '.join(free)}"
            if square != STAY and square not in free:
                return f"{who} cannot go to {square}, only to {', '.join(free) or 'no square'}"
        if not self._apart(table, squares):
            return f"two cats cannot end on one square at level {self.level}"
        return f"the cats can go to {' or '.join(','.join(other) for other in joint)}"

    def legal_moves(self, table: Table) -> Iterator[Move]:
        """Yields the legal moves, each distinct result once.

        Squares are in alphabetical order, with as few flips as possible; all phases flipped are as
        good as none.
        """
        if table.outcome is not None or table.due:
            return
        if table.turn == HOUNDS:
            yield from self._hound_moves(table)
            return
        seen = set()
        for move in self._cat_moves(table):
            result = self.key(self.play(table, move))
            if result not in seen:
                seen.add(result)
                yield move

    def _cat_moves(self, table: Table, *, early: bool = True) -> Iterator[CatMove]:
        """Yields the moves of the cat, those with fewer flips first, and splits.

        Args:
            table: The table.
            early: Whether phases are flipped before branches meet as well.
        """
        joint = self._joint_moves(table)
        yield from (_cat_move(squares, ()) for squares in joint)
        if self.level in INTERFERING and not table.classical:
            flipping = [squares for squares in joint if early or self._meet(table, squares)]
            for number in range(1, len(table.branches) + 1):
                for flipped in combinations(range(len(table.branches)), number):
                    for squares in flipping:
                        if all(squares[i] != STAY for i in flipped):
                            yield _cat_move(squares, flipped)
        if self.level in BRANCHES and table.classical:
            for squares in combinations(self.free(table.branches[0]), BRANCHES[self.level]):
                yield CatMove(tuple(map(Step, squares)), split=True)

    def _meet(self, table: Table, squares: tuple[str, ...]) -> bool:
        """Whether the cats of two branches with the same hounds go to one square."""
        ends = [(s, b.hounds) for s, b in zip(squares, table.branches, strict=True)]
        return len({*ends}) < len(ends)

    # --- playing

    def play(self, table: Table, move: Move) -> Table:
        """Returns the table after a legal move or a possible measurement."""
        if isinstance(move, Observation):
            [branch] = [b for b in table.branches if b.name == move.outcome]
            return self._settled(Table((replace(branch, name=CAT, amplitude=1),), table.turn))
        if isinstance(move, HoundMove):
            branches = tuple(
                replace(b, hounds=tuple(sorted({*b.hounds, move.target} - {move.origin})))
                if self._acts(b, move)
                else b
                for b in table.branches
            )
            return self._settled(self._interfered(replace(table, branches=branches, turn=CAT)))
        if not isinstance(move, CatMove):
            raise TypeError(f"{self.name} cannot play a {type(move).__name__}")
        if move.split:
            hounds, names = table.branches[0].hounds, WAYS[len(move.steps)]
            branches = tuple(
                Branch(name, square, hounds)
                for name, square in zip(names, move.squares(), strict=True)
            )
            return self._settled(Table(branches, HOUNDS, names, turns=0))
        return self._settled(self._moved(table, move))

    def _moved(self, table: Table, move: CatMove) -> Table:
        """Returns the table after moves, flips and interference, with what is due."""
        branches = tuple(
            replace(
                branch,
                cat=branch.cat if step.square == STAY else step.square,
                amplitude=-branch.amplitude if step.flip else branch.amplitude,
            )
            for branch, step in zip(table.branches, move.steps, strict=True)
        )
        flipped = tuple(b.name for b, s in zip(branches, move.steps, strict=True) if s.flip)
        events = (*table.events, Flip(flipped)) if flipped else table.events
        moved = self._interfered(replace(table, branches=branches, events=events, turn=HOUNDS))
        if moved.turns is None:
            return moved
        due = moved.turns + 1 == TURNS.get(self.level)
        return replace(moved, turns=moved.turns + 1, due=due)

    def _interfered(self, table: Table) -> Table:
        return settled_sign(merged(table) if self.level in INTERFERING else table)

    def _settled(self, table: Table) -> Table:
        """Returns the table with its outcome, if the game has ended."""
        if all(map(self.passed, table.branches)):
            return self._ended(table, Fraction(1), "the cat has passed every hound")
        if table.due:
            return table
        if table.turn == HOUNDS:
            if any(True for _ in self._hound_moves(table)):
                return table
            return self._ended(table, Fraction(1), "the hounds have no move")
        caught = [branch.name for branch in table.branches if self.trapped(branch)]
        if not caught:
            return table
        lost = sum((table.probabilities()[name] for name in caught), Fraction(0))
        where = "" if lost == 1 else f" in {' and '.join(caught)}"
        return self._ended(table, 1 - lost, f"the cat is trapped{where}")

    def _ended(self, table: Table, score: Fraction, reason: str) -> Table:
        scores = {CAT: float(score), HOUNDS: float(1 - score)}
        winner = None if score == Fraction(1, 2) else CAT if score > Fraction(1, 2) else HOUNDS
        return replace(table, due=False, outcome=Outcome(winner, scores, reason))

    # --- what an observation shows

    def distribution(self, table: Table) -> dict[str, float]:
        """Returns the probability of each branch."""
        return {name: float(p) for name, p in table.probabilities().items()}

    def exact_distribution(self, table: Table) -> dict[str, Fraction]:
        """Returns the same as fractions."""
        return table.probabilities()

    def amplitudes(self, table: Table) -> dict[str, float]:
        """Returns the amplitude of each branch."""
        root = sqrt(sum(b.amplitude**2 for b in table.branches))
        return {b.name: b.amplitude / root for b in table.branches}

    def exact_amplitudes(self, table: Table) -> dict[str, sympy.Expr]:
        """Returns the same as expressions: integers over a common root."""
        import sympy

        root = sympy.sqrt(sum(b.amplitude**2 for b in table.branches))
        return {b.name: b.amplitude / root for b in table.branches}

    def success(self, table: Table) -> float:
        """Returns the probability that all merges since the split succeed."""
        return float(table.success)

    def estimate(self, table: Table) -> float:
        """Returns a guess from whether the cat of each branch can slip past the hounds.

        Branches are weighed by their probabilities. If they are never measured, hounds that hold
        all of them still are likely to score for the one that they trap first and for no other.
        """
        norm = sum(b.amplitude**2 for b in table.branches)
        total = sum(b.amplitude**2 * prospect(self.squares, b) for b in table.branches) / norm
        halved = self.level not in TURNS and not table.classical and total < 0
        return (1 + total) / 2 if halved else total

    def candidates(self, table: Table) -> Iterator[Move]:
        """Returns the legal moves, but phases are flipped only where branches meet.

        An earlier flip leads nowhere that one could not lead from there, unless branches meet by a
        move of hounds that are superposed.
        """
        if table.turn == HOUNDS or table.outcome is not None or table.due:
            return self.legal_moves(table)
        return self._cat_moves(table, early=False)

    def key(self, table: Table) -> Hashable:
        """Returns the table without its past."""
        return table.branches, table.turn, table.turns, table.due

    # --- what the board shows

    def board(self, table: Table) -> str:
        """Returns the branches in one line: name, sign, probability, cat and hounds of each."""
        return in_one_line(table)

    def cells(self, table: Table) -> dict[str, str]:
        """Returns what each dark square shows: see `hunt_text`."""
        return {square: shown_on(table, square) for square in self.squares.row}

    def diagram(self, table: Table) -> str:
        """Returns the board with the top row first, and a line for each branch."""
        return hunt_text(table, self.cells(table), self.squares.size)

    def status(self, table: Table) -> str:
        """Returns whose turn it is and what is due, or how the game ended."""
        if table.due:
            return f"the cat must be measured, then the {table.turn} move"
        if table.outcome is not None:
            return str(table.outcome)
        return f"the {table.turn} to move"
