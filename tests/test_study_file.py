"""The file of a study: resumed after anything, repaired where that is safe, refused where not."""

from __future__ import annotations

import json
import os
import signal
import time
from hashlib import sha256

import pytest

from qttt_circuits.errors import OptionError, RecordError, StoreError
from qttt_circuits.games import rules
from qttt_circuits.study import Study, keeping, read_games, read_settings, read_study, run_study
from qttt_circuits.study.keeping import StudyFile
from qttt_circuits.study.playing import play_game

STUDY = Study("tiqtaqtoe", games=12, seed=7)
PATIENCE = 120


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> bytes:
    """The file of a study, as it is at the end."""
    path = tmp_path_factory.mktemp("study") / "file"
    run_study(STUDY, output=path)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.jsonl"


def lines(content: bytes) -> list[bytes]:
    return content.splitlines(keepends=True)


def check_whole(path, whole):
    assert sorted(lines(path.read_bytes())) == sorted(lines(whole))


# --- what is in it


def test_it_says_what_the_study_is_and_then_each_game(whole) -> None:
    first, *games = map(json.loads, lines(whole))
    assert first.pop("checksum")
    assert first == {
        "format": "qttt-circuits study", "version": 1, "program": "0.1.0", "rules": "tiqtaqtoe",
        "options": {"first": "X", "scoring": "lines", "size": "3", "line": "3"},
        "players": ["random", "random"],
        "games": 12, "seed": 7, "max_plies": 200, "depth": 2, "nodes": 5000, "swap": False,
    }  # fmt: skip
    assert [game["game"] for game in games] == list(range(12))
    for game in games:
        assert set(game) == {"game", "moves", "winner", "scores", "reason", "checksum"}
        assert set(game["scores"]) == {"X", "O"}


def test_checksums_are_of_the_first_line_and_the_game(whole) -> None:
    first, *games = map(json.loads, lines(whole))
    seal = first.pop("checksum")
    assert seal == sha256(json.dumps([first], sort_keys=True).encode()).hexdigest()[:16]
    for game in games:
        own = game.pop("checksum")
        text = json.dumps([seal, game], sort_keys=True)
        assert own == sha256(text.encode()).hexdigest()[:16]


# --- resuming


@pytest.mark.parametrize("kept", range(0, 13, 3))
def test_only_games_that_are_missing_are_played(path, whole, kept) -> None:
    path.write_bytes(b"".join(lines(whole)[: 1 + kept]))
    told = []
    found = run_study(STUDY, output=path, progress=told.append)
    assert told[0].played == kept
    assert found == run_study(STUDY)
    assert path.read_bytes() == whole


def test_games_in_any_order_are_taken(path, whole) -> None:
    first, *games = lines(whole)
    path.write_bytes(first + b"".join(games[7:2:-1]))
    run_study(STUDY, output=path)
    check_whole(path, whole)
    assert [game.number for game in read_games(path)] == list(range(12))


def test_a_finished_study_only_reports(path, whole) -> None:
    path.write_bytes(whole)
    path.chmod(0o444)
    before = path.stat().st_mtime_ns
    assert run_study(STUDY, output=path).complete
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (whole, before)


@pytest.mark.parametrize("cut", [1, 2, 9, 10, 30, 100])
def test_a_last_line_without_an_end_is_dropped(path, whole, cut) -> None:
    path.write_bytes(whole[:-cut])
    assert read_study(path).played == 11
    assert path.read_bytes() == whole[:-cut]  # reading mends nothing
    run_study(STUDY, output=path)
    assert path.read_bytes() == whole


def test_cut_anywhere_it_goes_on(path, whole) -> None:
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        run_study(STUDY, output=path)
        assert path.read_bytes() == whole


def test_a_game_that_is_there_twice_counts_once(path, whole) -> None:
    path.write_bytes(whole + lines(whole)[5])
    found = run_study(STUDY, output=path)
    assert (found.played, found) == (12, run_study(STUDY))
    assert len(read_games(path)) == 12


# --- what is refused, and left as it is


def refused(path, content, reason, study=STUDY, error=RecordError) -> None:
    path.write_bytes(content)
    with pytest.raises(error, match=reason):
        run_study(study, output=path)
    assert path.read_bytes() == content


def sealed(first: bytes, **changed) -> bytes:
    """Returns a first line with something changed and a checksum that fits."""
    data = {**json.loads(first), **changed}
    del data["checksum"]
    text = json.dumps([data], sort_keys=True)
    return json.dumps({**data, "checksum": sha256(text.encode()).hexdigest()[:16]}).encode() + b"\n"


def resealed(whole: bytes, number: int, **changed) -> bytes:
    """Returns a file with something changed in a game, with checksums that fit."""
    first, *games = lines(whole)
    data = {**json.loads(games[number]), **changed}
    del data["checksum"]
    text = json.dumps([json.loads(first)["checksum"], data], sort_keys=True)
    data["checksum"] = sha256(text.encode()).hexdigest()[:16]
    games[number] = json.dumps(data).encode() + b"\n"
    return first + b"".join(games)


def test_any_changed_byte_is_found_with_its_line(path, whole) -> None:
    for at in range(0, len(whole) - 1, 31):
        if whole[at : at + 1] == b"\n":
            continue
        changed = whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
        line = whole[:at].count(b"\n") + 1
        refused(path, changed, rf"study\.jsonl, line {line}: ")


def test_a_lost_end_of_line_a_lost_piece_and_what_was_put_between_are_found(path, whole) -> None:
    parts = lines(whole)
    refused(path, b"".join([*parts[:3], parts[3][:-1], *parts[4:]]), "line 4: not a JSON document")
    refused(path, b"".join([*parts[:3], parts[3][20:], *parts[4:]]), "line 4: not a JSON document")
    refused(path, b"".join([*parts[:3], b"\n", *parts[3:]]), "line 4: not a JSON document")
    refused(path, b"".join([*parts[:3], b"[]\n", *parts[3:]]), "line 4: not a JSON object")
    refused(path, b"".join([*parts[:3], b"{}\n", *parts[3:]]), "line 4: it was changed")
    refused(path, b"".join([*parts[:3], b"[" * 9999 + b"\n"]), "line 4: not a JSON document")
    refused(path, whole + b"\0\0\0", "line 14: it is not the beginning of a game")
    refused(path, whole + b"my notes", "line 14: it is not the beginning of a game")


def test_lines_longer_than_any_game_are_refused(path, whole, monkeypatch) -> None:
    monkeypatch.setattr("qttt_circuits.study.log.LONGEST_LINE", 2000)
    refused(path, whole + b'{"game": ' + b" " * 2000, "line 14: longer than 2,000 bytes")


@pytest.mark.parametrize(
    "content",
    [
        b"my notes",
        b"my notes\n",
        b"\xff\xfe\n",
        b"\n",
        b"[]\n",
        b"{}\n",
        b'{"format": "qttt-circuits game"}\n',
        b'{"format": "qttt-circuits study", "version": 1}\n',
    ],
)
def test_other_files_are_refused(path, content) -> None:
    refused(path, content, r"study\.jsonl, line 1: ")
    with pytest.raises(RecordError, match="line 1: "):
        read_settings(path)


def test_a_beginning_of_its_own_first_line_is_taken_and_of_another_not(path, whole) -> None:
    refused(path, whole[:100], "no whole line", Study("goff", games=12, seed=7))
    path.write_bytes(whole[:100])
    run_study(STUDY, output=path)
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"version": 2}, "a study of version 2: this program reads 1"),
        ({"version": True}, "version True"),
        ({"games": 0}, "games is an integer"),
        ({"seed": None}, "a seed is an integer"),
        ({"seed": "7"}, "a seed is an integer"),
        ({"rules": "chess"}, "unknown rule set"),
        ({"rules": []}, "unknown rule set"),
        ({"options": {"size": 99}}, "option size of tiqtaqtoe"),
        ({"options": 3}, "missing or damaged"),
        ({"players": ["human", "random"]}, "human does not play"),
        ({"players": [3, "random"]}, "unknown player"),
        ({"players": 3}, "two players"),
        ({"depth": None}, "depth is an integer"),
        ({"swap": 2}, "swap is True or False"),
    ],
)
def test_first_lines_that_make_no_study_are_refused(path, whole, changed, reason) -> None:
    first, *games = lines(whole)
    refused(path, sealed(first, **changed) + b"".join(games), f"line 1: .*{reason}")


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"game": 12}, "12 is no game of the study: they are 0 to 11"),
        ({"game": -1}, "-1 is no game"),
        ({"game": True}, "True is no game"),
        ({"game": 4}, "game 4 was played before, and otherwise"),
        ({"moves": "1"}, "no list of text"),
        ({"moves": [1]}, "no list of text"),
        ({"winner": "Z"}, "the winner"),
        ({"scores": {"X": 1}}, "scores"),
        ({"scores": {"X": 1, "O": "0"}}, "scores"),
        ({"scores": {"X": float("nan"), "O": 0}}, "scores"),
        ({"scores": None, "winner": None}, "unfinished after 200 plies only"),
        ({"reason": 3}, "reason"),
    ],
)
def test_lines_that_are_no_game_of_the_study_are_refused(path, whole, changed, reason) -> None:
    line = 8 if changed == {"game": 4} else 4
    refused(path, resealed(whole, line - 2, **changed), f"line {line}: .*{reason}")


@pytest.mark.parametrize(
    ("other", "differs"),
    [
        (Study("tiqtaqtoe", games=13, seed=7), "with games 12 and not 13:"),
        (Study("tiqtaqtoe", games=12, seed=8), "seed 7 and not 8:"),
        (Study("tiqtaqtoe", games=3, seed=7, swap=True), "games 12 and not 3, swap False and not"),
        (Study("goff", games=5, seed=7), "with rules tiqtaqtoe and not goff:"),
        (
            Study(rules("tiqtaqtoe", size=4), games=5, seed=7),
            "with rules tiqtaqtoe and not tiqtaqtoe .*size=4.*:",
        ),
        (
            Study("tiqtaqtoe", ("search", "random"), games=12, seed=7),
            "players random and random and not search",
        ),
        (Study("tiqtaqtoe", games=12, seed=7, max_plies=9), "max_plies 200 and not 9"),
    ],
)
def test_other_settings_are_refused_by_name(path, whole, other, differs) -> None:
    refused(path, whole, differs, other, OptionError)


def test_another_version_reports_and_does_not_go_on(path, whole) -> None:
    first, *games = lines(whole)
    old = sealed(first, program="0.0.9")
    refused(path, old, r"version 0\.0\.9 of the program was playing", error=OptionError)
    seal = json.loads(old)["checksum"]
    moved = []
    for game in map(json.loads, games):
        del game["checksum"]
        text = json.dumps([seal, game], sort_keys=True)
        moved.append({**game, "checksum": sha256(text.encode()).hexdigest()[:16]})
    path.write_bytes(old + b"".join(json.dumps(game).encode() + b"\n" for game in moved))
    assert run_study(STUDY, output=path).complete
    # games of the one study are none of the other
    refused(path, old + games[0], "line 2: it was changed")


# --- what cannot be written


def test_places_that_take_no_file_are_refused(tmp_path) -> None:
    with pytest.raises(StoreError, match="not a regular file"):
        run_study(STUDY, output=tmp_path)
    with pytest.raises(StoreError, match="not a regular file"):
        run_study(STUDY, output="/dev/full")
    with pytest.raises(StoreError, match=r"could not be written \(No such file or directory\)"):
        run_study(STUDY, output=tmp_path / "none" / "file")
    with pytest.raises(StoreError, match="could not be written"):
        run_study(STUDY, output=tmp_path / ("x" * 300))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="not a regular file"):
        run_study(STUDY, output=tmp_path / "pipe")
    for unreadable in (tmp_path, tmp_path / "none", tmp_path / "pipe"):
        with pytest.raises(RecordError):
            read_study(unreadable)


@pytest.mark.parametrize("room", [0, 100, 700, 1500])
def test_on_a_full_disk_whole_lines_are_kept(path, whole, monkeypatch, room) -> None:
    """The disk takes so many bytes, the last write in part."""
    write, left = os.write, [room]

    def full(descriptor, data):
        if left[0] <= 0:
            raise OSError(28, "No space left on device")
        taken = write(descriptor, bytes(data)[: left[0]])
        left[0] -= taken
        return taken

    monkeypatch.setattr(keeping.os, "write", full)
    with pytest.raises(StoreError, match=r"could not be written \(No space left on device\)"):
        run_study(STUDY, output=path)
    monkeypatch.undo()
    kept = path.read_bytes()
    assert kept in [b"".join(lines(whole)[:n]) for n in range(13)]
    assert len(kept) <= room
    run_study(STUDY, output=path)
    assert path.read_bytes() == whole


def test_two_at_once_are_refused_and_a_forked_worker_holds_no_lock(path, whole) -> None:
    with StudyFile(path, STUDY) as file:
        file.add([play_game(STUDY, 3)])
        with pytest.raises(StoreError, match="another process is writing this study"):
            run_study(STUDY, output=path)
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.write(writing, b"!")
            time.sleep(PATIENCE)
            os._exit(0)
        os.read(reading, 1)  # it has begun, and closed what it holds
    try:
        assert run_study(STUDY, output=path).complete
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
        os.close(writing)
    check_whole(path, whole)


@pytest.mark.parametrize("path", [5, None, b"file", "", "a\0b"])
def test_what_is_no_path_is_refused_in_a_line(path) -> None:
    for read in (read_study, read_games, read_settings):
        with pytest.raises(OptionError, match=r"file is a path|is no name of a file"):
            read(path)
    if path is not None:
        with pytest.raises(OptionError, match=r"file is a path|is no name of a file"):
            run_study(STUDY, output=path)
