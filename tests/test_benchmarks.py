"""Every benchmark runs and its JSON has the right shape; nothing is asserted of the times."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from positions import DICE_GAMES
from report import repeated

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def run(name: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / name), *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows_of(name: str, *arguments: str) -> list[dict[str, Any]]:
    document = json.loads(run(name, *arguments, "--json"))
    assert document.keys() == {"benchmark", "settings", "environment", "rows"}
    assert {"python", "machine", "cores", "qttt-circuits", "qiskit", "qiskit-aer"} == set(
        document["environment"]
    )
    assert len({tuple(row) for row in document["rows"]}) == 1
    rows: list[dict[str, Any]] = document["rows"]
    return rows


def assert_spread(row: dict[str, Any], runs: int = 1) -> None:
    """The figures of a row belong together: what the runs found, between least and largest."""
    assert 0 < row["min"] <= row["median"] <= row["max"]
    medians = row["medians"]
    assert len(medians) == runs
    assert row["min"] <= min(medians) <= row["median"] <= max(medians) <= row["max"]
    assert row["spread"] == pytest.approx(max(medians) / min(medians) - 1)
    assert row["ratio"] > 0


def test_several_runs_become_one_row_and_keep_their_medians() -> None:
    ran = iter(
        [
            {"what": "a", "median": 2.0, "min": 1.0, "max": 3.0, "ratio": 10.0},
            {"what": "a", "median": 2.5, "min": 2.0, "max": 9.0, "ratio": 14.0},
        ]
    )
    [row] = repeated(lambda: [next(ran)], 2)
    assert row == {
        "what": "a", "median": 2.25, "medians": [2.0, 2.5], "spread": 0.25,
        "min": 1.0, "max": 9.0, "ratio": 12.0,
    }  # fmt: skip


def test_runs_that_measured_different_things_are_not_made_one() -> None:
    ran = iter([[{"median": 1.0}], [{"median": 1.0}, {"median": 2.0}]])
    with pytest.raises(ValueError, match="longer"):
        repeated(lambda: next(ran), 2)


def test_exact_engine_has_three_rows_a_rule_set() -> None:
    from qttt_circuits.games import all_rules

    rows = rows_of("exact_engine.py", "--games", "2", "--max-plies", "30", "--runs", "2")
    assert len(rows) == 3 * len(all_rules())
    assert {row["rules"] for row in rows} == set(all_rules())
    for row in rows:
        assert_spread(row, runs=2)
        assert 0 < row["plies"] <= 30
        assert 0 <= row["unfinished"] <= 2
        assert row["a second"] > 0


def test_distributions_have_a_row_for_each_ply() -> None:
    rows = rows_of("distributions.py", "--games", "3", "--runs", "1")
    for rules in DICE_GAMES:
        plies = [row["ply"] for row in rows if row["rules"] == rules]
        assert plies == list(range(1, len(plies) + 1))
    for row in rows:
        assert_spread(row)
        assert 1 <= row["boards"] <= row["most boards"] <= 2 ** row["ply"]


def test_sampling_has_rows_for_each_position_and_encoding() -> None:
    from qttt_circuits.encodings import encodings

    rows = rows_of("sampling.py", "--shots", "10", "--repeats", "1", "--many", "3", "--runs", "1")
    assert {row["encoding"] for row in rows} == set(encodings())
    positions = {row["position"] for row in rows}
    assert {"half-cancelling", "spreading", "full board"} <= positions
    assert [row["what"] for row in rows[:2]] == ["compile", "sample"]
    assert rows[-1]["what"] == "sample 3"
    assert len(rows) == 2 * len(positions) * len(encodings()) + 1
    for row in rows:
        assert_spread(row)
        assert row["qubits"] > 0
        assert row["baseline"] > 0


def test_startup_compares_with_an_empty_python() -> None:
    rows = rows_of("startup.py", "--repeats", "1", "--runs", "1")
    assert {"import qttt_circuits", "qttt --help", "qttt sample"} <= {row["what"] for row in rows}
    assert rows[0]["what"] == "python -c pass"
    assert (rows[0]["ratio"], rows[0]["beyond"]) == (1, 0)
    for row in rows:
        assert_spread(row)
        assert row["beyond"] == pytest.approx(row["min"] - rows[0]["min"])


def test_memory_compares_with_an_empty_python() -> None:
    rows = rows_of("memory.py", "--repeats", "1", "--runs", "1")
    assert rows[0]["what"] == "python -c pass"
    assert rows[0]["ratio"] == 1
    peaks = {row["what"]: row["median"] for row in rows}
    assert 2**20 < peaks["python -c pass"] < peaks["import qttt_circuits"]
    # loading Qiskit takes more than a game does, whatever the machine
    assert peaks["moves to a full board"] < peaks["import qiskit_aer"]
    for row in rows:
        assert_spread(row)


def test_gates_has_every_position_in_every_way() -> None:
    document = json.loads(run("gates.py", "--json"))
    assert {"half-cancelling", "spreading"} <= {row["position"] for row in document["documents"]}
    for row in document["documents"]:
        assert {"spin needed moves", "one-hot needed state"} <= row["ways"].keys()
        for figures in row["ways"].values():
            assert figures.keys() == {"qubits", "two_qubit", "depth", "acceptance"}


def test_flips_accounts_for_every_shot_that_would_be_accepted() -> None:
    from qttt_circuits.encodings import encodings

    rows = json.loads(run("flips.py", "--json"))
    assert {row["encoding"] for row in rows} == set(encodings())
    for row in rows:
        for flip in row["flips"]:
            assert flip["detected"] + flip["same"] + flip["other"] == pytest.approx(1)


def test_noise_has_a_row_for_each_device_and_encoding() -> None:
    rows = rows_of("noise.py", "fake_torino", "fake_fez", "--shots", "2000", "--seed", "3")
    assert [(row["device"], row["encoding"]) for row in rows] == [
        (device, encoding)
        for device in ("fake_torino", "fake_fez")
        for encoding in ("spin", "pair")
    ]
    for row in rows:
        for key in ("raw", "selected_without_pieces", "selected", "state_preparation_raw"):
            assert 0 < row[key] < 1
        assert row["selected"] < row["raw"] < row["state_preparation_raw"]
        assert 0 <= row["mitigated"] < row["raw"]
        assert 0 < row["accepted"] < 1
        assert row["ratio"] == pytest.approx(row["state_preparation_raw"] / row["selected"])


def test_noise_has_a_table_for_a_person() -> None:
    output = run("noise.py", "fake_fez", "--shots", "300")
    assert "fake_fez" in output
    assert "distance from exact after 300 shots" in output


def test_a_person_gets_a_table() -> None:
    output = run("exact_engine.py", "--games", "1", "--max-plies", "20", "--runs", "1")
    assert "times in milliseconds" in output
    assert "tiqtaqtoe" in output


def test_the_gates_of_the_other_games_are_those_that_their_structure_tells() -> None:
    document = json.loads(run("gates_other.py", "--games", "1", "--json"))
    groups = {row["group"]: row for row in document["goff"]}
    assert groups["path of 8 moves"]["direct CX"] == 7
    assert groups["star of 8 moves"]["direct CX"] == 13
    assert groups["the document's example"]["projected acceptance"] == 1 / 8
    assert all(row["projected CX"] == 0 for row in groups.values())
    for row in document["leaw-cheong"]:
        assert row["direct one-hot"] == 15
        if row["k"] > 1:
            assert row["occupation one-hot"] > row["direct one-hot"]
