"""Decoders, one file a kind: what measured bits mean.

`decoder_from_json` finds a kind by its name; every module of this package is looked through.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from .base import Ancilla, Decoder, Factor, Reading, Vector, registered, require_width

__all__ = [
    "Ancilla",
    "Decoder",
    "Factor",
    "Reading",
    "Vector",
    "decoder_from_json",
    "require_width",
]


@cache
def _load() -> None:
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")


def decoder_from_json(data: Mapping[str, Any]) -> Decoder:
    """Returns the decoder that JSON data describe.

    Raises:
        ValueError: If they describe none.
        KeyError: If a part is missing.
        TypeError: If a part is of the wrong kind.
    """
    _load()
    if data["kind"] not in registered:
        raise ValueError(f"a decoder of kind {data['kind']!r}")
    try:
        return registered[data["kind"]].from_json(data)
    except AttributeError as error:  # a part that is no mapping or no text
        raise ValueError(f"a decoder of which a part is damaged: {error}") from error
