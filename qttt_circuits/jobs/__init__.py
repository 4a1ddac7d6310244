"""Runs that survive a restart: recorded before they are submitted, found again afterwards."""

from __future__ import annotations

from .job import Job
from .record import JobRecord
from .store import Store
from .submission import submit

__all__ = ["Job", "JobRecord", "Store", "submit"]
