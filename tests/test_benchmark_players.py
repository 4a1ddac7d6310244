"""The benchmark of players runs, and its figures belong together."""

from __future__ import annotations

import json

import pytest
from players import games
from test_benchmarks import run


def test_it_knows_every_game() -> None:
    from qttt_circuits.games import all_rules

    assert {name.split()[0] for name in games()} == set(all_rules())
    assert "cat-and-hounds 5" in games()


def test_a_row_for_each_player_and_side() -> None:
    document = json.loads(
        run("players.py", "--games", "3", "--only", "goff", "--nodes", "60", "--json")
    )
    assert document["settings"] == {"games": 3, "depth": 2, "nodes": 60, "seed": 1}
    rows = document["rows"]
    assert [(row["player"], row["side"]) for row in rows] == [
        (kind, side) for kind in ("search", "mcts") for side in "XO"
    ]
    for row in rows:
        assert 0 <= row["low"] <= row["mean"] <= row["high"] <= 1
        assert 0 < row["seconds"] <= row["longest"]


def test_it_is_reproducible_and_has_a_table_for_a_person() -> None:
    arguments = ("--games", "2", "--only", "cat-and-hounds 1", "--player", "search")
    output = run("players.py", *arguments)
    assert "against random, 2 games a row" in output
    assert "hounds" in output


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(AssertionError, match="no game is called chess"):
        run("players.py", "--only", "chess")
