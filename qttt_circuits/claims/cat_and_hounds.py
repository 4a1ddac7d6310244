"""What document 004 says of cat and hounds."""

from __future__ import annotations

from dataclasses import dataclass

from ..game import Game
from ..games.branches import Table
from ..games.hunting import CatMove
from .base import Claim, Fact

NAME = "cat-and-hounds"
IN_TWO = "split:c7,e7"
IN_THREE = "c7 a1-b2 split:b6,b8,d6"
"""Left is on b6, centre on b8, right on d6."""
SPLIT_HOUND = f"{IN_THREE} b2-c3 c5,a7,e5 c1-d2 b4,b6,f6 c3-b4"
"""The hound on c3 goes to b4, where the cat of branch left is: there it stays on c3."""
UNTIL_5 = f"{SPLIT_HOUND} a5,a7,g7 e1-f2 b6,b8,h8 g1-h2 c7,a7,g7"
UNTIL_3 = f"{IN_TWO} a1-b2 b6,f6 b2-a3 c7,e7 c1-b2 b6,f6"
ALL = ("left", "centre", "right")
THIRD = "1/sqrt(3)"
MEASUREMENT, INTERFERENCE = (
    "004, quantum effects, measurement",
    "004, quantum effects, interference",
)


def _level(level: int) -> dict[str, str]:
    return {"level": str(level)}


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "split-in-two", "004, moves, levels 2 and 3", NAME, IN_TWO,
        {"left": "1/2", "right": "1/2"}, {"left": "1/sqrt(2)", "right": "1/sqrt(2)"},
        options=_level(3),
    ),
    Claim(
        "split-in-three", "004, moves, levels 4 and 5", NAME, IN_THREE,
        dict.fromkeys(ALL, "1/3"), dict.fromkeys(ALL, THIRD),
        options=_level(4),
    ),
    Claim(
        "phase-flipped", "004, moves, levels 4 and 5", NAME, f"{IN_THREE} b2-a3 a5,a7~,e5",
        dict.fromkeys(ALL, "1/3"), {"left": THIRD, "centre": f"-{THIRD}", "right": THIRD},
        options=_level(4),
    ),
    Claim(
        "constructive", INTERFERENCE, NAME, f"{IN_THREE} b2-a3 c7,c7,e5",
        {"left": "4/5", "right": "1/5"}, {"left": "2", "right": "1"},
        success="5/6", options=_level(4),
    ),
    Claim(
        "destructive", INTERFERENCE, NAME, f"{IN_THREE} b2-a3 c7,c7~,e5",
        {"right": "1"}, {"right": "1"},
        success="1/6", options=_level(4),
    ),
    Claim(
        "hound-in-superposition", "004, moves, level 5", NAME, SPLIT_HOUND,
        dict.fromkeys(ALL, "1/3"), dict.fromkeys(ALL, THIRD),
        options=_level(5),
    ),
)  # fmt: skip


def _play(moves: str, level: int) -> Game:
    game = Game(NAME, level=level)
    for move in moves.split():
        game.push(move)
    return game


@dataclass(frozen=True)
class _Turns:
    """Counts the cat's turns from a split to the measurement, none if it never becomes due."""

    moves: str
    level: int

    def __call__(self) -> int:
        game, turns = Game(NAME, level=self.level), 0
        for text in self.moves.split():
            move = game.push(text)
            if isinstance(move, CatMove):
                turns = 0 if move.split else turns + 1
            if game.observation_due:
                return turns
        return 0


@dataclass(frozen=True)
class _Left:
    """Finds whether cat and hounds are on some squares, and the cat is classical."""

    moves: str
    level: int
    cat: str
    hounds: str

    def __call__(self) -> int:
        table: Table = _play(self.moves, self.level).table
        [branch, *others] = table.branches
        found = (branch.cat, ",".join(branch.hounds))
        return int(not others and found == (self.cat, self.hounds) and table.turns is None)


def _collapse(branch: str, cat: str, hounds: str) -> Fact:
    return Fact(
        "hound-collapses", MEASUREMENT, f"{NAME} level=5 {UNTIL_5}",
        f"@{branch} leaves the cat on {cat}, hounds on {hounds}", "1",
        _Left(f"{UNTIL_5} @{branch}", 5, cat, hounds),
    )  # fmt: skip


FACTS: tuple[Fact, ...] = (
    Fact("measured-after-3", MEASUREMENT, f"{NAME} level=3 {UNTIL_3}", "turns of the cat", "3",
         _Turns(UNTIL_3, 3)),
    *(
        Fact("measured-after-5", MEASUREMENT, f"{NAME} level={level} {moves}",
             f"turns of the cat at level {level}", "5", _Turns(moves, level))
        for level, moves in ((4, UNTIL_5.replace("c3-b4", "d2-e3")), (5, UNTIL_5))
    ),
    Fact("third-becomes-classical", INTERFERENCE, f"{NAME} level=4 {IN_THREE} b2-a3 c7,c7~,e5",
         "the third cat alone, on e5", "1",
         _Left(f"{IN_THREE} b2-a3 c7,c7~,e5", 4, "e5", "a3,c1,e1,g1")),
    _collapse("left", "c7", "c3,d2,f2,h2"),
    _collapse("centre", "a7", "b4,d2,f2,h2"),
    _collapse("right", "g7", "b4,d2,f2,h2"),
)  # fmt: skip
