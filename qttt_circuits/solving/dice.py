"""Solving the dice games on 3x3, where observations are chance.

What an observed board is worth stands in a table (`tables`). Between two observations the game is
searched to the next one (`phase`), which is loaded only then.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ..board import EMPTY, opponent
from ..errors import MissingExtraError, OptionError
from ..games.dice import DiceRules
from ..moves import DiceMove, Move
from ..position import Position
from .base import NEAR, Progress, Rated, Solution, Worth
from .tables import OPTIONS, Values, values

if TYPE_CHECKING:
    from .phase.search import PhaseSearch

KEPT = 8
"""How many phases are remembered besides that of the empty board, with which every game begins."""
LARGEST_UNCOMPILED = 5
"""The most open squares that are searched in reasonable time without numba."""
SHAPE = {"size": "3", "line": "3"}


def refusal(rules: DiceRules) -> str | None:
    """Returns why games by some rules are not solved, or None if they are."""
    for option, value in {**SHAPE, **OPTIONS}.items():
        given = rules.options.get(option, value)
        if given != value:
            return f"{rules.name} is solved with {option}={value}, not {option}={given}"
    return None


def missing(rules: DiceRules) -> str | None:
    """Returns what is not installed without which only late positions are searched, or None."""
    if find_spec("numba") is None:
        return str(MissingExtraError(f"playing {rules.name} perfectly from the start", "solve"))
    return None


def solve(
    position: Position, progress: Progress, memory: dict[Any, Any], *, line: bool
) -> Solution:
    """Returns the value of a position, of every legal move, and the best moves to an observation.

    Args:
        position: The position.
        progress: Is told what is being solved.
        memory: What was found before.
        line: Whether to work out the best moves of both to the next observation.
    """
    solver = _Solver(position, memory)
    rules, table = solver.rules, position.table
    sign = rules.sign(table)
    found = []
    for move in rules.legal_moves(table):
        progress(f"{position.text()} {move}")
        after = rules.play(table, move)
        rated = Rated(move, after.maps[-1].kind, Worth(solver.after(move, after)))
        found.append((_rank(sign, rated.value), _rank(sign, solver.lasting(after)), rated))
    found.sort(key=lambda ranked: ranked[:2], reverse=True)
    moves = tuple(rated for *_, rated in found)
    best_value = max((sign * float(r.value) for r in moves), default=None)
    value = solver.value(table) if best_value is None else sign * best_value
    best_line: list[Move] = []
    with suppress(MissingExtraError):  # then the line ends where it is not searched any more
        while line and not rules.observation_due(table) and rules.outcome(table) is None:
            progress(f"{position.text()} {' '.join(map(str, best_line))}")
            best_line.append(solver.best(table)[0])
            table = rules.play(table, best_line[-1])
    return Solution(
        position.text(),
        position.turn,
        rules.sides[0],
        value,
        moves,
        tuple(best_line),
        {"positions": solver.positions},
    )


def _rank(sign: int, value: object) -> int:
    """Returns what values are compared by, the better for the side to move the higher."""
    return round(sign * float(value) / NEAR)  # type: ignore[arg-type]


def best(position: Position, memory: dict[Any, Any]) -> tuple[Move, float]:
    """Returns a best move, and what the position is worth.

    Args:
        position: A position in which a move is due.
        memory: What was found before.

    Raises:
        OptionError: If no move is due.
    """
    rules, table = position.rules, position.table
    if rules.observation_due(table) or rules.outcome(table) is not None:
        raise OptionError(f"no move is due: {rules.status(table)}")
    return _Solver(position, memory).best(table)


def known(rules: DiceRules) -> Callable[[Any], float | None]:
    """Returns what tells the value of a table without dice, and None of others."""
    found = values(rules.name)
    return lambda table: None if table.maps else found.value(table.marks, table.turn)


class _Solver:
    """Values of positions that follow one position."""

    def __init__(self, position: Position, memory: dict[Any, Any]) -> None:
        assert isinstance(position.rules, DiceRules)
        self.rules = position.rules
        self.known: Values = values(self.rules.name)
        self._position = position
        self._memory: dict[Any, PhaseSearch] = memory.setdefault(self.rules.name, {})
        self._before = {id(search): search.positions for search in self._memory.values()}

    @property
    def positions(self) -> int:
        """How many positions were searched."""
        return sum(s.positions - self._before.get(id(s), 0) for s in self._memory.values())

    def value(self, table: Any, *window: float) -> float:
        """Returns what a table is worth for X, within a window."""
        if not table.maps:
            return self.known.value(table.marks, table.turn)
        return self._searched(None).value(self.rules, table, *window)

    def after(self, move: Move, table: Any, *window: float) -> float:
        """Returns what a table is worth to which a move led, within a window."""
        if len(table.maps) == 1 and set(table.marks) == {EMPTY} and isinstance(move, DiceMove):
            return self.known.opening(move, opponent(table.turn))
        return self.value(table, *window)

    def lasting(self, table: Any) -> float:
        """Returns what a table is worth for X if a board that comes back counted as a draw.

        A side that is ahead loses nothing by letting the board come back once, but if it did so
        always it would never win. Where no board can come back it is 0.
        """
        return self._searched(0.0).value(self.rules, table) if self._comes_back(table) else 0.0

    def _comes_back(self, table: Any) -> bool:
        """Whether the observed board may come back, and it matters what that counts."""
        may_leave = self.rules.sign_refusal((-1, -1), meets=True) is None
        even = table.marks.count(EMPTY) % 2 == 0  # one die is put down and one cancels it
        return may_leave and even and any(self.known.worth[table.marks])

    def best(self, table: Any) -> tuple[Move, float]:
        """Returns a best move, and the table's value.

        Of several it is the one that is worth most if a board that comes back counts as a draw, and
        of these the one whose boards are worth most if they are observed at once.
        """
        value, sign = self.value(table), self.rules.sign(table)
        moves = [(move, self.rules.play(table, move)) for move in self.rules.legal_moves(table)]
        moves.sort(key=lambda pair: -_rank(sign, self._at_once(pair[1])))
        # it is enough to know whether a move loses anything
        window = (value - NEAR, value) if sign > 0 else (value, value + NEAR)
        equal = (
            (move, after)
            for move, after in moves
            if sign * (self.after(move, after, *window) - value) >= -NEAR
        )
        if not self._comes_back(table):
            return next(equal)[0], value
        return max(equal, key=lambda pair: _rank(sign, self.lasting(pair[1])))[0], value

    def _at_once(self, table: Any) -> float:
        """Returns what a table is worth on average if it is observed now."""
        found = self.rules.distribution(table).items()
        return sum(p * self.known.value(board, table.turn) for board, p in found)

    def _searched(self, endless: float | None) -> PhaseSearch:
        """Returns the search of this phase, made when it is first needed.

        Args:
            endless: What a board that comes back counts; None for what it is worth.
        """
        table = self._position.table
        # with as many moves made, the same side is to move
        parity = (len(table.maps) + (self.rules.sign(table) > 0)) % 2
        key = (self.rules.name, table.marks, parity, endless)
        if key not in self._memory:
            from .phase.jit import COMPILED
            from .phase.search import PhaseSearch

            if not COMPILED and table.open.bit_count() > LARGEST_UNCOMPILED:
                raise MissingExtraError(
                    f"solving {self.rules.name} with more than {LARGEST_UNCOMPILED} open squares",
                    "solve",
                )
            known = self.known.worth.__getitem__
            self._memory[key] = PhaseSearch(self.rules.name, table.marks, known, endless)
        found = self._memory[key] = self._memory.pop(key)  # what was used last stands last
        later = [k for k in self._memory if k[1] != EMPTY * 9]
        for key in later[:-KEPT]:
            del self._memory[key]
        return found
