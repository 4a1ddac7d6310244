"""How far noise takes the half-cancelling position from exact, with and without post-selection.

On noise snapshots of devices ("fake" backends, offline): the total variation distance of the raw
shots, of those that post-selection keeps without and with the count of pieces, and after readout
mitigation. Beside it, in the same job, Qiskit's ``StatePreparation`` of the same state in ``pair``
on all six bits, read raw, and how many times as far it is.

    python benchmarks/noise.py                    a table
    python benchmarks/noise.py fake_kyiv          another snapshot
    python benchmarks/noise.py --json             the same as one JSON document
"""

from __future__ import annotations

from typing import Any

from positions import play
from qiskit import QuantumCircuit
from qiskit.circuit.library import StatePreparation
from qiskit.providers import BackendV2
from report import natural, parser, report, script, shot_count

from qttt_circuits.adapter import run_on_backend
from qttt_circuits.backends import Aer, resolve
from qttt_circuits.cli.tables import print_table
from qttt_circuits.device import raw_distance
from qttt_circuits.errors import OptionError
from qttt_circuits.experiment import Experiment, measure_into
from qttt_circuits.fit import total_variation
from qttt_circuits.measured import measured_bits, registers_of
from qttt_circuits.mitigation import assignments, calibration_circuits, mitigate
from qttt_circuits.placement import place

RULES, MOVES = "cancelling", "1,2 -2,3"
ENCODINGS = ("spin", "pair")
DEVICES = ("fake_torino", "fake_fez", "fake_sherbrooke")


def generic() -> Experiment:
    """Returns the same state prepared without any structure, on all six bits of ``pair``."""
    whole = play(RULES, MOVES).experiment(encoding="pair", synthesis="state", elide=False)
    state = whole.decoder.state(play(RULES, MOVES).amplitudes())
    assert state is not None
    circuit = QuantumCircuit(6)
    circuit.append(StatePreparation(state.vector), state.qubits)
    return Experiment(
        preparation=circuit,
        circuit=measure_into(circuit, 6),
        decoder=whole.decoder.unchecked(),
        distribution=whole.distribution,
        predicted_acceptance=1.0,
        factors=(state,),
        settings={"experiment": "StatePreparation"},
    )


def snapshot(name: str) -> BackendV2:
    """Returns a device that makes errors.

    Raises:
        QtttError: If it makes none, or there is no such device.
    """
    backend = resolve(name)
    if isinstance(backend, Aer):
        raise OptionError(f"{name} makes no errors: name a fake backend")
    return backend


def measure(name: str, backend: BackendV2, shots: int, seed: int) -> list[dict[str, Any]]:
    """Returns a row for each encoding on one snapshot; all circuits are one job."""
    game = play(RULES, MOVES)
    experiments = [*(game.experiment(encoding=e) for e in ENCODINGS), generic()]
    placed = place([e.circuit for e in experiments], backend, seed=seed)
    qubits = sorted({q for p in placed for q in p.qubits})
    calibrations = calibration_circuits(qubits, backend)
    circuits = [*(p.circuit for p in placed), *calibrations]
    answers = run_on_backend(circuits, backend, shots=shots, seed=seed)
    bits = [
        measured_bits(answer, registers_of(circuit))
        for answer, circuit in zip(answers, circuits, strict=True)
    ]
    matrices = dict(zip(qubits, assignments(*bits[len(placed) :]), strict=True))
    # bits that stand for no board count as a result of their own
    generic_tvd = raw_distance(experiments[-1], bits[len(ENCODINGS)])
    rows = []
    for i, encoding in enumerate(ENCODINGS):
        loose = game.experiment(encoding=encoding, check_pieces=False)
        result = experiments[i].decode(answers[i])
        tvd = total_variation(result.frequencies, result.experiment.distribution)
        rows.append(
            {
                "device": name,
                "encoding": encoding,
                "raw": raw_distance(experiments[i], bits[i]),
                "selected_without_pieces": loose.decode(answers[i]).fit().tvd,
                "selected": tvd,
                "mitigated": mitigate(experiments[i], bits[i], placed[i].qubits, matrices).tvd,
                "accepted": result.acceptance,
                "state_preparation_raw": generic_tvd,
                "ratio": generic_tvd / tvd if tvd else None,
            }
        )
    return rows


def main() -> None:
    """Reads the arguments and measures."""
    arguments = parser((__doc__ or "").splitlines()[0])
    arguments.add_argument("devices", nargs="*", default=list(DEVICES), metavar="fake_NAME")
    arguments.add_argument("--shots", type=shot_count, default=50_000, metavar="N")
    arguments.add_argument("--seed", type=natural, default=1, metavar="N")
    given = arguments.parse_args()
    devices = {name: snapshot(name) for name in given.devices}
    rows = [
        row
        for name, backend in devices.items()
        for row in measure(name, backend, given.shots, given.seed)
    ]
    settings = {
        "position": f"{RULES} {MOVES}",
        "devices": given.devices,
        "shots": given.shots,
        "seed": given.seed,
    }
    if given.json:
        report("noise", rows, as_json=True, settings=settings)
        return
    print_table(
        f"distance from exact after {given.shots} shots, {RULES} {MOVES}",
        ["device", "encoding", "raw", "no pieces", "selected", "mitigated", "generic", "ratio"],
        [_cells(row) for row in rows],
    )
    print("no pieces: post-selected without counting them; generic: StatePreparation, read raw")


def _cells(row: dict[str, Any]) -> list[str]:
    distances = ("raw", "selected_without_pieces", "selected", "mitigated", "state_preparation_raw")
    ratio = "-" if row["ratio"] is None else f"{row['ratio']:.0f}"
    return [row["device"], row["encoding"], *(f"{row[key]:.4f}" for key in distances), ratio]


if __name__ == "__main__":
    script(main)
