"""Circuits of Goff's game: a qubit a move, 0 for the first square it names and 1 for the second.

``projected`` puts every qubit in both and leaves it to post-selection that no two moves take one
square. ``direct`` prepares the assignments themselves. In a group with a cycle the moves of the
cycle are all in one of two ways, a GHZ state, and the stems are constant. In a tree one square
stays free. Seen from a root, a move is *up*, at the end nearer the root, if the free square lies
beyond it. So being up is handed on from a move to at most one of those beyond its far end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import atan2, pi, prod, sqrt

from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import Gate

from ..builder import Builder, Wire
from ..decoders import Factor
from ..decoders.assignment import AssignmentDecoder, Location
from ..errors import OptionError, UnknownNameError
from ..experiment import Experiment, measure_into
from ..games.spooky import Spooky, assignment_text, assignments
from ..position import Position
from .settings import settings_of

DIRECT, PROJECTED = "direct", "projected"
CIRCUITS = (DIRECT, PROJECTED)

Group = tuple[Spooky, ...]


@dataclass(frozen=True)
class Options:
    """How to compile.

    Attributes:
        circuit: ``direct`` prepares the assignments, and every shot is accepted; ``projected``
            prepares every combination of squares, and shots in which two moves take one square
            are rejected.
        elide: Whether qubits that stay in a basis state throughout are left out.
    """

    circuit: str = DIRECT
    elide: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.circuit, str) or self.circuit not in CIRCUITS:
            raise UnknownNameError("circuit", self.circuit, CIRCUITS)
        if not isinstance(self.elide, bool):
            raise OptionError(f"elide is True or False, not {self.elide!r}")


def wire(move: Spooky) -> str:
    """Returns the name of the wire that holds where a move is."""
    return f"loc{move.piece.number}"


def compile_position(position: Position, options: Options) -> Experiment:
    """Returns the experiment of observing where the moves are.

    While a cycle waits to collapse, these are the moves of its group, else all spooky moves. The
    circuit's qubits and clbits have the order of the moves.

    Args:
        position: The position.
        options: How to compile it.
    """
    observed: list[Group] = position.table.observed
    direct = options.circuit == DIRECT
    built = [(direct_state if direct else projected_state)(g, options.elide) for g in observed]
    constant = {name: value for b in built for name, value in known(b).items()}
    moves = sorted((move for group in observed for move in group), key=lambda m: m.piece.number)
    held = [wire(move) for move in moves if wire(move) not in constant or not options.elide]
    circuit = QuantumCircuit(*(QuantumRegister(1, name) for name in held))
    for group, b in zip(observed, built, strict=True):
        names = sorted(b.positions(), key=b.positions().__getitem__)
        if names:
            gate = _gate(b.circuit, group, options.circuit)
            circuit.append(gate, [held.index(name) for name in names])
    locations = [
        Location(
            str(move.piece),
            move.squares,
            held.index(wire(move)) if wire(move) in held else None,
            constant.get(wire(move), 0),
        )
        for move in moves
    ]
    decoder = AssignmentDecoder(tuple(locations))
    settings = settings_of(position, options)
    circuit.metadata = dict(settings)
    accepted = prod(
        (Fraction(len(assignments(g)), 2 ** len(g)) for g in observed), start=Fraction(1)
    )
    return Experiment(
        preparation=circuit,
        circuit=measure_into(circuit, circuit.num_qubits),
        decoder=decoder,
        distribution=position.probabilities(),
        predicted_acceptance=1.0 if direct else float(accepted),
        factors=tuple(_factors(decoder, observed)),
        settings=settings,
    )


def known(b: Builder) -> dict[str, int]:
    """Returns the wires that are in a basis state, with their values."""
    return {name: w.value for name, w in b.wires().items() if w.value is not None}


def _factors(decoder: AssignmentDecoder, observed: list[Group]) -> Iterator[Factor]:
    for group in observed:
        marks = [str(move.piece) for move in group]
        locations = [location for location in decoder.moves if location.mark in marks]
        ways = {assignment_text(way, group): 1.0 for way in assignments(group)}
        factor = decoder.factor(locations, ways)
        if factor is not None:
            yield factor


def _gate(circuit: QuantumCircuit, group: Group, kind: str) -> Gate:
    marks = " ".join(str(move.piece) for move in group)
    gate: Gate = circuit.to_gate(label=f"{kind} {marks}")
    gate.name = f"{kind}_{'_'.join(str(move.piece.number) for move in group)}"
    return gate


def projected_state(group: Group, elide: bool) -> Builder:
    """Returns what puts every move in both of its squares."""
    b = _builder(group, elide)
    for move in group:
        b.tilt(wire(move), pi / 4)
    return b


def direct_state(group: Group, elide: bool) -> Builder:
    """Returns what prepares the assignments of a group with equal amplitudes."""
    b = _builder(group, elide)
    ways = assignments(group)
    if len(ways) > len(group):
        _grow(b, group)
        return b
    one, other = ways
    first = ""
    for move in group:
        value = move.squares.index(one[move.piece.number])
        if one[move.piece.number] == other[move.piece.number]:
            b.put(wire(move), value)
            continue
        if first:
            b.cx(first, wire(move))
        else:
            first = wire(move)
            b.tilt(first, pi / 4)
    for move in group:
        # so far all moves of the cycle read the same: the first way is where the first reads 0
        if b.wire(wire(move)).value is None and move.squares.index(one[move.piece.number]):
            b.x(wire(move))
    return b


def _builder(group: Group, elide: bool) -> Builder:
    return Builder({wire(move): Wire(0, held=not elide) for move in group})


def _grow(b: Builder, tree: Group) -> None:
    """Prepares all assignments of a tree: the free square is each of its squares, equally."""
    beyond: dict[int, list[Spooky]] = {}
    for move in tree:
        for square in move.squares:
            beyond.setdefault(square, []).append(move)
    root = min(square for square, moves in beyond.items() if len(moves) == 1)
    [first] = beyond[root]
    far = _far(first, root)
    size = _size(beyond, far, first)
    b.tilt(wire(first), atan2(sqrt(size), 1))
    _hand_on(b, beyond, first, far)
    for move, near in _rooted(beyond, root, None):
        if near != move.squares[1]:
            b.x(wire(move))


def _hand_on(b: Builder, beyond: dict[int, list[Spooky]], up: Spooky, square: int) -> None:
    """Hands being up on from a move to those beyond its far end: to one of them or to none.

    One two-qubit gate for the first and two for each other.
    """
    moves = [move for move in beyond[square] if move is not up]
    if not moves:
        return
    sizes = [_size(beyond, _far(move, square), move) for move in moves]
    left = sum(sizes)
    b.turn(wire(up), wire(moves[0]), 0.0, atan2(sqrt(left), 1))
    for i, size in enumerate(sizes[:-1]):
        left -= size
        b.transfer(wire(moves[i]), wire(moves[i + 1]), sqrt(size), sqrt(left))
    for move in moves:
        _hand_on(b, beyond, move, _far(move, square))


def _far(move: Spooky, near: int) -> int:
    a, b = move.squares
    return b if near == a else a


def _size(beyond: dict[int, list[Spooky]], square: int, along: Spooky | None) -> int:
    """Returns how many squares there are from a square on, away from a move."""
    return 1 + sum(1 for _ in _rooted(beyond, square, along))


def _rooted(
    beyond: dict[int, list[Spooky]], square: int, along: Spooky | None
) -> Sequence[tuple[Spooky, int]]:
    """Returns the moves beyond a square, each with its end that is nearer to it."""
    found: list[tuple[Spooky, int]] = []
    for move in beyond[square]:
        if move is not along:
            found += [(move, square), *_rooted(beyond, _far(move, square), move)]
    return found
