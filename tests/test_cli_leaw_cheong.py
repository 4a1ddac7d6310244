"""Leaw and Cheong's game outside a program: exact values, records, decoders, command line."""

import io
import json
from itertools import product

import pytest
import sympy
from circuits import assert_same_distribution, clbit_distribution
from helpers import SQUARES
from qiskit import qasm3, qpy
from test_amplitudes import expression
from test_cli_circuits import assert_refused
from test_leaw_cheong_circuits import INTERFERING, builds, movers
from test_leaw_cheong_rules import (
    COMPLEX,
    EXACT,
    NAME,
    REAL,
    kinds,
    play,
    random_game,
    snapshot,
    vector,
)

from qttt_circuits import Game
from qttt_circuits.decoders import decoder_from_json, require_width
from qttt_circuits.errors import OptionError, UnknownNameError

# --- exact values


def exactly(move):
    """Returns a move as sympy numbers, without the package."""
    body, found = move.removeprefix("norm:"), [sympy.Integer(0)] * 9
    for part in body.split(","):
        square, _, amplitude = part.partition(":")
        found[int(square) - 1] = expression(amplitude or "1")
    length = sympy.sqrt(sum(sympy.expand(a * sympy.conjugate(a)) for a in found))
    return [a / length for a in found] if body != move else found


@pytest.mark.parametrize("kind", EXACT)
def test_exact_values_are_those_of_sympy(kind):
    moves = EXACT[kind].split()
    for plies in range(1, len(moves) + 1):
        game, mine = play(" ".join(moves[:plies])), list(map(exactly, movers(moves[:plies])))
        total = [
            sympy.expand(sum(column) / sympy.sqrt(len(mine))) for column in zip(*mine, strict=True)
        ]
        expected = {str(s): a for s, a in zip(SQUARES, total, strict=True) if a != 0}
        found, shown = game.amplitudes(exact=True), game.probabilities(exact=True)
        assert found.keys() == shown.keys() == expected.keys()
        for square, a in expected.items():
            assert sympy.simplify(found[square] - a) == 0
            assert sympy.simplify(shown[square] - a * sympy.conjugate(a)) == 0
            assert game.probabilities()[square] == pytest.approx(float(shown[square]), abs=1e-12)
        assert sympy.simplify(sum(shown.values())) == 1


@pytest.mark.parametrize(
    "moves", ["1:0.6,5:0.8", "5:1.0", "1 5:-1.0 9", "1:3/5,5:0.8i", "norm:1:1,2:0.5"]
)
def test_a_decimal_anywhere_leaves_no_exact_values(moves):
    game = play(moves)
    for ask in (game.probabilities, game.amplitudes):
        with pytest.raises(OptionError) as caught:
            ask(exact=True)
        assert "\n" not in str(caught.value)
    assert sum(game.probabilities().values()) == pytest.approx(1)


# --- records


@kinds
def test_a_record_and_pop_bring_everything_back(complex_amplitudes):
    seen = []
    for game, _ in random_game(21, complex_amplitudes, first="O"):
        seen.append(snapshot(game))
        again = Game.from_record(json.loads(json.dumps(game.record())))
        assert again == game
        assert snapshot(again) == seen[-1]
    assert game.record()["options"] == {"first": "O"}
    for before in reversed(seen):
        assert snapshot(game) == before
        moves = [str(move) for move in game.history]
        assert str(game.pop()) == moves[-1]
    assert snapshot(game) == snapshot(Game(NAME, first="O"))
    with pytest.raises(IndexError):
        game.pop()


# --- decoders, worked out by hand


@pytest.mark.parametrize(
    ("circuit", "read"),
    [  # clbit 0, rightmost, is square 1; then square 5; the index is leftmost
        ("occupation", {"001": "1", "010": "5", "011": "invalid-code", "000": "invalid-code",
                        "101": "index", "110": "index", "111": "invalid-code",
                        "100": "invalid-code"}),
        ("direct", {"1": "invalid-code"}),
    ],
)  # fmt: skip
def test_one_hot_bits_are_read_code_first_then_index(circuit, read):
    moves = INTERFERING if circuit == "occupation" else "1:r1/2,5:r1/2"
    experiment = play(moves).experiment(circuit=circuit)
    if circuit == "direct":
        read = {"01": "1", "10": "5", "11": "invalid-code", "00": "invalid-code"}
    for bits, name in read.items():
        found = experiment.decode({bits: 3})
        reasons = {"invalid-code": 0, "index": 0}
        if name in reasons:
            assert (found.counts, found.rejected) == ({}, {**reasons, name: 3})
        else:
            assert (found.counts, found.rejected) == ({name: 3}, reasons)


def test_binary_bits_are_the_square_less_one_then_the_index():
    experiment = play(INTERFERING).experiment(encoding="binary", elide=False)
    for value, index in product(range(16), range(2)):
        found = experiment.decode([f"{index:b}{value:04b}"])
        accepted = {str(value + 1): 1} if value < 9 and not index else {}
        assert found.counts == accepted
        assert found.rejected == {
            "invalid-code": int(value >= 9),
            "index": int(value < 9 and index),
        }
    elided = play(INTERFERING).experiment(encoding="binary")  # squares 1 and 5 differ in one bit
    assert elided.decode({"00": 1, "01": 2, "10": 4, "11": 8}).counts == {"1": 1, "5": 2}
    assert elided.decode({"10": 4, "11": 8}).rejected == {"invalid-code": 0, "index": 12}


def test_all_zeros_are_the_same():
    experiment = play(INTERFERING).experiment(circuit="overlap:1,3")
    assert experiment.decode({"00": 5, "01": 1, "10": 1, "11": 1}).counts == {"other": 3, "same": 5}


@builds
@pytest.mark.parametrize("moves", [INTERFERING, COMPLEX, "5"])
def test_a_decoder_comes_back_from_json(moves, options):
    decoder = play(moves).experiment(**options).decoder
    again = decoder_from_json(json.loads(json.dumps(decoder.to_json())))
    assert again == decoder
    width = len(decoder.used())
    for value in range(2 ** min(width, 9)):
        bits = [value >> i & 1 for i in range(width)]
        assert again.read(bits) == decoder.read(bits)
    require_width(again, width)


DAMAGE = [
    {"kind": "squares"}, {"encoding": "spin"}, {"encoding": None}, {"cells": []}, {"cells": None},
    {"cells": [[0, 0]] * 8}, {"cells": [[0, 0]] * 10}, {"cells": [[0, 2]] * 9},
    {"cells": [[0]] * 9}, {"cells": [[0, 0, 0]] * 9}, {"cells": [[None, "1"]] * 9},
    {"cells": [["0", 0]] * 9}, {"cells": [[99, 0]] * 9}, {"cells": [[-1, 0]] * 9},
    {"cells": 5}, {"ancillas": None}, {"ancillas": [{"clbit": 0}]}, {"ancillas": [5]},
    {"ancillas": [{"clbit": 99, "predicted": 0, "reason": "index"}]},
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE, ids=str)
def test_damaged_json_is_no_decoder(damage):
    experiment = play(INTERFERING).experiment()
    data = json.loads(json.dumps(experiment.decoder.to_json()))
    with pytest.raises((ValueError, KeyError, TypeError)):
        require_width(decoder_from_json({**data, **damage}), experiment.circuit.num_clbits)
    for missing in data:
        with pytest.raises(KeyError):
            decoder_from_json({k: v for k, v in data.items() if k != missing})


def exported(circuit, form):
    """Returns a circuit after it was written and read."""
    if form == "qasm3":
        return qasm3.loads(qasm3.dumps(circuit))
    file = io.BytesIO()
    qpy.dump(circuit, file)
    file.seek(0)
    [again] = qpy.load(file)
    return again


@builds
@pytest.mark.parametrize("form", ["qpy", "qasm3"])
@pytest.mark.parametrize("plies", [1, 3, 6])
def test_exported_circuits_keep_their_distribution(form, plies, options):
    for moves in (REAL, COMPLEX):
        circuit = play(" ".join(moves.split()[:plies])).circuit(**options)
        expected = clbit_distribution(circuit)
        assert_same_distribution(clbit_distribution(exported(circuit, form)), expected)


@pytest.mark.parametrize("form", ["qpy", "qasm3"])
@pytest.mark.parametrize("encoding", ["one-hot", "binary"])
def test_exported_overlaps_keep_their_distribution(form, encoding):
    for pair in ("1,3", "2,2"):
        circuit = play(COMPLEX).circuit(circuit=f"overlap:{pair}", encoding=encoding)
        expected = clbit_distribution(circuit)
        assert_same_distribution(clbit_distribution(exported(circuit, form)), expected)


# --- wrong options


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"circuit": "overlap:1,9"}, OptionError, "no move 9: 3 have been made"),
        ({"circuit": "overlap:4,1"}, OptionError, "no move 4"),
        ({"circuit": "overlap:0,1"}, UnknownNameError, "overlap:0,1"),
        ({"circuit": "overlap"}, UnknownNameError, "overlap:1,2"),
        ({"circuit": "overlap:1"}, UnknownNameError, "overlap:1"),
        ({"circuit": "overlap:1,2,3"}, UnknownNameError, "overlap"),
        ({"circuit": "overlap:\u0661,2"}, UnknownNameError, "overlap"),
        ({"circuit": "overlap:1,2\n"}, UnknownNameError, "overlap"),
        ({"circuit": "dirct"}, UnknownNameError, "did you mean 'direct'"),
        ({"circuit": None}, UnknownNameError, "occupation"),
        ({"encoding": "spin"}, UnknownNameError, "binary, one-hot"),
        ({"encoding": None}, UnknownNameError, "one-hot"),
        ({"ancillas": "all"}, OptionError, "no option 'ancillas'"),
        ({"synthesis": "state"}, OptionError, "no option 'synthesis'"),
        ({"elide": "no"}, OptionError, "elide is True or False"),
        ({"elide": 1}, OptionError, "elide is True or False"),
    ],
)
def test_wrong_options_of_circuits_are_refused(options, error, message):
    game = play(INTERFERING)
    for ask in (game.experiment, game.circuit, game.sample):
        with pytest.raises(error, match=message) as caught:
            ask(**options)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("options", [{}, {"circuit": "direct"}, {"circuit": "overlap:1,1"}])
def test_before_any_move_there_is_nothing_to_sample(options):
    for ask in (Game(NAME).sample, Game(NAME).circuit, Game(NAME).experiment):
        with pytest.raises(OptionError, match="no move"):
            ask(**options)
    assert Game(NAME).probabilities() == Game(NAME).amplitudes() == {}


# --- the command line

MOVES = COMPLEX.split()[:4]


def document(run):
    assert (run.status, run.err) == (0, "")
    return json.loads(run.out)


def test_probabilities_and_details_as_json(qttt):
    found = document(qttt("probabilities", NAME, *MOVES, "--json"))
    assert (found["rules"], found["moves"], found["turn"]) == (NAME, MOVES, "X")
    assert (found["observation_due"], found["success"]) == (False, 1)
    held = {mark: abs(sum(map(vector, MOVES[i::2]))) ** 2 for i, mark in enumerate("XO")}
    expected = {str(s): held["O"][s - 1] / 2 for s in (5, 6, 7)}
    assert found["probabilities"] == pytest.approx(expected, abs=1e-12)
    assert {k: float(expression(v)) for k, v in found["exact"].items()} == pytest.approx(expected)
    for mark in "XO":
        shown = [found["occupations"][str(s)][mark] for s in SQUARES]
        assert shown == pytest.approx(held[mark], abs=1e-12)
        assert found["line_weights"]["7 8 9"][mark] == pytest.approx(sum(held[mark][6:]), abs=1e-12)
    assert len(found["line_weights"]) == 8


def test_complex_amplitudes_are_pairs_in_json(qttt):
    found = document(qttt("amplitudes", NAME, "1:3/5,5:4/5i", "--json"))
    assert found["amplitudes"] == {"1": 0.6, "5": [0, 0.8]}
    assert {k: sympy.sympify(v) for k, v in found["exact"].items()} == {
        "1": sympy.Rational(3, 5),
        "5": sympy.I * 4 / 5,
    }
    assert "0.8" in qttt("amplitudes", NAME, "1:3/5,5:4/5i").out


@pytest.mark.parametrize("command", ["probabilities", "amplitudes"])
def test_exact_is_missing_where_a_decimal_was_typed(qttt, command):
    assert "exact" not in document(qttt(command, NAME, "1:0.6,5:-0.8", "--json"))
    assert "exact" in document(qttt(command, NAME, "1:3/5,5:-4/5", "--json"))
    assert qttt(command, NAME, "1:3/5,5:-4/5", "--exact").status == 0
    for more in ([], ["--json"]):
        assert_refused(qttt(command, NAME, "1:0.6,5:-0.8", "--exact", *more), "exact")


def test_legal_and_show(qttt, tmp_path):
    found = document(qttt("legal", NAME, "1:r1/2,5:r1/2", "--json"))
    assert " ".join(found["legal"]) == "1:r1/2,5:-r1/2 2 3 4 1:-r1/2,5:r1/2 6 7 8 9"
    assert "1:r1/2,5:-r1/2" in qttt("legal", NAME, "1:r1/2,5:r1/2").out.split()
    path = tmp_path / "game.json"
    path.write_text(json.dumps(play(" ".join([*MOVES, "9"])).record()))
    found = document(qttt("show", str(path), "--json"))
    assert (found["moves"], found["turn"], found["board"]) == ([*MOVES, "9"], "O", "EEEEEEEEX")
    assert "X 1.00" in qttt("show", str(path)).out
    assert qttt("legal", "--record", str(path)) == qttt("legal", NAME, *MOVES, "9")
    assert "X wins" in qttt("legal", NAME, *"14253").out


@pytest.mark.parametrize("encoding", ["one-hot", "binary"])
@pytest.mark.parametrize("circuit", ["occupation", "direct", "overlap:2,3", "overlap:2,2"])
def test_sample_as_json(qttt, circuit, encoding):
    found = document(qttt("sample", NAME, *MOVES, "--option", f"circuit={circuit}", "--encoding",
                          encoding, "--shots", "500", "--seed", "7", "--json"))  # fmt: skip
    assert (found["circuit"], found["encoding"], found["seed"]) == (circuit, encoding, 7)
    assert (found["shots"], found["ancillas"]) == (500, None)
    assert found["accepted"] == sum(found["counts"].values())
    assert found["accepted"] + sum(found["rejected"].values()) == 500
    overlap = circuit.startswith("overlap")
    assert list(found["rejected"]) == ([] if overlap else ["invalid-code", "index"])
    assert found["predicted_acceptance"] == (0.5 if circuit == "occupation" else 1)
    if overlap:
        assert found["counts"] == {"same" if circuit == "overlap:2,2" else "other": 500}
    else:
        assert {"5"} <= found["counts"].keys() <= {"5", "6", "7"}
    default = document(qttt("sample", NAME, *MOVES, "--seed", "7", "--shots", "9", "--json"))
    assert (default["circuit"], default["encoding"]) == ("occupation", "one-hot")


@pytest.mark.parametrize("circuit", ["occupation", "direct", "overlap:2,3"])
@pytest.mark.parametrize("form", ["text", "qasm3", "svg"])
def test_circuits_are_printed(qttt, circuit, form):
    run = qttt("circuit", NAME, *MOVES, "--option", f"circuit={circuit}", "--format", form)
    assert (run.status, run.err) == (0, "")
    assert "sq5" in run.out
    assert ("index0" in run.out) == (circuit == "occupation")


WRONG = [
    ("probabilities", ["1:0.5,5:0.5"], "its norm is 0.7071067812, not 1"),
    ("probabilities", ["5", "5"], "it overlaps move 1, 5, by 1"),
    ("legal", ["1:1/0"], "divides by zero"),
    ("legal", ["1:1e200"], "larger than 1e+100"),
    ("amplitudes", ["1,2"], "'1,2' is not a move"),
    ("probabilities", ["10"], "no square 10"),
    ("probabilities", ["5", "@5"], "nothing is observed"),
    ("sample", [], "no move has been made"),
    ("sample", ["5", "--option", "circuit=overlap:1,2"], "no move 2"),
    ("sample", ["5", "--option", "circuit=overlap"], "overlap:1,2"),
    ("sample", ["5", "--encoding", "spin"], "known are binary, one-hot"),
    ("sample", ["5", "--ancillas", "all"], "no option 'ancillas'"),
    ("sample", ["5", "--option", "elide=no"], "elide is True or False"),
    ("circuit", ["5", "--option", "circuit=nosuch"], "unknown circuit 'nosuch'"),
]


@pytest.mark.parametrize(("command", "arguments", "part"), WRONG)
def test_wrong_use_is_one_line_and_exit_2(qttt, command, arguments, part):
    for more in [[]] if command == "circuit" else [[], ["--json"]]:
        assert_refused(qttt(command, NAME, *arguments, *more), part)
