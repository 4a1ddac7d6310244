"""What the tests of runs share: positions, a store of their own, and programs to be killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable

from qttt_circuits import Game
from qttt_circuits.jobs import Job, Store

SHOTS = 200
SEED = 5
PATIENCE = 120
POSITION = ("cancelling", "1,2", "-2,3")
DUE = ("tiqtaqtoe", "5", "5,9", "2,6", "1,3", "1,4", "2,8", "3,7")
"""A position in which nothing but an observation is legal."""

DIES_AT_A_WRITE = """
import os, signal, sys
number, moment, directory = int(sys.argv[1]), sys.argv[2], os.environ["QTTT_DATA_DIR"]
replace, seen = os.replace, 0

def die(source, target, **more):
    global seen
    counts = os.path.dirname(os.fspath(target)) == directory
    seen += counts
    if counts and seen == number and moment == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    replace(source, target, **more)
    if counts and seen == number and moment == "after":
        os.kill(os.getpid(), signal.SIGKILL)

os.replace = die
sys.argv = ["qttt", *sys.argv[3:]]
from qttt_circuits.cli import main
main()
"""
"""``qttt`` that kills itself right before or after a file of the store is put in its place."""


def played(rules: str = POSITION[0], *moves: str) -> Game:
    """Returns a game after some moves; without arguments one in superposition."""
    game = Game(rules)
    for move in moves or POSITION[1:]:
        game.push(move)
    return game


def fresh_store(tmp_path, monkeypatch) -> Store:
    """Makes a store of the test's own, which programs that it starts use too; for a fixture."""
    monkeypatch.setenv("QTTT_DATA_DIR", str(tmp_path / "runs"))
    return Store()


def files(store: Store) -> dict[str, bytes]:
    """Returns what is in a store, byte for byte, hidden files included."""
    if not store.directory.is_dir():
        return {}
    return {path.name: path.read_bytes() for path in sorted(store.directory.iterdir())}


def the_run(store: Store) -> Job:
    """Returns the only run of a store."""
    [record], problems = store.all()
    assert problems == []
    return Job(record, store)


def full_disk(*_: object, **__: object) -> None:
    """Fails as a write does when the disk is full."""
    raise OSError(28, os.strerror(28))


def program(*arguments: str) -> subprocess.Popen[str]:
    """Starts ``qttt`` as a process of its own, in the environment of this one."""
    return subprocess.Popen(
        [sys.executable, "-m", "qttt_circuits", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def killed(process: subprocess.Popen[str], reached: Callable[[], object]) -> None:
    """Kills a process, without warning, once a point is reached."""
    try:
        reached()
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGKILL


def dies_at_write(number: int, moment: str, *arguments: str) -> bool:
    """Runs ``qttt`` until it writes the n-th file of the store; tells whether it came so far.

    Args:
        number: Which write, from 1.
        moment: ``before`` or ``after`` the file is in its place.
        *arguments: The arguments of ``qttt``.
    """
    command = [sys.executable, "-c", DIES_AT_A_WRITE, str(number), moment, *arguments]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0
