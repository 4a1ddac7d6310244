"""The gates of moves are Qiskit gates as others are: matrices, inverses, copies and equality."""

import copy
import pickle

import numpy as np
import pytest
from circuits import ALL_ENCODINGS, ANCILLAS, move_gates, play, state_vector, two_qubit_gates
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.circuit.library import XGate
from qiskit.quantum_info import Operator, Statevector

from qttt_circuits import gates

EXAMPLES = {
    "ClassicalGate": ("tiqtaqtoe", "5"),
    "SuperpositionGate": ("shiftflip", "1,-2"),
    "EntanglingGate": ("tiqtaqtoe", "1 1,2"),
    "HalfEntanglingGate": ("tiqtaqtoe", "1,2 2,3"),
    "CancellingGate": ("cancelling", "1 -1,2"),
    "HalfCancellingGate": ("cancelling", "1,2 -2,3"),
    "HalfShiftflipGate": ("shiftflip", "1,2 -2,3"),
    "SpreadingGate": ("shiftflip", "1,2 -2,-3"),
    "OffBoardGate": ("shiftflip", "1 -1,-2"),
}


def last_gate(rules, moves, **options):
    options = {"elide": False, **options}
    return move_gates(play(rules, moves).circuit(measure=False, **options))[-1].operation


def every_gate():
    for class_name, (rules, moves) in EXAMPLES.items():
        for name in ALL_ENCODINGS:
            for ancillas in ANCILLAS:
                marks = f"{class_name}-{name}-{ancillas}"
                yield pytest.param(rules, moves, name, ancillas, class_name, id=marks)


every = pytest.mark.parametrize(
    ("rules", "moves", "name", "ancillas", "class_name"), [*every_gate()]
)


@pytest.fixture
def gate(rules, moves, name, ancillas):
    return last_gate(rules, moves, encoding=name, ancillas=ancillas)


@every
def test_each_kind_of_move_has_its_own_subclass_of_gate(gate, class_name):
    assert isinstance(gate, Gate)
    assert type(gate) is getattr(gates, class_name)
    assert gate.params == []
    assert gate.name.isidentifier()


@every
def test_the_label_says_the_kind_and_the_move(gate, moves, class_name):
    kind, _, move = gate.label.partition(" ")
    assert move == moves.split()[-1]
    assert kind.replace("-", "") == class_name.removesuffix("Gate").lower()


@every
def test_the_matrix_is_unitary_and_that_of_the_definition(gate, class_name):
    matrix = np.asarray(gate)
    assert matrix.shape == (2**gate.num_qubits,) * 2
    np.testing.assert_allclose(matrix @ matrix.conj().T, np.eye(len(matrix)), atol=1e-12)
    np.testing.assert_allclose(Operator(gate.definition).data, matrix, atol=1e-12)
    np.testing.assert_allclose(gate.to_matrix(), matrix, atol=1e-12)
    np.testing.assert_allclose(Operator(gate).data, matrix, atol=1e-12)
    # and of an evaluation of our own, up to its global phase
    phase = np.exp(1j * gate.definition.global_phase)
    for column in range(0, len(matrix), 7):
        found = phase * state_vector(gate.definition, column)
        np.testing.assert_allclose(found, matrix[:, column], atol=1e-9)


@every
def test_the_matrix_is_given_in_the_type_that_is_asked_for(gate, class_name):
    assert np.asarray(gate).dtype == complex
    assert np.asarray(gate, dtype=np.complex64).dtype == np.complex64
    with pytest.raises(ValueError, match="copy"):
        gate.__array__(copy=False)


@every
def test_the_inverse_undoes_the_gate_and_its_inverse_is_the_gate(gate, class_name):
    inverse = gate.inverse()
    np.testing.assert_allclose(
        np.asarray(inverse) @ np.asarray(gate), np.eye(2**gate.num_qubits), atol=1e-12
    )
    assert inverse != gate
    assert inverse.name != gate.name
    assert inverse.label != gate.label
    assert inverse.inverse() == gate
    assert inverse.inverse().label == gate.label
    assert type(inverse) is type(gate)


@every
def test_equality_survives_every_kind_of_copy(gate, class_name):
    copies = [gate.copy(), copy.copy(gate), copy.deepcopy(gate), gate.to_mutable()]
    copies.append(pickle.loads(pickle.dumps(gate)))
    for twin in copies:
        assert twin == gate
        assert hash(twin) == hash(gate)
        np.testing.assert_array_equal(np.asarray(twin), np.asarray(gate))
    assert gate != XGate()
    assert gate != "gate"


@every
def test_the_gate_can_be_controlled_and_repeated(gate, class_name):
    n = gate.num_qubits
    controlled = QuantumCircuit(n + 1)
    controlled.append(gate.control(1), range(n + 1))
    matrix = Operator(controlled).data
    idle = [2 * i for i in range(2**n)]
    busy = [2 * i + 1 for i in range(2**n)]
    np.testing.assert_allclose(matrix[np.ix_(idle, idle)], np.eye(2**n), atol=1e-8)
    np.testing.assert_allclose(matrix[np.ix_(busy, busy)], np.asarray(gate), atol=1e-8)
    squared = np.asarray(gate) @ np.asarray(gate)
    np.testing.assert_allclose(Operator(gate.repeat(2)).data, squared, atol=1e-9)


@pytest.mark.parametrize("name", ALL_ENCODINGS)
def test_gates_of_equal_moves_are_equal_and_of_others_are_not(name):
    def found(rules, moves, **options):
        return last_gate(rules, moves, encoding=name, **options)

    first = found("shiftflip", "1,2 -2,3")
    assert first == found("shiftflip", "1,2 -2,3")
    assert len({first, found("shiftflip", "1,2 -2,3")}) == 1
    for rules, moves, options in (
        ("shiftflip", "1,2 -2,4", {}),
        ("shiftflip", "1,2 -1,3", {}),
        ("shiftflip", "1,2 2,-3", {}),
        ("shiftflip", "O:1,2 -2,3", {}),
        ("cancelling", "1,2 -2,3", {}),
        ("shiftflip", "1,2 -2,3", {"ancillas": "all"}),
    ):
        assert first != found(rules, moves, **options)


def test_gates_of_two_encodings_differ():
    first, second = (last_gate("shiftflip", "1,2", encoding=name) for name in ("pair", "spin"))
    assert first != second


@pytest.mark.parametrize("name", ALL_ENCODINGS)
def test_a_whole_circuit_equals_its_copies_and_its_inverse_undoes_it(name):
    circuit = play("shiftflip", "1,2 -2,3 4,-5 5,6").circuit(encoding=name, measure=False)
    assert circuit == circuit.copy() == copy.deepcopy(circuit)
    assert pickle.loads(pickle.dumps(circuit)) == circuit
    undone = Statevector(circuit.compose(circuit.inverse()))
    assert abs(undone.data[0]) == pytest.approx(1)
    again = circuit.inverse().inverse()
    assert abs(Statevector(again).inner(Statevector(circuit))) == pytest.approx(1)


@every
def test_the_definition_is_of_gates_on_one_or_two_qubits(gate, class_name):
    sizes = {len(item.qubits) for item in gate.definition.data}
    assert sizes <= {1, 2}
    assert two_qubit_gates(gate.definition) == sum(
        len(item.qubits) == 2 for item in gate.definition.data
    )


@pytest.mark.parametrize("name", ALL_ENCODINGS)
def test_a_label_that_is_changed_is_part_of_equality(name):
    gate = last_gate("tiqtaqtoe", "1,2", encoding=name)
    other = gate.to_mutable()
    other.label = "mine"
    assert other != gate
    assert gate.label == "superposition 1,2"
