"""The parts of a circuit: groups of qubits that never meet, each measured by a circuit of its own.

A circuit whose qubits fall into groups that no gate joins is a product of smaller circuits. Run one
by one, these cost what the largest costs times their number, where the whole may cost the product.
Shot i of the whole is then shot i of every part. Within a part shots are exchangeable, so they are
put in an order drawn for each part: that keeps the parts independent of each other even on a
simulator that gives every circuit the same random numbers, and needs of a run no more than counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from .errors import ExecutionError
from .measured import Measured, measured_bits, registers_of


@dataclass(frozen=True, eq=False)
class Part:
    """Some qubits of a circuit and all that happens to them.

    Attributes:
        circuit: What happens to them; clbit i of it is clbit ``clbits[i]`` of the whole.
        qubits: The indices of its qubits in the whole, ascending.
        clbits: The indices of its clbits in the whole, ascending.
    """

    circuit: QuantumCircuit
    qubits: tuple[int, ...]
    clbits: tuple[int, ...]


def parts_of(circuit: QuantumCircuit) -> tuple[Part, ...]:
    """Returns the parts of a circuit that something is measured from, by their first qubit.

    A barrier joins nothing, and the global phase, which no measurement shows, is left out.
    """
    groups: list[tuple[set[int], set[int], list[int]]] = []
    for number, item in enumerate(circuit.data):
        if item.operation.name == "barrier":
            continue
        qubits = {circuit.find_bit(q).index for q in item.qubits}
        clbits = {circuit.find_bit(c).index for c in item.clbits}
        numbers = [number]
        apart = []
        for group in groups:
            if group[0] & qubits or group[1] & clbits:
                qubits, clbits, numbers = qubits | group[0], clbits | group[1], numbers + group[2]
            else:
                apart.append(group)
        groups = [*apart, (qubits, clbits, numbers)]
    measured = sorted((group for group in groups if group[1]), key=lambda group: min(group[0]))
    return tuple(
        _part(circuit, tuple(sorted(qubits)), tuple(sorted(clbits)), sorted(numbers))
        for qubits, clbits, numbers in measured
    )


def _part(
    whole: QuantumCircuit, qubits: tuple[int, ...], clbits: tuple[int, ...], numbers: list[int]
) -> Part:
    circuit = QuantumCircuit(len(qubits), len(clbits))
    qubit = {index: i for i, index in enumerate(qubits)}
    clbit = {index: i for i, index in enumerate(clbits)}
    for number in numbers:
        item = whole.data[number]
        circuit.append(
            item.operation,
            [qubit[whole.find_bit(q).index] for q in item.qubits],
            [clbit[whole.find_bit(c).index] for c in item.clbits],
        )
    return Part(circuit, qubits, clbits)


def joined(
    parts: Sequence[Part], answers: Sequence[Measured], clbits: int, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Returns the shots of a whole circuit, shape ``(shots, clbits)``, from those of its parts.

    Args:
        parts: The parts.
        answers: What each of them measured, in any form and any order of shots.
        clbits: How many clbits the whole has; those of no part read 0.
        rng: What draws the order of each part's shots.

    Raises:
        ExecutionError: If an answer does not fit its part, or they differ in the number of shots.
    """
    measured = [
        measured_bits(answer, registers_of(part.circuit))
        for part, answer in zip(parts, answers, strict=True)
    ]
    shots = {bits.shots for bits in measured}
    if len(shots) > 1:
        raise ExecutionError(
            "the parts of a circuit came back with different numbers of shots, "
            f"{', '.join(map(str, sorted(shots)))}: they cannot be joined"
        )
    rows = np.zeros((*shots, clbits), dtype=np.uint8)
    for part, bits in zip(parts, measured, strict=True):
        order = rng.permutation(np.repeat(np.arange(len(bits.rows)), bits.counts))
        rows[:, part.clbits] = bits.rows[order]
    return rows
