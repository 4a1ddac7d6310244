"""How long it takes to compile and to sample the documents' positions on Aer, by encoding.

Compiling is from a position to an experiment; sampling is the whole call, transpiling included.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from positions import DOCUMENTS, play
from report import parser, report, spread

from qttt_circuits import sample_many
from qttt_circuits.encodings import encodings

POSITIONS = (*DOCUMENTS, ("full board", "tiqtaqtoe", "1,8 2,8 6 6,9 3,7 4,7 5"))


def timed(work: Callable[[], object], repeats: int) -> float:
    """Returns the median time of some work."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return spread(times)["median"]


def main() -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--shots", type=int, default=10_000, metavar="N")
    arguments.add_argument("--repeats", type=int, default=5, metavar="N", help="medians are of N")
    given = arguments.parse_args()
    rows = []
    for name, rules, moves in POSITIONS:
        game = play(rules, moves)
        for encoding in encodings():
            experiment = game.experiment(encoding=encoding)
            sample_many([experiment], shots=1, seed=1)  # fills the caches
            rows.append(
                {
                    "position": name,
                    "encoding": encoding,
                    "qubits": experiment.circuit.num_qubits,
                    "compile": timed(
                        lambda game=game, encoding=encoding: game.experiment(encoding=encoding),
                        given.repeats,
                    ),
                    "sample": timed(
                        lambda experiment=experiment: sample_many(
                            [experiment], shots=given.shots, seed=1
                        ),
                        given.repeats,
                    ),
                }
            )
    settings = {"shots": given.shots, "repeats": given.repeats, "backend": "aer"}
    note = f"medians of {given.repeats}, {given.shots} shots"
    report("compiling and sampling", rows, as_json=given.json, settings=settings, note=note)


if __name__ == "__main__":
    main()
