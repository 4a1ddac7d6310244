"""Studies that are killed, interrupted, or lose a worker: nothing is lost, or counted twice."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time

import pytest

from qttt_circuits.study import Study, read_study, run_study

PATIENCE = 120
GAMES = 600
MANY = ("tiqtaqtoe", "--games", str(GAMES), "--seed", "3")
STUDY = Study("tiqtaqtoe", games=GAMES, seed=3)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.jsonl"


def program(*arguments, **more) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "qttt_circuits", "study", *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more,
    )  # fmt: skip


def until(reached) -> None:
    """Waits until something has happened."""
    end = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.005)


def count(path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for_lines(path, number: int) -> None:
    until(lambda: count(path) > number)


def children(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("workers", ["1", "2"])
def test_killed_again_and_again_a_study_ends_as_if_it_never_was(path, workers) -> None:
    orphans = []
    for goal in (1, 20, 120):
        running = program(*MANY, "--workers", workers, "-o", str(path))
        wait_for_lines(path, goal)
        orphans += children(running.pid)
        running.kill()
        running.communicate(timeout=PATIENCE)
        assert running.returncode == -signal.SIGKILL
        assert goal <= read_study(path).played < GAMES
    until(lambda: not any(alive(child) for child in orphans))
    whole = path.with_suffix(".whole")
    assert run_study(STUDY, output=path) == run_study(STUDY, output=whole)
    assert sorted(path.read_bytes().splitlines()) == sorted(whole.read_bytes().splitlines())


def test_a_worker_that_is_killed_is_replaced(path) -> None:
    running = program(*MANY, "--workers", "2", "-o", str(path), "--json")
    wait_for_lines(path, 10)
    for child in children(running.pid):
        with open(f"/proc/{child}/cmdline") as file:
            command = file.read()
        if "spawn_main" in command:
            os.kill(child, signal.SIGKILL)
            break
    out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == (0, "")
    assert json.loads(out) == run_study(STUDY).to_json()
    assert count(path) == GAMES + 1


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_stops_it_and_says_how_it_goes_on(path, workers) -> None:
    # as a terminal does, to the whole group of processes
    running = program(*MANY, "--workers", workers, "-o", str(path), start_new_session=True)
    wait_for_lines(path, 3)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, out) == (130, "")
    played = read_study(path).played
    kept = f"{played} of {GAMES} games are kept in {path}"
    assert err == f"qttt: stopped: {kept}; qttt study -o {path} goes on\n"
    assert 3 <= played < GAMES
    done = program("-o", str(path), "--json")
    out, err = done.communicate(timeout=PATIENCE)
    assert (done.returncode, err) == (0, "")
    assert json.loads(out) == run_study(STUDY).to_json()


def test_a_limit_on_the_size_of_files_is_one_line(path) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))

    running = program(*MANY, "-o", str(path), preexec_fn=limited)
    out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, out) == (2, "")
    assert err == f"qttt: {path} could not be written (File too large)\n"
    assert path.read_bytes().endswith(b"}\n")
    assert read_study(path).played > 5
