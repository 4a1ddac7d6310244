"""``qttt play``: a game between two players."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

from ..errors import OptionError, RecordError
from ..game import Game
from ..games import Side
from ..moves import Move
from ..players import Limit, Player, player
from ..randomness import as_seed
from .arguments import (
    HELP,
    MovesCommand,
    backend_option,
    json_option,
    moves_argument,
    named_options,
    options_option,
    print_json,
    read_game,
    read_record,
)

MOST_PLIES = 1000


@click.command(cls=MovesCommand, context_settings=HELP)
@moves_argument
@options_option
@click.option("--record", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Keep the game's record here, and go on from it if there is one.")  # fmt: skip
@click.option("--x", "--cat", "first", metavar="KIND", default="random", show_default=True,
              help="Who plays X, or the cat: random, search or perfect.")  # fmt: skip
@click.option("--o", "--hounds", "second", metavar="KIND", default="random", show_default=True,
              help="Who plays O, or the hounds.")  # fmt: skip
@click.option("--depth", type=click.IntRange(min=1), default=2, show_default=True, metavar="N",
              help="How many moves search looks ahead.")  # fmt: skip
@click.option("--seed", type=int, metavar="N", help="Drawn and reported if not given.")
@click.option("--max-plies", type=click.IntRange(min=1), default=MOST_PLIES, show_default=True,
              metavar="N", help="Stop a game that has not ended by then.")  # fmt: skip
@backend_option
@json_option
def play(
    moves: tuple[str, ...],
    options: tuple[str, ...],
    record: Path | None,
    first: str,
    second: str,
    depth: int,
    seed: int | None,
    max_plies: int,
    backend: str,
    as_json: bool,
) -> None:
    """Play a game between two players, from a position to its end.

    What must be observed is observed on the backend; the first accepted shot counts.
    """
    game = _start(moves, options, record)
    seed = as_seed(seed)
    players = {
        side: player(kind, seed + number)
        for number, (side, kind) in enumerate(zip(game.rules.sides, (first, second), strict=True))
    }
    if not as_json:
        click.echo(str(game))
    for ply in range(max_plies):
        if game.outcome() is not None:
            break
        move = _ply(game, players, Limit(depth), seed + ply, backend)
        if record is not None:
            _write(game, record)
        if not as_json:
            click.echo(move)
    if as_json:
        print_json(_document(game, seed))
        return
    click.echo(str(game))
    if game.outcome() is None:
        click.echo(f"stopped after {max_plies} plies")
    click.echo(f"seed {seed}")


def _start(moves: tuple[str, ...], options: tuple[str, ...], record: Path | None) -> Game:
    """Returns the game to play: the one in the record, if there is one."""
    if record is None or not record.exists():
        return read_game(moves, None, named_options(options))
    game = read_record(record)
    if moves:
        asked = read_game(moves, None, named_options(options))
        if asked.rules != game.rules or asked.history != game.history[: len(asked.history)]:
            raise OptionError(f"{record} holds another game, {game.text()}: name another file")
    return game


def _ply(game: Game, players: dict[Side, Player], limit: Limit, seed: int, backend: str) -> str:
    """Makes one move or observation and returns it in words."""
    if game.observation_due:
        return f"observed: {game.observe(backend=backend, seed=seed)}"
    turn = game.turn
    assert turn is not None
    move: Move = players[turn].choose(game, limit).move
    game.push(move)
    return f"{turn}: {move}"


def _write(game: Game, path: Path) -> None:
    """Writes a game's record in one step, so that the file always holds a whole one."""
    fresh = path.with_name(f".{path.name}.new")
    try:
        fresh.write_text(json.dumps(game.record()) + "\n", encoding="utf-8")
        os.replace(fresh, path)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from error


def _document(game: Game, seed: int) -> dict[str, Any]:
    outcome = game.outcome()
    ended = None
    if outcome is not None:
        ended = {
            "winner": outcome.winner,
            "scores": dict(outcome.scores),
            "reason": outcome.reason,
        }
    return {
        "rules": game.rules.name,
        "moves": [str(move) for move in game.history],
        "turn": game.turn,
        "outcome": ended,
        "board": game.observed,
        "seed": seed,
        "record": game.record(),
    }
