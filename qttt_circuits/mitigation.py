"""Readout mitigation with mthree (extra ``m3``), calibrated by circuits in the same job.

The joint distribution of all measured bits is mitigated first and post-selected after: the other
way round leaves part of the error (on a four-bit test distances of 0.0018 against 0.0027). What
comes out are quasi-probabilities: they describe a distribution, may be negative, and are no shots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit, transpile
from qiskit.providers import BackendV2

from .errors import MissingExtraError
from .experiment import Experiment
from .fit import distance
from .measured import Bits

Assignment = NDArray[np.float64]
"""Shape (2, 2): entry (i, j) is the probability to read i where j was prepared."""


@dataclass(frozen=True)
class Mitigated:
    """What is left of a run after readout mitigation and post-selection.

    Attributes:
        quasi: The quasi-probability of each outcome, given acceptance.
        acceptance: The quasi-probability of acceptance.
        tvd: The total variation distance of `quasi` from the exact distribution.
    """

    quasi: dict[str, float]
    acceptance: float
    tvd: float


def calibration_circuits(qubits: Sequence[int], backend: BackendV2) -> list[QuantumCircuit]:
    """Returns two circuits that measure some qubits of a device: all in |0⟩, all in |1⟩.

    Args:
        qubits: The device's qubits; clbit i measures ``qubits[i]``.
        backend: The device.
    """
    circuits = []
    for flipped in (False, True):
        circuit = QuantumCircuit(len(qubits), len(qubits))
        if flipped:
            circuit.x(range(len(qubits)))
        circuit.measure(range(len(qubits)), range(len(qubits)))
        circuits.append(
            transpile(circuit, backend, initial_layout=list(qubits), optimization_level=0)
        )
    return circuits


def assignments(zeros: Bits, ones: Bits) -> list[Assignment]:
    """Returns the assignment matrix of each qubit from the two calibration circuits.

    Args:
        zeros: What was read with all qubits in |0⟩.
        ones: What was read with all qubits in |1⟩.
    """
    read_one = [(b.counts @ b.rows.astype(float)) / b.shots for b in (zeros, ones)]
    return [np.array([[1 - p, 1 - q], [p, q]]) for p, q in zip(*read_one, strict=True)]


def mitigate(
    experiment: Experiment, bits: Bits, qubits: Sequence[int], matrices: Mapping[int, Assignment]
) -> Mitigated:
    """Returns a run of an experiment mitigated and post-selected.

    Args:
        experiment: What was run.
        bits: What was measured.
        qubits: The device's qubit that was measured into each clbit.
        matrices: The assignment matrix of each of these.

    Raises:
        MissingExtraError: If mthree is not installed.
    """
    correction = _correction(matrices)
    counts = {
        "".join(map(str, row[::-1])): int(n) for row, n in zip(bits.rows, bits.counts, strict=True)
    }
    corrected: Mapping[str, float] = correction.apply_correction(counts, list(qubits))
    accepted: dict[str, float] = {}
    for text, weight in corrected.items():
        reading = experiment.decoder.read([int(bit) for bit in reversed(text)])
        if reading.accepted:
            accepted[reading.name] = accepted.get(reading.name, 0.0) + float(weight)
    acceptance = sum(accepted.values())
    quasi = {name: q / acceptance for name, q in sorted(accepted.items())} if acceptance else {}
    return Mitigated(quasi, acceptance, distance(quasi, experiment.distribution))


def _correction(matrices: Mapping[int, Assignment]) -> Any:
    try:
        from mthree import M3Mitigation
    except ImportError as error:
        raise MissingExtraError("readout mitigation", "m3") from error
    correction = M3Mitigation(None)
    correction.cals_from_matrices([matrices.get(q) for q in range(max(matrices) + 1)])
    return correction
