"""`submit`: from a position to a run that is recorded, and then submitted or simulated."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from qiskit.providers import BackendV2

from .. import ibm
from ..adapter import backend_name, require_room
from ..backends import Aer, resolve
from ..distribution import distribution_to_json
from ..errors import OptionError, QtttError
from ..execution import check_shots, generic_pass_manager
from ..experiment import Experiment
from ..measured import registers_of
from ..mitigation import calibration_circuits
from ..placement import Placement, place
from ..randomness import Seed, as_seed
from . import cloud
from .job import Job
from .record import PREPARED, JobRecord, dump_circuit, new_run_id, now
from .store import Store, as_store

if TYPE_CHECKING:
    from ..game import Game

_PACKAGES = ("qttt-circuits", "qiskit", "qiskit-aer", "qiskit-ibm-runtime")


def submit(
    game: Game,
    *,
    backend: BackendV2 | str,
    shots: int,
    seed: Seed = None,
    readout: bool = False,
    suppress: tuple[str, ...] = (),
    max_seconds: int | None = None,
    store: Store | str | Path | None = None,
    **options: Any,
) -> Job:
    """Records a run of a position and submits it; a local one is run at once.

    Args:
        game: The position.
        backend: A backend or its name.
        shots: Shots.
        seed: A seed or generator for layouts and local simulators.
        readout: Whether to calibrate the readout in the same job.
        suppress: ``dd`` and ``twirling``, on IBM's devices.
        max_seconds: The most device time that the job may take.
        store: Where to keep the record: a store or its directory.
        **options: How to compile; see `Game.experiment`.

    Raises:
        OptionError: If the position has nothing to run or an option cannot be used.
        ExecutionError: If the backend cannot run it, or submitting failed.
        StoreError: If the record cannot be written; then nothing is submitted.
    """
    store = as_store(store)
    shots, seed = check_shots(shots), as_seed(seed)
    unknown = [s for s in suppress if s not in ibm.SUPPRESSIONS]
    if unknown:
        raise OptionError(f"--suppress takes {' and '.join(ibm.SUPPRESSIONS)}, not {unknown[0]!r}")
    experiment = game.experiment(**options)
    if not experiment.circuit.num_qubits:
        raise OptionError(f"{game.text()} holds nothing in superposition: there is nothing to run")
    if not isinstance(backend, str | BackendV2):
        raise OptionError(f"a run needs a backend or its name, not a {type(backend).__name__}")
    chosen = resolve(backend) if isinstance(backend, str) else backend
    device = chosen if isinstance(chosen, BackendV2) and ibm.is_hardware(chosen) else None
    if device is None and (suppress or max_seconds is not None):
        raise OptionError("error suppression and a cap on device time are for IBM's devices")
    if isinstance(backend, BackendV2) and device is None:
        _require_found_by_name(backend)
    record = _record(game, experiment, chosen, shots, seed, readout=readout)
    if device is not None:
        salt = token_hex(8)
        record = replace(
            record,
            suppress=tuple(suppress),
            max_seconds=max_seconds,
            salt=salt,
            instance=cloud.instance_hash(device.service, salt),
        )
    job = Job(store.save(record), store)
    if device is not None:
        job.send(device)
    else:
        job.run_local()
    return job


def _require_found_by_name(backend: BackendV2) -> None:
    """Raises an error unless a record would find the very same kind of backend by its name."""
    name = backend_name(backend)
    try:
        same = type(resolve(name)) is type(backend)
    except QtttError:
        same = False
    if not same:
        raise OptionError(
            f"a run finds its backend again by its name, and {name!r} does not lead to this one: "
            "use a name that 'qttt backends' lists, or sample(backend=…), which takes any"
        )


def _record(
    game: Game,
    experiment: Experiment,
    backend: Aer | BackendV2,
    shots: int,
    seed: int,
    *,
    readout: bool,
) -> JobRecord:
    if isinstance(backend, Aer):
        if readout:
            raise OptionError("Aer without noise has no readout to mitigate")
        circuit = generic_pass_manager().run(experiment.circuit)
        placement = Placement(circuit, tuple(range(circuit.num_clbits)), None)
        in_parts = backend.in_parts(circuit.num_qubits)
        simulated = [part.circuit for part in experiment.parts] if in_parts else [circuit]
        name = f"aer:{backend.method_for(max(c.num_qubits for c in simulated))}"
        calibrated: tuple[int, ...] = ()
        circuits = [circuit]
    else:
        require_room([experiment], backend)
        [placement] = place([experiment.circuit], backend, seed=seed)
        name = backend_name(backend)
        calibrated = tuple(sorted(set(placement.qubits))) if readout else ()
        circuits = [placement.circuit]
        if readout:
            circuits += calibration_circuits(calibrated, backend)
    return JobRecord(
        run_id=new_run_id(),
        created=now(),
        status=PREPARED,
        backend=name,
        game=game.record(),
        experiment={
            "settings": dict(experiment.settings),
            "decoder": experiment.decoder.to_json(),
            "distribution": distribution_to_json(experiment.distribution),
            "predicted_acceptance": experiment.predicted_acceptance,
        },
        shots=shots,
        seed=seed,
        circuits=tuple(map(dump_circuit, circuits)),
        registers=registers_of(experiment.circuit),
        qubits=placement.qubits,
        calibrated=calibrated,
        fidelity=placement.fidelity,
        versions={package: _version(package) for package in _PACKAGES},
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
