"""Running a recorded run here: the same record gives the same bits, however often it is run."""

from __future__ import annotations

import numpy as np
from qiskit import QuantumCircuit
from qiskit_aer import AerSimulator

from ..adapter import run_on_backend
from ..aer import counts_on_aer
from ..backends import Aer, resolve
from ..measured import Measured, registers_of, shots_of
from ..parts import joined, parts_of
from .record import JobRecord
from .store import Shots


def in_parts(record: JobRecord) -> bool:
    """Whether a run here joins its shots from those of independent parts."""
    return record.backend.startswith("aer") and Aer.in_parts(sum(record.registers.values()))


def run(record: JobRecord) -> list[Shots]:
    """Returns the bits of the circuits of a run, one array a circuit.

    Raises:
        QtttError: If the backend is not there any more, or fails.
    """
    backend = resolve(record.backend)
    circuits = record.load_circuits()
    seed = 1 + record.seed % 2**30
    if isinstance(backend, Aer):
        [circuit] = circuits
        if in_parts(record):
            return [_in_parts(circuit, backend, record.shots, seed)]
        backend = AerSimulator(method=backend.method, max_parallel_threads=1)
    answers = run_on_backend(circuits, backend, shots=record.shots, seed=seed)
    return [_array(answer, circuit) for answer, circuit in zip(answers, circuits, strict=True)]


def _in_parts(circuit: QuantumCircuit, aer: Aer, shots: int, seed: int) -> Shots:
    parts = parts_of(circuit)
    circuits = [part.circuit for part in parts]
    method = aer.method_for(max(c.num_qubits for c in circuits))
    answers = counts_on_aer(circuits, method, shots=shots, seed=seed)
    return joined(parts, answers, circuit.num_clbits, np.random.default_rng(seed))


def _array(answer: Measured, circuit: QuantumCircuit) -> Shots:
    if isinstance(answer, list):  # one string a shot, clbit 0 rightmost
        rows = [[int(bit) for bit in reversed(text.replace(" ", ""))] for text in answer]
        return np.array(rows, dtype=np.uint8)
    return shots_of(answer, registers_of(circuit))
