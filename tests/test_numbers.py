"""Exact numbers a + b√2, held against sympy."""

import copy
import pickle
from fractions import Fraction
from itertools import pairwise

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from strategies import cancelling_surds, nonzero_surds, rationals, surds

from qttt_circuits import Surd
from qttt_circuits.numbers import ONE, ROOT2, ROOT_HALF, ZERO

ROOT = sympy.sqrt(2)


def as_sympy(number):
    """Converts on its own, not by the method that is under test."""
    if isinstance(number, Surd):
        return as_sympy(number.rational) + as_sympy(number.root) * ROOT
    number = Fraction(number)
    return sympy.Rational(number.numerator, number.denominator)


def same(found, expected):
    return sympy.radsimp(sympy.expand(as_sympy(found) - expected)) == 0


@given(surds, surds)
def test_sums_differences_and_products_are_those_of_sympy(a, b):
    x, y = as_sympy(a), as_sympy(b)
    assert same(a + b, x + y)
    assert same(a - b, x - y)
    assert same(a * b, sympy.expand(x * y))
    assert same(-a, -x)


@given(surds, nonzero_surds)
def test_quotients_are_those_of_sympy(a, b):
    assert same(a / b, sympy.radsimp(as_sympy(a) / as_sympy(b)))
    assert (a / b) * b == a


@given(surds, rationals, st.integers(-9, 9))
def test_rational_numbers_mix_in_from_either_side(a, fraction, integer):
    for other in (fraction, integer):
        assert a + other == other + a == a + Surd(other)
        assert a * other == other * a == a * Surd(other)
        assert a - other == -(other - a) == a - Surd(other)
        if other:
            assert a / other == a / Surd(other)
        if a:
            assert other / a == Surd(other) / a
    assert sum([a, a, a]) == 3 * a


@given(nonzero_surds, st.integers(-4, 6))
def test_powers_are_repeated_products(a, exponent):
    product = Surd(1)
    for _ in range(abs(exponent)):
        product *= a
    assert a**exponent == (product if exponent >= 0 else 1 / product)


@given(surds, surds, surds)
def test_ring_laws_hold_exactly(a, b, c):
    assert (a + b) + c == a + (b + c)
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert a + b == b + a
    assert a * b == b * a


@pytest.mark.parametrize("zero", [0, Fraction(0), Surd(0), Surd("0", "0")])
def test_division_by_zero_is_refused(zero):
    with pytest.raises(ZeroDivisionError):
        Surd(1, 1) / zero
    with pytest.raises(ZeroDivisionError):
        Surd(0) ** -1


@given(surds | cancelling_surds(), surds | cancelling_surds())
def test_order_is_that_of_the_real_numbers(a, b):
    difference = as_sympy(a) - as_sympy(b)
    less, more = difference.is_negative, difference.is_positive
    assert (a < b) == bool(less)
    assert (a > b) == bool(more)
    assert (a <= b) == (not more)
    assert (a >= b) == (not less)
    assert (a == b) == (not less and not more)
    assert (a != b) != (a == b)


@given(surds | cancelling_surds())
def test_sign_and_absolute_value_are_exact(a):
    assert a.sign() == sympy.sign(as_sympy(a))
    assert abs(a) == a * a.sign()
    assert bool(a) == (a.sign() != 0)


@pytest.mark.parametrize(
    ("number", "sign"),
    [
        (Surd(0), 0),
        (Surd(1), 1),
        (Surd(-1), -1),
        (Surd(0, 1), 1),
        (Surd(0, -1), -1),
        (Surd(7, -5), -1),
        (Surd(-7, 5), 1),
        (Surd(17, -12), 1),
        (Surd(-17, 12), -1),
        (Surd(-1, 1), 1),
        (Surd(1, -1), -1),
        (Surd(-3, 2), -1),
        (Surd(3, -2), 1),
    ],
)
def test_signs_of_numbers_close_to_zero(number, sign):
    assert number.sign() == sign


@given(surds, st.integers(-5, 5), rationals)
def test_comparisons_with_rational_numbers_agree(a, integer, fraction):
    for other in (integer, fraction):
        assert (a < other) == (a < Surd(other))
        assert (a >= other) == (a >= Surd(other))
        assert (other < a) == (Surd(other) < a)
        assert (a == other) == (a == Surd(other))


@given(st.lists(surds | cancelling_surds(), max_size=6))
def test_sorting_puts_numbers_in_ascending_order(numbers):
    ordered = sorted(numbers)
    assert all(a <= b for a, b in pairwise(ordered))
    if numbers:
        assert max(numbers) == ordered[-1]


@given(surds | cancelling_surds())
def test_floats_are_within_a_few_units_of_the_last_place(a):
    exact = sympy.N(as_sympy(a), 60)
    assert abs(sympy.Float(float(a), 60) - exact) <= abs(exact) * 4 * sympy.Rational(1, 2**52)


@pytest.mark.parametrize("n", range(1, 80, 6))
def test_floats_survive_cancellation_of_all_digits(n):
    # (√2 - 1)^n has parts that grow as (√2 + 1)^n
    power = Surd(-1, 1) ** n
    assert float(power) == pytest.approx((2**0.5 - 1) ** n, rel=1e-13)
    assert float(-power) == -float(power)


@given(rationals)
def test_rational_numbers_equal_and_hash_like_their_surds(fraction):
    assert Surd(fraction) == fraction
    assert fraction == Surd(fraction)
    assert hash(Surd(fraction)) == hash(fraction)
    assert float(Surd(fraction)) == float(fraction)
    assert {Surd(fraction): "found"}[fraction] == "found"


def test_integers_equal_and_hash_like_their_surds():
    for n in (-3, 0, 1, 2, 10**30):
        assert Surd(n) == n
        assert hash(Surd(n)) == hash(n)
    assert Surd(1, 1) != 1
    assert Surd(0, 1) != 0
    assert len({Surd(1), 1, Fraction(1), Surd("1/1"), Surd(Fraction(2, 2))}) == 1


@given(surds, surds)
def test_equal_numbers_hash_alike(a, b):
    rebuilt = Surd(a.rational, a.root)
    assert rebuilt == a
    assert hash(rebuilt) == hash(a)
    if a == b:
        assert hash(a) == hash(b)


def test_numbers_differ_from_things_that_are_no_numbers():
    assert Surd(1) != "1"
    assert Surd(1) != (1, 0)
    assert Surd(0) is not None
    assert not Surd(0)


@given(surds | cancelling_surds())
def test_text_parses_with_sympy_to_the_same_number(a):
    assert same(a, sympy.sympify(str(a)))
    assert same(a, a.to_sympy())


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Surd(0), "0"),
        (Surd(-3), "-3"),
        (Surd("1/2"), "1/2"),
        (Surd(0, 1), "1*sqrt(2)"),
        (Surd(0, "-1/2"), "-1/2*sqrt(2)"),
        (Surd("2/7", "1/14"), "2/7 + 1/14*sqrt(2)"),
        (Surd("2/7", "-5/28"), "2/7 - 5/28*sqrt(2)"),
    ],
)
def test_text_is_a_plus_b_times_root_two(number, text):
    assert str(number) == text


@given(surds)
def test_repr_makes_the_number_again(a):
    assert eval(repr(a), {"Surd": Surd}) == a


@given(surds)
def test_pickles_and_copies_are_equal(a):
    for twin in (
        pickle.loads(pickle.dumps(a)),
        pickle.loads(pickle.dumps(a, protocol=2)),
        copy.copy(a),
        copy.deepcopy(a),
    ):
        assert twin == a
        assert type(twin) is Surd
        assert hash(twin) == hash(a)


@pytest.mark.parametrize("name", ["rational", "root", "other"])
def test_numbers_cannot_be_changed(name):
    number = Surd(1, 2)
    with pytest.raises(AttributeError):
        setattr(number, name, Fraction(5))
    assert number == Surd(1, 2)


def test_arithmetic_in_place_makes_new_numbers():
    number = kept = Surd(1, 2)
    number += 1
    number *= 2
    assert kept == Surd(1, 2)
    assert number == Surd(4, 4)


def test_named_numbers_have_their_values():
    assert ZERO == 0
    assert ONE == 1
    assert ROOT2 * ROOT2 == 2
    assert ROOT_HALF * ROOT2 == 1
    assert ROOT_HALF > 0
    assert Surd.of(3) == Surd(3)
    assert Surd.of(ROOT2) is ROOT2
