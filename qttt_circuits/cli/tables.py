"""Tables for people."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import click

PIPED_WIDTH = 160
"""What a program reads is not squeezed to a terminal's width."""
LEAST_WIDTH = 60
"""A table is not squeezed into less; the terminal wraps its lines."""


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    whole: int = 0,
    least: int = LEAST_WIDTH,
) -> None:
    """Prints a table to standard output.

    Args:
        title: Its title.
        columns: The names of the columns.
        rows: One text a column each.
        whole: How many of the first columns are never broken over lines, such as names.
        least: The columns that the table takes where the terminal is narrower.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=number < whole)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console = Console(highlight=False)
    if console.is_terminal or "COLUMNS" in os.environ:
        console.width = max(console.width, least)
    else:
        console.width = PIPED_WIDTH
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        click.echo(line.rstrip())
