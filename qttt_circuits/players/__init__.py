"""Players, one file a kind. A new player is a new module here that defines a `Player` class."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..errors import UnknownNameError
from ..randomness import Seed, as_generator
from .base import Choice, Limit, Player, registered

__all__ = ["Choice", "Limit", "Player", "all_players", "player"]


@cache
def _load() -> None:
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")


def all_players() -> dict[str, type[Player]]:
    """Returns the kinds of players by name."""
    _load()
    return dict(sorted(registered.items()))


def player(name: str, seed: Seed = None) -> Player:
    """Returns a player.

    Args:
        name: The kind of player.
        seed: A seed or generator for its randomness; None draws one.

    Raises:
        UnknownNameError: If there is no such kind.
    """
    known = all_players()
    if not isinstance(name, str) or name not in known:
        raise UnknownNameError("player", name, known)
    return known[name](as_generator(seed))
