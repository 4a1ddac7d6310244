"""IBM's devices and noise snapshots: the only module that imports the runtime (extra ``ibm``).

An account is an API key and an instance CRN, saved with ``QiskitRuntimeService.save_account`` or
given in ``QISKIT_IBM_TOKEN`` and ``QISKIT_IBM_INSTANCE``. This library saves none.
"""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

from qiskit import QuantumCircuit
from qiskit.primitives import BaseSamplerV2
from qiskit.providers import BackendV2

from .errors import ExecutionError, MissingExtraError, UnknownNameError, one_line
from .measured import Measured
from .secrets import ScrubbingFilter, remember, scrub

HOW_TO_SAVE = (
    "save one with QiskitRuntimeService.save_account(channel='ibm_quantum_platform', token=…, "
    "instance=…) or set QISKIT_IBM_TOKEN and QISKIT_IBM_INSTANCE"
)
DEADLINE = 60.0
"""How many seconds a question may take: the client itself would wait for ever."""
T = TypeVar("T")
SUPPRESSIONS = ("dd", "twirling")


def _runtime() -> Any:
    try:
        import qiskit_ibm_runtime
    except ImportError as error:
        raise MissingExtraError("a backend of IBM's", "ibm") from error
    _scrub_logs()
    return qiskit_ibm_runtime


_SCRUBBING = ScrubbingFilter()
_LOGGERS = (
    "qiskit_ibm_runtime",
    "qiskit_runtime_service",
    "ibm_cloud_sdk_core",
    "ibm-cloud-sdk-core",
    "ibm_platform_services",
)


def _scrub_logs() -> None:
    # the filter of a logger does not see what its children log, and children come with the modules
    # that are imported later: each gets the filter, whenever the runtime is about to be used
    for name in [*logging.root.manager.loggerDict, *_LOGGERS]:
        if name.startswith(_LOGGERS):
            logger = logging.getLogger(name)
            logger.addFilter(_SCRUBBING)
            for handler in logger.handlers:
                handler.addFilter(_SCRUBBING)


@cache
def _fakes() -> dict[str, BackendV2]:
    _runtime()
    from qiskit_ibm_runtime.fake_provider import FakeProviderForBackendV2

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some snapshots remark on their own numbers when loaded
        return {backend.name: backend for backend in FakeProviderForBackendV2().backends()}


def fake_backend(name: str) -> BackendV2:
    """Returns one of IBM's noise snapshots, which run offline on Aer.

    Raises:
        UnknownNameError: If there is none of that name.
        MissingExtraError: If the runtime is not installed.
    """
    known = _fakes()
    if name not in known:
        raise UnknownNameError("backend", name, ["aer", *known])
    return known[name]


def fake_names() -> list[str]:
    """Returns the names of the noise snapshots.

    Raises:
        MissingExtraError: If the runtime is not installed.
    """
    return sorted(_fakes())


@contextmanager
def explained() -> Iterator[None]:
    """Turns what the runtime raises into errors of ours that say what would do.

    Raises:
        ExecutionError: Whatever went wrong, without tokens or CRNs.
    """
    _runtime()
    from qiskit_ibm_runtime.accounts import AccountNotFoundError, InvalidAccountError

    try:
        yield
    except AccountNotFoundError:
        raise ExecutionError(f"no IBM account found: {HOW_TO_SAVE}") from None
    except InvalidAccountError as error:
        raise ExecutionError(
            "the IBM account was refused or the network cannot be reached, which look the same: "
            f"check the token, the instance and the connection ({scrub(one_line(error))})"
        ) from None
    except (ExecutionError, UnknownNameError):
        raise
    except Exception as error:
        raise ExecutionError(f"IBM: {scrub(one_line(error))}") from None


class UnreachableError(ExecutionError):
    """The service did not answer: nothing is known of the run that was not known before."""


def within(seconds: float, question: Callable[[], T]) -> T:
    """Returns the answer to a question that is given so many seconds.

    Raises:
        UnreachableError: If there is no answer by then; the question is left behind.
    """
    answers: list[T] = []
    errors: list[BaseException] = []

    def ask() -> None:
        try:
            answers.append(question())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not answers:
        raise UnreachableError(f"IBM did not answer within {seconds:g} seconds")
    return answers[0]


def service() -> Any:
    """Returns a service for the saved account or that of the environment.

    Raises:
        ExecutionError: If there is none, or it is refused, or nothing can be reached.
    """
    with explained():
        made = within(DEADLINE, _runtime().QiskitRuntimeService)
        account: Mapping[str, Any] = made.active_account() or {}
        for secret in ("token", "instance"):
            remember(account.get(secret))
        return made


def backend(name: str) -> BackendV2:
    """Returns a device that the account can use.

    Raises:
        UnknownNameError: If there is none of that name.
        ExecutionError: If the service cannot be used.
    """
    made = service()
    known = [device.name for device in _devices(made)]
    if name not in known:
        raise UnknownNameError("backend", name, known)
    return device_of(made, name)


def device_of(made: Any, name: str) -> BackendV2:
    """Returns a device of a service by name.

    Raises:
        ExecutionError: If the service cannot be used.
    """
    with explained():
        return within(DEADLINE, lambda: made.backend(name))


def devices() -> list[BackendV2]:
    """Returns the devices that the account can use.

    Raises:
        ExecutionError: If the service cannot be used, or lists none.
    """
    return _devices(service())


def _devices(made: Any) -> list[BackendV2]:
    with explained():
        found = list(within(DEADLINE, made.backends))
        if not found:
            raise ExecutionError("IBM lists no backend: the service cannot be reached at present")
        return found


def sampler(mode: Any, *, suppress: tuple[str, ...] = (), seconds: int | None = None) -> Any:
    """Returns a sampler of the runtime.

    Args:
        mode: A backend, or a ``Batch``.
        suppress: ``dd`` for dynamical decoupling, ``twirling`` for Pauli twirling of gates and
            measurements.
        seconds: The most device time that its job may take.
    """
    _runtime()
    from qiskit_ibm_runtime.executor_sampler import Sampler

    _scrub_logs()
    made: BaseSamplerV2 = Sampler(mode=mode)
    if "dd" in suppress:
        made.options.dynamical_decoupling.enable = True
    if "twirling" in suppress:
        made.options.twirling.enable_gates = True
        made.options.twirling.enable_measure = True
    if seconds is not None:
        made.options.max_execution_time = seconds
    return made


def run(circuits: Sequence[QuantumCircuit], backend: BackendV2, *, shots: int) -> list[Measured]:
    """Runs circuits on a device as one job, waits for it, and returns what it measured.

    Raises:
        ExecutionError: If the service or the job fails.
    """
    with explained():
        answers = sampler(backend).run([(circuit,) for circuit in circuits], shots=shots).result()
        return [answer.data for answer in answers]


def is_hardware(backend: BackendV2) -> bool:
    """Returns whether a backend is one of IBM's that costs device time."""
    if not type(backend).__module__.startswith("qiskit_ibm_runtime"):
        return False
    return type(backend).__name__ == "IBMBackend" and not getattr(backend, "simulator", False)
