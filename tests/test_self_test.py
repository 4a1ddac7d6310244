"""Samplers and backends that mix up bits are refused before a game is played on them."""

import numpy as np
import pytest
from circuits import BrokenSampler, FixedSampler, clbit_distribution, play
from qiskit.primitives import PrimitiveResult, SamplerPubResult, StatevectorSampler
from qiskit.primitives.containers import BitArray, DataBin
from qiskit.primitives.primitive_job import PrimitiveJob
from qiskit_aer import AerSimulator
from vendors import Vendor, as_they_are, counted, joined

from qttt_circuits import ibm, sample_many
from qttt_circuits.errors import ExecutionError
from qttt_circuits.self_test import EXPECTED, SHOTS, require_self_test, self_test_experiment


class Lying(StatevectorSampler):
    """Measures right and changes what it says.

    Args:
        change: Is given the circuit and the bits, column i for clbit i, and returns registers.
    """

    def __init__(self, change):
        super().__init__(seed=1)
        self.change = change
        self.asked = []

    def run(self, pubs, *, shots=None):
        circuits = [circuit for (circuit,) in pubs]
        self.asked += [(circuit, shots) for circuit in circuits]
        found = super().run(pubs, shots=shots).result()
        answers = []
        for circuit, answer in zip(circuits, found, strict=True):
            names = [register.name for register in circuit.cregs]
            bits = np.hstack(
                [getattr(answer.data, name).to_bool_array(order="little") for name in names]
            )
            registers = {
                name: BitArray.from_bool_array(np.asarray(part, dtype=bool), order="little")
                for name, part in self.change(circuit, bits).items()
            }
            answers.append(SamplerPubResult(DataBin(shape=(), **registers)))
        job = PrimitiveJob(lambda: PrimitiveResult(answers))
        job._submit()
        return job


def split(circuit, bits):
    """Returns the columns of bits by register."""
    found, start = {}, 0
    for register in circuit.cregs:
        found[register.name] = bits[:, start : start + register.size]
        start += register.size
    return found


def within_registers(circuit, bits):
    return {name: part[:, ::-1] for name, part in split(circuit, bits).items()}


def whole_string(circuit, bits):
    return split(circuit, bits[:, ::-1])


def registers_exchanged(circuit, bits):
    """The first register is read from the end of the string, as if the last one came first."""
    found, end = {}, bits.shape[1]
    for register in circuit.cregs:
        found[register.name] = bits[:, end - register.size : end]
        end -= register.size
    return found


def zeros(circuit, bits):
    return split(circuit, np.zeros_like(bits))


def ones(circuit, bits):
    return split(circuit, np.ones_like(bits))


def inverted(circuit, bits):
    return split(circuit, ~bits)


def at_random(circuit, bits):
    return split(circuit, np.random.default_rng(2).integers(0, 2, bits.shape))


def half_wrong(circuit, bits):
    return split(circuit, np.where(np.arange(len(bits))[:, None] % 2, bits, ~bits))


WRONG = {
    "reversed within registers": (within_registers, "the bits of each register are reversed"),
    "reversed as a whole": (whole_string, "the bits or registers are in the opposite order"),
    "registers exchanged": (registers_exchanged, "'anc obs' should read"),
    "zeros": (zeros, "all bits are zero"),
    "ones": (ones, "'1 11' where 'anc obs' should read '0 01'"),
    "inverted": (inverted, "'1 10' where 'anc obs' should read '0 01'"),
    "random": (at_random, "where 'anc obs' should read"),
    "every other shot": (half_wrong, "fails the self-test of bit order"),
    "too few shots": (lambda c, bits: split(c, bits[:-1]), f"{SHOTS - 1} of {SHOTS} shots"),
    "one shot": (lambda c, bits: split(c, bits[:1]), f"1 of {SHOTS} shots"),
    "no shot": (lambda c, bits: split(c, bits[:0]), f"0 of {SHOTS} shots"),
    "one register of another name": (
        lambda c, bits: {"meas": bits},
        "no classical register 'obs': it has 'meas'",
    ),
    "a register missing": (
        lambda c, bits: {k: v for k, v in split(c, bits).items() if k != "anc"},
        "no classical register 'anc'",
    ),
    "no register": (lambda c, bits: {}, "no classical register 'obs': it has none"),
    "a register too wide": (
        lambda c, bits: {k: np.hstack([v, v]) for k, v in split(c, bits).items()},
        "has 4 bits",
    ),
    "a register too narrow": (
        lambda c, bits: {k: v[:, :1] for k, v in split(c, bits).items()},
        "has 1 bits",
    ),
    "registers of different lengths": (
        lambda c, bits: {
            k: v if k == "obs" else np.vstack([v, v]) for k, v in split(c, bits).items()
        },
        "different numbers of shots",
    ),
}


@pytest.fixture
def game():
    """A superposition whose marks a reversal would exchange without any further sign."""
    return play("tiqtaqtoe", "1,2 3,4")


@pytest.mark.parametrize("what", WRONG)
def test_a_sampler_that_is_wrong_is_named_with_what_was_seen(game, what):
    change, seen = WRONG[what]
    sampler = Lying(change)
    before = (game.text(), game.record())
    with pytest.raises(ExecutionError) as refused:
        game.sample(shots=10, sampler=sampler)
    message = str(refused.value)
    assert message.startswith("Lying fails the self-test of bit order: ")
    assert seen in message
    assert "\n" not in message
    assert refused.value.exit_status == 3
    assert (game.text(), game.record()) == before
    [(circuit, shots)] = sampler.asked
    assert (circuit.num_clbits, shots) == (3, SHOTS), "the experiment itself is not run"
    with pytest.raises(ExecutionError, match="fails the self-test"):
        game.sample(shots=10, sampler=sampler)
    assert len(sampler.asked) == 2, "a failure is no pass the next time"


@pytest.mark.parametrize("what", WRONG)
def test_an_observation_by_a_wrong_sampler_changes_nothing(what):
    game = play("tiqtaqtoe", "1,2 3,4 5,6 7,8 9")
    before = (game.text(), game.record(), game.observed)
    with pytest.raises(ExecutionError, match="fails the self-test of bit order"):
        game.observe(sampler=Lying(WRONG[what][0]))
    assert (game.text(), game.record(), game.observed) == before


def test_a_sampler_that_fails_in_the_self_test_says_both(game):
    sampler = BrokenSampler()
    with pytest.raises(ExecutionError) as refused:
        game.sample(shots=10, sampler=sampler)
    assert str(refused.value) == (
        "BrokenSampler fails the self-test of bit order: BrokenSampler failed: the fridge is warm "
        "and the lines are down"
    )
    assert sampler.asked == 1


def test_a_good_sampler_is_asked_once_a_process(game):
    sampler = Lying(split)
    for _ in range(3):
        game.sample(shots=20, sampler=sampler)
    sample_many([game.experiment(), game.experiment(encoding="pair")], shots=20, sampler=sampler)
    widths = [(circuit.num_clbits, shots) for circuit, shots in sampler.asked]
    assert widths[0] == (3, SHOTS)
    assert [shots for _, shots in widths[1:]] == [20] * 5


def test_another_sampler_of_the_same_class_is_asked_for_itself(game):
    game.sample(shots=20, sampler=Lying(split))
    with pytest.raises(ExecutionError, match="are reversed"):
        game.sample(shots=20, sampler=Lying(within_registers))


def test_a_sampler_of_a_few_errors_passes(game):
    """Noise of a quarter of the shots is no mistake of order."""

    def noisy(circuit, bits):
        return split(circuit, np.where(np.arange(len(bits))[:, None] % 4, bits, ~bits))

    assert game.sample(shots=40, sampler=Lying(noisy)).accepted == 40


def test_the_self_test_can_be_switched_off(game):
    sampler = Lying(whole_string)
    result = game.sample(shots=20, sampler=sampler, self_test=False)
    assert result.shots == 20
    assert [shots for _, shots in sampler.asked] == [20]
    sample_many([game.experiment()], shots=20, sampler=sampler, self_test=False)
    with pytest.raises(ExecutionError, match="opposite order"):
        game.sample(shots=20, sampler=sampler)


def test_an_observation_can_do_without_it_too():
    game = play("tiqtaqtoe", "1,2 3,4 5,6 7,8 9")
    sampler = Lying(split)
    assert game.observe(sampler=sampler, self_test=False) == game.observed
    assert [circuit.num_clbits for circuit, _ in sampler.asked] == [8]


def test_nothing_to_run_is_nothing_to_test(game):
    sampler = Lying(zeros)
    [result] = sample_many([play("tiqtaqtoe", "5").experiment()], shots=5, sampler=sampler)
    assert result.counts == {"EEEEXEEEE": 5}
    assert sampler.asked == []


def test_the_circuit_is_asymmetric_and_reads_what_is_expected():
    experiment = self_test_experiment()
    assert [(r.name, r.size) for r in experiment.circuit.cregs] == [("obs", 2), ("anc", 1)]
    [bits] = clbit_distribution(experiment.circuit)
    assert bits == EXPECTED.replace(" ", "")
    assert len({bits, bits[::-1], bits[0] + bits[:0:-1], "000", "111"}) == 5
    assert experiment.decode([bits]).counts == {EXPECTED: 1}


# --- backends


def backwards(shots):
    return [shot[::-1] for shot in joined(shots)]


def each_register_backwards(shots):
    return [" ".join(word[::-1] for word in shot.split()) for shot in shots]


def nothing_but_zeros(shots):
    return ["0" * len(shot) for shot in joined(shots)]


@pytest.mark.parametrize(
    ("write", "seen"),
    [
        (backwards, "the bits or registers are in the opposite order"),
        (each_register_backwards, "the bits of each register are reversed"),
        (nothing_but_zeros, "all bits are zero"),
        (lambda shots: joined(shots)[:5], f"5 of {SHOTS} shots came back"),
        (lambda shots: [shot[:2] for shot in joined(shots)], "is not a string of the circuit's 3"),
    ],
    ids=["backwards", "registers backwards", "zeros", "few shots", "few bits"],
)
@pytest.mark.parametrize("by", ["memory", "counts"])
def test_a_backend_that_is_wrong_is_named_with_what_was_seen(game, write, seen, by):
    vendor = Vendor(write, None) if by == "memory" else Vendor(None, counted(write))
    with pytest.raises(ExecutionError) as refused:
        game.sample(shots=10, backend=vendor)
    assert str(refused.value).startswith("backend 'vendor' fails the self-test of bit order: ")
    assert seen in str(refused.value)
    assert [(n, options["shots"]) for n, options in vendor.asked] == [(1, SHOTS)]


def test_a_good_backend_is_asked_once_a_process(game):
    vendor = Vendor(as_they_are, None)
    for seed in range(3):
        game.sample(shots=10, backend=vendor, seed=seed)
    assert [options["shots"] for _, options in vendor.asked] == [SHOTS, 10, 10, 10]


def test_aer_itself_by_name_is_not_asked(game, monkeypatch):
    def never(*_):
        raise AssertionError("asked")

    monkeypatch.setattr("qttt_circuits.execution.require_self_test", never)
    assert game.sample(shots=10, seed=1).shots == 10
    with pytest.raises(AssertionError, match="asked"):
        game.sample(shots=10, seed=1, backend=AerSimulator())


def test_devices_whose_shots_cost_money_are_not_asked(game, monkeypatch):
    vendor = Vendor(as_they_are, None)
    monkeypatch.setattr(ibm, "is_hardware", lambda backend: backend is vendor)
    monkeypatch.setattr(
        ibm,
        "run",
        lambda circuits, backend, shots: [["0" * c.num_clbits] * shots for c in circuits],
    )
    [result] = sample_many([game.experiment()], shots=10, backend=vendor)
    assert result.shots == 10
    assert vendor.asked == []


def test_a_target_is_noted_only_when_it_passes():
    class Target:
        pass

    target, asked = Target(), []
    experiment = self_test_experiment()

    def run(answer):
        def ran(given, shots):
            asked.append(given.settings["experiment"])
            return experiment.decode([answer] * shots)

        return ran

    with pytest.raises(ExecutionError, match=r"^it fails the self-test of bit order: all bits"):
        require_self_test(target, "it", run("000"))
    require_self_test(target, "it", run("001"))
    require_self_test(target, "it", run("000"))
    assert asked == ["self-test"] * 2


def test_a_fixed_answer_of_the_right_bits_passes(game):
    experiment = game.experiment()
    right = [1, 0] * (experiment.circuit.num_clbits // 2)

    def rows(circuit):
        return [[1, 0, 0]] * SHOTS if circuit.num_clbits == 3 else [right] * 7

    assert game.sample(shots=7, sampler=FixedSampler(rows)).counts == {"XEOEEEEEE": 7}
