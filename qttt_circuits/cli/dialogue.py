"""What a person can type while playing, besides moves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random

import click

from ..errors import QtttError
from ..game import Game
from ..players import Limit
from ..players.human import HumanPlayer
from ..players.search import SearchPlayer
from ..position import Position

HELP = """\
? or moves      the legal moves
hint            what a search of two moves would play
board           the board again
probabilities   what an observation would show, and how likely
circuit         the circuit of the position
undo            take back your last move and what followed
help            this list
quit            stop; end of input does the same"""
MOST_LINES = 20
"""The most outcomes that are listed."""


class Undo(Exception):  # noqa: N818 - what a person asks for, not an error
    """The person takes back a move."""


class Quit(Exception):  # noqa: N818
    """The person stops playing."""


class Dialogue:
    """Reads what a person types, and answers all that is no move.

    Args:
        game: The game.
        say: Prints to the person.
    """

    def __init__(self, game: Game, say: Callable[[str], None]) -> None:
        self._game, self._say = game, say
        self._commands: dict[str, Callable[[], str]] = {
            "?": self._moves,
            "moves": self._moves,
            "hint": self._hint,
            "board": self._board,
            "probabilities": self._probabilities,
            "circuit": self._circuit,
            "help": self._help,
        }

    def player(self, rng: Random) -> HumanPlayer:
        """Returns a player who types here."""
        return HumanPlayer(rng, self.read, self._say)

    def read(self, position: Position) -> str:
        """Returns what was typed that may be a move.

        Raises:
            Undo: If a move is taken back.
            Quit: If the person stops, or the input has ended.
        """
        while True:
            self._prompt(f"{position.turn}> ")
            try:
                typed = sys.stdin.readline()
            except UnicodeDecodeError:
                self._say("that is no text")
                continue
            text = typed.strip()
            if not typed or text in ("quit", "exit", "q"):
                raise Quit
            if text == "undo":
                raise Undo
            if text and text not in self._commands:
                return text
            try:
                self._say(self._commands.get(text, self._help)())
            except QtttError as error:
                self._say(str(error))

    def _prompt(self, text: str) -> None:
        click.echo(text, nl=False, err=True)

    def _board(self) -> str:
        return str(self._game)

    def _circuit(self) -> str:
        return str(self._game.circuit().draw("text", fold=100))

    def _help(self) -> str:
        return HELP

    def _moves(self) -> str:
        return " ".join(map(str, self._game.legal_moves))

    def _hint(self) -> str:
        hint = self._game.rules.hint(self._game.table)
        choice = SearchPlayer(Random(0)).choose(self._game, Limit(depth=2))
        return "\n".join(filter(None, [f"search would play {choice.move}", hint]))

    def _probabilities(self) -> str:
        found = sorted(self._game.probabilities().items(), key=lambda item: -item[1])
        lines = [f"{outcome or 'nothing'}  {p:.4f}" for outcome, p in found[:MOST_LINES]]
        if len(found) > MOST_LINES:
            rest = sum(p for _, p in found[MOST_LINES:])
            lines.append(f"and {len(found) - MOST_LINES} more, {rest:.4f} together")
        return "\n".join(lines) or "nothing to observe"
