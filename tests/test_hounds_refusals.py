"""Cat and hounds: options, measurements, and every reason for which a move is refused."""

import json
from collections import Counter
from fractions import Fraction
from math import sqrt

import pytest
from hounds import MEASURED, Referee, agrees, branches, squares, walk
from hypothesis import given
from hypothesis import strategies as st
from test_hounds_rules import NAME, levels, listed, play, refereed, signed

from qttt_circuits import Game, IllegalMoveError, NotationError
from qttt_circuits.decoders import decoder_from_json
from qttt_circuits.errors import OptionError, QtttError, UnknownNameError


def snapshot(game):
    """Returns everything that can be seen of a game, to compare before and after."""
    return game.record(), game.observed, game.turn, game.success, str(game), listed(game)


# --- refusals

SPLIT = "c7 a1-b2 split:d6,d8,b6"
ONE = "e5 e1-f2 split:f6,f4 f2-e3"
"""Level 2 or 3, 6x6: both cats can go to e5 only."""
ENTANGLED = "c3 c1-d2 split:b4,d4,b2 a1-b2"
"""Level 5, 4x4: the hound of a1 went to b2 but where the cat is there."""
POINT = "c5 c1-b2 split:b4,d6,d4 b2-c3 a3,c5,e3~ e1-d2 b2,b6~,f4~ c3-d4 c1~,c5,e3 a1-b2"
"""Level 4, 6x6: the cat of branch left has passed and has no square."""
DUE = "split:c7,e7 a1-b2 b8,f8 b2-a3 c7,e7 c1-b2 b8,f8"
"""Level 3, 8x8."""
OVER = "split:a3,c3 c1-d2 b2,d4 d2-c3"

REFUSALS = {
    # level, size, moves: text, reason
    (1, 8, ""): {
        "split:c7,e7": "does not split at level 1",
        "c7~": "phases are not flipped at level 1", ".": "must move, to c7 or e7",
        "d6": "cannot go to d6, only to c7, e7", "d8": "cannot go to d8", "c7,e7": "write 1 square",
        "c8": "c8 is no dark square", "c9": "c9 is no dark square", "i9": "no dark square",
        "a9": "no dark square", "z99": "no dark square", "b1": "no dark square",
        "a1-b2": "it is the cat's turn", "@left": "not measured at level 1",
        "split:c7": "does not split", "c1-b1": "b1 is no dark square",
    },
    (1, 8, "c7"): {
        "b6": "it is the hounds' turn", "split:b6,d6": "it is the hounds' turn",
        "c3-b4": "no hound is on c3", "a1-b3": "b3 is no dark square",
        "a1-c3": "from a1 to b2", "c1-c1": "from c1 to b2 or d2", "c1-e3": "from c1 to b2 or d2",
        "c7-b8": "no hound is on c7", "a1-a2": "a2 is no dark square",
    },
    (1, 8, "c7 a1-b2 b6 b2-a3 c5 a3-b4 d6"): {
        "b4-a3": "up, from b4 to a5 or c5", "b4-c3": "up, from b4", "a1-b2": "no hound is on a1",
    },
    (1, 4, "c3 a1-b2 d4"): {"b2-a1": "up, from b2 to a3 or c3", "c1-b2": "b2 holds a hound"},
    (1, 4, "c3 c1-d2 b2"): {"a1-b2": "b2 holds the cat"},
    (1, 4, "c3 c1-d2"): {"d2": "cannot go to d2, only to b2, b4, d4"},
    (1, 4, "a3 c1-b2 b4 b2-c3 a3 a1-b2 b4"): {"c3-b4": "b4 holds the cat"},
    (1, 4, "a3 a1-b2 b4 b2-c3 a3 c3-b4"): {"b4-a5": "a5 is no dark square"},
    (2, 8, ""): {
        "split:c7": "splits to 2 different squares", "split:c7,c7": "2 different squares",
        "split:c7,d6": "cannot go to d6", "split:c7,c9": "c9 is no dark square",
        "split:c7,e7,d6": "2 different squares", "c7~": "not flipped at level 2",
    },
    (2, 8, "c7 a1-b2"): {"split:b6,b8,d6": "2 different squares at level 2"},
    (2, 8, "split:c7,e7"): {
        "d2-e1": "no hound is on d2", "c1-d1": "d1 is no dark square", "b6,d6": "hounds' turn",
    },
    (2, 8, "split:c7,e7 a1-b2"): {
        "split:b6,b8": "in superposition already", "b6": "one a branch: left, right",
        "b6,d6,f6": "write 2 squares", "b6~,f6": "not flipped at level 2",
        "d6,d6": "two cats cannot end on one square at level 2", ".,f6": "branch left must move",
        "b6,.": "branch right must move", ".,.": "must move", "b6,d8,.": "write 2 squares",
        "e7,f6": "branch left cannot go to e7, only to b6, b8, d6, d8",
        "b6,e7": "branch right cannot go to e7",
        "@left": "not measured at level 2",
    },
    (2, 6, ONE): {
        "e5,e5": "two cats cannot end on one square", ".,.": "can go to e5,. or .,e5",
        "e5,g5": "no dark square", "e5,e3": "branch right cannot go to e3",
    },
    (3, 8, "split:c7,e7 a1-b2"): {
        "@left": "measured 3 more turns of its own", "b6,f6~": "not flipped at level 3",
        "d6,d6": "two cats cannot end on one square at level 3",
    },
    (3, 8, "split:c7,e7 a1-b2 b8,f8 b2-a3 c7,e7 c1-b2"): {"@left": "1 more turn of its own"},
    (3, 8, DUE): {
        "@centre": "probability zero", "@cat": "probability zero", "e1-d2": "measured first",
        "c7,e7": "measured first", "split:c7,a7": "measured first",
    },
    (3, 8, f"{DUE} @left"): {"@left": "classical", "@right": "classical", "a7": "hounds' turn"},
    (3, 4, OVER): {"a3,c3": "over", "c3-b4": "over", "@left": "over", "a3": "over"},
    (4, 8, ""): {
        "split:c7,e7": "3 different squares", "c7~": "only a superposed cat has a phase",
        "split:c7,e7,d6": "2 free squares, and a split needs 3", "@left": "classical",
    },
    (4, 8, "c7 a1-b2"): {
        "split:b6,b8": "3 different squares at level 4", "split:b6,b8,b8": "3 different squares",
        "split:b6,b8,c5": "cannot go to c5", "d6~": "only a superposed cat",
    },
    (4, 8, SPLIT): {
        "b2-a1": "up, from b2", "b2-b2": "up, from b2", "a1-b2": "no hound is on a1",
        "@left": "measured 5 more turns",
    },
    (4, 8, f"{SPLIT} b2-a3"): {
        "c5,c7": "write 3 squares, one a branch: left, centre, right", ".,c7,c7": "left must move",
        "c7,c7,.": "branch right must move", "d8,c7,c7": "left cannot go to d8",
        "split:c5,c7,e5": "superposition already",
    },
    (4, 4, ENTANGLED.removesuffix(" a1-b2")): {"a1-b2": "b2 holds the cat in branch right"},
    (4, 4, "c3 c1-b2 split:d4,d2,b4 b2-a3 c3,c3,c3~"): {"a1-a1": "from a1 to b2"},
    (4, 6, POINT): {
        "b2,b4,f2": "branch left cannot go to b2, only to no square",
        ".,.,f2": "the cats can go to .,b4,f2 or",
        "a1,b4,f2": "left cannot go to a1",
    },
    (5, 4, f"{ENTANGLED} c3,c3,a3"): {
        "d2-e3": "e3 is no dark square", "b2-b4": "up, from b2", "a1-a3": "up, from a1",
        "c1-b2": "no hound is on c1", "b2-a1": "up, from b2",
    },
    (5, 4, f"{ENTANGLED} c3,c3,c3"): {
        "b2-c3": "c3 holds the cat in branch left",
        "d2-c3": "c3 holds the cat in branch left",
    },
    (5, 4, ENTANGLED): {"b2,c3,c3": "branch left cannot go to b2", "c3,c3,b2": "right cannot go"},
}  # fmt: skip

CASES = [(*where, *refusal) for where, found in REFUSALS.items() for refusal in found.items()]


@pytest.mark.parametrize(("level", "size", "moves", "text", "reason"), CASES)
def test_the_rules_refuse_and_say_why(level, size, moves, text, reason):
    game, referee = refereed(moves, level, size)
    before = snapshot(game)
    assert not referee.allows(text)
    assert text not in game.legal_moves
    assert game.parse(text) not in game.legal_moves
    with pytest.raises(IllegalMoveError, match=reason) as caught:
        game.push(text)
    assert not isinstance(caught.value, NotationError)
    position = f"{game.rules.title} {moves}".strip()
    assert (caught.value.move, caught.value.position) == (text, position)
    assert "\n" not in str(caught.value)
    assert snapshot(game) == before


def test_a_hound_must_act_everywhere_up_to_level_4_and_somewhere_at_level_5():
    before, move = ENTANGLED.rsplit(maxsplit=1)
    for level in (4, 5):
        game, _ = refereed(before, level, 4)
        assert (move in game.legal_moves) is (level == 5)
        assert (move in listed(game)) is (level == 5)
    # nowhere: c3 holds the cat of every branch that has a hound below it
    assert "d2-c3" not in refereed(f"{ENTANGLED} c3,c3,c3", 5, 4)[0].legal_moves


BAD_TEXTS = [
    "", " ", ",", "c", "7", "c0", "c07", "c7 ", " c7", "c7\n", "c7,", ",c7", "c7,,e7", "c7;e7",
    "C7", "c7~~", "~c7", ".~", "c7,.~", "~", "c7,e7,d6,f6", "c7,e7,d6,f6,g7", "c100", "cc7", "7c",
    "split", "split:", "split:c7,", "split:.", "split:c7,.", "split:c7~,e7", "split:c7,e7~",
    "split:c7;e7", "split:split:c7,e7", "Split:c7,e7", "split :c7,e7", "split:c7,e7,d6,f6",
    "a1-", "-b2", "a1-b2~", "a1--b2", "a1-b2-c3", "a1-b2,c1-d2", "a1 - b2", "a1:b2", "A1-b2",
    "@", "@Left", "@left ", "@foo", "@left,right", "@@left", "@center", "@c7", "@EEEEEEEEE",
    "\uff437", "c\uff17", "c\u0667", "\u04417", "c7\u0303", "c7,e7\uff5e", "a1\u2013b2", "c\u00b2",
    "c7," * 5000, "c" + "7" * 5000, "split:" + "c7," * 5000, "a1-" * 5000, "@" + "x" * 5000,
    "5", "1,2", "-2,3", "5=X3", "1:0.6,5:-0.8", "\x00", "c7\x00",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD_TEXTS, ids=lambda t: ascii(t[:12]))
def test_what_is_no_notation_is_refused_as_that(text):
    for game in (play(), play(SPLIT, level=5), play(f"{SPLIT} b2-a3", level=4), play(DUE, level=3)):
        before = snapshot(game)
        with pytest.raises(NotationError) as caught:
            game.push(text)
        assert text not in game.legal_moves
        assert isinstance(caught.value, ValueError)
        assert not isinstance(caught.value, IllegalMoveError)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 1000
        assert snapshot(game) == before


@given(st.sampled_from([("", 1), (f"{SPLIT} b2-a3", 4), (ENTANGLED, 5), (DUE, 3)]), st.text())
def test_any_text_is_refused_or_legal_but_never_a_crash(where, text):
    moves, level = where
    size = 4 if moves == ENTANGLED else 8
    game, referee = refereed(moves, level, size)
    try:
        game.push(text)
    except QtttError:
        assert game.text() == f"{game.rules.title} {moves}".strip()
    else:
        assert referee.allows(text)


def test_values_that_no_text_gives_are_no_moves():
    game = play(SPLIT, level=4)
    cat, hound = type(game.history[0]), type(game.history[1])
    step = type(game.history[0].steps[0])
    for make in (
        lambda: cat(()), lambda: cat((step("c7"),) * 4), lambda: cat((step("c7", True),), True),
        lambda: cat((step(".", True),)), lambda: cat((step("c77777"),)), lambda: cat(("c7",)),
        lambda: hound("a1", "b"), lambda: hound("a1", None),
    ):  # fmt: skip
        with pytest.raises(NotationError):
            make()
    for value in (None, 7, b"c7", ["c7"]):
        assert value not in game.legal_moves
        with pytest.raises(NotationError):
            game.push(value)
    assert game == play(SPLIT, level=4)


def test_a_step_to_what_is_no_text_is_no_move():
    cat = play("c7").history[0]
    with pytest.raises(NotationError):
        type(cat)((type(cat.steps[0])(7),))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"size": 7}, OptionError, "even size"), ({"size": 5}, OptionError, "even size"),
        ({"size": 2}, OptionError, "even size"), ({"size": 0}, OptionError, "size"),
        ({"size": -8}, OptionError, "size"), ({"size": 98}, OptionError, "even size from 4 to 26"),
        ({"size": 28}, OptionError, "from 4 to 26"), ({"size": 10**9}, OptionError, "size"),
        ({"size": "8 "}, OptionError, "size"), ({"size": 8.0}, OptionError, "size"),
        ({"size": "eight"}, OptionError, "size"), ({"size": None}, OptionError, "size"),
        ({"level": 0}, OptionError, "level of cat-and-hounds is 1 or 2 or 3 or 4 or 5, not 0"),
        ({"level": 6}, OptionError, "level"), ({"level": "one"}, OptionError, "level"),
        ({"level": True}, OptionError, "level"), ({"level": -1}, OptionError, "level"),
        ({"start": "d6"}, OptionError, "starts on b8, d8, f8, h8, not on d6"),
        ({"start": "a1"}, OptionError, "starts on b8"), ({"start": "c8"}, OptionError, "not on c8"),
        ({"start": "d8", "size": 6}, OptionError, "starts on b6, d6, f6, not on d8"),
        ({"start": "D8"}, OptionError, "start"), ({"start": "j8"}, OptionError, "not on j8"),
        ({"first": "X"}, OptionError, "cat or hounds"), ({"first": "Cat"}, OptionError, "first"),
        ({"levl": 1}, UnknownNameError, "did you mean 'level'"),
        ({"encoding": "pair"}, UnknownNameError, "encoding"),
    ],
)  # fmt: skip
def test_bad_options_are_refused(options, error, message):
    with pytest.raises(error, match=message) as caught:
        Game(NAME, **options)
    assert isinstance(caught.value, QtttError)


def test_observing_when_nothing_is_due_is_refused():
    for moves, level, reason in (
        ("", 1, "not measured at level 1"), ("split:c7,e7", 2, "not measured at level 2"),
        ("c7", 3, "classical"), (SPLIT, 4, "5 more turns"), (f"{DUE} @left", 3, "classical"),
    ):  # fmt: skip
        game = play(moves, level=level)
        for how in ({"seed": 1}, {"board": "left"}, {"backend": "aer"}):
            with pytest.raises(IllegalMoveError, match=reason):
                game.observe(**how)
        assert game == play(moves, level=level)
    with pytest.raises(NotationError, match="left, centre, right"):
        play(DUE, level=3).observe(board="foo")
    with pytest.raises(IllegalMoveError, match="probability zero"):
        play(DUE, level=3).observe(board="centre")


# --- the board, the start, the options


def test_the_start_is_the_document_s():
    game = Game(NAME)
    assert branches(game.observed) == {
        "cat": ("d8", frozenset({"a1", "c1", "e1", "g1"}), 1, Fraction(1))
    }
    assert (game.turn, listed(game)) == ("cat", {"c7", "e7"})
    assert Game(NAME, level="1") == game == Game(NAME, size="8", start="d8", first="cat", level=1)


@pytest.mark.parametrize(("size", "start"), [(4, "b4"), (6, "d6"), (8, "d8"), (10, "f10")])
def test_the_cat_starts_nearest_the_middle(size, start):
    [(cat, hounds, _, _)] = branches(Game(NAME, size=size).observed).values()
    assert cat == start
    assert hounds == {square for square in squares(size) if square[1:] == "1"}
    assert len(hounds) == size // 2


@pytest.mark.parametrize("start", ["b8", "d8", "f8", "h8"])
@levels
def test_options_are_numbers_or_text(level, start):
    game = Game(NAME, level=level, size=8, start=start, first="hounds")
    assert game == Game(NAME, level=str(level), size="8", start=start, first="hounds")
    agrees(game, Referee(level, 8, start, "hounds"))
    assert listed(game) == {"a1-b2", "c1-b2", "c1-d2", "e1-d2", "e1-f2", "g1-f2", "g1-h2"}
    game.push("a1-b2")
    assert game.turn == "cat"
    assert Game.from_record(game.record()) == game


squares_8 = st.sampled_from(squares(8))
steps = st.tuples(squares_8, st.sampled_from(["", "~"])).map("".join) | st.just(".")
texts = (
    st.lists(steps, min_size=1, max_size=3).map(",".join)
    | st.lists(squares_8, min_size=1, max_size=3).map(lambda to: f"split:{','.join(to)}")
    | st.tuples(squares_8, squares_8).map("-".join)
    | st.sampled_from(["@left", "@centre", "@right"])
)


@given(texts)
def test_a_text_prints_as_it_was_parsed(text):
    assert str(Game(NAME).parse(text)) == text


# --- measurement


@pytest.mark.parametrize(("level", "size"), [(2, 8), (3, 6), (3, 8), (4, 6), (4, 8), (5, 8)])
def test_the_cat_is_measured_so_many_turns_after_the_split_turn(level, size):
    counted = 0
    for seed in range(60):
        game, turns = Game(NAME, level=level, size=size), None
        for referee, text in walk(level, size, f"turns {seed}"):
            if not text:
                continue
            mover = game.turn
            game.push(text)
            quantum = len(game.probabilities()) > 1
            if text.startswith("split"):
                turns = 0
            elif not quantum:
                turns = None
            elif mover == "cat" and turns is not None:
                turns += 1
            due = quantum and turns == MEASURED.get(level) and not referee.over
            assert game.observation_due is due, game.text()
            counted += due
    assert (counted > 0) is (level > 2)


def test_a_level_2_cat_stays_in_superposition():
    game = play("split:c7,e7 a1-b2", level=2)
    for move in ("b8,f8", "b2-a3", "c7,e7", "c1-b2", "b8,f8", "b2-c3", "c7,e7", "e1-d2", "b8,f8"):
        game.push(move)
        assert not game.observation_due
    assert signed(game) == {"left": Fraction(1, 2), "right": Fraction(1, 2)}
    with pytest.raises(IllegalMoveError, match="not measured at level 2"):
        game.observe(seed=1)


def test_observing_is_reproducible_replayed_and_undone():
    found = Counter()
    for seed in range(200):
        game, again = play(DUE, level=3), play(DUE, level=3)
        name = game.observe(seed=seed)
        assert name == again.observe(seed=seed)
        assert game == again == Game.from_record(game.record())
        found[name] += 1
        assert str(game.history[-1]) == f"@{name}" == str(game.pop())
        assert game == play(DUE, level=3)
        assert game.observation_due
        assert game.observe(board=name) == name
        assert game == again
        assert game.turn == "hounds"
    assert abs(found["left"] - 100) < 4.5 * sqrt(200 / 4)
    assert found.keys() == {"left", "right"}


# --- decoders

MERGED = "c5 c1-d2 split:b6,b4,d4 d2-c3 c5,c5,e5"
DAMAGED = {
    "kind": {"kind": "branches"}, "encoding": {"encoding": "paar"}, "no encoding": {"encoding": 7},
    "symbols": {"symbols": {"left": "Q"}}, "no symbols": {"symbols": None},
    "cells": {"cells": [[0, 0]]}, "a cell": {"cells": [[0, 2], [1, 0]]}, "cell": {"cells": [0, 1]},
    "positions": {"positions": {"up": [[2, 0]]}}, "a bit": {"positions": {"left": [[2, 7]]}},
    "a clbit": {"positions": {"left": [["2", 0]]}}, "no positions": {"positions": None},
    "agreeing": {"agreeing": "yes"}, "ancillas": {"ancillas": [{"clbit": 4}]},
    "no ancillas": {"ancillas": None},
}  # fmt: skip


@pytest.mark.parametrize("changes", DAMAGED.values(), ids=DAMAGED)
def test_damaged_json_is_no_decoder(changes):
    decoder = play(MERGED, level=4, size=6).experiment(encoding="pair").decoder
    data = json.loads(json.dumps({**decoder.to_json(), **changes}))
    with pytest.raises((ValueError, TypeError, KeyError)):
        decoder_from_json(data)
    whole = json.loads(json.dumps(decoder.to_json()))
    for key in changes:
        with pytest.raises(KeyError):
            decoder_from_json({k: v for k, v in whole.items() if k != key})
