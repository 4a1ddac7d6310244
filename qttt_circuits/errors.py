"""Every error this library raises: one line that says what was wrong, where, and what would do."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 1000
"""How many characters of a message are shown; what people type has no limit."""
SHORT = 150
"""How many characters of a move or position are shown in a message, so that the reason fits."""


def shortened(text: str, most: int) -> str:
    """Returns a text without its middle if it is longer than so many characters."""
    half = most // 2 - 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


class QtttError(Exception):
    """Base of all errors of this library.

    Attributes:
        exit_status: What the command line exits with when the error reaches it:
            2 for wrong use or an illegal move, 3 for a failed run.
    """

    exit_status = 2

    def __str__(self) -> str:
        return shortened(" ".join(super().__str__().split()), LONGEST)

    def __reduce__(self) -> tuple[object, ...]:
        # constructors take other arguments than the message, so they are not called again
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(cls: type[QtttError], args: tuple[object, ...], state: dict[str, object]) -> QtttError:
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class NotationError(QtttError, ValueError):
    """Text that is not a move, a board or a number in the library's notation."""


class IllegalMoveError(QtttError, ValueError):
    """A move that the rules refuse in this position.

    Attributes:
        move: The move as text.
        position: The position as text: the rules and the moves so far.
        reason: Why the rules refuse it.
    """

    def __init__(self, move: str, position: str, reason: str) -> None:
        shown = shortened(move, SHORT), shortened(position, SHORT)
        super().__init__(f"illegal move {shown[0]!r} in {shown[1]}: {reason}")
        self.move = move
        self.position = position
        self.reason = reason


class RecordError(QtttError, ValueError):
    """A record that is damaged, of another version, or that does not replay."""


class StoreError(QtttError, OSError):
    """A run that is not in the store, or a store that cannot be written."""


class OptionError(QtttError, ValueError):
    """An option with a value that cannot be used."""


class UnknownNameError(OptionError):
    """A name that is not registered; the message offers the nearest one.

    Args:
        what: The kind of thing that was asked for, such as ``"encoding"``.
        name: The name that was given.
        known: The names that exist.
    """

    def __init__(self, what: str, name: object, known: Iterable[str]) -> None:
        known = sorted(known)
        super().__init__(f"unknown {what} {name!r}{did_you_mean(str(name), known)}")
        self.name = name
        self.known = known


class TooManyBoardsError(OptionError):
    """A table of more boards than are written down.

    Args:
        boards: How many there are.
        most: The most that are written down.
    """

    def __init__(self, boards: int, most: int) -> None:
        super().__init__(
            f"an observation could show {boards:,} boards, more than the {most:,} that are listed "
            "one by one: ask for components() or marginals() instead (in a shell, --components)"
        )
        self.boards = boards


class ExecutionError(QtttError, RuntimeError):
    """A sampler or backend that failed or answered in a form that cannot be used."""

    exit_status = 3


class MissingExtraError(QtttError, ImportError):
    """A package that an optional part of this library needs is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional package: pip install 'qttt-circuits[{extra}]'")


class ImpossibleOutcomeError(ExecutionError):
    """A run whose first accepted shot shows what cannot be: the backend made errors."""


class NoAcceptedShotsError(ExecutionError):
    """A run in which post-selection kept no shot.

    Attributes:
        shots: How many shots came back.
        rejected: Their number by reason of rejection.
        predicted_acceptance: The fraction that should have been accepted.
    """

    def __init__(self, shots: int, rejected: dict[str, int], predicted_acceptance: float) -> None:
        reasons = ", ".join(f"{reason} {n}" for reason, n in rejected.items() if n) or "none"
        super().__init__(
            f"none of {shots} shots was accepted (rejected: {reasons}; predicted acceptance "
            f"{predicted_acceptance:.4g}): take more shots or a less noisy backend"
        )
        self.shots = shots
        self.rejected = rejected
        self.predicted_acceptance = predicted_acceptance


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Returns the end of a message about an unknown name: the nearest known name, or all of them.

    Args:
        name: The name that was given.
        known: The names that exist.
    """
    import difflib  # only a mistake pays for it

    names = list(known)
    near = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    if near:
        return f"; did you mean {near[0]!r}?"
    return "; known are " + ", ".join(names) if names else ""


def one_line(error: BaseException) -> str:
    """Returns the message of an error in one line."""
    return " ".join(str(error).split()) or type(error).__name__
