"""Two-qubit gates, depth, qubits and acceptance of positions, by encoding, ancillas and synthesis.

Beside them: Qiskit's `StatePreparation` of the same state in `pair`, on all bits of the squares
played on, and with the constant bits left out; and lower bounds for the documents' positions.

    python benchmarks/gates.py                   the documents' positions
    python benchmarks/gates.py --random 200      medians over random positions, a rule set each
    python benchmarks/gates.py --games 5000      gates a move over random games
    python benchmarks/gates.py --heavy-hex       on the coupling map of a 133-qubit device
    python benchmarks/gates.py --json            everything asked for as one JSON document

Circuits with measurements go through `generate_preset_pass_manager(3, basis_gates=["cx", "rz",
"sx", "x"], seed_transpiler=1)`.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np
from positions import DICE_GAMES, DOCUMENTS, play, random_positions, to_observation
from qiskit import QuantumCircuit
from qiskit.circuit.library import StatePreparation
from qiskit.transpiler import PassManager, generate_preset_pass_manager
from report import Parser, natural, script
from rich.console import Console
from rich.progress import track
from rich.table import Table

from qttt_circuits import Experiment, Game

WAYS = tuple(
    (encoding, ancillas, synthesis)
    for encoding in ("spin", "pair", "gray", "one-hot")
    for ancillas, synthesis in (("needed", "moves"), ("all", "moves"), ("needed", "state"))
)
MOST_GENERIC_QUBITS = 12
SEARCHED = {"half-entangling": 5, "half-cancelling": 3, "spreading": 3, "both halves": 5}
"""What `search.py` finds for the accepted states in `spin`: no fewer CZ with y-rotations do."""


def pass_manager(heavy_hex: bool) -> PassManager:
    """Returns the pass manager that counts are taken after."""
    if not heavy_hex:
        basis = ["cx", "rz", "sx", "x"]
        return generate_preset_pass_manager(3, basis_gates=basis, seed_transpiler=1)
    from qiskit_ibm_runtime.fake_provider import FakeTorino

    coupling = FakeTorino().coupling_map
    basis = ["cz", "rz", "sx", "x"]
    return generate_preset_pass_manager(
        3, basis_gates=basis, coupling_map=coupling, seed_transpiler=1
    )


def two_qubit(circuit: QuantumCircuit) -> int:
    """Returns the number of two-qubit gates."""
    return sum(item.operation.num_qubits == 2 for item in circuit.data)


def measure(experiment: Experiment, manager: PassManager) -> dict[str, Any]:
    """Returns the figures of an experiment."""
    compiled = manager.run(experiment.circuit)
    return {
        "qubits": experiment.circuit.num_qubits,
        "two_qubit": two_qubit(compiled),
        "depth": compiled.depth(),
        "acceptance": experiment.predicted_acceptance,
    }


def generic(game: Game, *, elide: bool, manager: PassManager) -> int | None:
    """Returns the two-qubit gates of `StatePreparation` of the position's state in `pair`."""
    experiment = game.experiment(encoding="pair", synthesis="state", elide=elide)
    target = experiment.decoder.state(game.amplitudes())
    if target is None:
        return 0
    if len(target.qubits) > MOST_GENERIC_QUBITS:
        return None
    circuit = QuantumCircuit(len(target.qubits))
    circuit.append(StatePreparation(target.vector), circuit.qubits)
    circuit.measure_all()
    return two_qubit(manager.run(circuit))


def ratio_to(ours: int, others: int | None) -> float | None:
    """Returns how many times more gates others take; None where nobody needs or can count any."""
    if others is None or ours == others == 0:
        return None
    return others / ours if ours else inf


def entangled_bound(experiment: Experiment) -> int:
    """Returns a lower bound: a group of n qubits that is no product needs n - 1 gates to join."""
    return sum(
        sum(len(group) - 1 for group in _product_groups(factor.vector))
        for factor in experiment.factors
    )


def _product_groups(vector: np.ndarray) -> Iterator[list[int]]:
    """Yields the smallest groups of qubits of which a state is a product."""
    n = len(vector).bit_length() - 1
    left = list(range(n))
    while left:
        for mask in sorted(range(1, 2 ** len(left)), key=lambda m: (m.bit_count(), m)):
            group = [q for i, q in enumerate(left) if mask >> i & 1]
            if left[0] in group and _rank(vector, n, group) == 1:
                yield group
                left = [q for q in left if q not in group]
                break


def _rank(vector: np.ndarray, n: int, group: list[int]) -> int:
    """Returns the Schmidt rank of a group of qubits against the others."""
    rest = [q for q in range(n) if q not in group]
    axes = [n - 1 - q for q in (*group, *rest)]  # little-endian
    matrix = vector.reshape([2] * n).transpose(axes).reshape(2 ** len(group), -1)
    return int(np.linalg.matrix_rank(matrix, tol=1e-9))


def documents(manager: PassManager, *, generics: bool) -> list[dict[str, Any]]:
    """Returns the figures of the documents' positions."""
    rows = []
    for name, rules, moves in track(DOCUMENTS, "documents", console=Console(stderr=True)):
        game = play(rules, moves)
        row: dict[str, Any] = {"position": name, "rules": rules, "moves": moves, "ways": {}}
        for encoding, ancillas, synthesis in WAYS:
            experiment = game.experiment(encoding=encoding, ancillas=ancillas, synthesis=synthesis)
            way = f"{encoding} {ancillas} {synthesis}"
            row["ways"][way] = measure(experiment, manager)
        if generics:
            row["generic"] = {
                "all_bits": generic(game, elide=False, manager=manager),
                "constant_bits_left_out": generic(game, elide=True, manager=manager),
            }
        joined = entangled_bound(game.experiment(synthesis="state"))
        searched = SEARCHED.get(name, 0)
        row["lower_bound_spin_state"] = {
            "gates": max(joined, searched),
            "argument": "exhaustive search of CZ and y-rotations"
            if searched > joined
            else "qubits entangled in a group, less one",
        }
        rows.append(row)
    return rows


def over_random(number: int, manager: PassManager, *, generics: bool) -> dict[str, Any]:
    """Returns totals and medians over random positions of each rule set."""
    found: dict[str, Any] = {}
    for rules in DICE_GAMES:
        games = list(random_positions(rules, number))
        ways: dict[str, Any] = {}
        ratios: dict[str, list[float]] = {"all_bits": [], "constant_bits_left_out": []}
        figures: dict[str, list[dict[str, Any]]] = {}
        for game in track(games, rules, console=Console(stderr=True)):
            for encoding, ancillas, synthesis in WAYS:
                experiment = game.experiment(
                    encoding=encoding, ancillas=ancillas, synthesis=synthesis
                )
                way = f"{encoding} {ancillas} {synthesis}"
                figures.setdefault(way, []).append(measure(experiment, manager))
            if not generics:
                continue
            ours = figures["spin needed moves"][-1]["two_qubit"]
            for key, elide in (("all_bits", False), ("constant_bits_left_out", True)):
                ratio = ratio_to(ours, generic(game, elide=elide, manager=manager))
                if ratio is not None:
                    ratios[key].append(ratio)
        for way, measured in figures.items():
            ways[way] = {
                "total_two_qubit": sum(m["two_qubit"] for m in measured),
                **{
                    f"median_{key}": statistics.median(m[key] for m in measured)
                    for key in ("qubits", "two_qubit", "depth", "acceptance")
                },
            }
        found[rules] = {
            "positions": number,
            "ways": ways,
            "generic": {
                key: {
                    "positions": len(values),
                    "median_ratio_to_spin_moves": statistics.median(values) if values else None,
                }
                for key, values in ratios.items()
            },
        }
    return found


def over_games(number: int) -> dict[str, Any]:
    """Returns two-qubit gates a move in `spin`, as built, over random games to an observation."""
    found = {}
    for rules in DICE_GAMES:
        rng = random.Random(f"{rules} games")
        moves, gates = 0, {"moves": 0, "state": 0}
        for _ in track(range(number), rules, console=Console(stderr=True)):
            game = to_observation(rules, rng)
            moves += len(game.history)
            for synthesis in gates:
                circuit = game.circuit(synthesis=synthesis, measure=False)
                gates[synthesis] += two_qubit(circuit.decompose())
        found[rules] = {
            "games": number,
            "moves": moves,
            **{f"{key}_per_move": total / moves for key, total in gates.items()},
        }
    return found


def print_documents(rows: list[dict[str, Any]]) -> None:
    """Prints the documents' positions: two-qubit gates (qubits, depth, acceptance)."""
    table = Table("way", title="two-qubit gates / qubits / depth / acceptance")
    for row in rows:
        table.add_column(row["position"])
    for way in rows[0]["ways"]:
        cells = [row["ways"][way] for row in rows]
        table.add_row(
            way, *("{two_qubit}/{qubits}/{depth}/{acceptance:.2f}".format(**c) for c in cells)
        )
    if "generic" in rows[0]:
        for key in rows[0]["generic"]:
            label = f"StatePreparation, {key.replace('_', ' ')}"
            table.add_row(label, *(str(row["generic"][key]) for row in rows))
    bounds = [row["lower_bound_spin_state"] for row in rows]
    table.add_row("lower bound, spin state", *(str(bound["gates"]) for bound in bounds))
    table.add_row("its argument", *(bound["argument"] for bound in bounds))
    Console(width=max(180, Console().width)).print(table)


def print_random(found: dict[str, Any]) -> None:
    """Prints totals and medians over random positions."""
    for rules, figures in found.items():
        table = Table(
            "way", "total two-qubit", "median two-qubit", "qubits", "depth", "acceptance",
            title=f"{rules}: {figures['positions']} random positions",
        )  # fmt: skip
        for way, m in figures["ways"].items():
            table.add_row(
                way, str(m["total_two_qubit"]), f"{m['median_two_qubit']:g}",
                f"{m['median_qubits']:g}", f"{m['median_depth']:g}",
                f"{m['median_acceptance']:.3f}",
            )  # fmt: skip
        console = Console(width=max(120, Console().width))
        console.print(table)
        for key, found_for in figures["generic"].items():
            ratio = found_for["median_ratio_to_spin_moves"]
            console.print(
                f"StatePreparation, {key.replace('_', ' ')}: in the median {ratio} times the gates "
                f"of spin by moves, over the {found_for['positions']} positions that it can do"
            )


def print_games(found: dict[str, Any]) -> None:
    """Prints gates a move over random games."""
    table = Table("rules", "games", "moves", "by moves", "by state",
                  title="two-qubit gates a move, spin, to the first observation")  # fmt: skip
    for rules, m in found.items():
        by_moves, by_state = f"{m['moves_per_move']:.3f}", f"{m['state_per_move']:.3f}"
        table.add_row(rules, str(m["games"]), str(m["moves"]), by_moves, by_state)
    Console().print(table)


def main() -> None:
    """Reads the arguments and measures."""
    parser = Parser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--random", type=natural, default=0, metavar="N")
    parser.add_argument("--games", type=natural, default=0, metavar="N")
    parser.add_argument("--heavy-hex", action="store_true")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    try:
        manager = pass_manager(arguments.heavy_hex)
    except ImportError:
        sys.exit("--heavy-hex takes a fake device from qiskit-ibm-runtime: install the extra 'ibm'")
    generics = not arguments.heavy_hex
    found: dict[str, Any] = {"documents": documents(manager, generics=generics)}
    if arguments.random:
        found["random"] = over_random(arguments.random, manager, generics=generics)
    if arguments.games:
        found["games"] = over_games(arguments.games)
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    print_documents(found["documents"])
    if "random" in found:
        print_random(found["random"])
    if "games" in found:
        print_games(found["games"])


if __name__ == "__main__":
    script(main)
