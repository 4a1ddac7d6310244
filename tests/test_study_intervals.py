"""Intervals of shares and means, against counting out what they promise."""

from __future__ import annotations

import random
from math import comb, sqrt
from statistics import fmean, stdev

import pytest

from qttt_circuits.study import Mean, Share, wilson


def test_the_interval_is_wilsons() -> None:
    assert wilson(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(1.0, 60)[0] == pytest.approx(0.9398, abs=1e-4)
    assert wilson(0.0, 60)[0] == 0
    assert Share(3, 12).interval == wilson(0.25, 12)
    assert (Share(0, 0).value, Share(0, 0).interval) == (0, (0, 1))


@pytest.mark.parametrize("games", [7, 20, 60])
def test_its_ends_are_the_shares_from_which_what_was_found_is_196_deviations_off(games) -> None:
    for count in range(games + 1):
        share = count / games
        low, high = wilson(share, games)
        assert 0 <= low <= share <= high <= 1

        def far(true: float, share: float = share) -> bool:
            return abs(share - true) > 1.96 * sqrt(true * (1 - true) / games)

        inside = [step / 10_000 for step in range(1, 10_000) if not far(step / 10_000)]
        assert inside[0] == pytest.approx(low, abs=2e-4)
        assert inside[-1] == pytest.approx(high, abs=2e-4)


def test_it_covers_the_truth_about_as_often_as_it_says() -> None:
    games, covered = 40, []
    for step in range(1, 20):
        true = step / 20
        chances = [comb(games, k) * true**k * (1 - true) ** (games - k) for k in range(games + 1)]
        held = [wilson(k / games, games) for k in range(games + 1)]
        covered.append(
            sum(p for p, (low, high) in zip(chances, held, strict=True) if low <= true <= high)
        )
    assert min(covered) > 0.9
    assert fmean(covered) == pytest.approx(0.95, abs=0.01)


def test_a_mean_is_that_of_the_values_one_by_one() -> None:
    rng = random.Random(1)
    values = [rng.choice([-1.0, -0.5, 0.0, 0.2, 1.0]) for _ in range(200)]
    counts = {value: values.count(value) for value in sorted({*values}, key=str)}
    found = Mean.of(counts)
    assert found.value == pytest.approx(fmean(values))
    assert found.standard_error == pytest.approx(stdev(values) / sqrt(200))
    assert Mean.of(dict(reversed(counts.items()))) == found
    assert -found == Mean(-found.value, found.standard_error)
    assert Mean.of({}) == Mean(0.0, None)
    assert Mean.of({0.5: 1}) == Mean(0.5, None)
    assert Mean.of({0.5: 2}) == Mean(0.5, 0.0)
    assert str((-Mean(0.0, None)).value) == "0.0"
