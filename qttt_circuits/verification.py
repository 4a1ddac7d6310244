"""Checking the documents' claims: exactly, on state vectors, and by shots.

Every claim of `claims.py` becomes rows of one number each, checked by four methods.

- ``exact``: the exact engine's number equals the document's symbolically.
- ``statevector``: amplitudes of the compiled circuit, projected on the accepted ancillas, equal the
  document's with their signs, up to one global phase; and so does the weight of the projection.
- ``shots``: frequencies of a run, within 4.5 standard errors of the document's number.
- ``overlap``: prepare the position, undo an independently built one, read all zeros. Frequencies do
  not show signs; this does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from .board import Board
from .claims import CLAIMS, Claim
from .errors import ExecutionError
from .execution import sample_many
from .experiment import Experiment
from .game import Game
from .numbers import Surd
from .randomness import Seed, as_seed
from .result import Result

if TYPE_CHECKING:
    from qiskit.providers import BackendV2

ENCODINGS = ("spin", "pair")
STANDARD_ERRORS = 4.5
"""How many standard errors a frequency may be off; 1 in 147,000 normal deviates is further."""
FEW_SHOTS = 100
"""With fewer accepted shots to expect, that none meets a condition says nothing."""
NUMERICAL = 1e-9
"""How far a number computed from a state vector may be off."""


@dataclass(frozen=True)
class Row:
    """One number that a document claims, and what was found.

    Attributes:
        id: The claim and what of it this is.
        source: Document and section.
        claim: The claim in words.
        encoding: The encoding, empty for the exact engine.
        method: How it was checked.
        expected: The number claimed.
        expected_exact: The same as an expression.
        measured: What was found.
        standard_error: Of a frequency, from the number claimed; None for other methods.
        shots: How many shots the frequency is of; 0 for other methods.
        tolerance: How far apart the two may be.
        holds: Whether they are as close as that.
    """

    id: str
    source: str
    claim: str
    encoding: str
    method: str
    expected: float
    expected_exact: str
    measured: float
    standard_error: float | None
    shots: int
    tolerance: float
    holds: bool


@dataclass(frozen=True, repr=False)
class Verification:
    """What a verification found.

    Attributes:
        rows: One number each.
    """

    rows: tuple[Row, ...]

    @property
    def holds(self) -> bool:
        """Whether every claim holds."""
        return all(row.holds for row in self.rows)

    def __repr__(self) -> str:
        held = sum(row.holds for row in self.rows)
        return f"<Verification: {held} of {len(self.rows)} checks hold>"

    def to_json(self) -> dict[str, Any]:
        """Returns the verification as JSON-able data."""
        return {"claims": [asdict(row) for row in self.rows], "holds": self.holds}


def verify(
    *,
    shots: int = 100_000,
    seed: Seed = None,
    backend: BackendV2 | str | None = None,
    encodings: Sequence[str] = ENCODINGS,
    claims: Iterable[Claim] | None = None,
    progress: Callable[[str, float], None] = lambda step, part: None,
) -> Verification:
    """Checks claims against the exact engine, state vectors, and runs.

    Args:
        shots: Shots a circuit.
        seed: A seed or generator; None draws one.
        backend: What to run on; by default Aer.
        encodings: The encodings to compile in.
        claims: What to check; by default everything the documents claim, `claims.CLAIMS`.
        progress: Is told each step in words and the part of the work done by then.
    """
    claims = tuple(CLAIMS if claims is None else claims)
    seed = as_seed(seed)
    games = [play_claim(claim) for claim in claims]
    rows: dict[str, list[Row]] = {claim.id: [] for claim in claims}
    progress("exact engine", 0.0)
    for claim, game in zip(claims, games, strict=True):
        rows[claim.id] += _exact(claim, game)
    for number, encoding in enumerate(encodings):
        done = number / len(encodings)
        progress(f"{encoding}: state vectors", done)
        experiments = [game.experiment(encoding=encoding) for game in games]
        for claim, experiment in zip(claims, experiments, strict=True):
            rows[claim.id] += _statevector(claim, experiment, encoding)
        progress(f"{encoding}: {shots} shots of {2 * len(claims)} circuits", done + 0.1)
        overlaps = [
            experiment.overlap(_amplitudes(claim))
            for claim, experiment in zip(claims, experiments, strict=True)
        ]
        results = sample_many(
            [*experiments, *overlaps], shots=shots, seed=seed + number, backend=backend
        )
        for claim, result, overlap in zip(
            claims, results[: len(claims)], results[len(claims) :], strict=True
        ):
            rows[claim.id] += _shots(claim, result, encoding)
            rows[claim.id].append(_overlap(claim, overlap, encoding))
    progress("done", 1.0)
    return Verification(tuple(row for claim in claims for row in rows[claim.id]))


def document_distribution(claim: Claim) -> dict[str, float]:
    """Returns the distribution that a claim states, by board."""
    return {str(_board(ket)): float(_number(p)) for ket, p in claim.probabilities.items()}


def play_claim(claim: Claim) -> Game:
    """Returns the position that a claim is about."""
    game = Game(claim.rules)
    for move in claim.moves.split():
        game.push(move)
    return game


@cache
def _number(text: str) -> sympy.Expr:
    return sympy.sympify(text)


def _board(ket: str) -> Board:
    return Board(ket.ljust(9, "E"))


def _amplitudes(claim: Claim) -> dict[str, float]:
    return {str(_board(ket)): float(_number(text)) for ket, text in claim.amplitudes.items()}


def _words(claim: Claim, what: str) -> str:
    return f"{claim.rules} {claim.moves}: {what}"


# --- the exact engine


def _exact(claim: Claim, game: Game) -> Iterator[Row]:
    state = game.exact_state
    for ket, expected in claim.probabilities.items():
        found = state.probability(_board(ket), game.observed)
        yield _exact_row(claim, f"P({ket})", expected, found)
    total = sum(
        (state.probability(_board(ket), game.observed) for ket in claim.probabilities), Surd(0)
    )
    yield _exact_row(claim, "P(any of these)", "1", total)
    yield _exact_row(claim, "success", claim.success, state.success)
    yield _exact_row(claim, "norm", claim.norm, state.norm)
    yield _exact_row(claim, "amplitudes", "1", _exact_fidelity(claim, game))
    for split in claim.splits:
        kept = state
        for square, symbols in split.given.items():
            kept = kept.given(square, symbols)
        for ket, expected in split.probabilities.items():
            found = kept.probability(_board(ket), game.observed)
            yield _exact_row(claim, f"P({ket} | {split.condition})", expected, found)


def _exact_row(claim: Claim, what: str, expected: str, found: Surd) -> Row:
    number = _number(expected)
    holds = _surd(expected) == found  # both are a + b√2 with rational a and b: exact
    return Row(
        id=f"{claim.id}/{what}",
        source=claim.source,
        claim=_words(claim, what),
        encoding="",
        method="exact",
        expected=float(number),
        expected_exact=expected,
        measured=float(found),
        standard_error=None,
        shots=0,
        tolerance=0.0,
        holds=holds,
    )


def _exact_fidelity(claim: Claim, game: Game) -> Surd:
    """Returns |⟨claimed|found⟩|² of the normalised states: 1 if they agree up to a phase."""
    claimed = {_board(ket): _surd(text) for ket, text in claim.amplitudes.items()}
    found = dict(game.exact_state.terms(game.observed))
    product = sum((a * found.get(board, Surd(0)) for board, a in claimed.items()), Surd(0))
    norm = sum((a * a for a in claimed.values()), Surd(0))
    return product * product / (norm * game.exact_state.norm)


@cache
def _surd(text: str) -> Surd:
    expression = sympy.expand(sympy.radsimp(_number(text)))
    root = expression.coeff(sympy.sqrt(2))
    return Surd(str(expression - root * sympy.sqrt(2)), str(root))


# --- state vectors


def _statevector(claim: Claim, experiment: Experiment, encoding: str) -> Iterator[Row]:
    projected = _projected(experiment)
    weight = float(np.sum(np.abs(projected) ** 2))
    yield _numerical_row(claim, "success", claim.success, weight, encoding)
    target = experiment.decoder.state(_amplitudes(claim))
    vector = np.ones(1) if target is None else target.vector
    overlap = np.vdot(vector, projected)
    phase = overlap / abs(overlap) if abs(overlap) > NUMERICAL else 1
    furthest = float(np.max(np.abs(projected / phase / sqrt(weight) - vector)))
    yield _numerical_row(claim, "amplitude error", "0", furthest, encoding)


def _projected(experiment: Experiment) -> np.ndarray[Any, Any]:
    """Returns the state of the board's qubits with the ancillas projected on what they must read.

    It is not normalised.
    """
    from qiskit.quantum_info import Statevector

    circuit = experiment.preparation
    if not circuit.num_qubits:
        return np.ones(1)
    ancillas = experiment.decoder.ancillas
    board_qubits = circuit.num_qubits - len(ancillas)
    accepted = sum(a.predicted << (a.clbit - board_qubits) for a in ancillas)
    rows = np.asarray(Statevector(circuit).data).reshape(2 ** len(ancillas), 2**board_qubits)
    projected: np.ndarray[Any, Any] = rows[accepted]
    return projected


def _numerical_row(claim: Claim, what: str, expected: str, found: float, encoding: str) -> Row:
    number = float(_number(expected))
    return Row(
        id=f"{claim.id}/{what}",
        source=claim.source,
        claim=_words(claim, what),
        encoding=encoding,
        method="statevector",
        expected=number,
        expected_exact=expected,
        measured=found,
        standard_error=None,
        shots=0,
        tolerance=NUMERICAL,
        holds=abs(found - number) <= NUMERICAL,
    )


# --- shots


def _shots(claim: Claim, result: Result, encoding: str) -> Iterator[Row]:
    acceptance = _frequency_row(
        claim, "acceptance", claim.success, result.accepted, result.shots, encoding
    )
    if acceptance.holds:  # none accepted may then be for want of shots
        result.require_accepted()
    yield acceptance
    counts = result.counts
    for ket, expected in claim.probabilities.items():
        n = counts.get(_board(ket), 0)
        yield _frequency_row(claim, f"P({ket})", expected, n, result.accepted, encoding)
    n = sum(counts.get(_board(ket), 0) for ket in claim.probabilities)
    yield _frequency_row(claim, "P(any of these)", "1", n, result.accepted, encoding)
    for split in claim.splits:
        kept = _given(counts, split.given)
        if not kept and result.shots * result.predicted_acceptance < FEW_SHOTS:
            raise ExecutionError(f"{claim.id}: no shot with {split.condition}: take more shots")
        for ket, expected in split.probabilities.items():
            what = f"P({ket} | {split.condition})"
            n = kept.get(_board(ket), 0)
            yield _frequency_row(claim, what, expected, n, sum(kept.values()), encoding)


def _given(counts: Mapping[str, int], given: Mapping[int, str]) -> dict[str, int]:
    return {
        board: n
        for board, n in counts.items()
        if all(board[square - 1] in symbols for square, symbols in given.items())
    }


def _overlap(claim: Claim, result: Result, encoding: str) -> Row:
    what = "overlap"
    same = result.counts.get("same", 0)
    return _frequency_row(claim, what, "1", same, result.accepted, encoding, method="overlap")


def _frequency_row(
    claim: Claim,
    what: str,
    expected: str,
    n: int,
    shots: int,
    encoding: str,
    method: str = "shots",
) -> Row:
    number = float(_number(expected))
    error = sqrt(number * (1 - number) / shots) if shots else 0.0
    frequency = n / shots if shots else 0.0
    return Row(
        id=f"{claim.id}/{what}",
        source=claim.source,
        claim=_words(claim, what),
        encoding=encoding,
        method=method,
        expected=number,
        expected_exact=expected,
        measured=frequency,
        standard_error=error,
        shots=shots,
        tolerance=STANDARD_ERRORS * error,
        holds=shots > 0 and abs(frequency - number) <= STANDARD_ERRORS * error,
    )
