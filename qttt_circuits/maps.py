"""The local maps of the dice games: what each kind of move does to the one or two squares it meets.

Amplitudes are before renormalising. Sources: documents 000 and 002; the table "What a move does" in
which their ambiguities are settled is repeated in the functions below, one function a row.

A map acts on its squares in the order of `LocalMap.squares`. Where a die is met these are
``(t, e)``: the square of the met die, then the open-empty one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from .board import EMPTY, opponent
from .numbers import ONE, ROOT_HALF, Surd

Column = Mapping[str, Surd]
"""Where one configuration of the squares goes: configuration to amplitude."""


@dataclass(frozen=True)
class LocalMap:
    """A linear map on one or two squares, applied to every branch of a state.

    Attributes:
        kind: The documents' name of the move.
        squares: The squares it acts on.
        columns: For each configuration that can occur there (one letter a square), its image.
        pieces: How many pieces it adds to the board, in every branch alike.
        met: The symbol of the die that is met; empty if there is none.
        new: The symbols of the new dice that do not cancel; one letter if they are the same piece's
            on squares that meet a die, two for a superposition.
        cancels: The squares on which the new die cancels.
    """

    kind: str
    squares: tuple[int, ...]
    columns: Mapping[str, Column]
    pieces: int
    met: str = ""
    new: str = ""
    cancels: tuple[int, ...] = ()

    @cached_property
    def sigma_squared(self) -> Surd:
        """The largest singular value, squared.

        No two columns share a configuration, so they are orthogonal and it is the largest norm.
        """
        return max(norm(column) for column in self.columns.values())

    @cached_property
    def unitary(self) -> bool:
        """Whether the map keeps all norms, so that it needs no post-selection."""
        return all(norm(column) == 1 for column in self.columns.values())

    @cached_property
    def floats(self) -> dict[str, dict[str, float]]:
        """The columns in floating point."""
        return {
            source: {target: float(a) for target, a in column.items()}
            for source, column in self.columns.items()
        }

    def __hash__(self) -> int:
        return hash((self.kind, self.squares, self.met, self.new, self.cancels))


def norm(column: Column) -> Surd:
    """Returns the sum of the squared amplitudes of a column."""
    return sum((a * a for a in column.values()), Surd(0))


def _pair(first: str, second: str, swap: bool) -> str:
    return second + first if swap else first + second


@cache
def classical(e: int, new: str, n: int) -> LocalMap:
    """|E⟩ → n|N⟩."""
    return LocalMap("classical", (e,), {EMPTY: {new: ONE * n}}, pieces=1, new=new)


@cache
def superposition(p: int, q: int, first: str, n1: int, second: str, n2: int) -> LocalMap:
    """|EE⟩ → (n₁|N₁E⟩ + n₂|EN₂⟩)/√2, on two open-empty squares."""
    column = {first + EMPTY: ROOT_HALF * n1, EMPTY + second: ROOT_HALF * n2}
    return LocalMap("superposition", (p, q), {EMPTY * 2: column}, pieces=1, new=first + second)


@cache
def entangling(t: int, e: int, met: str, new: str, n: int) -> LocalMap:
    """|SE⟩ → n(|NS⟩ + |SN⟩)/√2, where a 4 is met."""
    columns = {met + EMPTY: {new + met: ROOT_HALF * n, met + new: ROOT_HALF * n}}
    return LocalMap("entangling", (t, e), columns, pieces=1, met=met, new=new)


@cache
def half_entangling(t: int, e: int, met: str, new: str, n: int) -> LocalMap:
    """|EE⟩ → n(|NE⟩ + |EN⟩)/√2, |SE⟩ → n(|NS⟩ + |SN⟩)/√2, where a 2 is met."""
    half = ROOT_HALF * n
    columns = {
        EMPTY * 2: {new + EMPTY: half, EMPTY + new: half},
        met + EMPTY: {new + met: half, met + new: half},
    }
    return LocalMap("half-entangling", (t, e), columns, pieces=1, met=met, new=new)


@cache
def cancelling(t: int, e: int, met: str, sign: int, at_t: bool) -> LocalMap:
    """Cancelling at t: |SE⟩ → (|ES⟩ + sn|EN⟩)/√2; at e: |SE⟩ → (|SE⟩ + sn|NE⟩)/√2.

    Document 000 1.1 and 4.1; document 002 calls it shiftflip.

    Args:
        t: The square of the met die, a 4.
        e: The open-empty square.
        met: The symbol S of the met die; the die that does not cancel shows the other one, N.
        sign: sn, the product of the signs of the met die and of the one that does not cancel.
        at_t: Whether the cancelling die lies on t.
    """
    new = opponent(met)
    column = {
        _pair(EMPTY, met, not at_t): ROOT_HALF,
        _pair(EMPTY, new, not at_t): ROOT_HALF * sign,
    }
    return LocalMap(
        "cancelling",
        (t, e),
        {met + EMPTY: column},
        pieces=0,
        met=met,
        new=new,
        cancels=(t if at_t else e,),
    )


@cache
def half_cancelling(t: int, e: int, met: str, at_t: bool) -> LocalMap:
    """|EE⟩ → |EE⟩; cancelling at t: |SE⟩ → (1/√2 − 1)|SE⟩ + (1/√2)|ES⟩ + |EN⟩.

    Cancelling at e: the same with the two squares of the result swapped. Document 000 1.2 and 4.2.
    """
    new = opponent(met)
    column = {
        _pair(met, EMPTY, not at_t): ROOT_HALF - 1,
        _pair(EMPTY, met, not at_t): ROOT_HALF,
        _pair(EMPTY, new, not at_t): ONE,
    }
    return LocalMap(
        "half-cancelling",
        (t, e),
        {EMPTY * 2: {EMPTY * 2: ONE}, met + EMPTY: column},
        pieces=0,
        met=met,
        new=new,
        cancels=(t if at_t else e,),
    )


@cache
def half_shiftflip(t: int, e: int, met: str, n: int, c: int, at_t: bool) -> LocalMap:
    """Cancelling at t: |EE⟩ → n|EN⟩, |SE⟩ → (c/√2)|SS⟩; at e: |EE⟩ → n|NE⟩, |SE⟩ → (c/√2)|SS⟩.

    Document 002: the colours sum to 3/4 each, renormalised by 4/3.

    Args:
        t: The square of the met die, a 2.
        e: The open-empty square.
        met: The symbol S of the met die; N is the other one.
        n: The sign of the new die that does not cancel.
        c: The sign of the new die that does.
        at_t: Whether the cancelling die lies on t.
    """
    new = opponent(met)
    columns = {
        EMPTY * 2: {_pair(EMPTY, new, not at_t): ONE * n},
        met + EMPTY: {met + met: ROOT_HALF * c},
    }
    return LocalMap(
        "half-shiftflip",
        (t, e),
        columns,
        pieces=1,
        met=met,
        new=new,
        cancels=(t if at_t else e,),
    )


@cache
def spreading(t: int, e: int, met: str) -> LocalMap:
    """|EE⟩ → |EE⟩, |SE⟩ → −(|SE⟩ + |ES⟩)/√2, where a 2 is met and both new dice cancel."""
    columns = {
        EMPTY * 2: {EMPTY * 2: ONE},
        met + EMPTY: {met + EMPTY: -ROOT_HALF, EMPTY + met: -ROOT_HALF},
    }
    return LocalMap("spreading", (t, e), columns, pieces=0, met=met, cancels=(t, e))


@cache
def off_board(t: int, e: int, met: str) -> LocalMap:
    """|SE⟩ → |EE⟩, where a 4 is met and both new dice cancel: the piece leaves the board."""
    columns = {met + EMPTY: {EMPTY * 2: ONE}}
    return LocalMap("off-board", (t, e), columns, pieces=-1, met=met, cancels=(t, e))


@dataclass(frozen=True)
class Isometry(LocalMap):
    """A map whose columns have norm 1, in floating point: `columns` but for positive factors.

    Attributes:
        amplitudes: The columns, which `floats` returns.
    """

    amplitudes: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    __hash__ = LocalMap.__hash__

    @cached_property
    def sigma_squared(self) -> Surd:
        """One."""
        return ONE

    @cached_property
    def unitary(self) -> bool:
        """True."""
        return True

    @cached_property
    def floats(self) -> dict[str, dict[str, float]]:
        """The columns."""
        return {source: dict(column) for source, column in self.amplitudes.items()}
