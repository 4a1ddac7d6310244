"""What a run showed: every shot accounted for, beside what the exact amplitudes predict."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import sqrt
from typing import TYPE_CHECKING, Any

from .errors import NoAcceptedShotsError, OptionError
from .fit import Fit, fit
from .measured import Bits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .experiment import Experiment


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

    def fit(self) -> Fit:
        """Returns how well the accepted shots fit the exact distribution.

        Raises:
            NoAcceptedShotsError: If there are none.
        """
        self.require_accepted()
        return fit(self.counts, self.experiment.distribution)

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
        lines = [
            f"{outcome}  {self.counts.get(outcome, 0):>9}  {frequencies.get(outcome, 0.0):.4f} ± "
            f"{errors.get(outcome, 0.0):.4f}  exact {exact.get(outcome, 0.0):.4f}"
            for outcome in sorted({*exact, *self.counts})
        ]
        return "\n".join([*lines, self.account()])

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
            "fit": {"tvd": found.tvd, "p_value": found.p_value} if found else None,
            "backend": self.backend,
            "encoding": settings.get("encoding"),
            "ancillas": settings.get("ancillas"),
            **({"circuit": settings["circuit"]} if "circuit" in settings else {}),
            "seed": self.seed,
        }


def _sum(a: dict[str, int], b: dict[str, int]) -> dict[str, int]:
    return {key: a.get(key, 0) + b.get(key, 0) for key in {**a, **b}}
