"""The dice games drawn: dice are triangles, as they lie on the table, and observed marks are large.

A die points up, or down if it lies upside-down; it has its owner's colour and letter and its value.
Below it stands which move it came with: dice of one colour in the documents have one letter here,
as colours never run out. Document 000 paints the number of a cancelling die, red on a blue die and
green on an orange one; 002, where every die may lie upside-down, paints none.
"""

from __future__ import annotations

from string import ascii_lowercase

from ..board import EMPTY, Mark, O, X
from ..games.dice import DiceRules
from ..games.dice_table import Die, Table
from .picture import INK, Picture, Polygon, Text
from .squares import EDGE, FILL, SIDE, board, corner

PAINTED: dict[Mark, str] = {X: "#b3001b", O: "#0b6b2b"}
"""What a cancelling die's number is painted with, by the die's owner."""
HEIGHT = 0.87
"""The height of a triangle over its width."""


def paint(rules: DiceRules, table: Table) -> Picture:
    """Returns the board of a table."""
    names = [str(square) for square in range(1, len(table.marks) + 1)]
    picture = board(names)
    letters = moves_of(table)
    for i, (mark, dice) in enumerate(zip(table.marks, table.dice, strict=True)):
        x, y = corner(i, rules.size)
        if mark != EMPTY:
            colour = EDGE[X if mark == X else O]
            picture.add(Text(x + SIDE / 2, y + SIDE / 2, mark, size=84, colour=colour, bold=True))
        width = 52 if len(dice) > 1 else 76
        for k, die in enumerate(dice):
            middle = x + SIDE * (0.25 + 0.5 * k if len(dice) > 1 else 0.5)
            _die(picture, rules, die, letters[i][k], (middle, y + SIDE * 0.47), width)
    return picture


def notes(rules: DiceRules, table: Table) -> list[str]:
    """Returns what the small letters and the dice that point down mean, if there are any."""
    dice = [die for square in table.dice for die in square]
    lines = ["a, b, …: dice with the same letter came in one move"] if dice else []
    for owner in X, O:
        down = next((die for die in dice if die.owner == owner and die.sign < 0), None)
        if down is not None:
            colour = {X: "red", O: "green"}[owner]
            painted = f" with a {colour} number" if rules.cancelling_dice else ""
            lines.append(f"{owner} pointing down{painted}: stands for −{down.symbol}")
    return lines


def moves_of(table: Table) -> list[list[str]]:
    """Returns the letter of the move that each die came with, as the dice are ordered.

    A move onto a die moves half of it to the other square: so both of its squares hold the letter
    of the die that was met, and then its own.
    """
    letters: list[list[str]] = [[] for _ in table.dice]
    for local_map, letter in zip(table.maps, ascii_lowercase, strict=False):
        met = [old for square in local_map.squares for old in letters[square - 1]]
        for square in local_map.squares:
            letters[square - 1] = [*met, letter]
    return letters


def _die(
    picture: Picture,
    rules: DiceRules,
    die: Die,
    letter: str,
    centre: tuple[float, float],
    width: float,
) -> None:
    x, y = centre
    up = die.sign > 0
    base, tip = (1, -1) if up else (-1, 1)
    half = HEIGHT * width / 2
    left, right, foot = x - width / 2, x + width / 2, y + base * half
    points = ((left, foot), (right, foot), (x, y + tip * half))
    painted = rules.cancelling_dice and not up
    text_y = y + base * 0.36 * half
    size = 0.27 * width
    picture.add(
        Polygon(points, FILL[die.owner], EDGE[die.owner], width=2.5),
        Text(x, text_y, die.owner, size=size, anchor="end", bold=True),
        Text(x, text_y, str(die.value), size=size, anchor="start", bold=True,
             colour=PAINTED[die.owner] if painted else INK),
        Text(x, y + SIDE * 0.4, letter if up else f"{letter}: −{die.symbol}", size=14),
    )  # fmt: skip
