"""Reading a board from measured bits, and writing its state in qubits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import reduce
from math import cos, isfinite, sin
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..board import EMPTY, SYMBOLS, Board
from ..encodings import encoding
from ..errors import OptionError
from ..state import State
from .base import Ancilla, Decoder, Factor, Reading, Vector

INVALID_CODE = "invalid-code"
RENORMALISE = "renormalise"
OFF_BOARD = "off-board"
PIECES = "pieces"
MOST_QUBITS = 20
"""The most qubits whose joint state is written down."""


@dataclass(frozen=True)
class Cell:
    """One wire of a square when the board is read.

    Attributes:
        clbit: The classical bit it is measured into, or None if it has no qubit.
        value: Its value if it is constant.
        idle: The angle a of the state cos a |0⟩ + sin a |1⟩ in which it is left where the code of
            the square leaves it free.
    """

    clbit: int | None
    value: int | None = None
    idle: float = 0.0


@dataclass(frozen=True)
class BoardDecoder(Decoder):
    """Turns bits into a board of a dice game.

    A shot is rejected for the first reason that applies: ``invalid-code`` (the bits of a square
    stand for no symbol), ``renormalise`` (the failed branch of a move), ``off-board`` (an ancilla
    reads what the rules do not predict), ``pieces`` (not as many pieces as every branch holds).
    Nothing is rejected merely for having probability zero.

    Attributes:
        encoding: The name of the encoding.
        marks: The observed board that the squares are laid over.
        squares: For each square that a move has touched its wires, in the encoding's order.
        ancillas: The ancillas.
        pieces: How many pieces those squares hold together; None to leave that unchecked.
    """

    kind: ClassVar[str] = "board"
    outcomes: ClassVar[str] = "board"

    encoding: str
    marks: str
    squares: Mapping[int, tuple[Cell, ...]]
    ancillas: tuple[Ancilla, ...]
    pieces: int | None

    @property
    def reasons(self) -> tuple[str, ...]:
        """All reasons for which a shot can be rejected, in the order they are tested."""
        return (INVALID_CODE, RENORMALISE, OFF_BOARD, PIECES)

    def to_json(self) -> dict[str, Any]:
        """Returns the decoder as JSON-able data."""
        data = asdict(self)
        # numbers of squares as text, as they will be read: a checksum sorts names, not numbers
        squares = {str(square): cells for square, cells in data["squares"].items()}
        return {"kind": self.kind, **data, "squares": squares}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BoardDecoder:
        """Returns the decoder that JSON data describe."""
        encoding(data["encoding"])
        squares = {
            int(square): tuple(Cell(**cell) for cell in cells)
            for square, cells in data["squares"].items()
        }
        ancillas = tuple(Ancilla(**ancilla) for ancilla in data["ancillas"])
        marks = Board(data["marks"])
        if not all(1 <= square <= len(marks) for square in squares):
            raise ValueError("a decoder of squares that are not on its board")
        return cls(data["encoding"], data["marks"], squares, ancillas, data["pieces"])

    def used(self) -> tuple[int, ...]:
        """Returns the classical bits that it looks at."""
        cells = [cell.clbit for cells in self.squares.values() for cell in cells]
        return tuple(c for c in [*cells, *(a.clbit for a in self.ancillas)] if c is not None)

    def read(self, bits: Sequence[int]) -> Reading:
        """Returns the board of a shot or the reason to reject it."""
        return self.read_all(np.array([bits], dtype=np.uint8))[0]

    def read_all(self, rows: NDArray[np.uint8]) -> list[Reading]:
        """Returns the boards of shots or the reasons to reject them."""
        symbols = _letters(self.encoding)
        letters = np.tile(np.frombuffer(self.marks.encode(), dtype=np.uint8), (len(rows), 1))
        invalid = np.zeros(len(rows), dtype=np.bool_)
        for square, cells in self.squares.items():
            codes = np.zeros(len(rows), dtype=np.intp)
            for place, cell in enumerate(cells):
                bit = cell.value or 0 if cell.clbit is None else rows[:, cell.clbit]
                codes |= np.left_shift(bit, place, dtype=np.intp)
            letters[:, square - 1] = symbols[codes]
            invalid |= letters[:, square - 1] == 0
        failed = {INVALID_CODE: invalid}
        for reason in (RENORMALISE, OFF_BOARD):
            ancillas = [ancilla for ancilla in self.ancillas if ancilla.reason == reason]
            read = rows[:, [ancilla.clbit for ancilla in ancillas]]
            failed[reason] = (read != [ancilla.predicted for ancilla in ancillas]).any(axis=1)
        if self.pieces is not None:
            places = [square - 1 for square in self.squares]
            found = (letters[:, places] != ord(EMPTY)).sum(axis=1)
            failed[PIECES] = found != self.pieces
        first = np.select([*failed.values()], [*range(len(failed))], -1).tolist()
        rejections = [Reading(False, reason) for reason in failed]
        text, size = letters.tobytes().decode(), len(self.marks)
        return [
            rejections[reason] if reason >= 0 else Reading(True, text[i * size : (i + 1) * size])
            for i, reason in enumerate(first)
        ]

    def unchecked(self) -> BoardDecoder:
        """Returns a decoder that looks at no ancilla and does not count pieces."""
        return replace(self, ancillas=(), pieces=None)

    def factor(self, squares: Sequence[int], terms: Mapping[str, complex]) -> Factor | None:
        """Returns the state of the qubits of some squares.

        Args:
            squares: The squares.
            terms: For each configuration of them its amplitude; normalised here.

        Returns:
            The state, or None if the squares have no qubit.

        Raises:
            OptionError: If all amplitudes are zero, or there are more than `MOST_QUBITS` qubits.
        """
        code = encoding(self.encoding)
        cells = [cell for square in squares for cell in self.squares[square]]
        qubits = tuple(cell.clbit for cell in cells if cell.clbit is not None)
        if not qubits:
            return None
        if len(qubits) > MOST_QUBITS:
            raise OptionError(
                f"a state of {len(qubits)} qubits is not prepared at once, {MOST_QUBITS} are the "
                "most: without amplitudes each group of entangled squares is prepared by itself"
            )
        vector = np.zeros(2 ** len(qubits), dtype=np.complex128)
        for configuration, amplitude in terms.items():
            values = [bit for symbol in configuration for bit in code.codes[symbol]]
            vector += amplitude * _product(zip(cells, values, strict=True))
        length = np.linalg.norm(vector)
        if not length:
            raise OptionError(f"a state of squares {tuple(squares)} without any amplitude")
        return Factor(qubits, vector / length)

    def state(self, amplitudes: Mapping[str, complex]) -> Factor | None:
        """Returns the state of the board's qubits; see `Decoder.state`."""
        squares = list(self.squares)
        for board, amplitude in amplitudes.items():
            self._require_amplitude(board, amplitude)
        terms = {
            "".join(board[s - 1] for s in squares): complex(a) for board, a in amplitudes.items()
        }
        return self.factor(squares, terms)

    def _require_amplitude(self, board: object, amplitude: object) -> None:
        if not isinstance(board, str) or len(board) != len(self.marks):
            raise OptionError(f"{board!r} is not a board of {len(self.marks)} squares")
        for square, (symbol, mark) in enumerate(zip(board, self.marks, strict=True), 1):
            if symbol not in SYMBOLS or (square not in self.squares and symbol != mark):
                raise OptionError(f"board {board!r} is not possible here: see square {square}")
        try:
            finite = isfinite(abs(complex(amplitude)))  # type: ignore[call-overload]
        except (TypeError, ValueError):
            finite = False
        if not finite:
            raise OptionError(f"the amplitude of {board!r} is {amplitude!r}, not a finite number")

    def factors(self, state: State[float]) -> Iterator[Factor]:
        """Yields the states of the groups of qubits that a state of the board keeps apart."""
        for component in state.components:
            factor = self.factor(component.squares, component.terms)
            if factor is not None:
                yield factor


def _letters(name: str) -> NDArray[np.uint8]:
    """Returns the symbol of each code as a letter's number, 0 where a code stands for none.

    Bit i of a code is the i-th bit of a square.
    """
    code = encoding(name)
    bits = len(code.empty)
    symbols = [code.decode(tuple(n >> i & 1 for i in range(bits))) for n in range(2**bits)]
    return np.array([ord(symbol) if symbol else 0 for symbol in symbols], dtype=np.uint8)


def _product(bits: Iterable[tuple[Cell, int | None]]) -> Vector:
    """Returns the product state of the wires that have qubits, the first one least significant."""
    vectors = []
    for cell, value in bits:
        if cell.clbit is None:
            continue
        if value is None:
            vectors.append(np.array([cos(cell.idle), sin(cell.idle)]))
        else:
            vectors.append(np.eye(2)[value])
    product: Vector = reduce(lambda low, high: np.kron(high, low), vectors).astype(np.complex128)
    return product
