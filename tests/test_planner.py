"""Numbers of shots: enough for one to be accepted, enough for a distance, and no more than that."""

from math import exp, log, sqrt

import numpy as np
import pytest
from circuits import play
from scipy.stats import binom

from qttt_circuits.errors import OptionError
from qttt_circuits.execution import MAX_SHOTS
from qttt_circuits.planner import (
    DEFAULT_FAILURE,
    DEFAULT_TVD,
    MOST_PLANNED,
    acceptance_on,
    device_seconds,
    plan,
    shots_for_distance,
    shots_for_one,
)

HALF = {"a": 0.5, "b": 0.5}


# --- at least one


@pytest.mark.parametrize("failure", [0.3, 1e-3, 1e-9])
@pytest.mark.parametrize("acceptance", [0.999, 0.8153, 0.5, 0.25, 0.1, 0.003])
def test_shots_for_one_are_the_least_that_are_enough(acceptance, failure):
    shots = shots_for_one(acceptance, failure=failure)
    assert binom.pmf(0, shots, acceptance) <= failure * (1 + 1e-9)
    assert shots == 1 or binom.pmf(0, shots - 1, acceptance) > failure * (1 - 1e-9)


def test_shots_for_one_are_enough_in_as_many_runs_as_promised():
    """10,000 runs: failures are binomial, and so at most their quantile of 1 - 10⁻⁶."""
    acceptance, failure, runs = 0.13, 0.02, 10_000
    shots = shots_for_one(acceptance, failure=failure)
    accepted = np.random.default_rng(1).binomial(shots, acceptance, runs)
    assert (accepted == 0).sum() <= binom.ppf(1 - 1e-6, runs, failure)


@pytest.mark.parametrize("acceptance", [1, 1.0, 1 + 1e-12, 2.0])
def test_one_shot_is_enough_where_all_are_accepted(acceptance):
    assert shots_for_one(acceptance) == 1


@pytest.mark.parametrize("acceptance", [0, 0.0, -0.1])
def test_no_number_of_shots_is_enough_where_none_is_accepted(acceptance):
    with pytest.raises(OptionError, match="no number of shots is enough"):
        shots_for_one(acceptance)


def test_more_shots_than_can_be_run_are_refused_with_their_number():
    with pytest.raises(OptionError, match=r"takes [0-9,]+ shots, more than 10,000,000"):
        shots_for_one(1e-7)
    with pytest.raises(OptionError, match=r"takes [0-9,]+ shots, more than 10,000,000"):
        shots_for_distance(HALF, 1.0, tvd=1e-4)
    with pytest.raises(OptionError, match="more than"):
        shots_for_distance(HALF, 1e-6)
    with pytest.raises(OptionError, match="more than"):
        plan(HALF, 1e-7, None)


# --- a distance


@pytest.mark.parametrize(
    ("distribution", "tvd", "failure"),
    [
        (HALF, 0.05, 0.01),
        ({"a": 0.2, "b": 0.3, "c": 0.5}, 0.02, 1e-3),
        ({"a": 1.0}, 0.1, 1e-6),
        (dict.fromkeys("abcdefghijklmnopqrstuvwxyz", 1 / 26), 0.03, 1e-3),
    ],
    ids=["half", "three", "one", "many"],
)
def test_shots_for_a_distance_are_the_least_for_the_two_inequalities(distribution, tvd, failure):
    """With n shots the mean is at most m = ½Σ√(p(1 − p)/n); beyond it is exp(−2n(tvd − m)²)."""

    def promised(n):
        mean = sum(sqrt(p * (1 - p) / n) for p in distribution.values()) / 2
        return mean < tvd and exp(-2 * n * (tvd - mean) ** 2) <= failure * (1 + 1e-9)

    shots = shots_for_distance(distribution, 1.0, tvd=tvd, failure=failure)
    assert promised(shots)
    assert not promised(shots - 2)


@pytest.mark.parametrize(
    ("moves", "tvd", "failure"),
    [("1,2 2,3", 0.05, 0.05), ("1,2 2,3 4,5 5,6", 0.1, 0.02)],
    ids=["four boards", "sixteen boards"],
)
def test_the_distance_stays_below_the_bound_as_often_as_promised(moves, tvd, failure):
    """2,000 runs with a fixed seed; the binomial quantile of 1 - 10⁻⁶ bounds what may exceed it."""
    distribution = play("tiqtaqtoe", moves).probabilities()
    p, runs = np.array(list(distribution.values())), 2_000
    shots = shots_for_distance(distribution, 1.0, tvd=tvd, failure=failure)
    drawn = np.random.default_rng(4).multinomial(shots, p / p.sum(), runs) / shots
    distances = np.abs(drawn - p).sum(axis=1) / 2
    assert (distances > tvd).sum() <= binom.ppf(1 - 1e-6, runs, failure)


def test_rejected_shots_are_made_up_for():
    game = play("cancelling", "1,2 -2,3")
    distribution, acceptance = game.probabilities(), game.success
    all_accepted = shots_for_distance(distribution, 1.0)
    shots = shots_for_distance(distribution, acceptance)
    assert shots == pytest.approx(all_accepted / acceptance, abs=2)
    runs, rng = 300, np.random.default_rng(6)
    p = np.array(list(distribution.values()))
    found = [rng.multinomial(n, p) / n for n in rng.binomial(shots, acceptance, runs)]
    exceeding = sum(np.abs(f - p).sum() / 2 > DEFAULT_TVD for f in found)
    assert exceeding <= binom.ppf(1 - 1e-6, runs, DEFAULT_FAILURE)


def test_what_is_certain_takes_shots_only_for_the_inequality():
    expected = log(1 / DEFAULT_FAILURE) / 2 / DEFAULT_TVD**2
    assert shots_for_distance({"a": 1.0}, 1.0) == pytest.approx(expected, abs=1)
    assert shots_for_distance({"a": 1 + 1e-15}, 1.0) == pytest.approx(expected, abs=1)


def test_less_distance_less_acceptance_and_less_failure_take_more_shots():
    least = shots_for_distance(HALF, 1.0)
    assert shots_for_distance(HALF, 0.5) > least
    assert shots_for_distance(HALF, 1.0, tvd=0.01) > least
    assert shots_for_distance(HALF, 1.0, failure=1e-6) > least
    assert shots_for_distance({"a": 0.9, "b": 0.1}, 1.0) < least


@pytest.mark.parametrize("tvd", [0, 1, -0.1, 1.5, float("nan"), float("inf")])
def test_a_distance_that_is_none_is_refused(tvd):
    with pytest.raises(OptionError, match="a distance is between 0 and 1"):
        shots_for_distance(HALF, 1.0, tvd=tvd)


# --- on a device


def test_acceptance_on_a_device_counts_on_shots_without_error_only():
    assert acceptance_on(0.8, 0.5) == pytest.approx(0.4)
    assert acceptance_on(0.8, 1.0) == 0.8
    assert acceptance_on(0.8, None) == 0.8
    assert acceptance_on(1.0, 0.94) == 0.94


@pytest.mark.parametrize("fidelity", [None, 1.0, 0.5, 0.05])
def test_a_plan_is_enough_for_both_and_says_why(fidelity):
    game = play("cancelling", "1,2 -2,3")
    made = plan(game.probabilities(), game.success, fidelity)
    acceptance = game.success * (fidelity or 1)
    assert made.acceptance == pytest.approx(acceptance)
    assert made.shots >= shots_for_one(acceptance)
    assert made.shots == max(
        shots_for_one(acceptance), shots_for_distance(game.probabilities(), acceptance)
    )
    assert made.shots <= MOST_PLANNED < MAX_SHOTS
    for part in ("0.02", "0.999", f"{acceptance:.3g}"):
        assert part in made.reason


def test_very_many_shots_are_not_planned_unasked():
    game = play("cancelling", "1,2 -2,3")
    with pytest.raises(OptionError, match=r"acceptance of 0\.00408 .* takes .* give their number"):
        plan(game.probabilities(), game.success, 0.005)


def test_a_plan_for_a_wide_distance_still_accepts_one():
    made = plan({"a": 1.0}, 0.001, None, tvd=0.9)
    assert made.shots == shots_for_one(0.001)
    assert made.shots > shots_for_distance({"a": 1.0}, 0.001, tvd=0.9)


def test_device_time_grows_with_all_shots_of_all_circuits():
    start = device_seconds(0)
    assert start > 0
    one = device_seconds(1000) - start
    assert one > 0
    assert device_seconds(1000, 3) - start == pytest.approx(3 * one)
    assert device_seconds(3000) - start == pytest.approx(3 * one)
