"""What document 001 says of Goff's game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..board import Mark
from ..game import Game
from ..games import rules
from .base import Claim, Fact
from .row import number

EXAMPLE = "5,8 5,9 5,6 6,8"
ONE_WAY, OTHER_WAY = "5=X3,6=O4,8=X1,9=O2", "5=X1,6=X3,8=O4,9=O2"


@dataclass(frozen=True)
class AssignmentClaim(Claim):
    """What a document says of a position of Goff's game.

    Attributes:
        projected: The acceptance of the circuit that leaves exclusivity to post-selection.
    """

    projected: str = "1"

    def circuits(self, encodings: Sequence[str]) -> Mapping[str, Mapping[str, object]]:
        """Returns both circuits."""
        return {circuit: {"circuit": circuit} for circuit in ("direct", "projected")}

    def acceptance(self, circuit: str) -> str:
        """Returns 1 or the acceptance of the projected circuit."""
        return self.projected if circuit == "projected" else self.success

    def overlap(self, circuit: str) -> str:
        """Returns 1, or the acceptance where nothing but the moves' qubits tells it."""
        return self.acceptance(circuit)


def _equal(*outcomes: str) -> dict[str, str]:
    return dict.fromkeys(outcomes, f"1/{len(outcomes)}")


def _roots(*outcomes: str) -> dict[str, str]:
    return dict.fromkeys(outcomes, f"1/sqrt({len(outcomes)})")


CLAIMS: tuple[Claim, ...] = (
    AssignmentClaim(
        "goff-example",
        "001, worked example",
        "goff",
        EXAMPLE,
        _equal(ONE_WAY, OTHER_WAY),
        _roots(ONE_WAY, OTHER_WAY),
        projected="2/2**4",
    ),
    AssignmentClaim(
        "goff-example-before",
        "001, worked example",
        "goff",
        "5,8 5,9 5,6",
        _equal("5=X1,6=X3,9=O2", "5=O2,6=X3,8=X1", "5=X3,8=X1,9=O2", "6=X3,8=X1,9=O2"),
        _roots("5=X1,6=X3,9=O2", "5=O2,6=X3,8=X1", "5=X3,8=X1,9=O2", "6=X3,8=X1,9=O2"),
        projected="4/2**3",
    ),
    AssignmentClaim(
        "goff-two-cycle",
        "001, cycles of two",
        "goff",
        "4,7 4,7",
        _equal("4=X1,7=O2", "4=O2,7=X1"),
        _roots("4=X1,7=O2", "4=O2,7=X1"),
        projected="2/2**2",
    ),
)


@dataclass(frozen=True)
class _Score:
    """Works out a player's score at the end of a game."""

    moves: str
    player: Mark
    options: Mapping[str, str]

    def __call__(self) -> object:
        outcome = _play(self.moves, self.options).outcome()
        return number("-1" if outcome is None else str(outcome.scores[self.player]))


@dataclass(frozen=True)
class _Board:
    """Works out whether a choice leaves the board that the document shows."""

    moves: str
    board: str

    def __call__(self) -> int:
        return int(_play(self.moves, {}).observed == self.board)


def _play(moves: str, options: Mapping[str, str]) -> Game:
    game = Game(rules("goff", **options))
    for move in moves.split():
        game.push(move)
    return game


FINAL = f"{EXAMPLE} 5=X1 4,7 4,7 4=X5"
TIE = "4,9 1,7 5,7 1,3 4,7 2,8 3,8 3,5 1=O2"
SUM, MAX = {"tie_break": "sum"}, {"tie_break": "max"}


def _scores(
    name: str, source: str, moves: str, options: Mapping[str, str], x: str, o: str
) -> list[Fact]:
    words = f"goff {' '.join(f'{k}={v}' for k, v in options.items())} {moves}"
    players: tuple[tuple[Mark, str], ...] = (("X", x), ("O", o))
    return [
        Fact(name, source, words, f"score of {player}", score, _Score(moves, player, options))
        for player, score in players
    ]


FACTS: tuple[Fact, ...] = (
    Fact(
        "goff-choice-X3", "001, worked example, 1", f"goff {EXAMPLE} 5=X3",
        "8=X1 6=O4 9=O2 5=X3", "1", _Board(f"{EXAMPLE} 5=X3", "EEEEXOEXO"),
    ),
    Fact(
        "goff-choice-X1", "001, worked example, 2", f"goff {EXAMPLE} 5=X1",
        "5=X1 8=O4 6=X3 9=O2", "1", _Board(f"{EXAMPLE} 5=X1", "EEEEXXEOO"),
    ),
    *_scores("goff-scoring", "001, scoring example", FINAL, SUM, "1", "1/2"),
    *_scores("goff-tie-sum", "001, sum of the subscripts", TIE, SUM, "1", "1/2"),
    *_scores("goff-tie-max", "Goff 2006, largest subscript", TIE, MAX, "1/2", "1"),
)  # fmt: skip
