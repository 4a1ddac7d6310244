"""Any `BackendV2` as a source of measured bits.

Qiskit's own wrapper takes bits that are not there for zeros and bit strings for hexadecimal
(qiskit#15694), so answers are read here: memory if there is any and it is well-formed, else counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from qiskit import QuantumCircuit
from qiskit.providers import BackendV2

from . import ibm
from .errors import ExecutionError, one_line
from .experiment import Experiment
from .measured import Measured
from .secrets import scrub
from .snapshots import is_snapshot, run_on_snapshot

_SHOT = re.compile(r"[01 ]+|0x[0-9a-fA-F]+")


def run_on_backend(
    circuits: Sequence[QuantumCircuit], backend: BackendV2, *, shots: int, seed: int
) -> list[Measured]:
    """Runs circuits and returns for each one text a shot, or counts where there is no order.

    Args:
        circuits: Circuits that fit the backend.
        backend: The backend.
        shots: Shots of each.
        seed: Handed to a backend that has the option ``seed_simulator``.

    Raises:
        ExecutionError: If the backend fails or returns neither memory nor counts.
    """
    if is_snapshot(backend):
        return run_on_snapshot(circuits, backend, shots=shots, seed=seed)
    if ibm.is_hardware(backend):
        return ibm.run(circuits, backend, shots=shots)
    options: dict[str, Any] = {"shots": shots}
    if hasattr(backend.options, "memory"):
        options["memory"] = True
    if hasattr(backend.options, "seed_simulator"):
        options["seed_simulator"] = seed
    name = backend_name(backend)
    try:
        answer = backend.run(list(circuits), **options).result()
    except Exception as error:
        raise ExecutionError(f"backend {name!r} failed: {scrub(one_line(error))}") from error
    return [_measured(answer, i, name, c.num_clbits, shots) for i, c in enumerate(circuits)]


def backend_name(backend: BackendV2) -> str:
    """Returns the name of a backend, or that of its class if it has none."""
    return str(backend.name or type(backend).__name__)


def require_room(
    experiments: Sequence[Experiment], backend: BackendV2, *, parts: bool = False
) -> None:
    """Raises an error if a backend cannot hold or measure the experiments.

    Args:
        experiments: The experiments.
        backend: The backend.
        parts: Whether it has to hold only one part of each at a time.

    Raises:
        ExecutionError: If it has too few qubits or no measurement.
    """
    name = backend_name(backend)
    circuits = [e.circuit for e in experiments]
    if parts:
        circuits = [part.circuit for e in experiments for part in e.parts]
    most = max(circuit.num_qubits for circuit in circuits)
    if backend.num_qubits is not None and most > backend.num_qubits:
        raise ExecutionError(
            f"backend {name!r} has {backend.num_qubits} qubits and {most} are needed: encoding "
            "'spin' and synthesis 'state' take the fewest"
        )
    if "measure" not in backend.operation_names:
        raise ExecutionError(f"backend {name!r} has no measurement")


def _measured(answer: Any, index: int, name: str, clbits: int, shots: int) -> Measured:
    try:
        memory = answer.get_memory(index)
    except Exception:  # whatever a vendor raises where there is no memory
        memory = None
    in_order: list[str] = []
    if isinstance(memory, Sequence) and not isinstance(memory, str):
        in_order = list(memory) if all(_well_formed(shot, clbits) for shot in memory) else []
    if len(in_order) == shots:
        return in_order
    try:
        counts = answer.get_counts(index)
        total = sum(counts.values()) if isinstance(counts, Mapping) else 0
    except Exception as error:
        if in_order:
            return in_order
        what = "neither memory nor counts"
        if memory:
            what = (
                f"memory that is not a string of the circuit's {clbits} bits a shot, and no counts"
            )
        raise ExecutionError(
            f"backend {name!r} returned {what}: {scrub(one_line(error))}"
        ) from error
    if not isinstance(counts, Mapping):
        raise ExecutionError(f"backend {name!r} returned counts that are no mapping")
    # memory knows the order of shots, but not where it has lost some of them
    return in_order if in_order and len(in_order) >= total else dict(counts)


def _well_formed(shot: object, clbits: int) -> bool:
    if not isinstance(shot, str) or _SHOT.fullmatch(shot) is None:
        return False
    if shot.startswith("0x"):
        return int(shot, 16) >> clbits == 0
    return len(shot.replace(" ", "")) == clbits
