"""What post-selection detects: every single qubit flipped before it is measured.

A flip that stays undetected leaves the board as it was or makes another legal board of it; no
check on the bits alone could tell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from qiskit.quantum_info import Statevector

from .errors import OptionError
from .experiment import Experiment

MOST_QUBITS = 20
"""A state vector of more is not computed."""
_NEGLIGIBLE = 1e-14


@dataclass(frozen=True)
class Flip:
    """What becomes of the shots if one qubit is flipped before it is measured.

    The first three are fractions of the shots that would be accepted without it, and sum to 1.

    Attributes:
        qubit: The name of the qubit's register.
        detected: The shot is rejected.
        same: It is accepted with the same outcome.
        other: It is accepted with another outcome.
        admitted: The fraction of all shots that would be rejected without it and are accepted.
    """

    qubit: str
    detected: float
    same: float
    other: float
    admitted: float


def flips(experiment: Experiment) -> list[Flip]:
    """Returns what becomes of the shots for each qubit that is flipped, exactly.

    Args:
        experiment: An experiment of at most `MOST_QUBITS` qubits.

    Raises:
        OptionError: If it has more.
    """
    circuit = experiment.preparation
    if circuit.num_qubits > MOST_QUBITS:
        raise OptionError(f"{circuit.num_qubits} qubits are more than {MOST_QUBITS}")
    if not circuit.num_qubits:
        return []
    weights = np.asarray(Statevector(circuit).probabilities())
    seen = np.flatnonzero(weights > _NEGLIGIBLE)
    read = experiment.decoder.read
    found = []
    for qubit in range(circuit.num_qubits):
        kinds = dict.fromkeys(("detected", "same", "other", "admitted", "rejected"), 0.0)
        for pattern in seen:
            before = read(_bits(int(pattern), circuit.num_qubits))
            after = read(_bits(int(pattern) ^ 1 << qubit, circuit.num_qubits))
            if not before.accepted:
                kind = "admitted" if after.accepted else "rejected"
            elif not after.accepted:
                kind = "detected"
            else:
                kind = "same" if after.name == before.name else "other"
            kinds[kind] += float(weights[pattern])
        accepted = kinds["detected"] + kinds["same"] + kinds["other"]
        found.append(
            Flip(
                qubit=circuit.qregs[qubit].name,
                detected=kinds["detected"] / accepted,
                same=kinds["same"] / accepted,
                other=kinds["other"] / accepted,
                admitted=kinds["admitted"],
            )
        )
    return found


def _bits(pattern: int, width: int) -> tuple[int, ...]:
    return tuple(pattern >> i & 1 for i in range(width))
