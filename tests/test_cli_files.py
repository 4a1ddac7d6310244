"""Files that commands write: what is refused, links, permissions, and writing that fails."""

from __future__ import annotations

import os
import stat
import subprocess
import sys

import pytest

from qttt_circuits.cli.files import write_file

CANCELLING = ("cancelling", "1,2", "-2,3")
WRITERS = {
    "save": ("show", *CANCELLING, "--save"),
    "svg": ("show", *CANCELLING, "--svg"),
    "filmstrip": ("show", *CANCELLING, "--filmstrip"),
    "record": ("play", "goff", "--x", "random", "--seed", "1", "--record"),
    "circuit": ("circuit", *CANCELLING, "-o"),
    "plot": ("sample", *CANCELLING, "--shots", "10", "--seed", "1", "--plot"),
    "study": ("study", "goff", "--games", "1", "--seed", "1", "-o"),
}
writers = pytest.mark.parametrize("writer", WRITERS)


def refused(ran, part: str) -> None:
    assert (ran.status, ran.out) == (2, "")
    [line] = ran.err.splitlines()
    assert line.startswith("qttt: ")
    assert part in line


@writers
def test_what_is_no_regular_file_stays(qttt, tmp_path, writer) -> None:
    pipe, link = tmp_path / "pipe.svg", tmp_path / "link.svg"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link, tmp_path):
        refused(qttt(*WRITERS[writer], str(path)), "not a regular file")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [link, pipe]


@writers
def test_names_that_are_none_are_refused(qttt, tmp_path, monkeypatch, writer) -> None:
    monkeypatch.chdir(tmp_path)
    refused(qttt(*WRITERS[writer], "-"), "'-' is none")
    refused(qttt(*WRITERS[writer], ""), "empty name")
    missing = str(tmp_path / "none" / "file.svg")
    assert qttt(*WRITERS[writer], missing).status == 2
    assert not list(tmp_path.iterdir())


@writers
def test_of_a_link_what_it_leads_to_is_written(qttt, tmp_path, writer) -> None:
    for name, there in (("old.svg", True), ("new.svg", False)):
        target, link = tmp_path / name, tmp_path / f"link-{name}"
        link.symlink_to(name)
        if there:
            target.write_text("")
            target.chmod(0o640)
            if writer == "record":
                qttt("show", "goff", "--save", str(link))
        assert qttt(*WRITERS[writer], str(link)).status == 0
        assert link.is_symlink()
        assert target.stat().st_size > 0
        assert not there or stat.S_IMODE(target.stat().st_mode) == 0o640
    assert len(list(tmp_path.iterdir())) == 4


def test_a_new_file_has_the_usual_permissions(tmp_path) -> None:
    (tmp_path / "usual").write_text("")
    write_file(tmp_path / "written", "text")
    modes = {path.stat().st_mode for path in tmp_path.iterdir()}
    assert len(modes) == 1


def test_a_write_that_fails_names_the_file_and_leaves_it(qttt, tmp_path, monkeypatch) -> None:
    path = tmp_path / "game.json"
    path.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    refused(qttt(*WRITERS["save"], str(path)), f"{path}: No space left on device")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
@pytest.mark.parametrize("python", ["python", "python -u"])
@pytest.mark.parametrize("command", ["rules", "legal goff --json", "--help"])
def test_standard_output_that_is_full_is_called_so(python, command) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, *python.split()[1:], "-m", "qttt_circuits", *command.split()],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=120,
        )  # fmt: skip
    assert ran.stderr == "qttt: standard output: No space left on device\n"
    assert ran.returncode == 2
