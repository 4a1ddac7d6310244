"""What the documents claim, one file a kind of game: numbers typed from them and not computed.

A module here has ``CLAIMS``, about observing positions, or ``FACTS``, about what the rules decide,
or both; every module of this package is looked through for them.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from .base import Claim, Fact, Split
from .row import NUMERICAL, STANDARD_ERRORS, Row

__all__ = ["CLAIMS", "FACTS", "NUMERICAL", "STANDARD_ERRORS", "Claim", "Fact", "Row", "Split"]

_modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]

CLAIMS: tuple[Claim, ...] = tuple(c for module in _modules for c in getattr(module, "CLAIMS", ()))
FACTS: tuple[Fact, ...] = tuple(f for module in _modules for f in getattr(module, "FACTS", ()))
