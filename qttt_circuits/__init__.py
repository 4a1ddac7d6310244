"""Quantum tic-tac-toe and its relatives, played on real quantum circuits."""

from __future__ import annotations

__version__ = "0.1.0"
