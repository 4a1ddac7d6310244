"""An asymmetric self-test of a sampler or backend: are bits and registers where they should be?

Run before its first real use in a process. One of three qubits is flipped and two registers are
measured, so that reversed bits, exchanged registers and bits that are not there all show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from weakref import ref

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from .decoders import Ancilla, Decoder, Factor, Reading
from .errors import ExecutionError
from .experiment import Experiment
from .result import Result

SHOTS = 64
EXPECTED = "0 01"
"""What the registers ``anc`` and ``obs`` must read: the first bit of ``obs`` is set."""
_SEEN = {
    "0 10": "the bits of each register are reversed",
    "1 00": "the bits or registers are in the opposite order",
    "0 00": "all bits are zero",
}

_passed: dict[int, ref[Any]] = {}
"""What has passed, by identity: equal samplers are not the same sampler."""


@dataclass(frozen=True)
class _AsItIs(Decoder):
    """Names every shot by its bits."""

    ancillas: tuple[Ancilla, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        return ()

    def read(self, bits: Sequence[int]) -> Reading:
        obs0, obs1, anc = bits
        return Reading(True, f"{anc} {obs1}{obs0}")

    def to_json(self) -> dict[str, Any]:
        return {"kind": "as it is"}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> _AsItIs:
        return cls()

    def used(self) -> tuple[int, ...]:
        return (0, 1, 2)

    def unchecked(self) -> _AsItIs:
        return self

    def state(self, amplitudes: Mapping[str, complex]) -> Factor | None:
        return None


def self_test_experiment() -> Experiment:
    """Returns the experiment: X on the first of three qubits, two registers of two bits and one."""
    circuit = QuantumCircuit(QuantumRegister(3, "q"))
    circuit.x(0)
    measured = circuit.copy()
    obs, anc = ClassicalRegister(2, "obs"), ClassicalRegister(1, "anc")
    measured.add_register(obs)
    measured.add_register(anc)
    measured.measure([0, 1, 2], [*obs, *anc])
    return Experiment(
        preparation=circuit,
        circuit=measured,
        decoder=_AsItIs(),
        distribution={EXPECTED: 1.0},
        predicted_acceptance=1.0,
        factors=(),
        settings={"experiment": "self-test"},
    )


def require_self_test(target: Any, name: str, run: Callable[[Experiment, int], Result]) -> None:
    """Runs the self-test on a sampler or backend that has not passed it in this process.

    Args:
        target: The sampler or backend.
        name: Its name, for the error.
        run: Runs an experiment with a number of shots on it.

    Raises:
        ExecutionError: If it fails, with what was seen.
    """
    known = _passed.get(id(target))
    if known is not None and known() is target:
        return
    try:
        result = run(self_test_experiment(), SHOTS)
    except ExecutionError as error:
        raise ExecutionError(f"{name} fails the self-test of bit order: {error}") from error
    if result.shots < SHOTS:
        raise ExecutionError(
            f"{name} fails the self-test of bit order: {result.shots} of {SHOTS} shots came back"
        )
    seen = max(result.counts, key=result.counts.__getitem__)
    most = 2 * result.counts[seen] > result.shots
    if seen != EXPECTED or not most:
        what = _SEEN.get(seen) if most else None
        what = what or "most shots read something else"
        raise ExecutionError(
            f"{name} fails the self-test of bit order: {what} "
            f"({seen!r} where 'anc obs' should read {EXPECTED!r})"
        )
    with suppress(TypeError):  # what cannot be referred to weakly is asked again
        _passed[id(target)] = ref(target)
