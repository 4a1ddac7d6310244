"""What a circuit is made of: one map a move, or the position's state prepared directly.

A state is prepared group by group. No two columns of a map share a configuration, and a die is met
once only, so post-selection does no more than weigh the branches of a group: the same weights can
be given to the superposition that the group begins with, and every map after it is then an
isometry, with nothing to reject. A superposition with a half entangled is prepared at once, which
saves one more two-qubit gate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from .board import EMPTY
from .maps import Isometry, LocalMap

MOVES = "moves"
STATE = "state"
SYNTHESES = (MOVES, STATE)


@dataclass(frozen=True)
class Step:
    """Maps that become one gate.

    Attributes:
        maps: The maps, in order.
        move: The number of the move among those since the last observation, from 1; for a group
            that of its first move.
        label: What drawings show.
    """

    maps: tuple[LocalMap, ...]
    move: int
    label: str


def by_moves(maps: Sequence[LocalMap], texts: Sequence[str]) -> list[Step]:
    """Returns one step a move.

    Args:
        maps: The maps since the last observation.
        texts: The moves that they are of.
    """
    return [
        Step((m,), k, f"{m.kind} {text}")
        for k, (m, text) in enumerate(zip(maps, texts, strict=True), 1)
    ]


def by_state(maps: Sequence[LocalMap]) -> list[Step]:
    """Returns one step a group of entangled squares, all of isometries."""
    steps = []
    for move, group in _groups(maps):
        squares = sorted({square for m in group for square in m.squares})
        label = f"state of {','.join(map(str, squares))}"
        steps.append(Step(tuple(_direct(group)), move, label))
    return steps


def _groups(maps: Iterable[LocalMap]) -> list[tuple[int, list[LocalMap]]]:
    """Returns the maps of each group of squares that they join, with the first one's number."""
    groups: list[tuple[int, list[LocalMap]]] = []
    for k, m in enumerate(maps, 1):
        met = [g for g in groups if any(set(m.squares) & set(other.squares) for other in g[1])]
        if met:
            met[0][1].append(m)
        else:
            groups.append((k, [m]))
    return groups


def _direct(group: Sequence[LocalMap]) -> list[LocalMap]:
    first, *meets = group
    if first.kind != "superposition":
        return [first, *map(_normalised, meets)]
    weighted = _weighted(first, meets)
    entangled = [m for m in meets if m.kind == "half-entangling"]
    if not entangled:
        return [weighted, *map(_normalised, meets)]
    rest = [m for m in meets if m is not entangled[0]]
    return [_half_entangled(weighted, entangled[0]), *map(_normalised, rest)]


def _normalised(m: LocalMap) -> LocalMap:
    """Returns a map with each column divided by its norm."""
    return _isometry(m, {source: _unit(column) for source, column in m.floats.items()})


def _weighted(superposition: LocalMap, meets: Sequence[LocalMap]) -> LocalMap:
    """Returns a superposition with the weights that later maps give to its two branches."""
    column = dict(superposition.floats[EMPTY * 2])
    for m in meets:
        place = superposition.squares.index(m.squares[0])
        for target in column:
            column[target] *= _length(m.floats[target[place] + EMPTY])
    return _isometry(superposition, {EMPTY * 2: _unit(column)})


def _half_entangled(superposition: LocalMap, meeting: LocalMap) -> LocalMap:
    """Returns a superposition and a half-entangling move on one of its squares as one map."""
    t, e = meeting.squares
    place = superposition.squares.index(t)
    p = superposition.squares[1 - place]
    column: dict[str, float] = {}
    for target, amplitude in superposition.floats[EMPTY * 2].items():
        for image, factor in meeting.floats[target[place] + EMPTY].items():
            column[target[1 - place] + image] = amplitude * factor
    at_p = superposition.new[1 - place]
    effect = Isometry(
        kind="half-entangled",
        columns={},
        pieces=2,
        met=meeting.met,
        new=at_p + meeting.new,
        amplitudes={EMPTY * 3: column},
    )
    return effect.on(p, t, e)


def _isometry(m: LocalMap, amplitudes: Mapping[str, Mapping[str, float]]) -> LocalMap:
    e = m.effect
    effect = Isometry(e.kind, e.columns, e.pieces, e.met, e.new, e.cancels, amplitudes)
    return effect.on(*m.squares)


def _length(column: Mapping[str, float]) -> float:
    return sqrt(sum(a * a for a in column.values()))


def _unit(column: Mapping[str, float]) -> dict[str, float]:
    length = _length(column)
    return {target: a / length for target, a in column.items()}
