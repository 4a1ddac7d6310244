"""A snapshot's noise on the qubits that are used is the noise of the whole device on them."""

from itertools import product
from math import log, sqrt

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.providers.fake_provider import GenericBackendV2
from qiskit.quantum_info import SuperOp
from qiskit_aer import AerSimulator
from qiskit_aer.noise import NoiseModel
from vendors import TargetOnly, small_target

from qttt_circuits.backends import resolve
from qttt_circuits.snapshots import DENSITY_QUBITS, is_snapshot, noise_of, run_on_snapshot

SHOTS = 20_000
FAILURE = 1e-6


@pytest.fixture(scope="module")
def line():
    """Five qubits in a line."""
    return resolve("fake_manila")


def channel(error, made={}):  # noqa: B006
    """Returns the matrix of an error, made once for each."""
    if id(error) not in made:
        made[id(error)] = error, SuperOp(error).data
    return made[id(error)][1]


def gate_errors(model, qubits):
    """Returns the channel of each gate that has an error, on some qubits numbered by their order.

    Args:
        model: The noise.
        qubits: The qubits; gates that act on others too are left out.
    """
    index = {qubit: i for i, qubit in enumerate(qubits)}
    return {
        (name, tuple(index[q] for q in acted)): channel(error)
        for name, errors in model._local_quantum_errors.items()
        for acted, error in errors.items()
        if all(q in index for q in acted)
    }


def readout_errors(model, qubits):
    """Returns the readout errors of some qubits, numbered by their order."""
    index = {qubit: i for i, qubit in enumerate(qubits)}
    return {
        (index[q],): error.probabilities
        for (q,), error in model._local_readout_errors.items()
        if q in index
    }


def assert_same_noise(found, expected):
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        np.testing.assert_allclose(found[key], value, atol=1e-12, err_msg=str(key))


# --- noise


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("fake_manila", [range(5), (2,), (3, 4, 2), (4, 0)]),
        ("fake_guadalupe", [(12, 10, 13), (0, 15)]),
        pytest.param("fake_torino", [(36, 30, 29), (0, 132)], marks=pytest.mark.slow),
    ],
    ids=["fake_manila", "fake_guadalupe", "fake_torino"],
)
def test_noise_of_some_qubits_is_that_of_the_whole_device_on_them(name, choices):
    backend = resolve(name)
    whole = NoiseModel.from_backend(backend)
    for qubits in choices:
        part, numbers = noise_of(backend, qubits), range(len(qubits))
        expected = gate_errors(whole, qubits)
        assert any(name == "sx" for name, _ in expected)
        assert_same_noise(gate_errors(part, numbers), expected)
        assert_same_noise(readout_errors(part, numbers), readout_errors(whole, qubits))
        assert len(readout_errors(part, numbers)) == len(qubits)
        assert sum(map(len, part._local_quantum_errors.values())) == len(expected)


def test_noise_of_joined_qubits_has_their_two_qubit_gates(line):
    joined = gate_errors(noise_of(line, (1, 2)), range(2))
    names = {name for name, qubits in joined if len(qubits) == 2}
    assert names == {"cx"}
    apart = {qubits for _, qubits in gate_errors(noise_of(line, (0, 2)), range(2))}
    assert all(len(qubits) == 1 for qubits in apart)


def test_a_snapshot_is_known_by_its_class():
    assert is_snapshot(resolve("fake_fez"))
    for other in (AerSimulator(), GenericBackendV2(3, seed=1), TargetOnly(small_target(2))):
        assert not is_snapshot(other)


# --- running


def two_groups():
    """Two entangled pairs and a lone qubit, measured crosswise into six clbits, one unused."""
    circuit = QuantumCircuit(5, 6)
    circuit.sx(0)
    circuit.rz(0.7, 0)
    circuit.sx(0)
    circuit.cx(0, 1)
    circuit.x(3)
    circuit.sx(4)
    circuit.cx(4, 3)
    circuit.sx(2)
    circuit.barrier()
    circuit.measure([0, 1, 2, 3, 4], [4, 0, 5, 1, 3])
    return circuit


def exact_joint(circuit, backend):
    """Returns the probability of each pattern: one density matrix, and readout errors by hand."""
    model = NoiseModel.from_backend(backend)
    simulated = circuit.remove_final_measurements(inplace=False)
    measured = {}
    for item in circuit.data:
        if item.operation.name == "measure":
            qubit = circuit.find_bit(item.qubits[0]).index
            measured[qubit] = circuit.find_bit(item.clbits[0]).index
    simulated.save_density_matrix()
    simulator = AerSimulator(method="density_matrix", noise_model=model, max_parallel_threads=1)
    rho = np.asarray(simulator.run(simulated, shots=1).result().data()["density_matrix"])
    true = np.real(np.diag(rho))
    readout = readout_errors(model, range(5))
    found = {}
    for bits in product((0, 1), repeat=5):
        p = 0.0
        for index, weight in enumerate(true):
            for q in range(5):
                weight = weight * readout[(q,)][index >> q & 1][bits[q]]
            p += weight
        pattern = [0] * circuit.num_clbits
        for q, clbit in measured.items():
            pattern[clbit] = bits[q]
        found[tuple(pattern)] = p
    assert sum(found.values()) == pytest.approx(1)
    return found


def assert_drawn_from(rows, expected):
    """The distance is below what McDiarmid's inequality allows with probability 1 - 10⁻⁶."""
    patterns, counts = np.unique(rows, axis=0, return_counts=True)
    found = {tuple(map(int, p)): n / len(rows) for p, n in zip(patterns, counts, strict=True)}
    distance = sum(abs(found.get(k, 0) - expected.get(k, 0)) for k in {*found, *expected}) / 2
    n = len(rows)
    mean = sum(sqrt(p * (1 - p) / n) for p in expected.values()) / 2
    assert distance < mean + sqrt(log(1 / FAILURE) / (2 * n))


def test_groups_simulated_apart_have_the_joint_distribution(line):
    circuit = two_groups()
    [rows] = run_on_snapshot([circuit], line, shots=SHOTS, seed=1)
    assert rows.shape == (SHOTS, 6)
    assert not rows[:, 2].any()
    assert_drawn_from(rows, exact_joint(circuit, line))


def test_qubits_of_one_group_are_simulated_together(line):
    """A chain of all five qubits is one group; its noise is that of the whole device too."""
    circuit = QuantumCircuit(5, 5)
    circuit.sx(0)
    for q in range(4):
        circuit.cx(q, q + 1)
    circuit.measure(range(5), [1, 3, 0, 2, 4])
    [rows] = run_on_snapshot([circuit], line, shots=SHOTS, seed=1)
    assert_drawn_from(rows, exact_joint(circuit, line))
    # nearly all shots agree on all five, half of them on 1
    sums = rows.sum(axis=1)
    assert ((sums == 0) | (sums == 5)).mean() > 0.6
    assert 0.3 < (sums == 5).mean() < 0.7


def test_groups_do_not_share_their_chances(line):
    """Two pairs prepared alike agree no more often than independent ones would."""
    circuit = QuantumCircuit(5, 2)
    circuit.sx(0)
    circuit.sx(4)
    circuit.measure([0, 4], [0, 1])
    [rows] = run_on_snapshot([circuit], line, shots=SHOTS, seed=3)
    p, q = rows.mean(axis=0)
    both = (rows[:, 0] & rows[:, 1]).mean()
    assert abs(both - p * q) < 5 * sqrt(p * (1 - p) * q * (1 - q) / SHOTS)


def test_the_same_seed_gives_the_same_bits_and_another_others(line):
    circuits = [two_groups(), two_groups()]
    first, again, other = (
        run_on_snapshot(circuits, line, shots=300, seed=seed) for seed in (5, 5, 6)
    )
    for a, b, c in zip(first, again, other, strict=True):
        np.testing.assert_array_equal(a, b)
        assert (a != c).any()
    assert (first[0] != first[1]).any(), "circuits of one batch have shots of their own"


@pytest.mark.parametrize("seed", [0, 1, 2**31 - 1, 2**32, 2**40])
def test_every_seed_will_do(line, seed):
    first, again = (run_on_snapshot([two_groups()], line, shots=50, seed=seed) for _ in range(2))
    np.testing.assert_array_equal(first[0], again[0])


def test_qubits_that_are_not_measured_may_still_be_acted_on(line):
    circuit = QuantumCircuit(5, 1)
    circuit.x(4)
    circuit.x(1)
    circuit.measure(1, 0)
    [rows] = run_on_snapshot([circuit], line, shots=500, seed=1)
    assert rows.shape == (500, 1)
    assert rows.mean() > 0.8


def test_a_group_too_large_for_a_density_matrix_is_simulated_shot_by_shot():
    backend = resolve("fake_torino")
    width = DENSITY_QUBITS + 1
    circuit = QuantumCircuit(backend.num_qubits, width)
    circuit.x(0)
    for q in range(width - 1):
        circuit.cz(q, q + 1)
    circuit.measure(range(width), range(width))
    [rows] = run_on_snapshot([circuit], backend, shots=100, seed=1)
    means = rows.mean(axis=0)
    assert means[0] > 0.5
    assert max(means[1:]) < 0.4


def test_a_batch_may_be_empty(line):
    assert run_on_snapshot([], line, shots=10, seed=1) == []
