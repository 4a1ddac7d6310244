"""Goff's game outside a running program: notation, options, records, decoders, the command line."""

import json
from itertools import product
from random import Random

import pytest
from circuits import assert_same_distribution, clbit_distribution
from hypothesis import given
from hypothesis import strategies as st
from qiskit import qasm3, qpy
from sympy import Rational, sympify
from test_goff_circuits import WAYS, builds, shapes
from test_goff_rules import (
    BOTH_IN_LINE,
    EXAMPLE,
    RULES,
    TIE_BREAK,
    marks,
    play,
    random_games,
    seen,
    snapshot,
)  # fmt: skip

from qttt_circuits import Game, IllegalMoveError, NotationError, QtttError
from qttt_circuits.decoders import decoder_from_json
from qttt_circuits.errors import OptionError, UnknownNameError

# --- notation

squares = st.integers(0, 999)
moves = st.tuples(squares, squares).map(lambda s: f"{s[0]},{s[1]}" if s[0] != s[1] else str(s[0]))
choices = st.builds("{}={}{}".format, squares, st.sampled_from("XO"), squares)


def test_squares_are_a_set():
    a, b = Game("goff").parse("5,8"), Game("goff").parse("8,5")
    assert (a, hash(a)) == (b, hash(b))
    assert a != Game("goff").parse("5,9")
    assert seen(play("5,8")) == seen(play("8,5"))


@given(st.one_of(moves, choices))
def test_text_parses_and_prints_back_the_same(text):
    value = Game("goff").parse(text)
    assert str(value) == text
    assert Game("goff-original").parse(str(value)) == value


@given(st.lists(choices, min_size=1, max_size=9), st.randoms())
def test_an_observed_assignment_prints_with_squares_ascending_whatever_its_order(taken, rng):
    value = Game("goff").parse(f"@{','.join(taken)}")
    printed = str(value).removeprefix("@").split(",")
    assert sorted(printed) == sorted(taken)
    assert [int(t.partition("=")[0]) for t in printed] == sorted(
        int(t.partition("=")[0]) for t in taken
    )
    rng.shuffle(taken)
    assert Game("goff").parse(f"@{','.join(taken)}") == value


BAD_TEXTS = [
    "", " ", ",", "5,", ",5", "5,,8", "5, 8", " 5", "5 ", "5\n", "5,8\n", "5;8", "5,8,9", "-5,8",
    "007", "05", "00", "5,08", "1000", "9" * 5000, "5," + "9" * 5000, "+5", "5.0", "five", "X:5,8",
    "=", "5=", "=X3", "5=X", "5=3", "5=Z3", "5=x3", "5=E3", "5=XX3", "5=X-3", "5=X03", "05=X3",
    "5=X3\n", "5=X3,6=O4", "5=X3=X3", "5,8=X3", "5=X" + "9" * 5000, "9" * 5000 + "=X3", "5==X3",
    "\uff15", "5,\u0668", "\u00b2", "5=X\u0663", "\u0665=X3", "5=\u0425" + "3",
    "@", "@5", "@5,8", "@=X3", "@5=Z3", "@5=X3,", "@,5=X3", "@5=X3;6=O4", "@@5=X3", "@EEEEEEEEE",
    "c7", "1:0.6,5:-0.8", "@left",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD_TEXTS, ids=lambda text: ascii(text[:12]))
def test_what_is_no_notation_is_refused_as_that(text):
    for game in (Game("goff"), play(EXAMPLE), play(EXAMPLE, collapse="measure")):
        before = snapshot(game)
        assert text not in game.legal_moves
        with pytest.raises(NotationError) as caught:
            game.push(text)
        assert not isinstance(caught.value, IllegalMoveError)
        assert isinstance(caught.value, ValueError)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 1000
        assert snapshot(game) == before


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"tie_break": "min"}, OptionError, "(sum or max|max or sum), not 'min'"),
        ({"tie_break": None}, OptionError, "sum or max|max or sum"),
        ({"single_square": "yes"}, OptionError, "true or false|false or true"),
        ({"single_square": 1}, OptionError, "true or false|false or true"),
        ({"collapse": "Choice"}, OptionError, "choice or measure"),
        ({"first": "x"}, OptionError, "X or O"),
        ({"tiebreak": "sum"}, UnknownNameError, "did you mean 'tie_break'"),
        ({"scoring": "lines"}, UnknownNameError, "scoring"),
    ],
)
@pytest.mark.parametrize("name", RULES)
def test_bad_options_are_refused(name, options, error, message):
    with pytest.raises(error, match=message) as caught:
        Game(name, **options)
    assert isinstance(caught.value, QtttError)


def test_true_and_false_may_be_values_or_text():
    for value in (True, "true"):
        assert "5" in Game("goff-original", single_square=value).legal_moves
    for value in (False, "false"):
        assert "5" not in Game("goff", single_square=value).legal_moves


@pytest.mark.parametrize("squares", [(5, 5), (1, 2, 3), (), (True, 2)])
def test_a_value_that_no_text_gives_is_no_move(squares):
    game = Game("goff-original")
    with pytest.raises(QtttError):
        game.push(type(game.parse("5,8"))(squares))
    assert game.history == ()


def test_first_starts_and_has_the_odd_subscripts():
    game = play("5,8 5,9 5,6 6,8", first="O")
    assert (game.turn, [str(move) for move in game.legal_moves]) == ("O", ["6=X4", "8=X4"])
    game.push("5=O3")
    assert marks(game) == {5: "O3", 6: "X4", 8: "O1", 9: "X2"}


def test_the_original_game_is_a_preset():
    for game, _, texts in random_games("goff-original", range(100)):
        twin = play(" ".join(map(str, game.history)), tie_break="max", single_square=False)
        assert (seen(twin), bool(texts)) == (seen(game), game.outcome() is None)
        assert list(twin.legal_moves) == list(game.legal_moves)


@pytest.mark.parametrize("name", RULES)
def test_pop_undoes_everything(name):
    rng = Random(f"pop {name}")
    for collapse in ("choice", "measure"):
        for _ in range(10):
            game, before = Game(name, collapse=collapse), []
            while game.outcome() is None:
                before.append(snapshot(game))
                if game.observation_due:
                    game.observe(seed=rng)
                else:
                    game.push(rng.choice(list(game.legal_moves)))
            assert Game.from_record(game.record()) == game
            while before:
                game.pop()
                assert snapshot(game) == before.pop()
            with pytest.raises(IndexError):
                game.pop()


# --- decoders


@builds
@shapes
def test_a_decoder_comes_back_from_json(moves, options):
    decoder = play(moves).experiment(**options).decoder
    again = decoder_from_json(json.loads(json.dumps(decoder.to_json())))
    assert again == decoder
    width = max(decoder.used()) + 1
    for bits in product((0, 1), repeat=width):
        assert again.read(bits) == decoder.read(bits)


DAMAGED = {
    "kind": ({"kind": "assignments"}, {}),
    "no moves": ({"moves": None}, {}),
    "a number": ({"moves": 3}, {}),
    "text": ({"moves": ["5=X1"]}, {}),
    "one square": ({}, {"squares": [5]}),
    "three squares": ({}, {"squares": [5, 8, 9]}),
    "no squares": ({}, {"squares": None}),
    "value": ({}, {"value": 2}),
    "mark": ({}, {"mark": 1}),
}


@pytest.mark.parametrize(("changes", "move"), DAMAGED.values(), ids=DAMAGED)
def test_damaged_json_is_no_decoder(changes, move):
    data = play("5,8 1,2").experiment().decoder.to_json()
    data = json.loads(json.dumps({**data, **changes}))
    if move:
        data["moves"][0] |= move
    with pytest.raises((ValueError, TypeError)):
        decoder_from_json(data)


def test_a_decoder_without_one_of_its_parts_is_none():
    data = json.loads(json.dumps(play("5,8").experiment().decoder.to_json()))
    for key in data:
        with pytest.raises(KeyError):
            decoder_from_json({k: v for k, v in data.items() if k != key})
    for key in data["moves"][0]:
        move = {k: v for k, v in data["moves"][0].items() if k != key}
        with pytest.raises(KeyError):
            decoder_from_json({**data, "moves": [move]})


# --- the command line

HEADER = {"rules", "moves", "turn", "observation_due", "success"}
PROJECTED = ("--option", "circuit=projected")
MEASURE = ("--option", "collapse=measure")


def document(run):
    """Returns what a successful call printed, which is one JSON document and nothing else."""
    assert (run.status, run.err) == (0, "")
    return json.loads(run.out)


@pytest.fixture
def record_file(tmp_path):
    """Writes a game's record into a file and returns its name."""

    def write(game):
        (tmp_path / "game.json").write_text(json.dumps(game.record()))
        return str(tmp_path / "game.json")

    return write


STEPS = [
    ("", "X", ""),
    ("5,8", "O", "5=X1|8=X1"),
    ("5,9", "X", "5=O2,8=X1|5=X1,9=O2|8=X1,9=O2"),
    ("5,6", "O", "5=O2,6=X3,8=X1|5=X1,6=X3,9=O2|5=X3,8=X1,9=O2|6=X3,8=X1,9=O2"),
    ("6,8", "X", "5=X1,6=X3,8=O4,9=O2|5=X3,6=O4,8=X1,9=O2"),
    ("8=X1", "X", ""),
    ("1,2", "O", "1=X5|2=X5"),
]


@pytest.mark.parametrize("ply", range(len(STEPS)))
def test_the_example_step_by_step_as_json(qttt, ply):
    moves = [move for move, _, _ in STEPS[: ply + 1] if move]
    _, turn, outcomes = STEPS[ply]
    header = {"rules": "goff", "moves": moves, "turn": turn, "observation_due": False, "success": 1}
    found = document(qttt("probabilities", "goff", *moves, "--json"))
    assert header.items() <= found.items()
    count = len(outcomes.split("|"))
    assert found["probabilities"] == pytest.approx(dict.fromkeys(outcomes.split("|"), 1 / count))
    assert found["exact"] == dict.fromkeys(outcomes.split("|"), f"1/{count}" if count > 1 else "1")
    roots = document(qttt("amplitudes", "goff", *moves, "--json"))
    expected = dict.fromkeys(outcomes.split("|"), count**-0.5)
    assert roots["amplitudes"] == pytest.approx(expected, abs=1e-12)
    assert {sympify(a) ** 2 for a in roots["exact"].values()} == {Rational(1, count)}


def test_legal_lists_moves_choices_or_what_is_due(qttt):
    moves = EXAMPLE.split()
    assert document(qttt("legal", "goff", *moves, "--json"))["legal"] == ["6=O4", "8=O4"]
    assert qttt("legal", "goff", *moves).out == "6=O4 8=O4\n"
    after = "1 2 3 4 7 1,2 1,3 1,4 1,7 2,3 2,4 2,7 3,4 3,7 4,7\n"
    assert qttt("legal", "goff", *moves, "5=X3").out == after
    pairs = after.removeprefix("1 2 3 4 7 ")
    assert qttt("legal", "goff-original", *moves, "5=X3").out == pairs
    assert qttt("legal", "goff", *moves, "5=X3", "--option", "single_square=false").out == pairs
    measured = document(qttt("legal", "goff", *moves, "--json", *MEASURE))
    assert (measured["legal"], measured["observation_due"], measured["turn"]) == ([], True, "X")
    assert "must be observed" in qttt("legal", "goff", *moves, *MEASURE).out
    over = document(qttt("legal", "goff", *BOTH_IN_LINE.split(), "--json"))
    assert (over["legal"], over["turn"]) == ([], None)


def test_the_exact_table_and_the_board_for_people(qttt):
    run = qttt("probabilities", "goff", *EXAMPLE.split(), "--exact")
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("goff: X chooses 6=O4 or 8=O4, then moves\n")
    for outcome in WAYS:
        assert any({outcome, "1/2"} <= {*line.split()} for line in run.out.splitlines())
    assert "X1 O2 X3" in run.out
    assert "[O4]" in qttt("probabilities", "goff", *EXAMPLE.split(), "8=O4").out


@pytest.mark.parametrize(
    ("rules", "options", "winner"),
    [("goff", (), "X"), ("goff-original", (), "O"), ("goff", ("--option", "tie_break=max"), "O")],
)
def test_the_tie_break_is_an_option(qttt, rules, options, winner):
    out = qttt("legal", rules, *TIE_BREAK.split(), *options).out
    assert out.startswith(rules)
    assert f": {winner} wins (both have three in a row" in out


def test_show_prints_the_document_s_last_board(qttt, record_file):
    game = play(BOTH_IN_LINE)
    found = document(qttt("show", record_file(game), "--json"))
    assert set(found) == HEADER | {"board", "record"}
    assert (found["board"], found["turn"]) == ("EEEXXXOOO", None)
    assert found["record"]["moves"] == BOTH_IN_LINE.split()
    run = qttt("show", record_file(game))
    assert run.out.startswith(f"goff {BOTH_IN_LINE}\n")
    assert all(part in run.out for part in ("X 1, O 0.5", "X counts 9 and O 12", "[X5]", "[O6]"))


@pytest.mark.parametrize("rejects", [True, False], ids=["projected", "direct"])
def test_sample_as_json(qttt, rejects):
    options = PROJECTED if rejects else ()
    call = ("sample", "goff", *EXAMPLE.split(), "--shots", "2000", "--seed", "7", "--json")
    found = document(qttt(*call, *options))
    p = 1 / 8 if rejects else 1
    assert (found["shots"], found["predicted_acceptance"]) == (2000, p)
    assert found["counts"].keys() == WAYS
    assert found["accepted"] == sum(found["counts"].values())
    assert abs(found["accepted"] - 2000 * p) <= 4.5 * (2000 * p * (1 - p)) ** 0.5
    assert found["rejected"] == {"exclusivity": 2000 - found["accepted"]}
    assert (found["backend"], found["seed"]) == ("aer:statevector", 7)
    assert found["circuit"] == ("projected" if rejects else "direct")
    both = document(qttt(*call, *options, *MEASURE))
    assert both["counts"] == found["counts"]


def test_sample_prints_a_table_for_people(qttt):
    run = qttt("sample", "goff", *EXAMPLE.split(), "--shots", "300", "--seed", "3", *PROJECTED)
    result = play(EXAMPLE).sample(shots=300, seed=3, circuit="projected")
    assert (run.status, run.err) == (0, "")
    assert f"(exclusivity {300 - result.accepted})" in run.out
    assert "predicted 0.1250" in run.out
    assert "circuit projected, seed 3" in run.out
    for outcome, n in result.counts.items():
        assert any({outcome, str(n)} <= {*line.split()} for line in run.out.splitlines())


@pytest.mark.parametrize("options", [(), PROJECTED, ("--no-elide",), ("--option", "elide=false")])
def test_circuits_are_drawn_and_exported(qttt, tmp_path, record_file, options):
    names = ["loc1", "loc3", "loc4"] if not options else ["loc1", "loc2", "loc3", "loc4"]
    call = ("circuit", "goff", *EXAMPLE.split(), *options)
    drawn = qttt(*call)
    assert (drawn.status, drawn.err) == (0, "")
    assert f"{'projected' if options == PROJECTED else 'direct'} X1 O2 X3 O4" in drawn.out
    assert [name for name in ("loc1", "loc2", "loc3", "loc4") if f"{name}:" in drawn.out] == names
    text = qttt(*call, "--format", "qasm3").out
    assert qttt(*call, "-o", str(tmp_path / "circuit.qpy")).status == 0
    with (tmp_path / "circuit.qpy").open("rb") as file:
        [loaded] = qpy.load(file)
    assert [register.name for register in loaded.qregs] == names
    expected = clbit_distribution(loaded)
    assert len(expected) == (16 if options == PROJECTED else 2)
    assert_same_distribution(clbit_distribution(qasm3.loads(text)), expected)
    assert qttt("circuit", "--record", record_file(play(EXAMPLE)), *options) == drawn


WRONG = {
    "5=O2": ((*EXAMPLE.split(), "5=O2"), "O2 is not in the cycle, which is X1, X3, O4"),
    "a move instead": ((*EXAMPLE.split(), "1,2"), "X chooses 6=O4 or 8=O4"),
    "nothing due": (("5,8", "5=X1"), "nothing to choose"),
    "classical": (("5", "5,8"), "classical mark X1"),
    "square 0": (("0",), "no square 0"),
    "notation": (("5=Z3",), "'5=Z3' is not a choice"),
    "empty": (("",), "'' is not a move"),
    "measured": ((*EXAMPLE.split(), "5=X3", *MEASURE), "circuit picks"),
    "value": (("--option", "collapse=chance"), "choice or measure, not 'chance'"),
    "option": (("--option", "tiebreak=max"), "did you mean 'tie_break'"),
}


@pytest.mark.parametrize("command", ["probabilities", "amplitudes", "legal", "circuit", "sample"])
@pytest.mark.parametrize(("arguments", "part"), WRONG.values(), ids=WRONG)
def test_wrong_use_is_one_line_and_exit_2(qttt, command, arguments, part):
    if "tiebreak=max" in arguments and command in ("circuit", "sample"):
        part = "circuits of goff have no option 'tiebreak'"  # there it could be one of either
    run = qttt(command, "goff", *arguments, *["--json"] * (command != "circuit"))
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    assert run.err.startswith("qttt: ")
    assert part in run.err


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("--option", "circuit=projekted"), "did you mean 'projected'"),
        (("--encoding", "pair"), "no option 'encoding'"),
        (("--synthesis", "state"), "no option 'synthesis'"),
        (("--option", "elide=maybe"), "elide is True or False"),
    ],
)
def test_wrong_options_of_circuits_are_one_line_and_exit_2(qttt, arguments, part):
    for command, more in (("circuit", ()), ("sample", ("--json",))):
        run = qttt(command, "goff", "5,8", *arguments, *more)
        assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
        assert part in run.err
