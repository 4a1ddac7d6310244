"""How well counts fit an exact distribution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .errors import OptionError

LEAST_EXPECTED = 5.0
"""Bins whose expected count is lower are pooled before a G-test (the usual rule of thumb)."""


@dataclass(frozen=True)
class Fit:
    """How far counts are from a distribution.

    Attributes:
        tvd: The total variation distance between frequencies and probabilities, 0 to 1.
        p_value: The p-value of a G-test; None with a single bin left after pooling; 0 if an
            outcome of probability zero was counted.
        bins: How many bins the test had.
    """

    tvd: float
    p_value: float | None
    bins: int


def total_variation(p: Mapping[str, float], q: Mapping[str, float]) -> float:
    """Returns half the sum of the absolute differences of two distributions."""
    return sum(abs(p.get(key, 0.0) - q.get(key, 0.0)) for key in {*p, *q}) / 2


def fit(counts: Mapping[str, int], distribution: Mapping[str, float]) -> Fit:
    """Returns how well counts fit a distribution.

    Bins of an expected count below `LEAST_EXPECTED` are pooled; if their pool is still below, it
    takes in the smallest of the others.

    Args:
        counts: How often each outcome was seen; not empty.
        distribution: The exact probability of each outcome.
    """
    total = sum(counts.values())
    if total <= 0:
        raise OptionError("there are no counts to fit")
    tvd = total_variation({k: n / total for k, n in counts.items()}, distribution)
    expected = {k: p * total for k, p in distribution.items() if p > 0}
    order = sorted(expected, key=expected.__getitem__)
    pool: list[str] = []
    pooled = 0.0
    while order and (expected[order[0]] < LEAST_EXPECTED or (pool and pooled < LEAST_EXPECTED)):
        pooled += expected[order[0]]
        pool.append(order.pop(0))
    bins = [[key] for key in order] + ([pool] if pool else [])
    if any(n and key not in expected for key, n in counts.items()):
        return Fit(tvd, 0.0, len(bins))
    if len(bins) < 2:
        return Fit(tvd, None, len(bins))
    from scipy.stats import power_divergence

    test = power_divergence(
        [sum(counts.get(key, 0) for key in keys) for keys in bins],
        [sum(expected[key] for key in keys) for keys in bins],
        lambda_="log-likelihood",
    )
    return Fit(tvd, float(test.pvalue), len(bins))
