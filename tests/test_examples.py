"""Every example runs and prints what its text promises; the README shows real output."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def output_of(name: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def test_half_cancelling_shows_board_amplitudes_circuit_and_counts() -> None:
    output = output_of("01_half_cancelling.py")
    assert "X2△   | X1△ O2▽ | X1△ O2△" in output
    assert re.search(r"EXEEEEEEE +1/2 - 1/2\*sqrt\(2\) +-0\.18214 +0\.03318 = ", output)
    assert "fails with probability 3.32%" in output
    assert "half-cancelling -2,3" in output
    [counted] = re.findall(r"EXEEEEEEE +\d+ +(0\.\d+) ± (0\.\d+) +0\.0332", output)
    frequency, error = map(float, counted)
    assert abs(frequency - 0.03318) < 5 * error + 1e-4
    shots, accepted, rejected = map(
        int, re.search(r"(\d+) shots: (\d+) accepted, (\d+) renormalised", output).groups()
    )
    assert shots == accepted + rejected
    assert "predicted 0.8153" in output
    given = re.findall(r"^(E{9}|[EXO]{9})  (0\.\d{4})$", output, re.MULTILINE)
    assert {board: round(float(f), 1) for board, f in given} == {
        "EEOEEEEEE": 0.4,
        "EEXEEEEEE": 0.2,
        "XEEEEEEEE": 0.4,
    }


def test_first_game_ends_and_is_the_same_again() -> None:
    output = output_of("02_first_game.py")
    assert re.search(r"^X plays ", output, re.MULTILINE)
    assert re.search(r"^observed on \d+ qubits: one of \d+ possible boards$", output, re.MULTILINE)
    assert re.search(r"^(X wins|O wins|a draw) \(.*\)$", output, re.MULTILINE)
    assert re.search(r"the game in one line: tiqtaqtoe .*@[EXO]{9}\n", output)
    assert output_of("02_first_game.py", "4") == output


def test_encodings_have_a_row_each_and_agree() -> None:
    from qttt_circuits.encodings import encodings

    output = output_of("03_encodings.py")
    for name in encodings():
        for build, predicted in ("needed", 0.8153), ("all", 0.8153), ("state", 1):
            numbers = re.search(rf"^{name} +{build} +(.*)$", output, re.MULTILINE)[1].split()
            qubits, gates, acceptance, shown, p_value = map(float, numbers)
            assert qubits > 0
            assert gates > 0
            assert shown == predicted
            assert abs(acceptance - predicted) < 0.02
            assert p_value > 1e-3
    assert len(re.findall(r"^[EXO]{9}  ", output, re.MULTILINE)) == 16


def test_signs_show_in_the_overlap_and_not_in_counts() -> None:
    output = output_of("04_signs.py")
    rows = re.findall(r"^([EX]{9}) +([+-]0\.\d+) +(\d+) +([+-]0\.\d+) +(\d+)$", output, re.M)
    assert len(rows) == 3
    assert sum(float(signed) < 0 for _, signed, *_ in rows) == 2
    assert all(float(unsigned) > 0 for *_, unsigned, _ in rows)
    assert all(abs(int(a) - int(b)) < 500 for _, _, a, _, b in rows)
    assert re.search(r"^signed +10000 +0$", output, re.MULTILINE)
    assert re.search(r"^unsigned +0 +10000$", output, re.MULTILINE)


def test_goff_shows_both_collapses_with_and_without_lost_shots() -> None:
    output = output_of("05_goff.py")
    assert len(re.findall(r"^\S+  1/4$", output, re.MULTILINE)) == 4
    assert "X chooses 6=O4 or 8=O4" in output
    assert "projected: 4 qubits" in output
    assert "direct: 3 qubits" in output
    ways = re.findall(r"^(5=X\S+) +(\d+) ", output, re.MULTILINE)
    assert {way for way, _ in ways} == {"5=X1,6=X3,8=O4,9=O2", "5=X3,6=O4,8=X1,9=O2"}
    lost = [int(n) for n in re.findall(r"exclusivity (\d+)", output)]
    assert abs(lost[0] / 8000 - 7 / 8) < 0.02
    assert lost[1] == 0


def test_orthogonal_moves_are_never_found_the_same() -> None:
    output = output_of("06_orthogonal.py")
    assert "the nearest legal move is 1:r1/2,5:-r1/2" in output
    assert "moves 1 and 1: same in 4000 of 4000 shots" in output
    assert output.count("same in 0 of 4000 shots") == 3
    assert "square 1: 2.000" in output
    assert "predicted 0.5000" in output


def test_interference_is_constructive_and_destructive() -> None:
    output = output_of("07_interference.py")
    assert "exact: {'left': '4/5', 'right': '1/5'}" in output
    assert "exact: {'right': '1'}" in output
    assert "predicted 0.8333" in output
    assert "predicted 0.1667" in output


def test_noise_shrinks_by_post_selection_in_every_encoding() -> None:
    pytest.importorskip("mthree")
    pytest.importorskip("qiskit_ibm_runtime")
    output = output_of("08_noise.py")
    rows = re.findall(r"^(\S+) +(0\.\d{4}) +(0\.\d{4}) +(0\.\d{4}) +(0\.\d{3})$", output, re.M)
    assert [name for name, *_ in rows] == ["spin", "pair", "gray", "one-hot"]
    for _, raw, selected, mitigated, _ in rows:
        assert max(float(selected), float(mitigated)) < float(raw) / 2


def test_job_is_resumed_and_observed() -> None:
    output = output_of("09_job.py")
    assert "submitted: status done, 200 shots" in output
    assert re.search(r"^run qttt-\w+ is done$", output, re.MULTILINE)
    assert re.search(r"^observed: [EXO]{9}$", output, re.MULTILINE)


def test_tournament_gives_every_point_to_somebody() -> None:
    output = output_of("10_tournament.py", "1")
    for rules in ("tiqtaqtoe", "goff-original", "cat-and-hounds"):
        points = re.search(rf"^{rules}: (.*) of 4 points each$", output, re.MULTILINE)[1]
        assert sum(float(part.split()[1]) for part in points.split(", ")) == pytest.approx(
            6, abs=1e-4
        )


def test_open_question_is_answered_by_positions_with_all_their_moves() -> None:
    output = output_of("11_open_question.py", "3")
    # of the positions of one superposition on three empty squares
    assert re.search(r"^    3 +439 +199 +5268 +2068 +2432 +1405 +1339 +301$", output, re.MULTILINE)
    positions = re.findall(
        r"^X plays (?:.|\n)*?\n((?:  [+-]\d\.\d{4} .*\n)+)", output, re.MULTILINE
    )
    assert len(positions) == 3
    for rated in positions:
        rows = [row.split() for row in rated.splitlines()]
        best, kind = float(rows[0][0]), rows[0][1]
        assert kind in ("half-shiftflip", "half-cancelling")
        assert all(float(value) > best for value, other, _ in rows if other != kind)


def test_openings_are_drawn_with_their_values() -> None:
    output = output_of("12_openings.py")
    for rules, value, number in (
        ("tiqtaqtoe", "+0.12500", 11),
        ("cancelling", "+0.06250", 11),
        ("shiftflip", "+0.08203", 34),
    ):
        part = output.split(f"{rules}: ")[1].split(" different")[0]
        assert part == f"{value} for X, {number}"
    assert len(re.findall(r"[+-]\d\.\d{4}\b", output)) == 11 + 11 + 34


def test_every_example_is_tested() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert all(f'"{example.name}"' in text for example in EXAMPLES.glob("*.py"))


def masked(text: str) -> list[str]:
    """Returns lines in which numbers and spacing, which may vary, are made equal."""
    lines = (re.sub(r"\s+", " ", re.sub(r"\d+(\.\d+)?", "#", line)) for line in text.splitlines())
    return [line.strip() for line in lines if line.strip()]


def test_readme_python_prints_what_it_shows() -> None:
    [(code, shown)] = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", timeout=120
    )
    assert done.returncode == 0, done.stderr
    exact, sampled = shown.splitlines()[:4], shown.splitlines()[4:]
    assert done.stdout.splitlines()[:4] == exact
    assert masked("\n".join(done.stdout.splitlines()[4:])) == masked("\n".join(sampled))


ON_AER = ("sample", "verify", "submit", "jobs")
"""Commands whose numbers may change with the version of the simulator."""
CONSOLE = re.findall(r"```console\n\$ qttt (.*?)\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize(("command", "shown"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_readme_commands_print_what_it_shows(command: str, shown: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "qttt_circuits", *command.split()],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "100"},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    if command.split()[0] in ON_AER:
        assert masked(done.stdout) == masked(shown)
    else:
        assert done.stdout.split() == shown.split()


def test_readme_names_every_module() -> None:
    package = Path(__file__).parents[1] / "qttt_circuits"
    folders = {path.parent.name + "/" for path in package.glob("*/__init__.py")}
    modules = {path.name for path in package.glob("[a-z]*.py")} | folders
    named = set(re.findall(r"`([a-z_]+(?:\.py|/))`", README))
    assert modules <= named
