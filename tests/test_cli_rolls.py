"""``qttt rolls``: the table for people and as JSON."""

import json

import pytest
from test_cli_errors import check_refused
from test_cli_exact import document, played
from test_imports import HEAVY, loaded

from qttt_circuits.rolls import DICE, rolls

HALF = ("cancelling", "1,2", "-2,3")
KEYS = ["rules", "moves", "dice", "faces", "rerolled", "table", "distance", "distance_exact",
        "procedure", "steps"]  # fmt: skip
POSITIONS = [
    HALF,
    ("cancelling", "3,4", "-3,1", "9", "-4,2"),
    ("shiftflip", "1,2", "-2,3"),
    ("tiqtaqtoe",),
    ("goff", "5,8", "5,9", "5,6", "6,8"),
    ("leaw-cheong", "1:r1/2,5:r1/2", "2", "1:r1/6,5:-r1/6,3:r2/3"),
    ("cat-and-hounds",),
]
TABLE = """\
rolls of d100

 roll          board       by table   probability   exact
 ─────────────────────────────────────────────────────────────────────
 1-19          EEXEEEEEE   0.190000   0.193365      1/7 + 1/28*sqrt(2)
 20, 60, 100   EXEEEEEEE   0.030000   0.033176      2/7 - 5/28*sqrt(2)
 21-59         XEEEEEEEE   0.390000   0.386730      2/7 + 1/14*sqrt(2)
 61-99         EEOEEEEEE   0.390000   0.386730      2/7 + 1/14*sqrt(2)

roll a d100, or two d10 for tens and ones, of which 0 and 0 are 100; this table is document 000's
total variation distance 0.006541 = 73/350 - 1/7*sqrt(2)
"""
COMMAND = """
import sys
from qttt_circuits.cli import main
sys.argv = ["qttt", "rolls", "cancelling", "1,2", "-2,3", "--dice", "d4", "--json"]
try:
    main()
except SystemExit as end:
    assert not end.code
"""


def test_board_table_and_distance_are_printed(qttt):
    ran = qttt("rolls", *HALF)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"{played(HALF[0], HALF[1:])}\n\n{TABLE}"


def test_steps_are_numbered(qttt):
    out = qttt("rolls", *HALF, "--dice", "d4").out
    lines = [line.split() for line in out.splitlines()]
    assert ["step", "roll", "board", "by", "table", "probability", "exact"] in lines
    assert ["1", "44+1-2", "EXEEEEEEE", "0.031250", "0.033176", "2/7", "-", "5/28*sqrt(2)"] in lines
    assert ["2", "4-5", "EEOEEEEEE", "0.387500", "0.386730", "2/7", "+", "1/14*sqrt(2)"] in lines
    assert "\nstep 1: roll two of X's d4 and one of O's: if the two show 4 and O's 1 or 2, " in out
    assert "\nstep 2: otherwise roll two d4, " in out


def test_rolls_that_count_for_nothing_are_named(qttt):
    out = qttt("rolls", "shiftflip", "1,2", "-2,3", "5,6", "--dice", "d4").out
    assert "roll two d4 and read them one after the other, as digits; roll 41 and more again" in out
    assert " 21-24   XEOEEXEEE " in out
    assert "the squares 1,2,3 and 5,6 are independent: each group can be rolled alone" in out
    assert out.endswith("total variation distance 0: the table is exact\n")
    out = qttt("rolls", "shiftflip", "1,2", "-2,3", "--dice", "d4").out
    assert "roll a d4; roll 4 again\n" in out
    assert "nothing is left to chance" in qttt("rolls", "tiqtaqtoe", "5").out


@pytest.mark.parametrize("arguments", POSITIONS, ids=" ".join)
@pytest.mark.parametrize("dice", DICE)
def test_json_is_the_tables(qttt, arguments, dice):
    found = document(qttt("rolls", *arguments, "--dice", dice, "--json"))
    assert list(found) == KEYS
    rules, *moves = arguments
    table = rolls(played(rules, moves), dice)
    assert found == {"rules": rules, "moves": moves, **json.loads(json.dumps(table.to_json()))}
    for row in found["table"]:
        assert list(row) == ["from", "to", "outcome", "probability", "exact"]
    assert found["dice"] == dice
    assert found["distance"] == table.distance


def test_json_of_the_documents_table(qttt):
    found = document(qttt("rolls", *HALF, "--json"))
    assert [(row["from"], row["to"], row["outcome"]) for row in found["table"]] == [
        (1, 19, "EEXEEEEEE"),
        (20, 20, "EXEEEEEEE"),
        (21, 59, "XEEEEEEEE"),
        (60, 60, "EXEEEEEEE"),
        (61, 99, "EEOEEEEEE"),
        (100, 100, "EXEEEEEEE"),
    ]
    assert found["distance"] == pytest.approx(0.0065409197, abs=1e-10)
    assert found["distance_exact"] == "73/350 - 1/7*sqrt(2)"


def test_json_of_steps(qttt):
    """160 cases: 5 fail, and of 31 in 32 a fifth, two fifths and two fifths."""
    found = document(qttt("rolls", *HALF, "--dice", "d4", "--json"))
    assert (found["faces"], found["rerolled"]) == (160, 0)
    assert [row["to"] - row["from"] + 1 for row in found["table"]] == [5, 31, 62, 62]
    assert [(s["dice"], s["faces"], s["rerolled"]) for s in found["steps"]] == [
        ("three d4 as a d32", 32, 0),
        ("two d4 as a d8", 8, 3),
    ]
    assert found["steps"][0]["table"] == [
        {"from": 1, "to": 31, "outcome": None},
        {"from": 32, "to": 32, "outcome": "EXEEEEEEE"},
    ]


def test_a_group_alone(qttt):
    moves = ("cancelling", "1,2", "-2,3", "4,5", "-5,6")
    found = document(qttt("rolls", *moves, "--square", "5", "--dice", "d4", "--json"))
    outcomes = [row["outcome"] for row in found["table"]]
    assert outcomes == ["???EXEEEE", "???EEXEEE", "???XEEEEE", "???EEOEEE"]


def test_a_record_is_rolled(qttt, tmp_path):
    file = tmp_path / "game.json"
    file.write_text(json.dumps(played("tiqtaqtoe", ("1,2",), first="O").record()))
    found = document(qttt("rolls", "--record", str(file), "--dice", "d6", "--json"))
    assert [row["outcome"] for row in found["table"]] == ["EOEEEEEEE", "OEEEEEEEE"]


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "qttt rules"),
        (("tiqtaqto", "1"), "did you mean 'tiqtaqtoe'"),
        (("tiqtaqtoe", "1", "1"), "single die"),
        (("tiqtaqtoe", "1,2", "--dice", "d20"), "unknown dice 'd20'"),
        (("tiqtaqtoe", "1,2", "--dice", ""), "known are d100, d4, d6"),
        (("tiqtaqtoe", "1,2", "--square", "9"), "square 9 is in no group"),
        (("tiqtaqtoe", "1,2", "--square", "-1"), "square -1 is in no group"),
        (("tiqtaqtoe", "1,2", "--square", "one"), "not a valid integer"),
        (("goff",), "nothing to roll in goff"),
        (("goff", "1,2", "--square", "1"), "dice games only"),
        (("leaw-cheong", "1:0.6,5:0.8"), "a fraction or a root"),
        (("tiqtaqtoe", "1,2", "--die", "d4"), "no such option '--die'; did you mean '--dice'"),
    ],
)
def test_wrong_use_is_refused_in_one_line(qttt, arguments, reason, as_json):
    check_refused(qttt("rolls", *arguments, *["--json"] * as_json), reason)


def test_the_command_starts_fast():
    assert not loaded(COMMAND) & set(HEAVY)
