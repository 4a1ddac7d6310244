"""The backends: snapshots of real devices that come with the client library."""

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

SNAPSHOTS = {"ibm_torino": "torino", "ibm_fez": "fez"}
"""Names of the snapshots of the backends that can be had."""


@cache
def snapshot(backend: str, part: str) -> dict[str, Any]:
    """Reads a file of a snapshot, without importing the client library.

    Args:
        backend: The name of the backend.
        part: ``conf`` or ``props``.
    """
    spec = find_spec("qiskit_ibm_runtime")
    if spec is None or spec.origin is None:
        raise RuntimeError("qiskit-ibm-runtime is not installed")
    name = SNAPSHOTS[backend]
    folder = Path(spec.origin).parent / "fake_provider" / "backends" / name
    read: dict[str, Any] = json.loads((folder / f"{part}_{name}.json").read_text())
    return read | {"backend_name": backend}


def listed(backends: tuple[str, ...], queued: dict[str, int]) -> dict[str, Any]:
    """Returns the list of backends.

    Args:
        backends: Their names.
        queued: How many jobs wait for each.
    """
    devices = []
    for backend in backends:
        configuration = snapshot(backend, "conf")
        devices.append(
            {
                "name": backend,
                "status": {"name": "online", "reason": "available"},
                "is_simulator": False,
                "qubits": configuration["n_qubits"],
                "queue_length": queued.get(backend, 0),
                "processor_type": configuration["processor_type"],
            }
        )
    return {"devices": devices}


def status(backend: str, queued: int) -> dict[str, Any]:
    """Returns the status of a backend.

    Args:
        backend: Its name.
        queued: How many jobs wait for it.
    """
    return {
        "state": True,
        "status": "active",
        "message": "",
        "length_queue": queued,
        "backend_version": snapshot(backend, "conf")["backend_version"],
    }
