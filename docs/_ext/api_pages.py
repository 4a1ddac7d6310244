"""The pages of the API reference: one for each row of the README's table of modules.

They are written to `docs/api` when a build begins, and a page is written only where it changes.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from sphinx.application import Sphinx

import qttt_circuits

ROOT = Path(__file__).parents[2]
PACKAGE = qttt_circuits.__name__


def rows() -> list[tuple[list[str], str]]:
    """Returns the modules of each row of the README's table, and what it says of them."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| (`[a-z_]+(?:\.py|/)`.*?) \| (.*) \|$", readme, re.MULTILINE)
    return [(re.findall(r"`([a-z_]+)(?:\.py|/)`", names), text) for names, text in found]


def titled(title: str, mark: str) -> list[str]:
    """Returns the lines of a heading."""
    return [title, mark * len(title), ""]


def as_rst(text: str) -> str:
    """Returns a sentence of the README with its code as reStructuredText has it."""
    return re.sub(r"`([^`]+)`", r"``\1``", text)


def documented(name: str, marks: str) -> list[str]:
    """Returns the lines that document a module, and the modules in it if it is a package.

    Args:
        name: The module, named from the package on.
        marks: What underlines the headings of modules in it, outermost first.
    """
    lines = [f".. automodule:: {PACKAGE}.{name}", ""]
    module = import_module(f"{PACKAGE}.{name}")
    for inner in iter_modules(getattr(module, "__path__", [])):
        full = f"{name}.{inner.name}"
        lines += [*titled(full, marks[0]), *documented(full, marks[1:])]
    return lines


def pages() -> dict[str, str]:
    """Returns the text of every page by its name."""
    made = {}
    table = [".. list-table::", "   :widths: 30 70", ""]
    for names, text in rows():
        body = [*titled(", ".join(names), "="), f"{as_rst(text[0].upper() + text[1:])}.", ""]
        for name in names:
            body += titled(name, "-") if len(names) > 1 else []
            body += documented(name, "~^" if len(names) > 1 else "-~")
        made[names[0]] = "\n".join(body)
        table += [f"   * - :doc:`{', '.join(names)} <{names[0]}>`", f"     - {as_rst(text)}"]
    index = [
        *titled("API reference", "="),
        f"What ``{PACKAGE}`` itself offers; each is imported when it is first used:",
        "",
        *(f"* `{name}`" for name in qttt_circuits.__all__ if not name.startswith("_")),
        "",
        "The modules, each building on those before it:",
        "",
        *table,
        "",
        ".. toctree::",
        "   :hidden:",
        "",
        *(f"   {name}" for name in made),
    ]
    return {**made, "index": "\n".join(index)}


def write(app: Sphinx) -> None:
    """Writes the pages and removes those that there are no more."""
    folder = Path(app.srcdir) / "api"
    folder.mkdir(exist_ok=True)
    made = pages()
    for path in folder.glob("*.rst"):
        if path.stem not in made:
            path.unlink()
    for name, text in made.items():
        path = folder / f"{name}.rst"
        if not path.exists() or path.read_text(encoding="utf-8") != text + "\n":
            path.write_text(text + "\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Writes the pages before Sphinx looks for them."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
