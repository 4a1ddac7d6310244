"""Processes that play, and end when they are no longer wanted."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread


class Workers(ProcessPoolExecutor):
    """Processes on this machine, which play at once and not only for this study.

    They hold one end of a pipe, the lifeline. When the other end is closed, on purpose or because
    this process was killed, they end wherever they are.

    Args:
        number: How many.
    """

    def __init__(self, number: int) -> None:
        context = get_context("spawn")
        self._end, self._lifeline = context.Pipe(duplex=False)
        super().__init__(number, context, initializer=_tie, initargs=(self._end,))
        with _interrupts_held_back():
            for _ in range(number):  # each call starts a process while none is idle
                self.submit(os.getpid)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes at once, whatever they are doing.

        Args:
            wait: Whether to wait until they have ended.
            cancel_futures: Whether calls are cancelled that no process has begun.
        """
        self._lifeline.close()
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._end.close()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Keeps Ctrl-C from processes that are started meanwhile, and for this one until later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _tie(lifeline: Connection) -> None:
    """Lets this process end with the lifeline, and not by Ctrl-C, which is for who started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_follow, args=(lifeline,), daemon=True).start()


def _follow(lifeline: Connection) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(0)
