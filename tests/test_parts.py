"""Independent parts: found in the circuit, run on their own, and joined shot by shot."""

from collections import Counter
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from circuits import FixedSampler, play
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.primitives import StatevectorSampler
from qiskit.providers.fake_provider import GenericBackendV2
from qiskit.quantum_info import Statevector
from qiskit_aer import AerSimulator
from scipy.stats import chi2_contingency

from qttt_circuits import NoAcceptedShotsError, backends, execution, sample_many
from qttt_circuits.errors import ExecutionError, OptionError
from qttt_circuits.parts import joined, parts_of

SHOTS = 4000
STANDARD_ERRORS = 4.5
TWO_HALVES = "1,2 -2,3 4,5 -5,6"
"""Two independent half-cancelling moves."""


def near(frequency, p, shots):
    return abs(frequency - p) <= STANDARD_ERRORS * sqrt(p * (1 - p) / shots) + 1e-12


# --- finding them


@st.composite
def circuits(draw):
    """Circuits of at most six qubits, of which some are joined, measured in a drawn order."""
    size = draw(st.integers(1, 6))
    circuit = QuantumCircuit(size, size)
    for qubit in range(size):
        circuit.ry(draw(st.floats(0, 3)), qubit)
    pairs = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    joins = [pair for pair in draw(st.lists(pairs, max_size=4)) if pair[0] != pair[1]]
    for a, b in joins:
        circuit.cx(a, b)
        circuit.ry(draw(st.floats(0, 3)), b)
    circuit.barrier()
    measured = draw(st.permutations(range(size)))[: draw(st.integers(1, size))]
    for clbit, qubit in enumerate(measured):
        circuit.measure(qubit, clbit)
    return circuit, joins, measured


def shown(circuit):
    """The probability of each set of clbits that read 1, from the circuit's state vector."""
    pairs = [
        (circuit.find_bit(item.qubits[0]).index, circuit.find_bit(item.clbits[0]).index)
        for item in circuit.data
        if item.operation.name == "measure"
    ]
    bare = circuit.remove_final_measurements(inplace=False)
    table = Counter()
    for state, p in enumerate(Statevector(bare).probabilities()):
        table[frozenset(clbit for qubit, clbit in pairs if state >> qubit & 1)] += p
    return table


@given(circuits())
def test_a_circuit_is_the_product_of_its_parts(drawn):
    circuit, joins, measured = drawn
    product = Counter({frozenset(): 1.0})
    for part in parts_of(circuit):
        found = shown(part.circuit)
        product = Counter(
            {
                ones | {part.clbits[i] for i in more}: p * q
                for ones, p in product.items()
                for more, q in found.items()
            }
        )
    for ones, p in shown(circuit).items():
        assert product[ones] == pytest.approx(p, abs=1e-9)
    groups = [{q} for q in range(circuit.num_qubits)]
    for a, b in joins:
        [one] = [group for group in groups if a in group]
        [other] = [group for group in groups if b in group]
        if one is not other:
            groups.remove(other)
            one |= other
    expected = sorted(tuple(sorted(g)) for g in groups if g & {*measured})
    assert [part.qubits for part in parts_of(circuit)] == expected


def test_parts_measured_into_one_clbit_are_one_part():
    circuit = QuantumCircuit(3, 2)
    circuit.measure(0, 0)
    circuit.measure(2, 0)
    circuit.measure(1, 1)
    assert [part.qubits for part in parts_of(circuit)] == [(0, 2), (1,)]


@pytest.mark.parametrize(
    ("rules", "moves", "options", "sizes"),
    [
        ("cancelling", TWO_HALVES, {}, [5, 5]),
        ("cancelling", TWO_HALVES, {"ancillas": "all", "elide": False}, [8, 8]),
        ("tiqtaqtoe", "1,2 3,4 5,6", {"encoding": "one-hot"}, [4, 4, 4]),
        ("tiqtaqtoe", "1,2 2,3 O:1,4", {}, [8]),
        ("tiqtaqtoe", "1,2 2,3 5 5,6", {"encoding": "pair"}, [5, 4]),
        ("goff", "1,2 3,4 4,5", {}, [1, 2]),
    ],
)
def test_an_experiment_has_a_part_for_each_entangled_group(rules, moves, options, sizes):
    parts = play(rules, moves).experiment(**options).parts
    assert sorted(len(part.qubits) for part in parts) == sorted(sizes)


def test_a_position_without_qubits_has_no_parts():
    assert play("tiqtaqtoe", "1 5").experiment().parts == ()


# --- running them


@pytest.mark.parametrize("encoding", ["pair", "spin", "one-hot"])
@pytest.mark.parametrize("ancillas", ["needed", "all"])
def test_whole_and_parts_show_the_same(encoding, ancillas):
    """Both within their standard errors of the documents' numbers, for two moves at once."""
    half = {"XEE": 0.386729540170, "EEO": 0.386729540170, "EEX": 0.193364770085,
            "EXE": 0.033176149575}  # fmt: skip
    expected = {a + b + "EEE": p * q for a, p in half.items() for b, q in half.items()}
    experiment = play("cancelling", TWO_HALVES).experiment(encoding=encoding, ancillas=ancillas)
    for parts in (False, True):
        [result] = sample_many([experiment], shots=SHOTS, seed=3, parts=parts)
        assert result.parts == (2 if parts else 1)
        assert result.shots == SHOTS == result.accepted + sum(result.rejected.values())
        assert near(result.acceptance, 0.8153009687**2, SHOTS)
        assert {*result.counts} <= {*expected}
        for outcome, p in expected.items():
            assert near(result.frequencies.get(outcome, 0.0), p, result.accepted)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"backend": "aer:matrix_product_state"},
        {"sampler": StatevectorSampler(seed=7)},
        {"backend": AerSimulator()},
        {"backend": AerSimulator(seed_simulator=7)},
    ],
    ids=["aer", "mps", "StatevectorSampler", "AerSimulator", "seeded"],
)
def test_equal_parts_are_independent(options):
    """Two superpositions are two fair coins; so are a part's shots one after the other."""
    experiment = play("tiqtaqtoe", "1,2 3,4").experiment()
    [result] = sample_many([experiment], shots=SHOTS, seed=4, parts=True, **options)
    for board in ("XEOE", "XEEO", "EXOE", "EXEO"):
        assert near(result.counts[board + "EEEEE"] / SHOTS, 0.25, SHOTS)
    table = [[result.counts[a + b + "EEEEE"] for b in ("OE", "EO")] for a in ("XE", "EX")]
    assert chi2_contingency(table).pvalue > 1e-4


def test_a_sampler_may_give_parts_equal_shots():
    """As Qiskit's own does with a seed; joined as they came, these parts would always agree."""
    parts = play("tiqtaqtoe", "1,2 3,4").experiment().parts
    sampler = StatevectorSampler(seed=7)
    one, other = sampler.run([(part.circuit,) for part in parts], shots=100).result()
    assert one.data.c.get_bitstrings() == other.data.c.get_bitstrings()


def test_parts_that_are_simulated_by_two_methods_have_seeds_of_their_own(monkeypatch):
    asked, run = [], execution.counts_on_aer

    def noted(circuits, method, *, shots, seed):
        asked.append((method, len(circuits), seed))
        return run(circuits, method, shots=shots, seed=seed)

    monkeypatch.setattr(execution, "counts_on_aer", noted)
    monkeypatch.setattr(backends, "DENSE_QUBITS", 5)
    experiment = play("cancelling", "1,2 -2,3 4,5").experiment()
    [result] = sample_many([experiment], shots=100, seed=1)
    assert [(method, n) for method, n, _ in asked] == [
        ("matrix_product_state", 1), ("statevector", 1),
    ]  # fmt: skip
    assert len({seed for *_, seed in asked}) == 2
    assert result.backend == "aer:matrix_product_state + aer:statevector"


def test_the_same_seed_gives_the_same_shots():
    experiment = play("cancelling", TWO_HALVES).experiment()

    def run(seed):
        [result] = sample_many([experiment], shots=SHOTS, seed=seed, parts=True)
        return result.counts, result.rejected, result.first

    assert run(3) == run(3)
    assert run(3)[0] != run(4)[0]
    assert run(10**30) == run(10**30)
    twins = sample_many([experiment, experiment], shots=SHOTS, seed=3, parts=True)
    assert twins[0].counts != twins[1].counts


def test_below_many_qubits_nothing_is_run_in_parts_unless_asked():
    small = play("cancelling", TWO_HALVES).experiment()
    large = play("tiqtaqtoe", "1,2 2,3 4,5 5,6 7,8 8,9").experiment(ancillas="all", elide=False)
    assert (small.circuit.num_qubits, large.circuit.num_qubits) == (10, 24)
    results = sample_many([small, large], shots=300, seed=1)
    assert [result.parts for result in results] == [1, 3]
    assert [result.backend for result in results] == ["aer:statevector"] * 2
    assert results[1].accepted == 300
    assert {*results[1].counts} <= {*large.distribution}


def test_a_sampler_or_backend_runs_the_whole_unless_asked():
    large = play("tiqtaqtoe", "1,2 2,3 4,5 5,6 7,8 8,9").experiment(ancillas="all", elide=False)
    sampler = FixedSampler(lambda circuit: [[0] * circuit.num_clbits] * 5)
    for parts, sizes in ((None, [24]), (False, [24]), (True, [8, 8, 8])):
        sampler.asked.clear()
        sample_many([large], shots=5, sampler=sampler, self_test=False, parts=parts)
        assert [circuit.num_qubits for circuit, _ in sampler.asked] == sizes


@pytest.mark.filterwarnings("ignore:.* has no QubitProperties")
def test_parts_fit_a_backend_that_the_whole_does_not():
    experiment = play("tiqtaqtoe", "1,2 3,4 5,6").experiment(encoding="pair")
    backend = GenericBackendV2(3, noise_info=False, seed=1)
    with pytest.raises(ExecutionError, match="has 3 qubits and 6 are needed"):
        sample_many([experiment], shots=10, backend=backend)
    [result] = sample_many([experiment], shots=SHOTS, seed=1, backend=backend, parts=True)
    assert result.parts == 3
    assert result.accepted == SHOTS
    assert len(result.counts) == 8
    assert all(near(f, 1 / 8, SHOTS) for f in result.frequencies.values())


def test_counts_are_enough_for_parts(monkeypatch):
    run = AerSimulator.run
    monkeypatch.setattr(
        AerSimulator, "run", lambda s, c, **options: run(s, c, **{**options, "memory": False})
    )
    experiment = play("tiqtaqtoe", "1,2 3,4").experiment()
    backend = AerSimulator()
    [whole] = sample_many([experiment], shots=50, seed=1, backend=backend)
    assert whole.first is None, "the order of shots is not known"
    [result] = sample_many([experiment], shots=SHOTS, seed=1, backend=backend, parts=True)
    assert all(near(f, 0.25, SHOTS) for f in result.frequencies.values())
    assert result.first in result.counts, "the order is drawn when they are joined"


@pytest.mark.parametrize("wrong", [1, 0, "yes", "aer"])
def test_what_is_neither_true_nor_false_is_refused(wrong):
    sampler = FixedSampler([])
    with pytest.raises(OptionError, match="parts is True, False or None"):
        play("tiqtaqtoe", "1,2").sample(shots=5, sampler=sampler, parts=wrong)
    assert sampler.asked == []


# --- accepting joined shots


def fixed(experiment, *ones):
    """Returns a sampler that gives each part one constant shot: the qubits named, set."""
    names = [register.name for register in experiment.preparation.qregs]
    rows = iter(
        [int(names[qubit] in named) for qubit in part.qubits]
        for part, named in zip(experiment.parts, ones, strict=True)
    )
    return FixedSampler(lambda circuit: [next(rows)] * 6)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("sq1_x", "sq4_x", "XEEXEEEEE"),
        ("sq1_x", "sq5_x", "XEEEXEEEE"),
        ("sq1_x fail2", "sq4_x", "renormalise"),
        ("sq1_x", "sq4_x fail4", "renormalise"),
        ("sq1_x fail2", "sq4_x fail4", "renormalise"),
        ("sq1_x fail2", "sq6_x sq6_o", "invalid-code"),
        ("sq3_x sq3_o", "sq4_x sq5_x", "invalid-code"),
        ("sq1_x sq2_x", "sq4_x fail4", "renormalise"),
        ("sq1_x sq2_x", "sq4_x", "pieces"),
        ("", "", "pieces"),
    ],
)
def test_a_joined_shot_is_rejected_once_for_the_first_reason_of_any_part(one, other, expected):
    experiment = play("cancelling", TWO_HALVES).experiment(encoding="pair")
    sampler = fixed(experiment, one.split(), other.split())
    [result] = sample_many([experiment], sampler=sampler, shots=6, self_test=False, parts=True)
    assert result.shots == 6 == result.accepted + sum(result.rejected.values())
    if expected in result.rejected:
        assert (result.accepted, result.rejected[expected]) == (0, 6)
    else:
        assert result.counts == {expected: 6}


def test_no_accepted_shot_of_one_part_is_none_of_the_whole():
    game = play("cancelling", TWO_HALVES)
    experiment = game.experiment(encoding="pair")
    sampler = fixed(experiment, ["sq1_x"], ["sq4_x", "fail4"])
    with pytest.raises(NoAcceptedShotsError, match=r"none of 6 shots .* renormalise 6; .* 0\.6647"):
        game.sample(shots=6, sampler=sampler, self_test=False, encoding="pair", parts=True)


def test_parts_with_different_numbers_of_shots_are_not_joined():
    experiment = play("tiqtaqtoe", "1,2 3,4").experiment()
    shots = iter([5, 6])
    sampler = FixedSampler(lambda circuit: [[1, 0]] * next(shots))
    with pytest.raises(ExecutionError, match="different numbers of shots, 5, 6"):
        sample_many([experiment], sampler=sampler, shots=5, self_test=False, parts=True)


@given(st.integers(0, 2**32), st.integers(1, 40))
def test_joining_keeps_what_every_part_has_measured(seed, shots):
    rng = np.random.default_rng(seed)
    circuit = QuantumCircuit(5, 5)
    circuit.cx(0, 3)
    circuit.cx(1, 4)
    circuit.measure([0, 1, 3, 4], [4, 2, 0, 1])
    parts = parts_of(circuit)
    measured = [rng.integers(0, 2, (shots, 2), dtype=np.uint8) for _ in parts]
    rows = joined(parts, measured, 5, np.random.default_rng(seed))
    assert rows.shape == (shots, 5)
    assert not rows[:, 3].any(), "nothing is measured into clbit 3"
    for part, answer in zip(parts, measured, strict=True):
        assert Counter(map(tuple, rows[:, part.clbits])) == Counter(map(tuple, answer))


# --- overlaps


@pytest.mark.parametrize("encoding", ["spin", "pair"])
def test_an_overlap_in_parts_shows_a_wrong_sign_in_one_of_them(encoding):
    experiment = play("cancelling", TWO_HALVES).experiment(encoding=encoding)
    one, other = experiment.factors
    signs = np.ones(len(other.vector))
    signs[np.flatnonzero(np.abs(other.vector) > 0.1)[0]] = -1
    same = abs(np.vdot(signs * other.vector, other.vector)) ** 2
    assert same < 0.9
    wrong = replace(experiment, factors=(one, replace(other, vector=signs * other.vector)))
    for overlap, p in ((experiment.overlap(), 1.0), (wrong.overlap(), same)):
        [result] = sample_many([overlap], shots=SHOTS, seed=2, parts=True)
        assert result.parts == 2
        assert near(result.acceptance, 0.8153009687**2, SHOTS)
        assert near(result.frequencies["same"], p, result.accepted)
