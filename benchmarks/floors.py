"""How far the library is from what the same work takes at the least, here and now.

A floor is measured in the same run as the figure above it:

- a random game: a bare Python loop of as many multiply-adds as there are things to be written: a
  legal move that may be drawn, a term that a move leaves in the squares that it entangles, a term
  of a group that is observed;
- the probabilities of a position: such a loop of one a square of each board;
- compiling: putting the same gates into an empty `QuantumCircuit`, nothing worked out;
- sampling: the time that Aer reports for simulating the transpiled circuit, whole, with as many
  shots; a ratio below 1 is the gain of running independent parts of a circuit apart.

The ratio is the figure to its floor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

from exact_engine import play as random_game
from exact_engine import warm_up
from positions import DICE_GAMES, play
from qiskit import QuantumCircuit
from report import (
    bare_loop,
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
from sampling import POSITIONS, aer_alone

from qttt_circuits import Experiment, Game, Observation

SQUARES = 9
WHOLE = "Aer's own time, whole circuit"
SHOWN = ("half-cancelling", "full board")


def groups_after(groups: list[set[int]], squares: set[int]) -> tuple[list[set[int]], set[int]]:
    """Returns the groups of squares after a move on some, and the one that it is in."""
    joined = squares.union(*(group for group in groups if group & squares))
    return [group for group in groups if not group & squares] + [joined], joined


def terms(game: Game, group: set[int]) -> int:
    """Returns how many configurations of some squares the position holds."""
    return len({tuple(board[s - 1] for s in sorted(group)) for board in game.amplitudes()})


def multiply_adds(game: Game) -> int:
    """Returns how many legal moves and terms there were to be written in a game."""
    again = Game(game.rules)
    groups: list[set[int]] = []
    count = 0
    for move in game.history:
        if isinstance(move, Observation):
            count += sum(terms(again, group) for group in groups)
            again.push(move)
            groups = []
        else:
            count += len(again.legal_moves)
            again.push(move)
            groups, joined = groups_after(groups, set(move.squares))
            count += terms(again, joined)
    return count


def appended(experiment: Experiment) -> Callable[[], QuantumCircuit]:
    """Returns what puts the gates of a circuit into an empty one."""
    circuit = experiment.circuit

    def build() -> QuantumCircuit:
        empty = QuantumCircuit(*circuit.qregs, *circuit.cregs)
        for item in circuit.data:
            empty.append(item.operation, item.qubits, item.clbits)
        return empty

    return build


def games(number: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yields the rows of random games, a rule set each."""
    for rules in DICE_GAMES:
        seeds = range(seed, seed + number)
        warm_up(rules, number, 200, seed)
        times = [
            timed(lambda s=s: random_game(rules, s, 200, probabilities=False), 1)[0]  # noqa: B023
            for s in seeds
        ]
        counts = [multiply_adds(random_game(rules, s, 200, probabilities=False)) for s in seeds]
        yield _row(f"a random game of {rules}", times, round(median(counts)))


def _row(what: str, times: list[float], count: int) -> dict[str, Any]:
    floor = bare_loop(count, repeats=50)
    return _with_floor(what, times, f"{count} multiply-adds in a bare loop", floor)


def _with_floor(what: str, times: list[float], by: str, floor: float) -> dict[str, Any]:
    summary = spread(times)
    ratio = summary["median"] / floor
    return {"what": what, **summary, "floor is": by, "floor": floor, "ratio": ratio}


def measure(number: int, seed: int, shots: int, repeats: int) -> list[dict[str, Any]]:
    """Measures everything once."""
    rows = list(games(number, seed))
    for name, rules, moves in POSITIONS:
        if name not in SHOWN:
            continue
        boards = len(play(rules, moves).probabilities())
        times = []
        for _ in range(repeats):
            game = play(rules, moves)  # a position may keep what it has found
            times += timed(game.probabilities, 1)
        rows.append(_row(f"probabilities, {name}", times, boards * SQUARES))
        game = play(rules, moves)
        experiment = game.experiment()
        building = median(timed(appended(experiment), repeats))
        by = f"{len(experiment.circuit.data)} instructions put into a circuit"
        compiling = timed(game.experiment, repeats)
        rows.append(_with_floor(f"compiling, {name}", compiling, by, building))
        game.sample(shots=1, seed=1)  # fills the caches
        sampling = timed(lambda g=game: g.sample(shots, seed=1), repeats)
        alone = aer_alone(experiment, shots, repeats)
        rows.append(
            _with_floor(f"sampling, {name}", sampling, "Aer's own time, whole circuit", alone)
        )
    return rows


def main() -> None:
    arguments = parser(__doc__, runs=2)
    arguments.add_argument("--games", type=positive, default=50, metavar="N", help="a rule set")
    arguments.add_argument("--seed", type=natural, default=1, help="of the first game")
    arguments.add_argument("--shots", type=shot_count, default=10_000, metavar="N")
    arguments.add_argument("--repeats", type=positive, default=9, metavar="N")
    given = arguments.parse_args()
    rows = repeated(
        lambda: measure(given.games, given.seed, given.shots, given.repeats), given.runs
    )
    report("floors", rows, as_json=given.json, settings=settings_of(given))


if __name__ == "__main__":
    script(main)
