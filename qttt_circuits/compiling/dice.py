"""From a position to an experiment: one gate a move, constants elided, ancillas measured."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import Instruction
from qiskit.circuit.library import XGate

from ..builder import Wire
from ..decoders.base import Ancilla
from ..decoders.board import OFF_BOARD, RENORMALISE, BoardDecoder, Cell
from ..distribution import JointTable, ProductDistribution
from ..encodings import Encoding, encoding
from ..errors import OptionError, UnknownNameError
from ..experiment import Experiment, measure_into
from ..gates import Recipe, Site, map_gate
from ..position import Position
from ..synthesis import MOVES, STATE, SYNTHESES, Step, by_moves, by_state
from .settings import settings_of

ANCILLAS = ("needed", "all")
DEFAULT_ENCODING = "spin"


@dataclass(frozen=True)
class Options:
    """How to compile.

    Attributes:
        encoding: How a square is held in qubits.
        ancillas: ``needed`` gives an ancilla to the moves that can fail; ``all`` gives every move
            one that holds its piece while it is off the board.
        synthesis: ``moves`` makes one gate a move, as the game was played; ``state`` prepares the
            position's state directly, one gate a group of entangled squares: no ancillas, and
            every shot is accepted.
        elide: Whether qubits that stay in a basis state throughout are left out.
        check_pieces: Whether a shot with a wrong number of pieces is rejected.
    """

    encoding: str = DEFAULT_ENCODING
    ancillas: str = "needed"
    synthesis: str = MOVES
    elide: bool = True
    check_pieces: bool = True

    def __post_init__(self) -> None:
        encoding(self.encoding)
        for name in ("elide", "check_pieces"):
            if not isinstance(getattr(self, name), bool):
                raise OptionError(f"{name} is True or False, not {getattr(self, name)!r}")
        if not isinstance(self.ancillas, str) or self.ancillas not in ANCILLAS:
            raise UnknownNameError("ancilla mode", self.ancillas, ANCILLAS)
        if not isinstance(self.synthesis, str) or self.synthesis not in SYNTHESES:
            raise UnknownNameError("synthesis", self.synthesis, SYNTHESES)
        if self.synthesis == STATE and self.ancillas == "all":
            raise OptionError("synthesis 'state' has no ancillas: it needs ancillas 'needed'")


class _Layout:
    """Wires, what is known of them, and the qubits that hold them, as moves are added."""

    def __init__(self, options: Options) -> None:
        self.code: Encoding = encoding(options.encoding)
        self.options = options
        self.conserving = options.ancillas == "all"
        self.wires: dict[str, Wire] = {}
        self.slots: dict[str, int] = {}
        self.idle: dict[str, float] = {}
        self.squares: list[int] = []
        self.placed: dict[int, str] = {}
        self.predicted: dict[str, int] = {}
        self.operations: list[tuple[Instruction, list[int]]] = []
        self.phase = 0.0
        self.size = 0

    def _allocate(self, name: str) -> int:
        self.slots[name] = self.size
        self.size += 1
        return self.slots[name]

    def _touch(self, square: int) -> None:
        if square in self.squares:
            return
        self.squares.append(square)
        for name, value in zip(self.code.wires(square), self.code.empty, strict=True):
            self._introduce(name, Wire(value, held=not self.options.elide))

    def _introduce(self, name: str, wire: Wire) -> None:
        self.wires[name] = wire
        if wire.held:
            slot = self._allocate(name)
            if wire.value:
                self.operations.append((XGate(), [slot]))

    def add(self, step: Step) -> None:
        """Adds the gate of a step."""
        squares = dict.fromkeys(square for m in step.maps for square in m.squares)
        for square in squares:
            self._touch(square)
        names = [name for square in squares for name in self.code.wires(square)]
        off, home, fail = self._ancillas(step)
        names += [name for name in dict.fromkeys((off, home, fail)) if name]
        site = Site(tuple((name, self.wires[name]) for name in names), off, home, fail)
        recipe = Recipe(step.maps, self.code.name, site)
        built = recipe.build()
        slots = [self.slots[name] for name in built.inputs]
        slots += [self._allocate(name) for name in built.fresh]
        if built.circuit.data or not self.options.elide:
            self.operations.append((map_gate(recipe, label=step.label), slots))
        else:
            self.phase += built.circuit.global_phase
        self.wires.update(built.wires())
        for name in names:
            self.slots.pop(name, None)
        self.slots.update({name: slots[i] for name, i in built.positions().items()})
        self.idle.update(built.idle)

    def _ancillas(self, step: Step) -> tuple[str, str, str]:
        """Introduces the ancillas of a step and returns the names of off, home and fail."""
        first = step.maps[0]
        if not self.conserving:
            if all(m.unitary for m in step.maps):
                return "", "", ""
            fail = f"fail{step.move}"
            self._introduce(fail, Wire(0))
            self.predicted[fail] = 0
            return "", "", fail
        off, home = f"off{step.move}", ""
        self._introduce(off, Wire(1, held=True, kept=True))
        self.predicted[off] = 0 if first.pieces == 1 else 1
        if first.pieces < 0:
            home = self.placed[first.squares[0]]
            self.predicted[home] = 1
        if len(first.squares) == 1:
            self.placed[first.squares[0]] = off
        return off, home, off

    def order(self) -> list[str]:
        """Returns the wires that have qubits: squares ascending, then ancillas by move."""
        squares = [name for s in sorted(self.squares) for name in self.code.wires(s)]
        return [name for name in [*squares, *self.predicted] if name in self.slots]

    def circuit(self) -> QuantumCircuit:
        """Returns the circuit, each qubit in a register named for what it holds at the end."""
        order = self.order()
        index = {self.slots[name]: i for i, name in enumerate(order)}
        circuit = QuantumCircuit(
            *(QuantumRegister(1, name) for name in order), global_phase=self.phase % (2 * pi)
        )
        for operation, slots in self.operations:
            circuit.append(operation, [index[slot] for slot in slots])
        return circuit

    def decoder(self, marks: str, pieces: int | None) -> BoardDecoder:
        """Returns the decoder that fits the circuit."""
        clbits = {name: i for i, name in enumerate(self.order())}
        squares = {}
        for square in sorted(self.squares):
            cells = []
            for name in self.code.wires(square):
                value = self.wires[name].value
                idle = self.idle.get(name, (value or 0) * pi / 2)
                cells.append(Cell(clbits.get(name), value, idle))
            squares[square] = tuple(cells)
        reason = OFF_BOARD if self.conserving else RENORMALISE
        ancillas = tuple(
            Ancilla(clbits[name], value, reason)
            for name, value in self.predicted.items()
            if name in clbits
        )
        return BoardDecoder(self.code.name, marks, squares, ancillas, pieces)


def compile_position(position: Position, options: Options) -> Experiment:
    """Returns the experiment of observing a position of a dice game.

    The circuit's qubits and clbits have the same order: the squares ascending, the bits of each in
    the encoding's order, then the ancillas by move. Clbit i is qubit i measured.

    Args:
        position: The position.
        options: How to compile it.
    """
    table = position.table
    layout = _Layout(options)
    texts = [str(move) for move in position.history[len(position.history) - len(table.maps) :]]
    direct = options.synthesis == STATE
    for step in by_state(table.maps) if direct else by_moves(table.maps, texts):
        layout.add(step)
    preparation = layout.circuit()
    decoder = layout.decoder(table.marks, table.pieces if options.check_pieces else None)
    settings = settings_of(position, options)
    preparation.metadata = dict(settings)
    return Experiment(
        preparation=preparation,
        circuit=measure_into(preparation, preparation.num_qubits - len(decoder.ancillas)),
        decoder=decoder,
        distribution=ProductDistribution(
            str(table.marks),
            tuple(JointTable(c.squares, c.probabilities) for c in table.state.components),
        ),
        predicted_acceptance=1.0 if direct else position.success,
        factors=tuple(decoder.factors(table.state)),
        settings=settings,
    )
