"""Counts from Aer, for circuits whose shots need no order."""

from __future__ import annotations

from collections.abc import Sequence

from qiskit import QuantumCircuit
from qiskit_aer import AerSimulator

from .errors import ExecutionError, one_line
from .measured import Measured


def counts_on_aer(
    circuits: Sequence[QuantumCircuit], method: str, *, shots: int, seed: int
) -> list[Measured]:
    """Runs circuits in one call and returns for each how often it read which bits.

    Aer seeds each circuit of a call differently, so that equal circuits have shots of their own.

    Args:
        circuits: Circuits in gates that Aer knows.
        method: Aer's simulation method.
        shots: Shots of each.
        seed: The seed of the call, from 1 on.

    Raises:
        ExecutionError: If Aer fails.
    """
    # one thread: for circuits this small, waiting for threads costs more than they save
    simulator = AerSimulator(method=method, max_parallel_threads=1)
    try:
        answer = simulator.run(list(circuits), shots=shots, seed_simulator=seed).result()
        return [answer.data(i)["counts"] for i in range(len(circuits))]
    except Exception as error:
        raise ExecutionError(f"Aer failed: {one_line(error)}") from error
