"""Floors, profiles, growth and the table of figures: they run, and what they count is right."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import peer_unitary
import pytest
from circuits import play
from floors import groups_after, multiply_adds
from growth import to_full_board
from table import SOURCES, value
from test_benchmarks import BENCHMARKS, assert_spread, rows_of

from qttt_circuits import Game


def test_a_floor_stands_beside_each_figure() -> None:
    rows = rows_of("floors.py", "--games", "2", "--shots", "10", "--repeats", "1", "--runs", "1")
    for row in rows:
        assert_spread(row)
        assert row["floor"] > 0
        assert row["ratio"] == pytest.approx(row["median"] / row["floor"])
    figures = [row["what"] for row in rows]
    assert "a random game of tiqtaqtoe" in figures
    assert {"compiling, full board", "sampling, full board"} <= set(figures)


def test_squares_are_grouped_as_moves_join_them() -> None:
    groups, joined = groups_after([], {1, 2})
    assert (groups, joined) == ([{1, 2}], {1, 2})
    groups, _ = groups_after(groups, {5})
    groups, joined = groups_after(groups, {2, 3})
    assert joined == {1, 2, 3}
    assert sorted(groups, key=len) == [{5}, {1, 2, 3}]


def test_terms_are_counted_by_hand() -> None:
    # legal moves: 9 single dice and 36 pairs; then a die on 3 to 9 and pairs with one of them open
    first, second = 9 + 36, 7 + 7 * 6 // 2 + 7 * 2
    assert multiply_adds(play("tiqtaqtoe", "1,2")) == first + 2
    # X on 1 or 2; O on 2 or 3, or on the other where it meets X
    assert multiply_adds(play("tiqtaqtoe", "1,2 2,3")) == first + 2 + second + 4


def test_an_observation_writes_the_terms_of_each_group() -> None:
    moves = "1,2 3,4 5,6 7,8 9"
    before = multiply_adds(play("tiqtaqtoe", moves))
    game = play("tiqtaqtoe", moves)
    game.observe(seed=1)
    assert multiply_adds(game) == before + 4 * 2 + 1


def test_profiles_name_the_functions_that_take_most_time() -> None:
    document = rows_of(
        "profiles.py", "--games", "1", "--repeats", "1", "--shots", "10", "--top", "4"
    )
    assert len(document) == 3 * 4
    for what in dict.fromkeys(row["what"] for row in document):
        shares = [row["share"] for row in document if row["what"] == what]
        assert shares == sorted(shares, reverse=True)
        assert 0 < sum(shares) <= 1
    assert all(row["calls"] >= 0 and row["own"] >= 0 for row in document)


def test_growth_has_rows_for_each_board_and_a_plot(tmp_path) -> None:
    plot = tmp_path / "growth.svg"
    rows = rows_of(
        "growth.py", "--sizes", "3", "4", "--repeats", "1", "--runs", "1", "--shots", "10",
        "--plot", str(plot),
    )  # fmt: skip
    assert list(dict.fromkeys(row["board"] for row in rows)) == ["3×3", "4×4"]
    measured = [row for row in rows if row["median"] is not None]
    assert {"play", "observe", "compile", "sample"} <= {row["what"] for row in measured}
    for row in measured:
        assert_spread(row)
    assert plot.read_text(encoding="utf-8").count("<svg") == 1


def test_what_takes_long_is_tried_on_no_larger_board() -> None:
    rows = rows_of(
        "growth.py", "--sizes", "3", "4", "--repeats", "1", "--runs", "1", "--shots", "10",
        "--seconds", "1e-9",
    )  # fmt: skip
    assert all(row["median"] is None for row in rows if row["board"] == "4×4")
    assert any(row["median"] is not None for row in rows if row["board"] == "3×3")


def test_a_board_that_the_rules_do_not_have_is_left_out_and_said_once() -> None:
    done = subprocess.run(
        [
            sys.executable, str(BENCHMARKS / "growth.py"), "--sizes", "2", "10", "2",
            "--runs", "2", "--repeats", "1", "--shots", "10", "--json",
        ],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr.count("10×10 is left out: ") == 1
    document = json.loads(done.stdout)
    assert document["settings"]["sizes"] == [2]
    assert {row["board"] for row in document["rows"]} == {"2×2"}


def test_the_games_of_growth_end_with_no_open_square() -> None:
    game = to_full_board("tiqtaqtoe", 4, seed=1)
    assert game.observation_due
    assert isinstance(game, Game)


@pytest.mark.skipif(find_spec("unitary") is not None, reason="the peer is installed")
@pytest.mark.parametrize(("given", "status"), [((), 0), (("--peer", str(BENCHMARKS)), 2)])
def test_without_the_peer_there_is_no_figure_but_a_line_that_says_how_to_get_it(
    given, status
) -> None:
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "peer_unitary.py"), *given, "--json"],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (status, "")
    [line] = done.stderr.splitlines()
    assert "git clone https://github.com/quantumlib/unitary.git" in line


STAND_IN = """
import enum
class TicTacSquare(enum.Enum):
    EMPTY = 0
    X = 1
    O = 2
class TicTacToe:
    def __init__(self, **options):
        self.options, self.moves = options, []
    def move(self, move, mark):
        self.moves.append((move, mark.name))
        self.last_result = [mark] + 8 * [TicTacSquare.EMPTY]
"""


def test_moves_are_given_to_the_peer_in_its_notation(tmp_path, monkeypatch) -> None:
    home = tmp_path / "unitary" / "examples" / "tictactoe"
    home.mkdir(parents=True)
    for name in ("enums", "tic_tac_toe"):
        (home / f"{name}.py").write_text(STAND_IN, encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    peer = peer_unitary.find_peer(tmp_path)
    assert peer is not None
    game = peer.play(play("tiqtaqtoe", "1,9", "5", "2,5").history, run_on_hardware=True)
    assert game.options == {"run_on_hardware": True}
    assert game.moves == [("ai", "X"), ("e", "O"), ("be", "X")]


def test_the_peers_board_is_read_as_ours() -> None:
    peer = peer_unitary.Peer(None, {"E": 0, "X": 1, "O": 2}, "")
    assert peer.observed(SimpleNamespace(last_result=[0, 1, 2, 0, 0, 0, 2, 1, 1])) == "EXOEEEOXX"


def test_the_table_is_made_of_the_json_that_was_kept(tmp_path) -> None:
    row = {"what": "sleeping", "median": 0.0025, "medians": [0.002, 0.003], "spread": 0.5,
           "min": 0.001, "max": 0.004, "ratio": 12345.6}  # fmt: skip
    where = {"python": "3.99", "qiskit": "9.9", "qiskit-aer": "8.8", "cores": 7}
    kept = {"benchmark": "starting", "settings": {}, "environment": where, "rows": [row]}
    (tmp_path / "startup.json").write_text(json.dumps(kept), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "table.py"), "--from", str(tmp_path)],
        capture_output=True,
        check=True,
        encoding="utf-8",
        timeout=60,
    )
    assert "Python 3.99, Qiskit 9.9, Aer 8.8, 7 cores" in done.stdout
    assert "| `sleeping` | 2 ms, 3 ms | 50% | 1 ms | 12,346 |" in done.stdout.splitlines()


def test_every_script_of_the_table_is_there() -> None:
    for source in SOURCES:
        assert (BENCHMARKS / f"{source.name}.py").is_file()


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        (2.5e-6, "s", "2.5 µs"),
        (0.0123, "s", "12.3 ms"),
        (1.5, "s", "1.5 s"),
        (4321.0, "s", "4321 s"),
        (3 * 2**20, "B", "3.0 MiB"),
    ],
)
def test_values_are_shown_in_a_unit_that_suits_them(number: float, unit: str, text: str) -> None:
    assert value(number, unit) == text
