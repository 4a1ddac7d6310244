"""Keeping tokens and CRNs out of records, logs, errors and everything else that is read."""

from __future__ import annotations

import hashlib
import logging
import os
import re

_CRN = re.compile(r"crn:[^\s'\"<>,)\]}]+")
_VARIABLES = ("QISKIT_IBM_TOKEN", "QISKIT_IBM_INSTANCE")
_known: set[str] = set()


def remember(secret: object) -> None:
    """Notes a secret that must never be shown."""
    if isinstance(secret, str) and len(secret) > 3:
        _known.add(secret)


def scrub(text: str) -> str:
    """Returns a text with every CRN and known token replaced by what it is."""
    text = _CRN.sub("[CRN]", text)
    for secret in _known | {os.environ.get(variable, "") for variable in _VARIABLES}:
        if len(secret) > 3:
            text = text.replace(secret, "[secret]")
    return text


def hashed(secret: str, salt: str) -> str:
    """Returns a salted hash that tells whether a secret is the same without giving it away."""
    return hashlib.scrypt(secret.encode(), salt=salt.encode(), n=2**12, r=8, p=1, dklen=16).hex()


class ScrubbingFilter(logging.Filter):
    """Scrubs what a logger of another library is about to say."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrites the record; none is dropped."""
        try:
            record.msg = scrub(record.getMessage())
        except (TypeError, ValueError):  # a message that does not fit its arguments
            record.msg = scrub(str(record.msg))
        record.args = None
        if record.exc_info:
            record.exc_text = scrub(logging.Formatter().formatException(record.exc_info))
            record.exc_info = None
        return True
