"""Boards drawn as they were when somebody last looked at them: `golden/svg` has the pictures.

After a change that is meant, write them anew and look at every one of them that differs:

    QTTT_WRITE_GOLDEN=1 python -m pytest tests/test_drawing_golden.py
"""

import os
from pathlib import Path

import pytest
from pictures import POSITIONS, played

GOLDEN = Path(__file__).parent / "golden" / "svg"
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


def test_no_picture_is_left_of_a_position_that_is_not_drawn():
    assert {path.stem for path in GOLDEN.iterdir()} == {*POSITIONS, *STRIPS}
