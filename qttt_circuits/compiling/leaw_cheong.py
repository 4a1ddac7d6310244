"""Circuits of Leaw and Cheong's game: occupations and overlaps of moves.

A move is one piece shared by the squares. ``one-hot`` has a qubit a square; ``binary`` has the
square's number less one in up to four qubits. Squares without amplitude, and bits that all squares
with amplitude share, have no qubit.

``occupation`` selects a player's k moves by an index register in its uniform state and accepts the
shots in which it is still in that state: the amplitudes of the moves are added, with probability
1/k.
``direct`` prepares their sum. ``overlap:j,k`` prepares move j, undoes move k, and reads all zeros
with probability |⟨k|j⟩|².
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from qiskit import QuantumCircuit, QuantumRegister

from ..decoders import Ancilla
from ..decoders.overlap import OTHER, SAME, OverlapDecoder
from ..decoders.square import INDEX, ONE_HOT, SquareDecoder, codes
from ..errors import OptionError, UnknownNameError
from ..experiment import Experiment, measure_into
from ..games.leaw_cheong import Table
from ..position import Position
from ..vectors import NEGLIGIBLE, SQUARES, Vector, added, inner
from .selection import PREPARATIONS, index_qubits, uniform
from .settings import settings_of

OCCUPATION, DIRECT = "occupation", "direct"
_OVERLAP = re.compile(r"overlap:([1-9]),([1-9])")


@dataclass(frozen=True)
class Options:
    """How to compile.

    Attributes:
        circuit: ``occupation``, ``direct`` or ``overlap:j,k`` with the numbers of two moves.
        encoding: ``one-hot`` or ``binary``.
        elide: Whether qubits that stay in a basis state throughout are left out.
    """

    circuit: str = OCCUPATION
    encoding: str = ONE_HOT
    elide: bool = True

    def __post_init__(self) -> None:
        codes(self.encoding)
        text = self.circuit if isinstance(self.circuit, str) else ""
        if text not in (OCCUPATION, DIRECT) and not self.compared:
            known = (OCCUPATION, DIRECT, "overlap:1,2")
            raise UnknownNameError("circuit", self.circuit, known)
        if not isinstance(self.elide, bool):
            raise OptionError(f"elide is True or False, not {self.elide!r}")

    @property
    def compared(self) -> tuple[int, int] | None:
        """The numbers of the moves of an overlap circuit."""
        match = _OVERLAP.fullmatch(self.circuit) if isinstance(self.circuit, str) else None
        return None if match is None else (int(match[1]), int(match[2]))


class Register:
    """The qubits that hold the square of a piece.

    Args:
        vectors: What will be prepared: which squares matter.
        options: How to compile.
        whole: Whether every square that matters has a qubit, even where it is constant.

    Attributes:
        cells: For each bit of a code its qubit, or None, and its value if it has none.
        names: The names of the qubits.
    """

    def __init__(self, vectors: Sequence[Vector], options: Options, *, whole: bool = False) -> None:
        self.encoding, self.one_hot = options.encoding, options.encoding == ONE_HOT
        self.codes = codes(options.encoding)
        self.squares = [s for s in SQUARES if any(abs(v[s - 1]) > NEGLIGIBLE for v in vectors)]
        bits = [{*column} for column in zip(*map(self.codes.get, self.squares), strict=True)]
        held = [
            i
            for i, values in enumerate(bits)
            if len(values) > 1 or not options.elide or (whole and self.one_hot and values == {1})
        ]
        self.cells = tuple(
            (held.index(i) if i in held else None, min(values)) for i, values in enumerate(bits)
        )
        self.names = [f"sq{i + 1}" if self.one_hot else f"bit{i}" for i in held]

    def prepare(self, vectors: Sequence[Vector]) -> QuantumCircuit:
        """Returns what prepares the vector that an index selects: qubits, then the index's."""
        circuit = QuantumCircuit(len(self.names) + index_qubits(len(vectors)))
        index = [*range(len(self.names), circuit.num_qubits)]
        kept = np.array([[v[s - 1] for s in self.squares] for v in vectors], dtype=np.complex128)
        kept[np.abs(kept) <= NEGLIGIBLE] = 0
        if not self.names:
            return circuit
        if self.one_hot:
            table, qubits = kept, [self.cells[s - 1][0] for s in self.squares]
        else:
            qubits = [*range(len(self.names))]
            table = np.zeros((len(vectors), 2 ** len(qubits)), dtype=np.complex128)
            for column, square in enumerate(self.squares):
                bits = [(q, b) for (q, _), b in zip(self.cells, self.codes[square], strict=True)]
                table[:, sum(bit << qubit for qubit, bit in bits if qubit is not None)] = kept[
                    :, column
                ]
        prepared = PREPARATIONS[self.encoding](table)
        circuit.compose(prepared, [*qubits, *index], inplace=True)
        return circuit


def compile_position(position: Position, options: Options) -> Experiment:
    """Returns the experiment that shows occupations or an overlap.

    The circuit's qubits and clbits are those of the squares or bits, ascending, then the index's.

    Args:
        position: The position.
        options: How to compile it.

    Raises:
        OptionError: If the moves that are needed have not been made.
    """
    table: Table = position.table
    if not table.played:
        raise OptionError("no move has been made: there is nothing to observe")
    settings = settings_of(position, options)
    if options.compared:
        return _overlap(table, options, settings)
    return _occupation(position, options, settings)


def _occupation(position: Position, options: Options, settings: dict[str, str]) -> Experiment:
    table: Table = position.table
    vectors = [played.vector for played in table.of(table.last)]
    k = len(vectors)
    total = tuple(a / sqrt(k) for a in added(vectors))
    chosen = [total] if options.circuit == DIRECT else vectors
    register = Register(chosen, options)
    names = [*register.names, *(f"index{i}" for i in range(index_qubits(len(chosen))))]
    circuit = QuantumCircuit(*(QuantumRegister(1, name) for name in names), metadata=settings)
    index = circuit.qubits[len(register.names) :]
    label = " + ".join(str(played.move) for played in table.of(table.last))
    if index:
        select = uniform(len(chosen))
        circuit.append(select.to_gate(label="uniform"), index)
        _append(circuit, register.prepare(chosen), "select", label)
        circuit.append(select.inverse().to_gate(label="undo"), index)
    else:
        _append(circuit, register.prepare(chosen), "prepare", label)
    first = len(register.names)
    ancillas = tuple(Ancilla(first + i, 0, INDEX) for i in range(len(index)))
    decoder = SquareDecoder(options.encoding, register.cells, ancillas)
    factor = decoder.state(position.amplitudes())
    return Experiment(
        preparation=circuit,
        circuit=measure_into(circuit, first),
        decoder=decoder,
        distribution=position.probabilities(),
        predicted_acceptance=1 / len(chosen),
        factors=() if factor is None else (factor,),
        settings=settings,
    )


def _overlap(table: Table, options: Options, settings: dict[str, str]) -> Experiment:
    assert options.compared
    for number in options.compared:
        if number > len(table.played):
            raise OptionError(f"there is no move {number}: {len(table.played)} have been made")
    one, other = (table.played[number - 1] for number in options.compared)
    register = Register([one.vector, other.vector], options, whole=True)
    circuit = QuantumCircuit(
        *(QuantumRegister(1, name) for name in register.names), metadata=settings
    )
    _append(circuit, register.prepare([one.vector]), "prepare", str(one.move))
    _append(circuit, register.prepare([other.vector]).inverse(), "undo", str(other.move))
    same = abs(inner(other.vector, one.vector)) ** 2
    return Experiment(
        preparation=circuit,
        circuit=measure_into(circuit, circuit.num_qubits),
        decoder=OverlapDecoder(circuit.num_qubits),
        distribution={name: p for name, p in ((OTHER, 1 - same), (SAME, same)) if p > 0},
        predicted_acceptance=1.0,
        factors=(),
        settings=settings,
    )


LONGEST_LABEL = 40


def _append(circuit: QuantumCircuit, part: QuantumCircuit, verb: str, label: str) -> None:
    """Appends a part as one gate with a label that a person can read."""
    if not part.num_qubits:
        return
    text = label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 2]} …"
    gate = part.to_gate(label=f"{verb} {text}")
    gate.name = verb
    circuit.append(gate, circuit.qubits[: part.num_qubits])
