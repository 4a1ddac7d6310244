"""Distributions of components are their products, and no table is made of a large one."""

import json
from itertools import islice, product

import pytest
from circuits import GOLDEN, golden_game, golden_numbers, play
from hypothesis import given
from hypothesis import strategies as st

from qttt_circuits.distribution import (
    JointTable,
    ProductDistribution,
    distribution_from_json,
    distribution_to_json,
)
from qttt_circuits.errors import TooManyBoardsError
from qttt_circuits.state import MOST_BOARDS


@st.composite
def products(draw):
    """A distribution of up to four components, and its table made by hand."""
    squares = list(draw(st.permutations(range(1, 10))))
    base = "".join(draw(st.lists(st.sampled_from("EXO"), min_size=9, max_size=9)))
    components, table = [], {tuple(base): 1.0}
    for _ in range(draw(st.integers(0, 4))):
        own, squares = squares[: (n := draw(st.integers(1, 2)))], squares[n:]
        texts = draw(st.sets(st.text("EXO", min_size=n, max_size=n), min_size=1, max_size=4))
        weights = [draw(st.integers(1, 9)) for _ in texts]
        terms = {t: w / sum(weights) for t, w in zip(sorted(texts), weights, strict=True)}
        components.append(JointTable(tuple(own), terms))
        table = {
            tuple(
                text[own.index(i)] if i in own else letter for i, letter in enumerate(letters, 1)
            ): p * q
            for letters, p in table.items()
            for text, q in terms.items()
        }
    found = ProductDistribution(base, tuple(components))
    return found, {"".join(letters): p for letters, p in sorted(table.items())}


def large(components=20):
    """As many superpositions of two squares, on a board with room for them."""
    base = "E" * (2 * components)
    terms = {"XE": 0.5, "EX": 0.5}
    return ProductDistribution(
        base, tuple(JointTable((2 * i + 1, 2 * i + 2), terms) for i in range(components))
    )


@given(products())
def test_it_reads_like_the_table_of_the_product(drawn):
    found, table = drawn
    assert list(found) == list(table)
    assert found == pytest.approx(table)
    assert len(found) == found.size == len(table)
    assert sum(found.values()) == pytest.approx(1)
    for outcome in map("".join, islice(product("EXO", repeat=9), 0, 3**9, 97)):
        assert (outcome in found) == (outcome in table)
        assert found.get(outcome, 0.0) == pytest.approx(table.get(outcome, 0.0))


@given(products())
def test_marginals_are_sums_of_the_table(drawn):
    found, table = drawn
    for square, letters in found.marginals().items():
        assert sum(letters.values()) == pytest.approx(1)
        for letter, p in letters.items():
            assert p == pytest.approx(sum(q for o, q in table.items() if o[square - 1] == letter))


@given(products())
def test_weights_add_up_by_the_configurations_of_each_component(drawn):
    found, table = drawn
    for component, sums in zip(found.components, found.by_component(table), strict=True):
        assert sums == pytest.approx(component.probabilities)


def test_what_is_no_outcome_stands_apart_in_every_component():
    found = large(2)
    seen = found.by_component({"XEEX": 2, "EXEX": 3, "invalid-code": 4})
    assert seen == [{"XE": 2, "EX": 3, "invalid-code": 4}, {"EX": 5, "invalid-code": 4}]


@given(products())
def test_it_goes_through_json_without_loss(drawn):
    found, table = drawn
    again = distribution_from_json(json.loads(json.dumps(distribution_to_json(found))))
    assert again == found
    assert distribution_from_json(json.loads(json.dumps(table))) == table


@pytest.mark.parametrize(
    "wrong",
    [
        {"squares": [1, 5], "probabilities": {"XE": 0.5, "EX": 0.5}},
        {"squares": [0, 1], "probabilities": {"XE": 0.5, "EX": 0.5}},
        {"squares": [True, 2], "probabilities": {"XE": 0.5, "EX": 0.5}},
        {"squares": [1, 2], "probabilities": {"X": 0.5, "EX": 0.5}},
        {"squares": [1, 2], "probabilities": {"XE": 0.6, "EX": 0.5}},
        {"squares": [1, 2], "probabilities": {"XE": 1.5, "EX": -0.5}},
        {"squares": [1, 2], "probabilities": {}},
        {"squares": [1, 2], "probabilities": {"XE": "0.5", "EX": 0.5}},
        {"squares": [1, 2]},
        {"squares": [2, 3], "probabilities": {"XE": 0.5, "EX": 0.5}},
    ],
    ids=str,
)
def test_what_describes_no_distribution_is_refused(wrong):
    sound = {"squares": [3, 4], "probabilities": {"XE": 0.5, "EX": 0.5}}
    distribution_from_json({"base": "EEEE", "components": [sound]})
    with pytest.raises((ValueError, KeyError, TypeError)):
        distribution_from_json({"base": "EEEE", "components": [sound, wrong]})


def test_no_table_is_made_of_a_large_one():
    found = large()
    assert found.size == len(found) == 2**20 > MOST_BOARDS
    assert found["XE" * 20] == 2**-20
    assert "XEXX" + "XE" * 18 not in found
    assert found.marginals()[40] == {"E": 0.5, "X": 0.5}
    for asked in (list, dict, sorted):
        with pytest.raises(
            TooManyBoardsError, match=r"1,048,576 boards, .* components\(\) or marginals"
        ):
            asked(found)


def test_a_large_one_is_compared_without_its_table():
    assert large() == large()
    assert large() != large(21)
    assert large() != {"XE" * 20: 1.0}
    first, *others = large().components
    assert large() != ProductDistribution("E" * 40, (JointTable((1, 2), {"XE": 1.0}), *others))
    turned = JointTable(first.squares, {"XE": 0.4, "EX": 0.6})
    assert large() != ProductDistribution("E" * 40, (turned, *others))


def test_a_size_beyond_the_integers_of_the_machine_is_known():
    assert large(100).size == 2**100
    assert large(100)


@pytest.mark.parametrize("entry", GOLDEN, ids=lambda e: f"{e['rules']} {' '.join(e['moves'])}")
def test_an_experiment_has_the_golden_distribution(entry):
    found = golden_game(entry).experiment().distribution
    assert isinstance(found, ProductDistribution)
    assert dict(found) == pytest.approx(golden_numbers(entry, "probabilities"), abs=1e-12)


def test_observed_marks_are_in_the_base():
    game = play("tiqtaqtoe", "1 2 4 3 5,6 7 8 9,6 @XOOXXEOXO 6")
    assert dict(game.experiment().distribution) == {"XOOXXXOXO": 1.0}
