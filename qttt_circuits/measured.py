"""Measured bits in whatever form they come, brought into one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import hexdigits
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import ExecutionError

if TYPE_CHECKING:
    from qiskit import QuantumCircuit

Measured = Any
"""Counts, bit strings, an array, or what a Qiskit sampler returns; see `Experiment.decode`."""


@dataclass(frozen=True)
class Bits:
    """Distinct bit patterns with their counts.

    Attributes:
        rows: Shape ``(patterns, clbits)``; column i is clbit i.
        counts: How often each was seen.
        indices: The first shot of each, or None where the order of shots is not known.
    """

    rows: NDArray[np.uint8]
    counts: NDArray[np.int64]
    indices: NDArray[np.int64] | None

    @property
    def shots(self) -> int:
        """How many shots there are."""
        return int(self.counts.sum())

    def __add__(self, other: Bits) -> Bits:
        """Returns the shots of two runs together, without their order."""
        merged: dict[tuple[int, ...], int] = {}
        for pattern, n, _ in (*self.patterns(), *other.patterns()):
            merged[pattern] = merged.get(pattern, 0) + n
        rows = np.array([*merged], dtype=np.uint8).reshape(len(merged), self.rows.shape[1])
        return Bits(rows, np.array([*merged.values()], dtype=np.int64), None)

    def patterns(self) -> Iterator[tuple[tuple[int, ...], int, int | None]]:
        """Yields each pattern, its count, and the index of its first shot if that is known."""
        for i, row in enumerate(self.rows):
            index = None if self.indices is None else int(self.indices[i])
            yield tuple(map(int, row)), int(self.counts[i]), index


def measured_bits(measured: Measured, registers: Mapping[str, int]) -> Bits:
    """Returns measured bits as distinct patterns.

    Args:
        measured: The bits; see `Experiment.decode` for the forms.
        registers: The circuit's classical registers in order, with their sizes.

    Raises:
        ExecutionError: If the bits do not fit the registers.
    """
    if isinstance(measured, Mapping) and not hasattr(measured, "shape"):
        return _from_counts(measured, registers)
    if isinstance(measured, Sequence) and not isinstance(measured, str):
        return _from_strings(measured, registers)
    return _from_array(shots_of(measured, registers), registers)


def registers_of(circuit: QuantumCircuit) -> dict[str, int]:
    """Returns the classical registers of a circuit in order, with their sizes."""
    return {register.name: register.size for register in circuit.cregs}


def shots_of(measured: Measured, registers: Mapping[str, int]) -> NDArray[np.uint8]:
    """Returns what a sampler measured as an array of shape ``(shots, clbits)``.

    Args:
        measured: A ``BitArray``, a ``DataBin``, a pub result, or such an array.
        registers: The circuit's classical registers in order, with their sizes.

    Raises:
        ExecutionError: If it does not fit the registers.
    """
    if hasattr(measured, "data") and hasattr(measured.data, "keys"):  # a pub result
        measured = measured.data
    if hasattr(measured, "to_bool_array"):
        return _register(measured, "", sum(registers.values()))
    if isinstance(measured, np.ndarray):
        return measured
    if not hasattr(measured, "keys"):  # what is left is a DataBin
        raise ExecutionError(
            f"measured bits of type {type(measured).__name__} cannot be read: give counts, bit "
            "strings, an array of shape (shots, clbits) or a sampler's result"
        )
    missing = [name for name in registers if name not in measured]
    if missing:
        raise ExecutionError(
            f"the result has no classical register {missing[0]!r}: "
            f"it has {', '.join(map(repr, measured.keys())) or 'none'}"
        )
    columns = [_register(measured[name], name, size) for name, size in registers.items()]
    if len({len(column) for column in columns}) > 1:
        raise ExecutionError("the registers of the result have different numbers of shots")
    return np.hstack(columns)


def _register(bit_array: Any, name: str, size: int) -> NDArray[np.uint8]:
    if not hasattr(bit_array, "to_bool_array"):
        raise ExecutionError(
            f"register {name!r} of the result holds a {type(bit_array).__name__}, not a BitArray"
        )
    if bit_array.num_bits != size or bit_array.ndim:
        raise ExecutionError(
            f"register {name!r} of the result has {bit_array.num_bits} bits and shape "
            f"{bit_array.shape}, the circuit's has {size} and no further dimension"
        )
    array: NDArray[np.uint8] = bit_array.to_bool_array(order="little").astype(np.uint8)
    return array


def _from_array(array: NDArray[Any], registers: Mapping[str, int]) -> Bits:
    width = sum(registers.values())
    if array.ndim != 2 or array.shape[1] != width:
        raise ExecutionError(f"bits of shape {array.shape} do not fit {width} classical bits")
    if not np.isin(array, (0, 1)).all():
        raise ExecutionError("measured bits must be 0 or 1")
    array = array.astype(np.uint8)
    _, indices, counts = np.unique(_keys(array), return_index=True, return_counts=True)
    return Bits(array[indices], counts.astype(np.int64), indices)


def _keys(array: NDArray[np.uint8]) -> NDArray[Any]:
    """Returns one value a shot: an integer where 64 bits hold it, which sorts fastest, or bytes."""
    packed = np.packbits(array, axis=1)
    size = packed.shape[1]
    if size > 8:
        return np.ascontiguousarray(packed).view(f"V{size}").ravel()
    padded = np.zeros((len(array), 8), dtype=np.uint8)
    padded[:, :size] = packed
    return padded.view(np.uint64).ravel()


def _from_counts(counts: Mapping[Any, Any], registers: Mapping[str, int]) -> Bits:
    merged: dict[str, int] = {}
    for text, n in counts.items():
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
            raise ExecutionError(f"the count of {text!r} is {n!r}, not a number of shots")
        if n >= 2**53:
            raise ExecutionError(f"the count of {text!r} is {n}, more than can be counted exactly")
        pattern = _pattern(text, registers)
        merged[pattern] = merged.get(pattern, 0) + int(n)
    return Bits(_rows(merged, registers), np.array([*merged.values()], dtype=np.int64), None)


def _from_strings(strings: Sequence[Any], registers: Mapping[str, int]) -> Bits:
    first: dict[str, int] = {}
    counts: dict[str, int] = {}
    for index, text in enumerate(strings):
        pattern = _pattern(text, registers)
        first.setdefault(pattern, index)
        counts[pattern] = counts.get(pattern, 0) + 1
    return Bits(
        _rows(counts, registers),
        np.array([*counts.values()], dtype=np.int64),
        np.array([*first.values()], dtype=np.int64),
    )


def _pattern(text: object, registers: Mapping[str, int]) -> str:
    """Returns one shot as a bit string without spaces; it may be given in hexadecimal."""
    width = sum(registers.values())
    bits = ""
    if isinstance(text, str):
        if text.startswith("0x") and not set(text[2:]) - set(hexdigits) and text[2:]:
            bits = f"{int(text, 16):0{width}b}" if width else ""
        else:
            words = text.split(" ")
            joined = len(words) == 1
            if joined or [len(word) for word in words] == list(registers.values())[::-1]:
                bits = "".join(words)
    if not isinstance(text, str) or len(bits) != width or set(bits) - {"0", "1"}:
        raise ExecutionError(f"{text!r} is not a string of the circuit's {width} classical bits")
    return bits


def _rows(patterns: Mapping[str, int], registers: Mapping[str, int]) -> NDArray[np.uint8]:
    rows = [[int(bit) for bit in reversed(pattern)] for pattern in patterns]
    return np.array(rows, dtype=np.uint8).reshape(len(rows), sum(registers.values()))
