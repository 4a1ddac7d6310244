"""Experiments run on Aer, on any sampler, on any backend; wrong use is refused before running."""

from math import sqrt
from random import Random

import numpy as np
import pytest
from circuits import ENCODINGS, BrokenSampler, FixedSampler, pattern, play
from qiskit.primitives import BackendSamplerV2, PrimitiveResult, StatevectorSampler
from qiskit.primitives.primitive_job import PrimitiveJob
from qiskit.providers.fake_provider import GenericBackendV2
from qiskit.transpiler import PassManager, generate_preset_pass_manager
from qiskit_aer import AerSimulator
from qiskit_aer.primitives import SamplerV2 as AerSampler

from qttt_circuits import NoAcceptedShotsError, backends, execution, planner, sample_many
from qttt_circuits.errors import ExecutionError, OptionError, UnknownNameError

SHOTS = 4000
STANDARD_ERRORS = 4.5
REASONS = ("invalid-code", "renormalise", "off-board", "pieces")


@pytest.fixture
def game():
    return play("cancelling", "1,2 -2,3")


@pytest.fixture
def constant():
    return play("tiqtaqtoe", "1 5").experiment()


@pytest.fixture
def aer_calls(monkeypatch):
    """Counts how often Aer's sampler is asked to run."""
    calls = []
    run = execution.AerSampler.run

    def counted(self, pubs, **options):
        calls.append(len(list(pubs)))
        return run(self, pubs, **options)

    monkeypatch.setattr(execution.AerSampler, "run", counted)
    return calls


def assert_accounted(result, shots):
    assert result.shots == shots
    assert result.shots == result.accepted + sum(result.rejected.values())
    assert tuple(result.rejected) == REASONS


def assert_exact_within_errors(result):
    """Each frequency, and the acceptance, within 4.5 standard errors of its exact value."""
    p = min(1.0, result.predicted_acceptance)
    assert abs(result.acceptance - p) <= STANDARD_ERRORS * sqrt(p * (1 - p) / result.shots) + 1e-12
    assert set(result.counts) <= set(result.experiment.distribution)
    for outcome, p in result.experiment.distribution.items():
        error = STANDARD_ERRORS * sqrt(p * (1 - p) / result.accepted)
        assert abs(result.frequencies.get(outcome, 0.0) - p) <= error, outcome


# --- Aer


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        ("tiqtaqtoe", "1,2"),
        ("tiqtaqtoe", "1 1,2"),
        ("tiqtaqtoe", "1,2 2,3"),
        ("cancelling", "1 -1,2"),
        ("cancelling", "1,2 -2,3"),
        ("cancelling", "3,4 -3,1 O:-4,2"),
        ("shiftflip", "1,2 -2,3"),
        ("shiftflip", "1,2 -2,-3"),
    ],
)
def test_frequencies_are_exact_within_their_errors(rules, moves, name):
    game = play(rules, moves)
    for ancillas in ("needed", "all"):
        result = game.sample(shots=20_000, seed=1, encoding=name, ancillas=ancillas)
        assert_accounted(result, 20_000)
        assert_exact_within_errors(result)
        assert result.fit().p_value > 1e-5
        assert result.rejected["invalid-code"] == result.rejected["pieces"] == 0


def test_the_same_seed_gives_the_same_shots_and_another_seed_others(game):
    first, again, other = (game.sample(shots=SHOTS, seed=seed) for seed in (3, 3, 4))
    assert (first.counts, first.rejected, first.first) == (
        again.counts,
        again.rejected,
        again.first,
    )
    assert first.counts != other.counts
    assert (first.seed, other.seed) == (3, 4)


def test_seed_0_is_a_seed_like_others(game):
    first, again = (game.sample(shots=SHOTS, seed=0) for _ in range(2))
    assert first.counts == again.counts
    assert first.seed == 0
    assert first.counts != game.sample(shots=SHOTS, seed=1).counts


def test_without_a_seed_one_is_drawn_that_repeats_the_run(game):
    first, second = (game.sample(shots=SHOTS) for _ in range(2))
    assert first.seed != second.seed
    assert game.sample(shots=SHOTS, seed=first.seed).counts == first.counts


@pytest.mark.parametrize("make", [Random, np.random.default_rng])
def test_a_generator_is_a_seed_that_moves_on(game, make):
    generator = make(8)
    first, second = (game.sample(shots=SHOTS, seed=generator) for _ in range(2))
    assert first.counts != second.counts
    generator = make(8)
    assert game.sample(shots=SHOTS, seed=generator).counts == first.counts


@pytest.mark.parametrize(
    "seed", [-1, 1.5, "7", True, object()], ids=["-1", "1.5", "text", "True", "an object"]
)
def test_what_is_no_seed_is_refused(game, seed, aer_calls):
    with pytest.raises(OptionError, match="a seed is an integer from 0 on"):
        game.sample(shots=10, seed=seed)
    assert aer_calls == []


@pytest.mark.parametrize("seed", [2**31, 2**32, 2**40, 10**30])
def test_large_seeds_are_seeds(game, seed):
    result = game.sample(shots=100, seed=seed)
    assert result.counts == game.sample(shots=100, seed=seed).counts
    assert result.seed == seed


def test_the_game_stays_as_it_is(game):
    before = (game.text(), game.probabilities())
    game.sample(shots=100, seed=1)
    assert (game.text(), game.probabilities()) == before


def test_experiments_of_one_batch_are_run_in_one_call_and_answered_in_order(game, aer_calls):
    experiments = [
        play("tiqtaqtoe", "1,2").experiment(),
        play("tiqtaqtoe", "1").experiment(),
        game.experiment(encoding="pair"),
        play("tiqtaqtoe", "3,4").experiment(),
    ]
    results = sample_many(iter(experiments), shots=SHOTS, seed=2)
    assert aer_calls == [3]
    for experiment, result in zip(experiments, results, strict=True):
        assert result.experiment is experiment
        assert_accounted(result, SHOTS)
        assert_exact_within_errors(result)
    assert [r.backend for r in results] == ["aer:statevector", "none", *["aer:statevector"] * 2]


def test_equal_experiments_of_one_batch_get_shots_of_their_own(game):
    first, second = sample_many([game.experiment()] * 2, shots=SHOTS, seed=2)
    assert first.counts != second.counts


def test_an_empty_batch_has_no_results(aer_calls):
    assert sample_many([], shots=10) == []
    assert aer_calls == []


def test_many_qubits_run_on_matrix_product_states():
    experiment = play("tiqtaqtoe", "1,2 2,3 4,5 5,6").experiment(ancillas="all", elide=False)
    small = play("tiqtaqtoe", "1,2 2,3").experiment(ancillas="all", elide=False)
    assert experiment.circuit.num_qubits == 16
    large = play("tiqtaqtoe", "1,2 2,3 4,5 5,6 7,8 8,9").experiment(ancillas="all", elide=False)
    assert large.circuit.num_qubits == 24
    results = sample_many([small, large, experiment], shots=400, seed=1, parts=False)
    methods = ["statevector", "matrix_product_state", "statevector"]
    assert [result.backend for result in results] == [f"aer:{method}" for method in methods]
    for result in results:
        assert_accounted(result, 400)
        assert result.accepted == 400
        assert set(result.counts) <= set(result.experiment.distribution)


@pytest.mark.parametrize("method", backends.AER_METHODS)
def test_a_method_of_aer_can_be_named(game, method):
    result = game.sample(shots=SHOTS, seed=6, backend=f"aer:{method}")
    assert result.backend == f"aer:{method}"
    assert_exact_within_errors(result)


def test_aer_is_the_default(game):
    default, named = game.sample(shots=50, seed=6), game.sample(shots=50, seed=6, backend="aer")
    assert default.counts == named.counts
    assert default.backend == named.backend == "aer:statevector"


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("are", "aer"),
        ("aer:statvector", "aer:statevector"),
        ("aer:mps", None),
        ("AER", "aer"),
        ("aer:", "aer"),
        ("", None),
    ],
)
def test_an_unknown_name_is_refused_and_the_nearest_one_offered(game, wrong, near, aer_calls):
    with pytest.raises(UnknownNameError) as refused:
        game.sample(shots=10, backend=wrong)
    assert repr(wrong) in str(refused.value)
    if near:
        assert f"did you mean {near!r}?" in str(refused.value)
    assert aer_calls == []


# --- samplers


@pytest.mark.parametrize(
    "make",
    [
        lambda: StatevectorSampler(seed=5),
        lambda: AerSampler(seed=5),
        lambda: AerSampler.from_backend(AerSimulator(), seed=5),
        lambda: BackendSamplerV2(backend=AerSimulator(seed_simulator=5)),
    ],
    ids=["StatevectorSampler", "AerSampler", "AerSampler.from_backend", "BackendSamplerV2"],
)
@pytest.mark.parametrize("name", ENCODINGS)
def test_a_sampler_is_used_as_it_is(game, make, name):
    result = game.sample(shots=SHOTS, sampler=make(), encoding=name)
    assert_accounted(result, SHOTS)
    assert_exact_within_errors(result)
    assert result.backend == type(make()).__name__
    assert result.seed is None
    assert result.first in result.counts
    assert game.sample(shots=SHOTS, sampler=make(), encoding=name).counts == result.counts


def test_a_sampler_of_a_noisy_backend_gets_circuits_that_fit_it(game):
    backend = GenericBackendV2(7, basis_gates=["cz", "rz", "sx", "x"], seed=3)
    sampler = BackendSamplerV2(backend=backend, options={"seed_simulator": 4})
    result = game.sample(shots=SHOTS, seed=1, sampler=sampler)
    assert_accounted(result, SHOTS)
    assert result.acceptance == pytest.approx(result.predicted_acceptance, abs=0.1)
    assert result.fit().tvd < 0.1


def test_a_sampler_is_asked_once_for_a_batch_with_the_shots():
    experiments = [play("tiqtaqtoe", moves).experiment() for moves in ("1,2", "1,2 3,4", "7")]
    sampler = FixedSampler(lambda circuit: [[1, 0] * (circuit.num_clbits // 2)] * 12)
    results = sample_many(experiments, shots=12, sampler=sampler, self_test=False)
    assert [shots for _, shots in sampler.asked] == [12, 12]
    assert [r.counts for r in results] == [
        {"XEEEEEEEE": 12}, {"XEOEEEEEE": 12}, {"EEEEEEXEE": 12},
    ]  # fmt: skip
    assert [r.backend for r in results] == ["FixedSampler", "FixedSampler", "none"]


def test_shots_are_those_that_came_back_and_not_those_asked_for(game):
    experiment = play("tiqtaqtoe", "1,2").experiment()
    sampler = FixedSampler([[1, 0]] * 9 + [[0, 1]] * 8)
    [result] = sample_many([experiment], shots=10, sampler=sampler, self_test=False)
    assert_accounted(result, 17)


def test_a_sampler_that_fails_is_named_in_one_line(game):
    sampler = BrokenSampler()
    with pytest.raises(ExecutionError) as failed:
        game.sample(shots=10, sampler=sampler, self_test=False)
    assert str(failed.value) == "BrokenSampler failed: the fridge is warm and the lines are down"
    assert failed.value.exit_status == 3
    assert sampler.asked == 1


def test_a_sampler_that_returns_too_few_results_is_refused(game):
    class Forgetful(FixedSampler):
        def run(self, pubs, *, shots=None):
            job = PrimitiveJob(lambda: PrimitiveResult([]))
            job._submit()
            return job

    with pytest.raises(ExecutionError, match="Forgetful returned 0 results for 1"):
        game.sample(shots=10, sampler=Forgetful([]), self_test=False)


def test_a_sampler_with_other_registers_is_refused(game):
    class Renaming(FixedSampler):
        def run(self, pubs, *, shots=None):
            return super().run([(_renamed(circuit),) for (circuit,) in pubs], shots=shots)

    def _renamed(circuit):
        other = circuit.remove_final_measurements(inplace=False)
        other.measure_all()
        return other

    renaming = Renaming(lambda circuit: [[0] * circuit.num_clbits])
    with pytest.raises(ExecutionError, match=r"^the result has no classical register 'obs'"):
        game.sample(shots=10, sampler=renaming, self_test=False)


# --- backends


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize(
    "backend",
    [AerSimulator(), AerSimulator(method="matrix_product_state")],
    ids=lambda backend: backend.name,
)
def test_a_simulator_is_a_backend(game, backend, name):
    result = game.sample(shots=SHOTS, seed=9, backend=backend, encoding=name)
    assert_accounted(result, SHOTS)
    assert_exact_within_errors(result)
    assert result.backend == backend.name
    assert result.seed == 9
    assert result.first in result.counts
    assert game.sample(shots=SHOTS, seed=9, backend=backend, encoding=name).counts == result.counts
    assert game.sample(shots=SHOTS, seed=8, backend=backend, encoding=name).counts != result.counts


@pytest.mark.parametrize("qubits", [5, 9])
def test_a_noisy_backend_with_a_layout_of_its_own_reads_the_right_bits(game, qubits):
    backend = GenericBackendV2(qubits, basis_gates=["cx", "rz", "sx", "x"], seed=2)
    result = game.sample(shots=SHOTS, seed=9, backend=backend)
    assert_accounted(result, SHOTS)
    assert result.backend == backend.name
    assert result.acceptance == pytest.approx(result.predicted_acceptance, abs=0.1)
    assert result.fit().tvd < 0.1
    # noise makes pieces appear and vanish
    assert result.rejected["pieces"] > 0


@pytest.mark.filterwarnings("ignore:.* has no QubitProperties")
def test_a_line_of_qubits_needs_swaps_and_reads_the_right_bits():
    line = [[i, i + 1] for i in range(15)] + [[i + 1, i] for i in range(15)]
    backend = GenericBackendV2(16, coupling_map=line, noise_info=False, seed=1)
    game = play("tiqtaqtoe", "1,5 5,9 2,6 3,6")
    for name in ENCODINGS:
        result = game.sample(shots=SHOTS, seed=3, backend=backend, encoding=name)
        assert_exact_within_errors(result)


def test_a_batch_on_a_backend_is_one_job_and_in_order(monkeypatch):
    backend, jobs = AerSimulator(), []
    run = AerSimulator.run

    def counted(self, circuits, **options):
        jobs.append((len(circuits), options["shots"], options["memory"]))
        return run(self, circuits, **options)

    monkeypatch.setattr(AerSimulator, "run", counted)
    experiments = [play("tiqtaqtoe", moves).experiment() for moves in ("1,2", "7", "3,4")]
    results = sample_many(experiments, shots=100, seed=1, backend=backend, self_test=False)
    assert jobs == [(2, 100, True)]
    for experiment, result in zip(experiments, results, strict=True):
        assert set(result.counts) == set(experiment.distribution)


def test_a_backend_without_memory_is_read_from_its_counts(game, monkeypatch):
    backend = AerSimulator()
    run = AerSimulator.run

    def forgetful(self, circuits, **options):
        return run(self, circuits, **{**options, "memory": False})

    monkeypatch.setattr(AerSimulator, "run", forgetful)
    result = game.sample(shots=SHOTS, seed=9, backend=backend)
    assert_accounted(result, SHOTS)
    assert_exact_within_errors(result)
    assert result.first is None


def test_a_backend_that_fails_is_named_in_one_line(game, monkeypatch):
    def failing(self, circuits, **options):
        raise RuntimeError("offline\nuntil Monday")

    monkeypatch.setattr(AerSimulator, "run", failing)
    with pytest.raises(
        ExecutionError, match=r"^backend 'aer_simulator' failed: offline until Monday$"
    ):
        game.sample(shots=10, backend=AerSimulator(), self_test=False)


def test_a_sampler_and_a_backend_together_are_refused(game):
    sampler = FixedSampler([])
    with pytest.raises(OptionError, match="a sampler or a backend, not both"):
        game.sample(shots=10, sampler=sampler, backend="aer")
    assert sampler.asked == []


# --- pass managers


class Watching(PassManager):
    """Runs another pass manager and remembers what came out."""

    def __init__(self, inner):
        super().__init__()
        self.inner, self.compiled = inner, []

    def __len__(self):
        return len(self.inner)

    def run(self, circuits, *args, **kwargs):
        self.compiled += (found := self.inner.run(circuits))
        return found


@pytest.mark.parametrize("where", ["aer", "sampler", "backend"])
def test_a_pass_manager_of_ones_own_is_used(game, where):
    basis = ["cz", "rz", "sx", "x"]
    watching = Watching(generate_preset_pass_manager(1, basis_gates=basis, seed_transpiler=1))
    target = {
        "aer": {},
        "sampler": {"sampler": StatevectorSampler(seed=2)},
        "backend": {"backend": AerSimulator()},
    }[where]
    result = game.sample(shots=SHOTS, seed=2, pass_manager=watching, self_test=False, **target)
    assert_exact_within_errors(result)
    [compiled] = watching.compiled
    assert set(compiled.count_ops()) <= {*basis, "measure"}


# --- shots


@pytest.mark.parametrize(
    "shots", [0, -1, 1.5, True, False, 10**9, 10**30, "5", None, np.float64(3), [4]]
)
def test_a_number_of_shots_that_cannot_be_run_is_refused_with_nothing_run(game, shots, aer_calls):
    sampler = FixedSampler([])
    for options in ({}, {"sampler": sampler}):
        with pytest.raises(OptionError, match="shots must be"):
            game.sample(shots=shots, seed=1, **options)
        with pytest.raises(OptionError, match="shots must be"):
            sample_many([game.experiment()], shots=shots, **options)
    assert sampler.asked == []
    assert aer_calls == []


def test_shots_of_a_constant_position_are_checked_too(constant):
    for shots in (0, 10**9, True):
        with pytest.raises(OptionError, match="shots must be"):
            sample_many([constant], shots=shots)


@pytest.mark.parametrize("shots", [1, np.int64(1), np.uint8(1)])
def test_one_shot_is_enough(shots):
    result = play("tiqtaqtoe", "1,2").sample(shots=shots, seed=1)
    assert_accounted(result, 1)
    assert list(result.counts) == [result.first]


@pytest.mark.parametrize(
    ("acceptance", "shots"), [(1.0, 1), (1.0000000000000002, 1), (0.75, 15), (0.5, 30)]
)
def test_shots_for_one_accepted_are_few(acceptance, shots):
    assert planner.shots_for_one(acceptance) == shots
    assert (1 - min(1, acceptance)) ** shots <= 1e-9


def test_shots_for_one_have_a_limit():
    for acceptance in (1e-12, 0.0, -1.0):
        with pytest.raises(OptionError):
            planner.shots_for_one(acceptance)
    least = 2.1e-6
    assert 0.98 * execution.MAX_SHOTS < planner.shots_for_one(least) <= execution.MAX_SHOTS


# --- without qubits, and without accepted shots


def test_a_position_without_superposition_is_answered_without_running(constant, aer_calls):
    broken = BrokenSampler()
    for options in ({}, {"sampler": broken}, {"backend": AerSimulator()}, {"backend": "aer"}):
        [result] = sample_many([constant], shots=77, seed=3, **options)
        assert result.counts == {"XEEEOEEEE": 77}
        assert result.rejected == dict.fromkeys(REASONS, 0)
        assert (result.backend, result.acceptance, result.first) == ("none", 1.0, "XEEEOEEEE")
        assert result.fit().p_value is None
    assert broken.asked == 0
    assert aer_calls == []


def test_a_run_that_accepts_nothing_says_why(game):
    experiment = game.experiment()
    rows = [pattern(experiment, "sq1_occ", "fail2")] * 6 + [pattern(experiment)] * 4
    with pytest.raises(NoAcceptedShotsError) as failed:
        game.sample(shots=10, sampler=FixedSampler(rows), self_test=False)
    error = failed.value
    assert (error.shots, error.rejected["renormalise"], error.rejected["pieces"]) == (10, 6, 4)
    assert error.predicted_acceptance == pytest.approx(0.81530, abs=1e-5)
    assert "none of 10 shots was accepted" in str(error)
    assert "\n" not in str(error)
    # a batch keeps its results, for whoever wants to look at the rejections
    [result] = sample_many([experiment], shots=10, sampler=FixedSampler(rows), self_test=False)
    assert result.accepted == 0


@pytest.mark.parametrize("name", ENCODINGS)
def test_an_overlap_is_an_experiment_that_runs(game, name):
    experiment = game.experiment(encoding=name)
    same, other = sample_many(
        [experiment.overlap(), experiment.overlap({"EXEEEEEEE": 1.0})], shots=SHOTS, seed=1
    )
    assert set(same.counts) == {"same"}
    assert same.fit().tvd == 0
    p = experiment.distribution["EXEEEEEEE"]
    frequency = other.frequencies.get("same", 0.0)
    assert abs(frequency - p) <= STANDARD_ERRORS * sqrt(p * (1 - p) / other.accepted)
    for result in (same, other):
        a = experiment.predicted_acceptance
        error = STANDARD_ERRORS * sqrt(a * (1 - a) / SHOTS)
        assert abs(result.acceptance - a) <= error
