"""Tables of what boards are worth: files that are damaged are refused in one line, by name."""

import json

import pytest
from helpers import RULE_SETS

from qttt_circuits.errors import RecordError
from qttt_circuits.solving import tables


def table_of(rules):
    """Returns the data of a table as they are in its file."""
    path = tables.files("qttt_circuits.solving") / "values" / f"{rules}.json"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_table_is_written_as_it_is_read(rules):
    data = table_of(rules)
    made = tables.to_json(rules, data["program"], data["worth"], data["openings"], data["endless"])
    assert made == data
    assert json.loads(tables.as_text(data)) == data
    assert tables.read("x", tables.as_text(data), rules) == tables.values(rules)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda data: data.update(checksum="0"), "its checksum is wrong"),
        (lambda data: data["worth"].update(EEEEEEEEE=[0.5, 0.5]), "its checksum is wrong"),
        (lambda data: data.update(format="other"), "it is no table of values"),
        (lambda data: data.update(version=2), "it has version 2, not 1"),
        (lambda data: data.update(rules="shiftflip"), "it is of 'shiftflip'"),
    ],
)
def test_a_table_that_was_changed_is_refused(spoil, reason):
    data = table_of("tiqtaqtoe")
    spoil(data)
    with pytest.raises(RecordError, match=f"x cannot be used: {reason}") as caught:
        tables.read("x", json.dumps(data), "tiqtaqtoe")
    assert "\n" not in str(caught.value)


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
    data = table_of("tiqtaqtoe")
    spoil(data)
    data["checksum"] = tables.checksum(data)
    with pytest.raises(RecordError, match=reason):
        tables.read("x", json.dumps(data), "tiqtaqtoe")


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "[" * 100_000])
def test_what_is_no_table_is_refused(text):
    with pytest.raises(RecordError, match="x cannot be used"):
        tables.read("x", text, "tiqtaqtoe")


def test_a_table_that_is_not_there_is_named_with_its_place():
    with pytest.raises(RecordError, match=r"values.nothing\.json cannot be read: No such file"):
        tables.values("nothing")
