"""Checking the documents' claims on a device that makes errors, or on a snapshot of its noise.

On such a device no distribution comes out exactly. A claim holds if the accepted shots of its
position are within a stated distance of the document's distribution; beside it stand the distance
of the raw shots and that after readout mitigation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any

from qiskit.providers import BackendV2

from .claims import CLAIMS, Claim
from .device import DeviceResult, run_on_device
from .fit import total_variation
from .randomness import Seed, as_seed
from .verification import ENCODINGS

DEVICE_TOLERANCE = 0.03
"""The total variation distance within which a claim holds on a device."""


@dataclass(frozen=True)
class DeviceRow:
    """One position on a device.

    Attributes:
        id: The claim.
        source: Document and section.
        claim: The claim in words.
        encoding: The encoding.
        method: ``device``.
        expected: The distance without errors, 0.
        expected_exact: The same.
        measured: The distance of the accepted shots; None if there are none.
        standard_error: None: the distance of a finite number of shots is never 0.
        shots: How many shots came back.
        tolerance: The largest distance with which the claim holds.
        holds: Whether it does.
        accepted: How many shots were accepted.
        raw_tvd: The distance of all shots, read without any check.
        mitigated_tvd: The distance after mitigation and post-selection, if that was done.
        qubits: The device's qubits.
        predicted_fidelity: The fidelity predicted from the errors that the device reports.
    """

    id: str
    source: str
    claim: str
    encoding: str
    method: str
    expected: float
    expected_exact: str
    measured: float | None
    standard_error: float | None
    shots: int
    tolerance: float
    holds: bool
    accepted: int
    raw_tvd: float
    mitigated_tvd: float | None
    qubits: tuple[int, ...]
    predicted_fidelity: float | None


@dataclass(frozen=True)
class DeviceVerification:
    """What a verification on a device found.

    Attributes:
        rows: One position and encoding each.
        without_qubits: Claims of positions that hold nothing in superposition.
    """

    rows: tuple[DeviceRow, ...]
    without_qubits: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether every claim holds within the tolerance."""
        return all(row.holds for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        """Returns the verification as JSON-able data."""
        return {"claims": [asdict(row) for row in self.rows], "holds": self.holds}


def verify_on_device(
    backend: BackendV2,
    *,
    shots: int = 20_000,
    seed: Seed = None,
    encodings: Sequence[str] = ENCODINGS,
    claims: Iterable[Claim] = CLAIMS,
    progress: Callable[[str, float], None] = lambda step, part: None,
) -> DeviceVerification:
    """Checks claims on a device, all positions in one job.

    Args:
        backend: The device or snapshot.
        shots: Shots a position and encoding.
        seed: A seed or generator for layouts and simulators.
        encodings: The encodings to compile in.
        claims: What to check.
        progress: Is told each step in words and the part of the work done by then.
    """
    work = []
    without = []
    for claim in claims:
        for encoding, experiment in claim.experiments(encodings, on_device=True).items():
            if experiment.circuit.num_qubits:
                work.append((claim, encoding, experiment))
            elif claim.id not in without:
                without.append(claim.id)
    progress(f"{len(work)} circuits of {shots} shots on {backend.name}", 0.1)
    ran = run_on_device(
        [experiment for _, _, experiment in work],
        backend,
        shots=shots,
        seed=as_seed(seed),
        readout=find_spec("mthree") is not None,
    )
    progress("done", 1.0)
    rows = [
        _row(claim, encoding, found) for (claim, encoding, _), found in zip(work, ran, strict=True)
    ]
    return DeviceVerification(tuple(rows), tuple(without))


def _row(claim: Claim, encoding: str, found: DeviceResult) -> DeviceRow:
    expected = claim.distribution()
    result = found.result
    distance = total_variation(result.frequencies, expected) if result.accepted else None
    mitigated = found.mitigated
    return DeviceRow(
        id=claim.id,
        source=claim.source,
        claim=f"{claim.rules} {claim.moves}: distance from the document's distribution",
        encoding=encoding,
        method="device",
        expected=0.0,
        expected_exact="0",
        measured=distance,
        standard_error=None,
        shots=result.shots,
        tolerance=DEVICE_TOLERANCE,
        holds=distance is not None and distance <= DEVICE_TOLERANCE,
        accepted=result.accepted,
        raw_tvd=found.raw_tvd,
        mitigated_tvd=None if mitigated is None else total_variation(mitigated.quasi, expected),
        qubits=found.placement.qubits,
        predicted_fidelity=found.placement.fidelity,
    )
