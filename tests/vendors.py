"""Backends as other vendors might write them, and what the tests of devices share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from qiskit import QuantumCircuit
from qiskit.circuit import Measure, Parameter
from qiskit.circuit.library import CXGate, RZGate, SXGate, XGate
from qiskit.providers import BackendV2, Options
from qiskit.transpiler import InstructionProperties, Target
from qiskit_aer import AerSimulator

QUBITS = 8


def small_target(
    qubits: int = QUBITS,
    *,
    edges: Sequence[tuple[int, int]] | None = None,
    cx: float | dict[tuple[int, int], float] | None = None,
    one: float | dict[int, float] | None = None,
    readout: float | dict[int, float] | None = None,
    measured: bool = True,
) -> Target:
    """Returns a target of CX, RZ, SX and X with the errors that are given.

    Args:
        qubits: How many.
        edges: The pairs that CX acts on, both ways; all by default.
        cx: The error of CX, or one a pair.
        one: The error of SX and X, or one a qubit; RZ has none.
        readout: The error of measuring, or one a qubit.
        measured: Whether there are measurements.
    """

    def properties(errors: Any, key: Any) -> InstructionProperties | None:
        error = errors[key] if isinstance(errors, dict) else errors
        return None if error is None else InstructionProperties(error=error)

    if edges is None:
        edges = [(a, b) for a in range(qubits) for b in range(a)]
    pairs = [*edges, *((b, a) for a, b in edges)]
    target = Target(num_qubits=qubits)
    target.add_instruction(
        CXGate(), {p: properties(cx, p if not isinstance(cx, dict) or p in cx else p[::-1])
                   for p in pairs}
    )  # fmt: skip
    target.add_instruction(RZGate(Parameter("angle")), {(q,): None for q in range(qubits)})
    for gate in (SXGate(), XGate()):
        target.add_instruction(gate, {(q,): properties(one, q) for q in range(qubits)})
    if measured:
        target.add_instruction(Measure(), {(q,): properties(readout, q) for q in range(qubits)})
    return target


class TargetOnly(BackendV2):
    """A device that is only looked at, never run on."""

    def __init__(self, target: Target, name: str = "drawing") -> None:
        super().__init__(name=name)
        self._target = target
        self.ran = 0

    @property
    def target(self) -> Target:
        return self._target

    @property
    def max_circuits(self) -> None:
        return None

    @classmethod
    def _default_options(cls) -> Options:
        return Options(shots=1024)

    def run(self, run_input: Any, **options: Any) -> Any:
        self.ran += 1
        raise AssertionError("this device is never run on")


class Answer:
    """What a vendor's job returns.

    Args:
        memory: The memory of each circuit, or None where there is none.
        counts: The counts of each circuit, or None where there are none.
    """

    def __init__(self, memory: list[Any] | None, counts: list[Any] | None) -> None:
        self.memory, self.counts = memory, counts

    def get_memory(self, index: int = 0) -> Any:
        if self.memory is None:
            raise KeyError("memory")
        return self.memory[index]

    def get_counts(self, index: int = 0) -> Any:
        if self.counts is None:
            raise KeyError("no counts\nfor this experiment")
        return self.counts[index]


class Job:
    """A job that has ended."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def result(self) -> Any:
        return self.answer


class Vendor(BackendV2):
    """A vendor's simulator: Aer's shots, written in the vendor's way.

    Args:
        memory: Makes a circuit's memory from its shots as Aer writes them; None for no memory.
        counts: Makes its counts from the same; None for no counts.
        name: The backend's name.
    """

    def __init__(
        self,
        memory: Callable[[list[str]], Any] | None,
        counts: Callable[[list[str]], Any] | None,
        name: str | None = "vendor",
    ) -> None:
        super().__init__(name=name)
        self._memory, self._counts = memory, counts
        self.asked: list[tuple[int, dict[str, Any]]] = []
        self._target = small_target()

    @property
    def target(self) -> Target:
        return self._target

    @property
    def max_circuits(self) -> None:
        return None

    @classmethod
    def _default_options(cls) -> Options:
        return Options(shots=1024, memory=False, seed_simulator=None)

    def run(self, run_input: list[QuantumCircuit], **options: Any) -> Job:
        self.asked.append((len(run_input), options))
        result = AerSimulator().run(run_input, **{**options, "memory": True}).result()
        shots = [result.get_memory(i) for i in range(len(run_input))]
        return Job(
            Answer(
                None if self._memory is None else [self._memory(s) for s in shots],
                None if self._counts is None else [self._counts(s) for s in shots],
            )
        )


def joined(shots: list[str]) -> list[str]:
    """Returns the shots without spaces between registers."""
    return [shot.replace(" ", "") for shot in shots]


def hexadecimal(shots: list[str]) -> list[str]:
    """Returns the shots as hexadecimal numbers, as Qiskit keeps them inside."""
    return [hex(int(shot, 2)) for shot in joined(shots)]


def counted(write: Callable[[list[str]], list[str]]) -> Callable[[list[str]], dict[str, int]]:
    """Returns what counts shots that are written in some way."""
    return lambda shots: dict(Counter(write(shots)))


def as_they_are(shots: list[str]) -> list[str]:
    """Returns the shots as Aer writes them, with spaces between registers."""
    return shots
