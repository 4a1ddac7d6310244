"""What the three dice games share: dice on squares, legal moves, observation, the end.

Source: documents 000 and 002 (gameplay rules 1-6). P is the player to move, Q the opponent. A
square is *open-empty* if it has neither a die nor an observed mark.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping
from functools import cached_property, lru_cache
from itertools import product
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar

from .. import maps
from ..board import EMPTY, SYMBOLS, Board, Mark, O, X, lines, opponent
from ..errors import NotationError, OptionError
from ..maps import Effect, LocalMap
from ..moves import DiceMove, Move, Observation, parse_dice
from ..numbers import Surd
from ..state import SURDS, State, Uniform
from .base import Outcome, Rules, Side
from .dice_moves import Ways, placements
from .dice_table import FULL, HALF, Die, Table, die
from .worth import line_chances, lines_worth, pack, points_worth

if TYPE_CHECKING:
    import sympy

    from ..components import Component

MOST_GUESSED = 2_000
"""The most boards of which a guess looks at each."""
NUMERALS = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class DiceRules(Rules[Table]):
    """The rules that the dice games have in common.

    Options: ``first`` (X or O) moves first; ``scoring`` is ``lines`` (a line ends the game after an
    observation) or ``points`` (document 002, footnote 3: play until the board is full, a point a
    line); ``size`` is the number of squares a side, and ``line`` how many of them make a line, by
    default as many as a side has.
    """

    notation = (
        "5 is a die on square 5, 1,2 one on each of two squares, -2,3 the same with the die on "
        "square 2 upside-down, O:1,2 names the player, @EEEEXOEEE is an observed board"
    )
    circuits = "dice"
    solver = "dice"
    painter = "dice"
    cancelling_dice: ClassVar[bool] = False
    """Whether dice that lie upside-down are dice of their own, with painted numbers (000)."""
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "first": ("X", "O"),
        "scoring": ("lines", "points"),
        "size": ("3", "4", "5", "6"),
        "line": ("",),
    }
    others: ClassVar[Mapping[str, tuple[str, str]]] = {
        "size": ("[2-9]", "the number of squares a side, from 2 to 9"),
        "line": ("[2-9]", "the number of squares that make a line, from 2 to a side's"),
    }

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        self.size = int(self.options["size"])
        self.options["line"] = self.options["line"] or self.options["size"]
        self.line = int(self.options["line"])
        if self.line > self.size:
            raise OptionError(
                f"a line of {self.line} squares does not fit on a board of {self.size} a side: "
                f"option line of {self.name} is from 2 to {self.size} there"
            )

    def usual(self) -> dict[str, str]:
        """Returns the values that options have if they are not given, at this size."""
        return {**super().usual(), "line": self.options["size"]}

    @property
    def options_text(self) -> str:
        """The options in one line; size and line only if they are not those of the documents."""
        # results and jobs are told apart by this text, older ones too, which knew one board only
        unsaid = ("size", "line") if (self.size, self.line) == (3, 3) else ()
        return " ".join(f"{k}={v}" for k, v in self.options.items() if k not in unsaid)

    @abstractmethod
    def sign_refusal(self, signs: tuple[int, ...], *, meets: bool) -> str | None:
        """Returns why dice may not lie the way they do, or None if they may.

        Args:
            signs: 1 for an upright die, -1 for an upside-down one.
            meets: Whether the move meets a die.
        """

    @abstractmethod
    def cancelling_effect(self, met: Die, new: tuple[Die, Die], cancels: tuple[int, ...]) -> Effect:
        """Returns what a move does in which a die cancels.

        Args:
            met: The met die, before it is halved.
            new: The new dice, first the one on the square of the met die.
            cancels: Which of the new dice cancel, counted from 0.
        """

    @cached_property
    def ways(self) -> Ways:
        """How the dice of a move may lie."""

        def allowed(number: int, *, meets: bool) -> tuple[tuple[int, ...], ...]:
            return tuple(
                signs
                for signs in product((1, -1), repeat=number)
                if self.sign_refusal(signs, meets=meets) is None
            )

        return Ways(allowed(1, meets=False), allowed(2, meets=False), allowed(2, meets=True))

    def start(self) -> Table:
        """Returns an empty table."""
        first: Mark = X if self.options["first"] == X else O
        return Table.without_dice(Board(EMPTY * self.size**2), first, observed=False)

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

    def components(self, table: Table, *, exact: bool = False) -> tuple[Component[Any], ...]:
        """Returns the groups of squares that are not entangled with each other."""
        return self.exact_state(table).components if exact else table.state.components

    def marginals(self, table: Table, *, exact: bool = False) -> dict[int, dict[str, Any]]:
        """Returns the probability of each symbol on each square, observed marks included."""
        number = Surd if exact else float
        certain: dict[int, dict[str, Any]] = {
            square: {symbol: number(symbol == mark) for symbol in SYMBOLS}
            for square, mark in enumerate(table.marks, 1)
        }
        return certain | (self.exact_state(table) if exact else table.state).marginals()

    def distribution(self, table: Table) -> dict[str, float]:
        """Returns the probability of every board."""
        return table.state.distribution(table.marks)

    def exact_distribution(self, table: Table) -> dict[str, Surd]:
        """Returns the probability of every board as a number a + b√2."""
        return self.exact_state(table).distribution(table.marks)

    def amplitudes(self, table: Table) -> dict[str, float]:
        """Returns the amplitude of every board."""
        root = sqrt(table.state.norm)
        return {board: a / root for board, a in table.state.terms(table.marks)}

    def exact_amplitudes(self, table: Table) -> dict[str, sympy.Expr]:
        """Returns the amplitude of every board as an expression."""
        import sympy

        state = self.exact_state(table)
        root = sympy.sqrt(state.norm.to_sympy())
        return {board: sympy.radsimp(a.to_sympy() / root) for board, a in state.terms(table.marks)}

    def success(self, table: Table) -> float:
        """Returns the product of the success probabilities of the maps."""
        return float(self.exact_state(table).success)

    def estimate(self, table: Table) -> float:
        """Returns what the board would be worth on average if it were observed now.

        Where very many boards could be observed it is guessed from single squares.
        """
        if table.state.boards > MOST_GUESSED:
            chances = [p for _, p in sorted(self.marginals(table).items())]
            return line_chances(chances, self.size, self.line)
        packed = [(pack(table.marks), 1.0)]
        for component in table.state.components:
            terms = [(pack(c, component.squares), p) for c, p in component.probabilities.items()]
            packed = [(board + term, p * q) for board, p in packed for term, q in terms]
        worth = points_worth if self.options["scoring"] == "points" else lines_worth
        return sum(p * worth(board, self.size, self.line, self.sign(table)) for board, p in packed)

    @property
    def most(self) -> float:
        """The most by which a side's score can be above the other's: a line, or all of them."""
        points = self.options["scoring"] == "points"
        return float(len(lines(self.size, self.line))) if points else 1.0

    def key(self, table: Table) -> Hashable:
        """Returns marks and dice, and which dice belong together; their order does not matter."""
        played = frozenset((m.kind, m.squares, m.cancels) for m in table.maps)
        return table.marks, table.turn, table.dice, played

    def sample(self, table: Table, rng: Uniform) -> Board:
        """Returns one board, drawn group by group of entangled squares."""
        return table.state.sample(table.marks, rng)

    def observation_due(self, table: Table) -> bool:
        """Whether no square is open-empty, in a game that is not over."""
        return not table.open and self.outcome(table) is None

    def not_due(self, table: Table) -> str:
        """Returns why nothing is observed now."""
        if self.outcome(table) is not None:
            return "the game is over"
        return "an observation is due only when no square is open"

    def outcome(self, table: Table) -> Outcome | None:
        """Returns the result, which only an observation can bring about."""
        if not table.observed:
            return None
        return _ended(table.marks, self.line, self.options["scoring"] == "points")

    def refusal(self, table: Table, move: Move) -> str | None:
        """Returns why a move or an observed board is not legal, or None if it is."""
        if self.outcome(table) is not None:
            return "the game is over"
        if isinstance(move, Observation):
            return self._observation_refusal(table, move)
        if not isinstance(move, DiceMove):
            return f"{self.name} is played with dice"
        if not table.open:
            return "no square is open: the board must be observed first"
        return self._move_refusal(table, move)

    def _observation_refusal(self, table: Table, move: Observation) -> str | None:
        if table.open:
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

    def legal_moves(self, table: Table) -> tuple[Move, ...]:
        """Returns the legal moves of the side to move, squares ascending, upright dice first."""
        if not table.open or self.outcome(table) is not None:
            return ()
        return placements(table.open, table.meetable, self.ways)

    def play(self, table: Table, move: Move) -> Table:
        """Returns the table after a legal move or a possible observed board."""
        if isinstance(move, Observation):
            return Table.without_dice(Board(move.outcome), table.turn, observed=True)
        if not isinstance(move, DiceMove):
            raise TypeError(f"{self.name} cannot play a {type(move).__name__}")
        player = move.player or table.turn
        value = FULL if len(move.squares) == 1 else HALF
        new = [die(player, sign, value) for sign in move.signs]
        return table.put(move.squares, new, self._local_map(table, move.squares, new))

    def _local_map(self, table: Table, squares: tuple[int, ...], new: list[Die]) -> LocalMap:
        first, *rest = new
        if not rest:
            return maps.classical(first.symbol, first.sign).on(*squares)
        [second] = rest
        (p, q), (held_p, held_q) = squares, (table.dice[square - 1] for square in squares)
        if not held_p and not held_q:
            effect = maps.superposition(first.symbol, first.sign, second.symbol, second.sign)
            return effect.on(p, q)
        if held_p:
            return self._meeting(held_p[0], (first, second)).on(p, q)
        return self._meeting(held_q[0], (second, first)).on(q, p)

    def _meeting(self, met: Die, new: tuple[Die, Die]) -> Effect:
        """Returns what a move does that meets a die.

        Args:
            met: The met die, before it is halved.
            new: The new dice, first the one on the square of the met die.
        """
        cancels = tuple(place for place in (0, 1) if new[place].symbol == met.symbol)
        if cancels:
            return self.cancelling_effect(met, new, cancels)
        entangling = maps.entangling if met.value == FULL else maps.half_entangling
        return entangling(met.symbol, new[0].symbol, new[0].sign)


@lru_cache(maxsize=2**14)
def _ended(marks: Board, line: int, points: bool) -> Outcome | None:
    """Returns how a game ended in which a board was observed, or None if it goes on.

    Args:
        marks: The board.
        line: How many squares make a line.
        points: Whether every line counts a point, rather than ending the game.
    """
    count = {mark: len(marks.lines_of(mark, line)) for mark in (X, O)}
    if not marks.full and (points or not any(count.values())):
        return None
    scores: dict[Side, float]
    if points:
        scores = {mark: float(n) for mark, n in count.items()}
        reason = "full board, a point a line"
    else:
        scores = {m: float(count[m] > 0 and not count[opponent(m)]) for m in (X, O)}
        lined = [mark for mark in (X, O) if count[mark]]
        row = f"{NUMERALS[line]} in a row"
        reason = ("full board", row, f"both have {row}")[len(lined)]
    ahead = [mark for mark in (X, O) if scores[mark] > scores[opponent(mark)]]
    return Outcome(ahead[0] if ahead else None, scores, reason)
