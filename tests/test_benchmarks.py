"""Every benchmark runs and its JSON has the right shape; nothing is asserted of the times."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

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
    assert {"python", "machine", "qttt-circuits", "qiskit", "qiskit-aer"} == set(
        document["environment"]
    )
    assert len({tuple(row) for row in document["rows"]}) == 1
    rows: list[dict[str, Any]] = document["rows"]
    return rows


def assert_spread(row: dict[str, Any]) -> None:
    assert 0 < row["min"] <= row["median"] <= row["max"]


def test_exact_engine_has_three_rows_a_rule_set() -> None:
    from qttt_circuits.games import all_rules

    rows = rows_of("exact_engine.py", "--games", "2", "--max-plies", "30")
    assert len(rows) == 3 * len(all_rules())
    assert {row["rules"] for row in rows} == set(all_rules())
    for row in rows:
        assert_spread(row)
        assert 0 < row["plies"] <= 30
        assert 0 <= row["unfinished"] <= 2


def test_sampling_has_a_row_for_each_position_and_encoding() -> None:
    from qttt_circuits.encodings import encodings

    rows = rows_of("sampling.py", "--shots", "10", "--repeats", "1")
    assert {row["encoding"] for row in rows} == set(encodings())
    positions = {row["position"] for row in rows}
    assert {"half-cancelling", "spreading", "full board"} <= positions
    assert len(rows) == len(positions) * len(encodings())
    assert all(row["qubits"] > 0 and row["compile"] > 0 and row["sample"] > 0 for row in rows)


def test_startup_compares_with_an_empty_python() -> None:
    rows = rows_of("startup.py", "--repeats", "1")
    assert len(rows) == 5
    assert rows[0]["what"] == "python -c pass"
    assert rows[0]["ratio"] == 1
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
    output = run("exact_engine.py", "--games", "1", "--max-plies", "20")
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
