"""Processes that play, and end when they are no longer wanted."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
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

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes.

        Args:
            wait: Whether to wait until they have ended.
            cancel_futures: Whether to end those at once that are at work.
        """
        if cancel_futures:
            self._lifeline.close()
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._lifeline.close()
        self._end.close()


def _tie(lifeline: Connection) -> None:
    """Lets this process end with the lifeline, and not by Ctrl-C, which is for who started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_follow, args=(lifeline,), daemon=True).start()


def _follow(lifeline: Connection) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(0)
