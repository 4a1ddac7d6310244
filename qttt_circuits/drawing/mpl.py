"""Pictures drawn with matplotlib, which is imported only when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import MissingExtraError
from .picture import Circle, Line, Picture, Polygon, Rectangle, Shape, Text

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

PIXELS = 96
"""Pixels an inch, as in SVG."""
DPI = 2 * PIXELS
"""Dots an inch of figures that are shown or saved as pixels; small letters need them."""
POINTS = 72 / PIXELS
"""Points a pixel; matplotlib counts fonts and lines in points."""
FONT = "DejaVu Sans"
ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def new_figure(what: str, width: float, height: float) -> Figure:
    """Returns an empty figure, which no window and no global state knows of.

    Args:
        what: What is going to be drawn, for the error.
        width: Width in inches.
        height: Height in inches.

    Raises:
        MissingExtraError: If matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError(what, "viz") from error
    return Figure(figsize=(width, height), dpi=DPI)


def figure(picture: Picture) -> Figure:
    """Returns a picture as a figure of the same size, with a pixel as the unit of its axes.

    Raises:
        MissingExtraError: If matplotlib is not installed.
    """
    drawn = new_figure("drawing with mpl", picture.width / PIXELS, picture.height / PIXELS)
    axes = drawn.add_axes((0, 0, 1, 1), label=picture.title)
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    axes.set_axis_off()
    for order, shape in enumerate(picture.shapes):
        artist = _artist(shape)
        artist.set_zorder(order)
        axes.add_artist(artist)
    return drawn


def _artist(shape: Shape) -> Artist:
    from matplotlib import patches, path, text
    from matplotlib.colors import to_rgba

    match shape:
        case Rectangle():
            return patches.Rectangle(
                (shape.x, shape.y), shape.width, shape.height, facecolor=shape.fill, linewidth=0
            )
        case Line():
            curve = [path.Path.MOVETO, path.Path.CURVE3, path.Path.CURVE3]
            return patches.PathPatch(
                path.Path([shape.start, shape.control, shape.end], curve),
                fill=False,
                edgecolor=shape.colour,
                linewidth=POINTS * shape.width,
                capstyle="butt",
                # counted in line widths
                linestyle=(0, [d / shape.width for d in shape.dashes]) if shape.dashes else "-",
            )
        case Circle():
            return patches.Circle(
                (shape.x, shape.y),
                shape.radius,
                facecolor=to_rgba(shape.fill, shape.opacity),
                edgecolor=shape.edge,
                linewidth=POINTS * shape.width,
            )
        case Polygon():
            return patches.Polygon(
                shape.points,
                facecolor=shape.fill,
                edgecolor=shape.edge,
                linewidth=POINTS * shape.width,
                joinstyle="round",
            )
        case Text():
            return text.Text(
                shape.x,
                shape.baseline,
                # a dollar would begin a formula
                shape.text.replace("$", r"\$"),
                fontfamily=FONT,
                fontsize=POINTS * shape.size,
                fontweight="bold" if shape.bold else "normal",
                color=shape.colour,
                ha=ANCHORS[shape.anchor],
                va="baseline",
            )
