"""Running a study on any executor, and going on where it was stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
)
from contextlib import ExitStack
from itertools import islice
from queue import SimpleQueue
from typing import Any, TypeGuard

from .. import __version__
from ..errors import ExecutionError, OptionError, QtttError, one_line
from .keeping import StudyFile
from .playing import play_games
from .record import GameRecord
from .result import StudyResult
from .settings import Study
from .tally import Tally

AHEAD = 64
"""How many chunks of games are handed out at a time; there should be as many as workers."""
REMADE = 3
"""How often an executor that broke is made anew."""
CHUNK_SECONDS = 0.25
"""How long a chunk should take: longer ones lose more when a worker is lost."""

Games = tuple[list[GameRecord], float]


def run_study(
    study: Study,
    executor: Executor | Callable[[], Executor] | None = None,
    *,
    output: str | os.PathLike[str] | None = None,
    progress: Callable[[StudyResult], None] = lambda result: None,
    ahead: int = AHEAD,
) -> StudyResult:
    """Plays the games of a study that were not played yet, and returns what all of them show.

    Args:
        study: The study.
        executor: What plays: an executor, which is left open; or something that makes one when it
            is called, such as ``partial(ProcessPoolExecutor, 4)``, which is shut down at the end
            and made anew a few times if it breaks; None plays here.
        output: The file in which games are kept as they end. If there is one, only games that are
            not in it are played.
        progress: Is told what is known so far.
        ahead: How many chunks of games are handed out at a time.

    Raises:
        OptionError: If the file holds another study.
        RecordError: If the file is no study's, or damaged; it stays as it is.
        StoreError: If the file cannot be written, or another process is writing it.
        ExecutionError: If a game cannot be played, or the workers are lost.
    """
    if not isinstance(study, Study):
        raise OptionError(f"what is run is a Study, not {study!r:.60}")
    if executor is not None and not callable(executor) and not _is_executor(executor):
        raise OptionError(f"what plays is an executor, or makes one, and not {executor!r:.60}")
    if type(ahead) is not int or ahead < 1:
        raise OptionError(f"ahead is an integer from 1 on, not {ahead!r}")
    with ExitStack() as stack:
        file = None if output is None else stack.enter_context(StudyFile(output, study))
        run = _Run(study, file, progress, 1 if executor is None else ahead)
        run.play(executor)
        return run.tally.result


class _Run:
    """A study that is being played."""

    def __init__(
        self,
        study: Study,
        file: StudyFile | None,
        progress: Callable[[StudyResult], None],
        ahead: int,
    ) -> None:
        self.study, self.file, self.progress, self.ahead = study, file, progress, ahead
        self.tally = Tally(study) if file is None else file.tally
        self._pace = _Pace()

    @property
    def kept(self) -> str:
        """How many games are safe, in words."""
        if self.file is None:
            return "nothing is kept without an output file"
        return (
            f"{len(self.tally)} of {self.study.games} games are kept in {self.file.path}, "
            f"and the study goes on from there"
        )

    def play(self, executor: Executor | Callable[[], Executor] | None) -> None:
        """Plays all games that are left."""
        self.progress(self.tally.result)
        made, lost = 0, ""
        while len(self.tally) < self.study.games:
            if made > REMADE or (made and _is_executor(executor)):
                raise ExecutionError(f"the workers ended before the study ({lost}): {self.kept}")
            made += 1
            try:
                if _is_executor(executor):
                    self._play_on(executor)
                else:
                    self._play_on_own(executor() if callable(executor) else _Here())
            except BrokenExecutor as error:
                lost = one_line(error)

    def _play_on_own(self, executor: Executor) -> None:
        try:
            self._play_on(executor, cancel=False)
        finally:
            # the executor does it itself: some that break meanwhile fail on futures of which it
            # does not know that they were cancelled
            executor.shutdown(cancel_futures=True)

    def _play_on(self, executor: Executor, *, cancel: bool = True) -> None:
        pending: set[Future[Games]] = set()
        # `wait` would never return futures that somebody else cancels
        ended: SimpleQueue[Future[Games]] = SimpleQueue()
        left = (number for number in range(self.study.games) if number not in self.tally)
        try:
            while True:
                for future in self._hand_out(executor, left, self.ahead - len(pending)):
                    pending.add(future)
                    future.add_done_callback(ended.put)
                if not pending:
                    break
                done = {ended.get()}
                while not ended.empty():
                    done.add(ended.get())
                pending -= done
                self._collect(done)
        except BrokenExecutor:
            # some games may have been played before it broke; the others have no result
            self._collect({f for f in pending if f.done() and not _failed(f)})
            raise
        finally:
            if cancel:
                for future in pending:
                    future.cancel()

    def _hand_out(
        self, executor: Executor, left: Iterator[int], chunks: int
    ) -> Iterator[Future[Games]]:
        """Hands out some chunks of the games that are left, and yields what will hold them."""
        for _ in range(chunks):
            size = self._pace.size(self.study.games - len(self.tally), self.ahead)
            numbers = tuple(islice(left, size))
            if not numbers:
                break
            try:
                yield executor.submit(play_games, self.study, numbers, __version__)
            except BrokenExecutor:
                raise
            except Exception as error:  # it was shut down, or has lost its workers
                raise BrokenExecutor(_named(error)) from error

    def _collect(self, done: set[Future[Games]]) -> None:
        """Counts the games that were played, and then raises what went wrong, if something did."""
        wrong: Exception | None = None
        for future in done:
            try:
                games, seconds = future.result()
            except CancelledError:
                wrong = BrokenExecutor("games were cancelled")
                continue
            except Exception as error:
                wrong = error
                continue
            self._pace.note(len(games), seconds)
            if self.file is None:
                for game in games:
                    self.tally.add(game)
            else:
                self.file.add(games)
        self.progress(self.tally.result)
        if isinstance(wrong, QtttError | BrokenExecutor):
            raise wrong
        if wrong is not None:
            raise ExecutionError(f"a worker failed ({_named(wrong)}): {self.kept}") from wrong


def _failed(future: Future[Games]) -> bool:
    return future.cancelled() or future.exception() is not None


def _named(error: Exception) -> str:
    """Returns what went wrong somewhere else, in a line."""
    return f"{type(error).__name__}: {one_line(error)}"


def _is_executor(what: object) -> TypeGuard[Executor]:
    """Whether something has the interface of an executor, and is not a class of them."""
    return hasattr(what, "submit") and not isinstance(what, type)


class _Here(Executor):
    """Does what it is given at once, in this thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Returns what a call returned, or the error that it ended with."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _Pace:
    """How many games go in a chunk: as many as take some time, by what games took so far."""

    def __init__(self) -> None:
        self._games, self._seconds, self._last = 0, 0.0, 1

    def note(self, games: int, seconds: float) -> None:
        """Takes down how long some games took."""
        self._games += games
        self._seconds += seconds

    def size(self, left: int, ahead: int) -> int:
        """Returns the number of games of the next chunk.

        Args:
            left: How many games are not played yet.
            ahead: How many chunks are handed out at a time, each of which should get some.
        """
        if not self._games:
            return 1
        fitting = self._games * CHUNK_SECONDS / max(self._seconds, 1e-9)
        self._last = max(1, min(int(fitting), 2 * self._last, left // ahead))
        return self._last
