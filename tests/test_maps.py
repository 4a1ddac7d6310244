"""Every row of the table of what a move does, typed here once more from the rules."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from helpers import (
    OTHER,
    matrix,
    table_cancelling,
    table_classical,
    table_entangling,
    table_half_cancelling,
    table_half_entangling,
    table_half_shiftflip,
    table_off_board,
    table_spreading,
    table_superposition,
)

from qttt_circuits import Surd, maps

SYMBOLS = "XO"
SIGNS = (1, -1)
HALF_CANCELLING = Surd(3, -1)


def rows():
    """Yields each map of the package with its row, its largest factor and the pieces it adds."""
    for new, n in product(SYMBOLS, SIGNS):
        yield maps.classical(new, n).on(4), table_classical(new, n), 1, 1
    for first, n1, second, n2 in product(SYMBOLS, SIGNS, SYMBOLS, SIGNS):
        made = maps.superposition(first, n1, second, n2).on(2, 7)
        yield made, table_superposition(first, n1, second, n2), 1, 1
    for met, n in product(SYMBOLS, SIGNS):
        new = OTHER[met]
        yield maps.entangling(met, new, n).on(5, 1), table_entangling(met, n), 1, 1
        yield maps.half_entangling(met, new, n).on(5, 1), table_half_entangling(met, n), 1, 1
    for met, s, n, at_t in product(SYMBOLS, SIGNS, SIGNS, (True, False)):
        made = maps.cancelling(met, s * n, at_t).on(3, 8)
        yield made, table_cancelling(met, s, n, at_t), 1, 0
    for met, at_t in product(SYMBOLS, (True, False)):
        made = maps.half_cancelling(met, at_t).on(3, 8)
        yield made, table_half_cancelling(met, at_t), HALF_CANCELLING, 0
    for met, n, c, at_t in product(SYMBOLS, SIGNS, SIGNS, (True, False)):
        made = maps.half_shiftflip(met, n, c, at_t).on(3, 8)
        yield made, table_half_shiftflip(met, n, c, at_t), 1, 1
    for met in SYMBOLS:
        yield maps.spreading(met).on(9, 6), table_spreading(met), 1, 0
        yield maps.off_board(met).on(9, 6), table_off_board(met), 1, -1


ROWS = list(rows())


def row_id(row):
    made = row[0]
    arrow = "; ".join(
        f"{source}>" + ",".join(f"{a}*{image}" for image, a in column.items())
        for source, column in made.columns.items()
    )
    return f"{made.kind} {arrow}".replace(" ", "_")


every_row = pytest.mark.parametrize(
    ("made", "table", "sigma_squared", "pieces"), ROWS, ids=map(row_id, ROWS)
)


def test_the_table_has_a_row_for_every_symbol_sign_and_cancelled_square():
    count = {}
    for made, *_ in ROWS:
        count[made.kind] = count.get(made.kind, 0) + 1
    assert count == {
        "classical": 4,
        "superposition": 16,
        "entangling": 4,
        "half-entangling": 4,
        "cancelling": 16,
        "half-cancelling": 4,
        "half-shiftflip": 16,
        "spreading": 2,
        "off-board": 2,
    }


@every_row
def test_a_map_is_its_row_exactly(made, table, sigma_squared, pieces):
    found = {
        source: {image: (a.rational, a.root) for image, a in column.items() if a}
        for source, column in made.columns.items()
    }
    assert found == table
    assert made.floats == {
        source: pytest.approx({image: float(Surd(*pair)) for image, pair in column.items()})
        for source, column in table.items()
    }


@every_row
def test_the_largest_singular_value_is_exact(made, table, sigma_squared, pieces):
    assert made.sigma_squared == sigma_squared
    assert isinstance(made.sigma_squared, Surd)
    by_numpy = np.linalg.svd(matrix(table), compute_uv=False)[0] ** 2
    assert float(made.sigma_squared) == pytest.approx(by_numpy, abs=1e-14)


@every_row
def test_columns_are_orthogonal(made, table, sigma_squared, pieces):
    columns = list(made.columns.values())
    for i, first in enumerate(columns):
        for second in columns[:i]:
            inner = sum((a * second.get(image, Surd(0)) for image, a in first.items()), Surd(0))
            assert inner == 0


@every_row
def test_a_map_is_called_unitary_if_it_keeps_every_norm(made, table, sigma_squared, pieces):
    full = matrix(table)
    gram = full.T @ full
    occurring = np.flatnonzero(np.diag(gram))
    keeps = np.allclose(gram[np.ix_(occurring, occurring)], np.eye(len(occurring)), atol=1e-14)
    assert made.unitary == keeps
    assert made.unitary == (made.kind not in ("half-cancelling", "half-shiftflip"))


@every_row
def test_a_map_adds_the_same_number_of_pieces_in_every_branch(made, table, sigma_squared, pieces):
    assert made.pieces == pieces
    for source, column in table.items():
        for image in column:
            on_board = 2 - image.count("E") if len(image) == 2 else 1 - image.count("E")
            before = len(source) - source.count("E")
            assert on_board - before == pieces


@every_row
def test_a_map_knows_what_it_meets_and_where_it_cancels(made, table, sigma_squared, pieces):
    meeting = made.kind not in ("classical", "superposition")
    assert bool(made.met) == meeting
    if meeting:
        assert made.met + "E" in made.columns
    expected = {"cancelling": 1, "half-cancelling": 1, "half-shiftflip": 1}
    expected |= {"spreading": 2, "off-board": 2}
    assert len(made.cancels) == expected.get(made.kind, 0)
    assert set(made.cancels) <= set(made.squares)


def test_maps_act_on_the_met_square_first():
    assert maps.classical("X", 1).on(4).squares == (4,)
    assert maps.superposition("X", 1, "X", 1).on(7, 2).squares == (7, 2)
    for made in (
        maps.entangling("X", "O", 1).on(9, 1),
        maps.half_entangling("X", "O", 1).on(9, 1),
        maps.cancelling("X", 1, True).on(9, 1),
        maps.half_cancelling("X", True).on(9, 1),
        maps.half_shiftflip("X", 1, 1, True).on(9, 1),
        maps.spreading("X").on(9, 1),
        maps.off_board("X").on(9, 1),
    ):
        assert made.squares == (9, 1)
    assert maps.cancelling("X", 1, True).on(9, 1).cancels == (9,)
    assert maps.cancelling("X", 1, False).on(9, 1).cancels == (1,)


def test_the_half_move_of_document_000_has_factor_three_minus_root_two():
    made = maps.half_cancelling("X", True).on(1, 2)
    assert made.sigma_squared == Surd(3, -1)
    assert maps.norm(made.columns["XE"]) == Surd(3, -1)
    assert maps.norm(made.columns["EE"]) == 1


def test_the_half_shiftflip_halves_the_norm_of_the_branch_with_the_met_piece():
    made = maps.half_shiftflip("X", 1, -1, True).on(1, 2)
    assert maps.norm(made.columns["XE"]) == Fraction(1, 2)
    assert maps.norm(made.columns["EE"]) == 1


def test_equal_maps_are_equal_and_hash_alike_and_others_differ():
    made = [row[0] for row in ROWS]
    again = [row[0] for row in rows()]
    assert made == again
    assert [hash(m) for m in made] == [hash(m) for m in again]
    distinct = [m for i, m in enumerate(made) if m not in made[:i]]
    # s and n enter the cancelling map by their product only
    assert len(distinct) == len(made) - 8
