"""The waist: what observing a position means on a quantum computer.

An `Experiment` is a circuit, a decoder from measured bits to an outcome or a named rejection, the
exact distribution it should show, and the predicted acceptance. Everything that runs circuits knows
experiments and no game; everything that knows games makes experiments and runs none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from qiskit import ClassicalRegister, QuantumCircuit
from qiskit.circuit.library import StatePreparation

from .decoders.base import Decoder, Factor
from .decoders.overlap import OTHER, SAME, OverlapDecoder
from .measured import Measured, measured_bits, registers_of
from .parts import Part, parts_of
from .result import Result


@dataclass(frozen=True, eq=False)
class Experiment:
    """Observing one position: see the module.

    Attributes:
        preparation: The circuit without measurements.
        circuit: The circuit with them; classical registers ``obs`` (the board) and ``anc``
            (ancillas), as far as they have bits.
        decoder: What the bits mean.
        distribution: The exact probability of each outcome, given acceptance.
        predicted_acceptance: The probability that a shot is accepted.
        factors: The state that the circuit leaves on accepted shots, as a product.
        settings: What was compiled and how: JSON-able text.
    """

    preparation: QuantumCircuit
    circuit: QuantumCircuit
    decoder: Decoder
    distribution: Mapping[str, float]
    predicted_acceptance: float
    factors: tuple[Factor, ...]
    settings: Mapping[str, str] = field(default_factory=dict)

    def decode(self, measured: Measured) -> Result:
        """Returns what bits mean that were measured here or elsewhere.

        Args:
            measured: One of: a mapping from bit string to count, with or without spaces between
                registers; a sequence of bit strings, one a shot; a boolean or 0/1 array of shape
                ``(shots, clbits)`` with column i for clbit i; a Qiskit ``BitArray``, ``DataBin`` or
                sampler pub result. In strings clbit 0 is rightmost, as everywhere in Qiskit.

        Raises:
            ExecutionError: If it does not fit the circuit's classical bits.
        """
        bits = measured_bits(measured, registers_of(self.circuit))
        counts: dict[str, int] = {}
        rejected = dict.fromkeys(self.decoder.reasons, 0)
        first: tuple[int, str] | None = None
        indices = [None] * len(bits.counts) if bits.indices is None else bits.indices.tolist()
        readings = self.decoder.read_all(bits.rows)
        for (accepted, name), n, index in zip(readings, bits.counts.tolist(), indices, strict=True):
            if not accepted:
                rejected[name] += n
                continue
            counts[name] = counts.get(name, 0) + n
            if index is not None and (first is None or index < first[0]):
                first = (index, name)
        return Result(
            experiment=self,
            shots=bits.shots,
            counts=dict(sorted(counts.items())),
            rejected=rejected,
            bits=bits,
            first=first[1] if first else None,
        )

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The groups of qubits that never meet, each with a measured circuit of its own."""
        return parts_of(self.circuit)

    @cached_property
    def key(self) -> tuple[tuple[str, str], ...]:
        """What tells this experiment from another: its settings, sorted."""
        return tuple(sorted(self.settings.items()))

    def overlap(self, amplitudes: Mapping[str, complex] | None = None) -> Experiment:
        """Returns the experiment that compares the circuit with an independently built one.

        It prepares the position, then undoes Qiskit's own preparation of the state that is expected
        and reads whether all board qubits are zero: ``same``, else ``other``. Unlike counts, this
        shows the signs of the amplitudes.

        Args:
            amplitudes: The amplitude of each outcome; by default the exact ones, which are prepared
                group by group of the qubits that are not entangled with each other.
        """
        factors = self.factors
        if amplitudes is not None:
            factor = self.decoder.state(amplitudes)
            factors = () if factor is None else (factor,)
        circuit = self.preparation.copy()
        for factor in factors:
            # as its definition: QPY forgets that a StatePreparation is an inverse one
            undo = StatePreparation(factor.vector).definition.inverse().to_gate(label="undo")
            circuit.append(undo, list(factor.qubits))
        board_bits = circuit.num_qubits - len(self.decoder.ancillas)
        # without ancillas the state holds the rejected part as well, which is not undone
        same, accepted = 1.0, self.predicted_acceptance
        if not self.decoder.ancillas:
            same, accepted = accepted, same
        return Experiment(
            preparation=circuit,
            circuit=measure_into(circuit, board_bits),
            decoder=OverlapDecoder(board_bits, self.decoder.ancillas),
            distribution={name: p for name, p in ((OTHER, 1 - same), (SAME, same)) if p > 0},
            predicted_acceptance=accepted,
            factors=(),
            settings={
                **self.settings,
                "experiment": "overlap",
                "with": "exact" if amplitudes is None else str(sorted(amplitudes.items())),
            },
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Experiment):
            return NotImplemented
        return self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"<Experiment {' '.join(f'{k}={v}' for k, v in self.settings.items())}>"


def measure_into(circuit: QuantumCircuit, board_qubits: int) -> QuantumCircuit:
    """Returns a circuit with its first qubits measured into ``obs`` and the others into ``anc``.

    Args:
        circuit: A circuit without classical bits.
        board_qubits: How many of its qubits hold the board.
    """
    measured: Any = circuit.copy()
    for name, qubits in (
        ("obs", circuit.qubits[:board_qubits]),
        ("anc", circuit.qubits[board_qubits:]),
    ):
        if qubits:
            register = ClassicalRegister(len(qubits), name)
            measured.add_register(register)
            measured.measure(qubits, register)
    return measured
