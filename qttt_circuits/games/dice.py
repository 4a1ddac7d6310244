"""What the three dice games share: dice on squares, legal moves, observation, the end.

Source: documents 000 and 002 (gameplay rules 1-6). P is the player to move, Q the opponent. A
square is *open-empty* if it has neither a die nor an observed mark.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from math import sqrt
from typing import TYPE_CHECKING, ClassVar

from .. import maps
from ..board import EMPTY, Board, Mark, O, X, lines, opponent
from ..errors import NotationError
from ..maps import LocalMap
from ..moves import DiceMove, Move, Observation, parse_dice
from ..numbers import Surd
from ..state import FLOATS, SURDS, State, Uniform
from .base import Outcome, Rules, Side
from .worth import lines_worth, pack, points_worth

if TYPE_CHECKING:
    import sympy

FULL = 4
HALF = 2
UP, DOWN = "△", "▽"
_NO_DICE: State[float] = State.of((), FLOATS)


@dataclass(frozen=True)
class Die:
    """A die on a square; its amplitude is √(value/4).

    Attributes:
        owner: Whose colour it has.
        sign: 1 upright (△), -1 upside-down (▽).
        value: 4, 2 or 1.
    """

    owner: Mark
    sign: int
    value: int

    @property
    def symbol(self) -> Mark:
        """The mark it stands for: the owner's if upright, else the opponent's."""
        return self.owner if self.sign > 0 else opponent(self.owner)

    def __str__(self) -> str:
        return f"{self.owner}{self.value}{UP if self.sign > 0 else DOWN}"


@dataclass(frozen=True)
class Table:
    """What lies on the board between two moves.

    Attributes:
        marks: The observed marks.
        dice: The dice of each square, in order of placing; at most two.
        turn: The side to move, or to move after the observation that is due.
        maps: The maps applied since the last observation.
        state: The quantum state they make, in floating point.
        observed: Whether the board has been observed since the last move.
    """

    marks: Board
    dice: tuple[tuple[Die, ...], ...]
    turn: Mark
    maps: tuple[LocalMap, ...] = ()
    state: State[float] = _NO_DICE
    observed: bool = False

    def open_empty(self, square: int) -> bool:
        """Whether a square has neither a die nor an observed mark."""
        return not self.dice[square - 1] and self.marks[square - 1] == EMPTY

    @property
    def any_open(self) -> bool:
        """Whether some square is open-empty."""
        return any(not d and m == EMPTY for d, m in zip(self.dice, self.marks, strict=True))

    @property
    def pieces(self) -> int:
        """How many pieces the dice stand for: the same number in every branch."""
        return sum(local_map.pieces for local_map in self.maps)


@cache
def _placed(squares: tuple[int, ...], signs: tuple[int, ...]) -> DiceMove:
    """Returns a move; one object serves all tables."""
    return DiceMove(squares, signs)


class DiceRules(Rules[Table]):
    """The rules that the dice games have in common.

    Options: ``first`` (X or O) moves first; ``scoring`` is ``lines`` (a three in a row ends the
    game after an observation) or ``points`` (document 002, footnote 3: play until the board is
    full, a point a line).
    """

    notation = (
        "5 is a die on square 5, 1,2 one on each of two squares, -2,3 the same with the die on "
        "square 2 upside-down, O:1,2 names the player, @EEEEXOEEE is an observed board"
    )
    circuits = "dice"
    solver = "dice"
    painter = "dice"
    size: ClassVar[int] = 3
    cancelling_dice: ClassVar[bool] = False
    """Whether dice that lie upside-down are dice of their own, with painted numbers (000)."""
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "first": ("X", "O"),
        "scoring": ("lines", "points"),
    }

    @abstractmethod
    def sign_refusal(self, signs: tuple[int, ...], *, meets: bool) -> str | None:
        """Returns why dice may not lie the way they do, or None if they may.

        Args:
            signs: 1 for an upright die, -1 for an upside-down one.
            meets: Whether the move meets a die.
        """

    @abstractmethod
    def cancelling_map(
        self, t: int, e: int, met: Die, new: Mapping[int, Die], cancels: tuple[int, ...]
    ) -> LocalMap:
        """Returns what a move does in which a die cancels.

        Args:
            t: The square of the met die.
            e: The open-empty square.
            met: The met die, before it is halved.
            new: The new dice by square.
            cancels: The squares on which the new die cancels.
        """

    def start(self) -> Table:
        """Returns an empty table."""
        squares = self.size**2
        first: Mark = X if self.options["first"] == X else O
        return Table(Board(EMPTY * squares), ((),) * squares, first)

    def parse(self, text: str) -> Move:
        """Reads a move such as ``-2,3`` or an observed board such as ``@EEEEXOEEE``."""
        move = parse_dice(text)
        if isinstance(move, Observation) and len(move.outcome) != self.size**2:
            raise NotationError(f"{text!r} is not a board of {self.size**2} squares")
        return move

    def turn(self, table: Table) -> Mark:
        """Returns the side to move."""
        return table.turn

    def board(self, table: Table) -> Board:
        """Returns the observed marks."""
        return table.marks

    def cells(self, table: Table) -> dict[str, str]:
        """Returns the dice of each square with owner, value and sign, or ``[X]`` for a mark."""
        return {
            str(square): " ".join(map(str, dice)) if mark == EMPTY else f"[{mark}]"
            for square, (mark, dice) in enumerate(zip(table.marks, table.dice, strict=True), 1)
        }

    def state(self, table: Table) -> State[float]:
        """Returns the state of the dice in floating point."""
        return table.state

    def exact_state(self, table: Table) -> State[Surd]:
        """Returns the state of the dice in exact numbers a + b√2, computed anew from the maps."""
        return State.of(table.maps, SURDS)

    def distribution(self, table: Table) -> dict[str, float]:
        """Returns the probability of every board."""
        return table.state.distribution(table.marks)

    def exact_distribution(self, table: Table) -> dict[str, Surd]:
        """Returns the probability of every board as a number a + b√2."""
        return self.exact_state(table).distribution(table.marks)

    def amplitudes(self, table: Table) -> dict[str, float]:
        """Returns the amplitude of every board."""
        root = sqrt(table.state.norm)
        return {board: a / root for board, a in sorted(table.state.terms(table.marks))}

    def exact_amplitudes(self, table: Table) -> dict[str, sympy.Expr]:
        """Returns the amplitude of every board as an expression."""
        import sympy

        state = self.exact_state(table)
        root = sympy.sqrt(state.norm.to_sympy())
        return {
            board: sympy.radsimp(a.to_sympy() / root)
            for board, a in sorted(state.terms(table.marks), key=lambda term: term[0])
        }

    def success(self, table: Table) -> float:
        """Returns the product of the success probabilities of the maps."""
        return float(self.exact_state(table).success)

    def estimate(self, table: Table) -> float:
        """Returns what the board would be worth on average if it were observed now."""
        packed = [pack(table.marks)]
        chances = [1.0]
        for component in table.state.components:
            terms = [(pack(c, component.squares), a * a) for c, a in component.terms.items()]
            packed = [board + term for board in packed for term, _ in terms]
            chances = [p * q / component.norm for p in chances for _, q in terms]
        worth = points_worth if self.options["scoring"] == "points" else lines_worth
        return sum(
            p * worth(board, self.size, self.sign(table))
            for p, board in zip(chances, packed, strict=True)
        )

    @property
    def most(self) -> float:
        """The most by which a side's score can be above the other's: a line, or all of them."""
        return float(len(lines(self.size))) if self.options["scoring"] == "points" else 1.0

    def key(self, table: Table) -> Hashable:
        """Returns marks and dice, and which dice belong together; their order does not matter."""
        played = frozenset((m.kind, m.squares, m.cancels) for m in table.maps)
        return table.marks, table.turn, table.dice, played

    def sample(self, table: Table, rng: Uniform) -> Board:
        """Returns one board, drawn group by group of entangled squares."""
        return table.state.sample(table.marks, rng)

    def observation_due(self, table: Table) -> bool:
        """Whether no square is open-empty, in a game that is not over."""
        return not table.any_open and self.outcome(table) is None

    def not_due(self, table: Table) -> str:
        """Returns why nothing is observed now."""
        if self.outcome(table) is not None:
            return "the game is over"
        return "an observation is due only when no square is open"

    def outcome(self, table: Table) -> Outcome | None:
        """Returns the result, which only an observation can bring about."""
        if not table.observed:
            return None
        count = {mark: len(table.marks.lines_of(mark, self.size)) for mark in (X, O)}
        points = self.options["scoring"] == "points"
        if not table.marks.full and (points or not any(count.values())):
            return None
        scores: dict[Side, float]
        if points:
            scores = {mark: float(n) for mark, n in count.items()}
            reason = "full board, a point a line"
        else:
            scores = {m: float(count[m] > 0 and not count[opponent(m)]) for m in (X, O)}
            lined = [mark for mark in (X, O) if count[mark]]
            reason = ("full board", "three in a row", "both have three in a row")[len(lined)]
        ahead = [mark for mark in (X, O) if scores[mark] > scores[opponent(mark)]]
        return Outcome(ahead[0] if ahead else None, scores, reason)

    def refusal(self, table: Table, move: Move) -> str | None:
        """Returns why a move or an observed board is not legal, or None if it is."""
        if self.outcome(table) is not None:
            return "the game is over"
        if isinstance(move, Observation):
            return self._observation_refusal(table, move)
        if not isinstance(move, DiceMove):
            return f"{self.name} is played with dice"
        if not table.any_open:
            return "no square is open: the board must be observed first"
        return self._move_refusal(table, move)

    def _observation_refusal(self, table: Table, move: Observation) -> str | None:
        if table.any_open:
            return self.not_due(table)
        if not table.state.probability(move.outcome, table.marks):
            return "this board has probability zero"
        return None

    def _move_refusal(self, table: Table, move: DiceMove) -> str | None:
        player = move.player or table.turn
        for square in move.squares:
            if not 1 <= square <= self.size**2:
                return f"there is no square {square}: squares are 1 to {self.size**2}"
            if table.marks[square - 1] != EMPTY:
                return f"square {square} holds an observed mark, which stays"
            dice = table.dice[square - 1]
            if len(dice) > 1:
                return f"square {square} is closed: it holds two dice"
            if dice and dice[0].owner == player:
                return f"square {square} holds a die of {player}'s own"
        occupied = [s for s in move.squares if not table.open_empty(s)]
        if len(occupied) == len(move.squares):
            if len(occupied) == 1:
                return f"a single die goes on an empty square, and {occupied[0]} holds a die"
            return "at least one of the two squares must be empty"
        return self.sign_refusal(move.signs, meets=bool(occupied))

    def legal_moves(self, table: Table) -> Iterator[Move]:
        """Yields the legal moves of the side to move, squares ascending, upright dice first."""
        if self.outcome(table) is not None:
            return
        squares = range(1, self.size**2 + 1)
        open_empty = [s for s in squares if table.open_empty(s)]
        meetable = [
            s
            for s in squares
            if len(table.dice[s - 1]) == 1 and table.dice[s - 1][0].owner != table.turn
        ]
        signs = {
            (number, meets): [
                signs
                for signs in product((1, -1), repeat=number)
                if self.sign_refusal(signs, meets=meets) is None
            ]
            for number, meets in ((1, False), (2, False), (2, True))
        }
        for square in open_empty:
            yield from (_placed((square,), s) for s in signs[1, False])
        for a, b in combinations(sorted(open_empty + meetable), 2):
            meets = a in meetable or b in meetable
            if not (a in meetable and b in meetable):
                yield from (_placed((a, b), s) for s in signs[2, meets])

    def play(self, table: Table, move: Move) -> Table:
        """Returns the table after a legal move or a possible observed board."""
        if isinstance(move, Observation):
            clear = ((),) * len(table.dice)
            return Table(Board(move.outcome), clear, table.turn, observed=True)
        if not isinstance(move, DiceMove):
            raise TypeError(f"{self.name} cannot play a {type(move).__name__}")
        player = move.player or table.turn
        value = FULL if len(move.squares) == 1 else HALF
        new = {
            square: Die(player, sign, value)
            for square, sign in zip(move.squares, move.signs, strict=True)
        }
        local_map = self._local_map(table, new)
        dice = list(table.dice)
        met = next((dice[s - 1][0] for s in move.squares if dice[s - 1]), None)
        for square, die in new.items():
            # half of a met die stays, half moves to the open-empty square
            old = () if met is None else (replace(met, value=met.value // 2),)
            dice[square - 1] = (*old, die)
        return Table(
            table.marks,
            tuple(dice),
            opponent(player),
            (*table.maps, local_map),
            table.state.apply(local_map),
        )

    def _local_map(self, table: Table, new: Mapping[int, Die]) -> LocalMap:
        occupied = [square for square in new if table.dice[square - 1]]
        if not occupied:
            (p, first), *rest = new.items()
            if not rest:
                return maps.classical(p, first.symbol, first.sign)
            [(q, second)] = rest
            return maps.superposition(p, q, first.symbol, first.sign, second.symbol, second.sign)
        [t] = occupied
        [e] = [square for square in new if square != t]
        met = table.dice[t - 1][0]
        cancels = tuple(square for square in (t, e) if new[square].symbol == met.symbol)
        if cancels:
            return self.cancelling_map(t, e, met, new, cancels)
        entangling = maps.entangling if met.value == FULL else maps.half_entangling
        return entangling(t, e, met.symbol, new[t].symbol, new[t].sign)
