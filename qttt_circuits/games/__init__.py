"""The rule sets, one file a game. A new game is a new module here that defines a `Rules` class.

`rules(name)` finds a game by name; every module of this package is looked through for them.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from ..errors import UnknownNameError
from .base import Outcome, Rules, Side, registered

__all__ = ["Outcome", "Rules", "Side", "all_rules", "rules"]


@cache
def _load() -> None:
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")


def all_rules() -> dict[str, type[Rules[Any]]]:
    """Returns the rule sets by name."""
    _load()
    return dict(sorted(registered.items()))


def rules(name: str, /, **options: object) -> Rules[Any]:
    """Returns the rules of a game.

    Args:
        name: The name of the rule set.
        **options: Its options; see the class for those there are.

    Raises:
        UnknownNameError: If there is no such rule set or option.
        OptionError: If an option has a value it cannot have.
    """
    known = all_rules()
    if not isinstance(name, str) or name not in known:
        raise UnknownNameError("rule set", name, known)
    return known[name](**options)
