"""A Dask cluster as an executor. Its scheduler gives the games of a lost worker to others."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from ..errors import ExecutionError, MissingExtraError, one_line

PATIENCE = 10
"""For how many seconds a scheduler is waited for."""


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Yields an executor that runs on a Dask cluster, and how many games it can play at a time.

    Args:
        address: The address of its scheduler, such as ``tcp://10.0.0.1:8786``.

    Raises:
        MissingExtraError: If Dask is not installed.
        ExecutionError: If no scheduler answers, or it has no workers.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtraError("a Dask cluster", "dask") from error
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ExecutionError(
            f"no Dask scheduler answers at {address} ({one_line(error)}): start one with "
            f"'dask scheduler', and workers with 'dask worker'"
        ) from error
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ExecutionError(
                f"the Dask scheduler at {address} has no workers: start some with 'dask worker'"
            )
        yield client.get_executor(pure=False), threads  # pure keys cost working out
    finally:
        client.close()
