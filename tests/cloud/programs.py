"""Running what was submitted, on Aer.

Two programs are known: ``sampler`` (of ``qiskit_ibm_runtime.SamplerV2``), whose parameters are
circuits with their values and shots, and ``executor`` (of ``executor_sampler.Sampler``), whose
parameters are a quantum program in one of the schemas of the client. What IBM's servers do to a
``sampler`` job by its options (decoupling, twirling) is not done here; for ``executor`` jobs the
client does it itself and it arrives in the circuits.

This module imports Qiskit, Aer and the client library, which takes seconds.
"""

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from ibm_quantum_schemas.common import CompressedTensorModel
from ibm_quantum_schemas.executor.version_2_0 import QuantumProgramResultModel
from qiskit import QuantumCircuit
from qiskit.primitives import PrimitiveResult, SamplerPubResult
from qiskit.primitives.containers.sampler_pub import SamplerPub
from qiskit_aer import AerSimulator
from qiskit_aer.noise import NoiseModel
from qiskit_aer.noise.device.models import (
    basic_device_gate_errors,
    basic_device_readout_errors,
)
from qiskit_aer.primitives import SamplerV2 as AerSampler
from qiskit_ibm_runtime import RuntimeDecoder, RuntimeEncoder, fake_provider
from qiskit_ibm_runtime.fake_provider.executor.run_quantum_program import run_quantum_program
from qiskit_ibm_runtime.options_models.simulator import SimulatorOptions
from qiskit_ibm_runtime.quantum_program import QuantumProgram
from qiskit_ibm_runtime.quantum_program.params_converters import QUANTUM_PROGRAM_PARAMS_CONVERTERS
from samplomatic.quantum_program import SamplexItem

from .devices import SNAPSHOTS

DEFAULT_SHOTS = 4096
WIDEST_STATEVECTOR = 20


class Runner:
    """Runs jobs.

    Args:
        noise: Whether with the noise of the backend's snapshot.
        salt: Goes into all seeds.
    """

    def __init__(self, noise: bool = False, salt: str = "") -> None:
        self._noise = noise
        self._salt = salt

    def run(self, program: str, backend: str, params: dict[str, Any]) -> str:
        """Runs a job.

        Args:
            program: The name of the program.
            backend: The name of the backend.
            params: The parameters, as submitted.

        Returns:
            What the client has to be answered when it asks for the results.

        Raises:
            ValueError: The program is not known.
        """
        if program == "sampler":
            return self._sampler(backend, params)
        if program == "executor":
            return self._executor(backend, params)
        raise ValueError(f"the stand-in has no program {program!r}")

    def _sampler(self, backend: str, encoded: dict[str, Any]) -> str:
        params = json.loads(json.dumps(encoded), cls=RuntimeDecoder)
        options = params.get("options", {})
        shots = options.get("default_shots", DEFAULT_SHOTS)
        if options.get("execution", {}).get("meas_type", "classified") != "classified":
            raise ValueError("the stand-in measures bits only")
        results = []
        for index, given in enumerate(params["pubs"]):
            pub = SamplerPub.coerce(tuple(given), shots)
            seed = self._seed(pub.circuit, pub.shots, index)
            sampler = AerSampler.from_backend(self._simulator(backend, pub.circuit), seed=seed)
            data = sampler.run([pub]).result()[0].data
            metadata = {"circuit_metadata": pub.circuit.metadata or {}}
            results.append(SamplerPubResult(data, metadata))
        return json.dumps(PrimitiveResult(results, {"version": 2}), cls=RuntimeEncoder)

    def _executor(self, backend: str, params: dict[str, Any]) -> str:
        converter = QUANTUM_PROGRAM_PARAMS_CONVERTERS[params["schema_version"]]
        program, _ = converter.decoder(converter.model(**params))
        if program.meas_level != "classified":
            raise ValueError("the stand-in measures bits only")
        items = []
        for index, item in enumerate(program.items):
            if isinstance(item, SamplexItem):
                item.samplex.finalize()
            # one item at a time: items of one program would all get the same seed
            seed = self._seed(item.circuit, program.shots, index)
            result = run_quantum_program(
                self._simulator(backend, item.circuit),
                QuantumProgram(program.shots, items=[item]),
                SimulatorOptions(seed_simulator=seed),
            )
            tensors = {
                name: CompressedTensorModel.from_numpy(array) for name, array in result[0].items()
            }
            items.append({"results": tensors, "metadata": {}})
        submitted = params["quantum_program"]
        model = QuantumProgramResultModel(
            data=items,
            metadata={"chunk_timing": []},
            passthrough_data=submitted.get("passthrough_data"),
            semantic_role=submitted.get("semantic_role"),
        )
        return str(model.model_dump_json())

    def _simulator(self, backend: str, circuit: QuantumCircuit) -> AerSimulator:
        used = {qubit for step in circuit.data for qubit in step.qubits}
        wide = len(used) > WIDEST_STATEVECTOR
        method = "matrix_product_state" if wide else "automatic"
        simulator = AerSimulator(method=method, max_parallel_threads=1)
        if self._noise:
            places = {circuit.find_bit(qubit).index for qubit in used}
            simulator.set_options(noise_model=noise_at(backend, places))
        return simulator

    def _seed(self, circuit: QuantumCircuit, shots: int, index: int) -> int:
        """Makes a seed of what is measured, not of names that change from process to process."""
        content = repr((self._salt, shots, index, list(steps(circuit))))
        return int.from_bytes(hashlib.sha256(content.encode()).digest()[:4]) >> 1


@cache
def errors(backend: str) -> tuple[list[Any], list[Any]]:
    """Returns the errors of a backend's snapshot, of gates and of readout."""
    target = getattr(fake_provider, f"Fake{SNAPSHOTS[backend].capitalize()}")().target
    return basic_device_gate_errors(target=target), basic_device_readout_errors(target=target)


def noise_at(backend: str, places: set[int]) -> NoiseModel:
    """Returns the noise of some qubits only: with that of all of them a run takes seconds.

    Args:
        backend: The name of the backend.
        places: The numbers of the qubits.
    """
    noise = NoiseModel()
    of_gates, of_readout = errors(backend)
    for gate, qubits, error in of_gates:
        if places.issuperset(qubits):
            noise.add_quantum_error(error, gate, qubits)
    for qubits, error in of_readout:
        if places.issuperset(qubits):
            noise.add_readout_error(error, qubits)
    return noise


def steps(circuit: QuantumCircuit) -> Iterator[tuple[Any, ...]]:
    """Lists what a circuit does: its registers, then its operations on numbered bits."""
    yield from ((register.name, register.size) for register in circuit.cregs)
    for step in circuit.data:
        qubits = [circuit.find_bit(qubit).index for qubit in step.qubits]
        clbits = [circuit.find_bit(clbit).index for clbit in step.clbits]
        yield (step.operation.name, [str(p) for p in step.operation.params], qubits, clbits)
