"""One run of an experiment: its whole circuit, or its parts, whose shots are joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from qiskit import QuantumCircuit

from .experiment import Experiment
from .measured import Measured
from .parts import Part, joined
from .result import Result


@dataclass(frozen=True)
class Run:
    """An experiment and what is run for it.

    Attributes:
        experiment: The experiment.
        parts: The parts to run; none if the circuit is run as a whole.
    """

    experiment: Experiment
    parts: tuple[Part, ...] = ()

    @classmethod
    def of(cls, experiment: Experiment, *, parts: bool) -> Run:
        """Returns the run of an experiment, in parts if that is wanted and it has several."""
        found = experiment.parts if parts else ()
        return cls(experiment, found if len(found) > 1 else ())

    @property
    def circuits(self) -> list[QuantumCircuit]:
        """The circuits to run."""
        return [part.circuit for part in self.parts] or [self.experiment.circuit]

    def result(self, answers: Sequence[Measured], stream: Sequence[int]) -> Result:
        """Returns what was measured, decoded; what parts measured is joined first.

        Args:
            answers: What each circuit measured.
            stream: What seeds the order in which the shots of parts are joined.

        Raises:
            ExecutionError: If the answers do not fit the circuits or each other.
        """
        if not self.parts:
            return self.experiment.decode(answers[0])
        clbits = self.experiment.circuit.num_clbits
        rows = joined(self.parts, answers, clbits, np.random.default_rng(stream))
        return replace(self.experiment.decode(rows), parts=len(self.parts))


def results_of(runs: Sequence[Run], answers: Sequence[Measured], seed: int) -> list[Result]:
    """Returns the results of runs.

    Args:
        runs: The runs.
        answers: What their circuits measured, in order.
        seed: The seed of them all.

    Raises:
        ExecutionError: If the answers do not fit the circuits.
    """
    left = iter(answers)
    return [
        run.result([next(left) for _ in run.circuits], (seed, number))
        for number, run in enumerate(runs)
    ]
