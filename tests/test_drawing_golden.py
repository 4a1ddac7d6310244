"""Boards drawn as they were when somebody last looked at them: `golden/svg` has the pictures.

After a change that is meant, write them anew and look at every one of them that differs:

    QTTT_WRITE_GOLDEN=1 python -m pytest tests/test_drawing_golden.py
"""

import os
from pathlib import Path

import pytest
from pictures import POSITIONS, played

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden" / "svg"
WRITE = "QTTT_WRITE_GOLDEN"
STRIPS = {f"filmstrip-{name}": POSITIONS[name] for name in ("cancelling-half", "goff-collapsed")}


def check(name, drawn):
    path = GOLDEN / f"{name}.svg"
    if os.environ.get(WRITE):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(drawn.encode())
    assert drawn == path.read_bytes().decode(), f"{path} differs; see the top of {__file__}"


@pytest.mark.parametrize("name", POSITIONS)
def test_a_board_is_drawn_as_before(name):
    check(name, played(*POSITIONS[name]).draw("svg"))


@pytest.mark.parametrize("name", STRIPS)
def test_a_filmstrip_is_drawn_as_before(name):
    check(name, played(*STRIPS[name]).filmstrip(per_row=3))


@pytest.mark.parametrize("name", ["half-cancelling", "goff-cycle"])
def test_the_pictures_of_the_readme_are_those_of_its_positions(name):
    moves = {"half-cancelling": "cancelling-half"}.get(name, name)
    path = ROOT / "examples" / "pictures" / f"{name}.svg"
    if os.environ.get(WRITE):
        path.write_bytes(played(*POSITIONS[moves]).draw("svg").encode())
    assert played(*POSITIONS[moves]).draw("svg") == path.read_bytes().decode()
    assert f"(examples/pictures/{name}.svg)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_no_picture_is_left_of_a_position_that_is_not_drawn():
    assert {path.stem for path in GOLDEN.iterdir()} == {*POSITIONS, *STRIPS}
