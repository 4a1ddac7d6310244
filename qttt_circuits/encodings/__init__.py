"""Qutrit encodings, one file each: how E, X and O are held in qubits, and a gate for each map.

`encoding(name)` finds one by name. The modules of this package register themselves when they are
looked for; `register_encoding` adds one from anywhere else.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..errors import UnknownNameError
from .base import Encoding, register_encoding, registered

__all__ = ["Encoding", "encoding", "encodings", "register_encoding"]


@cache
def _load() -> None:
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")


def encodings() -> dict[str, Encoding]:
    """Returns the encodings by name."""
    _load()
    return dict(sorted(registered.items()))


def encoding(name: str) -> Encoding:
    """Returns an encoding.

    Raises:
        UnknownNameError: If there is none of this name.
    """
    known = encodings()
    if not isinstance(name, str) or name not in known:
        raise UnknownNameError("encoding", name, known)
    return known[name]
