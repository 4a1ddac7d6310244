"""Compiling the search with numba where it is installed; it runs as plain Python as well."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

try:
    _NJIT: Any = import_module("numba").njit
except ImportError:
    _NJIT = None

COMPILED = _NJIT is not None
"""Whether numba is there."""


def compiled(function: F) -> F:
    """Returns a function that is compiled when it is first called; without numba as it is."""
    if not COMPILED:
        return function
    made: F
    try:
        made = _NJIT(cache=True, error_model="numpy")(function)
    except RuntimeError:  # there is nowhere to keep what was compiled
        made = _NJIT(error_model="numpy")(function)
    return made
