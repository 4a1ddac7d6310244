"""Legal moves, held against a refusal of each of all candidates, and what each of them does."""

from itertools import pairwise

import pytest
from helpers import (
    CANDIDATES,
    NOTHING,
    OTHER,
    RULE_SETS,
    Reference,
    notation,
    reference_game,
)

from qttt_circuits import DiceMove, Game, Surd
from qttt_circuits.games import all_rules, rules

SEEDS = range(10)


def columns_by_square(squares, columns):
    """Returns a map with its squares in ascending order, numbers as pairs."""
    order = sorted(range(len(squares)), key=squares.__getitem__)

    def turned(configuration):
        return "".join(configuration[i] for i in order)

    return sorted(squares), {
        turned(source): {
            turned(image): (a.rational, a.root) if isinstance(a, Surd) else a
            for image, a in column.items()
        }
        for source, column in columns.items()
    }


every_game = pytest.mark.parametrize(
    ("name", "seed"), [(name, seed) for name in RULE_SETS for seed in SEEDS]
)


def followed(name, seed, name_players=0.0):
    """Plays a reference game on the package as well; yields both at every ply."""
    game = Game(name)
    for reference, text in reference_game(name, seed, name_players=name_players):
        if text is not None:
            game.push(text)
        if game.outcome() is None:
            yield game, reference


@every_game
def test_legal_moves_are_the_candidates_that_no_rule_refuses(name, seed):
    for game, reference in followed(name, seed, name_players=0.1):
        expected = [notation(dice) for dice in reference.legal()]
        found = [str(move) for move in game.legal_moves]
        assert sorted(found) == sorted(expected), game.text()
        assert len(game.legal_moves) == len(expected)
        assert bool(game.legal_moves) == bool(expected)


@every_game
def test_asking_and_pushing_agree_for_every_candidate_and_either_player(name, seed):
    for ply, (game, reference) in enumerate(followed(name, seed)):
        if ply % 3 != seed % 3:
            continue
        for player in ("X", "O", None):
            for dice in CANDIDATES:
                legal = reference.allows(dice, player or reference.turn)
                text = notation(dice, player)
                assert (text in game.legal_moves) == legal, (game.text(), text)
                assert (notation(dice[::-1], player) in game.legal_moves) == legal


@every_game
def test_legal_moves_are_canonical_and_once_each(name, seed):
    for game, _ in followed(name, seed):
        moves = list(game.legal_moves)
        assert len(set(moves)) == len(moves)
        assert all(m.player is None for m in moves)
        assert all(type(m) is DiceMove for m in moves)
        assert all(a < b for m in moves for a, b in pairwise(m.squares))


@every_game
def test_each_legal_move_is_of_its_kind_and_places_its_dice(name, seed):
    for ply, (game, reference) in enumerate(followed(name, seed)):
        if ply % 2 != seed % 2:
            continue
        for dice in reference.legal():
            twin = Reference(name)
            twin.marks, twin.turn = reference.marks, reference.turn
            twin.dice = {square: list(held) for square, held in reference.dice.items()}
            twin.vector = reference.vector
            kind = twin.play(dice)
            game.push(notation(dice))
            made = game.table.maps[-1]
            assert made.kind == kind, game.text()
            assert columns_by_square(made.squares, made.columns) == columns_by_square(
                *twin.last_map
            ), game.text()
            placed = [[(d.owner, d.sign, d.value) for d in held] for held in game.table.dice]
            expected = [[(d.owner, d.sign, d.value) for d in twin.dice[s]] for s in range(1, 10)]
            assert placed == expected, game.text()
            assert game.turn == OTHER[reference.turn]
            assert game.observation_due == twin.full
            game.pop()


@pytest.mark.parametrize(
    ("name", "count"),
    # nine single dice and 36 pairs; shiftflip has 2 and 4 ways to lay them
    [("tiqtaqtoe", 9 + 36), ("cancelling", 9 + 36), ("shiftflip", 2 * 9 + 4 * 36)],
)
def test_the_empty_board_has_a_known_number_of_moves(name, count):
    assert len(Game(name).legal_moves) == count


@pytest.mark.parametrize(
    ("name", "count"),
    [
        # against a 4-die on square 1: 8 single dice, 28 pairs beside it, 8 pairs with it
        ("tiqtaqtoe", 8 + 28 + 8),
        ("cancelling", 8 + 28 + 3 * 8),
        ("shiftflip", 2 * 8 + 4 * 28 + 4 * 8),
    ],
)
def test_the_second_move_has_a_known_number_of_choices(name, count):
    game = Game(name)
    game.push("1")
    assert len(game.legal_moves) == count


def test_the_moves_around_one_met_die_are_listed_in_order():
    game = Game("cancelling")
    for move in ("5", "1,2", "3,4", "6,7"):
        game.push(move)
    assert [str(move) for move in game.legal_moves] == [
        "8", "9",
        "1,8", "1,-8", "-1,8", "1,9", "1,-9", "-1,9",
        "2,8", "2,-8", "-2,8", "2,9", "2,-9", "-2,9",
        "6,8", "6,-8", "-6,8", "6,9", "6,-9", "-6,9",
        "7,8", "7,-8", "-7,8", "7,9", "7,-9", "-7,9",
        "8,9",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "moves", "kinds"),
    [
        ("tiqtaqtoe", "1 1,2", "classical entangling"),
        ("tiqtaqtoe", "1,2 2,3", "superposition half-entangling"),
        ("tiqtaqtoe", "1,2 3,2 4,1", "superposition half-entangling classical-refused"),
        ("cancelling", "1 -1,2", "classical cancelling"),
        ("cancelling", "1 1,-2", "classical cancelling"),
        ("cancelling", "1,2 -2,3", "superposition half-cancelling"),
        ("cancelling", "1,2 2,-3", "superposition half-cancelling"),
        ("cancelling", "1,2 2,3", "superposition half-entangling"),
        ("shiftflip", "1 -1,2", "classical cancelling"),
        ("shiftflip", "1 -1,-2", "classical off-board"),
        ("shiftflip", "1 1,2", "classical entangling"),
        ("shiftflip", "-1 1,2", "classical off-board"),
        ("shiftflip", "-1 -1,2", "classical cancelling"),
        ("shiftflip", "-1 -1,-2", "classical entangling"),
        ("shiftflip", "1,2 -2,3", "superposition half-shiftflip"),
        ("shiftflip", "1,2 2,-3", "superposition half-shiftflip"),
        ("shiftflip", "1,2 -2,-3", "superposition spreading"),
        ("shiftflip", "-1,2 2,3", "superposition half-entangling"),
        ("shiftflip", "-1,2 1,3", "superposition spreading"),
        ("shiftflip", "-1,2 -1,-3", "superposition half-entangling"),
        ("shiftflip", "-1,2 1,-3", "superposition half-shiftflip"),
    ],
)
def test_a_move_is_of_the_kind_its_dice_make_it(name, moves, kinds):
    game = Game(name)
    for text, kind in zip(moves.split(), kinds.split(), strict=True):
        if kind.endswith("-refused"):
            assert text not in game.legal_moves
            continue
        game.push(text)
        assert game.table.maps[-1].kind == kind


def test_a_met_four_is_halved_and_a_met_two_too():
    game = Game("cancelling")
    game.push("1")
    assert [d.value for d in game.table.dice[0]] == [4]
    game.push("1,2")
    assert [[d.value for d in held] for held in game.table.dice[:2]] == [[2, 2], [2, 2]]
    game = Game("cancelling")
    game.push("1,2")
    game.push("-2,3")
    assert [[d.value for d in held] for held in game.table.dice[:3]] == [[2], [1, 2], [1, 2]]


def test_a_move_to_an_off_board_position_leaves_its_squares_closed():
    game = Game("shiftflip")
    game.push("1")
    game.push("-1,-2")
    assert game.probabilities() == {NOTHING: 1.0}
    assert not any("1" in str(m) or "2" in str(m) for m in game.legal_moves)


def test_the_rule_sets_are_found_by_name_with_their_options():
    assert set(all_rules()) >= set(RULE_SETS)
    assert list(all_rules()) == sorted(all_rules())
    for name in RULE_SETS:
        made = rules(name, first="O", scoring="points")
        assert made.name == name
        board = {"size": "3", "line": "3"}
        assert made.options == {"first": "O", "scoring": "points", **board}
        assert rules(name).options == {"first": "X", "scoring": "lines", **board}
        assert rules(name) == rules(name)
        assert rules(name) != made
        assert hash(rules(name)) == hash(rules(name))
    assert len({rules(name) for name in RULE_SETS}) == 3
