"""Quantum tic-tac-toe and its relatives, played on real quantum circuits.

    >>> from qttt_circuits import Game
    >>> game = Game("tiqtaqtoe")
    >>> game.push("1,2")
    DiceMove(squares=(1, 2), signs=(1, 1), player=None)

Names are imported when they are first used, so that playing does not wait for Qiskit.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .board import Board as Board
    from .encodings import Encoding as Encoding
    from .encodings import register_encoding as register_encoding
    from .errors import IllegalMoveError as IllegalMoveError
    from .errors import NoAcceptedShotsError as NoAcceptedShotsError
    from .errors import NotationError as NotationError
    from .errors import QtttError as QtttError
    from .execution import sample_many as sample_many
    from .experiment import Experiment as Experiment
    from .game import Game as Game
    from .games import Outcome as Outcome
    from .moves import DiceMove as DiceMove
    from .moves import Observation as Observation
    from .numbers import Surd as Surd
    from .result import Result as Result
    from .solving import solve as solve
    from .verification import verify as verify

__version__ = "0.1.0"

_HOMES = {
    "Board": "board",
    "DiceMove": "moves",
    "Encoding": "encodings",
    "Experiment": "experiment",
    "Game": "game",
    "IllegalMoveError": "errors",
    "NoAcceptedShotsError": "errors",
    "NotationError": "errors",
    "Observation": "moves",
    "Outcome": "games",
    "QtttError": "errors",
    "Result": "result",
    "Surd": "numbers",
    "register_encoding": "encodings",
    "sample_many": "execution",
    "solve": "solving",
    "verify": "verification",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
