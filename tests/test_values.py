"""The tables of values of the dice games: what is in them, how they are read and made anew."""

import json
from itertools import product
from pathlib import Path
from random import Random

import pytest
from helpers import RULE_SETS
from solver import TURNS, observed

import qttt_circuits
from qttt_circuits import Game, solve
from qttt_circuits.errors import RecordError
from qttt_circuits.games import rules as rules_named
from qttt_circuits.solving.phase.build import TableBuilder, build
from qttt_circuits.solving.tables import as_text, checksum, read, values

FOLDER = Path(qttt_circuits.__file__).parent / "solving" / "values"
BOARDS = ["".join(letters) for letters in product("EXO", repeat=9)]
SWAP = str.maketrans("XO", "OX")
rule_sets = pytest.mark.parametrize("rules", RULE_SETS)


def text_of(rules):
    return (FOLDER / f"{rules}.json").read_text(encoding="utf-8")


# --- what is in them


@rule_sets
def test_every_board_has_a_value_and_a_finished_game_its_result(rules):
    known, game = values(rules), rules_named(rules)
    assert sorted(known.worth) == sorted(BOARDS)
    for board in BOARDS:
        for turn in "XO":
            value, outcome = known.value(board, turn), game.outcome(observed(rules, board, turn))
            assert -1 <= value <= 1
            if outcome is not None:
                assert value == game.lead(outcome)


@rule_sets
def test_images_of_a_board_are_worth_the_same_and_exchanged_the_negative(rules):
    known = values(rules)
    for board in BOARDS:
        for turned in TURNS:
            image = "".join(board[turned.index(i)] for i in range(9))
            assert known.worth[image] == known.worth[board]
        x, o = known.worth[board.translate(SWAP)]
        assert (-o, -x) == known.worth[board]


@rule_sets
def test_the_empty_board_is_worth_the_best_first_move(rules):
    known = values(rules)
    assert known.value("E" * 9, "X") == max(known.openings.values())
    firsts = solve(Game(rules), line=False).moves
    assert {float(r.value) for r in firsts} == {*known.openings.values()}


def test_an_endless_game_matters_only_in_shiftflip_and_with_an_even_number_of_empty_squares():
    assert values("tiqtaqtoe").endless == values("cancelling").endless == {}
    known = values("shiftflip")
    assert known.endless
    for board, found in known.endless.items():
        assert board.count("E") % 2 == 0
        for turn, (low, high) in found.items():
            assert low < high
            assert known.value(board, turn) == max(low, min(high, 0.0))


# --- making them anew


@rule_sets
def test_boards_with_up_to_four_empty_squares_come_out_again(rules):
    builder, known = TableBuilder(rules), values(rules)
    for empty in range(4):
        for board, pair in builder.level(empty, {}).items():
            assert pair == pytest.approx(known.worth[board], abs=1e-12)
    few = Random(1).sample([b for b in BOARDS if b.count("E") == 4], 8)
    for board in few:
        assert builder.board(board) == pytest.approx(known.worth[board], abs=1e-12)


@pytest.mark.slow
@rule_sets
def test_the_whole_table_comes_out_again(rules, tmp_path):
    steps = []

    def step(what, done, of):
        steps.append(what)
        if len(steps) == 1000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(rules, tmp_path, step)
    assert [path.name for path in tmp_path.iterdir()] == [f"{rules}.part"]
    build(rules, tmp_path, lambda what, done, of: None)  # goes on from there
    assert [path.name for path in tmp_path.iterdir()] == [f"{rules}.json"]
    made, known = (
        json.loads(t) for t in ((tmp_path / f"{rules}.json").read_text(), text_of(rules))
    )
    assert made["openings"] == pytest.approx(known["openings"], abs=1e-12)
    assert made["worth"].keys() == known["worth"].keys()
    for board, pair in made["worth"].items():
        assert pair == pytest.approx(known["worth"][board], abs=1e-12)
    assert made["endless"].keys() == known["endless"].keys()


# --- reading them


def test_a_table_that_is_written_reads_back():
    data = json.loads(text_of("shiftflip"))
    assert read("a", as_text(data), "shiftflip") == values("shiftflip")
    assert as_text(data) == text_of("shiftflip")
    assert data["program"] == values("shiftflip").program
    assert data["options"] == {"scoring": "lines"}


def changed(**changes):
    """Returns a table's text with changed fields and a checksum that fits."""
    data = {**json.loads(text_of("tiqtaqtoe")), **changes}
    return json.dumps({**data, "checksum": checksum(data)})


WORTH = json.loads(text_of("tiqtaqtoe"))["worth"]
WRONG = {
    "nothing": ("", "it is no JSON"),
    "half": (text_of("tiqtaqtoe")[:5000], "it is no JSON"),
    "a number": ("7", "it is no table of values"),
    "a list": ("[" * 100_000, "cannot be used"),
    "another format": (changed(format="qttt-circuits game"), "it is no table of values"),
    "another version": (changed(version=2), "it has version 2, not 1"),
    "another rule set": (text_of("cancelling"), "it is of 'cancelling'"),
    "other options": (changed(options={"scoring": "points"}), "{'scoring': 'points'}"),
    "a changed value": (text_of("tiqtaqtoe").replace("0.125", "0.126", 1), "its checksum is wrong"),
    "a missing board": (
        changed(worth={b: v for b, v in WORTH.items() if b != "EEEEEEEEE"}),
        "it has 19682 boards, not 19683",
    ),
    "no boards": (changed(worth=None), "cannot be used"),
    "a value that is none": (changed(worth={**WORTH, "EEEEEEEEE": 1}), "cannot be used"),
    "a value out of range": (changed(worth={**WORTH, "EEEEEEEEE": [2, 0]}), "2 is no value"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_damaged_or_foreign_table_is_refused_by_name_in_one_line(kind):
    text, part = WRONG[kind]
    with pytest.raises(RecordError) as caught:
        read("tiqtaqtoe.json", text, "tiqtaqtoe")
    message = str(caught.value)
    assert part in message
    assert "table of values tiqtaqtoe.json" in message
    assert "install the program anew" in message
    assert len(message.splitlines()) == 1


def test_a_missing_table_is_refused_by_name():
    with pytest.raises(RecordError, match=r"table of values .*chess\.json cannot be read: No such"):
        values("chess")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda data: data["openings"].pop("5"), "its first moves do not fit"),
        (lambda data: data["openings"].update({"1": 0.5}), "its first moves do not fit"),
        (lambda data: data["openings"].update({"5": 7}), "7 is no value of '5'"),
        (lambda data: data["openings"].update({"5": "1"}), "'1' is no value of '5'"),
        (lambda data: data["openings"].update({"zz": 0.1}), "'zz' is not a move"),
        (lambda data: data.update(openings=[1]), "it is damaged"),
        (lambda data: data.pop("openings"), "it is damaged"),
        (lambda data: data["worth"].pop("EEEEEEEEE"), "boards, not 19683"),
        (lambda data: data["worth"].update(EEEEEEEEE=[float("nan"), 0]), "nan is no value"),
    ],
)
def test_a_table_that_is_wrong_is_refused_even_with_a_right_checksum(spoil, reason):
    data = json.loads(text_of("tiqtaqtoe"))
    spoil(data)
    data["checksum"] = checksum(data)
    with pytest.raises(RecordError, match=reason):
        read("x", json.dumps(data), "tiqtaqtoe")
