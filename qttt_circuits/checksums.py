"""Checksums of what is kept in files as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any


def digest(data: object) -> str:
    """Returns the SHA-256 of JSON-able data, which does not depend on the order of keys."""
    return sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def checksum(data: Mapping[str, Any]) -> str:
    """Returns the digest of data of which it is a part itself: its own field is left out."""
    return digest({key: value for key, value in data.items() if key != "checksum"})
