"""Running on IBM's noise snapshots ("fake" backends), restricted to the qubits that are used.

A snapshot describes a whole device. Its own `run` builds and carries the noise of every qubit;
restricted to the qubits of a circuit the same noise costs a small part of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.providers import BackendV2
from qiskit.transpiler import Target
from qiskit_aer import AerSimulator
from qiskit_aer.noise import NoiseModel
from qiskit_aer.noise.device import basic_device_gate_errors, basic_device_readout_errors

from .measured import Measured
from .parts import parts_of

DENSITY_QUBITS = 10
"""Up to this many qubits noise is simulated on a density matrix, above shot by shot."""


def is_snapshot(backend: BackendV2) -> bool:
    """Returns whether a backend is one of IBM's noise snapshots."""
    return any(cls.__name__ == "FakeBackendV2" for cls in type(backend).__mro__)


def run_on_snapshot(
    circuits: Sequence[QuantumCircuit], backend: BackendV2, *, shots: int, seed: int
) -> list[Measured]:
    """Runs circuits with a snapshot's noise.

    Qubits that no gate joins are simulated apart, which their noise, being local, allows.

    Args:
        circuits: Circuits on the device's qubits.
        backend: The snapshot.
        shots: Shots of each.
        seed: The simulator's seed.

    Returns:
        For each circuit an array of shape ``(shots, clbits)``, column i for clbit i.
    """
    simulators: dict[tuple[int, ...], AerSimulator] = {}
    found: list[Measured] = []
    for i, circuit in enumerate(circuits):
        bits = np.zeros((shots, circuit.num_clbits), dtype=np.uint8)
        for j, part in enumerate(parts_of(circuit)):
            if part.qubits not in simulators:
                simulators[part.qubits] = AerSimulator(
                    method="density_matrix" if len(part.qubits) <= DENSITY_QUBITS else "automatic",
                    noise_model=noise_of(backend, part.qubits),
                    max_parallel_threads=1,
                )
            words = np.random.SeedSequence([seed, i, j]).generate_state(1)
            job = simulators[part.qubits].run(
                part.circuit, shots=shots, seed_simulator=int(words[0] >> 1), memory=True
            )
            memory = "".join(job.result().get_memory())
            columns = np.frombuffer(memory.encode(), dtype=np.uint8) - ord("0")
            bits[:, part.clbits] = columns.reshape(shots, len(part.clbits))[:, ::-1]
        found.append(bits)
    return found


def noise_of(backend: BackendV2, qubits: Sequence[int]) -> NoiseModel:
    """Returns the noise of some qubits of a device, numbered from 0 in the order given."""
    target = _target_of(backend, qubits)
    model = NoiseModel(basis_gates=[n for n in target.operation_names if n not in _NOT_GATES])
    for name, acted, error in basic_device_gate_errors(target=target):
        model.add_quantum_error(error, name, acted)
    for acted, error in basic_device_readout_errors(target=target):
        model.add_readout_error(error, acted)
    return model


_NOT_GATES = ("measure", "reset", "delay", "if_else", "for_loop", "while_loop", "switch_case")


def _target_of(backend: BackendV2, qubits: Sequence[int]) -> Target:
    whole = backend.target
    index = {qubit: i for i, qubit in enumerate(qubits)}
    properties = whole.qubit_properties
    part = Target(
        num_qubits=len(qubits),
        dt=whole.dt,
        qubit_properties=[properties[q] for q in qubits] if properties else None,
    )
    for name in whole.operation_names:
        entries: Any = whole[name] or {}
        kept = {
            tuple(index[q] for q in acted): entry
            for acted, entry in entries.items()
            if acted is not None and all(q in index for q in acted)
        }
        if kept:
            part.add_instruction(whole.operation_from_name(name), kept, name=name)
    return part
