"""What is written down of a run: all that is needed to submit it, find it again and read it.

A record is JSON. It holds no token and no CRN, of which only a salted hash is kept, and it needs
neither the game nor the compiler to be read: it says itself how its bits are decoded.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from io import BytesIO
from typing import Any
from uuid import uuid4

from qiskit import QuantumCircuit, qpy

from ..checksums import checksum
from ..decoders import decoder_from_json, require_width
from ..distribution import ROUNDING, distribution_from_json
from ..errors import RecordError
from ..experiment import Experiment

FORMAT = "qttt-circuits run"
VERSION = 2
"""The version that is written; in version 1 every distribution was the table of its outcomes."""
READ = (1, VERSION)
"""The versions that are read."""

PREPARED, SUBMITTED, DONE, FAILED, CANCELLED = (
    "prepared",
    "submitted",
    "done",
    "failed",
    "cancelled",
)
STATUSES = (PREPARED, SUBMITTED, DONE, FAILED, CANCELLED)


@dataclass(frozen=True)
class JobRecord:
    """One run; immutable, as everything that happens to a run writes a new one in its place.

    Attributes:
        run_id: Our own name of the run.
        created: When it was recorded, UTC.
        status: One of `STATUSES`. ``prepared`` means that no job id is known: the job was not
            submitted, or it is not known whether it was.
        backend: The backend's name.
        game: The record of the game.
        experiment: The settings, decoder, distribution and predicted acceptance.
        shots: Shots asked for.
        seed: The seed of layouts and local simulators.
        circuits: The circuits in the backend's gates, as QPY in base64: the experiment's, then two
            of readout calibration if there are any.
        registers: The classical registers of the experiment's circuit, with their sizes.
        qubits: The backend's qubit that is measured into each clbit.
        calibrated: The backend's qubits that the calibration circuits measure.
        fidelity: The predicted fidelity.
        suppress: Error suppression asked for.
        max_seconds: The cap on device time, if there is one.
        instance: The salted hash of the account's instance; empty for a local run.
        salt: Its salt.
        versions: Versions of the packages.
        job_id: The backend's name of the job, once it is known.
        job_ids_cancelled: Other jobs of this run that were found and cancelled.
        error: What went wrong, if something did.
    """

    run_id: str
    created: str
    status: str
    backend: str
    game: Mapping[str, Any]
    experiment: Mapping[str, Any]
    shots: int
    seed: int
    circuits: tuple[str, ...]
    registers: Mapping[str, int]
    qubits: tuple[int, ...]
    calibrated: tuple[int, ...] = ()
    fidelity: float | None = None
    suppress: tuple[str, ...] = ()
    max_seconds: int | None = None
    instance: str = ""
    salt: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    job_id: str | None = None
    job_ids_cancelled: tuple[str, ...] = ()
    error: str | None = None

    @property
    def local(self) -> bool:
        """Whether the run is simulated here rather than sent away."""
        return not self.instance

    def to_json(self) -> dict[str, Any]:
        """Returns the record as JSON-able data."""
        data = {"format": FORMAT, "version": VERSION, **asdict(self)}
        return {**data, "checksum": checksum(data)}

    @classmethod
    def from_json(cls, data: object) -> JobRecord:
        """Returns the record that JSON data describe.

        Raises:
            RecordError: If they are no such record, or one of another version.
        """
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise RecordError(f"not the record of a run: its 'format' is not {FORMAT!r}")
        if type(data.get("version")) is not int or data["version"] not in READ:
            raise RecordError(
                f"a record of version {data.get('version')!r}; this program reads "
                f"{' and '.join(map(str, READ))}"
            )
        if "checksum" in data and data["checksum"] != checksum(data):
            raise RecordError("a record that was changed: its checksum is not that of its content")
        known = {f.name: data[f.name] for f in fields(cls) if f.name in data}
        for name in ("circuits", "qubits", "calibrated", "suppress", "job_ids_cancelled"):
            if isinstance(known.get(name), Sequence):
                known[name] = tuple(known[name])
        try:
            record = cls(**known)
        except TypeError as error:
            raise RecordError("a record of which a part is missing") from error
        try:
            sound = record._sound()
        except (TypeError, ValueError, AttributeError):
            sound = False
        if not sound:
            raise RecordError("a record of which a part is damaged")
        return record

    def _sound(self) -> bool:
        """Whether the parts have the types and sizes that they must have."""
        texts = (self.run_id, self.created, self.status, self.backend, self.instance, self.salt)
        settings = self.experiment.get("settings") if isinstance(self.experiment, Mapping) else None
        return (
            all(isinstance(text, str) for text in texts)
            and self.status in STATUSES
            and type(self.shots) is int
            and self.shots > 0
            and type(self.seed) is int
            and isinstance(self.game, Mapping)
            and isinstance(settings, Mapping)
            and "position" in settings
            and all(isinstance(text, str) for text in settings.values())
            and isinstance(self.registers, Mapping)
            and all(type(size) is int and size > 0 for size in self.registers.values())
            and len(self.qubits) == sum(self.registers.values())
            and (not self.calibrated or {*self.qubits} <= {*self.calibrated})
            and len(self.circuits) == (3 if self.calibrated else 1)
            and all(isinstance(circuit, str) for circuit in self.circuits)
            and all(type(qubit) is int for qubit in (*self.qubits, *self.calibrated))
            and all(isinstance(text, str) for text in (*self.suppress, *self.job_ids_cancelled))
        )

    def load_circuits(self) -> list[QuantumCircuit]:
        """Returns the circuits.

        Raises:
            RecordError: If they are damaged.
        """
        try:
            return [qpy.load(BytesIO(base64.b64decode(text)))[0] for text in self.circuits]
        except Exception as error:
            raise RecordError(f"run {self.run_id}: its circuits are damaged") from error

    def load_experiment(self) -> Experiment:
        """Returns the experiment as far as reading its bits needs it.

        Raises:
            RecordError: If it is damaged.
        """
        circuit = self.load_circuits()[0]
        try:
            decoder = decoder_from_json(self.experiment["decoder"])
            require_width(decoder, sum(self.registers.values()))
            distribution = distribution_from_json(self.experiment["distribution"])
            acceptance = self.experiment["predicted_acceptance"]
            if not 0 <= acceptance <= 1 + ROUNDING:
                raise ValueError("a probability that is none")
            return Experiment(
                preparation=circuit,
                circuit=circuit,
                decoder=decoder,
                distribution=distribution,
                predicted_acceptance=float(acceptance),
                factors=(),
                settings=dict(self.experiment["settings"]),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise RecordError(f"run {self.run_id}: its experiment is damaged") from error


def dump_circuit(circuit: QuantumCircuit) -> str:
    """Returns a circuit as QPY in base64."""
    buffer = BytesIO()
    qpy.dump(circuit, buffer)
    return base64.b64encode(buffer.getvalue()).decode()


def new_run_id() -> str:
    """Returns a fresh name for a run."""
    return f"qttt-{uuid4().hex[:12]}"


def now() -> str:
    """Returns the time, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
