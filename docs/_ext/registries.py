"""Directives that describe what is registered: games and the options of their circuits.

All they say is read from the classes, so that nothing is written twice. They are for pages in
Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from importlib import import_module
from inspect import cleandoc
from itertools import groupby
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from qttt_circuits.games import Rules, all_rules


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yields the lines of a table, and an empty one."""
    for cells in (head, ["---"] * len(head), *rows):
        escaped = [cell.replace("|", "\\|") for cell in cells]
        yield f"| {' | '.join(escaped)} |"
    yield ""


def code(words: Iterable[str]) -> str:
    """Returns words as code, without empty ones."""
    return ", ".join(f"`{word}`" for word in words if word)


def markdown(text: str) -> str:
    """Returns a paragraph of a docstring as Markdown."""
    return " ".join(text.replace("``", "`").split())


def attributes(of: type) -> dict[str, str]:
    """Returns what the docstring of a class says of its attributes, by name."""
    section = cleandoc(of.__doc__ or "").partition("Attributes:\n")[2]
    return {
        name: markdown(text)
        for name, text in re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", section, re.MULTILINE)
    }


def paragraphs(of: type) -> tuple[str, str]:
    """Returns the first paragraph of a rule set's docstring, and the nearest on its options."""
    first, _, _ = cleandoc(of.__doc__ or "").partition("\n\n")
    for cls in of.__mro__:
        for paragraph in cleandoc(vars(cls).get("__doc__") or "").split("\n\n"):
            if paragraph.startswith("Options: "):
                return markdown(first), markdown(paragraph.removeprefix("Options: "))
    return markdown(first), ""


class Described(SphinxDirective):
    """A directive that stands for Markdown."""

    def lines(self) -> Iterator[str]:
        """Yields the lines."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Returns what the lines stand for."""
        text = "\n".join(self.lines())
        return self.parse_text_to_nodes(text, allow_section_headings=True)


class Games(Described):
    """The rule sets, a section each."""

    def lines(self) -> Iterator[str]:
        """Yields the sections by name."""
        for name, rules in all_rules().items():
            about, options = paragraphs(rules)
            yield from (f"### `{name}`", "", f"*{rules.summary}*", "", about, "")
            rows = {
                "source": rules.source,
                "sides": code(rules.sides),
                "moves": rules.notation,
                "an observation shows": rules.outcomes,
                "legal moves": "finitely many" if rules.finite else "infinitely many",
                "`qttt solve`": "knows it" if rules.solver else "does not know it",
            }
            yield from table(["", ""], rows.items())
            yield from (f"Options: {options}", "")
            yield from table(["option", "default", "other values"], self.option_rows(rules))

    def option_rows(self, rules: type[Rules[Any]]) -> Iterator[list[str]]:
        """Yields a row for each option of a rule set."""
        defaults = rules().options
        for option, values in rules.choices.items():
            others = code(value for value in values if value != defaults[option])
            form = rules.others.get(option)
            if form:
                others += f"{' and ' if others else ''}what `{form}` matches, if the board allows"
            yield [code([option]), code([defaults[option]]), others]


class CircuitOptions(Described):
    """How circuits can be compiled, a section for each kind of game."""

    def lines(self) -> Iterator[str]:
        """Yields the sections."""

        def kind(rules: type[Rules[Any]]) -> str:
            return rules.circuits

        for module, games in groupby(sorted(all_rules().values(), key=kind), kind):
            options = import_module(f"qttt_circuits.compiling.{module}").Options
            says = attributes(options)
            yield from (f"### {code(rules.name for rules in games)}", "")
            rows = [[code([f.name]), code([str(f.default)]), says[f.name]] for f in fields(options)]
            yield from table(["option", "default", ""], rows)


def from_code(app: Sphinx, *changes: object) -> list[str]:
    """Returns the pages to be read again in every build, as they are made from the code."""
    return ["circuits", "command-line", "games"]


def setup(app: Sphinx) -> dict[str, bool]:
    """Registers the directives."""
    app.add_directive("games", Games)
    app.add_directive("circuit-options", CircuitOptions)
    app.connect("env-get-outdated", from_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
