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
from qiskit.circuit.equivalence_library import SessionEquivalenceLibrary
from qiskit.primitives import BaseSamplerV2
from qiskit.providers import BackendV2
from qiskit.transpiler import PassManager, generate_preset_pass_manager
from qiskit.transpiler.passes import (
    BasisTranslator,
    Optimize1qGatesDecomposition,
    UnrollCustomDefinitions,
)
from qiskit_aer.primitives import SamplerV2 as AerSampler

from . import ibm
from .adapter import backend_name, require_room, run_on_backend
from .aer import counts_on_aer
from .backends import Aer, resolve
from .errors import ExecutionError, OptionError, one_line
from .experiment import Experiment
from .measured import Measured
from .randomness import Seed, as_seed
from .result import Result
from .running import Run, results_of
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
    parts: bool | None = None,
) -> list[Result]:
    """Runs experiments in one batch; by default on Aer.

    An experiment without qubits is answered without running, every shot accepted. One whose qubits
    fall into groups that never meet may be run as a circuit a group: see `parts`.

    Args:
        experiments: What to run.
        shots: How many shots of each.
        seed: A seed or generator; None draws a seed, which the results name. A sampler brings its
            own randomness: there the seed only reaches the transpiler, and the order in which the
            shots of parts are joined.
        sampler: A sampler to use as it is.
        backend: A backend, or its name; see `backends.resolve`.
        pass_manager: What makes circuits fit for the sampler or backend; by default a preset one of
            level 2 for the backend, or Qiskit's common gates for a sampler that names none.
        self_test: Whether a sampler or backend given must first prove its bit order, once a
            process; 64 shots of three qubits. IBM's devices, whose shots cost money, are not asked.
        parts: Whether such groups are run as circuits of their own and their shots joined, so that
            a joined shot is accepted if it is accepted in all of them. By default they are on Aer,
            from `DENSE_QUBITS` qubits on; a sampler or backend given runs the whole circuit, so
            that every shot is one of its own.

    Returns:
        The results, in the order of the experiments.

    Raises:
        OptionError: If shots, seed or backend cannot be used.
        ExecutionError: If the sampler or backend fails or its answer does not fit.
    """
    shots, seed = check_shots(shots), as_seed(seed)
    if parts is not None and not isinstance(parts, bool):
        raise OptionError(f"parts is True, False or None, not {parts!r}")
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
    on_aer = sampler is None and isinstance(chosen, Aer)
    runs = [
        Run.of(e, parts=on_aer and Aer.in_parts(e.circuit.num_qubits) if parts is None else parts)
        for e in waiting
    ]
    ran: list[Result] = []
    if waiting and sampler is not None:
        ran = _on_sampler(runs, sampler, shots, seed, pass_manager, self_test)
    elif waiting:
        if isinstance(chosen, Aer):
            ran = _on_aer(runs, chosen, shots, seed, pass_manager)
        else:
            require_room(waiting, chosen, parts=bool(parts))
            ran = _on_backend(runs, chosen, shots, seed, pass_manager, self_test)
    results = iter(ran)
    return [
        next(results) if e.circuit.num_qubits else _without_running(e, shots, seed)
        for e in experiments
    ]


def _without_running(experiment: Experiment, shots: int, seed: int) -> Result:
    found = experiment.decode(np.zeros((shots, 0), dtype=np.uint8))
    return replace(found, backend="none", seed=seed)


def _on_aer(
    runs: Sequence[Run], aer: Aer, shots: int, seed: int, pass_manager: PassManager | None
) -> list[Result]:
    if pass_manager is None:
        pass_manager = generic_pass_manager()
    circuits = [circuit for run in runs for circuit in run.circuits]
    methods = [aer.method_for(circuit.num_qubits) for circuit in circuits]
    parts = [bool(run.parts) for run in runs for _ in run.circuits]
    groups: dict[tuple[str, bool], list[int]] = {}
    for i, kind in enumerate(zip(methods, parts, strict=True)):
        groups.setdefault(kind, []).append(i)
    answers: dict[int, Measured] = {}
    for number, ((method, of_parts), members) in enumerate(groups.items()):
        batch = _compile([circuits[i] for i in members], pass_manager)
        # no two calls with the same random numbers: parts of one experiment may be in both
        its_seed = _simulator_seed(seed, number)
        if of_parts:
            found = counts_on_aer(batch, method, shots=shots, seed=its_seed)
        else:
            # one thread: for circuits this small, waiting for threads costs more than they save
            options = {"method": method, "max_parallel_threads": 1}
            sampler = AerSampler(seed=its_seed, options={"backend_options": options})
            found = _sample(batch, sampler, shots)
        answers.update(zip(members, found, strict=True))
    results = results_of(runs, [answers[i] for i in range(len(circuits))], seed)
    used = iter(methods)
    names = [dict.fromkeys(f"aer:{next(used)}" for _ in run.circuits) for run in runs]
    return [
        replace(result, backend=" + ".join(name), seed=seed)
        for result, name in zip(results, names, strict=True)
    ]


def _simulator_seed(seed: int, number: int = 0) -> int:
    """Returns the n-th 31-bit seed, never 0, which some simulators take for none."""
    return 1 + int(np.random.SeedSequence(seed).generate_state(number + 1)[number]) % (2**31 - 1)


def _on_sampler(
    runs: Sequence[Run],
    sampler: BaseSamplerV2,
    shots: int,
    seed: int,
    pass_manager: PassManager | None,
    self_test: bool,
) -> list[Result]:
    manager = _sampler_pass_manager(sampler, seed) if pass_manager is None else pass_manager
    name = type(sampler).__name__

    def run_all(runs: Sequence[Run], shots: int) -> list[Result]:
        circuits = _compile([circuit for run in runs for circuit in run.circuits], manager)
        answers = _sample(circuits, sampler, shots)
        return [replace(result, backend=name) for result in results_of(runs, answers, seed)]

    if self_test:
        require_self_test(sampler, name, lambda e, n: run_all([Run(e)], n)[0])
    return run_all(runs, shots)


def _sample(
    circuits: Sequence[QuantumCircuit], sampler: BaseSamplerV2, shots: int
) -> list[Measured]:
    name = type(sampler).__name__
    try:
        answers = list(sampler.run([(circuit,) for circuit in circuits], shots=shots).result())
    except Exception as error:
        raise ExecutionError(f"{name} failed: {scrub(one_line(error))}") from error
    if len(answers) != len(circuits):
        raise ExecutionError(f"{name} returned {len(answers)} results for {len(circuits)}")
    return answers


def _on_backend(
    runs: Sequence[Run],
    backend: BackendV2,
    shots: int,
    seed: int,
    pass_manager: PassManager | None,
    self_test: bool,
) -> list[Result]:
    name = backend_name(backend)
    manager = _backend_pass_manager(backend, seed) if pass_manager is None else pass_manager

    def run_all(runs: Sequence[Run], shots: int) -> list[Result]:
        circuits = _compile([circuit for run in runs for circuit in run.circuits], manager)
        answers = run_on_backend(circuits, backend, shots=shots, seed=_simulator_seed(seed))
        results = results_of(runs, answers, seed)
        return [replace(result, backend=name, seed=seed) for result in results]

    if self_test and not ibm.is_hardware(backend):
        require_self_test(backend, f"backend {name!r}", lambda e, n: run_all([Run(e)], n)[0])
    return run_all(runs, shots)


def _compile(circuits: Sequence[QuantumCircuit], pass_manager: PassManager) -> list[QuantumCircuit]:
    try:
        return list(pass_manager.run(list(circuits)))
    except Exception as error:
        raise ExecutionError(f"the circuits could not be transpiled: {one_line(error)}") from error


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
    """Returns what makes circuits of gates that every simulator knows.

    A preset one would do the same, but first load every plugin of the transpiler that is installed.
    """
    basis = [*_AER_BASIS, "measure"]
    return PassManager(
        [
            UnrollCustomDefinitions(SessionEquivalenceLibrary, basis_gates=basis),
            BasisTranslator(SessionEquivalenceLibrary, basis),
            Optimize1qGatesDecomposition(basis=basis),
        ]
    )


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
