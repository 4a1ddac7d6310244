"""Drawings from the command line: ``show --svg``, ``show --filmstrip``, ``sample --plot``."""

import json
import sys
from xml.etree import ElementTree

import pytest
from pictures import POSITIONS, played

HALF_CANCELLING = ("cancelling", "1,2", "-2,3", "--shots", "200", "--seed", "1")


@pytest.fixture
def record(tmp_path):
    game = played(*POSITIONS["goff-collapsed"])
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game.record()))
    return game, str(path)


@pytest.mark.parametrize(("option", "draw"), [("--svg", "draw"), ("--filmstrip", "filmstrip")])
def test_show_draws_to_a_file(qttt, record, tmp_path, option, draw):
    game, path = record
    drawn = tmp_path / "drawn.svg"
    run = qttt("show", path, option, str(drawn))
    assert (run.status, run.err) == (0, "")
    assert str(game) in run.out
    expected = game.draw("svg") if draw == "draw" else game.filmstrip()
    assert drawn.read_bytes().decode() == expected


def test_a_file_that_cannot_be_written_is_an_error_in_one_line(qttt, record, tmp_path):
    run = qttt("show", record[1], "--json", "--filmstrip", str(tmp_path / "no" / "film.svg"))
    assert (run.status, run.out) == (2, "")
    assert len(run.err.splitlines()) == 1


@pytest.mark.parametrize(("suffix", "begins"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_sample_plots_to_a_file(qttt, tmp_path, suffix, begins):
    path = tmp_path / f"plot.{suffix}"
    run = qttt("sample", *HALF_CANCELLING, "--plot", str(path))
    assert (run.status, run.err) == (0, "")
    assert path.read_bytes().startswith(begins)
    assert run.out == qttt("sample", *HALF_CANCELLING).out


def test_sample_plots_svg_beside_json(qttt, tmp_path):
    path = tmp_path / "plot.SVG"
    run = qttt("sample", *HALF_CANCELLING, "--json", "--plot", str(path))
    assert json.loads(run.out)["shots"] == 200
    assert ElementTree.parse(path).getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("name", "message"),
    [("plot.jpg", ".png, .svg, .pdf"), ("plot", ".png"), ("no/plot.png", "there is no directory")],
)
def test_a_plot_that_cannot_be_is_refused_before_anything_runs(
    qttt, tmp_path, monkeypatch, name, message
):
    monkeypatch.setattr("qttt_circuits.game.Game.sample", None)
    run = qttt("sample", *HALF_CANCELLING, "--plot", str(tmp_path / name))
    assert (run.status, run.out) == (2, "")
    assert message in run.err
    assert len(run.err.splitlines()) == 1


def test_without_matplotlib_the_extra_is_named(qttt, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    run = qttt("sample", *HALF_CANCELLING, "--plot", str(tmp_path / "plot.png"))
    assert (run.status, run.out) == (2, "")
    assert "qttt-circuits[viz]" in run.err
