"""The same moves played by a public Cirq library, `unitary`, in the same run: times and gates.

Its quantum tic-tac-toe is compared where a move means the same there and here. With its rules
QUANTUM_V3, a mark on an empty square is a classical move, and a split is a square root of iSWAP
after putting the mark on an empty one of the two squares. On any two squares on which a move of
`tiqtaqtoe` is legal (two open ones, or an open one and one with a single die of the opponent's),
this leads to the same distribution over boards, with other phases. That is checked here, position
by position, before anything is timed. Not compared are moves that only one of them has: its splits
onto one's own mark and onto two squares that are taken, and all of our other games.

- "a whole game": moves drawn from those that `tiqtaqtoe` allows, until it is over, each engine
  drawing every observation by itself; both then go on from the board that the peer found.
- "sampling": boards of a position, by its simulator of qutrits and by our circuit on Aer.
- "gates": two-qubit gates of a position on all-to-all connectivity. The peer's own compilation to
  two qubits a square gives a matrix a move, which is lowered twice, to CZ by Cirq's Shannon
  decomposition and `CZTargetGateset`, and to CX by Qiskit's preset pass manager of level 3; the
  better one counts. Ours, in `spin`, goes through the latter.

Ratios are to this library. Nothing of the peer is part of this repository, and it is in no package
index: without it there is no figure.

    git clone https://github.com/quantumlib/unitary.git && pip install cirq-core
    python benchmarks/peer_unitary.py --peer unitary
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from gates import pass_manager, two_qubit
from qiskit import QuantumCircuit
from report import (
    natural,
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

from qttt_circuits import DiceMove, Game

HOMES = ("examples.tic_tac_toe", "unitary.examples.tictactoe")
"""Where the game is in the peer: now, and in earlier versions."""
INSTALL = (
    "unitary is not there, so there is no figure: git clone "
    "https://github.com/quantumlib/unitary.git, pip install cirq-core, and say --peer unitary"
)
RULES = "tiqtaqtoe"
POSITIONS = {
    "superposition": "1,2",
    "entangling": "1 1,2",
    "half-entangling": "1,2 2,3",
    "all squares but one": "1,8 2,8 6 6,9 3,7 4,7",
}
OURS, THEIRS = "qttt_circuits", "unitary"
TOLERANCE = 1e-5
"""Its simulator works in single precision."""


@dataclass(frozen=True)
class Peer:
    """What is needed of the peer.

    Attributes:
        game: Its class of a game.
        marks: Its marks by their letters here.
        version: What of it is measured.
    """

    game: Any
    marks: dict[str, Any]
    version: str

    def play(self, moves: Iterable[DiceMove], **options: Any) -> Any:
        """Returns its game after some moves, X first."""
        game = self.game(**options)
        for number, move in enumerate(moves):
            game.move(letters(move), self.marks["XO"[number % 2]])
        return game

    def observed(self, game: Any) -> str:
        """Returns the board that its game found when it last observed."""
        symbols = {mark: symbol for symbol, mark in self.marks.items()}
        return "".join(symbols[mark] for mark in game.last_result)


def letters(move: DiceMove) -> str:
    """Returns a move as the peer writes it: squares are letters, row by row."""
    return "".join("abcdefghi"[square - 1] for square in move.squares)


def find_peer(checkout: Path | None) -> Peer | None:
    """Returns the peer, from a checkout or as it is installed; None if it is not there."""
    if checkout is not None:
        sys.path.insert(0, str(checkout))
    for home in HOMES:
        try:
            found = import_module(f"{home}.tic_tac_toe")
            squares = import_module(f"{home}.enums").TicTacSquare
        except ImportError:
            continue
        marks = {"E": squares.EMPTY, "X": squares.X, "O": squares.O}
        return Peer(found.TicTacToe, marks, commit_of(checkout))
    return None


def commit_of(checkout: Path | None) -> str:
    """Returns the commit of a checkout, as far as git knows one."""
    if checkout is None:
        return "as installed"
    command = ["git", "-C", str(checkout), "rev-parse", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else "no commit"


def distribution(game: Any) -> dict[str, float]:
    """Returns the probability of each board in the peer's game, from its circuit of qutrits."""
    import cirq

    qutrits = [game.squares[name].qubit for name in "abcdefghi"]
    final = cirq.Simulator().simulate(game.board.circuit, qubit_order=qutrits).final_state_vector
    probabilities = np.abs(final.reshape([3] * 9)) ** 2
    places = np.argwhere(probabilities > TOLERANCE)
    return {"".join("EXO"[digit] for digit in place): probabilities[tuple(place)]
            for place in places}  # fmt: skip


def require_the_same(ours: Game, theirs: Any) -> None:
    """Ends the program if the two games do not show the same boards as often."""
    exact, found = ours.probabilities(), distribution(theirs)
    off = max(abs(exact.get(b, 0) - found.get(b, 0)) for b in {*exact, *found})
    if off > TOLERANCE:
        moves = " ".join(map(str, ours.history))
        sys.exit(f"not comparable: after {moves} a board's probability differs by {off:.2g}")


def game_times(peer: Peer, seed: int, *, check: bool) -> dict[str, float]:
    """Plays one random game with both, and returns how long each took."""
    np.random.seed(seed)  # Cirq's simulator draws from there
    rng = random.Random(seed)
    ours, theirs = Game(RULES), peer.game()
    spent = {OURS: 0.0, THEIRS: 0.0}

    def clock(who: str, work: Callable[[], object]) -> None:
        spent[who] += timed(work, 1)[0]

    while ours.outcome() is None:
        move = rng.choice(list(ours.legal_moves))
        mark = peer.marks[ours.turn or "E"]
        clock(THEIRS, lambda m=move, k=mark: theirs.move(letters(m), k))
        clock(OURS, lambda m=move: ours.push(m))
        if ours.observation_due:
            clock(OURS, lambda: ours.observe(seed=rng))
            ours.pop()
            ours.push(f"@{peer.observed(theirs)}")
        elif check:
            require_the_same(ours, theirs)
    return spent


def by_cirq(circuit: Any) -> int:
    """Returns the two-qubit gates of a circuit of Cirq after its own lowering to CZ."""
    import cirq

    small = cirq.Circuit()
    for operation in circuit.all_operations():
        if len(operation.qubits) > 2:  # the target's own transformers leave these as they are
            matrix = cirq.unitary(operation)
            small.append(cirq.quantum_shannon_decomposition(list(operation.qubits), matrix))
        else:
            small.append(operation)
    made = cirq.optimize_for_target_gateset(small, gateset=cirq.CZTargetGateset())
    return sum(len(operation.qubits) == 2 for operation in made.all_operations())


def by_qiskit(circuit: Any) -> int:
    """Returns the two-qubit gates of a circuit of Cirq after lowering it as ours are."""
    import cirq

    qubits = sorted(circuit.all_qubits())
    made = QuantumCircuit(len(qubits))
    for operation in circuit.all_operations():
        places = [qubits.index(qubit) for qubit in reversed(operation.qubits)]  # little-endian
        made.unitary(cirq.unitary(operation), places)
    made.measure_all()
    return two_qubit(pass_manager(heavy_hex=False).run(made))


def measure(peer: Peer, games: int, seed: int, shots: int, repeats: int) -> list[dict[str, Any]]:
    """Measures everything once."""
    found = [game_times(peer, seed + n, check=n == 0) for n in range(games + 1)][1:]
    rows = _pair("a whole game", {who: [one[who] for one in found] for who in (OURS, THEIRS)})
    for name, moves in POSITIONS.items():
        ours = Game(RULES)
        for text in moves.split():
            ours.push(text)
        theirs = peer.play(ours.history)
        require_the_same(ours, theirs)
        theirs.sample(1)
        ours.sample(1, seed=1)  # fills the caches, as the line before
        times = {
            OURS: timed(lambda g=ours: g.sample(shots, seed=1), repeats),
            THEIRS: timed(lambda g=theirs: g.sample(shots), repeats),
        }
        compiled = peer.play(ours.history, run_on_hardware=True)
        gates = {
            OURS: two_qubit(pass_manager(heavy_hex=False).run(ours.circuit())),
            THEIRS: min(lower(compiled.board.circuit) for lower in (by_cirq, by_qiskit)),
        }
        rows += _pair(f"sampling {shots} boards, {name}", times, gates)
    return rows


def _pair(
    what: str, times: dict[str, list[float]], gates: dict[str, int] | None = None
) -> list[dict[str, Any]]:
    rows = []
    for who, found in times.items():
        summary = spread(found)
        row = {"what": what, "who": who, **summary,
               "ratio": summary["median"] / spread(times[OURS])["median"],
               "gates": None, "gates ratio": None}  # fmt: skip
        if gates is not None:
            row["gates"] = gates[who]
            row["gates ratio"] = gates[who] / gates[OURS] if gates[OURS] else None
        rows.append(row)
    return rows


def main() -> None:
    arguments = parser(__doc__, runs=2)
    arguments.add_argument("--peer", type=Path, metavar="DIR", help="a checkout of unitary")
    arguments.add_argument("--games", type=positive, default=50, metavar="N")
    arguments.add_argument("--seed", type=natural, default=1, help="of the first game")
    arguments.add_argument("--shots", type=shot_count, default=10_000, metavar="N")
    arguments.add_argument("--repeats", type=positive, default=5, metavar="N")
    given = arguments.parse_args()
    if given.peer and not given.peer.is_dir():
        arguments.error(f"--peer {given.peer} is not a directory")
    peer = find_peer(given.peer)
    if peer is None and given.peer:
        arguments.error(f"--peer {given.peer}: {INSTALL}")
    if peer is None:
        print(INSTALL, file=sys.stderr)
        return
    import cirq

    rows = repeated(
        lambda: measure(peer, given.games, given.seed, given.shots, given.repeats), given.runs
    )
    settings = {**settings_of(given), "peer": peer.version, "cirq": cirq.__version__}
    note = f"unitary {peer.version}, Cirq {cirq.__version__}; ratios are to {OURS}"
    report("beside unitary", rows, as_json=given.json, settings=settings, note=note)


if __name__ == "__main__":
    script(main)
