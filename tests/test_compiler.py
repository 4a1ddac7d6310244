"""Circuits are named for what they hold, draw as moves, and survive export."""

import io
from itertools import product

import pytest
from circuits import (
    ANCILLAS,
    ENCODINGS,
    Evaluation,
    assert_same_distribution,
    clbit_distribution,
    move_gates,
    pattern,
    play,
    squares_of,
    text,
)
from qiskit import QuantumCircuit, qasm3, qpy

from qttt_circuits.encodings import encoding

POSITIONS = {
    "superposition": ("tiqtaqtoe", "1,2"),
    "entangling": ("tiqtaqtoe", "1 1,2"),
    "half-entangling": ("tiqtaqtoe", "1,2 2,3"),
    "cancelling": ("cancelling", "1 -1,2"),
    "half-cancelling": ("cancelling", "1,2 -2,3"),
    "both-halves": ("cancelling", "3,4 -3,1 O:-4,2"),
    "half-shiftflip": ("shiftflip", "1,2 -2,3"),
    "spreading": ("shiftflip", "1,2 -2,-3"),
    "off-board": ("shiftflip", "1 -1,-2 3,4"),
    "two-of-a-kind": ("shiftflip", "1,2 3,-4 -4,5 -2,6"),
}
positions = pytest.mark.parametrize(("rules", "moves"), POSITIONS.values(), ids=POSITIONS.keys())
compiled = [
    {"encoding": name, "ancillas": ancillas, "elide": elide}
    for name, ancillas, elide in product(ENCODINGS, ANCILLAS, (True, False))
]
options = pytest.mark.parametrize("options", compiled, ids=lambda o: "-".join(map(str, o.values())))


# --- names


@positions
@options
def test_registers_are_named_for_what_they_hold(rules, moves, options):
    circuit = play(rules, moves).circuit(**options)
    names = [register.name for register in circuit.qregs]
    assert all(register.size == 1 for register in circuit.qregs)
    bits = encoding(options["encoding"]).bits
    wires = [f"sq{s}_{bit}" for s in range(1, 10) for bit in bits]
    kind = "off" if options["ancillas"] == "all" else "fail"
    ancillas = [f"{kind}{k}" for k in range(1, len(moves.split()) + 1)]
    order = [*wires, *ancillas]
    assert set(names) <= set(order)
    assert names == sorted(names, key=order.index)
    if kind == "off":
        assert [name for name in names if name in ancillas] == ancillas


@positions
@options
def test_classical_registers_differ_from_quantum_ones(rules, moves, options):
    circuit = play(rules, moves).circuit(**options)
    found = {register.name: register.size for register in circuit.cregs}
    board_qubits = sum(square is not None for square in squares_of(circuit))
    expected = {"obs": board_qubits, "anc": circuit.num_qubits - board_qubits}
    assert found == {name: size for name, size in expected.items() if size}


@positions
@options
def test_clbit_i_is_qubit_i_measured_at_the_end_and_once(rules, moves, options):
    circuit = play(rules, moves).circuit(**options)
    measured = []
    for item in circuit.data:
        if item.operation.name == "measure":
            q = circuit.find_bit(item.qubits[0]).index
            assert circuit.find_bit(item.clbits[0]).index == q
            measured.append(q)
        else:
            assert not measured, "a gate after a measurement"
    assert measured == list(range(circuit.num_qubits))


def test_a_square_and_a_move_are_recognised_by_name():
    spin = play("cancelling", "4,5 -5,6 7").circuit(elide=False, measure=False)
    assert {"sq5_occ", "sq5_spin", "fail2"} <= {register.name for register in spin.qregs}
    every = play("cancelling", "4,5 -5,6 7").circuit(ancillas="all", measure=False)
    assert {"off1", "off2", "off3"} <= {register.name for register in every.qregs}


@positions
@options
def test_without_measurements_a_circuit_has_no_classical_bits(rules, moves, options):
    game = play(rules, moves)
    circuit = game.circuit(measure=False, **options)
    assert circuit.num_clbits == 0
    assert circuit.qregs == game.circuit(**options).qregs
    assert circuit == game.experiment(**options).preparation


@positions
@options
def test_compiling_twice_gives_equal_circuits(rules, moves, options):
    assert play(rules, moves).circuit(**options) == play(rules, moves).circuit(**options)


def test_metadata_is_plain_text_and_says_what_was_compiled():
    for game in (play("cancelling", "1,2 -2,3", scoring="points"), play("tiqtaqtoe", "1")):
        experiment = game.experiment(encoding="pair", ancillas="all", elide=False)
        metadata = experiment.circuit.metadata
        assert metadata == dict(experiment.settings)
        assert all(type(k) is str and type(v) is str for k, v in metadata.items())
        assert metadata["position"] == game.text()
        assert metadata["encoding"] == "pair"
        assert metadata["ancillas"] == "all"
        assert metadata["synthesis"] == "moves"
        assert metadata["elide"] == "false"


# --- drawings


@positions
@options
def test_the_drawing_contains_the_label_of_every_gate_and_every_name(rules, moves, options):
    circuit = play(rules, moves).circuit(**options)
    drawn = str(circuit.draw("text", fold=-1))
    for gate in move_gates(circuit):
        assert gate.operation.label in drawn
    for register in circuit.qregs:
        assert f"{register.name}:" in drawn
    if not options["elide"]:
        labels = [gate.operation.label for gate in move_gates(circuit)]
        assert [label.split(" ", 1)[1] for label in labels] == moves.split()


@positions
@options
def test_one_decomposition_leaves_standard_gates_only(rules, moves, options):
    circuit = play(rules, moves).circuit(**options)
    names = {item.operation.name for item in circuit.decompose().data}
    assert names <= {"x", "z", "ry", "rz", "h", "u", "p", "r", "u3", "cx", "cz", "measure"}
    assert_same_distribution(clbit_distribution(circuit.decompose()), clbit_distribution(circuit))


@pytest.mark.parametrize("name", ENCODINGS)
def test_without_elision_each_move_is_exactly_one_box(name):
    for rules, moves in POSITIONS.values():
        circuit = play(rules, moves).circuit(encoding=name, elide=False)
        assert len(move_gates(circuit)) == len(moves.split())
        others = [item for item in circuit.data if item not in move_gates(circuit)]
        assert {item.operation.name for item in others} <= {"x", "measure"}


@pytest.mark.parametrize("name", ["pair", "spin"])
def test_constant_qubits_are_left_out_and_filled_in(name):
    game = play("tiqtaqtoe", "5 1,2 9")
    experiment = game.experiment(encoding=name)
    assert experiment.circuit.num_qubits == 2
    result = experiment.decode({"01": 3, "10": 4})
    assert result.counts == {"OEEEXEEEX": 3, "EOEEXEEEX": 4}


def test_eliding_removes_no_information():
    for (rules, moves), option in product(POSITIONS.values(), compiled):
        experiment = play(rules, moves).experiment(**option)
        evaluation = Evaluation(experiment)
        assert_same_distribution(evaluation.distribution, dict(experiment.distribution))


# --- export


@positions
@options
def test_openqasm_3_comes_back_with_the_same_distribution(rules, moves, options):
    circuit = play(rules, moves).circuit(**options)
    again = qasm3.loads(qasm3.dumps(circuit))
    assert [r.name for r in again.qregs] == [r.name for r in circuit.qregs]
    assert [(r.name, r.size) for r in again.cregs] == [(r.name, r.size) for r in circuit.cregs]
    assert_same_distribution(clbit_distribution(again), clbit_distribution(circuit))


@positions
@options
def test_qpy_comes_back_with_the_same_distribution(rules, moves, options):
    circuit = play(rules, moves).circuit(**options)
    for dumped in (circuit, circuit.decompose()):
        buffer = io.BytesIO()
        qpy.dump(dumped, buffer)
        buffer.seek(0)
        [again] = qpy.load(buffer)
        assert again.qregs == circuit.qregs
        assert again.cregs == circuit.cregs
        assert again.metadata == circuit.metadata
        assert_same_distribution(clbit_distribution(again), clbit_distribution(circuit))


@pytest.mark.parametrize("name", ENCODINGS)
def test_gates_of_one_name_with_different_bodies_survive_export(name):
    """Two superpositions and two half-shiftflips whose signs, and so bodies, differ."""
    circuit = play("shiftflip", "1,2 3,-4 -4,5 -2,6").circuit(encoding=name)
    boxes = [item.operation for item in move_gates(circuit)]
    assert boxes[0].name == boxes[1].name
    assert boxes[0].definition != boxes[1].definition
    assert boxes[2].name == boxes[3].name
    expected = clbit_distribution(circuit)
    assert len({round(p, 9) for p in expected.values()}) > 1
    assert_same_distribution(clbit_distribution(qasm3.loads(qasm3.dumps(circuit))), expected)


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_decoder_reads_what_an_imported_circuit_measures(name):
    experiment = play("cancelling", "1,2 -2,3").experiment(encoding=name)
    again = qasm3.loads(qasm3.dumps(experiment.circuit))
    shots = 10**6
    counts = {bits: round(p * shots) for bits, p in clbit_distribution(again).items()}
    result = experiment.decode(counts)
    assert result.acceptance == pytest.approx(experiment.predicted_acceptance, abs=1e-5)
    for outcome, p in experiment.distribution.items():
        assert result.frequencies[outcome] == pytest.approx(p, abs=1e-5)


def test_an_experiment_without_qubits_is_a_circuit_too():
    experiment = play("tiqtaqtoe", "1 5").experiment()
    assert isinstance(experiment.circuit, QuantumCircuit)
    assert experiment.circuit.num_qubits == experiment.circuit.num_clbits == 0
    again = qasm3.loads(qasm3.dumps(experiment.circuit))
    assert again.num_qubits == 0
    overlap = experiment.overlap()
    assert overlap.circuit.num_qubits == 0
    assert overlap.decode({"": 3}).counts == {"same": 3}


def test_the_pattern_of_a_board_reads_as_that_board():
    experiment = play("tiqtaqtoe", "1,2 2,3").experiment(encoding="pair", elide=False)
    bits = pattern(experiment, "sq2_x", "sq3_o")
    assert text(bits) == "100100"
    assert experiment.decoder.read(bits) == (True, "EXOEEEEEE")
