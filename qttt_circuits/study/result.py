"""What a study shows, so far or at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any, TypeVar

from ..errors import OptionError
from ..games import Side
from .intervals import Mean, Share
from .record import GameRecord
from .settings import Study

KeyT = TypeVar("KeyT", bound=Hashable)


@dataclass(frozen=True)
class Ending:
    """What counts of a game.

    Attributes:
        swapped: Whether the players had exchanged sides.
        finished: Whether it ended.
        winner: The side that won, if one did.
        lead: The first side's score minus the other's; 0 if it is unfinished.
        plies: How many moves and observations there were.
    """

    swapped: bool
    finished: bool
    winner: Side | None
    lead: float
    plies: int

    @classmethod
    def of(cls, game: GameRecord, study: Study) -> Ending:
        """Returns what counts of a game."""
        first, other = study.rules.sides
        lead = 0.0 if game.scores is None else game.scores[first] - game.scores[other]
        finished = game.scores is not None
        return cls(study.swapped(game.number), finished, game.winner, lead, game.plies)


@dataclass(frozen=True)
class StudyResult:
    """The games of a study, counted.

    Attributes:
        study: The study.
        endings: How many games ended in each way.
    """

    study: Study
    endings: Mapping[Ending, int]

    @property
    def played(self) -> int:
        """How many games were played."""
        return sum(self.endings.values())

    @property
    def complete(self) -> bool:
        """Whether these are all games of the study."""
        return self.played == self.study.games

    def wins(self, side: Side) -> Share:
        """Returns the games that a side won.

        Raises:
            OptionError: If the game has no such side.
        """
        if side not in self.study.rules.sides:
            raise OptionError(f"{side!r} is no side: {' or '.join(self.study.rules.sides)}")
        return self._share(lambda ending: ending.winner == side)

    def player_wins(self, index: int) -> Share:
        """Returns the games that a player won, 0 the study's first, 1 its second.

        Raises:
            OptionError: If there is no such player.
        """
        _require_player(index)
        sides = self.study.rules.sides
        return self._share(lambda ending: ending.winner == sides[index ^ ending.swapped])

    @property
    def draws(self) -> Share:
        """The games that ended without a winner."""
        return self._share(lambda ending: ending.finished and ending.winner is None)

    @property
    def unfinished(self) -> Share:
        """The games that had not ended after the most plies."""
        return self._share(lambda ending: not ending.finished)

    @property
    def lead(self) -> Mean:
        """The first side's score minus the other's; an unfinished game counts 0, like a draw."""
        return self._mean(lambda ending: ending.lead)

    def player_lead(self, index: int) -> Mean:
        """Returns a player's score minus the other's, 0 the study's first, 1 its second.

        Raises:
            OptionError: If there is no such player.
        """
        _require_player(index)
        found = self._mean(lambda ending: -ending.lead if ending.swapped else ending.lead)
        return -found if index else found

    @property
    def plies(self) -> Mapping[int, int]:
        """How many games had so many plies, by plies."""
        found = self._count(lambda ending: ending.plies)
        return dict(sorted(found.items()))

    @property
    def mean_plies(self) -> Mean:
        """The mean of the plies."""
        return Mean.of(self.plies)

    @property
    def median_plies(self) -> float:
        """The median of the plies; 0 of no games."""
        return float(median(Counter(self.plies).elements())) if self.endings else 0.0

    @property
    def longest(self) -> int:
        """The plies of the longest game; 0 of no games."""
        return max(self.plies, default=0)

    def _count(self, key: Callable[[Ending], KeyT]) -> Counter[KeyT]:
        found: Counter[KeyT] = Counter()
        for ending, games in self.endings.items():
            found[key(ending)] += games
        return found

    def _share(self, holds: Callable[[Ending], bool]) -> Share:
        return Share(self._count(holds)[True], self.played)

    def _mean(self, value: Callable[[Ending], float]) -> Mean:
        return Mean.of(self._count(value))

    def to_json(self) -> dict[str, Any]:
        """Returns the result as JSON-able data."""
        first, _ = self.study.rules.sides
        return {
            "study": self.study.to_json(),
            "played": self.played,
            "complete": self.complete,
            "wins": {side: self.wins(side).to_json() for side in self.study.rules.sides},
            "draws": self.draws.to_json(),
            "unfinished": self.unfinished.to_json(),
            "lead": {"side": first, **self.lead.to_json()},
            "players": [
                {
                    "player": label,
                    "wins": self.player_wins(index).to_json(),
                    "lead": self.player_lead(index).to_json(),
                }
                for index, label in enumerate(self.study.labels)
            ],
            "plies": {
                **self.mean_plies.to_json(),
                "median": self.median_plies,
                "longest": self.longest,
                "games": {str(plies): n for plies, n in self.plies.items()},
            },
        }


def _require_player(index: int) -> None:
    if type(index) is not int or index not in (0, 1):
        raise OptionError(f"{index!r:.60} is no player: 0 is the study's first, 1 its second")
