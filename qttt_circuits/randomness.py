"""Randomness comes from a seed or a generator that is given, and never from anywhere else."""

from __future__ import annotations

import random
from contextlib import suppress
from operator import index
from typing import Any, Protocol, runtime_checkable

from .errors import OptionError

Seed = Any
"""None, an integer from 0 on, a `random.Random` or a `numpy.random.Generator`."""


@runtime_checkable
class _HasIntegers(Protocol):
    def integers(self, low: int, high: int) -> int: ...


def as_seed(seed: Seed) -> int:
    """Returns an integer seed: the one given, or one drawn from a generator or, for None, anew.

    Raises:
        OptionError: If it is none of these.
    """
    if seed is None:
        return random.SystemRandom().getrandbits(32)
    if isinstance(seed, random.Random):
        return seed.getrandbits(32)
    if isinstance(seed, _HasIntegers) and not isinstance(seed, type):
        return int(seed.integers(0, 2**32))
    number = -1
    if not isinstance(seed, bool):
        with suppress(TypeError, ValueError):
            number = index(seed)
    if number < 0:
        raise OptionError(f"a seed is an integer from 0 on or a random generator, not {seed!r}")
    return number


def as_generator(seed: Seed) -> random.Random:
    """Returns a generator of the standard library for a seed; one of its own kind is used as it is.

    Raises:
        OptionError: If it is no seed.
    """
    return seed if isinstance(seed, random.Random) else random.Random(as_seed(seed))
