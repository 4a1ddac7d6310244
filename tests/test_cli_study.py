"""``qttt study``: what it prints, how it goes on, and wrong use."""

from __future__ import annotations

import json

import pytest

from qttt_circuits.games import rules
from qttt_circuits.players import Limit
from qttt_circuits.study import Study, read_settings, read_study, run_study

GAME = ("study", "tiqtaqtoe", "--games", "30", "--seed", "7")


def test_it_prints_the_result_of_the_study(qttt) -> None:
    expected = run_study(Study("tiqtaqtoe", games=30, seed=7))
    ran = qttt(*GAME, "--json")
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(ran.out) == expected.to_json()


def test_its_json_has_every_count_and_interval(qttt) -> None:
    found = json.loads(qttt(*GAME, "--swap", "--json").out)
    assert set(found) == {
        "study", "played", "complete", "wins", "draws", "unfinished", "lead", "players", "plies",
    }  # fmt: skip
    assert (found["played"], found["complete"]) == (30, True)
    shares = [*found["wins"].values(), found["draws"], found["unfinished"]]
    assert sum(share["count"] for share in shares) == 30
    for share in shares:
        assert share["share"] == share["count"] / 30
        assert 0 <= share["low"] <= share["share"] <= share["high"] <= 1
    assert found["lead"]["side"] == "X"
    one, two = found["players"]
    assert (one["player"], two["player"]) == ("random 1", "random 2")
    assert one["wins"]["count"] + two["wins"]["count"] + found["draws"]["count"] == 30
    assert one["lead"]["mean"] == -two["lead"]["mean"]
    assert sum(found["plies"]["games"].values()) == 30
    assert found["plies"]["longest"] == max(map(int, found["plies"]["games"]))


def test_people_see_a_table(qttt) -> None:
    ran = qttt(*GAME, "--x", "search", "--depth", "1", "--swap")
    found = run_study(
        Study("tiqtaqtoe", ("search", "random"), games=30, seed=7, limit=Limit(1), swap=True)
    )
    assert (ran.status, ran.err) == (0, "")
    rows = {line[:16].strip(): line[16:].split() for line in ran.out.splitlines()}
    assert ran.out.startswith("tiqtaqtoe: search plays X, random O, and the other way round in")
    for name, share in (
        ("won by X", found.wins("X")),
        ("won by search", found.player_wins(0)),
        ("drawn", found.draws),
        ("unfinished", found.unfinished),
    ):
        low, high = share.interval
        count, value, *interval = rows[name]
        assert (int(count), value) == (share.count, f"{share.value:.3f}")
        assert interval == [f"{low:.3f}", "to", f"{high:.3f}"]
    mean, error = found.player_lead(0).value, found.player_lead(0).standard_error
    assert f"score of search minus that of random: {mean:.3f} ± {error:.3f}\n" in ran.out
    assert f"longest {found.longest}\nseed 7\n" in ran.out


def test_one_game_has_no_standard_error(qttt) -> None:
    ran = qttt("study", "goff", "--games", "1", "--seed", "1")
    assert ran.status == 0
    assert "\n1 game\n" in ran.out
    assert "±" not in ran.out
    found = json.loads(qttt("study", "goff", "--games", "1", "--seed", "1", "--json").out)
    assert found["lead"]["standard_error"] is None


def test_every_setting_is_taken(qttt, tmp_path) -> None:
    path = tmp_path / "file"
    ran = qttt(
        "study", "cat-and-hounds", "--option", "level=5", "--option", "size=6", "--cat", "mcts",
        "--hounds", "search", "--games", "2", "--seed", "4", "--max-plies", "9", "--depth", "3",
        "--nodes", "50", "--swap", "--output", str(path),
    )  # fmt: skip
    assert ran.status == 0
    assert read_settings(path) == Study(
        rules("cat-and-hounds", level=5, size=6),
        ("mcts", "search"),
        games=2,
        seed=4,
        max_plies=9,
        limit=Limit(3, 50),
        swap=True,
    )
    assert "cat-and-hounds level=5 size=6: mcts plays cat, search hounds" in ran.out


def test_defaults_are_those_of_python(qttt, tmp_path) -> None:
    path = tmp_path / "file"
    qttt("study", "tiqtaqtoe", "--games", "1", "-o", str(path))
    there = read_settings(path)
    assert there == Study("tiqtaqtoe", games=1, seed=there.seed)


def test_a_file_goes_on_alone_by_the_same_command_and_with_its_seed(qttt, tmp_path) -> None:
    path = tmp_path / "file"
    first = qttt("study", "tiqtaqtoe", "--games", "30", "-o", str(path), "--json")
    whole = path.read_bytes()
    for arguments in ((), ("tiqtaqtoe", "--games", "30"), ("--x", "random"), ("--workers", "2")):
        path.write_bytes(b"".join(whole.splitlines(keepends=True)[:11]))
        ran = qttt("study", *arguments, "-o", str(path), "--json")
        assert (ran.status, ran.out) == (0, first.out)
        assert sorted(path.read_bytes().splitlines()) == sorted(whole.splitlines())


def refused(ran, part, status=2):
    assert (ran.status, ran.out) == (status, ""), ran
    [line] = ran.err.splitlines()
    assert line.startswith("qttt: ")
    assert part in line


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ((), "name a rule set (see 'qttt rules'), or a study's file with -o FILE"),
        (("tiqtaqto",), "did you mean 'tiqtaqtoe'"),
        (("tiqtaqtoe", "1,2"), "unexpected extra argument"),
        (("tiqtaqtoe", "--option", "level=2"), "unknown option of tiqtaqtoe"),
        (("tiqtaqtoe", "--option", "first"), "write NAME=VALUE"),
        (("tiqtaqtoe", "--x", "serch"), "did you mean 'search'"),
        (("tiqtaqtoe", "--o", "human"), "human does not play in a study"),
        (("tiqtaqtoe", "--x", "foo"), "known are mcts, perfect, random, search"),
        (("leaw-cheong", "--x", "perfect"), "no solver for leaw-cheong"),
        (("cat-and-hounds", "--option", "level=2", "--hounds", "perfect"), "level 1"),
        (("tiqtaqtoe", "--games", "0"), "games is an integer from 1 on, not 0"),
        (("tiqtaqtoe", "--games", "-5"), "not -5"),
        (("tiqtaqtoe", "--games", "many"), "--games"),
        (("tiqtaqtoe", "--seed", "-1"), "a seed is an integer from 0 on"),
        (("tiqtaqtoe", "--max-plies", "0"), "max_plies is an integer from 1 on"),
        (("tiqtaqtoe", "--depth", "0"), "depth is an integer from 1 on"),
        (("tiqtaqtoe", "--nodes", "-2"), "nodes is an integer from 1 on"),
        (("tiqtaqtoe", "--workers", "0"), "--workers"),
        (("tiqtaqtoe", "--workers", "2", "--dask", "tcp://x:1"), "--dask plays on a cluster's"),
        (("tiqtaqtoe", "--gmes", "3"), "did you mean '--games'"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(qttt, arguments, part) -> None:
    refused(qttt("study", *arguments), part)
    refused(qttt("study", *arguments, "--json"), part)


def test_files_that_cannot_be_used_are_one_line(qttt, tmp_path) -> None:
    missing, path = tmp_path / "none" / "file", tmp_path / "file"
    refused(qttt(*GAME, "-o", str(tmp_path)), "not a regular file")
    refused(qttt("study", "-o", str(tmp_path)), "not a regular file")
    refused(qttt(*GAME, "-o", "/dev/full"), "not a regular file")
    refused(qttt(*GAME, "-o", str(missing)), "No such file or directory")
    refused(qttt("study", "-o", str(missing)), f"{missing} is not there, so name a rule set")
    path.touch()
    refused(qttt("study", "-o", str(path)), f"{path} is empty, so name a rule set")
    path.write_text("my notes\n")
    for command in (GAME, ("study",), ("study", "tiqtaqtoe")):
        refused(qttt(*command, "-o", str(path)), f"{path}, line 1: not a JSON document")
        assert path.read_text() == "my notes\n"
    path.unlink()
    qttt(*GAME, "-o", str(path))
    there = f"{path} holds another study, with"
    for command, part in (
        (("-o", str(path), "--games", "31"), "--games 30 and not --games 31: "),
        (("-o", str(path), "--x", "mcts"), "--x random and not --x mcts: "),
        (("-o", str(path), "--swap", "--seed", "7"), "no --swap and not --swap: "),
        (("-o", str(path), "--swap", "--nodes", "9"), "--nodes 5000 and not --nodes 9, no --swap"),
        (("tiqtaqtoe", "-o", str(path)), "--games 30 and not the usual --games 1000: "),
        (("tiqtaqtoe", "-o", str(path), "--seed", "8"), "--seed 7 and not --seed 8: "),
        (("goff", "-o", str(path), "--games", "5"), "tiqtaqtoe and not goff: "),
        (
            ("tiqtaqtoe", "--option", "size=4", "-o", str(path)),
            "tiqtaqtoe and not tiqtaqtoe --option size=4: ",
        ),
    ):
        refused(qttt("study", *command), f"{there} {part}")
    refused(qttt("study", "-o", str(path), "--option", "first=O"), "--option belongs to a rule set")
    assert read_study(path).complete


def test_a_cluster_that_is_not_there_is_one_line(qttt, monkeypatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("qttt_circuits.study.cluster.PATIENCE", 1)
    for address in ("tcp://127.0.0.1:1", "x://y:1", "tcp://127.0.0.1:port"):
        refused(qttt(*GAME, "--dask", address, "--json"), "no Dask scheduler answers at", 3)


def test_without_dask_it_says_what_to_install(qttt, monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    refused(qttt(*GAME, "--dask", "tcp://127.0.0.1:1"), "pip install 'qttt-circuits[dask]'")
