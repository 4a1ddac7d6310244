"""Boards drawn as SVG: well-formed, titled, and showing what the position holds."""

from fractions import Fraction
from xml.etree import ElementTree

import pytest

from qttt_circuits import Game
from qttt_circuits.errors import UnknownNameError

SVG = "{http://www.w3.org/2000/svg}"
SPLIT = "c7 a1-b2 split:b6,b8,d6"
POSITIONS = [
    ("tiqtaqtoe", "1 1,2 O:3,4", {}),
    ("shiftflip", "-1 -1,-2", {}),
    ("goff", "5,8 5,9 5,6 6,8", {}),
    ("leaw-cheong", "1:r1/2,5:r1/2 9", {}),
    ("cat-and-hounds", "c7 a1-b2", {"level": 1}),
    ("cat-and-hounds", SPLIT, {"level": 4}),
]


def play(rules, moves, options):
    game = Game(rules, **options)
    for move in moves.split():
        game.push(move)
    return game


def parsed(game):
    return ElementTree.fromstring(game.draw("svg"))


def texts(picture):
    return [element.text for element in picture.iter(f"{SVG}text")]


def circles(picture):
    return list(picture.iter(f"{SVG}circle"))


@pytest.mark.parametrize(("rules", "moves", "options"), POSITIONS, ids=str)
def test_every_board_is_a_document_with_a_title_and_a_size(rules, moves, options):
    game = play(rules, moves, options)
    picture = parsed(game)
    assert picture.tag == f"{SVG}svg"
    assert picture.find(f"{SVG}title").text == f"{rules}: {game.rules.status(game.table)}"
    assert float(picture.get("width")) > 0
    assert not list(picture.iter(f"{SVG}script"))
    assert game._repr_svg_() == game.draw("svg")


@pytest.mark.parametrize(("rules", "moves", "options"), POSITIONS[:4], ids=str)
def test_a_grid_shows_what_every_square_holds(rules, moves, options):
    game = play(rules, moves, options)
    shown = " ".join(texts(parsed(game)))
    for name, held in game.rules.cells(game.table).items():
        assert name in shown.split()
        for word in held.split():
            assert word in shown


def test_what_stands_in_a_name_cannot_break_the_document():
    game = Game("leaw-cheong")
    game.push("1:0.6,5:0.8")
    assert "&" not in "".join(texts(parsed(game)))


def test_a_classical_board_has_a_large_cat_and_large_hounds():
    found = circles(parsed(play("cat-and-hounds", "c7", {"level": 1})))
    assert len(found) == 1 + 4
    assert len({circle.get("r") for circle in found}) == 1


def test_cats_have_areas_as_their_probabilities_and_phases_that_can_be_read():
    picture = parsed(play("cat-and-hounds", f"{SPLIT} b2-a3 c7,c7,e5~", {"level": 4}))
    cats = [c for c in circles(picture) if c.get("fill") != "#ffffff"]
    areas = sorted(float(c.get("r")) ** 2 for c in cats)
    assert areas[1] / areas[0] == pytest.approx(Fraction(4, 1), rel=1e-4)
    assert sorted(c.get("fill-opacity") for c in cats) == ["0.25", "1"]
    assert {"+", "−"} <= set(texts(picture))
    assert any(text.startswith("left: probability 4/5, phase +, solid") for text in texts(picture))
    assert any(text.startswith("right: probability 1/5, phase −, pale") for text in texts(picture))


def test_a_hound_in_superposition_is_drawn_once_for_each_branch():
    moves = f"{SPLIT} b2-c3 c5,a7,e5 c1-d2 b4,b6,f6 c3-b4"
    found = circles(parsed(play("cat-and-hounds", moves, {"level": 5})))
    hounds = [c for c in found if c.get("fill") == "#ffffff"]
    assert len(hounds) == 3 + 3  # three in every branch, and one that is drawn three times
    assert len({c.get("r") for c in hounds}) == 2


def test_branches_stand_left_centre_and_right_in_their_square():
    picture = parsed(play("cat-and-hounds", SPLIT, {"level": 4, "size": 8}))
    cats = [c for c in circles(picture) if c.get("fill") != "#ffffff"]
    left, centre, right = (float(c.get("cx")) for c in cats)
    side = 60
    assert centre - left == pytest.approx(0.28 * side)  # b8 above b6
    assert right - centre == pytest.approx(2 * side + 0.28 * side)  # d6


def test_an_unknown_form_is_refused():
    with pytest.raises(UnknownNameError, match="svg"):
        Game("goff").draw("sgv")
