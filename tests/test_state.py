"""Exact states, held against the dense engine of the helpers at every ply of random games."""

from collections import Counter
from functools import cache
from math import log, sqrt
from random import Random

import pytest
from helpers import RULE_SETS, SQUARES, reference_game
from hypothesis import given
from strategies import games

from qttt_circuits import Board, Game, Surd, maps
from qttt_circuits.numbers import ONE, ROOT_HALF
from qttt_circuits.state import FLOATS, SURDS, State

SEEDS = range(8)
EXACT = 1e-12

every_game = pytest.mark.parametrize(
    ("rules", "seed"), [(rules, seed) for rules in RULE_SETS for seed in SEEDS]
)


def followed(rules, seed, name_players=0.15):
    """Plays a reference game on the package as well; yields both at every ply."""
    game = Game(rules)
    for reference, text in reference_game(rules, seed, name_players=name_players):
        if text is not None:
            game.push(text)
        yield game, reference


@cache
def position(rules, seed):
    """Returns a late position of a reference game before its first observation."""
    last = None
    for game, reference in followed(rules, seed):
        last = game.copy(), reference.distribution()
        if reference.full:
            break
    return last


@every_game
def test_distributions_agree_with_the_dense_engine_at_every_ply(rules, seed):
    for game, reference in followed(rules, seed):
        expected = reference.distribution()
        found = game.probabilities()
        assert found.keys() == expected.keys(), game.text()
        assert found == pytest.approx(expected, abs=EXACT), game.text()
        assert list(found) == sorted(found)


@every_game
def test_amplitudes_agree_with_the_dense_engine_up_to_one_sign(rules, seed):
    for game, reference in followed(rules, seed):
        expected = reference.amplitudes()
        found = game.amplitudes()
        assert found.keys() == expected.keys(), game.text()
        board = next(iter(expected))
        sign = 1 if found[board] * expected[board] > 0 else -1
        scaled = {b: sign * a for b, a in found.items()}
        assert scaled == pytest.approx(expected, abs=EXACT), game.text()
        assert list(found) == sorted(found)


@every_game
def test_success_is_the_product_of_the_dense_engines_factors(rules, seed):
    for game, reference in followed(rules, seed):
        assert game.success == pytest.approx(reference.success, abs=EXACT), game.text()
        assert float(game.rules.exact_state(game.table).success) == pytest.approx(
            game.success, abs=EXACT
        )


@every_game
def test_exact_probabilities_sum_to_exactly_one(rules, seed):
    for game, _ in followed(rules, seed):
        exact = game.rules.exact_state(game.table).distribution(game.observed)
        assert sum(exact.values(), Surd(0)) == Surd(1), game.text()
        assert all(p > 0 for p in exact.values())
        assert all(type(p) is Surd for p in exact.values())


@every_game
def test_floats_agree_with_exact_numbers(rules, seed):
    for game, _ in followed(rules, seed):
        exact = game.rules.exact_state(game.table)
        found = {b: float(p) for b, p in exact.distribution(game.observed).items()}
        assert game.probabilities() == pytest.approx(found, abs=EXACT)
        assert game.rules.state(game.table).norm == pytest.approx(float(exact.norm), rel=EXACT)
        assert game.rules.state(game.table).scale == pytest.approx(float(exact.scale), rel=EXACT)
        terms = {b: float(a) for b, a in exact.terms(game.observed)}
        assert dict(game.rules.state(game.table).terms(game.observed)) == pytest.approx(
            terms, abs=EXACT
        )


@every_game
def test_every_branch_holds_the_same_number_of_pieces(rules, seed):
    for game, reference in followed(rules, seed):
        assert game.table.pieces == reference.pieces
        marked = 9 - game.observed.count("E")
        for board in game.probabilities():
            assert 9 - board.count("E") - marked == reference.pieces, game.text()


@every_game
def test_a_group_of_squares_never_spans_more_than_four(rules, seed):
    for game, _ in followed(rules, seed):
        squares = [component.squares for component in game.rules.state(game.table).components]
        assert all(len(group) <= 4 for group in squares)
        flat = [square for group in squares for square in group]
        assert len(flat) == len(set(flat))


@every_game
def test_the_probability_of_a_board_is_that_of_the_distribution(rules, seed):
    game, expected = position(rules, seed)
    marks = game.observed
    for state in (game.rules.state(game.table), game.rules.exact_state(game.table)):
        for board, p in expected.items():
            assert float(state.probability(board, marks)) == pytest.approx(p, abs=EXACT)
            for square in SQUARES:
                for letter in "EXO":
                    other = board[: square - 1] + letter + board[square:]
                    found = float(state.probability(other, marks))
                    assert found == pytest.approx(expected.get(other, 0.0), abs=EXACT)


@every_game
def test_marginals_are_sums_of_the_distribution(rules, seed):
    game, expected = position(rules, seed)
    for state in (game.rules.state(game.table), game.rules.exact_state(game.table)):
        marginals = state.marginals()
        assert set(marginals) == {s for c in state.components for s in c.squares}
        for square in SQUARES:
            table = marginals.get(square, {"E": 1, "X": 0, "O": 0})
            assert set(table) == set("EXO")
            for letter, p in table.items():
                total = sum(q for board, q in expected.items() if board[square - 1] == letter)
                assert float(p) == pytest.approx(total, abs=EXACT)


@every_game
def test_conditioning_keeps_the_branches_that_agree(rules, seed):
    game, expected = position(rules, seed)
    marks = game.observed
    for square in SQUARES:
        for symbols in ("E", "X", "O", "XO", "EX", "EXO"):
            kept = {b: p for b, p in expected.items() if b[square - 1] in symbols}
            total = sum(kept.values())
            for state in (game.rules.state(game.table), game.rules.exact_state(game.table)):
                if not kept:
                    with pytest.raises(ValueError, match=f"square {square}"):
                        state.given(square, symbols)
                    continue
                conditioned = state.given(square, symbols)
                # the chance of succeeding and of finding the condition to hold
                both = float(state.success) * total
                assert float(conditioned.success) == pytest.approx(both, abs=EXACT)
                found = conditioned.distribution(marks)
                assert {b: float(p) for b, p in found.items()} == pytest.approx(
                    {b: p / total for b, p in kept.items()}, abs=EXACT
                )


def test_conditions_multiply_like_conditional_probabilities():
    game, expected = position("cancelling", 1)
    board = max(expected)
    state = game.rules.exact_state(game.table)
    product = Surd(1)
    for square in SQUARES:
        before = state.marginals().get(square, {"E": Surd(1)})
        product *= before[board[square - 1]]
        state = state.given(square, board[square - 1])
    assert product == game.rules.exact_state(game.table).probability(board, game.observed)
    assert state.distribution(game.observed) == {board: Surd(1)}


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_sampled_frequencies_stay_within_the_bound_of_their_number(rules, seed):
    game, expected = position(rules, seed)
    draws, failure = 4000, 1e-9
    rng = Random(seed)
    counts = Counter(game.rules.state(game.table).sample(game.observed, rng) for _ in range(draws))
    assert counts.keys() <= expected.keys()
    # P(sum |f - p| >= e) <= 2^K exp(-n e^2 / 2) for K outcomes and n draws
    bound = sqrt(2 * (len(expected) * log(2) - log(failure)) / draws)
    assert sum(abs(counts[b] / draws - p) for b, p in expected.items()) < bound
    # the same for each square, where the bound is much narrower
    narrow = sqrt(2 * (3 * log(2) - log(failure)) / draws)
    for square in SQUARES:
        off = 0.0
        for letter in "EXO":
            p = sum(q for b, q in expected.items() if b[square - 1] == letter)
            f = sum(n for b, n in counts.items() if b[square - 1] == letter) / draws
            off += abs(f - p)
        assert off < narrow


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_same_seed_draws_the_same_boards(rules):
    game, _ = position(rules, 3)
    first = [game.rules.state(game.table).sample(game.observed, Random(seed)) for seed in range(20)]
    second = [
        game.rules.state(game.table).sample(game.observed, Random(seed)) for seed in range(20)
    ]
    assert first == second
    assert len(set(first)) > 1
    assert all(isinstance(board, Board) for board in first)
    rebuilt = Game(rules)
    for move in game.history:
        rebuilt.push(move)
    assert [
        rebuilt.rules.state(rebuilt.table).sample(game.observed, Random(seed)) for seed in range(20)
    ] == first


class Fixed:
    """A source of randomness that always gives the same number."""

    def __init__(self, number):
        self.number = number

    def random(self):
        return self.number


@pytest.mark.parametrize("number", [0.0, 0.25, 0.5, 1 - 2**-53])
def test_the_ends_of_the_unit_interval_draw_possible_boards(number):
    for rules in RULE_SETS:
        game, expected = position(rules, 2)
        assert game.rules.state(game.table).sample(game.observed, Fixed(number)) in expected
        assert game.rules.exact_state(game.table).sample(game.observed, Fixed(number)) in expected


def test_a_sample_walks_up_the_cumulated_probabilities():
    game = Game("tiqtaqtoe")
    game.push("1")
    game.push("2,3")
    state = game.rules.state(game.table)
    boards = {u: state.sample(game.observed, Fixed(u)) for u in (0.1, 0.49, 0.51, 0.9)}
    assert boards[0.1] == boards[0.49] != boards[0.51] == boards[0.9]
    assert set(boards.values()) == {"XOEEEEEEE", "XEOEEEEEE"}


@pytest.mark.parametrize("field", [FLOATS, SURDS])
def test_no_maps_make_the_empty_board(field):
    state = State.of((), field)
    assert state.distribution("E" * 9) == {"E" * 9: field.one}
    assert state.distribution("XEEEOEEEE") == {"XEEEOEEEE": field.one}
    assert state.norm == state.success == state.scale == 1
    assert state.marginals() == {}
    assert state.given(5, "E") == state
    with pytest.raises(ValueError, match="square 5"):
        state.given(5, "X")


@pytest.mark.parametrize("field", [FLOATS, SURDS])
def test_a_map_that_says_nothing_of_a_branch_is_refused(field):
    state = State.of([maps.classical("X", 1).on(1)], field)
    with pytest.raises(ValueError, match="says nothing"):
        state.apply(maps.classical("O", 1).on(1))
    with pytest.raises(ValueError, match="says nothing"):
        state.apply(maps.entangling("O", "X", 1).on(1, 2))
    assert state.distribution("E" * 9) == {"XEEEEEEEE": field.one}


@pytest.mark.parametrize("field", [FLOATS, SURDS])
def test_branches_that_meet_again_interfere(field):
    half = ROOT_HALF
    columns = {"E": {"E": half, "X": half}, "X": {"E": half, "X": -half}}
    mixing = maps.Effect("mixing", columns, pieces=0).on(5)
    once = State.of([mixing], field)
    assert len(once.distribution("E" * 9)) == 2
    twice = once.apply(mixing)
    found = twice.distribution("E" * 9)
    assert float(found.pop("E" * 9)) == pytest.approx(1, abs=EXACT)
    # what is left is rounding, and nothing at all in exact numbers
    assert all(p < EXACT for p in found.values())
    assert field is FLOATS or not found


@pytest.mark.parametrize("field", [FLOATS, SURDS])
@pytest.mark.parametrize("squares", [(1, 3), (3, 1), (2, 4)])
def test_a_map_joins_all_the_groups_that_it_touches(field, squares):
    swap = {a + b: {b + a: ONE} for a in "EXO" for b in "EXO"}
    made = [
        maps.superposition("X", 1, "X", 1).on(1, 2),
        maps.superposition("O", 1, "O", -1).on(3, 4),
        maps.classical("X", 1).on(9),
        maps.Effect("swap", swap, pieces=0).on(*squares),
    ]
    state = State.of(made, field)
    assert sorted(len(component.squares) for component in state.components) == [1, 4]
    swapped = [set(squares) ^ {s} if s in squares else {s} for s in (1, 2, 3, 4)]
    one, two, three, four = (square for [square] in swapped)
    expected = set()
    for x in (one, two):
        for o in (three, four):
            expected.add("".join({x: "X", o: "O", 9: "X"}.get(s, "E") for s in SQUARES))
    found = state.distribution("E" * 9)
    assert set(found) == expected
    assert all(float(p) == pytest.approx(0.25, abs=EXACT) for p in found.values())


def test_a_state_is_left_as_it_is_by_what_is_applied_to_it():
    state = State.of([maps.superposition("X", 1, "X", 1).on(1, 2)], SURDS)
    before = state.distribution("E" * 9)
    after = state.apply(maps.half_cancelling("X", True).on(2, 3))
    assert state.distribution("E" * 9) == before
    assert after.scale == Surd(3, -1)
    assert after.norm == Surd(2, "-1/2")
    assert after.success == Surd(2, "-1/2") / Surd(3, -1)


@given(games(max_plies=12))
def test_any_position_has_a_normalised_distribution(game):
    exact = game.rules.exact_state(game.table).distribution(game.observed)
    assert sum(exact.values(), Surd(0)) == 1
    assert 0 < game.success <= 1 + 1e-12
    assert sum(a * a for a in game.amplitudes().values()) == pytest.approx(1, abs=EXACT)
    for board in exact:
        assert all(m in ("E", letter) for m, letter in zip(game.observed, board, strict=True))


def test_reference_games_meet_every_kind_of_move():
    kinds = {rules: set() for rules in RULE_SETS}
    observations = 0
    for rules in RULE_SETS:
        for seed in SEEDS:
            for reference, text in reference_game(rules, seed, name_players=0.15):
                kinds[rules].add(reference.last_kind)
                observations += (text or "").startswith("@")
    common = {"classical", "superposition", "entangling", "half-entangling", None}
    assert kinds["tiqtaqtoe"] == common
    assert kinds["cancelling"] == common | {"cancelling", "half-cancelling"}
    assert kinds["shiftflip"] == common | {
        "cancelling",
        "half-shiftflip",
        "spreading",
        "off-board",
    }
    assert observations > len(SEEDS)
