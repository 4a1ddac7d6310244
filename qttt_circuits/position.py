"""A position: rules, the moves so far, and everything that follows from them.

The upper half of the hourglass ends here: nothing above needs Qiskit, numpy or sympy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, overload

from .errors import IllegalMoveError, NotationError, OptionError, QtttError, RecordError
from .games import Outcome, Rules, Side
from .games import rules as rules_named
from .moves import Move, Observation
from .randomness import Seed, as_generator

if TYPE_CHECKING:
    import sympy

    from .components import Component

RECORD_FORMAT = "qttt-circuits game"
RECORD_VERSION = 1


class LegalMoves:
    """The legal moves of a position, found only as far as they are asked for.

    It is a view: it follows the position as moves are pushed and popped.
    """

    def __init__(self, position: Position) -> None:
        self._position = position

    def __iter__(self) -> Iterator[Move]:
        return iter(self._found())

    def _found(self) -> Iterable[Move]:
        return self._position.rules.legal_moves(self._position.table)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, str | Move):
            return False
        try:
            return self._position.refusal(self._position.parse(move)) is None
        except NotationError:
            return False

    def __repr__(self) -> str:
        return f"<LegalMoves {' '.join(map(str, self))}>"


class CountedLegalMoves(LegalMoves):
    """The legal moves of a game that has finitely many."""

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, index: int) -> Move:
        return self._all()[index]

    def _all(self) -> Sequence[Move]:
        found = self._found()
        return found if isinstance(found, tuple) else list(found)


class Position:
    """A game as far as it has been played.

    Args:
        rules: The rule set, by name or as it is.
        strict: Whether a move that names a player out of turn is refused.
        **options: Options of a rule set given by name, such as ``first="O"``.

    Raises:
        UnknownNameError: If there is no such rule set or option.
        OptionError: If an option has a value it cannot have.
    """

    def __init__(
        self, rules: str | Rules[Any], /, *, strict: bool = False, **options: object
    ) -> None:
        if not isinstance(strict, bool):
            raise OptionError(f"strict is True or False, not {strict!r}")
        if isinstance(rules, Rules):
            if options:
                raise OptionError("options belong to a rule set given by name")
            self.rules = rules
        else:
            self.rules = rules_named(rules, **options)
        self.strict = strict
        self._moves: list[Move] = []
        self._tables: list[Any] = [self.rules.start()]

    @property
    def table(self) -> Any:
        """What lies on the board, in the form the rules use."""
        return self._tables[-1]

    @property
    def tables(self) -> tuple[Any, ...]:
        """What lay on the board at the start and after each of the history."""
        return tuple(self._tables)

    @property
    def history(self) -> tuple[Move, ...]:
        """The moves and observed outcomes so far."""
        return tuple(self._moves)

    @property
    def turn(self) -> Side | None:
        """The side to move; None when the game is over."""
        return None if self.outcome() else self.rules.turn(self.table)

    @property
    def observation_due(self) -> bool:
        """Whether the board must be observed before the next move."""
        return self.rules.observation_due(self.table)

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves, lazily: iterate them, count them, or ask whether one is ``in``.

        They cannot be counted in a game that has infinitely many; it iterates some of them.
        """
        return CountedLegalMoves(self) if self.rules.finite else LegalMoves(self)

    @property
    def observed(self) -> str:
        """What stands on the board for certain, such as the board of observed marks."""
        return self.rules.board(self.table)

    def outcome(self) -> Outcome | None:
        """Returns how the game ended, or None while it goes on."""
        return self.rules.outcome(self.table)

    def parse(self, move: str | Move) -> Move:
        """Returns the value of a move given as text or as a value.

        Raises:
            NotationError: If it is not in the game's notation.
        """
        if isinstance(move, str):
            return self.rules.parse(move)
        if not isinstance(move, Move):
            raise NotationError(f"{move!r} is neither text nor a move")
        return self.rules.parse(str(move)) if isinstance(move, Observation) else move

    def refusal(self, move: Move) -> str | None:
        """Returns why a move is not legal here, or None if it is."""
        player = getattr(move, "player", None)
        turn = self.turn
        if self.strict and player and turn and player != turn:
            return f"it is {turn}'s turn, not {player}'s"
        return self.rules.refusal(self.table, move)

    def push(self, move: str | Move) -> Move:
        """Plays a move, or replays an observed outcome written ``@…``.

        Args:
            move: The move, as text or as a value.

        Returns:
            The move's value.

        Raises:
            NotationError: If the text is not a move. The position has not changed.
            IllegalMoveError: If the rules refuse the move. The position has not changed.
        """
        value = self.parse(move)
        reason = self.refusal(value)
        if reason is not None:
            raise IllegalMoveError(str(move), self.text(), reason)
        table = self.rules.play(self.table, value)
        self._tables.append(table)
        self._moves.append(value)
        return value

    def pop(self) -> Move:
        """Takes back the last move or observation and returns it.

        Raises:
            IndexError: If there is none.
        """
        if not self._moves:
            raise IndexError("pop from a position without moves")
        self._tables.pop()
        return self._moves.pop()

    @overload
    def probabilities(self, *, exact: Literal[False] = ...) -> dict[str, float]: ...
    @overload
    def probabilities(self, *, exact: Literal[True]) -> dict[str, sympy.Expr]: ...
    def probabilities(self, *, exact: bool = False) -> Mapping[str, object]:
        """Returns the probability of every outcome that an observation could show, such as a board.

        Asking collapses nothing.

        Args:
            exact: Whether to return sympy expressions rather than floats (to 1e-12).

        Raises:
            OptionError: If exact values are asked for and not known.
            TooManyBoardsError: If there are more than 100,000 boards; `components` and `marginals`
                tell as much.
        """
        if not exact:
            return dict(self.rules.distribution(self.table))
        import sympy

        found = self.rules.exact_distribution(self.table)
        return {outcome: sympy.sympify(p) for outcome, p in found.items()}

    @overload
    def amplitudes(self, *, exact: Literal[False] = ...) -> dict[str, complex]: ...
    @overload
    def amplitudes(self, *, exact: Literal[True]) -> dict[str, sympy.Expr]: ...
    def amplitudes(self, *, exact: bool = False) -> Mapping[str, object]:
        """Returns the normalised amplitude of every outcome, right up to one global phase.

        Args:
            exact: Whether to return sympy expressions rather than numbers.

        Raises:
            OptionError: If exact values are asked for and not known.
            TooManyBoardsError: If there are more than 100,000 boards; see `components`.
        """
        if exact:
            return dict(self.rules.exact_amplitudes(self.table))
        return dict(self.rules.amplitudes(self.table))

    def components(self, *, exact: bool = False) -> tuple[Component[Any], ...]:
        """Returns the groups of squares that are not entangled with each other.

        Each has its ``squares``, and ``probabilities`` by configuration, one letter a square in
        that order; those of whole boards are their products. Squares in no group are as they were
        observed. In the dice games no group has more than four squares, so that this stays small
        where `probabilities` would list too many boards.

        Args:
            exact: Whether their numbers are `Surd`, a + b√2, rather than floats.

        Raises:
            OptionError: If the game keeps none apart.
        """
        return self.rules.components(self.table, exact=exact)

    def marginals(self, *, exact: bool = False) -> dict[int, dict[str, Any]]:
        """Returns the probability of each symbol on each square, whatever the others hold.

        Args:
            exact: Whether to return sympy expressions rather than floats (to 1e-12).

        Raises:
            OptionError: If the game does not know them.
        """
        found = self.rules.marginals(self.table, exact=exact)
        if not exact:
            return found
        import sympy

        return {s: {symbol: sympy.sympify(p) for symbol, p in h.items()} for s, h in found.items()}

    @property
    def success(self) -> float:
        """The probability that all post-selections since the last observation succeed."""
        return self.rules.success(self.table)

    def project(self, move: str | Move) -> Move:
        """Returns the legal move nearest to one that is not, in games that know one.

        Raises:
            NotationError: If the text is not a move.
            OptionError: If there is none.
        """
        return self.rules.project(self.table, self.parse(move))

    def random_move(self, seed: Seed = None) -> Move:
        """Returns a random legal move: each distinct one has the same chance.

        Args:
            seed: A seed or generator; None draws one.

        Raises:
            OptionError: If there is no legal move.
        """
        return self.rules.random_move(self.table, as_generator(seed))

    def text(self) -> str:
        """Returns the rules, their options that are not as usual, and the moves, in one line."""
        return " ".join([self.rules.title, *map(str, self._moves)])

    def record(self) -> dict[str, Any]:
        """Returns the game as JSON-able data, from which `from_record` makes it again."""
        return {
            "format": RECORD_FORMAT,
            "version": RECORD_VERSION,
            "rules": self.rules.name,
            "options": dict(self.rules.options),
            "strict": self.strict,
            "moves": [str(move) for move in self._moves],
        }

    @classmethod
    def from_record(cls, record: object) -> Self:
        """Returns the game that a record describes, every move checked anew.

        Raises:
            RecordError: If the record is no game record, of another version, or does not replay.
        """
        if not isinstance(record, Mapping) or record.get("format") != RECORD_FORMAT:
            raise RecordError(f"not a game record: its 'format' is not {RECORD_FORMAT!r}")
        if type(record.get("version")) is not int or record["version"] != RECORD_VERSION:
            raise RecordError(
                f"a game record of version {record.get('version')!r}: "
                f"this program reads version {RECORD_VERSION}"
            )
        name, moves = record.get("rules"), record.get("moves")
        options, strict = record.get("options", {}), record.get("strict", False)
        if not isinstance(name, str) or not isinstance(options, Mapping):
            raise RecordError("a game record whose 'rules' or 'options' are damaged")
        if not isinstance(strict, bool):
            raise RecordError("a game record whose 'strict' is neither true nor false")
        if not isinstance(moves, list) or not all(isinstance(m, str) for m in moves):
            raise RecordError("a game record whose 'moves' are not a list of text")
        try:
            chosen = rules_named(name, **{str(k): v for k, v in options.items()})
            game = cls(chosen, strict=strict)
        except QtttError as error:
            raise RecordError(f"a game record that does not replay: {error}") from error
        for number, move in enumerate(moves, 1):
            try:
                game.push(move)
            except QtttError as error:
                raise RecordError(f"a game record that fails at move {number}: {error}") from error
        return game

    def __copy__(self) -> Self:
        return self.copy()

    def copy(self) -> Self:
        """Returns an independent game at the same point."""
        twin = type(self).__new__(type(self))
        twin.rules, twin.strict = self.rules, self.strict
        twin._moves, twin._tables = self._moves.copy(), self._tables.copy()
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self.rules, self.strict, self._moves) == (other.rules, other.strict, other._moves)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.text()}>"
