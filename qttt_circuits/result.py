"""What a run showed: every shot accounted for, beside what the exact amplitudes predict."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import sqrt
from typing import TYPE_CHECKING, Any

from .distribution import ProductDistribution, size_of
from .errors import NoAcceptedShotsError, OptionError
from .fit import OUTCOMES, Fit, fit
from .measured import Bits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .experiment import Experiment

MOST_SHOWN, FEW_SHOWN = 200, 20
"""Up to how many outcomes are all shown to people, and how many are if there are more."""


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """The shots of one experiment: ``shots == accepted + sum(rejected.values())``.

    Attributes:
        experiment: What was run.
        shots: How many shots came back.
        counts: Accepted shots by outcome.
        rejected: Rejected shots by reason; every reason is present.
        bits: What was measured, as it was.
        first: The outcome of the first accepted shot, if the order of shots is known.
        backend: What it ran on.
        seed: The seed it ran with, if there was one.
        parts: How many circuits a shot was joined from; 1 if it is one of the backend's own.
    """

    experiment: Experiment
    shots: int
    counts: dict[str, int]
    rejected: dict[str, int]
    bits: Bits = field(repr=False, compare=False)
    first: str | None = None
    backend: str = ""
    seed: int | None = None
    parts: int = 1

    @property
    def accepted(self) -> int:
        """How many shots were accepted."""
        return sum(self.counts.values())

    @property
    def acceptance(self) -> float:
        """The fraction of shots that were accepted."""
        return self.accepted / self.shots if self.shots else 0.0

    @property
    def predicted_acceptance(self) -> float:
        """The fraction that should be accepted."""
        return self.experiment.predicted_acceptance

    @property
    def frequencies(self) -> dict[str, float]:
        """The fraction of accepted shots by outcome."""
        accepted = self.accepted
        return {outcome: n / accepted for outcome, n in self.counts.items()}

    @property
    def standard_errors(self) -> dict[str, float]:
        """The standard error of each frequency, √(f(1 − f)/accepted)."""
        accepted = self.accepted
        return {o: sqrt(f * (1 - f) / accepted) for o, f in self.frequencies.items()}

    def fit(self, *, of: str | None = None) -> Fit:
        """Returns how well the accepted shots fit the exact distribution.

        Args:
            of: ``outcomes`` or ``components``, which are groups of squares that are independent of
                each other; by default outcomes, unless there are more of them than accepted shots.

        Raises:
            NoAcceptedShotsError: If there are none.
            OptionError: If the experiment has no components.
        """
        self.require_accepted()
        return fit(self.counts, self.experiment.distribution, of=of)

    def marginals(self) -> dict[int, dict[str, float]]:
        """Returns for each square how frequently it shows which letter, among accepted shots.

        Raises:
            NoAcceptedShotsError: If there are none.
            OptionError: If the outcomes are not boards that components decide.
        """
        self.require_accepted()
        if not isinstance(self.experiment.distribution, ProductDistribution):
            raise OptionError("only boards that independent components decide have marginals")
        sums: dict[int, dict[str, int]] = {}
        for outcome, n in self.counts.items():
            for square, letter in enumerate(outcome, 1):
                letters = sums.setdefault(square, {})
                letters[letter] = letters.get(letter, 0) + n
        return {
            square: {letter: n / self.accepted for letter, n in sorted(letters.items())}
            for square, letters in sums.items()
        }

    def shown(self) -> list[str]:
        """Returns the outcomes to show to people: all, or if they are many the most frequent."""
        if size_of(self.experiment.distribution) + len(self.counts) <= MOST_SHOWN:
            return sorted({*self.experiment.distribution, *self.counts})
        ranked = sorted(self.counts, key=lambda outcome: (-self.counts[outcome], outcome))
        return ranked[:FEW_SHOWN]

    def not_shown(self) -> str:
        """Returns in words how many outcomes `shown` leaves out, empty if none."""
        shown, possible = self.shown(), size_of(self.experiment.distribution)
        more = len({*self.counts} - {*shown})
        if len(shown) >= possible and not more:
            return ""
        return f"and {more:,} more that were seen; {possible:,} are possible"

    def require_accepted(self) -> None:
        """Raises an error if no shot was accepted.

        Raises:
            NoAcceptedShotsError: Then; it states shots and rejections.
        """
        if not self.accepted:
            raise NoAcceptedShotsError(self.shots, self.rejected, self.predicted_acceptance)

    def __add__(self, other: Result) -> Result:
        """Merges the results of two runs of the same experiment; the first run comes first.

        Raises:
            OptionError: If they are of different experiments.
        """
        if not isinstance(other, Result):
            return NotImplemented
        if self.experiment.key != other.experiment.key:
            differing = sorted({k for k, _ in {*self.experiment.key} ^ {*other.experiment.key}})
            raise OptionError(
                "only results of the same experiment can be merged; these differ in "
                + ", ".join(
                    f"{k} ({self.experiment.settings.get(k)!r}, "
                    f"{other.experiment.settings.get(k)!r})"
                    for k in differing
                )
            )
        return replace(
            self,
            shots=self.shots + other.shots,
            counts=dict(sorted(_sum(self.counts, other.counts).items())),
            rejected=_sum(self.rejected, other.rejected),
            bits=self.bits + other.bits,
            parts=max(self.parts, other.parts),
            first=self.first if self.first is not None else other.first,
            backend=" + ".join(
                dict.fromkeys(filter(None, [*self.backend.split(" + "), other.backend]))
            ),
            seed=None,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((self.experiment, self.shots, self.first, self.backend, self.seed))

    def _values(self) -> tuple[object, ...]:
        return (
            self.experiment,
            self.shots,
            self.counts,
            self.rejected,
            self.first,
            self.backend,
            self.seed,
            self.parts,
        )

    def __radd__(self, other: object) -> Result:
        """Lets `sum` merge results."""
        return self if other == 0 else NotImplemented

    def __repr__(self) -> str:
        position = self.experiment.settings.get("position", "")
        return f"<Result {position}: {self.accepted} of {self.shots} shots accepted>"

    def __str__(self) -> str:
        exact, frequencies, errors = (
            self.experiment.distribution,
            self.frequencies,
            self.standard_errors,
        )
        few = self.not_shown()
        digits = ".3g" if few else ".4f"
        lines = [
            f"{outcome}  {self.counts.get(outcome, 0):>9}  {frequencies.get(outcome, 0.0):.4f} ± "
            f"{errors.get(outcome, 0.0):.4f}  exact {exact.get(outcome, 0.0):{digits}}"
            for outcome in self.shown()
        ]
        return "\n".join(filter(None, [*lines, few, self.account()]))

    def account(self) -> str:
        """Returns in words what became of every shot, and the acceptance beside the predicted."""
        reasons = ", ".join(f"{reason} {n}" for reason, n in self.rejected.items())
        rejected = self.shots - self.accepted
        why = f" ({reasons})" if reasons else ""
        return (
            f"{self.shots} shots = {self.accepted} accepted + {rejected} rejected{why}\n"
            f"acceptance {self.acceptance:.4f}, predicted {self.predicted_acceptance:.4f}"
        )

    def plot(self, *, axes: Axes | Sequence[Axes] | None = None) -> Figure:
        """Returns a figure of matplotlib's: frequencies beside exact probabilities, and all shots.

        Bars are measured, with their standard errors, and diamonds exact. A second panel shows what
        became of the shots, by reason of rejection, and the predicted acceptance.

        Args:
            axes: Where to draw: axes for the outcomes, or a pair, the second one for the shots,
                which a single one says in words; by default a new figure.

        Raises:
            MissingExtraError: If matplotlib is not installed.
            OptionError: If the axes are neither.
        """
        from .drawing.plot import plot

        return plot(self, axes)

    def to_json(self) -> dict[str, Any]:
        """Returns the result as JSON-able data."""
        found = self.fit() if self.accepted else None
        settings = self.experiment.settings
        return {
            "shots": self.shots,
            "accepted": self.accepted,
            "acceptance": self.acceptance,
            "predicted_acceptance": self.predicted_acceptance,
            "counts": self.counts,
            "rejected": self.rejected,
            "standard_errors": self.standard_errors,
            "fit": _fit_json(found) if found else None,
            "backend": self.backend,
            "encoding": settings.get("encoding"),
            "ancillas": settings.get("ancillas"),
            **({"circuit": settings["circuit"]} if "circuit" in settings else {}),
            "seed": self.seed,
            **({"parts": self.parts} if self.parts > 1 else {}),
        }


def _fit_json(found: Fit) -> dict[str, Any]:
    """Returns a fit as JSON-able data, which says what it is of if that is not outcomes."""
    data = {"tvd": found.tvd, "p_value": found.p_value}
    return data if found.of == OUTCOMES else {**data, "of": found.of}


def _sum(a: dict[str, int], b: dict[str, int]) -> dict[str, int]:
    return {key: a.get(key, 0) + b.get(key, 0) for key in {**a, **b}}
