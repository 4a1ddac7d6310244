"""Boards drawn as SVG: well-formed, titled, and showing what the position holds."""

from dataclasses import replace
from itertools import combinations, pairwise, product
from math import cos, dist, pi, radians, sin
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from pictures import POSITIONS, SPLIT, played, sticking_out, without_colours
from strategies import games

from qttt_circuits import Game
from qttt_circuits.drawing import dice as dice_painter
from qttt_circuits.drawing.board import board_picture, paint
from qttt_circuits.drawing.dice import moves_of
from qttt_circuits.drawing.filmstrip import filmstrip_picture
from qttt_circuits.drawing.picture import Circle, Line, Picture, Polygon, Text
from qttt_circuits.drawing.routes import routes
from qttt_circuits.drawing.squares import SIDE, corner
from qttt_circuits.drawing.svg import svg
from qttt_circuits.errors import OptionError, UnknownNameError
from qttt_circuits.games.dice import Die
from qttt_circuits.games.goff import Goff
from qttt_circuits.games.leaw_cheong import LeawCheong, Table

SVG = "{http://www.w3.org/2000/svg}"


def parsed(game):
    return ElementTree.fromstring(game.draw("svg"))


def texts(picture):
    return [element.text for element in picture.iter(f"{SVG}text")]


def circles(picture):
    return list(picture.iter(f"{SVG}circle"))


def shapes(game, kind):
    return [shape for shape in board_picture(game).shapes if isinstance(shape, kind)]


def board_alone(rules, moves, options):
    """Returns the shapes of a board without colours, heading and notes."""
    game = played(rules, moves, options)
    return without_colours(paint(game.rules, game.table))


@pytest.fixture(params=POSITIONS)
def game(request):
    return played(*POSITIONS[request.param])


# --- every game


def test_every_board_is_a_document_with_a_title_and_a_size(game):
    picture = parsed(game)
    assert picture.tag == f"{SVG}svg"
    assert (
        picture.find(f"{SVG}title").text == f"{game.rules.title}: {game.rules.status(game.table)}"
    )
    assert float(picture.get("width")) > 0
    assert not list(picture.iter(f"{SVG}script"))
    assert game._repr_svg_() == game.draw("svg")


def test_nothing_is_cut_off(game):
    assert not sticking_out(board_picture(game))
    assert not sticking_out(filmstrip_picture(game))


def test_what_is_next_stands_above_the_board(game):
    shown = " ".join(texts(parsed(game)))
    assert f"{game.rules.title}: {game.rules.status(game.table)}" in shown


def test_text_cannot_break_the_document():
    picture = Picture(10, 10, "a < b & c")
    picture.add(Text(1, 1, '</text> & "d"'))
    found = ElementTree.fromstring(svg(picture))
    assert found.find(f"{SVG}title").text == "a < b & c"
    assert texts(found) == ['</text> & "d"']


def test_a_game_without_a_painter_has_the_text_of_its_squares(monkeypatch):
    monkeypatch.setattr(Goff, "painter", "")
    game = played("goff", "5,8 5,9 5,6 6,8")
    shown = " ".join(texts(parsed(game)))
    for name, held in game.rules.cells(game.table).items():
        assert name in shown.split()
        assert all(word in shown for word in held.split())
    assert not sticking_out(board_picture(game))


def test_an_unknown_form_is_refused():
    with pytest.raises(UnknownNameError, match="svg"):
        Game("goff").draw("sgv")


# --- dice


def dice_drawn(game):
    """Returns owner, sign and value of each triangle, by square, in order."""
    found = [[] for _ in range(9)]
    everything = board_picture(game).shapes
    left, top = 12, next(line.start[1] for line in everything if isinstance(line, Line))
    for triangle, *labels in zip(everything, everything[1:], everything[2:], strict=False):
        if not isinstance(triangle, Polygon):
            continue
        (_, foot), _, (x, tip) = triangle.points
        square = int((tip - top) // SIDE * 3 + (x - left) // SIDE)
        sign = 1 if tip < foot else -1
        found[square].append((labels[0].text, sign, int(labels[1].text)))
    return found


@given(games())
def test_every_die_is_a_triangle_with_owner_and_value_in_its_square(game):
    held = [[(die.owner, die.sign, die.value) for die in dice] for dice in game.table.dice]
    assert dice_drawn(game) == held


@given(games())
def test_observed_marks_are_large(game):
    large = [shape.text for shape in shapes(game, Text) if shape.size > 50]
    assert large == [mark for mark in game.observed if mark != "E"]


@given(games())
def test_the_dice_of_a_move_have_one_letter(game):
    letters = moves_of(game.table)
    assert [len(found) for found in letters] == [len(dice) for dice in game.table.dice]
    of = {}
    for found, dice in zip(letters, game.table.dice, strict=True):
        for letter, die in zip(found, dice, strict=True):
            of.setdefault(letter, []).append(die)
    for dice in of.values():
        # a move's dice are of one owner, and are worth 4 together
        assert len({die.owner for die in dice}) == 1
        assert sum(die.value for die in dice) == 4


def test_numbers_of_cancelling_dice_are_painted_as_in_document_000():
    numbers = {s.colour for s in shapes(played(*POSITIONS["cancelling-both-colours"]), Text)}
    assert {dice_painter.PAINTED["X"], dice_painter.PAINTED["O"]} <= numbers
    numbers = {s.colour for s in shapes(played(*POSITIONS["shiftflip"]), Text)}
    assert not {dice_painter.PAINTED["X"], dice_painter.PAINTED["O"]} & numbers


def test_dice_that_point_down_say_what_they_stand_for():
    shown = texts(parsed(played("cancelling", "1,2 -2,3")))
    assert "b: −X" in shown
    assert "O pointing down with a green number: stands for −X" in shown


def test_dice_and_marks_differ_without_colours():
    game = played("shiftflip", "1")
    pictures = []
    for owner, sign, value in product("XO", (1, -1), (4, 2, 1)):
        one = ((Die(owner, sign, value),), *game.table.dice[1:])
        pictures.append(dice_painter.paint(game.rules, replace(game.table, dice=one)))
    for mark in "XO":
        observed = replace(game.table, marks=mark + "E" * 8, dice=((),) * 9)
        pictures.append(dice_painter.paint(game.rules, observed))
    seen = [without_colours(picture) for picture in pictures]
    assert all(a != b for a, b in combinations(seen, 2))


# --- Goff's game


def test_a_move_is_a_line_between_its_two_marks():
    game = played("goff", "5,8 5,9 5,6")
    rings = shapes(game, Circle)
    moves = [line for line in shapes(game, Line) if line.colour != "#666666"]
    assert len(rings) == 6
    for line, start, end in zip(moves, rings[::2], rings[1::2], strict=True):
        assert (line.start, line.end) == ((start.x, start.y), (end.x, end.y))
    assert [bool(line.dashes) for line in moves] == [False, True, False]


def test_the_cycle_is_thick_and_has_double_rings_while_a_choice_is_due():
    game = played("goff", "5,8 5,9 5,6 6,8")
    moves = [line for line in shapes(game, Line) if line.colour != "#666666"]
    assert [line.width > 3 for line in moves] == [True, False, True, True]
    assert len(shapes(game, Circle)) == 8 + 6
    assert "the cycle, thick and with double rings: X1, X3, O4" in texts(parsed(game))
    game.push("5=X3")
    assert not shapes(game, Circle)
    assert [t.text for t in shapes(game, Text) if t.size > 50] == ["X", "O", "X", "O"]


def test_spooky_and_classical_marks_differ_without_colours():
    positions = [("1,2", "X"), ("1,2", "O"), ("1", "X"), ("1", "O")]
    seen = [board_alone("goff", moves, {"first": first}) for moves, first in positions]
    seen.append(board_alone("goff", "1,2 1,2", {"first": "X"}))
    assert all(a != b for a, b in combinations(seen, 2))


@pytest.mark.parametrize("seed", range(12))
def test_marks_keep_to_places_of_their_own_in_their_squares(seed):
    rng = Random(seed)
    pairs = list(combinations(range(1, 10), 2))
    moves = [rng.choice(pairs) for _ in range(9)]
    found = routes(moves, [])
    ends = [end for start, stop, _ in found for end in (start, stop)]
    assert all(dist(a, b) >= 34 for a, b in combinations(ends, 2))
    for (a, b), (start, stop, _) in zip(moves, found, strict=True):
        for square, (x, y) in (a, start), (b, stop):
            left, top = corner(square - 1)
            assert 16 <= x - left <= SIDE - 16
            assert 16 <= y - top <= SIDE - 16
    assert all(routes(moves[:n], []) == found[:n] for n in range(9))


# --- Leaw and Cheong's game


def discs(game):
    """Returns the discs of each square that has some, that of X first, and the labels below."""
    found = {}
    everything = board_picture(game).shapes
    for shape, label in pairwise(everything):
        if isinstance(shape, Circle):
            found.setdefault(label.y, []).append((shape, label))
    return found


def test_the_area_of_a_disc_is_the_occupation_and_its_number_stands_below():
    game = played(*POSITIONS["leaw-cheong-large"])
    drawn = [pair for row in discs(game).values() for pair in row]
    held = [
        (mark, game.table.occupations(mark)[square])
        for square in range(9)
        for mark in "XO"
        if game.table.occupations(mark)[square] >= 0.005
    ]
    assert [label.text for _, label in drawn] == [f"{mark} {value:.2f}" for mark, value in held]
    one = pi * 18**2
    for (disc, _), (_, value) in zip(drawn, held, strict=True):
        assert pi * disc.radius**2 == pytest.approx(value * one)


@pytest.mark.parametrize("seed", range(6))
def test_discs_never_touch_however_large(seed):
    game, rng = Game("leaw-cheong"), Random(seed)
    while game.outcome() is None and len(game.history) < 9:
        game.push(game.random_move(rng))
        drawn = [disc for row in discs(game).values() for disc, _ in row]
        for a, b in combinations(drawn, 2):
            assert dist((a.x, a.y), (b.x, b.y)) > a.radius + b.radius
        assert not sticking_out(board_picture(game))


@pytest.mark.parametrize("degrees", range(0, 91, 15))
def test_the_largest_discs_that_there_can_be_fit(monkeypatch, degrees):
    # k orthogonal moves occupy a square by at most k times the part of it that is in their span
    shares = {"X": 5 * cos(radians(degrees)) ** 2, "O": 4 * sin(radians(degrees)) ** 2}
    monkeypatch.setattr(Table, "occupations", lambda table, mark: (shares[mark],) * 9)
    drawn = [s for s in paint(LeawCheong(), LeawCheong().start()).shapes if isinstance(s, Circle)]
    assert len(drawn) == 9 * sum(share >= 0.005 for share in shares.values())
    for disc in drawn:
        reach = disc.radius + disc.width / 2
        assert min(disc.x % SIDE, SIDE - disc.x % SIDE) > reach
    for a, b in combinations(drawn, 2):
        assert dist((a.x, a.y), (b.x, b.y)) > a.radius + b.radius


def test_players_differ_without_colours():
    one, other = (board_alone("leaw-cheong", "5", {"first": first}) for first in "XO")
    assert one != other


# --- cat and hounds


def test_a_classical_board_has_a_large_cat_and_large_hounds():
    found = circles(parsed(played("cat-and-hounds", "c7", {"level": 1})))
    assert len(found) == 1 + 4
    assert len({circle.get("r") for circle in found}) == 1


def test_cats_have_areas_as_their_probabilities_and_phases_that_can_be_read():
    picture = parsed(played("cat-and-hounds", f"{SPLIT} b2-a3 c7,c7,e5~", {"level": 4}))
    cats = [c for c in circles(picture) if c.get("fill") != "#ffffff"]
    areas = sorted(float(c.get("r")) ** 2 for c in cats)
    assert areas[1] / areas[0] == pytest.approx(4, rel=1e-4)
    assert sorted(c.get("fill-opacity", "1") for c in cats) == ["0.25", "1"]
    assert {"+", "−"} <= set(texts(picture))
    assert any(text.startswith("left: probability 4/5, phase +, solid") for text in texts(picture))
    assert any(text.startswith("right: probability 1/5, phase −, pale") for text in texts(picture))


def test_phases_cats_and_hounds_differ_without_colours():
    flipped, plain = (
        board_alone("cat-and-hounds", f"{SPLIT} b2-a3 {move}", {"level": 4})
        for move in ("c5,a7,e5~", "c5,a7,e5")
    )
    assert flipped != plain
    labels = {t.text for t in shapes(played("cat-and-hounds", "", {"level": 1}), Text)}
    assert {"C", "H"} <= labels


def test_a_hound_in_superposition_is_drawn_once_for_each_branch():
    found = circles(parsed(played(*POSITIONS["hounds-entangled"])))
    hounds = [c for c in found if c.get("fill") == "#ffffff"]
    assert len(hounds) == 3 + 3  # three in every branch, and one that is drawn three times
    assert len({c.get("r") for c in hounds}) == 2


def test_branches_stand_left_centre_and_right_in_their_square():
    picture = parsed(played("cat-and-hounds", SPLIT, {"level": 4, "size": 8}))
    cats = [c for c in circles(picture) if c.get("fill") != "#ffffff"]
    left, centre, right = (float(c.get("cx")) for c in cats)
    side = 60
    assert centre - left == pytest.approx(0.3 * side)  # b8 above b6
    assert right - centre == pytest.approx(2 * side + 0.3 * side)  # d6


# --- filmstrips


def test_a_filmstrip_has_a_board_and_a_caption_for_each_move():
    game = played("goff", "5,8 5,9 5,6 6,8 5=X3")
    found = ElementTree.fromstring(game.filmstrip())
    captions = ["1. X: 5,8", "2. O: 5,9", "3. X: 5,6", "4. O: 6,8", "5. X: 5=X3"]
    assert [text for text in texts(found) if text[1:3] == ". "] == captions
    assert texts(found).count("9") == 5


def test_captions_name_players_and_what_was_observed():
    game = played("tiqtaqtoe", "1 4 2 O:5 3,6 7,8 9 @XXXOOEOEX")
    shown = texts(ElementTree.fromstring(game.filmstrip()))
    assert {"4. O: 5", "8. observed XXXOOEOEX"} <= set(shown)


def test_a_row_holds_as_many_boards_as_are_asked_for():
    game = played("goff", "5,8 5,9 5,6 6,8 5=X3")
    sizes = {}
    for per_row in (1, 2, 5):
        picture = filmstrip_picture(game, per_row)
        sizes[per_row] = picture.width, picture.height
        assert not sticking_out(picture)
    assert sizes[1][0] < sizes[2][0] < sizes[5][0]
    assert sizes[1][1] > sizes[2][1] > sizes[5][1]


def test_long_moves_are_wrapped_and_cut():
    game = Game("leaw-cheong")
    game.push(game.random_move(seed=1))
    assert not sticking_out(filmstrip_picture(game))
    assert any(text.endswith("…") for text in texts(ElementTree.fromstring(game.filmstrip())))


@pytest.mark.parametrize("per_row", [0, -1, 2.0, True, "3"])
def test_a_row_of_no_boards_is_refused(per_row):
    with pytest.raises(OptionError, match="1 board or more"):
        Game("goff").filmstrip(per_row=per_row)
