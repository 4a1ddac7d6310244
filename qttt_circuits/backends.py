"""Backends by name: ``aer``, ``aer:METHOD``, ``fake_NAME``, or a device of an IBM account."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from qiskit.providers import BackendV2

from .errors import UnknownNameError

AER_METHODS = ("automatic", "density_matrix", "matrix_product_state", "statevector")
DENSE_QUBITS = 20
"""From this many qubits on, Aer simulates a circuit in its parts, and what is still as large by
matrix product states instead of a state vector."""

_AER = ("aer", *(f"aer:{method}" for method in AER_METHODS))


@dataclass(frozen=True)
class Aer:
    """Aer without noise.

    Attributes:
        method: The simulation method; empty to choose it by the number of qubits.
    """

    method: str = ""

    def method_for(self, qubits: int) -> str:
        """Returns the method for a circuit of so many qubits."""
        if self.method:
            return self.method
        return "statevector" if qubits < DENSE_QUBITS else "matrix_product_state"

    @staticmethod
    def in_parts(qubits: int) -> bool:
        """Whether a circuit of so many qubits is simulated in its parts.

        Below, one state vector of them all costs less than a circuit for each part.
        """
        return qubits >= DENSE_QUBITS


def resolve(name: str) -> Aer | BackendV2:
    """Returns what a name stands for.

    Args:
        name: ``aer``, ``aer:METHOD``, ``fake_NAME`` for one of IBM's noise snapshots, which run
            offline, or the name of a device that the saved IBM account can use.

    Raises:
        UnknownNameError: If there is nothing of that name; the nearest name is offered.
        MissingExtraError: If the name needs the extra ``ibm``.
        ExecutionError: If an account or a service cannot be reached.
    """
    if not isinstance(name, str):
        raise UnknownNameError("backend", name, _AER)
    if name in _AER:
        return Aer(name.removeprefix("aer").removeprefix(":"))
    from . import ibm

    if name.startswith("fake_"):
        return ibm.fake_backend(name)
    if not name or name.startswith("aer:") or get_close_matches(name.lower(), _AER, cutoff=0.6):
        raise UnknownNameError("backend", name, _AER)
    if get_close_matches(name.lower(), ibm.fake_names(), cutoff=0.75):
        raise UnknownNameError("backend", name, ibm.fake_names())
    return ibm.backend(name)
