"""Two-qubit gates of the circuits of Goff's and of Leaw and Cheong's games.

Goff's: groups of spooky marks, prepared directly and projected. Leaw and Cheong's: the occupations
of a player of k moves, selected by an index register and added by post-selection, beside their sum
prepared directly, and the overlap of two moves; medians over seeded random games.

    python benchmarks/gates_other.py [--games N] [--json]

Circuits with measurements go through `generate_preset_pass_manager(3, basis_gates=["cx", "rz",
"sx", "x"], seed_transpiler=1)`.
"""

from __future__ import annotations

import json
import statistics
from random import Random
from typing import Any

from gates import pass_manager, two_qubit
from qiskit.transpiler import PassManager
from report import parser, positive, script
from rich.console import Console
from rich.progress import track

from qttt_circuits import Experiment, Game
from qttt_circuits.cli.tables import print_table

GROUPS = (
    ("pair of squares", "1,2"),
    ("path of 4 moves", "1,2 2,3 3,6 6,9"),
    ("star of 4 moves", "5,1 5,3 5,7 5,9"),
    ("path of 8 moves", "1,2 2,3 3,6 6,5 5,4 4,7 7,8 8,9"),
    ("star of 8 moves", "5,1 5,2 5,3 5,4 5,6 5,7 5,8 5,9"),
    ("cycle of 2", "4,7 4,7"),
    ("the document's example", "5,8 5,9 5,6 6,8"),
    ("cycle of 9", "1,2 2,3 3,6 6,9 9,8 8,7 7,4 4,5 5,1"),
)
KINDS = (("real", False), ("complex", True))
ENCODINGS = ("one-hot", "binary")


def main() -> None:
    made = parser(__doc__)
    made.add_argument("--games", type=positive, default=3, help="random games of each kind")
    arguments = made.parse_args()
    manager = pass_manager(heavy_hex=False)
    goff = [of_group(name, moves, manager) for name, moves in GROUPS]
    vectors = [
        row
        for kind, complex_amplitudes in KINDS
        for row in of_vectors(kind, complex_amplitudes, arguments.games, manager)
    ]
    if arguments.json:
        document = {"benchmark": "gates-other", "games": arguments.games}
        print(json.dumps({**document, "goff": goff, "leaw-cheong": vectors}, indent=2))
        return
    _table("Goff's game: CX", goff)
    _table("Leaw and Cheong's game: CX, medians", vectors)


def of_group(name: str, moves: str, manager: PassManager) -> dict[str, Any]:
    """Returns the figures of a group of spooky marks."""
    game = Game("goff")
    for move in moves.split():
        game.push(move)
    row: dict[str, Any] = {"group": name, "moves": moves}
    for circuit in ("direct", "projected"):
        experiment = game.experiment(circuit=circuit)
        row[f"{circuit} CX"] = gates(experiment, manager)
        row[f"{circuit} acceptance"] = experiment.predicted_acceptance
    return row


def of_vectors(
    kind: str, complex_amplitudes: bool, games: int, manager: PassManager
) -> list[dict[str, Any]]:
    """Returns the figures of occupations and overlaps after each number of moves of a player."""
    found: dict[int, dict[str, list[int]]] = {}
    for seed in track(range(games), kind, console=Console(stderr=True)):
        rng, game = Random(seed), Game("leaw-cheong")
        while game.outcome() is None:
            game.push(
                game.rules.random_move(game.table, rng, complex_amplitudes=complex_amplitudes)
            )
            moves = len(game.history)
            if moves % 2 == 0:
                continue  # what X has after a move, O has as well after the next one
            counts = found.setdefault((moves + 1) // 2, {})
            for encoding in ENCODINGS:
                for circuit in ("occupation", "direct", f"overlap:1,{moves}"):
                    experiment = game.experiment(circuit=circuit, encoding=encoding)
                    key = f"{circuit.partition(':')[0]} {encoding}"
                    counts.setdefault(key, []).append(gates(experiment, manager))
    return [
        {"amplitudes": kind, "k": k, **{key: statistics.median(n) for key, n in counts.items()}}
        for k, counts in sorted(found.items())
    ]


def gates(experiment: Experiment, manager: PassManager) -> int:
    """Returns the two-qubit gates of an experiment."""
    return two_qubit(manager.run(experiment.circuit))


def _table(title: str, rows: list[dict[str, Any]]) -> None:
    cells = [[f"{v:g}" if isinstance(v, float) else str(v) for v in row.values()] for row in rows]
    print_table(title, list(rows[0]), cells, least=110)


if __name__ == "__main__":
    script(main)
