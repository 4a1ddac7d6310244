"""Runs that survive a restart: recorded before they are submitted, found again afterwards."""

from __future__ import annotations

from .job import Job, submit
from .record import JobRecord
from .store import Store

__all__ = ["Job", "JobRecord", "Store", "submit"]
