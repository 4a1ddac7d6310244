"""Running experiments on a device that makes errors: placed, calibrated, and read three ways.

Side by side: raw, as the bits say without any check; post-selected; and mitigated, then
post-selected. Everything goes in one job.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from qiskit.providers import BackendV2

from .adapter import backend_name, require_room, run_on_backend
from .experiment import Experiment
from .fit import distance
from .measured import Bits, measured_bits
from .mitigation import Mitigated, assignments, calibration_circuits, mitigate
from .placement import Placement, place
from .result import Result


@dataclass(frozen=True)
class DeviceResult:
    """One experiment on a device.

    Attributes:
        result: The shots, post-selected.
        placement: The qubits it ran on and the fidelity that was predicted.
        raw_tvd: The distance from exact of all shots, read without any check.
        mitigated: The mitigated distribution, if it was asked for.
    """

    result: Result
    placement: Placement
    raw_tvd: float
    mitigated: Mitigated | None

    @property
    def tvd(self) -> float | None:
        """The distance from exact of the accepted shots; None if there are none."""
        return self.result.fit().tvd if self.result.accepted else None


def run_on_device(
    experiments: Sequence[Experiment],
    backend: BackendV2,
    *,
    shots: int,
    seed: int,
    readout: bool = False,
) -> list[DeviceResult]:
    """Runs experiments in one job, each on the qubits that are predicted to do best.

    Args:
        experiments: What to run; each has at least one qubit.
        backend: The device.
        shots: Shots of each.
        seed: The seed, for the layouts and for a simulator.
        readout: Whether to calibrate the readout in the same job and mitigate with it.

    Raises:
        ExecutionError: If the backend cannot run them.
        MissingExtraError: If mthree is needed and not installed.
    """
    require_room(experiments, backend)
    placed = place([e.circuit for e in experiments], backend, seed=seed)
    qubits = sorted({q for placement in placed for q in placement.qubits})
    calibrations = calibration_circuits(qubits, backend) if readout else []
    circuits = [*(p.circuit for p in placed), *calibrations]
    answers = run_on_backend(circuits, backend, shots=shots, seed=seed)
    matrices = {}
    if readout:
        zeros, ones = (measured_bits(a, {"c": len(qubits)}) for a in answers[len(placed) :])
        matrices = dict(zip(qubits, assignments(zeros, ones), strict=True))
    name = backend_name(backend)
    found = []
    for experiment, placement, answer in zip(experiments, placed, answers, strict=False):
        result = replace(experiment.decode(answer), backend=name, seed=seed)
        mitigated = None
        if readout:
            mitigated = mitigate(experiment, result.bits, placement.qubits, matrices)
        raw = raw_distance(experiment, result.bits)
        found.append(DeviceResult(result, placement, raw, mitigated))
    return found


def raw_distance(experiment: Experiment, bits: Bits) -> float:
    """Returns the distance from exact of all shots, read without any check.

    A shot whose bits stand for no board counts as an outcome of its own.
    """
    decoder = experiment.decoder.unchecked()
    frequencies: dict[str, float] = {}
    shots = bits.shots
    for (_, name), n in zip(decoder.read_all(bits.rows), bits.counts.tolist(), strict=True):
        frequencies[name] = frequencies.get(name, 0.0) + n / shots
    return distance(frequencies, experiment.distribution)
