"""Marks, squares, lines and classical boards.

Squares are numbered from 1, row by row. A board is written as one letter a square in that order,
``E`` for empty, ``X`` or ``O``: the order of the documents' kets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from math import isqrt
from typing import Literal

from .errors import NotationError

Mark = Literal["X", "O"]
EMPTY = "E"
X: Mark = "X"
O: Mark = "O"  # noqa: E741 - the documents' name for the mark
SYMBOLS = EMPTY + X + O
_ORDERED = "".join(sorted(SYMBOLS))
_DIGITS = str.maketrans(_ORDERED, "012")


def opponent(mark: str) -> Mark:
    """Returns the other mark, X for O and O for X."""
    return O if mark == X else X


@cache
def lines(size: int = 3, length: int = 3) -> tuple[tuple[int, ...], ...]:
    """Returns all straight lines of ``length`` squares on a board of ``size`` by ``size``.

    Args:
        size: Squares a side.
        length: Squares a line.
    """
    found = []
    for row, column in product(range(size), repeat=2):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            end_row, end_column = row + down * (length - 1), column + right * (length - 1)
            if end_row < size and 0 <= end_column < size:
                found.append(
                    tuple((row + down * i) * size + column + right * i + 1 for i in range(length))
                )
    return tuple(found)


class Board(str):
    """A classical board: a string of one letter a square that knows its squares and lines.

    It equals, hashes and serialises as the plain string, so results keyed by boards can be read
    with ``"EXEEEEEEE"`` as well.

    Args:
        text: One of ``E``, ``X``, ``O`` for each square, row by row; a square number of letters.

    Raises:
        NotationError: If the text is not a board.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Board:
        """Checks the text; see the class."""
        if isinstance(text, Board):
            return text
        if not isinstance(text, str) or not text or set(text) - set(SYMBOLS):
            raise NotationError(f"{text!r} is not a board: write E, X or O for each square")
        if isqrt(len(text)) ** 2 != len(text):
            raise NotationError(
                f"{text!r} is not a board: it has {len(text)} letters, not a square number"
            )
        return super().__new__(cls, text)

    @property
    def size(self) -> int:
        """Squares a side."""
        return isqrt(len(self))

    def at(self, square: int) -> str:
        """Returns the symbol on a square, numbered from 1.

        Raises:
            IndexError: If there is no such square.
        """
        if not 1 <= square <= len(self):
            raise IndexError(f"there is no square {square}: squares are 1 to {len(self)}")
        return self[square - 1]

    def squares(self, symbol: str) -> tuple[int, ...]:
        """Returns the squares that hold a symbol, ascending."""
        return tuple(i for i, s in enumerate(self, 1) if s == symbol)

    @property
    def full(self) -> bool:
        """Whether no square is empty."""
        return EMPTY not in self

    def lines_of(self, mark: Mark, length: int = 3) -> tuple[tuple[int, ...], ...]:
        """Returns the lines that a mark fills."""
        return tuple(
            line for line in lines(self.size, length) if all(self[s - 1] == mark for s in line)
        )

    def rows(self) -> Iterator[str]:
        """Yields the rows from the top."""
        for start in range(0, len(self), self.size):
            yield str.__getitem__(self, slice(start, start + self.size))

    def diagram(self) -> str:
        """Returns the board as a square of letters, empty squares as dots."""
        return "\n".join(" ".join(row.replace(EMPTY, ".")) for row in self.rows())


BASE = len(SYMBOLS)
CHUNK = 9
"""How many letters are written at a time."""
CHUNKS = 19_683
"""How many texts of so many letters there are."""


def board_code(symbols: str, squares: Iterable[int], size: int) -> int:
    """Returns a number for symbols on an empty board, in base 3, the first square's digit highest.

    Codes are ordered as boards are, and those of symbols on different squares add up to the code of
    all of them.

    Args:
        symbols: The symbols.
        squares: Their squares.
        size: How many squares the board has.
    """
    return sum(
        _ORDERED.index(symbol) * BASE ** (size - square)
        for symbol, square in zip(symbols, squares, strict=True)
    )


def code_of(board: str) -> int:
    """Returns the code of a board; see `board_code`."""
    return int(board.translate(_DIGITS), BASE)


@lru_cache(maxsize=CHUNKS)
def board_of(code: int, size: int) -> Board:
    """Returns the board with a code.

    Args:
        code: The code; see `board_code`.
        size: How many squares the board has, a square number.
    """
    chunks = []
    for start in range(0, size, CHUNK):
        code, chunk = divmod(code, BASE ** min(CHUNK, size - start))
        chunks.append(_letters(chunk, min(CHUNK, size - start)))
    return str.__new__(Board, "".join(reversed(chunks)))


@lru_cache(maxsize=CHUNKS)
def _letters(code: int, number: int) -> str:
    letters = []
    for _ in range(number):
        code, digit = divmod(code, BASE)
        letters.append(_ORDERED[digit])
    return "".join(reversed(letters))


NARROWEST = 8
"""The least width of a square on a drawn board."""


def grid(cells: Mapping[str, str]) -> str:
    """Returns a drawn board: in each square its name, and what it shows below.

    Args:
        cells: What each square shows by its name, row by row; a square number of them.
    """
    names, size = list(cells), isqrt(len(cells))
    width = max(NARROWEST, *(len(cell) + 2 for cell in cells.values()))
    rule = "+".join(["-" * width] * size)
    drawn = []
    for start in range(0, len(names), size):
        row = names[start : start + size]
        drawn.append("|".join(f" {name}".ljust(width) for name in row).rstrip())
        drawn.append("|".join(cells[name].center(width) for name in row).rstrip())
        drawn.append(rule)
    return "\n".join(drawn[:-1])
