"""Lower bounds by exhaustive search: can a state be prepared with so many CZ and y-rotations?

Every sequence of qubit pairs for the CZ that joins all qubits is tried, once up to the order of
gates that commute. The angles of the rotations between them are optimised from several random
starts: the overlap with the target is linear in the cosine and sine of each half angle, so each
angle in turn has its best value in closed form. Where a spin belongs to an empty square the target
leaves it free. The answer is numerical and for real circuits only.

    python benchmarks/search.py                      all targets at their bound and one gate less
    python benchmarks/search.py half-entangling 4    one target, four gates
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, count, pairwise, product
from math import comb, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from report import Parser, positive, script
from rich.console import Console
from rich.progress import track

Array = NDArray[np.float64]
Pair = tuple[int, int]

_LIKELY = 1 / (4 - sqrt(2))
_FAILED = (3 - sqrt(8)) / (8 - sqrt(8))
TARGETS: dict[str, tuple[int, list[tuple[float, str]]]] = {
    # squares 1, 2, 3 with X on 1 and 2, then O on 2 and 3: occupations 1, 2, 3, spins 2, 3
    "half-entangling": (
        5,
        [(1 / 4, "1100*"), (1 / 4, "101*0"), (1 / 4, "01101"), (1 / 4, "01110")],
    ),
    # occupations of squares 1, 2, 3; the spin of 3 is in a product with them
    "half-cancelling": (
        3,
        [(_LIKELY, "100"), (_FAILED, "010"), (1.5 * _LIKELY, "001")],
    ),
    "spreading": (3, [(1 / 2, "100"), (1 / 4, "010"), (1 / 4, "001")]),
    # occupations of squares 1 to 4; the spins of 1 and 2 are in products with them
    "both halves": (
        5,
        [
            (0.75 / (3 - sqrt(2)), "1000"),
            (0.75 / (3 - sqrt(2)), "0100"),
            ((3 - 2 * sqrt(2)) / (4 * (3 - sqrt(2))), "0010"),
            ((3 - 2 * sqrt(2)) / (4 * (3 - sqrt(2))), "0001"),
        ],
    ),
}
"""For each target the number of gates we know to do, and its probabilities with ``*`` for free."""

MOST_SEQUENCES = 10**6
"""How many sequences of pairs are gone through at the most, those that join no qubits included."""
FOUND = 1e-5
"""How close to 1 the overlap must come."""


def most_gates(name: str) -> int:
    """Returns with how many gates a target can be searched at the most."""
    _, terms = TARGETS[name]
    pairs = comb(len(terms[0][1]), 2)
    return next(gates for gates in count() if pairs ** (gates + 1) > MOST_SEQUENCES)


def sequences(qubits: int, gates: int) -> Iterator[tuple[Pair, ...]]:
    """Yields the sequences of pairs that join all qubits, once up to commuting gates."""
    for sequence in product(list(combinations(range(qubits), 2)), repeat=gates):
        if all(
            not (set(a).isdisjoint(b) and b < a) and a != b for a, b in pairwise(sequence)
        ) and _joins(sequence, qubits):
            yield sequence


def _joins(sequence: tuple[Pair, ...], qubits: int) -> bool:
    group = list(range(qubits))
    for a, b in sequence:
        group = [group[a] if g == group[b] else g for g in group]
    return len(set(group)) == 1


def _rotate(states: Array, qubit: int, angles: Array) -> Array:
    batch, size = states.shape
    halves = states.reshape(batch, size >> (qubit + 1), 2, 1 << qubit)
    low, high = halves[:, :, 0], halves[:, :, 1]
    c, s = np.cos(angles)[:, None, None], np.sin(angles)[:, None, None]
    return np.stack([c * low - s * high, s * low + c * high], axis=2).reshape(batch, size)


def _nearest(states: Array, blocks: list[tuple[float, list[int]]]) -> Array:
    """Returns the states of the target family that overlap most: free parts follow the state."""
    target = np.zeros_like(states)
    signs = np.ones(len(states))
    fixed = sum(states[:, b[0]] * sqrt(p) for p, b in blocks if len(b) == 1)
    if not isinstance(fixed, int):
        signs = np.where(fixed < 0, -1.0, 1.0)
    for p, block in blocks:
        if len(block) == 1:
            target[:, block[0]] = sqrt(p) * signs
        else:
            part = states[:, block]
            length = np.linalg.norm(part, axis=1, keepdims=True) + 1e-300
            target[:, block] = sqrt(p) * part / length
    return target


def _czs(qubits: int) -> dict[Pair, Array]:
    index = np.arange(2**qubits)
    return {
        (a, b): np.where((index >> a & 1) & (index >> b & 1), -1.0, 1.0)
        for a, b in combinations(range(qubits), 2)
    }


def best_overlap(
    sequence: tuple[Pair, ...],
    qubits: int,
    blocks: list[tuple[float, list[int]]],
    rng: np.random.Generator,
    starts: int = 16,
    sweeps: int = 120,
) -> float:
    """Returns the largest overlap with the target that a sequence of CZ was found to reach."""
    czs = _czs(qubits)
    operations: list[int | Pair] = [*range(qubits)]
    for pair in sequence:
        operations += [pair, *pair]
    rotations = sum(isinstance(o, int) for o in operations)
    angles = rng.uniform(-pi, pi, (starts, rotations))
    best = 0.0
    for sweep in range(sweeps):
        states = np.zeros((starts, 2**qubits))
        states[:, 0] = 1
        before = []
        k = 0
        for operation in operations:
            before.append(states)
            if isinstance(operation, int):
                states = _rotate(states, operation, angles[:, k])
                k += 1
            else:
                states = states * czs[operation]
        back = _nearest(states, blocks)
        best = float(np.max(np.sum(back * states, axis=1)))
        if best > 1 - FOUND / 10 or (sweep == sweeps // 4 and best < 0.93):
            break
        for operation, states in zip(reversed(operations), reversed(before), strict=True):
            if not isinstance(operation, int):
                back = back * czs[operation]
                continue
            k -= 1
            same = np.sum(back * states, axis=1)
            turned = np.sum(back * _rotate(states, operation, np.full(starts, pi / 2)), axis=1)
            angles[:, k] = np.arctan2(turned, same)
            back = _rotate(back, operation, -angles[:, k])
    return best


def search(name: str, gates: int) -> float:
    """Returns the largest overlap found with any sequence of so many gates."""
    _, terms = TARGETS[name]
    qubits = len(terms[0][1])
    blocks = [
        (
            p,
            [
                i
                for i in range(2**qubits)
                if all(c in ("*", str(i >> q & 1)) for q, c in enumerate(pattern))
            ],
        )
        for p, pattern in terms
    ]
    rng = np.random.default_rng(1)
    best = 0.0
    tried = list(sequences(qubits, gates))
    for sequence in track(tried, f"{name}, {gates} gates", console=Console(stderr=True)):
        best = max(best, best_overlap(sequence, qubits, blocks, rng))
        if best > 1 - FOUND:
            break
    return best


def main() -> None:
    """Reads the arguments and searches."""
    parser = Parser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target", nargs="?", choices=[*TARGETS])
    parser.add_argument("gates", nargs="?", type=positive)
    arguments = parser.parse_args()
    wanted = [(arguments.target, arguments.gates)] if arguments.gates else []
    if wanted and arguments.gates > most_gates(arguments.target):
        most = most_gates(arguments.target)
        parser.error(f"{arguments.target} is searched with up to {most} gates: there are too many "
                     f"sequences of {arguments.gates}")  # fmt: skip
    if not wanted:
        names = [arguments.target] if arguments.target else [*TARGETS]
        wanted = [(n, TARGETS[n][0] - less) for n in names for less in (1, 0)]
    for name, gates in wanted:
        best = search(name, gates)
        verdict = "possible" if best > 1 - FOUND else "not found"
        print(f"{name} with {gates} two-qubit gates: {verdict} (largest overlap {best:.6f})")


if __name__ == "__main__":
    script(main)
