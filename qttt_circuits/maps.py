"""The local maps of the dice games: what each kind of move does to the one or two squares it meets.

Amplitudes are before renormalising. Sources: documents 000 and 002; the table "What a move does" in
which their ambiguities are settled is repeated in the functions below, one function a row. They say
what a move does whichever squares it is on; `Effect.on` puts it on squares. Where a die is met
these are ``(t, e)``: the square of the met die, then the open-empty one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from .board import EMPTY, opponent
from .numbers import ONE, ROOT_HALF, Surd

Column = Mapping[str, Surd]
"""Where one configuration of the squares goes: configuration to amplitude."""
T, E = 0, 1
"""The places of the met die's square and of the open-empty one among the squares of a map."""


@dataclass(frozen=True)
class Effect:
    """What a linear map does to its one or two squares, whichever they are.

    Attributes:
        kind: The documents' name of the move.
        columns: For each configuration that can occur there (one letter a square), its image.
        pieces: How many pieces it adds to the board, in every branch alike.
        met: The symbol of the die that is met; empty if there is none.
        new: The symbols of the new dice that do not cancel; one letter if they are the same piece's
            on squares that meet a die, two for a superposition.
        cancels: The places, counted from 0, of the squares on which the new die cancels.
    """

    kind: str
    columns: Mapping[str, Column]
    pieces: int
    met: str = ""
    new: str = ""
    cancels: tuple[int, ...] = ()

    def on(self, *squares: int) -> LocalMap:
        """Returns the map that does this to some squares."""
        return LocalMap(self, squares)

    @cached_property
    def sigma_squared(self) -> Surd:
        """The largest singular value, squared.

        No two columns share a configuration, so they are orthogonal and it is the largest norm.
        """
        return max(norm(column) for column in self.columns.values())

    @cached_property
    def sigma_squared_float(self) -> float:
        """The same in floating point."""
        return float(self.sigma_squared)

    @cached_property
    def unitary(self) -> bool:
        """Whether the map keeps all norms, so that it needs no post-selection."""
        return all(norm(column) == 1 for column in self.columns.values())

    @cached_property
    def floats(self) -> Mapping[str, Mapping[str, float]]:
        """The columns in floating point."""
        return {
            source: {target: float(a) for target, a in column.items()}
            for source, column in self.columns.items()
        }

    @cached_property
    def _hash(self) -> int:
        images = ((source, *column.items()) for source, column in self.columns.items())
        return hash((self.kind, self.cancels, *images))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True)
class LocalMap:
    """A linear map on one or two squares, applied to every branch of a state.

    Attributes:
        effect: What it does to its squares.
        squares: The squares it acts on, in the order of the letters of the columns.
    """

    effect: Effect
    squares: tuple[int, ...]

    @property
    def kind(self) -> str:
        """The documents' name of the move."""
        return self.effect.kind

    @property
    def columns(self) -> Mapping[str, Column]:
        """For each configuration that can occur on the squares (one letter each), its image."""
        return self.effect.columns

    @property
    def floats(self) -> Mapping[str, Mapping[str, float]]:
        """The columns in floating point."""
        return self.effect.floats

    @property
    def pieces(self) -> int:
        """How many pieces it adds to the board, in every branch alike."""
        return self.effect.pieces

    @property
    def met(self) -> str:
        """The symbol of the die that is met; empty if there is none."""
        return self.effect.met

    @property
    def new(self) -> str:
        """The symbols of the new dice that do not cancel; see `Effect`."""
        return self.effect.new

    @property
    def cancels(self) -> tuple[int, ...]:
        """The squares on which the new die cancels."""
        return tuple(self.squares[place] for place in self.effect.cancels)

    @property
    def sigma_squared(self) -> Surd:
        """The largest singular value, squared."""
        return self.effect.sigma_squared

    @property
    def unitary(self) -> bool:
        """Whether the map keeps all norms, so that it needs no post-selection."""
        return self.effect.unitary


def norm(column: Column) -> Surd:
    """Returns the sum of the squared amplitudes of a column."""
    return sum((a * a for a in column.values()), Surd(0))


def _pair(first: str, second: str, swap: bool) -> str:
    return second + first if swap else first + second


@cache
def classical(new: str, n: int) -> Effect:
    """|E⟩ → n|N⟩."""
    return Effect("classical", {EMPTY: {new: ONE * n}}, pieces=1, new=new)


@cache
def superposition(first: str, n1: int, second: str, n2: int) -> Effect:
    """|EE⟩ → (n₁|N₁E⟩ + n₂|EN₂⟩)/√2, on two open-empty squares."""
    column = {first + EMPTY: ROOT_HALF * n1, EMPTY + second: ROOT_HALF * n2}
    return Effect("superposition", {EMPTY * 2: column}, pieces=1, new=first + second)


@cache
def entangling(met: str, new: str, n: int) -> Effect:
    """|SE⟩ → n(|NS⟩ + |SN⟩)/√2, where a 4 is met."""
    columns = {met + EMPTY: {new + met: ROOT_HALF * n, met + new: ROOT_HALF * n}}
    return Effect("entangling", columns, pieces=1, met=met, new=new)


@cache
def half_entangling(met: str, new: str, n: int) -> Effect:
    """|EE⟩ → n(|NE⟩ + |EN⟩)/√2, |SE⟩ → n(|NS⟩ + |SN⟩)/√2, where a 2 is met."""
    half = ROOT_HALF * n
    columns = {
        EMPTY * 2: {new + EMPTY: half, EMPTY + new: half},
        met + EMPTY: {new + met: half, met + new: half},
    }
    return Effect("half-entangling", columns, pieces=1, met=met, new=new)


@cache
def cancelling(met: str, sign: int, at_t: bool) -> Effect:
    """Cancelling at t: |SE⟩ → (|ES⟩ + sn|EN⟩)/√2; at e: |SE⟩ → (|SE⟩ + sn|NE⟩)/√2.

    Where a 4 is met. Document 000 1.1 and 4.1; document 002 calls it shiftflip.

    Args:
        met: The symbol S of the met die; the die that does not cancel shows the other one, N.
        sign: sn, the product of the signs of the met die and of the one that does not cancel.
        at_t: Whether the cancelling die lies on t.
    """
    new = opponent(met)
    column = {
        _pair(EMPTY, met, not at_t): ROOT_HALF,
        _pair(EMPTY, new, not at_t): ROOT_HALF * sign,
    }
    cancels = (T if at_t else E,)
    return Effect("cancelling", {met + EMPTY: column}, pieces=0, met=met, new=new, cancels=cancels)


@cache
def half_cancelling(met: str, at_t: bool) -> Effect:
    """|EE⟩ → |EE⟩; cancelling at t: |SE⟩ → (1/√2 − 1)|SE⟩ + (1/√2)|ES⟩ + |EN⟩.

    Cancelling at e: the same with the two squares of the result swapped. Document 000 1.2 and 4.2.

    Args:
        met: The symbol S of the met die, a 2; N is the other one.
        at_t: Whether the cancelling die lies on t.
    """
    new = opponent(met)
    column = {
        _pair(met, EMPTY, not at_t): ROOT_HALF - 1,
        _pair(EMPTY, met, not at_t): ROOT_HALF,
        _pair(EMPTY, new, not at_t): ONE,
    }
    columns = {EMPTY * 2: {EMPTY * 2: ONE}, met + EMPTY: column}
    cancels = (T if at_t else E,)
    return Effect("half-cancelling", columns, pieces=0, met=met, new=new, cancels=cancels)


@cache
def half_shiftflip(met: str, n: int, c: int, at_t: bool) -> Effect:
    """Cancelling at t: |EE⟩ → n|EN⟩, |SE⟩ → (c/√2)|SS⟩; at e: |EE⟩ → n|NE⟩, |SE⟩ → (c/√2)|SS⟩.

    Document 002: the colours sum to 3/4 each, renormalised by 4/3.

    Args:
        met: The symbol S of the met die, a 2; N is the other one.
        n: The sign of the new die that does not cancel.
        c: The sign of the new die that does.
        at_t: Whether the cancelling die lies on t.
    """
    new = opponent(met)
    columns = {
        EMPTY * 2: {_pair(EMPTY, new, not at_t): ONE * n},
        met + EMPTY: {met + met: ROOT_HALF * c},
    }
    cancels = (T if at_t else E,)
    return Effect("half-shiftflip", columns, pieces=1, met=met, new=new, cancels=cancels)


@cache
def spreading(met: str) -> Effect:
    """|EE⟩ → |EE⟩, |SE⟩ → −(|SE⟩ + |ES⟩)/√2, where a 2 is met and both new dice cancel."""
    columns = {
        EMPTY * 2: {EMPTY * 2: ONE},
        met + EMPTY: {met + EMPTY: -ROOT_HALF, EMPTY + met: -ROOT_HALF},
    }
    return Effect("spreading", columns, pieces=0, met=met, cancels=(T, E))


@cache
def off_board(met: str) -> Effect:
    """|SE⟩ → |EE⟩, where a 4 is met and both new dice cancel: the piece leaves the board."""
    return Effect("off-board", {met + EMPTY: {EMPTY * 2: ONE}}, pieces=-1, met=met, cancels=(T, E))


@dataclass(frozen=True)
class Isometry(Effect):
    """An effect whose columns have norm 1, in floating point: `columns` but for positive factors.

    Attributes:
        amplitudes: The columns, which `floats` returns.
    """

    amplitudes: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    __hash__ = Effect.__hash__

    @cached_property
    def sigma_squared(self) -> Surd:
        """One."""
        return ONE

    @cached_property
    def unitary(self) -> bool:
        """True."""
        return True

    @cached_property
    def floats(self) -> Mapping[str, Mapping[str, float]]:
        """The columns."""
        return {source: dict(column) for source, column in self.amplitudes.items()}
