"""What the tests of the circuits share: games, a state-vector evaluation, and samplers of ours.

Nothing here uses the package's own way to make or read amplitudes. Circuits are taken apart into
one- and two-qubit gates and simulated with numpy, one connected group of qubits at a time, so that
a whole board costs no more than its largest group.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.primitives import PrimitiveResult, SamplerPubResult
from qiskit.primitives.base import BaseSamplerV2
from qiskit.primitives.containers import BitArray, DataBin
from qiskit.primitives.primitive_job import PrimitiveJob

from qttt_circuits import Experiment, Game

ENCODINGS = ("pair", "spin")
"""The encodings that most tests use."""
ALL_ENCODINGS = ("gray", "one-hot", "pair", "spin")
"""Those whose gates are compared with the rules' table one by one."""
CODES = {
    "gray": {"E": [(0, 0)], "X": [(1, 0)], "O": [(1, 1)], None: [(0, 1)]},
    "one-hot": {
        "E": [(1, 0, 0)], "X": [(0, 1, 0)], "O": [(0, 0, 1)],
        None: [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1)],
    },
    "pair": {"E": [(0, 0)], "X": [(1, 0)], "O": [(0, 1)], None: [(1, 1)]},
    "spin": {"E": [(0, 0), (0, 1)], "X": [(1, 0)], "O": [(1, 1)], None: []},
}  # fmt: skip
"""For each encoding the codes of each symbol, and those that are invalid."""
ANCILLAS = ("needed", "all")
RULES = ("tiqtaqtoe", "cancelling", "shiftflip")
DENSE = 14
"""The largest number of qubits that a test simulates as one vector."""

GOLDEN = json.loads((Path(__file__).parent / "golden" / "dice.json").read_text())["positions"]

MAX_BY_KIND = {
    "spin": {
        "classical": 0, "off_board": 0, "superposition": 1, "entangling": 1, "half_entangling": 5,
        "cancelling": 0, "half_cancelling": 3, "half_shiftflip": 2, "spreading": 2,
    },
    "pair": {
        "classical": 0, "off_board": 0, "superposition": 1, "entangling": 3, "half_entangling": 5,
        "cancelling": 1, "half_cancelling": 5, "half_shiftflip": 3, "spreading": 2,
    },
}  # fmt: skip
"""The most two-qubit gates that the gate of a kind of move may have, with ``ancillas="needed"``."""


def play(rules: str, *moves: str, **options: Any) -> Game:
    """Returns a game after moves; a single text may hold several."""
    game = Game(rules, **options)
    for move in " ".join(moves).split():
        game.push(move)
    return game


def board(ket: str) -> str:
    """Returns a board of nine letters; the squares that a ket leaves out are empty."""
    return ket.ljust(9, "E")


def golden_game(entry: dict[str, Any]) -> Game:
    return play(entry["rules"], *entry["moves"])


def golden_numbers(entry: dict[str, Any], what: str) -> dict[str, float]:
    """Returns the golden probabilities or amplitudes as floats, from their exact form."""
    return {
        name: surd(number["rational"]) + surd(number["sqrt2"]) * 2**0.5
        for name, number in entry[what].items()
    }


def surd(text: str) -> float:
    numerator, _, denominator = text.partition("/")
    return int(numerator) / int(denominator or 1)


def random_game(rules: str, seed: str, plies: int, *, observe: bool = False) -> Iterator[Game]:
    """Yields a game after each of its plies, moves drawn uniformly from the legal ones.

    Args:
        rules: The rule set.
        seed: What the draws come from.
        plies: The most plies.
        observe: Whether the game goes on after observations, to its end.
    """
    rng = random.Random(f"{rules} {seed}")
    game = Game(rules)
    for _ in range(plies):
        if game.observation_due:
            if not observe:
                return
            game.observe(seed=rng)
            yield game
        if game.outcome() is not None:
            return
        game.push(rng.choice(list(game.legal_moves)))
        yield game


# --- gates


def standard_gates(
    circuit: QuantumCircuit, qubits: Sequence[int] | None = None
) -> Iterator[tuple[np.ndarray, tuple[int, ...]]]:
    """Yields the matrices of a circuit's gates on at most two qubits, and the qubits' indices.

    A global phase is left out.
    """
    index = {q: (i if qubits is None else qubits[i]) for i, q in enumerate(circuit.qubits)}
    for item in circuit.data:
        on = tuple(index[q] for q in item.qubits)
        operation = item.operation
        if operation.name in ("measure", "barrier"):
            continue
        if operation.name in ("x", "z", "ry", "rz", "h", "u", "sx", "p", "cx", "cz"):
            yield operation.to_matrix(), on
        else:
            yield from standard_gates(operation.definition, on)


def two_qubit_gates(circuit: QuantumCircuit) -> int:
    """Returns how many gates of more than one qubit there are; none may have more than two."""
    sizes = [len(qubits) for _, qubits in standard_gates(circuit)]
    assert all(size <= 2 for size in sizes)
    return sizes.count(2)


def move_gates(circuit: QuantumCircuit) -> list[Any]:
    """Returns the instructions that are moves: everything but measurements and single X gates."""
    return [item for item in circuit.data if item.operation.name not in ("x", "measure")]


def apply(matrix: np.ndarray, places: Sequence[int], vector: np.ndarray) -> np.ndarray:
    """Returns a little-endian vector after a gate on some of its qubits."""
    n = vector.size.bit_length() - 1
    k = len(places)
    axes = [n - 1 - place for place in reversed(places)]
    tensor = np.tensordot(
        matrix.reshape((2,) * (2 * k)), vector.reshape((2,) * n), (range(k, 2 * k), axes)
    )
    return np.moveaxis(tensor, range(k), axes).reshape(-1)


def state_vector(circuit: QuantumCircuit, start: int = 0) -> np.ndarray:
    """Returns the state that a circuit makes of a basis state, up to its global phase."""
    vector = np.zeros(2**circuit.num_qubits, dtype=complex)
    vector[start] = 1
    for matrix, qubits in standard_gates(circuit):
        vector = apply(matrix, qubits, vector)
    return vector


@dataclass
class Part:
    """Qubits that no gate joins with the others, and their state.

    Attributes:
        qubits: Their indices in the circuit.
        vector: The state, little-endian in ``qubits``.
    """

    qubits: tuple[int, ...]
    vector: np.ndarray

    def amplitude(self, bits: dict[int, int]) -> complex:
        return self.vector[sum(bits[q] << i for i, q in enumerate(self.qubits))]

    def probable(self, least: float = 1e-24) -> Iterator[tuple[dict[int, int], float]]:
        """Yields the basis states that are not impossible, most probable first."""
        weights = np.abs(self.vector) ** 2
        for i in np.argsort(-weights, kind="stable"):
            if weights[i] <= least:
                return
            yield {q: int(i) >> k & 1 for k, q in enumerate(self.qubits)}, float(weights[i])


def parts(circuit: QuantumCircuit, joined: Iterable[Iterable[int]] = ()) -> list[Part]:
    """Returns the state of a circuit as a product.

    Args:
        circuit: A circuit; measurements are left out.
        joined: Qubits that are to be in one part even if no gate joins them.
    """
    gates = list(standard_gates(circuit))
    root = list(range(circuit.num_qubits))

    def find(q: int) -> int:
        while root[q] != q:
            q = root[q]
        return q

    for qubits in [*(on for _, on in gates), *map(tuple, joined)]:
        for q in qubits[1:]:
            root[find(q)] = find(qubits[0])
    members: dict[int, list[int]] = {}
    for q in range(circuit.num_qubits):
        members.setdefault(find(q), []).append(q)
    found = {}
    for name, qubits in members.items():
        vector = np.zeros(2 ** len(qubits), dtype=complex)
        vector[0] = 1
        found[name] = Part(tuple(qubits), vector)
    for matrix, on in gates:
        part = found[find(on[0])]
        part.vector = apply(matrix, [part.qubits.index(q) for q in on], part.vector)
    return list(found.values())


# --- experiments


def squares_of(circuit: QuantumCircuit) -> list[int | None]:
    """Returns for each qubit the square in its register's name, or None for an ancilla."""
    found = []
    for register in circuit.qregs:
        match = re.match(r"sq(\d+)_", register.name)
        found += [int(match[1]) if match else None] * register.size
    return found


@dataclass
class PartResult:
    """What measuring one part of an experiment shows.

    Attributes:
        squares: The squares it holds.
        boards: For each configuration of these squares the probability of accepting it.
        rejected: The probability of rejecting it for each reason.
        part: The qubits and their state.
    """

    squares: tuple[int, ...]
    boards: dict[str, float]
    rejected: dict[str, float]
    part: Part

    @property
    def acceptance(self) -> float:
        return sum(self.boards.values())


class Evaluation:
    """What an experiment would show with infinitely many shots, from its circuit and decoder."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        circuit = experiment.preparation
        where = squares_of(circuit)
        together: dict[int, list[int]] = {}
        for q, square in enumerate(where):
            if square is not None:
                together.setdefault(square, []).append(q)
        joined = [*together.values(), *(factor.qubits for factor in experiment.factors)]
        self.parts: list[PartResult] = []
        found = parts(circuit, joined)
        self.example = self._accepted_example(found)
        self.background = experiment.decoder.read(self.example).name
        for part in found:
            squares = tuple(sorted({where[q] for q in part.qubits} - {None}))
            result = PartResult(squares, {}, {}, part)
            for bits, p in part.probable():
                pattern = list(self.example)
                for q, bit in bits.items():
                    pattern[q] = bit
                reading = experiment.decoder.read(pattern)
                into, name = result.rejected, reading.name
                if reading.accepted:
                    into, name = result.boards, "".join(reading.name[s - 1] for s in squares)
                into[name] = into.get(name, 0.0) + p
            self.parts.append(result)

    def _accepted_example(self, found: list[Part]) -> list[int]:
        """Returns the most probable pattern with each ancilla as predicted."""
        predicted = {a.clbit: a.predicted for a in self.experiment.decoder.ancillas}
        example = [0] * self.experiment.preparation.num_qubits
        for part in found:
            for bits, _ in part.probable():
                if all(predicted.get(q, bit) == bit for q, bit in bits.items()):
                    break
            else:
                raise AssertionError(f"qubits {part.qubits} are never accepted")
            for q, bit in bits.items():
                example[q] = bit
        return example

    @property
    def acceptance(self) -> float:
        return prod(result.acceptance for result in self.parts)

    @property
    def reasons(self) -> set[str]:
        """The reasons for which shots are rejected with a probability that is not rounding."""
        return {r for result in self.parts for r, p in result.rejected.items() if p > 1e-12}

    @property
    def distribution(self) -> dict[str, float]:
        """The probability of each board among the accepted shots."""
        found = {self.background: 1.0}
        for result in self.parts:
            grown: dict[str, float] = {}
            for name, p in found.items():
                for configuration, q in result.boards.items():
                    letters = list(name)
                    for square, symbol in zip(result.squares, configuration, strict=True):
                        letters[square - 1] = symbol
                    grown["".join(letters)] = p * q / result.acceptance
            found = grown
        return found

    def largest_amplitude_error(self) -> float:
        """Returns how far the projected amplitudes are from the factors, up to global phases.

        Each part is compared up to a phase of its own: between parts that is a global one.
        """
        predicted = {a.clbit: a.predicted for a in self.experiment.decoder.ancillas}
        furthest = 0.0
        for result in self.parts:
            factors = [
                f for f in self.experiment.factors if set(f.qubits) <= set(result.part.qubits)
            ]
            order = [q for factor in factors for q in factor.qubits]
            fixed = {q: predicted[q] for q in result.part.qubits if q in predicted}
            assert sorted([*order, *fixed]) == sorted(result.part.qubits)
            expected = reduce(
                lambda low, high: np.kron(high, low), [f.vector for f in factors], np.ones(1)
            )
            found = project(result.part, fixed, order)
            found = found / np.sqrt(result.acceptance)
            furthest = max(furthest, distance(found, expected))
        return furthest


def project(part: Part, fixed: dict[int, int], order: Sequence[int]) -> np.ndarray:
    """Returns the state of some qubits of a part where the others have fixed values.

    Args:
        part: The part.
        fixed: Values of qubits.
        order: The other qubits, in the order of the vector that is returned, little-endian.
    """
    n = len(part.qubits)
    axis = {q: n - 1 - i for i, q in enumerate(part.qubits)}
    tensor = part.vector.reshape((2,) * n)
    tensor = tensor.transpose([axis[q] for q in (*fixed, *reversed(order))])
    return tensor[tuple(fixed.values())].reshape(-1)


def distance(found: np.ndarray, expected: np.ndarray) -> float:
    """Returns the largest difference of two vectors, up to one phase."""
    overlap = np.vdot(expected, found)
    phase = overlap / abs(overlap) if abs(overlap) > 1e-9 else 1
    return float(np.max(np.abs(found / phase - expected)))


def overlap_probability(experiment: Experiment, amplitudes: Any = None) -> float:
    """Returns the probability that an overlap experiment reads ``same``."""
    overlap = experiment.overlap(amplitudes)
    bits = dict.fromkeys(range(overlap.preparation.num_qubits), 0)
    bits |= {ancilla.clbit: ancilla.predicted for ancilla in overlap.decoder.ancillas}
    pattern = [bits[i] for i in range(len(bits))]
    assert overlap.decoder.read(pattern) == (True, "same")
    return float(prod(abs(part.amplitude(bits)) ** 2 for part in parts(overlap.preparation)))


def exact_distribution(game: Game) -> dict[str, float]:
    """Returns the exact probabilities as floats, after checking that they sum to 1 exactly."""
    exact = game.rules.exact_state(game.table).distribution(game.observed)
    assert sum(exact.values()) == 1
    return {str(name): float(p) for name, p in exact.items()}


def assert_same_distribution(
    found: dict[str, float], expected: dict[str, float], tolerance: float = 1e-9
) -> None:
    worst = max({*found, *expected}, key=lambda k: abs(found.get(k, 0) - expected.get(k, 0)))
    assert abs(found.get(worst, 0.0) - expected.get(worst, 0.0)) <= tolerance, worst


def pattern(experiment: Experiment, *ones: str) -> list[int]:
    """Returns the bits in which exactly the qubits of the named registers read 1."""
    names = [register.name for register in experiment.preparation.qregs]
    assert set(ones) <= set(names), names
    return [int(name in ones) for name in names]


def pattern_of(experiment: Experiment, name: str, letters: str, *ones: str) -> list[int]:
    """Returns the bits of a board, of an experiment that leaves out no qubit of its squares.

    Args:
        experiment: The experiment.
        name: Its encoding.
        letters: The board; squares that it leaves out are empty.
        *ones: The ancillas that read 1.
    """
    found = []
    codes = CODES[name]
    squares = squares_of(experiment.preparation)
    for register, square in zip(experiment.preparation.qregs, squares, strict=True):
        if square is None:
            found.append(int(register.name in ones))
        else:
            code = codes[board(letters)[square - 1]][0]
            found.append(code[squares[: len(found)].count(square)])
    return found


def text(bits: Sequence[int]) -> str:
    """Returns bits as Qiskit writes them: clbit 0 rightmost, no spaces."""
    return "".join(map(str, reversed(bits)))


# --- samplers


class FixedSampler(BaseSamplerV2):
    """Answers every circuit with bits that were chosen before, and remembers what it was asked.

    Args:
        rows: The bits of each shot, column i for clbit i; or a function of the circuit.
    """

    def __init__(self, rows: Sequence[Sequence[int]] | Callable[[QuantumCircuit], Any]) -> None:
        self.rows = rows
        self.asked: list[tuple[QuantumCircuit, int | None]] = []

    def run(self, pubs: Iterable[Any], *, shots: int | None = None) -> PrimitiveJob:
        circuits = [pub[0] if isinstance(pub, tuple) else pub for pub in pubs]
        self.asked += [(circuit, shots) for circuit in circuits]
        job = PrimitiveJob(lambda: PrimitiveResult([self._answer(c) for c in circuits]))
        job._submit()
        return job

    def _answer(self, circuit: QuantumCircuit) -> SamplerPubResult:
        rows = self.rows(circuit) if callable(self.rows) else self.rows
        array = np.array(rows, dtype=bool).reshape(len(rows), circuit.num_clbits)
        registers, start = {}, 0
        for register in circuit.cregs:
            bits = array[:, start : start + register.size]
            registers[register.name] = BitArray.from_bool_array(bits, order="little")
            start += register.size
        return SamplerPubResult(DataBin(shape=(), **registers))


class BrokenSampler(BaseSamplerV2):
    """Fails whenever it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def run(self, pubs: Iterable[Any], *, shots: int | None = None) -> PrimitiveJob:
        self.asked += 1
        raise RuntimeError("the fridge is warm\nand the lines are down")


# --- measured circuits


def clbit_distribution(circuit: QuantumCircuit) -> dict[str, float]:
    """Returns the probability of each bit string, clbit 0 rightmost, from the state vector."""
    measured = {}
    for item in circuit.data:
        if item.operation.name == "measure":
            qubit = circuit.find_bit(item.qubits[0]).index
            measured[circuit.find_bit(item.clbits[0]).index] = qubit
    assert sorted(measured) == list(range(circuit.num_clbits))
    found: dict[str, float] = {}
    for index, amplitude in enumerate(state_vector(circuit)):
        if abs(amplitude) > 1e-12:
            name = text([index >> measured[c] & 1 for c in range(circuit.num_clbits)])
            found[name] = found.get(name, 0.0) + abs(amplitude) ** 2
    return found
