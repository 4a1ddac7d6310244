"""The stored golden positions and the documents' own values, exactly."""

import pytest
import sympy
from helpers import GOLDEN

from qttt_circuits import Game, Surd


def position_id(entry):
    return "_".join([entry["rules"], *entry["moves"]])


def surd(entry):
    return Surd(entry["rational"], entry["sqrt2"])


@pytest.fixture
def game(entry):
    made = Game(entry["rules"])
    for move in entry["moves"]:
        made.push(move)
    return made


every_position = pytest.mark.parametrize("entry", GOLDEN, ids=map(position_id, GOLDEN))


def test_there_are_golden_positions_of_every_rule_set():
    assert len(GOLDEN) >= 50
    assert {entry["rules"] for entry in GOLDEN} == {"tiqtaqtoe", "cancelling", "shiftflip"}
    assert any(move.startswith("@") for entry in GOLDEN for move in entry["moves"])


@every_position
def test_boards_and_probabilities_are_the_golden_ones(game, entry):
    expected = {board: p["value"] for board, p in entry["probabilities"].items()}
    assert game.probabilities() == pytest.approx(expected, abs=1e-12)


@every_position
def test_exact_probabilities_are_the_golden_ones(game, entry):
    expected = {board: surd(p) for board, p in entry["probabilities"].items()}
    assert game.rules.exact_state(game.table).distribution(game.observed) == expected


@every_position
def test_amplitudes_are_the_golden_ones_up_to_one_factor(game, entry):
    expected = {board: surd(a) for board, a in entry["amplitudes"].items() if surd(a)}
    found = dict(game.rules.exact_state(game.table).terms(game.observed))
    assert found.keys() == expected.keys()
    board = min(expected)
    factor = found[board] / expected[board]
    assert found == {b: a * factor for b, a in expected.items()}


@every_position
def test_success_is_the_golden_one(game, entry):
    assert game.success == pytest.approx(entry["success"], abs=1e-9)
    assert float(game.rules.exact_state(game.table).success) == pytest.approx(
        entry["success"], abs=1e-9
    )


@every_position
def test_turn_and_what_is_due_are_the_golden_ones(game, entry):
    assert game.turn == entry["turn"]
    assert game.observation_due is entry["observation_due"]


ROOT = sympy.sqrt(2)
HALF, THIRD, QUARTER = sympy.Rational(1, 2), sympy.Rational(1, 3), sympy.Rational(1, 4)

DOCUMENTS = [
    ("tiqtaqtoe", "1,2", {"XE": HALF, "EX": HALF}, 1),
    ("tiqtaqtoe", "1 1,2", {"XO": HALF, "OX": HALF}, 1),
    ("tiqtaqtoe", "1,2 2,3", dict.fromkeys(("XOE", "XEO", "EXO", "EOX"), QUARTER), 1),
    ("cancelling", "1 -1,2", {"EX": HALF, "EO": HALF}, 1),
    ("cancelling", "1 1,-2", {"XE": HALF, "OE": HALF}, 1),
    (
        "cancelling",
        "1,2 -2,3",
        {
            "XEE": 1 / (4 - ROOT),
            "EEO": 1 / (4 - ROOT),
            "EEX": 1 / (8 - sympy.sqrt(8)),
            "EXE": (3 - sympy.sqrt(8)) / (8 - sympy.sqrt(8)),
        },
        (4 - ROOT) / (2 * (3 - ROOT)),
    ),
    (
        "cancelling",
        "3,4 -3,1 O:-4,2",
        {
            "OEEE": 1 / (2 * (3 - ROOT)),
            "EOEE": 1 / (2 * (3 - ROOT)),
            "XEEE": 1 / (4 * (3 - ROOT)),
            "EXEE": 1 / (4 * (3 - ROOT)),
            "EEXE": (3 - 2 * ROOT) / (4 * (3 - ROOT)),
            "EEEX": (3 - 2 * ROOT) / (4 * (3 - ROOT)),
        },
        1 / (3 - ROOT),
    ),
    ("shiftflip", "1 -1,2", {"EX": HALF, "EO": HALF}, 1),
    ("shiftflip", "1,2 -2,3", {"EXX": THIRD, "XEO": 2 * THIRD}, 3 * QUARTER),
    ("shiftflip", "1,2 -2,-3", {"XEE": HALF, "EXE": QUARTER, "EEX": QUARTER}, 1),
    ("shiftflip", "1 -1,-2", {"EE": 1}, 1),
]

every_document_row = pytest.mark.parametrize(
    ("rules", "moves", "expected", "success"), DOCUMENTS, ids=[f"{r}_{m}" for r, m, *_ in DOCUMENTS]
)


@every_document_row
def test_the_documents_values_come_out_exactly(rules, moves, expected, success):
    game = Game(rules)
    for move in moves.split():
        game.push(move)
    found = game.probabilities(exact=True)
    assert {board.rstrip("E") for board in found} == {board.rstrip("E") for board in expected}
    for board, p in expected.items():
        assert sympy.simplify(found[board.ljust(9, "E")] - p) == 0
    assert sympy.simplify(game.rules.exact_state(game.table).success.to_sympy() - success) == 0


def norm(rules, moves):
    game = Game(rules)
    for move in moves.split():
        game.push(move)
    return game.rules.exact_state(game.table).norm


def test_norms_before_renormalising_are_the_documents_ones():
    assert norm("cancelling", "1,2 -2,3") == Surd(4, -1) / 2
    assert norm("cancelling", "3,4 -3,1 O:-4,2") == Surd(3, -1)
    assert norm("shiftflip", "1,2 -2,3") == Surd("3/4")


@pytest.mark.parametrize(
    ("moves", "failing", "expected"),
    [
        ("1,2 -2,3", "2", {"XEE": "2/5", "EEO": "2/5", "EEX": "1/5"}),
        (
            "3,4 -3,1 O:-4,2",
            "34",
            {"OEEE": "2/6", "EOEE": "2/6", "XEEE": "1/6", "EXEE": "1/6"},
        ),
    ],
)
def test_probabilities_given_no_failure_are_the_documents_ones(moves, failing, expected):
    game = Game("cancelling")
    for move in moves.split():
        game.push(move)
    state = game.rules.exact_state(game.table)
    for square in failing:
        state = state.given(int(square), "E")
    assert state.distribution(game.observed) == {
        board.ljust(9, "E"): Surd(p) for board, p in expected.items()
    }


def test_the_chance_of_a_failed_cancelling_is_about_three_percent():
    game = Game("cancelling")
    game.push("1,2")
    game.push("-2,3")
    assert game.probabilities()["EXEEEEEEE"] == pytest.approx(0.0331761495760, abs=1e-12)
    assert game.success == pytest.approx(0.81530, abs=5e-6)
