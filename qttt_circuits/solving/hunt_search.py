"""The search behind the solver of classical cat and hounds: every position once.

Squares are numbers, the hounds are a bit mask. Hounds never move back, so no position comes twice
and plain recursion ends.
"""

from __future__ import annotations

from collections.abc import Callable

from ..games.checkerboard import Checkerboard

CAT_TO_MOVE = 1
LONGEST = 1023
GAMES = 11
"""Packed results: the cat wins in bit 0, the plies above it, and the number of games from here."""


class Hunt:
    """Solves positions on one board; what was found stays.

    Args:
        board: The board.
        progress: Is told how many positions were solved, now and then.

    Attributes:
        numbers: The number of each square.
        positions: How many positions were solved, those that end the game included.
    """

    def __init__(self, board: Checkerboard, progress: Callable[[int], None]) -> None:
        self.numbers = {square: i for i, square in enumerate(board.row)}
        self._progress = progress
        self._around = [[self.numbers[s] for s in board.around[square]] for square in board.row]
        self._up = [[1 << self.numbers[s] for s in board.up[square]] for square in board.row]
        self._below = [
            sum(1 << self.numbers[s] for s, row in board.row.items() if row < board.row[square])
            for square in board.row
        ]
        self._known: dict[int, int] = {}

    @property
    def positions(self) -> int:
        """How many positions were solved, those that end the game included."""
        return len(self._known)

    def solve(self, cat: int, hounds: int, cat_to_move: bool) -> tuple[bool, int, int]:
        """Returns who wins, in how many plies, and how many games there are from here on.

        The winner hurries and the loser delays.

        Args:
            cat: The cat's square.
            hounds: The hounds' squares as a mask.
            cat_to_move: Whether the cat is to move.

        Returns:
            Whether the cat wins, the plies to the end, and the number of games.
        """
        found = self._solve(cat, hounds, CAT_TO_MOVE if cat_to_move else 0)
        return bool(found & 1), _plies(found), found >> GAMES

    def _solve(self, cat: int, hounds: int, turn: int) -> int:
        """Returns the number of games, plies and whether the cat wins, packed in one number."""
        key = (hounds << 10 | cat) << 1 | turn
        known = self._known.get(key)
        if known is not None:
            return known
        children, cat_wins = self._children(cat, hounds, turn)
        if children:
            wins = [child for child in children if (child & 1) == turn]
            # whoever can win does, as soon as possible, and else loses as late as possible
            best = min(wins, key=_plies) if wins else max(children, key=_plies)
            games = sum(child >> GAMES for child in children)
            known = games << GAMES | _plies(best) + 1 << 1 | best & 1
        else:
            known = 1 << GAMES | int(cat_wins)
        self._known[key] = known
        if len(self._known) % 10_000 == 0:
            self._progress(len(self._known))
        return known

    def _children(self, cat: int, hounds: int, turn: int) -> tuple[list[int], bool]:
        """Returns what follows, packed; where the game has ended nothing, and whether the cat won.

        The cat is trapped where it has no square; the hounds have lost without a move.
        """
        if not hounds & self._below[cat]:
            return [], True
        if turn == CAT_TO_MOVE:
            free = (square for square in self._around[cat] if not hounds >> square & 1)
            return [self._solve(square, hounds, 0) for square in free], False
        taken, found = hounds | 1 << cat, []
        for square, ups in enumerate(self._up):
            if hounds >> square & 1:
                found += [
                    self._solve(cat, hounds ^ (1 << square) ^ up, CAT_TO_MOVE)
                    for up in ups
                    if not taken & up
                ]
        return found, True


def _plies(packed: int) -> int:
    return packed >> 1 & LONGEST
