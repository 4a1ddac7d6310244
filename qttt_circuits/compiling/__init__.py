"""From a position to an experiment, one file a kind of game.

A rule set names the module here that makes its circuits. Such a module has a class ``Options``, a
dataclass of what can be chosen, each with its default, and ``compile_position(position, options)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from typing import TYPE_CHECKING

from ..errors import OptionError, did_you_mean

if TYPE_CHECKING:
    from ..experiment import Experiment
    from ..position import Position


def compile_position(position: Position, options: Mapping[str, object]) -> Experiment:
    """Returns the experiment of observing a position.

    Args:
        position: The position.
        options: How to compile it, by name; what is not named has the game's default.

    Raises:
        OptionError: If the game's circuits have no such option, or it cannot have that value.
    """
    module = import_module(f".{position.rules.circuits}", __name__)
    known = [field.name for field in fields(module.Options)]
    for name in options:
        if name not in known:
            raise OptionError(
                f"circuits of {position.rules.name} have no option {name!r}"
                f"{did_you_mean(name, known)}"
            )
    experiment: Experiment = module.compile_position(position, module.Options(**options))
    return experiment
