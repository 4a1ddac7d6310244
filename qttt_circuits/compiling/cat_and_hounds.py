"""Circuits of cat and hounds: which branch of the superposition is left.

The branch is one qutrit, held like a square of the dice games: left is X, right is O and centre is
E. Two branches take two of these values. The square of the cat, and of each hound that differs
between branches, has a register of only the bits that differ, which are set from the branch. Three
codes are never on a line, so every bit that depends on the branch is a sum of bits of its code:
signs need single-qubit gates only, and positions a CX a bit.

A merge sends the branches that are equal to the first of them. That map divided by its largest
singular value is a block of a unitary on the qutrit and an ancilla that must read 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit.library import StatePreparation, UnitaryGate

from ..board import EMPTY, O, X
from ..decoders import Ancilla
from ..decoders.branch import MERGE, BranchDecoder
from ..encodings import encoding
from ..errors import OptionError, UnknownNameError
from ..experiment import Experiment, measure_into
from ..games.branches import CAT, Branch, Flip, Merge, Table
from ..games.cat_and_hounds import CatAndHounds
from ..games.checkerboard import Checkerboard
from ..position import Position
from ..synthesis import MOVES, STATE, SYNTHESES
from .settings import settings_of

SYMBOLS = {"left": X, "centre": EMPTY, "right": O, CAT: EMPTY}
"""The symbol of the qutrit that stands for each branch."""

Bits = tuple[int, ...]


@dataclass(frozen=True)
class Options:
    """How to compile.

    Attributes:
        encoding: How the branch is held in qubits.
        synthesis: ``moves`` goes through the split, the flips and the merges as they were played;
            ``state`` prepares the branches that are left, and every shot is accepted.
        elide: Whether bits of the branch that are constant are left out.
    """

    encoding: str = "spin"
    synthesis: str = MOVES
    elide: bool = True

    def __post_init__(self) -> None:
        encoding(self.encoding)
        if not isinstance(self.synthesis, str) or self.synthesis not in SYNTHESES:
            raise UnknownNameError("synthesis", self.synthesis, SYNTHESES)
        if not isinstance(self.elide, bool):
            raise OptionError(f"elide is True or False, not {self.elide!r}")


class Qutrit:
    """The qubits of the branch.

    Args:
        names: The branches that it must tell apart.
        options: How to compile.

    Attributes:
        bits: The names of the bits that have a qubit.
        cells: For each bit of a code its qubit, or None, and its value if it has none.
        codes: For each branch the values of the qubits.
    """

    def __init__(self, names: Sequence[str], options: Options) -> None:
        code = encoding(options.encoding)
        whole = {name: tuple(bit or 0 for bit in code.codes[SYMBOLS[name]]) for name in names}
        varying = [len({c[i] for c in whole.values()}) > 1 for i in range(len(code.bits))]
        superposed = len(names) > 1
        held = [i for i, v in enumerate(varying) if v or (superposed and not options.elide)]
        self.bits = [code.bits[i] for i in held]
        first = whole[names[0]]
        self.cells = tuple(
            (held.index(i) if i in held else None, first[i]) for i in range(len(first))
        )
        self.codes: dict[str, Bits] = {n: tuple(c[i] for i in held) for n, c in whole.items()}

    def index(self, name: str) -> int:
        """Returns the basis state of a branch, little-endian."""
        return sum(bit << i for i, bit in enumerate(self.codes[name]))

    def vector(self, amplitudes: Mapping[str, float]) -> NDArray[np.float64]:
        """Returns the state in which branches have given amplitudes, normalised."""
        vector = np.zeros(2 ** len(self.bits))
        for name, amplitude in amplitudes.items():
            vector[self.index(name)] = amplitude
        normalised: NDArray[np.float64] = vector / np.linalg.norm(vector)
        return normalised

    def parity(self, values: Mapping[str, int]) -> tuple[int, list[int]]:
        """Returns a bit of each branch as a sum modulo 2: a constant and the qubits added to it."""
        for constant, *chosen in product((0, 1), repeat=1 + len(self.bits)):
            qubits = [i for i, c in enumerate(chosen) if c]
            sums = {n: (constant + sum(self.codes[n][q] for q in qubits)) % 2 for n in values}
            if sums == dict(values):
                return constant, qubits
        raise ValueError(f"no sum of bits gives {values}")


def compile_position(position: Position, options: Options) -> Experiment:
    """Returns the experiment of observing which branch is left.

    The circuit's qubits and clbits are those of the branch, of the cat's square, of the hounds'
    squares, then the ancillas of the merges.

    Args:
        position: The position.
        options: How to compile it.
    """
    table: Table = position.table
    assert isinstance(position.rules, CatAndHounds)
    alive = [branch.name for branch in table.branches]
    direct = options.synthesis == STATE
    told = alive if direct or not table.split else list(table.split)
    qutrit = Qutrit(told, options)
    positions = differing_bits(table.branches, position.rules.squares)
    merges = [] if direct else [e for e in table.events if isinstance(e, Merge)]
    names = [f"branch_{bit}" for bit in qutrit.bits]
    board = len(names) + len(positions)
    names += [*positions, *(f"merge{k}" for k in range(1, 1 + len(merges)))]
    settings = settings_of(position, options)
    circuit = QuantumCircuit(*(QuantumRegister(1, name) for name in names), metadata=settings)
    if qutrit.bits:
        final = {b.name: float(b.amplitude) for b in table.branches}
        start = final if direct else dict.fromkeys(table.split, 1.0)
        prepare = StatePreparation(qutrit.vector(start), label="branches" if direct else "split")
        circuit.append(prepare, circuit.qubits[: len(qutrit.bits)])
        if not direct:
            _play_events(circuit, table, qutrit, board)
    for i, values in enumerate(positions.values(), len(qutrit.bits)):
        constant, qubits = qutrit.parity(values)
        if constant:
            circuit.x(i)
        for qubit in qubits:
            circuit.cx(qubit, i)
    decoder = BranchDecoder(
        options.encoding,
        {name: SYMBOLS[name] for name in told},
        qutrit.cells,
        {
            name: {len(qutrit.bits) + i: v[name] for i, v in enumerate(positions.values())}
            for name in alive
        },
        tuple(Ancilla(board + k, 0, MERGE) for k in range(len(merges))),
    )
    factor = decoder.state(position.amplitudes())
    return Experiment(
        preparation=circuit,
        circuit=measure_into(circuit, board),
        decoder=decoder,
        distribution=position.probabilities(),
        predicted_acceptance=1.0 if direct else position.success,
        factors=() if factor is None else (factor,),
        settings=settings,
    )


def differing_bits(branches: Sequence[Branch], squares: Checkerboard) -> dict[str, dict[str, int]]:
    """Returns the bits of positions that differ between branches, by name and branch.

    A position is the number of its dark square, row by row from below; hounds are in sorted order.
    """
    numbers = {square: i for i, square in enumerate(squares.row)}
    pieces = {"cat": [numbers[b.cat] for b in branches]}
    for i in range(len(branches[0].hounds)):
        pieces[f"hound{i + 1}"] = [numbers[b.hounds[i]] for b in branches]
    found = {}
    for piece, places in pieces.items():
        for bit in range(len(numbers).bit_length()):
            values = [place >> bit & 1 for place in places]
            if len({*values}) > 1:
                found[f"{piece}_{bit}"] = dict(zip((b.name for b in branches), values, strict=True))
    return found


def _play_events(circuit: QuantumCircuit, table: Table, qutrit: Qutrit, board: int) -> None:
    """Appends the flips and the merges since the split."""
    alive, qubits = list(table.split), circuit.qubits[: len(qutrit.bits)]
    ancillas = iter(circuit.qubits[board:])
    for event in table.events:
        if isinstance(event, Flip):
            _, added = qutrit.parity({name: int(name in event.names) for name in alive})
            for qubit in added:
                circuit.z(qubit)
            continue
        label = f"merge {' '.join(event.names)}"
        circuit.append(UnitaryGate(merging(qutrit, event), label=label), [*qubits, next(ancillas)])
        alive = [name for name in alive if name not in event.names[1:]]


def merging(qutrit: Qutrit, merge: Merge) -> NDArray[np.float64]:
    """Returns the unitary of a merge on the branch's qubits and its ancilla, the ancilla last.

    With K the map, which sends each of n merging branches to the first, its block for the ancilla
    in |0⟩ before and after is K/√n.
    """
    size = 2 ** len(qutrit.bits)
    block = np.eye(size)
    for name in merge.names[1:]:
        block[:, qutrit.index(name)] = block[:, qutrit.index(merge.names[0])]
    block /= sqrt(len(merge.names))
    left, singular, right = np.linalg.svd(block)
    rest = np.sqrt(np.clip(1 - singular**2, 0, None))  # rounding may leave it just below zero
    failed = right.T @ np.diag(rest) @ right
    completed = left @ np.diag(rest) @ left.T
    unitary: NDArray[np.float64] = np.block([[block, -completed], [failed, block.T]])
    return unitary
