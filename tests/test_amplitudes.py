"""Amplitudes, and moves made of them, as text: the grammar against sympy and numpy."""

import re
from fractions import Fraction
from math import isqrt, sqrt
from time import perf_counter

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from test_leaw_cheong_rules import NAME, drawn, play, refused, snapshot, vector, written

from qttt_circuits import Game, IllegalMoveError, NotationError
from qttt_circuits.amplitudes import parse_amplitude, recognised

digits = st.integers(0, 999_999).map(str)
fractions = st.one_of(digits, st.builds("{}/{}".format, digits, st.integers(1, 999_999)))
roots = st.one_of(fractions.map("r{}".format), fractions.map("sqrt({})".format))
decimals = st.one_of(
    st.builds("{}.{}".format, digits, digits),
    st.floats(0, 1e300, allow_nan=False).map(repr),
    st.builds("{}e{}".format, digits, st.integers(-99, 99)),
)
signs = st.sampled_from(("", "-"))


def amplitudes(reals):
    """Draws amplitudes of every form: real, imaginary, and sums of both."""
    one = st.builds("{}{}{}".format, signs, reals, st.sampled_from(("", "i")))
    both = st.builds("{}{}{}{}i".format, signs, reals, st.sampled_from("+-"), reals)
    return st.one_of(one, both)


exact_texts = amplitudes(st.one_of(fractions, roots))
any_texts = amplitudes(st.one_of(fractions, roots, decimals))


def expression(text):
    """Returns what sympy makes of an amplitude, its own notation put in for ours."""
    text = re.sub(r"r([0-9]+(?:/[0-9]+)?)", r"sqrt(\1)", text)
    text = re.sub(r"(?<![0-9)])i$", "I", text)
    return sympy.sympify(re.sub(r"i$", "*I", text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("1", 1),
        ("-1", -1),
        ("0.6", 0.6),
        ("-0.8", -0.8),
        ("1e-3", 0.001),
        ("2.5e2", 250),
        ("3/5", 0.6),
        ("-4/5", -0.8),
        ("sqrt(1/4)", 0.5),
        ("r1/4", 0.5),
        ("-r9/16", -0.75),
        ("-sqrt(2)", -1.4142135623730951),
        ("0.8i", 0.8j),
        ("-3/4i", -0.75j),
        ("r1/4i", 0.5j),
        ("-sqrt(1/4)i", -0.5j),
        ("3/5+4/5i", 0.6 + 0.8j),
        ("-3/5+0.8i", -0.6 + 0.8j),
        ("3/5-4/5i", 0.6 - 0.8j),
        ("-r1/4-r9/16i", -0.5 - 0.75j),
        ("1e-1+1e+1i", 0.1 + 10j),
    ],
)
def test_every_form_of_the_grammar_has_its_value(text, value):
    assert complex(parse_amplitude(text)) == pytest.approx(value, abs=1e-15)


@given(exact_texts)
def test_an_exact_amplitude_is_what_sympy_makes_of_it(text):
    found, expected = parse_amplitude(text), expression(text)
    assert found.exact
    assert sympy.expand(found.to_sympy() - expected) == 0
    assert complex(found) == pytest.approx(complex(expected), rel=1e-14)
    assert found.squared == sympy.expand(expected * sympy.conjugate(expected))


@given(any_texts)
def test_the_value_is_what_sympy_evaluates(text):
    assert complex(parse_amplitude(text)) == pytest.approx(complex(expression(text)), rel=1e-13)


@given(amplitudes(decimals))
def test_a_decimal_is_not_exact(text):
    assert not parse_amplitude(text).exact


@pytest.mark.parametrize("text", ["0.5+1/2i", "1/2+0.5i", "1.0", "1e0", "0.6i"])
def test_one_decimal_makes_an_amplitude_a_float(text):
    assert not parse_amplitude(text).exact


@given(any_texts)
def test_a_printed_amplitude_parses_to_the_same_value(text):
    found = parse_amplitude(text)
    again = parse_amplitude(str(found))
    assert complex(again) == complex(found)
    assert str(again) == str(found)
    if found.exact:
        assert again == found


def test_exact_amplitudes_print_in_lowest_terms():
    printed = {
        "2/4": "1/2",
        "r4/9": "2/3",
        "sqrt(2/4)": "r1/2",
        "-r8": "-r8",
        "3/5+4/5i": "3/5+4/5i",
        "6/10-r1/2i": "3/5-r1/2i",
        "-1i": "-1i",
        "0/7": "0",
    }
    for text, expected in printed.items():
        assert str(parse_amplitude(text)) == expected


BAD = [
    "", "-", "+", ".", "/", "r", "sqrt()", "sqrt(", "sqrt(1/2", "sqrt 1/2", "r(1/2)", "r1/2)",
    "1/0", "-1/0", "r1/0", "sqrt(1/0)", "1/0i", "1+1/0i", "0/0", "1/2/3", "1/", "/2", "1/-2",
    "nan", "inf", "-inf", "infinity", "nani", "NaN", "1e999", "-1e999", "1+1e999i", "1e9999",
    "--1", "+1", "+-1", "-+1", "r-1", "r-1/2", "sqrt(-1)", "r0.5", "sqrt(0.5)", "rr2",
    "1+2", "1-2", "1i+2", "1i+2i", "1+2+3i", "i i", "1 i", "ii", "1ii", "i2", "1+-2i", "1++2i",
    " 1", "1 ", "1 + 2i", "1\n", "1\ni", "\t1", "1\0", "3 / 5",
    "\u0661", "\uff11", "\u00bd", "\u00b2", "1/\u0662", "\u221a2", "\u22121", "0.\u0665",
    "__import__('os')", "__import__('os').system('id')", "1;2", "2**3", "2*3", "0x10", "0b1",
    "1_000", "1,000", "1j", "1J", "1I", "1E5", "(1)", "abs(1)", "e", "pi", "1e", "1e+", "1e1.5",
    "True", "None", "lambda:1", "1if 1 else 2", "{1}", "'1'", "1#", "1=1", "@5", "1:1",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD, ids=ascii)
def test_what_is_no_amplitude_is_refused_in_one_line(text):
    with pytest.raises(NotationError, match="is not an amplitude") as caught:
        parse_amplitude(text)
    assert "\n" not in str(caught.value)


@given(st.text("0123456789.-+/risqte() ", max_size=12))
def test_nothing_but_the_grammar_is_read(text):
    real = r"(sqrt\(\d+(/\d+)?\)|r\d+(/\d+)?|\d+/\d+|\d*\.?\d+(e[+-]?\d+)?)"
    fits = re.fullmatch(rf"-?({real}i?|i|({real}[+-]{real}?i))", text)
    try:
        parse_amplitude(text)
    except NotationError:
        zero = re.search(r"/0+(?![0-9])", text)
        assert not fits or zero or "e" in text or len(text) > 9
    else:
        assert fits


@pytest.mark.parametrize(
    "text",
    [
        "1" * 10_000,
        "1/" * 5_000,
        "1+" * 5_000 + "i",
        "-" * 10_000,
        "r" * 10_000,
        "sqrt(" * 2_000,
        "0." + "0" * 9_998,
        "1e" + "9" * 9_998,
        "1/" + "9" * 9_998,
        "r" + "9" * 9_999,
        " " * 10_000,
        "9" * 5_000 + "/" + "9" * 4_999,
    ],
    ids=lambda text: text[:6],
)
def test_long_texts_are_refused_quickly_and_briefly(text):
    began = perf_counter()
    with pytest.raises(NotationError) as caught:
        parse_amplitude(text)
    assert perf_counter() - began < 1
    assert len(str(caught.value)) < 400


def test_an_amplitude_is_never_evaluated(tmp_path):
    path = tmp_path / "evaluated"
    for text in (f"open({str(path)!r},'w')", f"open({str(path)!r},'w')i"):
        with pytest.raises(NotationError):
            parse_amplitude(text)
    assert not path.exists()


# --- numbers that are offered


@given(st.integers(1, 400), st.integers(1, 400), signs)
def test_a_simple_root_is_recognised(over, under, sign):
    square = Fraction(over, under)
    text = str(recognised(float(f"{sign}1") * sqrt(over / under)))
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    assert text == sign + (str(root) if root**2 == square else f"r{square}")


def test_recognised_numbers_of_both_parts():
    assert str(recognised(complex(0.6, -sqrt(1 / 3)))) == "3/5-r1/3i"
    assert str(recognised(0.5j)) == "1/2i"
    assert str(recognised(0j)) == "0"
    assert recognised(complex(sqrt(1 / 2), -sqrt(1 / 2))).exact
    assert not recognised(complex(0.5, 0.123456789)).exact


@given(st.complex_numbers(max_magnitude=2, allow_nan=False, allow_infinity=False))
def test_a_number_is_recognised_as_one_that_is_within_rounding(value):
    found = complex(recognised(value))
    assert abs(found.real - value.real) <= 2e-14
    assert abs(found.imag - value.imag) <= 2e-14


@given(st.floats(0.1, 1), st.sampled_from((1e-9, 1e-10, 1e-12)))
def test_a_number_that_is_off_by_more_than_rounding_is_left_alone(value, off):
    simple = Fraction(value).limit_denominator(30)
    found = recognised(float(simple) + off)
    assert complex(found) != float(simple)
    assert abs(complex(found) - (float(simple) + off)) < 2e-14


# --- moves


def test_a_classical_move_is_a_vector_of_one_square():
    game = Game(NAME)
    assert game.parse("5") == game.parse("5:1")
    assert hash(game.parse("5")) == hash(game.parse("5:1"))
    assert game.parse("5") != game.parse("5:-1")
    assert game.parse("5") != game.parse("6")
    assert play("5").probabilities() == play("5:1").probabilities() == {"5": 1}
    assert play("5").observed == "EEEEXEEEE"


def test_the_order_of_entries_does_not_matter():
    one, other = Game(NAME).parse("1:0.6,5:-0.8i"), Game(NAME).parse("5:-0.8i,1:0.6")
    assert one == other
    assert hash(one) == hash(other)
    assert str(other) == "5:-0.8i,1:0.6"
    assert Game(NAME).parse("norm:1:3,5:4") == Game(NAME).parse("norm:5:4,1:3")
    assert Game(NAME).parse("norm:1:3,5:4") != Game(NAME).parse("1:3,5:4")
    assert play("1:0.6,5:-0.8i") == play("5:-0.8i,1:0.6")


def test_norm_divides_by_the_length():
    game = play("norm:1:3,5:4i,9:12")
    assert game.amplitudes() == pytest.approx({"1": 3 / 13, "5": 4j / 13, "9": 12 / 13})
    exact = {
        k: sympy.nsimplify(v) for k, v in {"1": "9/169", "5": "16/169", "9": "144/169"}.items()
    }
    assert game.probabilities(exact=True) == exact


@given(st.integers(0, 10**6), st.booleans())
def test_moves_parse_to_what_they_say_and_print_back(seed, complex_amplitudes):
    rng = np.random.default_rng(seed)
    text = written(drawn(rng, [], complex_amplitudes))
    move = Game(NAME).parse(text)
    assert str(move) == text
    assert abs(np.array(move.vector()) - vector(text)).max() == 0
    assert Game(NAME).parse(str(move)) == move


BAD_MOVES = [
    "", ",", "5,", ",5", "1,2", "5,1:1", "1:", ":1", "1:1,", "1:1;2:1", "1:1, 2:0",
    "1:1:1",
    "1:0.6,5:-0.8 ", "X:5", "-5", "05", "1000", "1:0.6,1:0.8", "1:0,1:1", "norm:", "norm:norm:5",
    "Norm:5", "\uff15", "\u0665:1", "1:__import__('os')", "1:2**3", "five", "5=X3", "c7",
    "1:" + "9" * 10_000, "9" * 10_000, "1:1," * 2_500 + "1:1",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD_MOVES, ids=lambda text: ascii(text[:14]))
def test_what_is_no_notation_is_refused_as_that(text):
    game = play("1")
    before = snapshot(game)
    assert text not in game.legal_moves
    with pytest.raises(NotationError) as caught:
        game.push(text)
    assert not isinstance(caught.value, IllegalMoveError)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1000
    assert snapshot(game) == before


def test_a_square_twice_is_named():
    with pytest.raises(NotationError, match="square 5 twice"):
        Game(NAME).parse("1:0,5:0.6,5:0.8")


@pytest.mark.parametrize("move", ["0", "10", "0:1", "1:1,10:0", "norm:1:1,0:1", "999"])
def test_squares_are_1_to_9(move):
    refused(play("5"), move, r"no square (0|10|999)\b.* 1 to 9")


def test_nothing_is_observed():
    for game in (Game(NAME), play("5"), play("1 4 2 5 3")):
        for text in ("@5", "@", "@same"):
            refused(game, text, "nothing is observed|over")
        for options in ({}, {"seed": 1}, {"board": "5"}, {"backend": "aer"}):
            with pytest.raises(IllegalMoveError, match=r"nothing is observed|over"):
                game.observe(**options)
        assert not game.observation_due
        assert game.success == 1
