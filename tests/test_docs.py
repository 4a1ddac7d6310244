"""The documentation builds without a warning, and its parts fit those of the README."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import qttt_circuits
from qttt_circuits.cli.main import COMMANDS
from qttt_circuits.games import all_rules

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_includes_what_there_is(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for included in re.findall(r"\{include\} (\S+)", text):
        assert (DOCS / included).exists()
    for start, end in re.findall(r':start-after: "(.*)"\n:end-before: "(.*)"', text):
        # includes look for text anywhere, so a heading must not begin like another one
        assert README.count(f"\n{start}\n") + README.startswith(f"{start}\n") == 1
        assert README.index(start) == README.index(f"{start}\n")
        assert f"\n{end}\n" in README[README.index(start) :]


def test_every_section_of_the_readme_is_on_some_page() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    used = set(re.findall(r':start-after: "#+ (.*)"', text))
    sections = re.findall(r"^##+ (.*)$", README, re.MULTILINE)
    assert set(sections) - used == {"Documentation and contributing", "Licence"}


def test_every_page_is_in_the_contents() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^[a-z/-]+$", index, re.MULTILINE)
    assert set(listed) == {page.stem for page in PAGES} - {"index"} | {"api/index"}


def test_the_version_is_the_same_everywhere() -> None:
    version = re.escape(qttt_circuits.__version__)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(rf"^## {version} - ", changes, re.MULTILINE)
    assert re.search(rf"^version: {version}$", citation, re.MULTILINE)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the pages, built with every warning an error."""
    for module in ("sphinx", "furo", "myst_parser", "sphinx_click"):
        pytest.importorskip(module, reason="needs pip install 'qttt-circuits[docs]'")
    folder = tmp_path_factory.mktemp("docs")
    options = ["-q", "-W", "--keep-going", "-n", "-E", "-d", str(folder / "doctrees")]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, str(DOCS), str(folder / "html")],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return folder / "html"


@pytest.mark.slow
def test_the_pages_show_every_game_and_every_command(built: Path) -> None:
    games = (built / "games.html").read_text(encoding="utf-8")
    commands = (built / "command-line.html").read_text(encoding="utf-8")
    for name, rules in all_rules().items():
        assert f'id="{name}"' in games
        for option in rules.choices:
            assert f">{option}<" in games
    for command in COMMANDS:
        assert f'id="qttt-{command}"' in commands


@pytest.mark.slow
def test_the_reference_has_every_public_name(built: Path) -> None:
    reference = "".join(
        page.read_text(encoding="utf-8") for page in sorted((built / "api").glob("*.html"))
    )
    for name in qttt_circuits.__all__:
        if not name.startswith("_"):
            home = getattr(qttt_circuits, name).__module__
            assert f'id="{home}.{name}"' in reference


@pytest.mark.slow
def test_no_page_names_an_address_in_memory(built: Path) -> None:
    for page in built.rglob("*.html"):
        assert not re.search(r" at 0x[0-9a-f]+", page.read_text(encoding="utf-8")), page.name
