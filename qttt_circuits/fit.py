"""How well counts fit an exact distribution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log

from .distribution import ProductDistribution, size_of
from .errors import OptionError, UnknownNameError
from .state import MOST_BOARDS

LEAST_EXPECTED = 5.0
"""Bins whose expected count is lower are pooled before a G-test (the usual rule of thumb)."""
OUTCOMES, COMPONENTS = "outcomes", "components"


@dataclass(frozen=True)
class Fit:
    """How far counts are from a distribution.

    Of outcomes it is one G-test. Of components it is a G-test of each, their statistics and degrees
    of freedom added: with independent components the sum has a chi-squared distribution as well. It
    compares what each component shows, and not whether they are independent.

    Attributes:
        tvd: The total variation distance between frequencies and probabilities, 0 to 1; of
            components the largest of theirs, below which that of outcomes cannot be.
        p_value: The p-value of the test; None with no two bins left after pooling; 0 if an
            outcome of probability zero was counted.
        bins: How many bins the test had, those of all components together.
        of: What was compared: ``outcomes`` or ``components``.
    """

    tvd: float
    p_value: float | None
    bins: int
    of: str = OUTCOMES


def total_variation(p: Mapping[str, float], q: Mapping[str, float]) -> float:
    """Returns half the sum of the absolute differences of two distributions."""
    return sum(abs(p.get(key, 0.0) - q.get(key, 0.0)) for key in {*p, *q}) / 2


def distance(frequencies: Mapping[str, float], distribution: Mapping[str, float]) -> float:
    """Returns the total variation distance of frequencies from a distribution.

    If that has too many outcomes for a table, it is the largest distance of one of its components,
    below which the distance of outcomes cannot be.

    Args:
        frequencies: Frequencies or quasi-probabilities of outcomes.
        distribution: The exact distribution.
    """
    if isinstance(distribution, ProductDistribution) and distribution.size > MOST_BOARDS:
        return _largest(frequencies, distribution)
    return total_variation(frequencies, distribution)


def _largest(frequencies: Mapping[str, float], distribution: ProductDistribution) -> float:
    seen = distribution.by_component(frequencies)
    pairs = zip(seen, distribution.components, strict=True)
    return max(
        (total_variation(sums, component.probabilities) for sums, component in pairs), default=0.0
    )


def fit(
    counts: Mapping[str, int], distribution: Mapping[str, float], *, of: str | None = None
) -> Fit:
    """Returns how well counts fit a distribution.

    Bins of an expected count below `LEAST_EXPECTED` are pooled; if their pool is still below, it
    takes in the smallest of the others.

    Args:
        counts: How often each outcome was seen; not empty.
        distribution: The exact probability of each outcome.
        of: ``outcomes`` or ``components``, of a `ProductDistribution`. By default outcomes, unless
            there are more than were counted, or than make a table.

    Raises:
        OptionError: If there are no counts, or the distribution has no components to compare.
    """
    total = sum(counts.values())
    if total <= 0:
        raise OptionError("there are no counts to fit")
    product = distribution if isinstance(distribution, ProductDistribution) else None
    if of is None:
        many = size_of(distribution) > min(total, MOST_BOARDS)
        of = COMPONENTS if product and many and len(product.components) > 1 else OUTCOMES
    if of not in (OUTCOMES, COMPONENTS):
        raise UnknownNameError("kind of fit", of, (OUTCOMES, COMPONENTS))
    impossible = any(n and not distribution.get(key, 0.0) for key, n in counts.items())
    tables: list[tuple[Mapping[str, float], Mapping[str, float]]] = [(counts, distribution)]
    if of == COMPONENTS:
        if product is None:
            raise OptionError("only a distribution of independent components is fitted by them")
        pairs = zip(product.by_component(counts), product.components, strict=True)
        tables = [(sums, component.probabilities) for sums, component in pairs]
    tvd = max(
        (total_variation({k: n / total for k, n in seen.items()}, p) for seen, p in tables),
        default=0.0,
    )
    binned = [_bins(p, total) for _, p in tables]
    bins = sum(map(len, binned))
    if impossible:
        return Fit(tvd, 0.0, bins, of)
    freedom = bins - len(binned)
    if not freedom:
        return Fit(tvd, None, bins, of)
    from scipy.special import chdtrc  # of scipy.stats' chi2, which takes longer to load

    statistic = sum(
        _statistic(seen, p, keys, total)
        for (seen, p), keys in zip(tables, binned, strict=True)
        if len(keys) > 1
    )
    return Fit(tvd, float(chdtrc(freedom, statistic)), bins, of)


def _bins(distribution: Mapping[str, float], total: int) -> list[list[str]]:
    """Returns what makes one bin of a test each; the last is the pool, if there is one."""
    expected = {k: p * total for k, p in distribution.items() if p > 0}
    order = sorted(expected, key=expected.__getitem__)
    pool: list[str] = []
    pooled = 0.0
    while order and (expected[order[0]] < LEAST_EXPECTED or (pool and pooled < LEAST_EXPECTED)):
        pooled += expected[order[0]]
        pool.append(order.pop(0))
    return [[key] for key in order] + ([pool] if pool else [])


def _statistic(
    counts: Mapping[str, float],
    distribution: Mapping[str, float],
    bins: list[list[str]],
    total: int,
) -> float:
    """Returns the statistic of a G-test."""
    observed = [sum(counts.get(key, 0) for key in keys) for keys in bins]
    expected = [total * sum(distribution[key] for key in keys) for keys in bins]
    return 2 * sum(o * log(o / e) for o, e in zip(observed, expected, strict=True) if o)
