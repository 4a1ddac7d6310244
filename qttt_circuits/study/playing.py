"""Playing the games of a study; this is what workers do."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from threading import local
from time import perf_counter

from .. import __version__
from ..errors import ExecutionError, QtttError
from ..moves import Observation
from ..players import Player, player
from ..position import Position
from .record import UNFINISHED, GameRecord
from .settings import Study

_kept = local()
"""The players that a thread had in its last game. What they have worked out serves them again."""


def play_games(
    study: Study, numbers: Sequence[int], version: str
) -> tuple[list[GameRecord], float]:
    """Plays some games of a study and returns them, and how many seconds that took.

    Args:
        study: The study.
        numbers: The numbers of the games.
        version: The version of the program that counts them, which must be this one.

    Raises:
        ExecutionError: If a game cannot be played.
    """
    if version != __version__:
        raise ExecutionError(
            f"a worker runs version {__version__} of the program and not {version}, as the study "
            f"does: install the same everywhere"
        )
    start = perf_counter()
    return [play_game(study, number) for number in numbers], perf_counter() - start


def play_game(study: Study, number: int) -> GameRecord:
    """Plays a game. All that is random in it comes from the study's seed and the game's number.

    Args:
        study: The study.
        number: The number of the game, from 0.

    Raises:
        ExecutionError: If it cannot be played to its end.
    """
    try:
        return _played(study, number)
    except QtttError as error:
        raise ExecutionError(f"game {number} of the study fails: {error}") from error


def _played(study: Study, number: int) -> GameRecord:
    rules, seats = study.rules, _seats(study)
    for index, seated in enumerate(seats):
        seated.rng.seed(f"{study.seed} {number} player {index}")
    rng = Random(f"{study.seed} {number} observations")
    turned = seats[::-1] if study.swapped(number) else seats
    by_side = dict(zip(rules.sides, turned, strict=True))
    position, plies = Position(rules), 0
    while position.outcome() is None and plies < study.max_plies:
        if position.observation_due:
            position.push(Observation(rules.sample(position.table, rng)))
        else:
            position.push(by_side[rules.turn(position.table)].choose(position, study.limit).move)
        plies += 1
    outcome, moves = position.outcome(), tuple(map(str, position.history))
    if outcome is None:
        return GameRecord(number, moves, None, None, UNFINISHED)
    scores = {side: float(score) for side, score in outcome.scores.items()}
    return GameRecord(number, moves, outcome.winner, scores, outcome.reason)


def _seats(study: Study) -> tuple[Player, ...]:
    wanted = study.rules, study.players
    if getattr(_kept, "wanted", None) != wanted:
        _kept.wanted, _kept.seats = wanted, tuple(player(kind, 0) for kind in study.players)
    seats: tuple[Player, ...] = _kept.seats
    return seats
