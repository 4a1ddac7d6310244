"""Fixtures for all tests, and one fixed profile for Hypothesis: no clock, no chance."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, settings

from qttt_circuits.cli import main

settings.register_profile(
    "fixed",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fixed")


@dataclass(frozen=True)
class Run:
    """What one call of the command line did."""

    status: int
    out: str
    err: str


@pytest.fixture
def qttt(monkeypatch, capsys) -> Callable[..., Run]:
    """Calls ``qttt`` with arguments in this process."""
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str) -> Run:
        monkeypatch.setattr(sys, "argv", ["qttt", *arguments])
        with pytest.raises(SystemExit) as exit_info:
            main()
        captured = capsys.readouterr()
        return Run(exit_info.value.code or 0, captured.out, captured.err)

    return call
