"""Checking the documents' claims: exactly, on state vectors, and by shots.

Every claim of `claims` becomes rows of one number each; `claims.base` has the methods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from .claims import CLAIMS, FACTS, Claim, Fact, Row
from .execution import sample_many
from .experiment import Experiment
from .randomness import Seed, as_seed

if TYPE_CHECKING:
    from qiskit.providers import BackendV2

ENCODINGS = ("spin", "pair")
"""The encodings in which positions of the dice games are checked."""


@dataclass(frozen=True, repr=False)
class Verification:
    """What a verification found.

    Attributes:
        rows: One number each.
    """

    rows: tuple[Row, ...]

    @property
    def holds(self) -> bool:
        """Whether every claim holds."""
        return all(row.holds for row in self.rows)

    def __repr__(self) -> str:
        held = sum(row.holds for row in self.rows)
        return f"<Verification: {held} of {len(self.rows)} checks hold>"

    def to_json(self) -> dict[str, Any]:
        """Returns the verification as JSON-able data."""
        return {"claims": [asdict(row) for row in self.rows], "holds": self.holds}


def verify(
    *,
    shots: int = 100_000,
    seed: Seed = None,
    backend: BackendV2 | str | None = None,
    encodings: Sequence[str] = ENCODINGS,
    claims: Iterable[Claim | Fact] | None = None,
    progress: Callable[[str, float], None] = lambda step, part: None,
) -> Verification:
    """Checks claims against the exact engine, state vectors, and runs.

    Args:
        shots: Shots a circuit.
        seed: A seed or generator; None draws one.
        backend: What to run on; by default Aer.
        encodings: The encodings to compile the dice games in; the others have circuits of their
            own.
        claims: What to check; by default everything the documents claim.
        progress: Is told each step in words and the part of the work done by then.
    """
    claims = tuple((*CLAIMS, *FACTS) if claims is None else claims)
    seed = as_seed(seed)
    rows: dict[str, list[Row]] = {claim.id: [] for claim in claims}
    progress("exact engine", 0.0)
    for claim in claims:
        rows[claim.id] += claim.exact_rows()
    batches: dict[str, list[tuple[Claim, Experiment]]] = {}
    for claim in claims:
        if isinstance(claim, Claim):
            for circuit, experiment in claim.experiments(encodings).items():
                batches.setdefault(circuit, []).append((claim, experiment))
    for batch, (circuit, members) in enumerate(batches.items()):
        done = (1 + batch) / (1 + len(batches))
        progress(f"{circuit}: state vectors", done)
        for claim, experiment in members:
            rows[claim.id] += claim.statevector_rows(circuit, experiment)
        compared = [member for member in members if member[0].amplitudes]
        experiments = [
            *(experiment for _, experiment in members),
            *(experiment.overlap(claim.vector()) for claim, experiment in compared),
        ]
        progress(f"{circuit}: {shots} shots of {len(experiments)} circuits", done)
        ran = iter(sample_many(experiments, shots=shots, seed=seed + batch, backend=backend))
        for claim, _ in members:
            rows[claim.id] += claim.shot_rows(circuit, next(ran))
        for claim, _ in compared:
            rows[claim.id].append(claim.overlap_row(circuit, next(ran)))
    progress("done", 1.0)
    return Verification(tuple(row for same in rows.values() for row in same))
