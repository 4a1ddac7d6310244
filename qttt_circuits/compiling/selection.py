"""Preparing one of several vectors, selected by an index register.

Vectors are rows of a table, shape ``(rows, entries)``; row r is prepared where the index, qubits
little-endian, is in state r. Each function returns a circuit on the qubits of the vector, then
those of the index. Without an index there is one row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import isclose

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.circuit.library import DiagonalGate, StatePreparation, UCRYGate

from ..builder import Builder, Wire

Table = NDArray[np.complex128]
_LIBRARY = ["circuit*", "ucry", "ucrz", "diagonal", "multiplex*"]


def _append(circuit: QuantumCircuit, gate: Gate, qubits: Sequence[int]) -> None:
    """Appends what a gate of Qiskit's library is made of.

    Its own definition holds instructions that are no gates, which OpenQASM 3 has no word for.
    """
    part = QuantumCircuit(len(qubits))
    part.append(gate, part.qubits)
    circuit.compose(part.decompose(_LIBRARY, reps=4), qubits, inplace=True)


def index_qubits(rows: int) -> int:
    """Returns how many qubits an index of so many values has."""
    return (rows - 1).bit_length()


def uniform(rows: int) -> QuantumCircuit:
    """Returns what puts an index in the uniform superposition of its values."""
    circuit = QuantumCircuit(index_qubits(rows))
    if rows == 2**circuit.num_qubits:
        if rows > 1:
            circuit.h(circuit.qubits)
    else:
        amplitudes = np.zeros(2**circuit.num_qubits)
        amplitudes[:rows] = 1 / np.sqrt(rows)
        circuit.compose(StatePreparation(amplitudes).definition, inplace=True)
    return circuit


def one_hot(table: Table) -> QuantumCircuit:
    """Returns what prepares a row as one excitation shared by as many qubits as there are entries.

    A chain: each step hands on what the qubits after it need, at most one step fewer than qubits.
    """
    rows, entries = table.shape
    if rows == 1:
        return _one_hot_alone(table[0])
    index = [*range(entries, entries + index_qubits(rows))]
    circuit = QuantumCircuit(entries + len(index))
    circuit.x(0)
    real = not np.iscomplex(table).any()
    stays = table.real if real else np.abs(table)  # rotations give real amplitudes their signs
    left = np.sqrt(np.cumsum(np.abs(table[:, ::-1]) ** 2, axis=1))[:, ::-1]
    for qubit in range(entries - 1):
        angles = np.zeros(2 ** len(index))
        moves = stays[:, -1] if qubit == entries - 2 else left[:, qubit + 1]
        angles[:rows] = 2 * np.arctan2(moves, stays[:, qubit])
        angles[:rows][left[:, qubit] == 0] = 0  # this row's excitation has stayed behind
        if qubit:  # nothing is handed on where the excitation has stayed behind
            angles = np.stack([np.zeros_like(angles), angles], axis=1).ravel()
        controls = [qubit, *index] if qubit else index
        _append(circuit, UCRYGate([*map(float, angles)]), [qubit + 1, *controls])
        circuit.cx(qubit + 1, qubit)
    for qubit in range(0 if real else entries):
        _give_phases(circuit, table[:, qubit], qubit, index)
    return circuit


def _one_hot_alone(row: NDArray[np.complex128]) -> QuantumCircuit:
    names = [str(i) for i in range(len(row))]
    b = Builder({name: Wire(0, held=True) for name in names})
    held = [i for i, amplitude in enumerate(row) if amplitude]
    b.put(names[held[0]], 1)
    left = [float(np.linalg.norm(row[i:])) for i in range(len(row))]
    for here, there in pairwise(held):
        b.transfer(names[here], names[there], abs(row[here]), left[there])
    circuit = b.circuit
    for i in held:
        angle = float(np.angle(row[i]))
        if angle:
            circuit.p(angle, i)
    return circuit


def _give_phases(
    circuit: QuantumCircuit, amplitudes: NDArray[np.complex128], qubit: int, index: list[int]
) -> None:
    """Gives the excitation of a qubit, in each row, the phase of its amplitude."""
    angles = np.where(amplitudes == 0, 0, np.angle(amplitudes))
    needed = angles[amplitudes != 0]
    if not needed.any():
        return
    if all(isclose(angle, needed[0], abs_tol=1e-15) for angle in needed):
        circuit.p(float(needed[0]), qubit)
        return
    phases = np.ones(2 ** (len(index) + 1), dtype=np.complex128)
    phases[1 : 2 * len(angles) : 2] = np.exp(1j * angles)
    _append(circuit, DiagonalGate(phases.tolist()), [qubit, *index])


def binary(table: Table) -> QuantumCircuit:
    """Returns what prepares a row as the amplitudes of the basis states of some qubits.

    The number of entries is a power of two, entry i being basis state i, little-endian.
    """
    rows, entries = table.shape
    bits = (entries - 1).bit_length()
    if rows == 1:
        circuit = QuantumCircuit(bits)
        if bits:
            circuit.compose(StatePreparation(table[0]).definition, inplace=True)
        return circuit
    index = [*range(bits, bits + index_qubits(rows))]
    circuit = QuantumCircuit(bits + len(index))
    real = not np.iscomplex(table).any()
    for bit in reversed(range(bits)):
        # the norms of the halves that this bit tells apart, by the bits above it
        parts = table.reshape(rows, -1, 2, 2**bit)
        # the last rotation gives real amplitudes their signs as well
        signed = bit == 0 and real
        halves = parts[..., 0].real if signed else np.linalg.norm(parts, axis=-1)
        angles = np.zeros((2 ** len(index), halves.shape[1]))
        angles[:rows] = 2 * np.arctan2(halves[..., 1], halves[..., 0])
        controls = [*range(bit + 1, bits), *index]
        _append(circuit, UCRYGate([*map(float, angles.ravel())]), [bit, *controls])
    if not real:
        phases = np.ones((2 ** len(index), entries), dtype=np.complex128)
        phases[:rows] = np.exp(1j * np.where(table == 0, 0, np.angle(table)))
        _append(circuit, DiagonalGate(phases.ravel().tolist()), [*range(circuit.num_qubits)])
    return circuit


PREPARATIONS: dict[str, Callable[[Table], QuantumCircuit]] = {"one-hot": one_hot, "binary": binary}
"""What prepares a table, by the name of the encoding of squares."""
