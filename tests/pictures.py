"""The positions that are drawn in tests, and what can be read off a picture without its colours."""

from dataclasses import fields, replace
from functools import cache

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from qttt_circuits import Game
from qttt_circuits.drawing.picture import Circle, Line, Polygon, Rectangle, Text

SPLIT = "c7 a1-b2 split:b6,b8,d6"
POSITIONS = {
    "tiqtaqtoe-due": ("tiqtaqtoe", "2,3 6,9 1 3,8 4,9 1,7 5,6", {}),
    "tiqtaqtoe-observed": ("tiqtaqtoe", "2,3 6,9 1 3,8 4,9 1,7 5,6 @OXOXXEXEO 6,8", {}),
    "cancelling-half": ("cancelling", "1,2 -2,3", {}),
    "cancelling-both-colours": ("cancelling", "5 1,2 -2,3 -5,6 7 8,9", {}),
    "shiftflip": ("shiftflip", "-5 5,-9 8 -8,-1 2,3 -3,4", {}),
    "goff-cycle": ("goff", "5,8 5,9 5,6 6,8", {}),
    "goff-collapsed": ("goff", "5,8 5,9 5,6 6,8 5=X3 1,3 3,7 1,2", {}),
    "goff-tree": ("goff-original", "1,9 3,7 1,3 4,6 6,8 2,7 2,5 1,6", {}),
    "goff-star": ("goff", "5,1 5,2 5,3 5,4 5,6 5,7 5,8 5,9 5,1", {}),
    "leaw-cheong": ("leaw-cheong", "1:r1/2,5:r1/2 9 2:3/5,3:4/5i", {}),
    "leaw-cheong-large": (
        "leaw-cheong",
        "norm:1:1,2:1,3:1,4:1 norm:1:1,2:-1,3:1,4:-1 norm:1:1,2:1,3:-1,4:-1 5 "
        "norm:1:1,2:-1,3:-1,4:1",
        {},
    ),
    "hounds-classical": ("cat-and-hounds", "", {"level": 1, "size": 4}),
    "hounds-phases": ("cat-and-hounds", f"{SPLIT} b2-a3 c7,c7,e5~", {"level": 4}),
    "hounds-entangled": (
        "cat-and-hounds",
        f"{SPLIT} b2-c3 c5,a7,e5 c1-d2 b4,b6,f6 c3-b4",
        {"level": 5},
    ),
}


def played(rules, moves, options=None):
    game = Game(rules, **(options or {}))
    for move in moves.split():
        game.push(move)
    return game


def without_colours(picture):
    """Returns the shapes of a picture with nothing left but form and text."""
    plain = {"fill": "", "edge": "", "colour": "", "opacity": 1}
    return [
        replace(shape, **{f.name: plain[f.name] for f in fields(shape) if f.name in plain})
        for shape in picture.shapes
    ]


@cache
def measured(text, size, bold):
    """Returns the width of a text and how far it reaches above and below its baseline."""
    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    box = TextPath((0, 0), text, size=size, prop=font).get_extents()
    return box.width, box.y1, -box.y0


def extent(shape):
    """Returns left, top, right and bottom of a shape; of text by the metrics of the font."""
    match shape:
        case Rectangle():
            return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
        case Circle():
            r = shape.radius + shape.width / 2
            return shape.x - r, shape.y - r, shape.x + r, shape.y + r
        case Line():
            points = [shape.at(i / 20) for i in range(21)]
        case Polygon():
            points = shape.points
        case Text():
            width, above, below = measured(shape.text, shape.size, shape.bold)
            left = shape.x - {"start": 0, "middle": 0.5, "end": 1}[shape.anchor] * width
            return left, shape.baseline - above, left + width, shape.baseline + below
    half = shape.width / 2
    xs, ys = zip(*points, strict=True)
    return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half


def sticking_out(picture):
    """Returns the shapes that are not wholly inside a picture."""
    return [
        shape
        for shape in picture.shapes
        for left, top, right, bottom in [extent(shape)]
        if min(left, top) < 0 or right > picture.width or bottom > picture.height
    ]
