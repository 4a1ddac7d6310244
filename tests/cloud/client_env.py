"""The environment that leads the client library to the stand-in, and nowhere else.

The client reads its account from ``QISKIT_IBM_…``, its identity service from ``IAM_URL``, and
``requests`` reads the proxy at every request: so the variables must stay set for as long as a
service is used. ``HTTPS_PROXY`` is set too: a request that should ever go to the real cloud ends
at the stand-in, which refuses it. ``USAGE_DATA_OPT_OUT`` spares the client from walking the stack
at every request, which halves the time of a submission.
"""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

TOKEN = "stand-in-api-key"
"""The only API key that the stand-in accepts."""

INSTANCE = "crn:v1:bluemix:public:quantum-computing:us-east:a/0000stand-in:1111-open::"
"""The instance that the environment names."""

OTHER_INSTANCE = "crn:v1:bluemix:public:quantum-computing:us-east:a/0000stand-in:2222-other::"
"""A second instance of the same account, with jobs of its own."""

CLEARED = ("NO_PROXY", "ALL_PROXY", "QISKIT_IBM_CHANNEL")
"""Variables that would lead the client elsewhere."""


def variables(port: int, token: str = TOKEN, instance: str = INSTANCE) -> dict[str, str | None]:
    """Returns what has to change in the environment.

    Args:
        port: The port of the stand-in.
        token: The API key of the account.
        instance: The instance (a CRN) of the account.

    Returns:
        Values by name; None says that the variable has to be unset.
    """
    proxy = f"http://127.0.0.1:{port}"
    changes: dict[str, str | None] = {
        "QISKIT_IBM_TOKEN": token,
        "QISKIT_IBM_INSTANCE": instance,
        "QISKIT_IBM_URL": "http://cloud.test",
        "IAM_URL": "http://iam.cloud.test",
        "HTTP_PROXY": proxy,
        "HTTPS_PROXY": proxy,
        "USAGE_DATA_OPT_OUT": "True",
    }
    lower = (name.lower() for name in (*CLEARED, "HTTP_PROXY", "HTTPS_PROXY"))
    changes.update(dict.fromkeys((*CLEARED, *lower)))
    return changes


def environment(
    port: int,
    token: str = TOKEN,
    instance: str = INSTANCE,
    base: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Returns a whole environment, for ``subprocess``.

    Args:
        port: The port of the stand-in.
        token: The API key of the account.
        instance: The instance (a CRN) of the account.
        base: The environment to start from; that of this process if None.
    """
    result = dict(os.environ if base is None else base)
    for name, value in variables(port, token, instance).items():
        result.pop(name, None)
        if value is not None:
            result[name] = value
    return result


def point(
    monkeypatch: "pytest.MonkeyPatch", port: int, token: str = TOKEN, instance: str = INSTANCE
) -> None:
    """Changes the environment of this process, until ``monkeypatch`` is undone.

    Args:
        monkeypatch: The fixture, or a ``pytest.MonkeyPatch.context()`` for a wider scope.
        port: The port of the stand-in.
        token: The API key of the account.
        instance: The instance (a CRN) of the account.
    """
    for name, value in variables(port, token, instance).items():
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
