"""What a study is: everything that its games follow from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import OptionError, UnknownNameError
from ..games import Rules
from ..games import rules as rules_named
from ..players import Limit, all_players, player
from ..players.human import HumanPlayer
from ..randomness import Seed, as_seed

GAMES = 1000
MAX_PLIES = 200
LIMIT = Limit()


@dataclass(frozen=True, init=False)
class Study:
    """Games between two players.

    Args:
        rules: The rule set, by name or as it is.
        players: The kind of player of the game's first side and that of the other.
        games: How many games.
        seed: The seed of everything random; None draws one.
        max_plies: The most moves and observations of a game; one that has not ended is unfinished.
        limit: How much players may think about a move. It limits no time, or games would differ.
        swap: Whether the players exchange sides in every second game.

    Attributes:
        rules: The rule set.
        players: The kinds of players.
        games: How many games.
        seed: The seed.
        max_plies: The most moves and observations of a game.
        limit: How much players may think about a move.
        swap: Whether the players exchange sides in every second game.

    Raises:
        UnknownNameError: If there is no such rule set or player.
        OptionError: If a setting cannot be used, or a player does not play the game.
    """

    rules: Rules[Any]
    players: tuple[str, str]
    games: int
    seed: int
    max_plies: int
    limit: Limit
    swap: bool

    def __init__(
        self,
        rules: str | Rules[Any],
        players: Sequence[str] = ("random", "random"),
        *,
        games: int = GAMES,
        seed: Seed = None,
        max_plies: int = MAX_PLIES,
        limit: Limit = LIMIT,
        swap: bool = False,
    ) -> None:
        settings = {
            "rules": rules if isinstance(rules, Rules) else rules_named(rules),
            "players": _pair(players),
            "games": _count("games", games),
            "seed": as_seed(seed),
            "max_plies": _count("max_plies", max_plies),
            "limit": _checked(limit),
            "swap": swap,
        }
        if not isinstance(swap, bool):
            raise OptionError(f"swap is True or False, not {swap!r}")
        for name, value in settings.items():
            object.__setattr__(self, name, value)
        for kind in self.players:
            refuse(kind, self.rules)

    def swapped(self, number: int) -> bool:
        """Whether the players have exchanged sides in a game, games being numbered from 0."""
        return self.swap and number % 2 == 1

    @property
    def labels(self) -> tuple[str, str]:
        """What the players are called: their kinds, numbered if both are of one kind."""
        first, second = self.players
        return (f"{first} 1", f"{second} 2") if first == second else (first, second)

    def to_json(self) -> dict[str, Any]:
        """Returns the settings as JSON-able data."""
        return {
            "rules": self.rules.name,
            "options": dict(self.rules.options),
            "players": list(self.players),
            "games": self.games,
            "seed": self.seed,
            "max_plies": self.max_plies,
            "depth": self.limit.depth,
            "nodes": self.limit.nodes,
            "swap": self.swap,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Study:
        """Returns the study that JSON data describe.

        Raises:
            QtttError: If a setting cannot be used.
            KeyError: If one is missing.
            TypeError: If one is something else than a setting of this kind can be.
        """
        if type(data["seed"]) is not int:  # None would draw one
            raise OptionError(f"a seed is an integer from 0 on, not {data['seed']!r}")
        return cls(
            rules_named(data["rules"], **data["options"]),
            data["players"],
            games=data["games"],
            seed=data["seed"],
            max_plies=data["max_plies"],
            limit=Limit(data["depth"], data["nodes"]),
            swap=data["swap"],
        )


def refuse(kind: str, rules: Rules[Any]) -> None:
    """Raises an error if a kind of player cannot play a game by itself.

    Raises:
        UnknownNameError: If there is no such kind.
        OptionError: If it does not play this game, or asks a person.
    """
    if kind == HumanPlayer.name:
        raise OptionError(f"{kind} does not play in a study, where nobody is asked")
    known = all_players().keys() - {HumanPlayer.name}
    if not isinstance(kind, str) or kind not in known:
        raise UnknownNameError("player", kind, known)
    reason = player(kind, 0).refusal(rules)
    if reason is not None:
        raise OptionError(f"{kind} does not play this game: {reason}")


def _pair(players: Sequence[str]) -> tuple[str, str]:
    if isinstance(players, str) or not isinstance(players, Sequence) or len(players) != 2:
        raise OptionError(f"a study has two players, such as ('search', 'random'), not {players!r}")
    first, second = players
    return first, second


def _count(name: str, value: int) -> int:
    if type(value) is not int or value < 1:
        raise OptionError(f"{name} is an integer from 1 on, not {value!r}")
    return value


def _checked(limit: Limit) -> Limit:
    if not isinstance(limit, Limit):
        raise OptionError(f"limit is a Limit, not {limit!r}")
    if limit.seconds is not None:
        raise OptionError("a study limits depth and nodes: games that time limits would differ")
    _count("depth", limit.depth)
    if limit.nodes is not None:
        _count("nodes", limit.nodes)
    return limit
