"""Running experiments: on Aer, on any `BaseSamplerV2`, on any `BackendV2`.

Measurements are at the end of every circuit and post-selection is on their bits, so nothing here
needs more of a backend than running a circuit and returning bits.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from operator import index
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.primitives import BaseSamplerV2
from qiskit.providers import BackendV2
from qiskit.transpiler import PassManager, generate_preset_pass_manager
from qiskit_aer.primitives import SamplerV2 as AerSampler

from . import ibm
from .adapter import backend_name, require_room, run_on_backend
from .backends import Aer, resolve
from .errors import ExecutionError, OptionError, one_line
from .experiment import Experiment
from .randomness import Seed, as_seed
from .result import Result
from .secrets import scrub
from .self_test import require_self_test

MAX_SHOTS = 10_000_000
"""The most shots that one experiment is run with."""

_AER_BASIS = ("cx", "cz", "h", "p", "ry", "rz", "sx", "u", "x", "z")


def check_shots(shots: object) -> int:
    """Returns a number of shots if it can be run.

    Raises:
        OptionError: If it is not an integer from 1 to `MAX_SHOTS`.
    """
    number = None
    if not isinstance(shots, bool):
        with suppress(TypeError, ValueError):
            number = index(shots)  # type: ignore[arg-type]
    if number is None:
        raise OptionError(f"shots must be an integer, not {shots!r}")
    if not 1 <= number <= MAX_SHOTS:
        raise OptionError(f"shots must be from 1 to {MAX_SHOTS:,}, not {number}")
    return number


def run(experiment: Experiment, **options: Any) -> Result:
    """Runs one experiment; see `sample_many`."""
    return sample_many([experiment], **options)[0]


def sample_many(
    experiments: Iterable[Experiment],
    *,
    shots: int = 4096,
    seed: Seed = None,
    sampler: BaseSamplerV2 | None = None,
    backend: BackendV2 | str | None = None,
    pass_manager: PassManager | None = None,
    self_test: bool = True,
) -> list[Result]:
    """Runs experiments in one batch; by default on Aer.

    An experiment without qubits is answered without running, every shot accepted.

    Args:
        experiments: What to run.
        shots: How many shots of each.
        seed: A seed or generator; None draws a seed, which the results name. A sampler brings its
            own randomness: there the seed only reaches the transpiler.
        sampler: A sampler to use as it is.
        backend: A backend, or its name; see `backends.resolve`.
        pass_manager: What makes circuits fit for the sampler or backend; by default a preset one of
            level 2 for the backend, or Qiskit's common gates for a sampler that names none.
        self_test: Whether a sampler or backend given must first prove its bit order, once a
            process; 64 shots of three qubits. IBM's devices, whose shots cost money, are not asked.

    Returns:
        The results, in the order of the experiments.

    Raises:
        OptionError: If shots, seed or backend cannot be used.
        ExecutionError: If the sampler or backend fails or its answer does not fit.
    """
    shots, seed = check_shots(shots), as_seed(seed)
    if sampler is not None and backend is not None:
        raise OptionError("give a sampler or a backend, not both")
    if sampler is not None and not isinstance(sampler, BaseSamplerV2):
        raise OptionError(f"sampler= takes a BaseSamplerV2, not {_what(sampler)}")
    chosen = _chosen(backend)
    experiments = list(experiments) if isinstance(experiments, Iterable) else [experiments]
    for experiment in experiments:
        if not isinstance(experiment, Experiment):
            raise OptionError(f"what is run is an Experiment, not {_what(experiment)}")
    if pass_manager is not None and not hasattr(pass_manager, "run"):
        raise OptionError(f"pass_manager= takes a PassManager, not {_what(pass_manager)}")
    waiting = [e for e in experiments if e.circuit.num_qubits]
    ran: list[Result] = []
    if waiting and sampler is not None:
        ran = _on_sampler(waiting, sampler, shots, seed, pass_manager, self_test)
    elif waiting:
        if isinstance(chosen, Aer):
            ran = _on_aer(waiting, chosen, shots, seed, pass_manager)
        else:
            ran = _on_backend(waiting, chosen, shots, seed, pass_manager, self_test)
    results = iter(ran)
    return [
        next(results) if e.circuit.num_qubits else _without_running(e, shots, seed)
        for e in experiments
    ]


def _without_running(experiment: Experiment, shots: int, seed: int) -> Result:
    found = experiment.decode(np.zeros((shots, 0), dtype=np.uint8))
    return replace(found, backend="none", seed=seed)


def _on_aer(
    experiments: Sequence[Experiment],
    aer: Aer,
    shots: int,
    seed: int,
    pass_manager: PassManager | None,
) -> list[Result]:
    if pass_manager is None:
        pass_manager = generic_pass_manager()
    groups: dict[str, list[int]] = {}
    for i, experiment in enumerate(experiments):
        groups.setdefault(aer.method_for(experiment.circuit.num_qubits), []).append(i)
    results: dict[int, Result] = {}
    for method, members in groups.items():
        # one thread: for circuits this small, waiting for threads costs more than they save
        options = {"method": method, "max_parallel_threads": 1}
        sampler = AerSampler(seed=_simulator_seed(seed), options={"backend_options": options})
        batch = [experiments[i] for i in members]
        for i, result in zip(members, _sample(batch, sampler, shots, pass_manager), strict=True):
            results[i] = replace(result, backend=f"aer:{method}", seed=seed)
    return [results[i] for i in range(len(experiments))]


def _simulator_seed(seed: int) -> int:
    """Returns a 31-bit seed never 0, which some simulators take for none."""
    return 1 + int(np.random.SeedSequence(seed).generate_state(1)[0]) % (2**31 - 1)


def _on_sampler(
    experiments: Sequence[Experiment],
    sampler: BaseSamplerV2,
    shots: int,
    seed: int,
    pass_manager: PassManager | None,
    self_test: bool,
) -> list[Result]:
    manager = _sampler_pass_manager(sampler, seed) if pass_manager is None else pass_manager

    def run_one(experiment: Experiment, shots: int) -> Result:
        return _sample([experiment], sampler, shots, manager)[0]

    if self_test:
        require_self_test(sampler, type(sampler).__name__, run_one)
    return _sample(experiments, sampler, shots, manager)


def _sample(
    experiments: Sequence[Experiment],
    sampler: BaseSamplerV2,
    shots: int,
    pass_manager: PassManager,
) -> list[Result]:
    name = type(sampler).__name__
    circuits = _compile(experiments, pass_manager)
    try:
        answers = list(sampler.run([(circuit,) for circuit in circuits], shots=shots).result())
    except Exception as error:
        raise ExecutionError(f"{name} failed: {scrub(one_line(error))}") from error
    if len(answers) != len(experiments):
        raise ExecutionError(f"{name} returned {len(answers)} results for {len(experiments)}")
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
    self_test: bool,
) -> list[Result]:
    name = backend_name(backend)
    manager = _backend_pass_manager(backend, seed) if pass_manager is None else pass_manager

    require_room(experiments, backend)

    def run_all(experiments: Sequence[Experiment], shots: int) -> list[Result]:
        circuits = _compile(experiments, manager)
        answers = run_on_backend(circuits, backend, shots=shots, seed=_simulator_seed(seed))
        return [
            replace(experiment.decode(answer), backend=name, seed=seed)
            for experiment, answer in zip(experiments, answers, strict=True)
        ]

    if self_test and not ibm.is_hardware(backend):
        require_self_test(backend, f"backend {name!r}", lambda e, shots: run_all([e], shots)[0])
    return run_all(experiments, shots)


def _compile(experiments: Sequence[Experiment], pass_manager: PassManager) -> list[QuantumCircuit]:
    try:
        circuits = pass_manager.run([experiment.circuit for experiment in experiments])
    except Exception as error:
        raise ExecutionError(f"the circuits could not be transpiled: {one_line(error)}") from error
    return list(circuits)


def _chosen(backend: object) -> Aer | BackendV2:
    if backend is None:
        return Aer()
    if isinstance(backend, str):
        return resolve(backend)
    if isinstance(backend, BackendV2):
        return backend
    what = "samplers go to sampler=" if isinstance(backend, BaseSamplerV2) else "see qttt backends"
    raise OptionError(f"backend= takes a BackendV2 or a name, not {_what(backend)}: {what}")


def _what(value: object) -> str:
    return f"the class {value.__name__}" if isinstance(value, type) else f"{value!r:.60}"


@lru_cache(maxsize=1)
def generic_pass_manager() -> PassManager:
    """Returns what makes circuits of gates that every simulator knows."""
    return generate_preset_pass_manager(1, basis_gates=list(_AER_BASIS), seed_transpiler=1)


_managers: OrderedDict[tuple[int, int], tuple[BackendV2, PassManager]] = OrderedDict()
"""Pass managers by the identity of their backend, which need not be hashable, and the seed."""
MOST_MANAGERS = 16


def _backend_pass_manager(backend: BackendV2, seed: int) -> PassManager:
    key = (id(backend), seed % 2**31)
    if key not in _managers:
        manager = generate_preset_pass_manager(2, backend=backend, seed_transpiler=key[1])
        _managers[key] = (backend, manager)  # holding the backend keeps its identity its own
        if len(_managers) > MOST_MANAGERS:
            _managers.popitem(last=False)
    return _managers[key][1]


def _sampler_pass_manager(sampler: BaseSamplerV2, seed: int) -> PassManager:
    backend = getattr(sampler, "backend", None)
    if callable(backend):
        backend = backend()
    if isinstance(backend, BackendV2):
        return _backend_pass_manager(backend, seed)
    return generic_pass_manager()
