"""``qttt play``: a game between two players, of whom one or both may sit at the keyboard."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import click

from ..errors import SHORT, OptionError, shortened
from ..game import Game
from ..games import Side
from ..players import Limit, Player, player
from ..randomness import as_seed
from .arguments import (
    DEFAULT_BACKEND,
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
    write_record,
)
from .dialogue import Dialogue, Quit, Undo
from .files import output_option

MOST_PLIES = 1000
HUMAN = "human"


@click.command(cls=MovesCommand, context_settings=HELP)
@moves_argument
@options_option
@output_option("--record", help="Keep the game's record here, and go on from it if there is one.")
@click.option("--x", "--cat", "first", metavar="KIND", default=HUMAN, show_default=True,
              help="Who plays X, or the cat: human, random, search, mcts or perfect.")  # fmt: skip
@click.option("--o", "--hounds", "second", metavar="KIND", default="random", show_default=True,
              help="Who plays O, or the hounds.")  # fmt: skip
@click.option("--depth", type=click.IntRange(min=1), default=2, show_default=True, metavar="N",
              help="How many moves search looks ahead.")  # fmt: skip
@click.option("--nodes", type=click.IntRange(min=1), default=Limit.nodes, show_default=True,
              metavar="N", help="How many positions search and mcts look at.")  # fmt: skip
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
    nodes: int,
    seed: int | None,
    max_plies: int,
    backend: str,
    as_json: bool,
) -> None:
    """Play a game, from a position to its end.

    Type a move, or ? for the legal ones and help for what else there is. What must be observed is
    observed on the backend; the first accepted shot counts.
    """
    game = _start(moves, options, record)
    if backend != DEFAULT_BACKEND:
        from ..backends import resolve

        resolve(backend)  # a name that leads to no backend is refused before the game begins
    match = _Match(game, as_seed(seed), Limit(depth, nodes), backend, record, quiet=as_json)
    match.seat(first, second)
    try:
        stopped = match.play(max_plies)
    except KeyboardInterrupt:
        match.say(f"\nstopped{match.kept}")
        raise
    if as_json:
        print_json(_document(game, match.seed))
        return
    if stopped:
        click.echo(stopped)
    click.echo(f"seed {match.seed}")


class _Match:
    """A game going on between two players.

    Args:
        game: The game.
        seed: The seed of everything random.
        limit: How much players may think.
        backend: What observes.
        record: Where the record is kept, if it is.
        quiet: Whether standard output is for something else.
    """

    def __init__(
        self,
        game: Game,
        seed: int,
        limit: Limit,
        backend: str,
        record: Path | None,
        *,
        quiet: bool,
    ) -> None:
        self.game, self.seed, self.limit = game, seed, limit
        self.backend, self.record = backend, record
        self.say = partial(click.echo, err=quiet)
        self.players: dict[Side, Player] = {}
        self.humans: set[Side] = set()

    @property
    def kept(self) -> str:
        """Where the record is, in words."""
        return f"; the game is kept in {self.record}" if self.record else ""

    def seat(self, *kinds: str) -> None:
        """Seats the players, the game's first side first."""
        dialogue = Dialogue(self.game, self.say)
        for number, (side, kind) in enumerate(zip(self.game.rules.sides, kinds, strict=True)):
            if kind == HUMAN:
                self.humans.add(side)
                self.players[side] = dialogue.player(Random(self.seed + number))
            else:
                self.players[side] = player(kind, self.seed + number)
                reason = self.players[side].refusal(self.game.rules)
                if reason is not None:
                    raise OptionError(f"{kind} does not play this game: {reason}")

    def play(self, most: int) -> str:
        """Plays until the game ends and returns why it stopped before, or nothing.

        Args:
            most: The most plies to play.
        """
        self._write()
        self.say(str(self.game))
        for _ in range(most):
            if self.game.outcome() is not None:
                break
            try:
                self._ply()
            except Undo:
                self._undo()
            except Quit:
                return f"\nstopped{self.kept}"
            self._write()
        else:
            if self.game.outcome() is None:
                return f"stopped after {most} {'ply' if most == 1 else 'plies'}{self.kept}"
        if not self.humans:
            self.say(str(self.game))
        return ""

    def _ply(self) -> None:
        """Makes one move or observation and says what it was.

        Whatever is random begins anew from the seed and the number of plies, so that the same seed
        gives the same game, however it was stopped, resumed or taken back.
        """
        game = self.game
        if game.observation_due:
            found = game.observe(backend=self.backend, seed=self.seed + len(game.history))
            self.say(f"observed: {found}")
        else:
            turn = game.turn
            assert turn is not None
            self.players[turn].rng.seed(f"{self.seed} {len(game.history)}")
            move = self.players[turn].choose(game, self.limit).move
            game.push(move)
            self.say(f"{turn}: {move}")
        if self.humans:
            self.say(str(game))

    def _undo(self) -> None:
        """Takes back moves until the person is to move again; of two persons, the last move."""
        game, turn, taken = self.game, self.game.turn, 0
        alone = len(self.humans) == 1
        while game.history and (not taken or game.observation_due or (alone and game.turn != turn)):
            game.pop()
            taken += 1
        self.say(str(game) if taken else "there is nothing to take back")

    def _write(self) -> None:
        if self.record is not None:
            write_record(self.game, self.record)


def _start(moves: tuple[str, ...], options: tuple[str, ...], record: Path | None) -> Game:
    """Returns the game to play: the one in the record, if there is one."""
    if record is None or not record.exists():
        return read_game(moves, None, named_options(options))
    game = read_record(record)
    if options and not moves:
        raise OptionError("--option belongs to a rule set: name it, or leave the record's as it is")
    if moves:
        asked = read_game(moves, None, named_options(options))
        if asked.rules != game.rules or asked.history != game.history[: len(asked.history)]:
            held = f"{game.rules.title}: {' '.join(map(str, game.history)) or 'no move'}"
            raise OptionError(f"{record} holds another game, {shortened(held, SHORT)}")
    return game


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
