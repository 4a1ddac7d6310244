"""Running experiments: on Aer, on any `BaseSamplerV2`, on any `BackendV2`.

Measurements are at the end of every circuit and post-selection is on their bits, so nothing here
needs more of a backend than running a circuit and returning bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil, log
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.primitives import BaseSamplerV2
from qiskit.providers import BackendV2
from qiskit.transpiler import PassManager, generate_preset_pass_manager
from qiskit_aer.primitives import SamplerV2 as AerSampler

from .errors import ExecutionError, OptionError, UnknownNameError
from .experiment import Experiment
from .randomness import Seed, as_seed
from .result import Result

MAX_SHOTS = 10_000_000
"""The most shots that one experiment is run with."""

DENSE_QUBITS = 20
"""From this many qubits on, Aer simulates by matrix product states instead of a state vector."""

AER_METHODS = ("automatic", "density_matrix", "matrix_product_state", "statevector")
_AER_BASIS = ("cx", "cz", "h", "p", "ry", "rz", "sx", "u", "x", "z")


def check_shots(shots: object) -> int:
    """Returns a number of shots if it can be run.

    Raises:
        OptionError: If it is not an integer from 1 to `MAX_SHOTS`.
    """
    if isinstance(shots, bool) or not hasattr(shots, "__index__"):
        raise OptionError(f"shots must be an integer, not {shots!r}")
    number = int(shots.__index__())
    if not 1 <= number <= MAX_SHOTS:
        raise OptionError(f"shots must be from 1 to {MAX_SHOTS:,}, not {number}")
    return number


def shots_for_one(acceptance: float, *, failure: float = 1e-9) -> int:
    """Returns how many shots give at least one accepted one, but for a small probability.

    Args:
        acceptance: The predicted acceptance.
        failure: The probability of accepting none that is put up with.
    """
    if acceptance >= 1:
        return 1
    return min(MAX_SHOTS, max(1, ceil(log(failure) / log(1 - acceptance))))


def run(experiment: Experiment, **options: Any) -> Result:
    """Runs one experiment; see `run_many`."""
    return run_many([experiment], **options)[0]


def run_many(
    experiments: Iterable[Experiment],
    *,
    shots: int = 4096,
    seed: Seed = None,
    sampler: BaseSamplerV2 | None = None,
    backend: BackendV2 | str | None = None,
    pass_manager: PassManager | None = None,
) -> list[Result]:
    """Runs experiments in one batch; by default on Aer.

    An experiment without qubits is answered without running, every shot accepted.

    Args:
        experiments: What to run.
        shots: How many shots of each.
        seed: A seed or generator; None draws a seed, which the results name. A sampler brings its
            own randomness: there the seed only reaches the transpiler.
        sampler: A sampler to use as it is.
        backend: A backend, or its name: ``aer`` or ``aer:METHOD``.
        pass_manager: What makes circuits fit for the sampler or backend; by default a preset one of
            level 2 for the backend, or Qiskit's common gates for a sampler that names none.

    Returns:
        The results, in the order of the experiments.

    Raises:
        OptionError: If shots, seed or backend cannot be used.
        ExecutionError: If the sampler or backend fails or its answer does not fit.
    """
    shots, seed = check_shots(shots), as_seed(seed)
    if sampler is not None and backend is not None:
        raise OptionError("give a sampler or a backend, not both")
    experiments = list(experiments)
    results: list[Result | None] = [
        None if e.circuit.num_qubits else _without_running(e, shots, seed) for e in experiments
    ]
    waiting = [i for i, result in enumerate(results) if result is None]
    if sampler is None and not isinstance(backend, BackendV2):
        groups: dict[str, list[int]] = {}
        for i in waiting:
            groups.setdefault(_aer_method(backend, experiments[i]), []).append(i)
        for method, members in groups.items():
            batch = [experiments[i] for i in members]
            ran = _on_aer(batch, method, shots, seed, pass_manager)
            for i, result in zip(members, ran, strict=True):
                results[i] = result
    elif waiting:
        batch = [experiments[i] for i in waiting]
        if sampler is not None:
            ran = _on_sampler(batch, sampler, shots, seed, pass_manager)
        else:
            assert isinstance(backend, BackendV2)
            ran = _on_backend(batch, backend, shots, seed, pass_manager)
        for i, result in zip(waiting, ran, strict=True):
            results[i] = result
    return [result for result in results if result is not None]


def _without_running(experiment: Experiment, shots: int, seed: int) -> Result:
    found = experiment.decode(np.zeros((shots, 0), dtype=np.uint8))
    return replace(found, backend="none", seed=seed)


def _aer_method(backend: object, experiment: Experiment) -> str:
    name = backend if isinstance(backend, str) else "aer"
    if name == "aer":
        dense = experiment.circuit.num_qubits < DENSE_QUBITS
        return "statevector" if dense else "matrix_product_state"
    known = ["aer", *(f"aer:{method}" for method in AER_METHODS)]
    if name not in known or not (backend is None or isinstance(backend, str)):
        raise UnknownNameError("backend", backend, known)
    return name.removeprefix("aer:")


def _on_aer(
    experiments: Sequence[Experiment],
    method: str,
    shots: int,
    seed: int,
    pass_manager: PassManager | None,
) -> list[Result]:
    # one thread: for circuits this small, waiting for threads costs more than they save
    sampler = AerSampler(
        seed=_simulator_seed(seed),
        options={"backend_options": {"method": method, "max_parallel_threads": 1}},
    )
    ran = _on_sampler(experiments, sampler, shots, seed, pass_manager or _aer_pass_manager())
    return [replace(result, backend=f"aer:{method}", seed=seed) for result in ran]


def _simulator_seed(seed: int) -> int:
    """Returns a 31-bit seed never 0, which some simulators take for none."""
    return 1 + int(np.random.SeedSequence(seed).generate_state(1)[0]) % (2**31 - 1)


def _on_sampler(
    experiments: Sequence[Experiment],
    sampler: BaseSamplerV2,
    shots: int,
    seed: int,
    pass_manager: PassManager | None,
) -> list[Result]:
    if pass_manager is None:
        pass_manager = _sampler_pass_manager(sampler, seed)
    circuits = _compile(experiments, pass_manager)
    try:
        answers = list(sampler.run([(circuit,) for circuit in circuits], shots=shots).result())
    except Exception as error:
        raise ExecutionError(f"{type(sampler).__name__} failed: {_one_line(error)}") from error
    if len(answers) != len(experiments):
        raise ExecutionError(
            f"{type(sampler).__name__} returned {len(answers)} results for {len(experiments)}"
        )
    name = type(sampler).__name__
    return [
        replace(experiment.decode(answer), backend=name)
        for experiment, answer in zip(experiments, answers, strict=True)
    ]


def _on_backend(
    experiments: Sequence[Experiment],
    backend: BackendV2,
    shots: int,
    seed: int,
    pass_manager: PassManager | None,
) -> list[Result]:
    circuits = _compile(experiments, pass_manager or _backend_pass_manager(backend, seed))
    options: dict[str, Any] = {"shots": shots, "memory": True}
    if hasattr(backend.options, "seed_simulator"):
        options["seed_simulator"] = _simulator_seed(seed)
    try:
        answer = backend.run(circuits, **options).result()
        memories = [_memory(answer, i) for i in range(len(circuits))]
    except Exception as error:
        raise ExecutionError(f"backend {backend.name!r} failed: {_one_line(error)}") from error
    return [
        replace(experiment.decode(memory), backend=str(backend.name), seed=seed)
        for experiment, memory in zip(experiments, memories, strict=True)
    ]


def _memory(answer: Any, index: int) -> Any:
    """Returns one bit string a shot, or counts where a backend keeps no order."""
    try:
        return answer.get_memory(index)
    except Exception:
        return answer.get_counts(index)


def _compile(experiments: Sequence[Experiment], pass_manager: PassManager) -> list[QuantumCircuit]:
    circuits = pass_manager.run([experiment.circuit for experiment in experiments])
    return list(circuits)


@lru_cache(maxsize=1)
def _aer_pass_manager() -> PassManager:
    return generate_preset_pass_manager(1, basis_gates=list(_AER_BASIS), seed_transpiler=1)


@lru_cache(maxsize=16)
def _backend_pass_manager(backend: BackendV2, seed: int) -> PassManager:
    return generate_preset_pass_manager(2, backend=backend, seed_transpiler=seed % 2**31)


def _sampler_pass_manager(sampler: BaseSamplerV2, seed: int) -> PassManager:
    backend = getattr(sampler, "backend", None)
    if callable(backend):
        backend = backend()
    if isinstance(backend, BackendV2):
        return _backend_pass_manager(backend, seed)
    return _aer_pass_manager()


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
