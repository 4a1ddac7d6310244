"""Names in docstrings, types of other packages, links into the repository, what is left out.

A name in single backticks is linked where there is something public of that name, and shown as code
where there is not: private names, options and the like are no mistakes.
"""

from __future__ import annotations

import ast
import re
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, TypeVar

from docutils import nodes
from sphinx.addnodes import desc_annotation, desc_content, pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole
from sphinx.util.nodes import make_refnode

import qttt_circuits

ROOT = Path(__file__).parents[2]
PACKAGE = qttt_circuits.__name__
HIDDEN = "\N{MODIFIER LETTER COLON}"
LONGEST_VALUE = 60
SOFT = "soft"
"""The type of references that may lead nowhere."""


class NameRole(SphinxRole):
    """A name in single backticks."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Returns a reference to it, to be resolved when all names are known."""
        node = pending_xref(self.rawtext, reftype=SOFT, refdomain="", reftarget=self.text)
        node["scope"] = [
            name
            for name in (
                self.env.ref_context.get("py:module"),
                self.env.ref_context.get("py:class"),
            )
            if name
        ]
        node += nodes.literal(self.text, self.text)
        return [node], []


def find(objects: Any, target: str, scope: list[str]) -> str | None:
    """Returns the full name of what a short one means, nearest first, or None.

    Args:
        objects: Everything documented, by full name.
        target: The short name, perhaps with arguments or as the name of a file.
        scope: The module and the class in which it stands, outermost first.
    """
    short = target.partition("(")[0].removesuffix(".py")
    around = ".".join(scope)
    while around:
        if f"{around}.{short}" in objects:
            return f"{around}.{short}"
        around = around.rpartition(".")[0]
    offered = home(short)
    if offered in objects:
        return offered
    ends = [name for name in objects if name == short or name.endswith(f".{short}")]
    return ends[0] if len(ends) == 1 else None


def home(name: str) -> str:
    """Returns the full name of what the package or a module in it offers, where it is defined."""
    module, _, last = f"{PACKAGE}.{name}".rpartition(".")
    offered = getattr(sys.modules.get(module), last, None)
    return f"{getattr(offered, '__module__', module)}.{last}"


def resolve(
    app: Sphinx, env: Any, node: pending_xref, content: nodes.TextElement
) -> nodes.Node | None:
    """Resolves names in backticks, and leaves types of other packages without a link."""
    domain, target = env.domains["py"], node["reftarget"]
    soft = node.get("reftype") == SOFT
    if not soft and node.get("refdomain") != "py":
        return None
    scope = node["scope"] if soft else [n for n in map(node.get, ("py:module", "py:class")) if n]
    name = find(domain.objects, target, scope)
    if (
        name is not None
    ):  # types that are no classes come here as well, such as other names of types
        found = domain.objects[name]
        return make_refnode(
            app.builder, node["refdoc"], found.docname, found.node_id, content, name
        )
    known = target.startswith(f"{PACKAGE}.") and not is_type_variable(target)
    return content if soft or (not known and is_name(target)) else None


def is_name(text: str) -> bool:
    """Whether a text may be the name of something."""
    return all(part.isidentifier() for part in text.split("."))


def is_type_variable(target: str) -> bool:
    """Whether a name is that of a type variable, which has no place in the documentation."""
    module, _, name = target.rpartition(".")
    return isinstance(getattr(sys.modules.get(module), name, None), TypeVar)


def unlink(app: Sphinx, document: nodes.document) -> None:
    """Turns links to files and folders of the repository that are no pages into their text."""
    for node in list(document.findall(pending_xref)):
        target = node.get("reftarget", "").partition("#")[0]
        here = Path(app.env.doc2path(app.env.docname)).parent
        is_page = not target or (here / target).exists()
        if node.get("reftype") == "myst" and not is_page and (ROOT / target).exists():
            node.replace_self(nodes.inline("", "", *node.children[0].children))
    for link in list(document.findall(nodes.reference)):
        target = link.get("refuri", "")
        if target and ":" not in target and (ROOT / target).exists():
            link.replace_self(nodes.inline("", "", *link.children))


def load_types(app: Sphinx) -> None:
    """Imports what modules import for type checkers only, so that annotations can be read."""
    for found in walk_packages(qttt_circuits.__path__, f"{PACKAGE}."):
        if found.name.endswith("__main__"):
            continue
        module = import_module(found.name)
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                with suppress(ImportError):  # a package of an extra that is not installed
                    exec(compile(ast.Module(node.body, []), found.name, "exec"), vars(module))


def escape_kets(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Keeps the bars of kets in docstrings from being taken for substitutions."""
    lines[:] = [
        re.sub(r"\S*[⟨⟩]\S*", lambda word: word[0].replace("|", "\\|"), line) for line in lines
    ]


def keep_colons(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Hides the colons of sentences on properties, before which napoleon would see a type."""
    if what in ("attribute", "data", "property") and lines:
        lines[0] = lines[0].replace(":", HIDDEN)


def show_colons(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Shows them again."""
    lines[:] = [line.replace(HIDDEN, ":") for line in lines]


def shorten(app: Sphinx, domain: str, kind: str, content: desc_content) -> None:
    """Takes out of a description what says nothing, or says it twice.

    That is ``object`` as a base, the value of a constant that is no short literal, and parameters
    without a word on them that are among the attributes, as those of a dataclass are.
    """
    assert content.parent is not None
    for value in list(content.parent.findall(desc_annotation)):
        text = value.astext()
        if kind == "data" and text.startswith(" = ") and ("<" in text or len(text) > LONGEST_VALUE):
            value.parent.remove(value)
    for child in list(content.children):
        if isinstance(child, nodes.paragraph) and child.astext() == "Bases: object":
            content.remove(child)
        if not isinstance(child, nodes.field_list):
            continue
        fields = {tuple(field[0].astext().split()): field for field in child}
        variables = {words[-1] for words in fields if words[0] == "ivar"}
        for words, field in fields.items():
            silent = words[0] == "type" or (words[0] == "param" and not field[1].astext())
            if silent and words[-1] in variables:
                child.remove(field)


def setup(app: Sphinx) -> dict[str, bool]:
    """Registers the role, what resolves it, and what docstrings and links need."""
    app.add_role("name", NameRole())
    app.connect("builder-inited", load_types)
    app.connect("autodoc-process-docstring", keep_colons, priority=400)  # napoleon has 500
    app.connect("autodoc-process-docstring", show_colons, priority=600)
    app.connect("autodoc-process-docstring", escape_kets, priority=600)
    app.connect("object-description-transform", shorten)
    app.connect("doctree-read", unlink)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
