"""The claims about Goff's and Leaw and Cheong's games: they hold, and no other numbers would."""

from collections import Counter
from dataclasses import replace

import pytest

from qttt_circuits import verify
from qttt_circuits.claims import CLAIMS, FACTS, cat_and_hounds, goff, leaw_cheong
from qttt_circuits.claims.dice import BoardClaim
from qttt_circuits.compiling import selection
from qttt_circuits.games import leaw_cheong as rules_of_leaw_cheong
from qttt_circuits.games.goff import Goff

OTHERS = [*goff.CLAIMS, *leaw_cheong.CLAIMS, *cat_and_hounds.CLAIMS]
SHOTS = 2000


@pytest.fixture(scope="module")
def rows():
    return verify(shots=20_000, seed=2, claims=[*OTHERS, *FACTS]).rows


def test_every_claim_and_fact_holds(rows):
    assert [row.id for row in rows if not row.holds] == []


def test_the_claims_of_all_documents_are_gathered():
    assert all(claim in CLAIMS for claim in OTHERS)
    assert {type(claim) for claim in CLAIMS} > {BoardClaim}
    assert {claim.rules for claim in CLAIMS} > {"goff", "leaw-cheong", "cancelling"}
    assert all(fact in FACTS for fact in (*goff.FACTS, *leaw_cheong.FACTS))


def test_every_row_has_a_name_of_its_own(rows):
    names = [(row.id, row.encoding, row.method) for row in rows]
    assert len(set(names)) == len(names)


def test_both_collapses_are_checked_in_both_circuits(rows):
    found = {
        (row.encoding, row.method, row.expected)
        for row in rows
        if row.id.startswith("goff-example/P(5=")
    }
    assert found == {
        ("", "exact", 0.5), ("direct", "shots", 0.5), ("projected", "shots", 0.5),
    }  # fmt: skip
    acceptance = [
        row for row in rows if row.id == "goff-example/acceptance" and row.encoding == "projected"
    ]
    assert [row.expected for row in acceptance] == [2 / 2**4]


def contradictions(claim):
    for outcome, number in claim.probabilities.items():
        wrong = {
            **claim.probabilities,
            outcome: f"({number}){'+' if number == '0' else '-'}1/10**7",
        }
        yield replace(claim, probabilities=wrong), ("exact", f"P({outcome})")
    single = len(claim.amplitudes) == 1  # the sign of a single one is a global phase
    for outcome, number in () if single else claim.amplitudes.items():
        wrong = {**claim.amplitudes, outcome: f"-({number})"}
        yield replace(claim, amplitudes=wrong), ("statevector", "amplitude error")
        yield replace(claim, amplitudes=wrong), ("overlap", "overlap")
    yield replace(claim, success=f"({claim.success})-1/10**7"), ("statevector", "success")
    if isinstance(claim, goff.AssignmentClaim):
        yield replace(claim, projected="1/3"), ("shots", "acceptance")


@pytest.mark.parametrize("claim", OTHERS, ids=lambda claim: claim.id)
def test_a_document_that_said_something_else_would_be_contradicted(claim):
    for wrong, (method, what) in contradictions(claim):
        if not claim.amplitudes and method == "statevector":
            continue
        found = verify(shots=SHOTS, seed=1, claims=[wrong])
        failed = {(row.method, row.id.split("/", 1)[1]) for row in found.rows if not row.holds}
        assert (method, what) in failed, (method, what)


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{fact.id}/{fact.what}")
def test_a_fact_with_another_number_does_not_hold(fact):
    [row] = replace(fact, expected=f"({fact.expected})+1/10**7").exact_rows()
    assert not row.holds


def courses(mine, others, mover, ended):
    """Counts the courses of tic-tac-toe, one by one, by who wins."""
    if any(line <= others for line in LINES):
        ended["XO"[mover]] += 1
    elif len(mine | others) == 9:
        ended[None] += 1
    else:
        for square in set(range(9)) - mine - others:
            courses(others, mine | {square}, 1 - mover, ended)


LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


def test_every_classical_course_is_counted_as_a_plain_search_counts_them():
    ended = Counter()
    courses(set(), set(), 1, ended)
    assert sum(ended.values()) == 255_168
    assert leaw_cheong.classical_games() == ended


# --- wrong rules and wrong circuits are found


def holds(claims):
    return verify(shots=SHOTS, seed=1, claims=claims).holds


def test_lines_that_need_more_than_three_are_found(monkeypatch):
    monkeypatch.setattr(rules_of_leaw_cheong, "WINNING", 3.1)
    leaw_cheong.classical_games.cache_clear()
    with pytest.raises(ValueError, match="has the result None"):
        leaw_cheong.classical_games()
    leaw_cheong.classical_games.cache_clear()


def test_the_other_tie_break_is_found(monkeypatch):
    monkeypatch.setattr(Goff, "choices", {**Goff.choices, "tie_break": ("sum", "max")[::-1]})
    facts = [fact for fact in goff.FACTS if fact.id == "goff-tie-sum"]
    assert holds(facts)  # the option is named there
    exchanged = [
        replace(fact, found=replace(fact.found, options={"tie_break": "max"})) for fact in facts
    ]
    assert not holds(exchanged)


@pytest.mark.parametrize("encoding", ["one-hot", "binary"])
def test_a_preparation_without_its_signs_is_found(monkeypatch, encoding):
    right = selection.PREPARATIONS[encoding]
    monkeypatch.setitem(selection.PREPARATIONS, encoding, lambda table: right(abs(table)))
    assert not holds(leaw_cheong.CLAIMS[:1])


def test_an_index_that_is_not_uniform_is_found(monkeypatch):
    right = selection.uniform

    def wrong(rows):
        circuit = right(rows)
        if circuit.num_qubits:
            circuit.ry(0.3, 0)
        return circuit

    monkeypatch.setattr("qttt_circuits.compiling.leaw_cheong.uniform", wrong)
    assert not holds(leaw_cheong.CLAIMS[:1])
