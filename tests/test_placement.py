"""Circuits are put on the qubits that are predicted to do best, and read from the right ones."""

import numpy as np
import pytest
from circuits import apply, play, standard_gates
from qiskit import QuantumCircuit, QuantumRegister
from qiskit.transpiler import generate_preset_pass_manager
from vendors import TargetOnly, small_target

from qttt_circuits.backends import resolve
from qttt_circuits.placement import LEVEL, TRIES, place, predicted_fidelity

LINE = [(i, i + 1) for i in range(7)]


def experiments():
    return [
        play("cancelling", "1,2 -2,3").experiment(),
        play("shiftflip", "1,2 -2,-3").experiment(encoding="pair"),
        play("tiqtaqtoe", "1,2 3,4").experiment(encoding="pair"),
    ]


def probability_of_one(circuit):
    """Returns for each qubit that is used the probability of 1, from the state vector."""
    used = sorted({circuit.find_bit(q).index for item in circuit.data for q in item.qubits})
    place_of = {qubit: i for i, qubit in enumerate(used)}
    vector = np.zeros(2 ** len(used), dtype=complex)
    vector[0] = 1
    for matrix, qubits in standard_gates(circuit):
        vector = apply(matrix, [place_of[q] for q in qubits], vector)
    weights = np.abs(vector) ** 2
    indices = np.arange(weights.size)
    return {q: float(weights[indices >> i & 1 == 1].sum()) for q, i in place_of.items()}


# --- which qubit is read into which clbit


@pytest.mark.parametrize("seed", range(4))
def test_the_measured_qubits_are_in_the_order_of_the_clbits(seed):
    """Each qubit is turned by an angle of its own, and measured into a clbit far from its index."""
    order = [3, 0, 4, 1, 2]
    angles = [0.3, 0.9, 1.4, 2.1, 2.8]
    circuit = QuantumCircuit(5, 5)
    for q, angle in enumerate(angles):
        circuit.ry(angle, q)
    for a, b in ((0, 3), (3, 1), (1, 4), (2, 0)):
        circuit.cz(a, b)
    circuit.measure(range(5), order)
    device = TargetOnly(small_target(8, edges=LINE, cx=0.01, one=0.001, readout=0.02))
    [placement] = place([circuit], device, seed=seed)
    assert len(set(placement.qubits)) == 5
    found = probability_of_one(placement.circuit)
    for q, clbit in enumerate(order):
        assert found[placement.qubits[clbit]] == pytest.approx(np.sin(angles[q] / 2) ** 2)


def test_several_registers_are_one_row_of_clbits():
    experiment = play("cancelling", "1,2 -2,3").experiment(ancillas="all")
    assert len(experiment.circuit.cregs) == 2
    [placement] = place([experiment.circuit], resolve("fake_fez"), seed=1)
    found = probability_of_one(placement.circuit)
    alone = probability_of_one(experiment.preparation)
    for i, qubit in enumerate(placement.qubits):
        assert found[qubit] == pytest.approx(alone[i], abs=1e-9)


# --- predicted fidelity


def test_predicted_fidelity_is_the_product_of_what_the_device_reports():
    device = TargetOnly(
        small_target(
            3,
            edges=[(0, 1), (1, 2)],
            cx={(0, 1): 0.02, (1, 2): 0.05},
            one={0: 0.001, 1: 0.002, 2: 0.003},
            readout={0: 0.01, 1: 0.03, 2: 0.2},
        )
    )
    circuit = QuantumCircuit(3, 2)
    circuit.sx(0)
    circuit.rz(0.4, 0)
    circuit.x(1)
    circuit.barrier()
    circuit.cx(0, 1)
    circuit.cx(2, 1)
    circuit.sx(0)
    circuit.measure(1, 0)
    circuit.measure(0, 1)
    expected = 0.999 * 0.998 * 0.98 * 0.95 * 0.999 * 0.97 * 0.99
    assert predicted_fidelity(circuit, device) == pytest.approx(expected, rel=1e-12)


def test_where_no_error_is_reported_no_fidelity_is_predicted():
    device = TargetOnly(small_target(3))
    circuit = QuantumCircuit(3, 1)
    circuit.cx(0, 1)
    circuit.measure(1, 0)
    assert predicted_fidelity(circuit, device) is None
    [placement] = place([circuit], device, seed=1)
    assert placement.fidelity is None


def test_an_error_that_is_reported_counts_though_others_are_not():
    device = TargetOnly(small_target(3, readout=0.25))
    circuit = QuantumCircuit(3, 2)
    circuit.cx(0, 1)
    circuit.measure([0, 1], [0, 1])
    assert predicted_fidelity(circuit, device) == pytest.approx(0.75**2)
    assert predicted_fidelity(QuantumCircuit(3), device) is None


def test_a_gate_that_always_fails_leaves_next_to_nothing():
    device = TargetOnly(small_target(2, cx=1.0))
    circuit = QuantumCircuit(2)
    circuit.cx(0, 1)
    assert 0 < predicted_fidelity(circuit, device) < 1e-5


# --- choosing


@pytest.mark.parametrize("name", ["fake_torino", "fake_sherbrooke"])
def test_the_best_of_several_layouts_is_never_worse_than_one(name):
    backend = resolve(name)
    circuits = [experiment.circuit for experiment in experiments()]
    chosen = place(circuits, backend, seed=5)
    singles = [
        place(
            circuits,
            backend,
            seed=5,
            pass_manager=generate_preset_pass_manager(
                LEVEL, backend=backend, seed_transpiler=5 + i
            ),
        )
        for i in range(TRIES)
    ]
    for i, placement in enumerate(chosen):
        found = [single[i].fidelity for single in singles]
        assert placement.fidelity == max(found)
        assert 0.5 < placement.fidelity < 1
        assert placement.fidelity == predicted_fidelity(placement.circuit, backend)


def test_a_good_pair_of_qubits_is_found():
    errors = dict.fromkeys(LINE, 0.2) | {(5, 6): 0.001}
    device = TargetOnly(small_target(8, edges=LINE, cx=errors, one=0.0001, readout=0.01))
    circuit = play("tiqtaqtoe", "1 1,2").experiment().circuit
    [placement] = place([circuit], device, seed=1)
    assert set(placement.qubits) <= {5, 6}


def test_qubits_that_are_not_entangled_may_lie_apart():
    """Two superpositions, and two good pairs of qubits at the two ends of the device."""
    errors = dict.fromkeys(LINE, 0.2) | {(0, 1): 0.001, (6, 7): 0.001}
    device = TargetOnly(small_target(8, edges=LINE, cx=errors, one=0.0001, readout=0.01))
    experiment = play("tiqtaqtoe", "1,2 3,4").experiment(encoding="pair")
    assert experiment.circuit.num_qubits == 4
    [placement] = place([experiment.circuit], device, seed=1)
    pairs = {frozenset(placement.qubits[:2]), frozenset(placement.qubits[2:])}
    assert pairs == {frozenset({0, 1}), frozenset({6, 7})}
    assert placement.fidelity > 0.9


def test_each_circuit_is_placed_for_itself_and_in_order():
    backend = resolve("fake_torino")
    circuits = [experiment.circuit for experiment in experiments()]
    together = place(circuits, backend, seed=2)
    for circuit, placement in zip(circuits, together, strict=True):
        [alone] = place([circuit], backend, seed=2)
        assert alone.qubits == placement.qubits
        assert len(placement.qubits) == circuit.num_clbits
        names = {item.operation.name for item in placement.circuit.data}
        assert names <= {*backend.target.operation_names, "barrier"}


def test_the_same_seed_gives_the_same_place():
    backend = resolve("fake_fez")
    circuit = experiments()[0].circuit
    first, again = (place([circuit], backend, seed=2**31 - 2)[0] for _ in range(2))
    assert (first.qubits, first.circuit) == (again.qubits, again.circuit)


def test_a_pass_manager_of_ones_own_is_used_once():
    device = TargetOnly(small_target(4, edges=LINE[:3], cx=0.01, one=0.001, readout=0.02))
    circuit = QuantumCircuit(QuantumRegister(2, "a"))
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.measure_all()
    manager = generate_preset_pass_manager(
        0, backend=device, initial_layout=[2, 1], seed_transpiler=1
    )
    [placement] = place([circuit], device, seed=1, pass_manager=manager)
    assert placement.qubits == (2, 1)
