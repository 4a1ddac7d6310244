"""Pictures and plots drawn with matplotlib: what its artists hold, not their pixels."""

import sys
from dataclasses import replace
from math import sqrt

import matplotlib
import pytest
from circuits import play
from pictures import POSITIONS, played
from test_imports import loaded
from test_result import COUNTS

from qttt_circuits.drawing.board import board_picture
from qttt_circuits.drawing.mpl import PIXELS
from qttt_circuits.drawing.picture import Circle, Line, Picture, Polygon, Rectangle, Text
from qttt_circuits.drawing.plot import MOST, bars
from qttt_circuits.errors import MissingExtraError, OptionError

matplotlib.use("Agg")


@pytest.fixture(params=POSITIONS)
def game(request):
    return played(*POSITIONS[request.param])


@pytest.fixture
def result():
    return play("cancelling", "1,2 -2,3").experiment(encoding="pair").decode(COUNTS)


@pytest.fixture
def many():
    """A run with 64 possible outcomes."""
    return played(*POSITIONS["tiqtaqtoe-due"]).sample(2000, seed=1)


@pytest.fixture
def without_matplotlib(monkeypatch):
    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)


# --- boards


def corners(patch):
    return [tuple(corner) for corner in patch.get_path().vertices]


def matches(shape, artist):
    match shape:
        case Text():
            return (artist.get_text(), artist.get_position()) == (
                shape.text,
                (shape.x, shape.baseline),
            ) and artist.get_fontsize() == pytest.approx(0.75 * shape.size)
        case Circle():
            found = (artist.center, artist.radius, artist.get_facecolor()[3])
            return found == ((shape.x, shape.y), shape.radius, shape.opacity)
        case Line():
            dashed = artist.get_linestyle() not in ("-", "solid")
            ends = [shape.start, shape.control, shape.end]
            return corners(artist) == ends and dashed == bool(shape.dashes)
        case Polygon():
            return corners(artist)[:-1] == list(shape.points)
        case Rectangle():
            return artist.get_bbox().bounds == (shape.x, shape.y, shape.width, shape.height)
    return False


def test_every_shape_of_the_picture_is_an_artist_in_the_same_order(game):
    picture, drawn = board_picture(game), game.draw("mpl")
    [axes] = drawn.axes
    artists = [*axes.patches, *axes.texts]
    assert len(artists) == len(picture.shapes)
    artists.sort(key=lambda artist: artist.get_zorder())
    for shape, artist in zip(picture.shapes, artists, strict=True):
        assert matches(shape, artist), shape


def test_a_figure_has_the_size_of_the_picture(game, tmp_path):
    picture, drawn = board_picture(game), game.draw("mpl")
    assert drawn.get_figwidth() * PIXELS == pytest.approx(picture.width)
    assert drawn.get_figheight() * PIXELS == pytest.approx(picture.height)
    assert drawn.axes[0].get_xlim() == (0, picture.width)
    assert drawn.axes[0].get_ylim() == (picture.height, 0)


def test_text_is_never_taken_for_a_formula():
    from qttt_circuits.drawing.mpl import figure

    picture = Picture(50, 50)
    picture.add(Text(5, 5, "$\\frac$ $"))
    figure(picture).canvas.draw()


def test_a_figure_is_saved_in_any_format(tmp_path):
    drawn = played("goff", "5,8 5,9").draw("mpl")
    for suffix in ("png", "pdf", "svg"):
        drawn.savefig(tmp_path / f"board.{suffix}")
        assert (tmp_path / f"board.{suffix}").stat().st_size > 1000


def test_drawing_loads_matplotlib_only_when_it_is_asked_for():
    code = (
        "from qttt_circuits import Game\n"
        "game = Game('goff')\ngame.push('1,2')\ngame.draw('svg')\ngame.filmstrip()\n"
    )
    assert "matplotlib" not in loaded(code)
    modules = loaded(f"{code}game.draw('mpl')")
    assert "matplotlib" in modules
    assert "matplotlib.pyplot" not in modules  # which would keep every figure, and pick a window


def test_without_matplotlib_an_error_says_what_to_install(without_matplotlib, result):
    for draw in (lambda: played("goff", "").draw("mpl"), result.plot):
        with pytest.raises(MissingExtraError, match=r"pip install 'qttt-circuits\[viz\]'"):
            draw()


# --- plots


def heights(container):
    return [bar.get_height() for bar in container]


def names(axes):
    return [label.get_text() for label in axes.get_xticklabels()]


def error_bars(axes):
    """Returns the lower and upper end of each error bar."""
    [lines] = axes.containers[0].lines[2]
    return [(low, high) for (_, low), (_, high) in lines.get_segments()]


def test_frequencies_have_error_bars_and_stand_beside_exact_probabilities(result):
    axes = result.plot().axes[0]
    outcomes = ["EEOEEEEEE", "EEXEEEEEE", "EXEEEEEEE", "XEEEEEEEE"]
    assert names(axes) == outcomes
    measured = axes.containers[1]
    assert heights(measured) == pytest.approx([0.2, 0.5, 0, 0.3])
    for (low, high), f in zip(error_bars(axes), [0.2, 0.5, 0, 0.3], strict=True):
        error = sqrt(f * (1 - f) / 1000)
        assert (low, high) == pytest.approx((f - error, f + error))
    exact = result.experiment.distribution
    diamonds = next(line for line in axes.lines if line.get_label() == "exact")
    assert list(diamonds.get_ydata()) == [exact[outcome] for outcome in outcomes]
    assert all(label.get_rotation() == 90 for label in axes.get_xticklabels())
    low, high = axes.get_ylim()
    assert low == 0
    assert high > max(exact.values())


def test_every_shot_is_shown_with_the_reasons_of_rejection(result):
    axes = result.plot().axes[1]
    assert names(axes) == ["accepted", "invalid-code", "renormalise", "off-board", "pieces"]
    numbers = [1000, 3, 90, 0, 7]
    assert heights(axes.containers[0]) == pytest.approx([n / 1100 for n in numbers])
    assert [text.get_text() for text in axes.texts] == ["1,000", "3", "90", "0", "7"]
    [diamond] = axes.lines
    assert list(diamond.get_ydata()) == [result.predicted_acceptance]
    assert axes.get_title() == "acceptance 0.9091"
    hatched = [bool(bar.get_hatch()) for bar in axes.containers[0]]
    assert hatched == [False, True, True, True, True]


def test_short_names_are_not_turned():
    found = played("leaw-cheong", "1:r1/2,5:r1/2").sample(100, seed=1).plot().axes[0]
    assert [label.get_rotation() for label in found.get_xticklabels()] == [0, 0]


def test_the_axes_of_others_are_drawn_on(result):
    from matplotlib.figure import Figure

    own = Figure()
    one, two = own.subplots(1, 2)
    assert result.plot(axes=(one, two)) is own
    assert len(one.containers) == 2
    assert names(two)[0] == "accepted"


def test_a_single_one_says_in_words_what_became_of_the_shots(result):
    from matplotlib.figure import Figure

    own = Figure(figsize=(12, 5))
    axes = own.subplots()
    assert result.plot(axes=axes) is own
    title = " ".join(axes.get_title().split())
    assert "1,000 of 1,100 shots accepted (0.9091, predicted 0.8153)" in title
    assert "rejected: invalid-code 3, renormalise 90, pieces 7" in title


@pytest.mark.parametrize("axes", ["axes", 3, [], [None], [1, 2, 3]])
def test_what_is_no_axes_is_refused(result, axes):
    with pytest.raises(OptionError, match="axes= takes matplotlib Axes"):
        result.plot(axes=axes)


def test_axes_are_named_when_they_are_given(result):
    with pytest.raises(TypeError):
        result.plot(object())


def test_many_outcomes_share_a_bar_and_a_note_says_so(many):
    found, note = bars(many)
    assert len(found) == MOST - 1
    alone, shared = found[:-1], found[-1]
    assert shared.name == "mean of 36 others"
    assert sum(bar.frequency for bar in alone) + 36 * shared.frequency == pytest.approx(1)
    assert sum(bar.exact for bar in alone) + 36 * shared.exact == pytest.approx(1)
    total = 36 * shared.frequency
    assert 36 * shared.error == pytest.approx(sqrt(total * (1 - total) / 2000))
    assert note.startswith("the 28 most probable of 64 outcomes have a bar each")
    assert f"the 36 others sum to {total:.4f}" in note
    title = " ".join(many.plot().axes[0].get_title().split())
    assert note in title


def test_outcomes_that_cannot_be_have_a_bar_of_their_own(many):
    noisy = replace(many, shots=2100, counts={**many.counts, "XXXXXXXXX": 60, "OOOOOOOOO": 40})
    found, note = bars(noisy)
    assert found[-1].name == "mean of 2 impossible"
    assert found[-1].frequency == pytest.approx(50 / 2100)
    assert found[-1].exact == 0
    assert "the 2 impossible sum to 0.0476" in note


def test_which_outcomes_share_a_bar_is_no_matter_of_chance(many):
    other = replace(many, counts=dict.fromkeys(many.counts, 1))
    assert [bar.name for bar in bars(many)[0]] == [bar.name for bar in bars(other)[0]]


def test_few_outcomes_that_cannot_be_are_shown_by_name(result):
    noisy = replace(result, counts={**result.counts, "OOOEEEEEE": 100})
    found, note = bars(noisy)
    assert [bar.exact for bar in found if bar.name == "OOOEEEEEE"] == [0]
    assert not note


def test_a_run_without_accepted_shots_shows_what_was_expected():
    experiment = play("cancelling", "1,2 -2,3").experiment(encoding="pair")
    result = experiment.decode({"1 0010": 5})
    outcomes, shots = result.plot().axes
    assert heights(outcomes.containers[1]) == [0] * 4
    assert heights(shots.containers[0]) == [0, 0, 1, 0, 0]


def test_a_position_without_superposition_is_plotted():
    axes = played("tiqtaqtoe", "5").sample(10).plot().axes[0]
    assert names(axes) == ["EEEEXEEEE"]
