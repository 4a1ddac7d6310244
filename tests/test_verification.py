"""Verification holds for the code as it is, and for no coefficient, sign or angle that is wrong.

Every coefficient of every map is changed in turn, and so is every operation that an encoding uses
to build a gate. A sign of the only entry of a map is a global phase, which nothing can observe:
there only the scale is changed.
"""

import json
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
import sympy
from circuits import ENCODINGS, move_gates, play
from qiskit.providers.fake_provider import GenericBackendV2

from qttt_circuits import maps, verify
from qttt_circuits.builder import Builder
from qttt_circuits.claims import Row
from qttt_circuits.claims.dice import CLAIMS
from qttt_circuits.encodings import Encoding, encoding
from qttt_circuits.errors import OptionError, UnknownNameError
from qttt_circuits.verification import Verification

SHOTS = 200
KEYS = [
    "id", "source", "claim", "encoding", "method", "expected", "expected_exact", "measured",
    "standard_error", "shots", "tolerance", "holds",
]  # fmt: skip


def plain(claim):
    """Returns a claim with its numbers written as a + b√2, which are compared much faster."""

    def rewritten(number):
        return str(sympy.expand(sympy.radsimp(sympy.sympify(number))))

    return replace(
        claim,
        probabilities={ket: rewritten(p) for ket, p in claim.probabilities.items()},
        success=rewritten(claim.success),
        norm=rewritten(claim.norm),
    )


@cache
def claims_with(kind):
    """Returns the claims in whose positions a kind of move occurs."""
    return tuple(
        plain(claim)
        for claim in CLAIMS
        if any(
            gate.operation.name == kind
            for gate in move_gates(play(claim.rules, claim.moves).circuit(elide=False))
        )
    )


# --- the code as it is


@pytest.fixture(scope="module")
def verification():
    return verify(shots=20_000, seed=1, claims=CLAIMS)


def test_every_claim_holds(verification):
    assert [row.id for row in verification.rows if not row.holds] == []
    assert verification.holds


def test_every_claim_is_checked_by_every_method_in_every_encoding(verification):
    found = defaultdict(set)
    for row in verification.rows:
        found[row.id.split("/")[0]].add((row.method, row.encoding))
    methods = {(m, e) for m in ("statevector", "shots", "overlap") for e in ENCODINGS}
    assert set(found) == {claim.id for claim in CLAIMS}
    for checked in found.values():
        assert {("exact", ""), *methods} <= checked


def test_the_positions_of_the_rules_table_are_all_claimed():
    """The rows "Values that must come out exactly" of the rules."""
    assert {
        ("tiqtaqtoe", "1,2"),
        ("tiqtaqtoe", "1 1,2"),
        ("tiqtaqtoe", "1,2 2,3"),
        ("cancelling", "1 -1,2"),
        ("cancelling", "1 1,-2"),
        ("cancelling", "1,2 -2,3"),
        ("cancelling", "3,4 -3,1 O:-4,2"),
        ("shiftflip", "1,2 -2,3"),
        ("shiftflip", "1,2 -2,-3"),
        ("shiftflip", "1 -1,-2"),
    } <= {(claim.rules, claim.moves) for claim in CLAIMS}


def test_each_row_is_within_its_tolerance_if_and_only_if_it_holds(verification):
    for row in verification.rows:
        assert abs(row.measured - row.expected) <= max(row.tolerance, 1e-12), row
        if row.method in ("shots", "overlap"):
            assert row.tolerance == pytest.approx(4.5 * row.standard_error)
            assert 0 < row.shots <= 20_000
        else:
            assert row.standard_error is None
            assert row.shots == 0


def test_the_json_document_has_the_agreed_shape(verification):
    document = json.loads(json.dumps(verification.to_json()))
    assert list(document) == ["claims", "holds"]
    assert document["holds"] is True
    assert len(document["claims"]) == len(verification.rows)
    for row in document["claims"]:
        assert list(row) == KEYS
        assert type(row["holds"]) is bool
        assert type(row["shots"]) is int
        for number in ("expected", "measured", "tolerance"):
            assert type(row[number]) is float, row
        assert row["standard_error"] is None or type(row["standard_error"]) is float
    identities = [(r["id"], r["encoding"], r["method"]) for r in document["claims"]]
    assert len(set(identities)) == len(identities)


def test_the_same_seed_gives_the_same_rows():
    claims = CLAIMS[:4]
    first, again, other = (verify(shots=500, seed=s, claims=claims) for s in (1, 1, 2))
    assert first == again
    assert first != other


def test_progress_is_told_from_nothing_to_all():
    told = []
    verify(shots=10, seed=1, claims=CLAIMS[:1], progress=lambda step, part: told.append(part))
    assert told[0] == 0
    assert told[-1] == 1
    assert told == sorted(told)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"shots": 0}, OptionError),
        ({"shots": 10**9}, OptionError),
        ({"seed": -1}, OptionError),
        ({"backend": "aer:statvector"}, UnknownNameError),
        ({"encodings": ("spinn",)}, UnknownNameError),
    ],
    ids=str,
)
def test_wrong_use_is_refused(options, error):
    with pytest.raises(error):
        verify(**{"shots": 10, "claims": CLAIMS[:1], **options})


def test_one_failed_row_is_enough_to_fail():
    row = Row("a/b", "000", "a", "", "exact", 1.0, "1", 1.0, None, 0, 0.0, True)
    assert Verification((row, row)).holds
    assert not Verification((row, replace(row, holds=False))).holds


def test_noise_does_not_pass_for_the_truth():
    backend = GenericBackendV2(5, basis_gates=["cx", "rz", "sx", "x"], seed=1)
    names = ("entangling", "half-cancelling")
    claims = [claim for claim in CLAIMS if claim.id in names]
    found = verify(shots=20_000, seed=1, backend=backend, encodings=("spin",), claims=claims)
    assert not found.holds
    assert {row.method for row in found.rows if not row.holds} <= {"shots", "overlap"}


# --- claims that are wrong


def failing(*claims):
    """Returns for each claim the rows that do not hold, as pairs of method and what is claimed."""
    numbered = [replace(claim, id=str(i)) for i, claim in enumerate(claims)]
    found = verify(shots=SHOTS, seed=1, encodings=("spin",), claims=numbered)
    assert found.holds == all(row.holds for row in found.rows)
    failed = [set() for _ in claims]
    for row in found.rows:
        if not row.holds:
            number, what = row.id.split("/", 1)
            failed[int(number)].add((row.method, what))
    return failed


def contradictions(claim):
    """Yields what a document might have said instead, and the rows that must contradict it."""
    for ket, number in claim.probabilities.items():
        probabilities = {**claim.probabilities, ket: f"({number})-1/10**7"}
        yield replace(claim, probabilities=probabilities), {("exact", f"P({ket})")}
    yield (
        replace(claim, success=f"({claim.success})-1/10**7"),
        {("exact", "success"), ("statevector", "success")},
    )
    norm = f"({claim.norm})+1/10**7"
    yield replace(claim, norm=norm), {("exact", "norm")}
    for ket, number in claim.amplitudes.items():
        if len(claim.amplitudes) > 1:  # the sign of a single one is a global phase
            yield (
                replace(claim, amplitudes={**claim.amplitudes, ket: f"-({number})"}),
                {
                    ("exact", "amplitudes"),
                    ("statevector", "amplitude error"),
                    ("overlap", "overlap"),
                },
            )
    for split in claim.splits:
        for ket, number in split.probabilities.items():
            probabilities = {**split.probabilities, ket: f"({number})-1/10**7"}
            wrong = replace(claim, splits=(replace(split, probabilities=probabilities),))
            yield wrong, {("exact", f"P({ket} | {split.condition})")}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_document_that_said_something_else_would_be_contradicted(claim):
    wrong, expected = zip(*contradictions(claim), strict=True)
    for found, least in zip(failing(*wrong), expected, strict=True):
        assert least <= found


def test_a_claim_that_leaves_out_a_board_is_contradicted():
    claim = next(claim for claim in CLAIMS if claim.id == "half-cancelling")
    probabilities = {k: p for k, p in claim.probabilities.items() if k != "EXE"}
    [found] = failing(replace(claim, probabilities=probabilities))
    assert {("exact", "P(any of these)"), ("shots", "P(any of these)")} <= found


# --- wrong coefficients

MAPS = {
    "classical": ("X", 1),
    "superposition": ("X", 1, "X", 1),
    "entangling": ("X", "O", 1),
    "half_entangling": ("X", "O", 1),
    "cancelling": ("X", 1, True),
    "half_cancelling": ("X", True),
    "half_shiftflip": ("X", 1, 1, True),
    "spreading": ("X",),
    "off_board": ("X",),
}
GLOBAL_PHASE = ("classical", "off_board")
"""One column of one entry: its sign is a global phase."""


def entries():
    """Yields every coefficient of every map, and what it is multiplied by."""
    for name, arguments in MAPS.items():
        for column, image in enumerate(getattr(maps, name)(*arguments).columns.values()):
            for entry in range(len(image)):
                for factor in (-1, Fraction(11, 10)):
                    if factor != -1 or name not in GLOBAL_PHASE:
                        yield name, column, entry, factor


def spoil(monkeypatch, name, column, entry, factor):
    """Multiplies one coefficient of a map wherever the rules use the map."""
    right = getattr(maps, name)

    def wrong(*args, **kwargs):
        m = right(*args, **kwargs)
        columns = {
            source: {
                target: a * (factor if (i, j) == (column, entry) else 1)
                for j, (target, a) in enumerate(image.items())
            }
            for i, (source, image) in enumerate(m.columns.items())
        }
        return replace(m, columns=columns)

    monkeypatch.setattr(maps, name, wrong)


def test_every_coefficient_is_changed():
    found = list(entries())
    assert len({entry[:3] for entry in found}) == 21
    assert len(found) == 2 * 21 - 2


def test_the_claims_of_each_kind_hold_while_nothing_is_changed():
    for name in MAPS:
        assert claims_with(name)
        assert verify(shots=SHOTS, seed=1, claims=claims_with(name)).holds


@pytest.mark.parametrize(
    ("name", "column", "entry", "factor"),
    [*entries()],
    ids=lambda value: str(value).replace("11/10", "x1.1"),
)
def test_a_wrong_coefficient_of_a_map_is_found(monkeypatch, name, column, entry, factor):
    claims = claims_with(name)
    spoil(monkeypatch, name, column, entry, factor)
    assert not verify(shots=SHOTS, seed=1, encodings=("spin",), claims=claims).holds


@pytest.mark.parametrize("name", GLOBAL_PHASE)
def test_the_sign_of_a_single_entry_is_a_global_phase_and_harmless(monkeypatch, name):
    claims = claims_with(name)
    spoil(monkeypatch, name, 0, 0, -1)
    assert verify(shots=SHOTS, seed=1, encodings=("spin",), claims=claims).holds


@pytest.mark.parametrize("name", MAPS)
def test_a_wrong_map_is_found_among_all_claims(monkeypatch, name):
    spoil(monkeypatch, name, 0, 0, Fraction(11, 10) if name in GLOBAL_PHASE else -1)
    assert not verify(shots=SHOTS, seed=1, encodings=("spin",), claims=CLAIMS).holds


def test_the_command_line_exits_with_1_where_a_claim_does_not_hold(monkeypatch, qttt):
    spoil(monkeypatch, "half_shiftflip", 1, 0, -1)
    ran = qttt("verify", "--shots", "50", "--seed", "1", "--json")
    assert ran.status == 1
    document = json.loads(ran.out)
    assert document["holds"] is False
    failed = {row["id"].split("/")[0] for row in document["claims"] if not row["holds"]}
    assert failed == {
        "half-shiftflip", "half-shiftflip-other-square", "half-shiftflip-upside-down",
    }  # fmt: skip


# --- wrong gates


def _tilt(w, angle):
    yield "negated", (w, -angle), {}
    yield "wrong", (w, angle + 0.3), {}


def _cx(control, target, *, on=1):
    yield "on the other value", (control, target), {"on": 1 - on}


def _turn(control, target, zero, one):
    # the sign of a failure qubit's angle shows in the failed branch only: change its size
    if target.startswith(("fail", "off")):
        yield "wrong", (control, target, zero + 0.3 * bool(zero), one + 0.3 * bool(one)), {}
    else:
        yield "negated", (control, target, -zero, -one), {}
    yield "exchanged", (control, target, one, zero), {}


def _transfer(source, target, stay, move):
    yield "negated", (source, target, stay, -move), {}
    if abs(abs(stay) - abs(move)) > 1e-9:
        yield "exchanged", (source, target, move, stay), {}
    else:
        yield "wrong", (source, target, stay, 1.3 * move), {}


def _both(a, b, target):
    yield "first on the other value", ((a[0], 1 - a[1]), b, target), {}
    yield "second on the other value", (a, (b[0], 1 - b[1]), target), {}


def _put(w, value):
    yield "the other value", (w, 1 - value), {}


def _left_out(*args):
    yield "left out", None, {}


WRONG = {
    "tilt": _tilt, "cx": _cx, "turn": _turn, "transfer": _transfer, "both": _both, "put": _put,
    "bring": _left_out, "remove": _left_out, "swap_names": _left_out, "x": _left_out,
    "z": _left_out,
}  # fmt: skip
"""The operations of the builder and how each can be wrong; `negate` is a global phase."""


class Spoiler:
    """Counts the builder's operations in gates of one kind, and makes one of them wrong.

    Args:
        monkeypatch: What patches the builder.
        kind: The kind of move.

    Attributes:
        wrong: Operation, how many of its kind came before in the gate, and the way it is wrong.
        seen: All that could be wrong.
    """

    def __init__(self, monkeypatch, kind):
        self.kind, self.wrong, self.seen = kind, None, {}
        self.active, self.depth, self.counts = False, 0, defaultdict(int)
        monkeypatch.setattr(Encoding, "build", self._build(Encoding.build))
        for name in WRONG:
            monkeypatch.setattr(Builder, name, self._operation(name, getattr(Builder, name)))

    def _build(self, right):
        def build(encoding_, builder, m):
            self.active, self.counts = m.kind.replace("-", "_") == self.kind, defaultdict(int)
            right(encoding_, builder, m)
            self.active = False

        return build

    def _operation(self, name, right):
        def operation(builder, *args, **kwargs):
            outermost = self.active and not self.depth
            if outermost:
                number = self.counts[name]
                self.counts[name] += 1
                for how, wrong_args, wrong_kwargs in WRONG[name](*args, **kwargs):
                    self.seen[name, number, how] = None
                    if self.wrong == (name, number, how):
                        if wrong_args is None:
                            return
                        args, kwargs = wrong_args, wrong_kwargs
            self.depth += 1
            try:
                right(builder, *args, **kwargs)
            finally:
                self.depth -= 1

        return operation


HARMLESS = {("spin", "cancelling", "put", "the other value")}
"""Both symbols have the same weight then: to start from the other one is a global phase."""


@pytest.mark.parametrize("kind", MAPS)
@pytest.mark.parametrize("name", ENCODINGS)
def test_a_wrong_operation_in_a_gate_is_found(monkeypatch, name, kind):
    short = sorted(claims_with(kind), key=lambda claim: len(claim.moves.split()))
    claims = [claim for claim in short if len(claim.moves.split()) <= 2][:6]
    spoiler = Spoiler(monkeypatch, kind)

    def holds():
        return verify(shots=SHOTS, seed=1, encodings=(name,), claims=claims).holds

    assert holds()
    assert spoiler.seen
    missed = set()
    for wrong in list(spoiler.seen):
        spoiler.wrong = wrong
        if holds():
            operation, _, how = wrong
            missed.add((name, kind, operation, how))
    assert missed <= HARMLESS


@pytest.mark.parametrize("name", ENCODINGS)
def test_exchanged_codes_are_found(monkeypatch, name):
    codes = encoding(name).codes
    exchanged = {"E": codes["E"], "X": codes["O"], "O": codes["X"]}
    monkeypatch.setattr(type(encoding(name)), "codes", exchanged)
    assert not verify(shots=SHOTS, seed=1, encodings=(name,), claims=CLAIMS[:1]).holds
