"""Readout mitigation undoes known errors, of all bits together and before post-selection."""

import sys
from functools import reduce

import numpy as np
import pytest
from circuits import assert_same_distribution, clbit_distribution, play
from qiskit_aer import AerSimulator
from vendors import TargetOnly, small_target

from qttt_circuits.backends import resolve
from qttt_circuits.device import run_on_device
from qttt_circuits.errors import MissingExtraError
from qttt_circuits.measured import Bits, measured_bits
from qttt_circuits.mitigation import assignments, calibration_circuits, mitigate
from qttt_circuits.snapshots import noise_of

FLIPS = [(0.02, 0.07), (0.11, 0.03), (0.005, 0.16), (0.04, 0.04), (0.09, 0.21)]
"""For each clbit the probabilities to read 1 for 0, and 0 for 1; all different."""
DEVICE = (7, 2, 11, 0, 5)
"""The device's qubit of each clbit, in no order."""
SHOTS = 10**9
TOLERANCE = 1e-4
"""mthree solves iteratively, to a few parts in 100,000."""


def matrix(up, down):
    return np.array([[1 - up, down], [up, 1 - down]])


MATRICES = {q: matrix(*flips) for q, flips in zip(DEVICE, FLIPS, strict=True)}


def confusion(clbits):
    """Returns the matrix over all patterns, clbit 0 least significant."""
    return reduce(lambda low, high: np.kron(high, low), [matrix(*FLIPS[i]) for i in range(clbits)])


@pytest.fixture(scope="module")
def experiment():
    made = play("cancelling", "1,2 -2,3").experiment(encoding="pair")
    assert made.circuit.num_clbits == 5
    return made


def true_vector(experiment):
    """Returns the probability of each pattern without errors, rejected ones included."""
    vector = np.zeros(2**experiment.circuit.num_clbits)
    for text, p in clbit_distribution(experiment.circuit).items():
        vector[int(text, 2)] = p
    return vector


def bits_of(counts):
    """Returns bits from a count for each pattern."""
    width = len(counts).bit_length() - 1
    seen = [i for i, n in enumerate(counts) if n]
    rows = np.array([[i >> k & 1 for k in range(width)] for i in seen], dtype=np.uint8)
    return Bits(rows, np.array([counts[i] for i in seen], dtype=np.int64), None)


def selected(experiment, weights):
    """Returns the outcomes of weighted patterns, unnormalised."""
    width = len(weights).bit_length() - 1
    found = {}
    for i, weight in enumerate(weights):
        reading = experiment.decoder.read([i >> k & 1 for k in range(width)])
        if reading.accepted:
            found[reading.name] = found.get(reading.name, 0.0) + float(weight)
    return found


def normalised(weights):
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


@pytest.fixture(scope="module")
def corrupted(experiment):
    """Exactly corrupted probabilities as counts of 10⁹ shots."""
    counts = [int(n) for n in np.rint(SHOTS * confusion(5) @ true_vector(experiment))]
    assert min(counts) > 0
    return counts


# --- assignment matrices


def test_assignment_matrices_count_the_flips_of_each_bit():
    shots, flips = 200, [(3, 50), (40, 0), (0, 199)]
    rng = np.random.default_rng(5)
    zeros, ones = np.zeros((shots, 3), dtype=np.uint8), np.ones((shots, 3), dtype=np.uint8)
    for i, (up, down) in enumerate(flips):
        zeros[rng.permutation(shots)[:up], i] = 1
        ones[rng.permutation(shots)[:down], i] = 0
    found = assignments(measured_bits(zeros, {"c": 3}), measured_bits(ones, {"c": 3}))
    assert len(found) == 3
    for (up, down), assignment in zip(flips, found, strict=True):
        np.testing.assert_allclose(assignment, matrix(up / shots, down / shots), atol=1e-12)
        np.testing.assert_allclose(assignment.sum(axis=0), 1)


def test_the_two_calibrations_may_have_different_numbers_of_shots():
    zeros, ones = {"01": 1, "00": 3}, {"11": 9, "01": 1}
    found = assignments(measured_bits(zeros, {"c": 2}), measured_bits(ones, {"c": 2}))
    np.testing.assert_allclose(found[0], matrix(0.25, 0.0))
    np.testing.assert_allclose(found[1], matrix(0.0, 0.1))


@pytest.mark.parametrize("qubits", [(0, 1, 2), (5, 1, 3), (2,)])
def test_calibration_circuits_measure_the_qubits_in_order(qubits):
    """Undone on all qubits but one, the flips show which clbit reads which qubit."""
    device = TargetOnly(small_target(6))
    zeros, ones = calibration_circuits(qubits, device)
    simulator = AerSimulator()
    assert set(simulator.run(zeros, shots=5).result().get_counts()) == {"0" * len(qubits)}
    assert set(simulator.run(ones, shots=5).result().get_counts()) == {"1" * len(qubits)}
    for circuit in (zeros, ones):
        assert circuit.num_qubits == 6
        assert {item.operation.name for item in circuit.data} <= {"x", "measure"}
        where = {
            circuit.find_bit(item.clbits[0]).index: circuit.find_bit(item.qubits[0]).index
            for item in circuit.data
            if item.operation.name == "measure"
        }
        assert tuple(where[i] for i in range(len(qubits))) == tuple(qubits)


# --- mitigation


def test_exactly_corrupted_probabilities_are_recovered(experiment, corrupted):
    found = mitigate(experiment, bits_of(corrupted), DEVICE, MATRICES)
    assert_same_distribution(found.quasi, experiment.distribution, TOLERANCE)
    assert found.tvd < TOLERANCE
    assert found.acceptance == pytest.approx(experiment.predicted_acceptance, abs=TOLERANCE)
    assert list(found.quasi) == sorted(found.quasi)
    assert sum(found.quasi.values()) == pytest.approx(1)


def test_mitigation_is_the_inverse_of_the_confusion(experiment):
    """Any counts at all: the result is what inverting the matrix and then selecting gives."""
    rng = np.random.default_rng(8)
    counts = [int(n) for n in rng.integers(1, 1000, 32)]
    found = mitigate(experiment, bits_of(counts), DEVICE, MATRICES)
    inverted = np.linalg.solve(confusion(5), np.array(counts) / sum(counts))
    expected = selected(experiment, inverted)
    weights = {name: quasi * found.acceptance for name, quasi in found.quasi.items()}
    assert_same_distribution(weights, expected, TOLERANCE)


def test_it_is_mitigated_first_and_selected_after(experiment, corrupted):
    """Selecting first, and inverting what is left, does not recover the distribution."""
    found = mitigate(experiment, bits_of(corrupted), DEVICE, MATRICES)
    kept = np.zeros(32)
    for i, n in enumerate(corrupted):
        if experiment.decoder.read([i >> k & 1 for k in range(5)]).accepted:
            kept[i] = n
    other = normalised(selected(experiment, np.linalg.solve(confusion(5), kept / kept.sum())))
    worse = sum(abs(other.get(k, 0) - p) for k, p in experiment.distribution.items()) / 2
    alone = experiment.decode({f"{i:05b}": n for i, n in enumerate(corrupted)}).fit().tvd
    assert worse > 1e-3
    assert alone > 1e-2
    assert found.tvd < TOLERANCE


def test_quasi_probabilities_may_be_negative_and_are_not_clipped():
    """In ``spin`` one flipped bit makes an O of an X: where nearly all is X, O goes below zero."""
    experiment = play("cancelling", "1,2 -2,3").experiment()
    names = [experiment.decoder.read([i >> k & 1 for k in range(5)]) for i in range(2**5)]
    x = next(i for i, name in enumerate(names) if name == (True, "EEXEEEEEE"))
    counts = [100 + 60_000 * (i == x) for i in range(2**5)]
    found = mitigate(experiment, bits_of(counts), DEVICE, MATRICES)
    inverted = np.linalg.solve(confusion(5), np.array(counts) / sum(counts))
    expected = normalised(selected(experiment, inverted))
    assert min(expected.values()) < -0.01
    assert max(expected.values()) > 1
    assert_same_distribution(found.quasi, expected, 10 * TOLERANCE)


def test_each_clbit_is_mitigated_with_the_matrix_of_its_own_qubit(experiment, corrupted):
    swapped = (DEVICE[1], DEVICE[0], *DEVICE[2:])
    found = mitigate(experiment, bits_of(corrupted), swapped, MATRICES)
    assert found.tvd > 1e-3


def test_matrices_of_other_qubits_do_not_matter(experiment, corrupted):
    more = {**MATRICES, 1: matrix(0.4, 0.4), 30: matrix(0.3, 0.1)}
    found = mitigate(experiment, bits_of(corrupted), DEVICE, more)
    assert found.tvd < TOLERANCE


def test_without_errors_mitigation_changes_nothing(experiment):
    perfect = dict.fromkeys(DEVICE, np.eye(2))
    counts = {"00001": 300, "00100": 500, "01000": 200, "10010": 90, "00101": 7, "01100": 3}
    result = experiment.decode(counts)
    found = mitigate(experiment, result.bits, DEVICE, perfect)
    assert_same_distribution(found.quasi, result.frequencies)
    assert found.acceptance == pytest.approx(result.acceptance)
    assert found.tvd == pytest.approx(result.fit().tvd)


def test_a_run_of_rejected_shots_has_no_outcomes(experiment):
    found = mitigate(
        experiment, experiment.decode({"10001": 5}).bits, DEVICE, dict.fromkeys(DEVICE, np.eye(2))
    )
    assert (found.quasi, found.acceptance) == ({}, 0)


def test_without_mthree_the_extra_is_named(experiment, corrupted, monkeypatch):
    monkeypatch.setitem(sys.modules, "mthree", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'qttt-circuits\[m3\]'") as missing:
        mitigate(experiment, bits_of(corrupted), DEVICE, MATRICES)
    assert missing.value.exit_status == 2


def test_a_device_is_not_run_with_mitigation_for_nothing(experiment, monkeypatch):
    """Without mthree a run that does not ask for it works all the same."""
    monkeypatch.setitem(sys.modules, "mthree", None)
    [found] = run_on_device([experiment], resolve("fake_fez"), shots=100, seed=1)
    assert found.mitigated is None
    assert found.result.shots == 100


def test_matrices_calibrated_on_a_snapshot_are_its_readout_errors():
    """Up to the error of the X gate that the second circuit needs."""
    from qttt_circuits.adapter import run_on_backend

    backend, qubits, shots = resolve("fake_manila"), (3, 0, 4), 20_000
    answers = run_on_backend(calibration_circuits(qubits, backend), backend, shots=shots, seed=1)
    zeros, ones = (measured_bits(answer, {"c": 3}) for answer in answers)
    model = noise_of(backend, qubits)
    for i, assignment in enumerate(assignments(zeros, ones)):
        reported = np.array(model._local_readout_errors[(i,)].probabilities).T
        error = 5 * np.sqrt(reported * (1 - reported) / shots)
        assert (np.abs(assignment - reported) < error + 2e-3).all()
