"""Gates of the local maps: one `qiskit.circuit.Gate` subclass for each kind.

A gate is built for an encoding and for what is constant at its point of the circuit. On the inputs
that can occur there, with its ancilla projected on the accepted value, each encoded column decodes
to the map's column; elsewhere it is some unitary completion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.quantum_info import Operator

from .builder import Builder, Wire
from .encodings import encoding
from .maps import LocalMap


@dataclass(frozen=True)
class Site:
    """Where a gate stands: the wires it may touch and what is known of them there.

    Attributes:
        wires: The wires in order, with what is known of each.
        off: The wire of this move's off-the-board ancilla; empty if it has none.
        home: The wire of the ancilla to which the removed piece returns; empty if there is none.
        fail: The wire that marks the failed branch; empty if the map cannot fail.
    """

    wires: tuple[tuple[str, Wire], ...]
    off: str = ""
    home: str = ""
    fail: str = ""

    def builder(self) -> Builder:
        """Returns a builder that starts from what is known here."""
        return Builder(dict(self.wires), off=self.off, home=self.home, fail=self.fail)


@dataclass(frozen=True)
class Recipe:
    """All that a gate is made from; equal recipes make equal gates.

    Attributes:
        maps: The maps, in order; one for a move.
        encoding: The name of the encoding.
        site: Where the gate stands.
    """

    maps: tuple[LocalMap, ...]
    encoding: str
    site: Site

    @property
    def kind(self) -> str:
        """The kind of the gate: that of its only map, or ``state``."""
        return self.maps[0].kind if len(self.maps) == 1 else "state"

    def build(self) -> Builder:
        """Returns a builder into which the gate's operations have been emitted."""
        builder = self.site.builder()
        for local_map in self.maps:
            encoding(self.encoding).build(builder, local_map)
        return builder


class MapGate(Gate):
    """The gate of one or more maps. Its qubits are those of `wires`, in that order.

    Use `map_gate` to get the subclass that fits.

    Attributes:
        recipe: What it is made from.
        inverted: Whether it undoes the move.
        wires: The names of its wires on entry: those that had a qubit, then those it allocates,
            whose qubits start in |0⟩.

    Args:
        recipe: What to make it from.
        label: What drawings show; by default the kind and the squares.
        inverted: Whether it undoes the move.
    """

    kind: ClassVar[str] = ""
    _by_kind: ClassVar[dict[str, type[MapGate]]] = {}

    def __init__(self, recipe: Recipe, *, label: str | None = None, inverted: bool = False) -> None:
        built = recipe.build()
        self.recipe = recipe
        self.inverted = inverted
        self.wires = (*built.inputs, *built.fresh)
        name = recipe.kind.replace("-", "_") + ("_dg" if inverted else "")
        squares = dict.fromkeys(square for m in recipe.maps for square in m.squares)
        label = label or f"{recipe.kind} {','.join(map(str, squares))}"
        super().__init__(name, built.circuit.num_qubits, [], label=label)
        self._body = built.circuit

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        MapGate._by_kind[cls.kind] = cls

    def _define(self) -> None:
        body = self._body.inverse() if self.inverted else self._body
        definition = QuantumCircuit(self.num_qubits, name=self.name, global_phase=body.global_phase)
        index = {qubit: i for i, qubit in enumerate(body.qubits)}
        for item in body.data:
            definition.append(item.operation, [index[q] for q in item.qubits])
        self.definition = definition

    def inverse(self, annotated: bool = False) -> Self:
        """Returns the gate that undoes this one."""
        label = self.label.removesuffix("†") if self.inverted else f"{self.label}†"
        return type(self)(self.recipe, label=label, inverted=not self.inverted)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Returns the unitary, little-endian in the gate's qubits."""
        if copy is False:
            raise ValueError("the matrix of a gate is computed, so it is always a copy")
        return np.asarray(Operator(self.definition).data, dtype=dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MapGate):
            return False
        mine = (self.recipe, self.inverted, self.label)
        return mine == (other.recipe, other.inverted, other.label)

    def __hash__(self) -> int:
        return hash((self.recipe, self.inverted))


class ClassicalGate(MapGate):
    """A classical move."""

    kind = "classical"


class SuperpositionGate(MapGate):
    """A superposition move."""

    kind = "superposition"


class EntanglingGate(MapGate):
    """An entangling move."""

    kind = "entangling"


class HalfEntanglingGate(MapGate):
    """A half-entangling move."""

    kind = "half-entangling"


class CancellingGate(MapGate):
    """A cancelling move; in document 002 a shiftflip."""

    kind = "cancelling"


class HalfCancellingGate(MapGate):
    """A half-cancelling move."""

    kind = "half-cancelling"


class HalfShiftflipGate(MapGate):
    """A half-shiftflip move."""

    kind = "half-shiftflip"


class SpreadingGate(MapGate):
    """A spreading move."""

    kind = "spreading"


class OffBoardGate(MapGate):
    """A move that takes a piece off the board."""

    kind = "off-board"


class HalfEntangledGate(MapGate):
    """A superposition with a half entangled, prepared at once."""

    kind = "half-entangled"


class StateGate(MapGate):
    """The state of a group of squares, prepared directly."""

    kind = "state"


def map_gate(recipe: Recipe, *, label: str | None = None) -> MapGate:
    """Returns the gate that a recipe makes.

    Args:
        recipe: What to make it from.
        label: What drawings show.
    """
    return MapGate._by_kind[recipe.kind](recipe, label=label)
