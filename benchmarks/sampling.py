"""How long it takes to compile and to sample the documents' positions on Aer, by encoding.

Compiling is from a position to an experiment, as a ratio to a bare Python loop of 10,000
multiply-adds. Sampling is the whole call, transpiling and decoding included, as a ratio to the
time that Aer itself reports for simulating the transpiled circuit, whole, with as many shots. Only
running the parts of a circuit that have nothing to do with each other apart goes below that. The
last row is many experiments in one call, the half-cancelling position over and over; its times are
for all of them together.
"""

from __future__ import annotations

from statistics import median
from typing import Any

from positions import DOCUMENTS, play
from qiskit_aer import AerSimulator
from report import (
    bare_loop,
    parser,
    positive,
    repeated,
    report,
    script,
    settings_of,
    shot_count,
    spread,
    timed,
)

from qttt_circuits import Experiment, sample_many
from qttt_circuits.backends import Aer
from qttt_circuits.encodings import encodings
from qttt_circuits.execution import generic_pass_manager

POSITIONS = (*DOCUMENTS, ("full board", "tiqtaqtoe", "1,8 2,8 6 6,9 3,7 4,7 5"))
MANY = ("half-cancelling", "cancelling", "1,2 -2,3")


def aer_alone(experiment: Experiment, shots: int, repeats: int) -> float:
    """Returns the median time that Aer reports for simulating a transpiled circuit.

    It is of the simulation alone: neither Qiskit's conversion of the circuit before it nor that of
    the result after it.
    """
    circuit = generic_pass_manager().run(experiment.circuit)
    method = Aer().method_for(circuit.num_qubits)
    simulator = AerSimulator(method=method, max_parallel_threads=1, seed_simulator=1)
    runs = [simulator.run(circuit, shots=shots, memory=True).result() for _ in range(repeats)]
    return median(run.results[0].time_taken for run in runs)


def measure(shots: int, repeats: int, many: int) -> list[dict[str, Any]]:
    """Measures every position in every encoding once."""
    rows: list[dict[str, Any]] = []
    for name, rules, moves in POSITIONS:
        game = play(rules, moves)
        for encoding in encodings():

            def compiled(game: Any = game, encoding: str = encoding) -> Experiment:
                made: Experiment = game.experiment(encoding=encoding)
                return made

            experiment = compiled()
            sample_many([experiment], shots=1, seed=1)  # fills the caches
            compiling = timed(compiled, repeats)
            sampling = timed(lambda e=experiment: sample_many([e], shots=shots, seed=1), repeats)
            alone = aer_alone(experiment, shots, repeats)
            for what, times, baseline in (
                ("compile", compiling, bare_loop()),
                ("sample", sampling, alone),
            ):
                rows.append(_row(name, encoding, what, experiment, times, baseline))
    name, rules, moves = MANY
    experiment = play(rules, moves).experiment()
    times = timed(lambda: sample_many([experiment] * many, shots=shots, seed=1), 1)
    alone = many * aer_alone(experiment, shots, repeats)
    encoding = experiment.settings["encoding"]
    rows.append(_row(name, encoding, f"sample {many}", experiment, times, alone))
    return rows


def _row(
    position: str,
    encoding: str,
    what: str,
    experiment: Experiment,
    times: list[float],
    baseline: float,
) -> dict[str, Any]:
    summary = spread(times)
    return {
        "position": position,
        "encoding": encoding,
        "what": what,
        "qubits": experiment.circuit.num_qubits,
        **summary,
        "baseline": baseline,
        "ratio": summary["median"] / baseline,
    }


def main() -> None:
    arguments = parser(__doc__, runs=2)
    arguments.add_argument("--shots", type=shot_count, default=10_000, metavar="N")
    arguments.add_argument("--repeats", type=positive, default=5, metavar="N", help="medians of N")
    arguments.add_argument("--many", type=positive, default=1000, metavar="N", help="in one call")
    given = arguments.parse_args()
    rows = repeated(lambda: measure(given.shots, given.repeats, given.many), given.runs)
    note = (
        f"medians of {given.repeats}, {given.shots} shots. The baseline is a bare loop of 10,000 "
        "multiply-adds\nfor compiling, and the time that Aer reports for itself for sampling"
    )
    settings = {**settings_of(given), "backend": "aer"}
    report("compiling and sampling", rows, as_json=given.json, settings=settings, note=note)


if __name__ == "__main__":
    script(main)
