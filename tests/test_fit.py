"""The distance and the test of fit are those of a computation of their own."""

from math import log

import numpy as np
import pytest
from scipy.stats import chi2, kstest

from qttt_circuits.distribution import JointTable, ProductDistribution
from qttt_circuits.errors import OptionError
from qttt_circuits.fit import Fit, distance, fit, total_variation

HALF_CANCELLING = {"XEE": 0.386729540170, "EEO": 0.386729540170, "EEX": 0.193364770085,
                   "EXE": 0.033176149575}  # fmt: skip


def g_test(observed, expected):
    """The p-value of a G-test, from its definition."""
    statistic = 2 * sum(o * log(o / e) for o, e in zip(observed, expected, strict=True) if o)
    return chi2.sf(statistic, len(expected) - 1)


def test_the_total_variation_distance_is_half_the_sum_of_differences():
    assert total_variation({"a": 0.5, "b": 0.5}, {"a": 0.25, "b": 0.75}) == pytest.approx(0.25)
    assert total_variation({"a": 1.0}, {"b": 1.0}) == 1
    assert total_variation({"a": 1.0}, {"a": 1.0}) == 0
    assert total_variation({"a": 0.6, "b": 0.4}, {"b": 0.4, "c": 0.6}) == pytest.approx(0.6)
    assert total_variation({}, {}) == 0


def test_the_fit_is_the_g_test_where_every_bin_expects_five():
    counts = {"XEE": 390, "EEO": 380, "EEX": 200, "EXE": 30}
    found = fit(counts, HALF_CANCELLING)
    expected = [1000 * HALF_CANCELLING[k] for k in counts]
    assert found.p_value == pytest.approx(g_test(counts.values(), expected), abs=1e-9)
    distance = sum(abs(n / 1000 - HALF_CANCELLING[k]) for k, n in counts.items()) / 2
    assert found.tvd == pytest.approx(distance)
    assert found.bins == 4


def test_a_perfect_fit_has_the_p_value_one():
    found = fit({"a": 50, "b": 25, "c": 25}, {"a": 0.5, "b": 0.25, "c": 0.25})
    assert (found.tvd, found.bins) == (0, 3)
    assert found.p_value == pytest.approx(1)


def test_an_outcome_that_was_never_seen_counts_as_zero():
    found = fit({"a": 100}, {"a": 0.5, "b": 0.5})
    assert found.p_value == pytest.approx(g_test([100, 0], [50, 50]), rel=1e-9)
    assert found.tvd == pytest.approx(0.5)


def test_bins_that_expect_fewer_than_five_are_pooled():
    """100 shots: b and c expect 3 each and are one bin of 6."""
    distribution = {"a": 0.94, "b": 0.03, "c": 0.03}
    counts = {"a": 90, "b": 9, "c": 1}
    found = fit(counts, distribution)
    assert found.bins == 2
    assert found.p_value == pytest.approx(g_test([90, 10], [94, 6]), rel=1e-9)
    # the distance is of all outcomes, pooled or not
    assert found.tvd == pytest.approx((0.04 + 0.06 + 0.02) / 2)


def test_a_bin_that_expects_exactly_five_stays_alone():
    found = fit({"a": 92, "b": 8}, {"a": 0.95, "b": 0.05})
    assert found.bins == 2
    assert fit({"a": 90, "b": 5, "c": 5}, {"a": 0.9, "b": 0.05, "c": 0.05}).bins == 3
    found = fit({"a": 92, "b": 8}, {"a": 0.9501, "b": 0.0499})
    assert (found.bins, found.p_value) == (1, None)


def test_a_pool_that_is_still_too_small_takes_in_the_smallest_other_bin():
    """100 shots: c expects 2, b 20, a 78; the pool is b and c."""
    counts = {"a": 70, "b": 25, "c": 5}
    found = fit(counts, {"a": 0.78, "b": 0.20, "c": 0.02})
    assert found.bins == 2
    assert found.p_value == pytest.approx(g_test([70, 30], [78, 22]), rel=1e-9)


def test_pooling_makes_a_misfit_within_the_pool_invisible_and_one_outside_visible():
    distribution = {"a": 0.5, "b": 0.46, "c": 0.02, "d": 0.02}
    within = fit({"a": 100, "b": 92, "c": 8, "d": 0}, distribution)
    assert within.p_value == pytest.approx(1)
    assert within.bins == 3
    outside = fit({"a": 100, "b": 50, "c": 25, "d": 25}, distribution)
    assert outside.p_value < 1e-6


def test_with_a_single_bin_there_is_nothing_to_test():
    assert fit({"a": 100}, {"a": 1.0}) == Fit(0.0, None, 1)
    assert fit({"a": 3, "b": 1}, {"a": 0.5, "b": 0.5}).p_value is None


def test_an_impossible_outcome_has_the_p_value_zero():
    assert fit({"a": 99, "z": 1}, {"a": 0.5, "b": 0.5}).p_value == 0
    assert fit({"z": 1}, {"a": 1.0}) == Fit(1.0, 0.0, 1)
    assert fit({"a": 1, "z": 1}, {"a": 0.5, "z": 0.0, "b": 0.5}).p_value == 0
    # even where there is nothing else to test
    assert fit({"a": 999, "z": 1}, {"a": 1.0}).p_value == 0


def test_an_impossible_outcome_that_was_not_seen_does_no_harm():
    found = fit({"a": 50, "b": 50, "z": 0}, {"a": 0.5, "b": 0.5, "z": 0.0})
    assert found.p_value == pytest.approx(1)
    assert found.bins == 2


def test_the_order_of_outcomes_does_not_matter():
    counts = {"XEE": 39, "EEO": 36, "EEX": 23, "EXE": 2}
    forward = fit(counts, HALF_CANCELLING)
    backward = fit(dict(reversed(counts.items())), dict(reversed(HALF_CANCELLING.items())))
    assert forward.p_value == pytest.approx(backward.p_value)
    assert forward.tvd == pytest.approx(backward.tvd)


def test_random_counts_agree_with_a_pooling_of_our_own():
    rng = np.random.default_rng(5)
    for _ in range(200):
        size = int(rng.integers(2, 9))
        p = rng.dirichlet(np.full(size, 0.5))
        shots = int(rng.integers(1, 400))
        observed = rng.multinomial(shots, p)
        names = [str(i) for i in range(size)]
        found = fit(
            dict(zip(names, map(int, observed), strict=True)),
            dict(zip(names, map(float, p), strict=True)),
        )
        order = np.argsort(p * shots)
        expected, seen = list((p * shots)[order]), list(observed[order])
        small = sum(e < 5 for e in expected)
        if small:
            while small < size and sum(expected[:small]) < 5:
                small += 1
            expected = [sum(expected[:small]), *expected[small:]]
            seen = [sum(seen[:small]), *seen[small:]]
        assert found.bins == len(expected)
        if len(expected) == 1:
            assert found.p_value is None
        else:
            assert found.p_value == pytest.approx(g_test(seen, expected), abs=1e-9)
        assert found.tvd == pytest.approx(np.abs(observed / shots - p).sum() / 2)


def test_p_values_of_true_samples_are_uniform():
    rng = np.random.default_rng(11)
    names, p = list(HALF_CANCELLING), np.array(list(HALF_CANCELLING.values()))
    found = []
    for _ in range(500):
        counts = rng.multinomial(2000, p / p.sum())
        found.append(fit(dict(zip(names, map(int, counts), strict=True)), HALF_CANCELLING).p_value)
    assert kstest(found, "uniform").pvalue > 1e-3


# --- by components


def product_of(*tables):
    """The distribution of components on squares side by side, and its table made by hand."""
    components, table, start = [], {"": 1.0}, 1
    for terms in tables:
        width = len(next(iter(terms)))
        components.append(JointTable(tuple(range(start, start + width)), terms))
        table = {a + b: p * q for a, p in table.items() for b, q in terms.items()}
        start += width
    return ProductDistribution("E" * (start - 1), tuple(components)), table


def drawn(table, shots, rng):
    p = np.array(list(table.values()))
    counts = rng.multinomial(shots, p / p.sum())
    return {k: int(n) for k, n in zip(table, counts, strict=True) if n}


COIN = {"X": 0.5, "O": 0.5}


def test_the_fit_of_components_is_the_sum_of_their_g_tests():
    distribution, table = product_of(HALF_CANCELLING, COIN, {"E": 1.0})
    counts = drawn(table, 3000, np.random.default_rng(2))
    found = fit(counts, distribution, of="components")
    statistic, distances = 0.0, []
    for squares, terms in ((slice(0, 3), HALF_CANCELLING), (slice(3, 4), COIN)):
        seen = {k: sum(n for o, n in counts.items() if o[squares] == k) for k in terms}
        statistic += 2 * sum(n * log(n / (3000 * terms[k])) for k, n in seen.items())
        distances.append(sum(abs(n / 3000 - terms[k]) for k, n in seen.items()) / 2)
    assert found.p_value == pytest.approx(chi2.sf(statistic, 4), rel=1e-6)
    assert found.tvd == pytest.approx(max(distances))
    assert (found.of, found.bins) == ("components", 7)
    outcomes = fit(counts, distribution)
    plain = fit(counts, table)  # in another order, which rounding shows
    assert outcomes.p_value == pytest.approx(plain.p_value, rel=1e-9)
    assert (outcomes.tvd, outcomes.bins) == (pytest.approx(plain.tvd), plain.bins)
    assert outcomes.of == "outcomes"
    assert found.tvd <= outcomes.tvd, "it is a lower bound"


def test_the_fit_of_one_component_is_that_of_its_outcomes():
    distribution, table = product_of(HALF_CANCELLING)
    counts = drawn(table, 1000, np.random.default_rng(3))
    one, other = fit(counts, distribution, of="components"), fit(counts, table)
    assert (one.tvd, one.p_value, one.bins) == pytest.approx((other.tvd, other.p_value, other.bins))


def test_components_are_fitted_where_there_are_more_outcomes_than_counts():
    distribution, table = product_of(HALF_CANCELLING, HALF_CANCELLING)
    rng = np.random.default_rng(4)
    assert fit(drawn(table, 15, rng), distribution).of == "components"
    assert fit(drawn(table, 16, rng), distribution).of == "outcomes"
    assert fit(drawn(table, 15, rng), table).of == "outcomes", "a table has no components"


def test_a_fit_of_very_many_outcomes_never_lists_them():
    distribution, _ = product_of(*[COIN] * 10)
    large = ProductDistribution(
        "E" * 60, tuple(JointTable((i,), COIN) for i in range(1, 61))
    )  # fmt: skip
    rng = np.random.default_rng(5)
    counts = {}
    for _ in range(2000):
        outcome = "".join(rng.choice(["X", "O"], 60))
        counts[outcome] = counts.get(outcome, 0) + 1
    found = fit(counts, large)
    assert found.of == "components"
    assert found.bins == 120
    assert 1e-4 < found.p_value < 1
    assert found.tvd == pytest.approx(distance({o: n / 2000 for o, n in counts.items()}, large))
    with pytest.raises(OptionError, match="could show 1,152,921,504,606,846,976 boards"):
        fit(counts, large, of="outcomes")
    assert distance({"X" * 10: 1.0}, distribution) == pytest.approx(1 - 2**-10)


def test_p_values_of_components_are_uniform():
    distribution, table = product_of(HALF_CANCELLING, COIN, HALF_CANCELLING)
    rng = np.random.default_rng(12)
    found = [
        fit(drawn(table, 2000, rng), distribution, of="components").p_value for _ in range(300)
    ]
    assert kstest(found, "uniform").pvalue > 1e-3


def test_one_bad_component_among_many_is_found():
    distribution, table = product_of(*[HALF_CANCELLING] * 3, COIN)
    biased = {k: p * (1.2 if k[-1] == "X" else 0.8) for k, p in table.items()}
    counts = drawn(biased, 4000, np.random.default_rng(6))
    assert fit(counts, distribution, of="components").p_value < 1e-20


@pytest.mark.parametrize("outcome", ["XXXX", "EXEE", "XEEXX", "XEE"])
def test_an_impossible_outcome_of_components_has_the_p_value_zero(outcome):
    distribution, table = product_of(HALF_CANCELLING, COIN)
    counts = drawn(table, 1000, np.random.default_rng(7))
    assert fit(counts, distribution, of="components").p_value > 0
    assert fit({**counts, outcome: 1}, distribution, of="components").p_value == 0


def test_components_with_nothing_to_test_have_no_p_value():
    distribution, _ = product_of({"X": 1.0}, {"O": 1.0})
    assert fit({"XO": 9}, distribution, of="components") == Fit(0.0, None, 2, "components")
    few, _ = product_of(COIN, COIN)
    assert fit({"XO": 3}, few, of="components").p_value is None


def test_what_cannot_be_fitted_by_components_is_refused():
    with pytest.raises(OptionError, match="only a distribution of independent components"):
        fit({"a": 1}, {"a": 1.0}, of="components")
    with pytest.raises(OptionError, match="did you mean 'components'"):
        fit({"a": 1}, {"a": 1.0}, of="component")
    with pytest.raises(OptionError, match="no counts"):
        fit({}, product_of(COIN)[0])
