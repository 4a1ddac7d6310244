"""The solver of Goff's game against published values and against plain recursion."""

import json
from fractions import Fraction
from random import Random

import pytest

from qttt_circuits import Game, solve
from qttt_circuits.errors import OptionError

OPENINGS = {"1,9": 0.5, "1,3": 0, "1,2": 0, "1,5": 0, "1,6": 0, "2,5": 0, "2,8": 0, "2,4": 0}
"""One opening of each kind under the symmetries of the board, with its value for X.

Ishizeki & Matsuura (2011): X is worth 1/2, and only by opposite corners.
"""
VARIANTS = [
    {"tie_break": tie_break, "single_square": single}
    for tie_break in ("sum", "max")
    for single in (True, False)
]


def lead(game):
    scores = game.outcome().scores
    return Fraction(scores["X"]) - Fraction(scores["O"])


def plain(game, known):
    """Returns X's lead by recursion over everything that is legal, remembering tables."""
    if game.outcome() is not None:
        return lead(game)
    if game.table not in known:
        values = []
        for move in game.legal_moves:
            game.push(move)
            values.append(plain(game, known))
            game.pop()
        known[game.table] = (max if game.turn == "X" else min)(values)
    return known[game.table]


def random_position(rng, plies, **options):
    while True:
        game = Game("goff", **options)
        while game.outcome() is None and len(game.history) < plies:
            game.push(game.random_move(rng))
        if game.outcome() is None:
            return game


def test_the_published_value_of_every_opening():
    found = solve(Game("goff-original"))
    assert found.value == Fraction(1, 2)
    assert len(found.moves) == 36
    values = {str(rated.move): float(rated.value) for rated in found.moves}
    assert {move for move, value in values.items() if value} == {"1,9", "3,7"}
    assert {move: values[move] for move in OPENINGS} == OPENINGS
    assert [str(rated.move) for rated in found.moves[:2]] == ["1,9", "3,7"]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_late_positions_have_the_value_that_plain_recursion_finds(options):
    rng, known, dues = Random(3), {}, 0
    for _ in range(25):
        game = random_position(rng, rng.choice((7, 8, 9)), **options)
        dues += bool(game.table.due)
        found = solve(game)
        assert found.value == plain(game, known), game.text()
        for rated in found.moves:
            game.push(rated.move)
            assert rated.value == plain(game, known), game.text()
            game.pop()
    assert dues > 2


@pytest.mark.slow
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_earlier_positions_have_the_value_that_plain_recursion_finds(options):
    rng = Random(4)
    for _ in range(8):
        game = random_position(rng, 6, **options)
        assert solve(game).value == plain(game, {}), game.text()


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_the_best_line_is_a_game_that_ends_with_the_value(options):
    rng = Random(5)
    for plies in (4, 5, 6, 7):
        game = random_position(rng, plies, **options)
        found = solve(game)
        assert found.moves[0].value == found.value
        for move in found.line:
            assert move in game.legal_moves
            game.push(move)
        assert lead(game) == found.value


def test_moves_are_ordered_for_the_side_to_move():
    rng = Random(6)
    for plies in (4, 5, 6, 7, 8):
        game = random_position(rng, plies, tie_break="max")
        values = [rated.value for rated in solve(game).moves]
        assert values == sorted(values, reverse=game.turn == "X")


def test_a_board_turned_or_mirrored_is_worth_the_same():
    turned = str.maketrans("123456789", "741852963")
    rng = Random(7)
    for plies in (4, 5, 6):
        game = random_position(rng, plies, single_square=False)
        other = Game("goff", single_square=False)
        for move in game.history:
            square, equals, mark = str(move).partition("=")
            other.push(square.translate(turned) + equals + mark)
        assert solve(other).value == solve(game).value


def test_exchanging_the_players_negates_the_value():
    other = str.maketrans("XO", "OX")
    rng = Random(8)
    for plies in (5, 6, 7):
        game = random_position(rng, plies, tie_break="max")
        exchanged = Game("goff", tie_break="max", first="O")
        for move in game.history:
            exchanged.push(str(move).translate(other))
        assert solve(exchanged).value == -solve(game).value


def test_a_game_that_is_over_is_worth_its_scores():
    game = Game("goff")
    for move in ["4,9", "1,7", "5,7", "1,3", "4,7", "2,8", "3,8", "3,5", "1=O2"]:
        game.push(move)
    found = solve(game)
    assert (found.value, found.turn, found.moves, found.line) == (Fraction(1, 2), None, (), ())


def test_kinds_of_moves_are_named():
    game = Game("goff")
    for move in ("1", "5", "9", "2,3", "4,7"):
        game.push(move)
    assert {rated.kind for rated in solve(game).moves} == {"spooky", "classical"}
    game.push("4,7")
    assert {rated.kind for rated in solve(game).moves} == {"choice"}


@pytest.mark.parametrize(
    "game",
    [Game("goff", collapse="measure"), Game("leaw-cheong"), Game("cancelling", scoring="points")],
    ids=lambda game: game.rules.name,
)
def test_what_cannot_be_solved_is_refused(game):
    with pytest.raises(OptionError):
        solve(game)


def test_the_command_prints_value_and_line(qttt):
    ran = qttt("solve", "goff-original", "--opening", "1,9")
    assert ran.status == 0
    assert "value for X: +0.5" in ran.out
    assert "best line: 1,3 " in ran.out
    document = json.loads(qttt("solve", "goff-original", "--opening", "1,9", "--json").out)
    assert list(document)[:4] == ["value", "turn", "moves", "line"]
    assert (document["value"], document["turn"]) == (0.5, "O")
    assert {move["value"] for move in document["moves"]} == {0.5, 1.0}
    same = json.loads(qttt("solve", "goff-original", "1,9", "--json").out)
    assert same == document


@pytest.mark.parametrize(
    "arguments",
    [
        ("goff-original", "--opening", "1,1"),
        ("goff", "1,2", "--opening", "12"),
        ("goff", "1,2", "--opening", "1=X1"),
        ("leaw-cheong", "1"),
        ("goff", "--option", "collapse=measure"),
    ],
    ids=" ".join,
)
def test_the_command_refuses_in_one_line(qttt, arguments):
    ran = qttt("solve", *arguments, "--json")
    assert (ran.status, ran.out) == (2, "")
    assert len(ran.err.strip().splitlines()) == 1
