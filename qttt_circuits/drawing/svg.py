"""Pictures as SVG: plain shapes and text, without scripts or styles."""

from __future__ import annotations

from html import escape

from .picture import Circle, Line, Picture, Point, Polygon, Rectangle, Shape, Text

FONT = "DejaVu Sans, Verdana, sans-serif"


def svg(picture: Picture) -> str:
    """Returns a picture as an SVG document."""
    width, height = _number(picture.width), _number(picture.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">'
    )
    body = [f"<title>{escape(picture.title)}</title>", *map(_element, picture.shapes)]
    return "\n".join([head, *body, "</svg>"]) + "\n"


def _number(value: float) -> str:
    # adding zero makes a zero of a minus zero
    return f"{round(value, 4) + 0:.10g}"


def _points(*points: Point) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _element(shape: Shape) -> str:
    match shape:
        case Rectangle():
            return (
                f'<rect x="{_number(shape.x)}" y="{_number(shape.y)}" '
                f'width="{_number(shape.width)}" height="{_number(shape.height)}" '
                f'fill="{shape.fill}"/>'
            )
        case Line():
            return _line(shape)
        case Circle():
            opacity = "" if shape.opacity == 1 else f' fill-opacity="{_number(shape.opacity)}"'
            return (
                f'<circle cx="{_number(shape.x)}" cy="{_number(shape.y)}" '
                f'r="{_number(shape.radius)}" fill="{shape.fill}"{opacity} '
                f'stroke="{shape.edge}" stroke-width="{_number(shape.width)}"/>'
            )
        case Polygon():
            return (
                f'<polygon points="{_points(*shape.points)}" fill="{shape.fill}" '
                f'stroke="{shape.edge}" stroke-width="{_number(shape.width)}" '
                f'stroke-linejoin="round"/>'
            )
        case Text():
            return _text(shape)


def _line(line: Line) -> str:
    middle = f"Q {_points(line.control)} " if line.bow else "L "
    dashes = " ".join(map(_number, line.dashes))
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<path d="M {_points(line.start)} {middle}{_points(line.end)}" fill="none" '
        f'stroke="{line.colour}" stroke-width="{_number(line.width)}"{dashed}/>'
    )


def _text(text: Text) -> str:
    style = f'fill="{text.colour}" text-anchor="{text.anchor}"'
    style += ' font-weight="bold"' if text.bold else ""
    # its baseline is worked out here: not every program that shows SVG knows other alignments
    return (
        f'<text x="{_number(text.x)}" y="{_number(text.baseline)}" font-family="{FONT}" '
        f'font-size="{_number(text.size)}" {style}>'
        f"{escape(text.text)}</text>"
    )
