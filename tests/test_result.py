"""A result accounts for every shot, and merges with those of the same experiment only."""

import json
from math import sqrt

import numpy as np
import pytest
from circuits import FixedSampler, play

from qttt_circuits import NoAcceptedShotsError, Result, sample_many
from qttt_circuits.errors import OptionError

COUNTS = {"0 0001": 300, "0 0100": 500, "0 1000": 200, "1 0010": 90, "0 0101": 7, "0 1100": 3}
"""Half-cancelling in ``pair``: clbits sq1_x, sq2_x, sq3_x, sq3_o, then fail2."""


@pytest.fixture
def experiment():
    return play("cancelling", "1,2 -2,3").experiment(encoding="pair")


@pytest.fixture
def result(experiment):
    names = [register.name for register in experiment.preparation.qregs]
    assert names == ["sq1_x", "sq2_x", "sq3_x", "sq3_o", "fail2"]
    return experiment.decode(COUNTS)


def test_every_shot_is_accepted_or_rejected_for_one_reason(result):
    assert result.counts == {"EEOEEEEEE": 200, "EEXEEEEEE": 500, "XEEEEEEEE": 300}
    assert result.rejected == {"invalid-code": 3, "renormalise": 90, "off-board": 0, "pieces": 7}
    assert result.shots == 1100
    assert result.accepted == 1000
    assert result.shots == result.accepted + sum(result.rejected.values())


def test_acceptance_is_compared_with_its_prediction(result):
    assert result.acceptance == pytest.approx(1000 / 1100)
    assert result.predicted_acceptance == pytest.approx((4 - sqrt(2)) / (2 * (3 - sqrt(2))))


def test_frequencies_and_standard_errors_are_of_accepted_shots(result):
    assert result.frequencies == {
        "EEOEEEEEE": pytest.approx(0.2),
        "EEXEEEEEE": pytest.approx(0.5),
        "XEEEEEEEE": pytest.approx(0.3),
    }
    assert result.standard_errors == {
        "EEOEEEEEE": pytest.approx(sqrt(0.2 * 0.8 / 1000)),
        "EEXEEEEEE": pytest.approx(sqrt(0.5 * 0.5 / 1000)),
        "XEEEEEEEE": pytest.approx(sqrt(0.3 * 0.7 / 1000)),
    }
    assert sum(result.frequencies.values()) == pytest.approx(1)


def test_the_fit_is_against_the_exact_distribution(result, experiment):
    found = result.fit()
    expected = sum(
        abs(result.frequencies.get(k, 0) - p) for k, p in experiment.distribution.items()
    )
    assert found.tvd == pytest.approx(expected / 2)
    assert found.p_value < 1e-6


def test_without_accepted_shots_there_is_no_fit(experiment):
    result = experiment.decode({"1 0001": 40, "0 0000": 2})
    assert (result.accepted, result.acceptance) == (0, 0.0)
    assert result.frequencies == result.standard_errors == {}
    for asked in (result.fit, result.require_accepted):
        with pytest.raises(NoAcceptedShotsError) as refused:
            asked()
        error = refused.value
        assert error.shots == 42
        assert error.rejected == {
            "invalid-code": 0, "renormalise": 40, "off-board": 0, "pieces": 2,
        }  # fmt: skip
        assert error.predicted_acceptance == pytest.approx(0.81530, abs=1e-5)
        for part in ("42", "renormalise 40", "pieces 2", "0.8153"):
            assert part in str(error)
        assert error.exit_status == 3


# --- merging


def test_results_of_one_experiment_merge(experiment, result):
    other = experiment.decode(["00010", "00001", "11000"])
    merged = result + other
    assert merged.shots == 1103
    assert merged.counts == {
        "EEOEEEEEE": 200, "EEXEEEEEE": 500, "EXEEEEEEE": 1, "XEEEEEEEE": 301,
    }  # fmt: skip
    assert merged.rejected == {"invalid-code": 3, "renormalise": 91, "off-board": 0, "pieces": 7}
    assert merged.shots == merged.accepted + sum(merged.rejected.values())
    assert merged.first == "EXEEEEEEE"
    assert (other + result).counts == merged.counts
    assert result.shots == 1100, "the parts stay as they are"


def test_a_result_keeps_the_bits_and_a_merger_those_of_both(experiment, result):
    """From the bits alone the shots can be read again, rejected ones included."""

    def kept(found):
        return {"".join(map(str, reversed(p))): n for p, n, _ in found.bits.patterns()}

    assert kept(result) == {k.replace(" ", ""): n for k, n in COUNTS.items()}
    assert result.bits.shots == result.shots
    other = experiment.decode(["00010", "00001", "11000", "00001"])
    merged = result + other
    expected = kept(result)
    for bits in ("00010", "00001", "11000", "00001"):
        expected[bits] = expected.get(bits, 0) + 1
    assert kept(merged) == expected
    assert merged.bits.indices is None
    again = experiment.decode(kept(merged))
    assert (again.counts, again.rejected) == (merged.counts, merged.rejected)


def test_the_first_shot_of_a_merger_is_that_of_the_first_run(experiment):
    first, second = experiment.decode(["00001"]), experiment.decode(["00010"])
    assert (first + second).first == "XEEEEEEEE"
    assert (second + first).first == "EXEEEEEEE"
    none = experiment.decode(["10001"])
    assert (none + second).first == "EXEEEEEEE"


def test_a_merger_is_of_no_single_seed_and_names_all_backends(experiment):
    first, second = (
        sample_many([experiment], shots=50, seed=seed, backend=backend)[0]
        for seed, backend in ((1, "aer"), (2, "aer:matrix_product_state"))
    )
    merged = first + second
    assert merged.seed is None
    assert merged.backend == "aer:statevector + aer:matrix_product_state"
    assert (merged + first).backend == merged.backend
    assert merged.shots == 100


def test_equal_experiments_of_different_games_merge(experiment, result):
    twin = play("cancelling", "1,2 -2,3").experiment(encoding="pair")
    assert (result + twin.decode(COUNTS)).shots == 2200


@pytest.mark.parametrize(
    ("rules", "moves", "named", "compiled"),
    [
        ("cancelling", "1,2 -2,3", {}, {"encoding": "spin"}),
        ("cancelling", "1,2 -2,3", {}, {"encoding": "pair", "ancillas": "all"}),
        ("cancelling", "1,2 -2,3", {}, {"encoding": "pair", "elide": False}),
        ("cancelling", "1,2 -2,3", {}, {"encoding": "pair", "check_pieces": False}),
        ("cancelling", "1,2 2,-3", {}, {"encoding": "pair"}),
        ("cancelling", "1,2 -2,3", {"first": "O"}, {"encoding": "pair"}),
        ("cancelling", "1,2 -2,3", {"scoring": "points"}, {"encoding": "pair"}),
        ("shiftflip", "1,2 -2,3", {}, {"encoding": "pair"}),
    ],
)
def test_results_of_other_experiments_do_not_merge(result, rules, moves, named, compiled):
    other = play(rules, moves, **named).experiment(**compiled).decode({})
    with pytest.raises(OptionError, match="only results of the same experiment can be merged"):
        result + other
    with pytest.raises(OptionError, match="only results of the same experiment can be merged"):
        other + result


def test_an_experiment_and_its_overlap_do_not_merge(experiment, result):
    with pytest.raises(OptionError, match="same experiment"):
        result + experiment.overlap().decode({})


def test_a_result_merges_with_nothing_else(result):
    for other in (1, {}, "result"):
        with pytest.raises(TypeError):
            result + other


# --- as data


def test_the_json_form_has_the_agreed_keys(result):
    data = json.loads(json.dumps(result.to_json()))
    assert list(data) == [
        "shots", "accepted", "acceptance", "predicted_acceptance", "counts", "rejected",
        "standard_errors", "fit", "backend", "encoding", "ancillas", "seed",
    ]  # fmt: skip
    assert list(data["rejected"]) == ["invalid-code", "renormalise", "off-board", "pieces"]
    assert set(data["fit"]) == {"tvd", "p_value"}
    assert data["encoding"] == "pair"
    assert data["ancillas"] == "needed"
    assert data["counts"].keys() == data["standard_errors"].keys()


def test_the_json_form_of_a_run_names_its_seed_and_backend():
    game = play("tiqtaqtoe", "1,2")
    data = json.loads(json.dumps(game.sample(shots=np.int64(100), seed=np.int64(5)).to_json()))
    assert (data["seed"], data["backend"]) == (5, "aer:statevector")
    assert data["acceptance"] == 1
    assert data["predicted_acceptance"] == pytest.approx(1)
    sampler = FixedSampler([[1, 0], [0, 1]] * 50)
    ran = game.sample(shots=100, sampler=sampler, self_test=False).to_json()
    assert (ran["seed"], ran["backend"]) == (None, "FixedSampler")


def test_the_json_form_of_one_bin_and_of_no_accepted_shot_is_null():
    assert play("tiqtaqtoe", "1").sample(shots=10).to_json()["fit"]["p_value"] is None
    none = play("tiqtaqtoe", "1,2").experiment().decode({"11": 5})
    assert none.to_json()["fit"] is None
    json.dumps(none.to_json())


def test_a_result_is_a_value(result, experiment):
    assert isinstance(result, Result)
    assert result == experiment.decode(COUNTS)
    with pytest.raises(AttributeError):
        result.shots = 3
