"""What a run showed, plotted: frequencies beside exact probabilities, and all shots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ..board import EMPTY
from ..distribution import ProductDistribution, size_of
from ..errors import OptionError
from .mpl import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..result import Result

MOST = 30
"""The most outcomes that have a bar of their own."""
MEASURED, EXACT, REJECTED = "#9ec5e8", "#222222", "#f0b27a"
ASIDE = 0.25
"""How far right of the middle of a bar its diamond is, so that the error bar stays free."""
LONG = 3
"""Names of more letters than this are written upwards."""
LETTERS = 13
"""About how many letters of a title fit in an inch."""


@dataclass(frozen=True)
class Bar:
    """A bar of measured frequency beside its exact probability."""

    name: str
    frequency: float
    error: float
    exact: float


def plot(result: Result, axes: Axes | Sequence[Axes] | None = None) -> Figure:
    """Returns a figure of a result.

    Args:
        result: The result.
        axes: Where to draw: axes for the outcomes, or a pair, the second one for what became of
            the shots, which a single one says in words; by default a new figure with both.

    Raises:
        MissingExtraError: If matplotlib is not installed.
        OptionError: If the axes are neither.
    """
    found, note = bars(result)
    if axes is None:
        reasons = len(result.rejected)
        ratio = (max(4.0, 0.28 * len(found)), 1.2 + 0.35 * reasons)
        height = 4.5 + 0.09 * max(len(bar.name) for bar in found)
        drawn = new_figure("plotting", sum(ratio) + 1.5, height)
        drawn.set_layout_engine("constrained")
        pair: Sequence[Any] = drawn.subplots(1, 2, width_ratios=ratio)
    else:
        pair = list(axes) if hasattr(axes, "__iter__") else [axes]
        if not 1 <= len(pair) <= 2 or not all(hasattr(a, "errorbar") for a in pair):
            raise OptionError("axes= takes matplotlib Axes, or a pair of them")
    _outcomes(pair[0], result, found, note, account=len(pair) == 1)
    if len(pair) == 2:
        _shots(pair[1], result)
    figure: Figure = pair[0].figure
    return figure


def bars(result: Result) -> tuple[list[Bar], str]:
    """Returns the bars of a result, and a note on those that stand for several outcomes.

    Beyond `MOST` outcomes the most probable ones have a bar each, by their exact probability, so
    that chance has no part in which. The others share a bar of their mean, and so do those that
    should never occur; the note has the sums. If there are more boards than accepted shots as well,
    bars are of marks on squares instead.
    """
    exact, frequencies = result.experiment.distribution, result.frequencies
    number = size_of(exact)
    if isinstance(exact, ProductDistribution) and number > max(MOST, result.accepted):
        return _squares(result, exact)
    outcomes = sorted({*exact, *result.counts})
    if len(outcomes) <= MOST:
        return [_bar(result, name, [name]) for name in outcomes], ""
    ranked = sorted(exact, key=lambda outcome: (-exact[outcome], outcome))
    shown = sorted(ranked[: MOST - 2])
    rest = ranked[MOST - 2 :]
    impossible = [outcome for outcome in frequencies if outcome not in exact]
    found = [_bar(result, name, [name]) for name in shown]
    notes = [f"the {len(shown)} most probable of {len(exact)} outcomes have a bar each"]
    for group, what in (rest, "others"), (impossible, "impossible"):
        if group:
            total = _bar(result, f"mean of {len(group)} {what}", group)
            n = len(group)
            found.append(Bar(total.name, total.frequency / n, total.error / n, total.exact / n))
            notes.append(
                f"the {n} {what} sum to {total.frequency:.4f} ± {total.error:.4f}, "
                f"exact {total.exact:.4f}"
            )
    return found, "; ".join(notes)


def _squares(result: Result, exact: ProductDistribution) -> tuple[list[Bar], str]:
    """Returns a bar for each mark that may be found on a square."""
    measured = result.marginals() if result.accepted else {}
    found = []
    for square, letters in exact.marginals().items():
        seen = measured.get(square, {})
        for mark in sorted({*letters, *seen} - {EMPTY}):
            p, f = letters.get(mark, 0.0), seen.get(mark, 0.0)
            if len(letters) > 1 or f != p:
                found.append(Bar(f"{square} {mark}", f, _error(result, f), p))
    note = f"{exact.size:,} boards are possible; a bar is a mark on a square, whatever is elsewhere"
    return found, note


def _bar(result: Result, name: str, outcomes: Sequence[str]) -> Bar:
    exact, frequencies = result.experiment.distribution, result.frequencies
    f = min(1.0, sum(frequencies.get(outcome, 0.0) for outcome in outcomes))
    return Bar(name, f, _error(result, f), sum(exact.get(outcome, 0.0) for outcome in outcomes))


def _error(result: Result, frequency: float) -> float:
    f = min(1.0, frequency)
    return sqrt(f * (1 - f) / result.accepted) if result.accepted else 0.0


def _outcomes(axes: Axes, result: Result, found: list[Bar], note: str, *, account: bool) -> None:
    axes.bar(
        range(len(found)),
        [bar.frequency for bar in found],
        yerr=[bar.error for bar in found],
        color=MEASURED,
        edgecolor=EXACT,
        capsize=3,
        label="measured ± standard error",
    )
    _diamonds(axes, [bar.exact for bar in found], "exact")
    _names(axes, [bar.name for bar in found])
    axes.set_ylabel(f"frequency among {result.accepted:,} accepted shots")
    lines = [result.experiment.settings.get("position", ""), note]
    lines += _account(result) if account else []
    figure = axes.get_figure(root=True)
    inches = axes.get_position().width * figure.get_figwidth() if figure else 5
    # the two panels share the width of a new figure; its layout is made later
    letters = int(LETTERS * inches * (1 if account else 1.2))
    axes.set_title("\n".join(part for line in lines for part in wrap(line, letters)), fontsize=10)
    top = max([bar.frequency + bar.error for bar in found] + [bar.exact for bar in found])
    axes.set_ylim(0, 1.3 * top or 1)
    axes.legend(loc="upper right", fontsize="small")


def _shots(axes: Axes, result: Result) -> None:
    """Draws what became of the shots: accepted, or rejected for a reason."""
    numbers = {"accepted": result.accepted, **result.rejected}
    shares = [n / result.shots if result.shots else 0.0 for n in numbers.values()]
    drawn = axes.bar(range(len(numbers)), shares, color=REJECTED, edgecolor=EXACT, hatch="//")
    drawn[0].set(facecolor=MEASURED, hatch="")
    axes.bar_label(drawn, [f"{n:,}" for n in numbers.values()], padding=4, fontsize="small")
    _diamonds(axes, [result.predicted_acceptance], f"predicted {result.predicted_acceptance:.4f}")
    _names(axes, list(numbers))
    axes.set_ylim(0, 1.3)
    axes.set_ylabel(f"fraction of {result.shots:,} shots")
    axes.set_title(f"acceptance {result.acceptance:.4f}", fontsize=10)
    axes.legend(loc="upper right", fontsize="small")


def _diamonds(axes: Axes, heights: list[float], label: str) -> None:
    places = [i + ASIDE for i in range(len(heights))]
    axes.plot(places, heights, "D", color=EXACT, mfc="white", markersize=6, label=label)


def _names(axes: Axes, names: list[str]) -> None:
    upwards = max(map(len, names)) > LONG
    axes.set_xticks(range(len(names)), names, rotation=90 if upwards else 0, fontsize="small")
    axes.set_xlim(-0.7, len(names) - 0.3)


def _account(result: Result) -> Iterator[str]:
    yield (
        f"{result.accepted:,} of {result.shots:,} shots accepted ({result.acceptance:.4f}, "
        f"predicted {result.predicted_acceptance:.4f})"
    )
    rejected = [f"{reason} {n:,}" for reason, n in result.rejected.items() if n]
    if rejected:
        yield f"rejected: {', '.join(rejected)}"
