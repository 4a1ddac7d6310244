"""Any backend is read right, however its vendor writes shots: as memory, as counts, in hexadecimal.

Each vendor here has the shots of Aer's simulator and writes them in a way of its own; whatever the
way, the result is the one that Aer's simulator itself gives.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from circuits import play
from qiskit.providers import Options
from qiskit.result import Counts
from qiskit.result import Result as QiskitResult
from qiskit_aer import AerSimulator
from vendors import Job, Vendor, as_they_are, counted, hexadecimal, joined

from qttt_circuits import execution, sample_many
from qttt_circuits.adapter import backend_name, run_on_backend
from qttt_circuits.errors import ExecutionError

SHOTS = 500
SEED = 11


@pytest.fixture(scope="module")
def experiments():
    """Two circuits of different sizes, both with two registers, between two without qubits."""
    return [
        play("tiqtaqtoe", "3").experiment(),
        play("cancelling", "1,2 -2,3").experiment(encoding="pair"),
        play("shiftflip", "1,2 -2,3").experiment(ancillas="all"),
        play("tiqtaqtoe", "5 7").experiment(),
    ]


def run_on(backend, experiments):
    return sample_many(
        experiments,
        shots=SHOTS,
        seed=SEED,
        backend=backend,
        pass_manager=execution.generic_pass_manager(),
    )


def compiled(experiments):
    return execution.generic_pass_manager().run([e.circuit for e in experiments])


@pytest.fixture(scope="module")
def expected(experiments):
    results = run_on(AerSimulator(), experiments)
    assert [len(e.circuit.cregs) for e in experiments] == [0, 2, 2, 0]
    for i in (1, 2):
        assert len(results[i].counts) > 1
        assert results[i].rejected["renormalise" if i == 1 else "off-board"] > 0
    return results


def assert_same(found, expected, name, *, ordered):
    for result, other in zip(found, expected, strict=True):
        ran = bool(result.experiment.circuit.num_qubits)
        other = replace(other, backend=name if ran else "none")
        assert result == (other if ordered or not ran else replace(other, first=None))
        patterns = {p: n for p, n, _ in result.bits.patterns()}
        assert patterns == {p: n for p, n, _ in other.bits.patterns()}


MEMORIES = {
    "with spaces": as_they_are,
    "without spaces": joined,
    "hexadecimal": hexadecimal,
    "hexadecimal with zeros": lambda shots: [f"0x{int(s, 2):012x}" for s in joined(shots)],
    "hexadecimal with capitals": lambda shots: [f"0x{int(s, 2):X}" for s in joined(shots)],
    "a tuple": lambda shots: tuple(joined(shots)),
    "numpy strings": lambda shots: [np.str_(shot) for shot in shots],
}


@pytest.mark.parametrize("form", MEMORIES)
def test_memory_is_read_in_every_form(experiments, expected, form):
    """What there is of counts is wrong, so that they cannot have been looked at."""
    vendor = Vendor(MEMORIES[form], lambda shots: {"9": -1})
    assert_same(run_on(vendor, experiments), expected, "vendor", ordered=True)


COUNTS = {
    "with spaces": counted(as_they_are),
    "without spaces": counted(joined),
    "hexadecimal": counted(hexadecimal),
    "hexadecimal with capitals": counted(lambda shots: [s.upper().replace("X", "x")
                                                        for s in hexadecimal(shots)]),
    "Qiskit's own": lambda shots: Counts(Counter(shots)),
    "numpy integers": lambda shots: {k: np.int64(n) for k, n in Counter(shots).items()},
}  # fmt: skip


@pytest.mark.parametrize("form", COUNTS)
def test_counts_are_read_in_every_form_where_there_is_no_memory(experiments, expected, form):
    vendor = Vendor(None, COUNTS[form])
    assert_same(run_on(vendor, experiments), expected, "vendor", ordered=False)


MALFORMED = {
    "None": lambda shots: None,
    "empty": lambda shots: [],
    "integers": lambda shots: [int(shot, 2) for shot in joined(shots)],
    "bytes": lambda shots: [shot.encode() for shot in shots],
    "words": lambda shots: ["ok"] * len(shots),
    "signs": lambda shots: ["+" + shot for shot in joined(shots)],
    "other symbols": lambda shots: [s.replace("0", "u").replace("1", "d") for s in shots],
    "hexadecimal without digits": lambda shots: ["0x"] * len(shots),
    "a last line that says something else": lambda shots: [*shots[:-1], "end"],
    "a line break in it": lambda shots: [*shots[:-1], shots[-1] + "\n"],
    "nothing in one shot": lambda shots: [*shots[:-1], ""],
    "lists": lambda shots: [[int(bit) for bit in shot] for shot in joined(shots)],
    "an array": lambda shots: np.array([[int(bit) for bit in shot] for shot in joined(shots)]),
}


@pytest.mark.parametrize("form", MALFORMED)
def test_memory_that_cannot_be_shots_is_passed_over_for_counts(experiments, expected, form):
    vendor = Vendor(MALFORMED[form], counted(hexadecimal))
    assert_same(run_on(vendor, experiments), expected, "vendor", ordered=False)


def test_bits_that_are_not_there_are_no_zeros(experiments):
    vendor = Vendor(None, None, name="forgetful")
    with pytest.raises(ExecutionError) as failed:
        sample_many(experiments, shots=10, backend=vendor, self_test=False)
    assert str(failed.value).startswith("backend 'forgetful' returned neither memory nor counts")
    assert "\n" not in str(failed.value)
    assert failed.value.exit_status == 3


@pytest.mark.parametrize("counts", [None, [], "000", 5], ids=str)
def test_counts_that_are_no_mapping_are_refused(experiments, counts):
    vendor = Vendor(None, lambda shots: counts, name="odd")
    with pytest.raises(ExecutionError, match="backend 'odd' returned counts that are no mapping"):
        sample_many(experiments, shots=10, backend=vendor, self_test=False)


def test_counts_that_are_no_numbers_are_refused(experiments):
    vendor = Vendor(None, lambda shots: dict.fromkeys(shots, 0.5))
    with pytest.raises(ExecutionError, match="not a number of shots"):
        sample_many(experiments, shots=10, backend=vendor, self_test=False)


def test_an_answer_that_is_nothing_is_refused(experiments, monkeypatch):
    monkeypatch.setattr(Vendor, "run", lambda self, circuits, **options: Job(None))
    with pytest.raises(ExecutionError, match="'vendor' returned neither memory nor counts"):
        sample_many(experiments, shots=10, backend=Vendor(None, None), self_test=False)


@pytest.mark.parametrize("where", ["run", "result"])
def test_a_backend_that_raises_is_named_in_one_line(experiments, monkeypatch, where):
    def failing(*_, **__):
        raise RuntimeError("the cable\nis out")

    class Lost:
        result = failing

    run = failing if where == "run" else lambda self, circuits, **options: Lost()
    monkeypatch.setattr(Vendor, "run", run)
    with pytest.raises(ExecutionError) as failed:
        sample_many(experiments, shots=10, backend=Vendor(None, None), self_test=False)
    assert str(failed.value) == "backend 'vendor' failed: the cable is out"
    assert isinstance(failed.value.__cause__, RuntimeError)


def test_memory_and_seed_are_asked_for_where_the_backend_has_the_options(experiments):
    vendor = Vendor(as_they_are, None)
    run_on_backend(compiled(experiments[1:2]), vendor, shots=7, seed=5)
    assert vendor.asked == [(1, {"shots": 7, "memory": True, "seed_simulator": 5})]


class Strict(Vendor):
    """Knows shots and no other option."""

    @classmethod
    def _default_options(cls):
        return Options(shots=1024)

    def run(self, run_input, *, shots):
        return super().run(run_input, shots=shots, seed_simulator=3)


def test_a_backend_without_these_options_is_never_given_them(experiments):
    strict = Strict(None, counted(joined), name="strict")
    results = run_on(strict, experiments)
    assert [n for n, _ in strict.asked] == [1, 2], "the self-test, then the batch"
    for experiment, result in zip(experiments, results, strict=True):
        assert result.shots == SHOTS
        assert set(result.counts) <= set(experiment.distribution)
        assert result.first is None or not experiment.circuit.num_qubits


def test_a_batch_is_one_call_with_each_circuit_answered_by_its_own_index(experiments):
    vendor = Vendor(joined, None)
    circuits = compiled(experiments[1:3])
    answers = run_on_backend(circuits, vendor, shots=20, seed=1)
    assert [n for n, _ in vendor.asked] == [2]
    assert [{len(shot) for shot in answer} for answer in answers] == [
        {circuit.num_clbits} for circuit in circuits
    ]


def test_a_backend_without_a_name_goes_by_that_of_its_class(experiments):
    vendor = Vendor(as_they_are, None, name=None)
    assert backend_name(vendor) == "Vendor"
    assert run_on(vendor, experiments)[1].backend == "Vendor"


@pytest.mark.parametrize("keep", ["memory", "counts"])
def test_a_result_of_qiskits_own_class_is_read(experiments, expected, monkeypatch, keep):
    """Inside it has hexadecimal numbers, and a header from which it writes bit strings."""

    def run(self, circuits, **options):
        given = AerSimulator().run(circuits, **options).result().to_dict()
        for entry in given["results"]:
            entry["data"] = {keep: entry["data"][keep]}
        return Job(QiskitResult.from_dict(given))

    monkeypatch.setattr(Vendor, "run", run)
    vendor = Vendor(None, None)
    assert_same(run_on(vendor, experiments), expected, "vendor", ordered=keep == "memory")
