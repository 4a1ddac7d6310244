"""Playing and asking for help start fast: they load neither Qiskit nor sympy nor numpy."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import qttt_circuits
from qttt_circuits.cli.main import COMMANDS

ROOT = Path(qttt_circuits.__file__).parent.parent
HEAVY = ("qiskit", "qiskit_aer", "sympy", "numpy", "scipy", "matplotlib")

PLAY = """
from random import Random
from qttt_circuits import Game
rng = Random(1)
ended = 0
for rules in "tiqtaqtoe", "cancelling", "shiftflip":
    game = Game(rules)
    for _ in range(200):
        if game.outcome():
            ended += 1
            break
        if game.observation_due:
            game.observe(seed=rng)
        else:
            game.push(rng.choice(list(game.legal_moves)))
        game.probabilities()
        game.amplitudes()
        game.rules.exact_state(game.table).distribution(game.observed)
        str(game)
    assert Game.from_record(game.record()) == game
assert ended == 3, ended
"""

COMMAND = """
import sys
from qttt_circuits.cli import main
for line in {lines}:
    sys.argv = ["qttt", *line.split()]
    try:
        main()
    except SystemExit as end:
        assert not end.code, line
"""
PROBABILITIES = COMMAND.format(lines=["probabilities cancelling 1,2 -2,3 --json"])
HELP = COMMAND.format(lines=["--help"])
HELPS = COMMAND.format(lines=[f"{name} --help" for name in COMMANDS])

STUDY = f"""
{COMMAND.format(lines=["study tiqtaqtoe --x search --games 2 --seed 1 --json"])}
assert "distributed" not in sys.modules
"""


def loaded(code):
    """Runs code in a process of its own and returns the modules that it loaded."""
    report = "import json, sys\nprint()\nprint(json.dumps(sorted(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    return set(json.loads(run.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "code",
    [
        "import qttt_circuits",
        "from qttt_circuits import Game, Surd, Board",
        PLAY,
        PROBABILITIES,
        STUDY,
        HELP,
        HELPS,
    ],
    ids=["package", "names", "playing", "probabilities", "study", "help", "help of every command"],
)
def test_nothing_heavy_is_loaded(code):
    modules = loaded(code)
    assert "qttt_circuits" in modules
    assert not modules & set(HEAVY)
    assert "rich" not in modules or code == STUDY  # which shows how far it is


def test_the_package_alone_loads_none_of_its_modules():
    modules = loaded("import qttt_circuits\nqttt_circuits.__version__\ndir(qttt_circuits)")
    assert [name for name in modules if name.startswith("qttt_circuits.")] == []


def test_every_public_name_can_be_imported():
    for name in qttt_circuits.__all__:
        assert getattr(qttt_circuits, name) is not None
        assert name in dir(qttt_circuits)
    with pytest.raises(AttributeError, match="no attribute 'nosuch'"):
        _ = qttt_circuits.nosuch
