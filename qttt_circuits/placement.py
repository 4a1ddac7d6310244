"""Which qubits of a device a circuit is put on: the best of several layouts by reported errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log1p

from qiskit import QuantumCircuit
from qiskit.providers import BackendV2
from qiskit.transpiler import PassManager, generate_preset_pass_manager

LEVEL = 3
TRIES = 4


@dataclass(frozen=True)
class Placement:
    """A circuit on a device.

    Attributes:
        circuit: The circuit in the device's gates.
        qubits: For each qubit of the original circuit the device's qubit that is measured for it.
        fidelity: The product of 1 - error over all gates and measurements as the device reports
            them; None if it reports none.
    """

    circuit: QuantumCircuit
    qubits: tuple[int, ...]
    fidelity: float | None


def place(
    circuits: Sequence[QuantumCircuit],
    backend: BackendV2,
    *,
    seed: int,
    pass_manager: PassManager | None = None,
) -> list[Placement]:
    """Returns circuits on a device, each the best by predicted fidelity of several layouts.

    Args:
        circuits: The circuits.
        backend: The device.
        seed: The first of the seeds to transpile with.
        pass_manager: What to transpile with instead, once.
    """
    if pass_manager is not None:
        return _placements(circuits, pass_manager.run(list(circuits)), backend)
    tries = TRIES if _reports_errors(backend) else 1
    found = [
        _placements(circuits, _manager(backend, (seed + i) % 2**31).run(list(circuits)), backend)
        for i in range(tries)
    ]
    return [
        max(choices, key=lambda choice: choice.fidelity or 0.0)
        for choices in zip(*found, strict=True)
    ]


def _manager(backend: BackendV2, seed: int) -> PassManager:
    return generate_preset_pass_manager(LEVEL, backend=backend, seed_transpiler=seed)


def _placements(
    circuits: Sequence[QuantumCircuit], compiled: Iterable[QuantumCircuit], backend: BackendV2
) -> list[Placement]:
    return [
        Placement(isa, _measured_qubits(original, isa), predicted_fidelity(isa, backend))
        for original, isa in zip(circuits, compiled, strict=True)
    ]


def _measured_qubits(original: QuantumCircuit, isa: QuantumCircuit) -> tuple[int, ...]:
    """Returns the qubit that is measured into each clbit, in the order of the clbits."""
    measured = {
        isa.find_bit(item.clbits[0]).index: isa.find_bit(item.qubits[0]).index
        for item in isa.data
        if item.operation.name == "measure"
    }
    return tuple(measured[i] for i in range(original.num_clbits))


def predicted_fidelity(circuit: QuantumCircuit, backend: BackendV2) -> float | None:
    """Returns the product of 1 - error over a circuit, or None if no error is reported.

    Args:
        circuit: A circuit in the device's gates.
        backend: The device.
    """
    total, reported = 0.0, False
    for item in circuit.data:
        qubits = [circuit.find_bit(q).index for q in item.qubits]
        error = _error(backend, item.operation.name, qubits)
        if error is not None:
            reported = True
            total += log1p(-min(error, 0.999999))
    return exp(total) if reported else None


def _error(backend: BackendV2, name: str, qubits: Sequence[int]) -> float | None:
    target = backend.target
    if name not in target.operation_names:
        return None
    properties = (target[name] or {}).get(tuple(qubits))
    return None if properties is None else properties.error


def _reports_errors(backend: BackendV2) -> bool:
    return any(
        properties is not None and properties.error is not None
        for name in backend.target.operation_names
        for properties in (backend.target[name] or {}).values()
    )
