"""A circuit builder that propagates constants.

Gates are described on *wires*, named for what they hold (``sq5_occ``, ``off3``). The builder knows
which wires are still in a basis state. It folds gates whose control is known, uses the cheaper form
where a target is known, and gives a wire a qubit only when it leaves the basis. This is what makes
the gate counts of the moves small; see `encodings` for the moves themselves.

Angles are half the Bloch angle: ``tilt(w, a)`` turns a known value v into cos a |v⟩ + sin a |¬v⟩.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import atan2, isclose, pi

from qiskit import QuantumCircuit
from qiskit.circuit import Qubit


@dataclass(frozen=True)
class Wire:
    """What is known of one wire.

    Attributes:
        value: 0 or 1 while the wire is provably in that basis state, else None.
        held: Whether it has a qubit.
        kept: Whether gates that touch it are emitted even where its value would fold them.
    """

    value: int | None = 0
    held: bool = False
    kept: bool = False


class Builder:
    """Emits gates on wires, folding what is constant.

    Args:
        wires: The wires there are and what is known of them.
        off: The off-the-board ancilla of this move, if pieces are conserved (``ancillas="all"``);
            |1⟩ means that the move's piece is off the board.
        home: The ancilla of the move that placed the piece that this move removes.
        fail: The ancilla that marks the branch in which post-selection fails.

    Attributes:
        circuit: The gates so far, on one qubit for each wire that has or had one.
        inputs: The wires that had a qubit at the start, in the order of the circuit's qubits.
        fresh: The wires that were given a qubit since, in the order of the qubits that follow.
        idle: For a wire that is free while its square is empty: the angle a of the state
            cos a |0⟩ + sin a |1⟩ that it has then.
    """

    def __init__(
        self,
        wires: Mapping[str, Wire],
        *,
        off: str = "",
        home: str = "",
        fail: str = "",
    ) -> None:
        self.circuit = QuantumCircuit()
        self.off = off
        self.home = home
        self.fail = fail
        self.idle: dict[str, float] = {}
        self._wires = dict(wires)
        self._qubit: dict[str, Qubit] = {}
        self.inputs = [name for name, wire in wires.items() if wire.held]
        self.fresh: list[str] = []
        for name in self.inputs:
            self._add_qubit(name)

    @property
    def conserving(self) -> bool:
        """Whether pieces come from and return to ancillas."""
        return bool(self.off)

    def wire(self, name: str) -> Wire:
        """Returns what is known of a wire."""
        return self._wires[name]

    def wires(self) -> dict[str, Wire]:
        """Returns what is known of all wires now."""
        return dict(self._wires)

    def positions(self) -> dict[str, int]:
        """Returns for each wire that has a qubit now its index in the circuit."""
        index = {qubit: i for i, qubit in enumerate(self.circuit.qubits)}
        return {name: index[qubit] for name, qubit in self._qubit.items()}

    # --- single wires

    def x(self, w: str) -> None:
        """Flips a wire."""
        wire = self._wires[w]
        if wire.held:
            self._flip(self._qubit[w])
        if wire.value is not None:
            self._wires[w] = replace(wire, value=1 - wire.value)

    def put(self, w: str, value: int) -> None:
        """Sets a wire of known value."""
        if self._known(w) != value:
            self.x(w)

    def z(self, w: str) -> None:
        """Gives |1⟩ of a wire a minus sign."""
        value = self._wires[w].value
        if value is None:
            self.circuit.z(self._qubit[w])
        elif value:
            self.negate()

    def negate(self) -> None:
        """Gives the whole state a minus sign."""
        self.circuit.global_phase += pi

    def tilt(self, w: str, angle: float) -> None:
        """Turns a wire of known value v into cos(angle)|v⟩ + sin(angle)|¬v⟩."""
        value = self._known(w)
        self._leave_basis(w)
        self.circuit.ry(2 * angle if value == 0 else -2 * angle, self._qubit[w])

    # --- two and three wires

    def cx(self, control: str, target: str, *, on: int = 1) -> None:
        """Flips the target where the control reads ``on``."""
        c, t = self._wires[control], self._wires[target]
        if c.value is not None and not (c.kept or t.kept):
            if c.value == on:
                self.x(target)
            return
        flipped = None
        if c.value is not None and t.value is not None:
            flipped = t.value ^ int(c.value == on)
        self._hold(control)
        self._hold(target)
        self.circuit.cx(self._qubit[control], self._qubit[target])
        if not on:
            self._flip(self._qubit[target])
        self._wires[target] = replace(self._wires[target], value=flipped)

    def turn(self, control: str, target: str, zero: float, one: float) -> None:
        """Tilts a wire of known value by ``zero`` where the control is 0 and ``one`` where it is 1.

        One two-qubit gate: with R(a) the rotation that tilts |0⟩ by a, Z between R(a) and R(b)
        makes R(b - a)Z of R(a + b), and Z does nothing to |0⟩.
        """
        c = self._wires[control]
        if c.value is not None and not c.kept:
            angle = one if c.value else zero
            if not isclose(angle, 0.0, abs_tol=1e-15):
                self.tilt(target, angle)
            return
        value = self._known(target)
        self._hold(control)
        self._leave_basis(target)
        qubit = self._qubit[target]
        if value:
            self._flip(qubit)
        self.circuit.ry(zero - one, qubit)
        self.circuit.cz(self._qubit[control], qubit)
        self.circuit.ry(zero + one, qubit)
        if value:
            self._flip(qubit)

    def both(self, a: tuple[str, int], b: tuple[str, int], target: str) -> None:
        """Flips a target of known value where wire a reads its value and wire b reads its own.

        Three two-qubit gates (N. Margolus's gate, Barenco et al. 1995, section VI.B): a Toffoli up
        to a sign that shows only where the target was |1⟩, which it is not here.
        """
        for (w, on), rest in ((a, b), (b, a)):
            wire = self._wires[w]
            if wire.value is not None and not wire.kept:
                if wire.value == on:
                    self.cx(rest[0], target, on=rest[1])
                return
        value = self._known(target)
        for w, _ in (a, b):
            self._hold(w)
        self._leave_basis(target)
        qubit = self._qubit[target]
        zero_controls = [self._qubit[w] for w, on in (a, b) if not on]
        flipped = zero_controls + ([qubit] if value else [])
        for q in flipped:
            self._flip(q)
        for angle, w in ((pi / 4, b[0]), (pi / 4, a[0]), (-pi / 4, b[0]), (-pi / 4, "")):
            self.circuit.ry(angle, qubit)
            if w:
                self.circuit.cx(self._qubit[w], qubit)
        for q in flipped:
            self._flip(q)

    def transfer(self, source: str, target: str, stay: float, move: float) -> None:
        """Moves part of an excitation: |10⟩ → stay|10⟩ + move|01⟩, |00⟩ → |00⟩; target known 0.

        Amplitudes are taken relative to each other; two two-qubit gates.
        """
        self.turn(source, target, 0.0, atan2(move, stay))
        self.cx(target, source)

    def swap_names(self, a: str, b: str) -> None:
        """Swaps what two wires hold, by renaming instead of gates."""
        self._wires[a], self._wires[b] = self._wires[b], self._wires[a]
        qubits = {a: self._qubit.pop(b, None), b: self._qubit.pop(a, None)}
        self._qubit.update({name: qubit for name, qubit in qubits.items() if qubit is not None})

    # --- pieces on and off the board

    def bring(self, w: str) -> None:
        """Brings this move's piece to a wire that is 0: from its ancilla, or out of nothing."""
        self._move(self.off, w)

    def remove(self, w: str) -> None:
        """Takes the piece on a wire off the board: to the ancilla it came from, if there is one."""
        if self.home:
            self._move(w, self.home)
        else:
            self.x(w)

    def _move(self, source: str, target: str) -> None:
        if not self.conserving:
            self.x(target)
            return
        self.cx(source, target)
        self.cx(target, source)

    # --- what is known

    def leave_idle(self, w: str, value: int, angle: float = 0.0) -> None:
        """Notes the state of a wire while its square is empty: |value⟩, tilted by an angle."""
        self.idle[w] = angle if value == 0 else pi / 2 - angle

    def know(self, w: str, value: int) -> None:
        """Notes that a wire is in a basis state, which the caller can prove and the builder not."""
        self._wires[w] = replace(self._wires[w], value=value)

    def _flip(self, qubit: Qubit) -> None:
        """Emits X, or takes back the X that was the last thing done to a qubit."""
        data = self.circuit.data
        for i in range(len(data) - 1, -1, -1):
            if qubit in data[i].qubits:
                if data[i].operation.name == "x":
                    del data[i]
                    return
                break
        self.circuit.x(qubit)

    def _known(self, w: str) -> int:
        value = self._wires[w].value
        if value is None:
            raise ValueError(f"wire {w} is not known to be in a basis state")
        return value

    def _leave_basis(self, w: str) -> None:
        self._hold(w)
        self._wires[w] = replace(self._wires[w], value=None)

    def _hold(self, w: str) -> None:
        wire = self._wires[w]
        if wire.held:
            return
        self._add_qubit(w)
        self.fresh.append(w)
        if wire.value:
            self._flip(self._qubit[w])
        self._wires[w] = replace(wire, held=True)

    def _add_qubit(self, name: str) -> None:
        qubit = Qubit()
        self.circuit.add_bits([qubit])
        self._qubit[name] = qubit
