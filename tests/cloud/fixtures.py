"""Fixtures of tests that talk to the stand-in: ``pytest_plugins = ("cloud.fixtures",)``.

One server, one service and one transpiled circuit serve all tests of a module; jobs, faults and
requests are forgotten before each test.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.transpiler import generate_preset_pass_manager
from qiskit_ibm_runtime import QiskitRuntimeService
from qiskit_ibm_runtime.executor_sampler import Sampler

from .control import StandIn

BACKEND = "ibm_torino"
SHOTS = 200


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandIn]:
    """The stand-in, and this process pointed at it."""
    with StandIn(tmp_path_factory.mktemp("cloud")) as cloud, pytest.MonkeyPatch.context() as patch:
        cloud.point(patch)
        yield cloud


@pytest.fixture
def cloud(started: StandIn) -> Iterator[StandIn]:
    """The stand-in with no job, no fault and no request."""
    started.reset()
    yield started
    started.clear()


@pytest.fixture(scope="module")
def service(started: StandIn) -> QiskitRuntimeService:
    """The client's service."""
    return QiskitRuntimeService()


@pytest.fixture(scope="module")
def backend(service: QiskitRuntimeService) -> Any:
    """The client's backend."""
    return service.backend(BACKEND)


@pytest.fixture(scope="module")
def circuit(backend: Any) -> QuantumCircuit:
    """Three qubits, of which the first is 1; registers of two bits and of one."""
    pair, single = ClassicalRegister(2, "pair"), ClassicalRegister(1, "single")
    circuit = QuantumCircuit(QuantumRegister(3), pair, single)
    circuit.x(0)
    circuit.h(2)
    circuit.measure([0, 1], pair)
    circuit.measure(2, single[0])
    return generate_preset_pass_manager(0, backend=backend).run(circuit)


@pytest.fixture
def submit(cloud: StandIn, backend: Any, circuit: QuantumCircuit) -> Callable[..., Any]:
    """Submits the circuit, or other PUBs, with tags."""

    def call(*tags: str, sampler: Any = Sampler, pubs: Any = None) -> Any:
        primitive = sampler(mode=backend)
        primitive.options.environment.job_tags = list(tags)
        return primitive.run(pubs or [circuit], shots=SHOTS)

    return call
