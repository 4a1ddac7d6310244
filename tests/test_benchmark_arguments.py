"""Arguments that no benchmark can use: one line on standard error, status 2, nothing measured."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
import report

BENCHMARKS = Path(report.__file__).parent
NOT_RUN = ("report", "positions")
SCRIPTS = sorted(path.stem for path in BENCHMARKS.glob("*.py") if path.stem not in NOT_RUN)
WRONG = {
    "positive": ("0", "-1", "1.5", "many"),
    "natural": ("-1", "many"),
    "shot_count": ("0", "-5", "99999999999", "many"),
    "duration": ("0", "-1", "nan", "inf", "long"),
}
NUMBER = re.compile(r'add_argument\(\s*"(--[a-z-]+)",\s*type=(\w+)')


def numbers(script: str) -> list[tuple[str, str]]:
    """Returns the options of a benchmark that take numbers, and what numbers."""
    source = (BENCHMARKS / f"{script}.py").read_text(encoding="utf-8")
    runs = [("--runs", "positive")] if ", runs=" in source else []
    return runs + [found for found in NUMBER.findall(source) if found[1] != "Path"]


OPTIONS = [(script, *found) for script in SCRIPTS for found in numbers(script)]


@pytest.fixture
def refused(monkeypatch, capsys) -> Callable[..., str]:
    """Calls a benchmark, and returns why it refuses its arguments."""

    def call(script: str, *arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", [f"{script}.py", *arguments])
        with pytest.raises(SystemExit) as stopped:
            report.script(import_module(script).main)
        assert stopped.value.code == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        [line] = captured.err.splitlines()
        assert line.startswith(f"{script}.py: ")
        return line

    return call


def test_the_numbers_of_all_benchmarks_are_tried() -> None:
    assert len(OPTIONS) > 35
    assert {kind for _, _, kind in OPTIONS} == WRONG.keys()


@pytest.mark.parametrize(("script", "option", "kind"), OPTIONS)
def test_numbers_that_cannot_be_are_refused(refused, script, option, kind) -> None:
    for value in WRONG[kind]:
        line = refused(script, f"{option}={value}")
        assert option in line
        assert repr(value) in line


@pytest.mark.parametrize("script", SCRIPTS)
def test_options_that_no_benchmark_has_are_refused(refused, script) -> None:
    assert "--nonsense" in refused(script, "--nonsense")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ("search spreading -1", "'-1' is no integer from 1 on"),
        ("search spreading 0", "'0' is no integer from 1 on"),
        ("search spreading 99", "up to 12 gates"),
        ("search half-entangling 7", "up to 6 gates"),
        ("growth --rules goff --sizes 3", "invalid choice: 'goff'"),
        ("growth --sizes 0", "'0' is no integer from 1 on"),
        ("growth --sizes 1 99", "from 2 to 9"),
        ("growth --plot /nope/x.png", "there is no directory /nope"),
        ("growth --plot x.jpg", "the name of a plot ends in"),
        ("players --only chess --only goff", "no game is called chess"),
        ("players --player perfect --only leaw-cheong", "there is no solver for leaw-cheong"),
        ("table --from /nope --only growth", "none of growth.json is there"),
        ("noise aer", "aer makes no errors"),
        ("peer_unitary --peer /nope", "is not a directory"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_measured(
    refused, arguments, part
) -> None:
    assert part in refused(*arguments.split())


def test_a_plot_replaces_no_pipe(refused, tmp_path) -> None:
    os.mkfifo(tmp_path / "plot.png")
    assert "not a regular file" in refused("growth", "--plot", str(tmp_path / "plot.png"))


def test_damaged_documents_are_refused(refused, tmp_path) -> None:
    for content, part in (("{", "not a JSON document"), ("[]", "not what a benchmark prints")):
        (tmp_path / "growth.json").write_text(content)
        assert part in refused("table", "--from", str(tmp_path))


WITHOUT_IBM = """
import runpy, sys
sys.modules["qiskit_ibm_runtime"] = None
path = sys.argv.pop(1)
sys.path.insert(0, path.rpartition("/")[0])
sys.argv[0] = path
runpy.run_path(path, run_name="__main__")
"""


def test_without_its_extra_noise_says_what_to_install() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_IBM, str(BENCHMARKS / "noise.py"), "fake_fez"],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "qttt-circuits[ibm]" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_the_perfect_player_plays_dice_where_it_can(refused, monkeypatch) -> None:
    from players import games

    from qttt_circuits.players import player

    reason = player("perfect", 0).refusal(games()["tiqtaqtoe"])
    assert (reason is None) == (find_spec("numba") is not None)
    monkeypatch.setattr("qttt_circuits.solving.dice.find_spec", lambda name: None)
    line = refused("players", "--player", "perfect", "--only", "tiqtaqtoe")
    assert "qttt-circuits[solve]" in line
