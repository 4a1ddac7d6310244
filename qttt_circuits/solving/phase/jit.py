"""Compiling the search with numba where it is installed; it runs as plain Python as well."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

try:
    _NJIT: Any = import_module("numba").njit
except ImportError:
    _NJIT = None

COMPILED = _NJIT is not None
"""Whether numba is there."""
_made: list[Any] = []
"""The compiled functions that are kept in files."""


def compiled(function: F) -> F:
    """Returns a function that is compiled when it is first called; without numba as it is."""
    if not COMPILED:
        return function
    made: F
    try:
        made = _NJIT(cache=True, error_model="numpy")(function)
        _made.append(made)
    except RuntimeError:  # there is nowhere to keep what was compiled
        made = _NJIT(error_model="numpy")(function)
    return made


def called(call: Callable[[], T]) -> T:
    """Returns what a call of compiled functions returns.

    If what was kept of them cannot be read, or there is no room to keep it, they are compiled
    without being kept.

    Args:
        call: The call; it must be possible to make it again.
    """
    try:
        return call()
    except Exception:  # a damaged file can make unpickling raise anything
        if not _made:
            raise
        for function in _made:
            function._cache = import_module("numba.core.caching").NullCache()
        _made.clear()
        return call()
