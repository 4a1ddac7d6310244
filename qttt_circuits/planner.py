"""How many shots: to accept at least one, or to come as close to exact as is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, log, log1p, sqrt

from .distribution import ProductDistribution
from .errors import OptionError
from .execution import MAX_SHOTS
from .state import MOST_BOARDS

DEFAULT_TVD = 0.02
DEFAULT_FAILURE = 1e-3
SECONDS_A_SHOT = 2.5e-4
"""What superconducting devices of today wait between shots by default, in seconds."""
SECONDS_A_JOB = 2.0
"""What a job costs besides: loading and starting it."""
MOST_PLANNED = 1_000_000
"""The most shots that are planned; more can be asked for by number."""


@dataclass(frozen=True)
class Plan:
    """A number of shots and why.

    Attributes:
        shots: How many.
        acceptance: The acceptance counted on.
        reason: In words, what they are enough for.
    """

    shots: int
    acceptance: float
    reason: str


def acceptance_on(predicted: float, fidelity: float | None) -> float:
    """Returns the acceptance to count on where a device makes errors.

    A shot without error is accepted with the predicted probability; of those with an error none is
    counted on.

    Args:
        predicted: The acceptance without errors.
        fidelity: The probability of no error, if the device reports errors.
    """
    return predicted * (1.0 if fidelity is None else fidelity)


def shots_for_one(acceptance: float, *, failure: float = 1e-9) -> int:
    """Returns how many shots give at least one accepted one, but for a small probability.

    Args:
        acceptance: The probability that a shot is accepted.
        failure: The probability of accepting none that is put up with.

    Raises:
        OptionError: If that takes more than `MAX_SHOTS`.
    """
    _require_part("a probability of failure", failure)
    if acceptance >= 1:
        return 1
    if acceptance * MAX_SHOTS < 1e-3:
        raise OptionError(f"with an acceptance of {acceptance:.3g} no number of shots is enough")
    return _limited(log(failure) / log1p(-acceptance))


def shots_for_distance(
    distribution: Mapping[str, float],
    acceptance: float,
    *,
    tvd: float = DEFAULT_TVD,
    failure: float = DEFAULT_FAILURE,
) -> int:
    """Returns how many shots bring the accepted ones closer to exact than a distance.

    The mean distance of n shots is at most half the sum of √(p(1 − p)/n), and as one shot changes
    it by at most 1/n it exceeds its mean by t with probability at most exp(−2nt²) (McDiarmid's
    inequality). Errors of a device come on top.

    Args:
        distribution: The exact distribution. If it has too many outcomes for a table, each of its
            components is brought that close.
        acceptance: The probability that a shot is accepted.
        tvd: The total variation distance that is wanted.
        failure: The probability of a larger one that is put up with.

    Raises:
        OptionError: If the distance is not between 0 and 1, or takes more than `MAX_SHOTS`.
    """
    _require_part("a distance", tvd)
    _require_part("a probability of failure", failure)
    if acceptance <= 0:
        raise OptionError("with an acceptance of 0 no number of shots is enough")
    if isinstance(distribution, ProductDistribution) and distribution.size > MOST_BOARDS:
        parts = distribution.components
        shared = failure / len(parts)
        return max(
            shots_for_distance(c.probabilities, acceptance, tvd=tvd, failure=shared) for c in parts
        )
    spread = sum(sqrt(p * max(0.0, 1 - p)) for p in distribution.values()) / 2
    ratio = (spread + sqrt(log(1 / failure) / 2)) / tvd
    if ratio > MAX_SHOTS:  # squared, it might overflow
        raise OptionError(f"a distance of {tvd:g} takes more than {MAX_SHOTS:,} shots")
    return _limited(ratio**2 / acceptance)


def plan(
    distribution: Mapping[str, float],
    predicted_acceptance: float,
    fidelity: float | None,
    *,
    tvd: float = DEFAULT_TVD,
) -> Plan:
    """Returns the shots that ``--shots auto`` takes: enough for a distance, and for one at least.

    Args:
        distribution: The exact distribution.
        predicted_acceptance: The acceptance without errors.
        fidelity: The predicted fidelity of the circuit, if the device reports errors.
        tvd: The total variation distance that is wanted, errors apart.

    Raises:
        OptionError: If that takes more than `MOST_PLANNED` shots, which nobody should be given
            without having asked for them.
    """
    acceptance = acceptance_on(predicted_acceptance, fidelity)
    shots = max(shots_for_one(acceptance), shots_for_distance(distribution, acceptance, tvd=tvd))
    if shots > MOST_PLANNED:
        raise OptionError(
            f"with an acceptance of {acceptance:.3g} a distance below {tvd:g} takes {shots:,} "
            f"shots, more than the {MOST_PLANNED:,} that are planned by themselves: give their "
            "number, or a larger distance"
        )
    reason = (
        f"a distance below {tvd:g} from exact, device errors apart, with probability "
        f"{1 - DEFAULT_FAILURE:g}, counting on an acceptance of {acceptance:.3g}"
    )
    return Plan(shots, acceptance, reason)


def device_seconds(shots: int, circuits: int = 1) -> float:
    """Returns a rough estimate of the device time of a job, in seconds.

    Args:
        shots: Shots of each circuit.
        circuits: How many circuits.
    """
    return SECONDS_A_JOB + shots * circuits * SECONDS_A_SHOT


def _require_part(what: str, value: float) -> None:
    if not 0 < value < 1:
        raise OptionError(f"{what} is between 0 and 1, not {value!r}")


def _limited(shots: float) -> int:
    number = max(1, ceil(shots))
    if number > MAX_SHOTS:
        raise OptionError(f"that takes {number:,} shots, more than {MAX_SHOTS:,}")
    return number
