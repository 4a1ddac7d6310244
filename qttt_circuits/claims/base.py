"""What a document claims, and the four ways to check it.

- ``exact``: the exact engine's number equals the document's symbolically.
- ``statevector``: amplitudes of the compiled circuit, projected on the accepted shots, equal the
  document's with their signs, up to one global phase; and so does the weight of the projection.
- ``shots``: frequencies of a run, within 4.5 standard errors of the document's number.
- ``overlap``: prepare the position, undo an independently built one, read all zeros. Frequencies do
  not show signs; this does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np

from ..decoders.overlap import SAME
from ..errors import ExecutionError
from ..experiment import Experiment
from ..game import Game
from ..games import rules
from ..result import Result
from .row import NUMERICAL, Row, Rows, number, surd

FEW_SHOTS = 100
"""With fewer accepted shots to expect, that none meets a condition says nothing."""


@dataclass(frozen=True)
class Fact:
    """A number that the rules alone decide, checked exactly.

    Attributes:
        id: A short name.
        source: Document and section.
        words: What it is about, in words.
        what: What the number is.
        expected: The number, in sympy's notation.
        found: Works the number out from the rules.
    """

    id: str
    source: str
    words: str
    what: str
    expected: str
    found: Callable[[], Any]

    def exact_rows(self) -> Iterator[Row]:
        """Yields the one row of it."""
        yield Rows(self.id, self.source, self.words).exact(self.what, self.expected, self.found())


@dataclass(frozen=True)
class Split:
    """A conditional distribution: what is left if a square holds one of some symbols.

    Attributes:
        condition: The condition in words.
        given: Square and the symbols it may hold, one entry a square.
        probabilities: The probability of each ket then.
    """

    condition: str
    given: Mapping[int, str]
    probabilities: Mapping[str, str]

    def meets(self, outcome: str) -> bool:
        """Whether a board meets the condition."""
        return all(outcome[square - 1] in symbols for square, symbols in self.given.items())


@dataclass(frozen=True)
class Claim:
    """What a document says of observing one position, typed from it and not computed.

    Numbers are text in sympy's notation. Amplitudes need not be normalised.

    Attributes:
        id: A short name.
        source: Document and section.
        rules: The rule set.
        moves: The moves.
        probabilities: The probability of each outcome, as the document writes outcomes.
        amplitudes: The amplitude of each outcome; empty where outcomes are no states.
        success: The probability that a shot is accepted.
        splits: Conditional distributions.
        options: Options of the rule set.
    """

    id: str
    source: str
    rules: str
    moves: str
    probabilities: Mapping[str, str]
    amplitudes: Mapping[str, str]
    success: str = "1"
    splits: tuple[Split, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    # --- what the kinds of game differ in

    def outcome(self, written: str) -> str:
        """Returns an outcome in the library's notation."""
        return written

    def circuits(self, encodings: Sequence[str]) -> Mapping[str, Mapping[str, object]]:
        """Returns how to compile the position, by the names of the kinds of circuit.

        Args:
            encodings: The encodings that were asked for.
        """
        return {encoding: {"encoding": encoding} for encoding in encodings}

    def on_devices(self, encodings: Sequence[str]) -> Mapping[str, Mapping[str, object]]:
        """Returns those of them that can detect errors, and so are fit for a device."""
        return self.circuits(encodings)

    def acceptance(self, circuit: str) -> str:
        """Returns the acceptance that is claimed of a kind of circuit."""
        return self.success

    def overlap(self, circuit: str) -> str:
        """Returns with what probability a kind of circuit is undone by undoing the amplitudes."""
        return "1"

    def exact_distribution(self, game: Game) -> Mapping[str, Any]:
        """Returns the exact engine's distribution."""
        return game.rules.exact_distribution(game.table)

    # --- positions and circuits

    def game(self) -> Game:
        """Returns the position."""
        game = Game(rules(self.rules, **self.options))
        for move in self.moves.split():
            game.push(move)
        return game

    def experiments(
        self, encodings: Sequence[str], *, on_device: bool = False
    ) -> dict[str, Experiment]:
        """Returns the experiments of observing it, by the names of the kinds of circuit."""
        game = self.game()
        circuits = self.on_devices(encodings) if on_device else self.circuits(encodings)
        return {name: game.experiment(**options) for name, options in circuits.items()}

    def distribution(self) -> dict[str, float]:
        """Returns the distribution that is claimed, by outcome."""
        return {self.outcome(ket): float(number(p)) for ket, p in self.probabilities.items()}

    def vector(self) -> dict[str, complex]:
        """Returns the amplitudes that are claimed, by outcome."""
        return {self.outcome(ket): complex(number(a)) for ket, a in self.amplitudes.items()}

    def rows(self, circuit: str = "") -> Rows:
        """Returns what makes the claim's rows."""
        return Rows(self.id, self.source, f"{self.rules} {self.moves}", circuit)

    # --- checking

    def exact_rows(self) -> Iterator[Row]:
        """Yields what the exact engine finds."""
        game, rows = self.game(), self.rows()
        found = self.exact_distribution(game)
        for ket, expected in self.probabilities.items():
            yield rows.exact(f"P({ket})", expected, found.get(self.outcome(ket), 0))
        kets = map(self.outcome, self.probabilities)
        yield rows.exact("P(any of these)", "1", sum((found.get(ket, 0) for ket in kets), 0))
        for split in self.splits:
            kept = {o: p for o, p in found.items() if split.meets(o)}
            weight = sum(kept.values(), 0)
            for ket, expected in split.probabilities.items():
                p = kept.get(self.outcome(ket), 0)
                yield rows.exact(f"P({ket} | {split.condition})", expected, p / weight)

    def statevector_rows(self, circuit: str, experiment: Experiment) -> Iterator[Row]:
        """Yields what the circuit's state vector says."""
        rows = self.rows(circuit)
        projected = accepted_state(experiment)
        weight = float(np.sum(np.abs(projected) ** 2))
        yield rows.numerical("success", self.acceptance(circuit), weight)
        target = experiment.decoder.state(self.vector())
        vector = np.ones(1) if target is None else target.vector
        overlap = np.vdot(vector, projected)
        phase = overlap / abs(overlap) if abs(overlap) > NUMERICAL else 1
        furthest = float(np.max(np.abs(projected / phase / sqrt(weight or 1) - vector)))
        yield rows.numerical("amplitude error", "0", furthest)

    def shot_rows(self, circuit: str, result: Result) -> Iterator[Row]:
        """Yields what a run says.

        Raises:
            NoAcceptedShotsError: If there were too few shots to accept one.
            ExecutionError: If there were too few to meet a condition.
        """
        rows, counts = self.rows(circuit), result.counts
        expected = self.acceptance(circuit)
        acceptance = rows.frequency("acceptance", expected, result.accepted, result.shots)
        if acceptance.holds:  # none accepted may then be for want of shots
            result.require_accepted()
        yield acceptance
        for ket, expected in self.probabilities.items():
            n = counts.get(self.outcome(ket), 0)
            yield rows.frequency(f"P({ket})", expected, n, result.accepted)
        n = sum(counts.get(self.outcome(ket), 0) for ket in self.probabilities)
        yield rows.frequency("P(any of these)", "1", n, result.accepted)
        for split in self.splits:
            kept = {outcome: n for outcome, n in counts.items() if split.meets(outcome)}
            if not kept and result.shots * result.predicted_acceptance < FEW_SHOTS:
                raise ExecutionError(f"{self.id}: no shot with {split.condition}: take more shots")
            for ket, expected in split.probabilities.items():
                what = f"P({ket} | {split.condition})"
                n = kept.get(self.outcome(ket), 0)
                yield rows.frequency(what, expected, n, sum(kept.values()))

    def overlap_row(self, circuit: str, result: Result) -> Row:
        """Returns what a run of the overlap with the claimed amplitudes says."""
        same, expected = result.counts.get(SAME, 0), self.overlap(circuit)
        return self.rows(circuit).frequency("overlap", expected, same, result.accepted, "overlap")


def accepted_state(experiment: Experiment) -> np.ndarray[Any, Any]:
    """Returns the state of the qubits that are not ancillas in the shots that are accepted.

    It is not normalised: its squared norm is the acceptance.
    """
    from qiskit.quantum_info import Statevector

    circuit, decoder = experiment.preparation, experiment.decoder
    if not circuit.num_qubits:
        return np.ones(1)
    board_qubits = circuit.num_qubits - len(decoder.ancillas)
    above = sum(a.predicted << (a.clbit - board_qubits) for a in decoder.ancillas) << board_qubits
    state = np.asarray(Statevector(circuit).data)
    projected = state[above : above + 2**board_qubits].copy()
    for i in np.flatnonzero(projected):
        bits = [(above + int(i)) >> k & 1 for k in range(circuit.num_qubits)]
        if not decoder.read(bits).accepted:
            projected[i] = 0
    return projected


def exact_fidelity(claimed: Mapping[str, str], found: Mapping[str, Any], norm: Any) -> Any:
    """Returns |⟨claimed|found⟩|² of two states normalised: 1 if they agree up to a phase.

    Args:
        claimed: Outcome to amplitude a + b√2.
        found: The same as numbers.
        norm: The squared norm of what was found.
    """
    amplitudes = {outcome: surd(text) for outcome, text in claimed.items()}
    product = sum((a * found.get(outcome, 0) for outcome, a in amplitudes.items()), surd("0"))
    length = sum((a * a for a in amplitudes.values()), surd("0"))
    return product * product / (length * norm)
