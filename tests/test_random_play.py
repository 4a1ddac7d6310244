"""Classical and random games to their end: legal moves, the ninth move, and who wins how often."""

import re
from math import factorial, sqrt
from random import Random

import numpy as np
import pytest
from helpers import LINES, SQUARES, has_line
from test_leaw_cheong_rules import (
    EXACT,
    NAME,
    drawn,
    going_on,
    kinds,
    own,
    play,
    projected,
    random_game,
    vector,
    weights,
    written,
)

from qttt_circuits import Game, NotationError
from qttt_circuits.errors import OptionError
from qttt_circuits.games import rules

# --- classical play


def referee(moves):
    """Returns how a classical game stands: X, O, None for a draw, or "" while it goes on."""
    letters = ["E"] * 9
    for number, square in enumerate(moves):
        letters[square - 1] = "XO"[number % 2]
    for mark in "XO":
        if has_line("".join(letters), mark):
            return mark
    return None if len(moves) == 9 else ""


def stands(outcome):
    return "" if outcome is None else outcome.winner


def test_random_classical_games_end_like_tic_tac_toe():
    rng, ends = Random(1), set()
    for number in range(400):
        order = rng.sample(SQUARES, 9)
        game = Game(NAME)
        for ply, square in enumerate(order, 1):
            played = order[: ply - 1]
            free = [str(s) for s in SQUARES if s not in played]
            assert [str(s) for s in SQUARES if str(s) in game.legal_moves] == free
            if number < 60:
                assert [str(move) for move in game.legal_moves] == free
            game.push(str(square))
            assert stands(game.outcome()) == referee(order[:ply])
            assert game.probabilities() == pytest.approx(
                {str(s): 1 / ((ply + 1) // 2) for s in sorted(order[(ply - 1) % 2 : ply : 2])}
            )
            if game.outcome():
                break
        ends.add(game.outcome().winner)
    assert ends == {"X", "O", None}


@pytest.mark.slow
def test_all_255168_classical_games_end_like_tic_tac_toe():
    game = rules(NAME)
    moves = {square: game.parse(str(square)) for square in SQUARES}
    ended = {"X": 0, "O": 0, None: 0}

    def search(table, order):
        expected = referee(order)
        assert stands(table.outcome) == expected, order
        if expected != "":
            ended[expected] += 1
            return
        for square, move in moves.items():
            if square in order:
                continue
            search(game.play(table, move), [*order, square])

    search(game.start(), [])
    assert ended == {"X": 131_184, "O": 77_904, None: 46_080}
    assert sum(ended.values()) == 255_168


# --- legal moves


def expected_legal(vectors):
    found = []
    for square in SQUARES:
        basis = np.eye(9)[square - 1]
        rest = basis - sum((np.vdot(v, basis) * v for v in vectors), np.zeros(9))
        if np.linalg.norm(rest) > 1e-6:
            near = projected(basis, vectors)
            if all(abs(near - other).max() > 1e-6 for other in found):
                found.append(near)
    return found


def assert_legal_moves(game, vectors):
    found = list(game.legal_moves)
    expected = [] if game.outcome() else expected_legal(vectors)
    assert len(found) == len(expected)
    for move, near in zip(found, expected, strict=True):
        assert abs(vector(move) - near).max() < 1e-10
        assert move in game.legal_moves
        assert str(move) in game.legal_moves
        game.push(move)
        game.pop()
    assert bool(game.legal_moves) == bool(found)


@kinds
def test_legal_moves_are_the_projections_of_the_nine_classical_moves(complex_amplitudes):
    assert [str(move) for move in Game(NAME).legal_moves] == [str(s) for s in SQUARES]
    for seed in range(6):
        for game, vectors in random_game(seed, complex_amplitudes):
            assert_legal_moves(game, vectors)
    for moves in EXACT.values():
        for plies in range(len(moves.split()) + 1):
            prefix = moves.split()[:plies]
            assert_legal_moves(play(" ".join(prefix)), list(map(vector, prefix)))


def test_legal_moves_have_no_length_but_can_be_listed():
    game = play("1:r1/2,5:r1/2")
    with pytest.raises(TypeError):
        len(game.legal_moves)
    assert [str(m) for m in game.legal_moves] == [
        "1:r1/2,5:-r1/2",
        "2",
        "3",
        "4",
        "1:-r1/2,5:r1/2",
        "6",
        "7",
        "8",
        "9",
    ]


@kinds
def test_project_gives_the_nearest_legal_move(complex_amplitudes):
    rng = np.random.default_rng(7)
    for game, vectors in going_on(8, complex_amplitudes):
        for scale in (1, 1e-6, 1e6):
            typed = scale * (rng.normal(size=9) + 1j * rng.normal(size=9) * complex_amplitudes)
            near = game.project(written(typed))
            assert abs(vector(near) - projected(typed, vectors)).max() < 1e-10
            assert near in game.legal_moves
        assert abs(vector(game.project(near)) - vector(near)).max() < 1e-10


def test_what_cannot_be_projected_is_refused():
    game = play("5")
    for move in ("5", "5:i", "10:1", "0", "1:1,10:1", "1:0"):
        with pytest.raises(OptionError) as caught:
            game.project(move)
        assert "\n" not in str(caught.value)
    for move in ("", "1,2", "1:1/0", "five", None, 5):
        with pytest.raises(NotationError):
            game.project(move)
    with pytest.raises(OptionError):
        Game("cancelling").project("5")


# --- the ninth move


def eight(seed, complex_amplitudes):
    """Returns a game that goes on after eight moves, and their vectors; None if it has ended."""
    *_, (game, vectors) = random_game(seed, complex_amplitudes, plies=8)
    return (game, vectors) if game.outcome() is None else None


def hinted(game):
    """Returns weight and move of the hint."""
    found = re.search(r"([0-9.e+-]+), comes with (\S+)$", game.rules.hint(game.table))
    return float(found[1]), found[2]


@kinds
def test_the_ninth_move_is_forced_up_to_a_phase_and_the_hint_names_the_best(complex_amplitudes):
    decided = 0
    phases = np.exp(2j * np.pi * np.arange(3600) / 3600)
    for seed in range(40):
        found = eight(seed, complex_amplitudes)
        if found is None:
            continue
        game, vectors = found
        last, mine = projected(np.eye(9)[seed % 9], vectors), own(vectors, "X")
        held = abs(sum(mine)[None, :] + phases[:, None] * last[None, :]) ** 2
        scanned = max(sum(held[:, int(s) - 1] for s in line).max() for line in LINES)
        weight, best = hinted(game)
        assert scanned - 1e-5 < weight < scanned + 1e-5
        assert max(weights(abs(sum(mine) + vector(best)) ** 2).values()) == pytest.approx(
            weight, abs=1e-5
        )
        assert abs(np.vdot(last, vector(best))) == pytest.approx(1, abs=1e-10)
        for move in game.legal_moves:
            assert abs(np.vdot(last, vector(move))) == pytest.approx(1, abs=1e-10)
        assert_legal_moves(game, vectors)
        game.push(best)
        assert (game.outcome().winner == "X") == (scanned > 3)
        game.pop()
        game.push(written(-vector(best)))
        decided += scanned > 3 and game.outcome().winner is None
    assert decided


def test_only_the_ninth_move_has_a_hint():
    seen = set()
    for seed in range(8):
        for game, vectors in random_game(seed):
            due = len(vectors) == 8 and game.outcome() is None
            assert bool(game.rules.hint(game.table)) == due
            seen.add((len(vectors), due))
    assert {(8, True), (7, False), (9, False)} <= seen
    game = play("1 2 3 5 4 6 8 7")
    assert game.rules.hint(game.table).endswith("with 9")


# --- Haar-random moves


@kinds
def test_equal_seeds_give_equal_legal_moves_and_others_others(complex_amplitudes):
    for game, vectors in going_on(3, complex_amplitudes):
        moves = set()
        for seed in range(5):
            first, again = (
                game.rules.random_move(
                    game.table, Random(seed), complex_amplitudes=complex_amplitudes
                )
                for _ in range(2)
            )
            assert first == again
            assert first in game.legal_moves
            assert game.random_move(seed) == game.random_move(seed)
            assert game.random_move(Random(seed)) == game.random_move(seed)
            assert game.random_move(seed) in game.legal_moves
            assert not np.iscomplex(vector(game.random_move(seed))).any() or complex_amplitudes
            moves.add(str(first))
        assert len(moves) == 5 or (len(vectors) == 8 and not complex_amplitudes)


def moments(kind, n):
    """Returns the means of |x|^2 and |x|^4 and their variances for one coordinate of n.

    The point is uniform on the sphere of n real or complex dimensions.
    """
    if kind == "real":
        m = [1 / n, 3 / (n * (n + 2)), 105 / (n * (n + 2) * (n + 4) * (n + 6))]
    else:
        m = [factorial(k) * factorial(n - 1) / factorial(n + k - 1) for k in (1, 2, 4)]
    return (m[0], m[1] - m[0] ** 2), (m[1], m[2] - m[1] ** 2)


@pytest.mark.parametrize(
    ("moves", "complex_amplitudes"),
    [
        ("", False),
        ("", True),
        ("1:r1/2,5:r1/2 9 1:0.6,3:0.8", False),
        ("1:r1/2,5:r1/2 9 1:3/5,3:4/5i", True),
        ("5 1 9 3 2 7 6", False),
        ("5 1 9 3 2 7 6", True),
    ],
)
def test_random_moves_are_uniform_on_the_sphere_of_the_complement(moves, complex_amplitudes):
    game, shots = Game(NAME), 4000
    for move in moves.split():
        game.push(game.project(move))
    vectors = [vector(move) for move in game.history]
    n = 9 - len(vectors)
    # orthonormal directions of the complement, turned at random: nothing is special about them
    rng, basis = np.random.default_rng(1), []
    for _ in range(n):
        basis.append(drawn(rng, [*vectors, *basis], complex_amplitudes))
    draws = Random(2)
    found = np.array(
        [
            vector(game.rules.random_move(game.table, draws, complex_amplitudes=complex_amplitudes))
            for _ in range(shots)
        ]
    )
    assert abs(np.linalg.norm(found, axis=1) - 1).max() < 1e-9
    if vectors:
        assert abs(found @ np.array(vectors).conj().T).max() < 1e-9
    x = found @ np.array(basis).conj().T
    assert (abs(x.imag).max() > 0.1) == complex_amplitudes
    second, fourth = moments("complex" if complex_amplitudes else "real", n)
    for power, (mean, variance) in ((2, second), (4, fourth)):
        assert (
            abs((abs(x) ** power).mean(axis=0) - mean).max() < 4.5 * sqrt(variance / shots) + 1e-12
        )
    assert abs(x.mean(axis=0)).max() < 4.5 * sqrt(1 / n / shots)
    products = [x[:, i] * x[:, j].conj() for i in range(n) for j in range(i)]
    if complex_amplitudes:
        products += [x[:, i] * x[:, j] for i in range(n) for j in range(i + 1)]
    # each product has variance E|x_i|^2|x_j|^2 <= E|x_i|^4
    assert all(abs(p.mean()) < 4.5 * sqrt(fourth[0] / shots) for p in products)


# --- how random games end

FIGURES = {
    "real": ("", False, (0.561, 0.161, 0.278)),
    "centre": ("5", False, (0.483, 0.200, 0.317)),
    "corner": ("1", False, (0.406, 0.239, 0.355)),
    "side": ("2", False, (0.342, 0.278, 0.380)),
    "complex": ("", True, (0.322, 0.031, 0.647)),
}
GAMES = 20_000


def frequencies(opening, complex_amplitudes, seed, games=GAMES):
    """Plays random games after an opening and returns how often X, O and nobody wins."""
    game, rng = rules(NAME), Random(seed)
    start = game.start()
    if opening:
        start = game.play(start, game.parse(opening))
    ended = {"X": 0, "O": 0, None: 0}
    for _ in range(games):
        table = start
        while table.outcome is None:
            move = game.random_move(table, rng, complex_amplitudes=complex_amplitudes)
            table = game.play(table, move)
        ended[table.outcome.winner] += 1
    return [n / games for n in ended.values()]


@pytest.mark.slow
@pytest.mark.parametrize("entry", FIGURES)
def test_random_games_end_as_often_as_independent_programs_say(entry):
    """The figures are from other programs, known to 0.001."""
    opening, complex_amplitudes, expected = FIGURES[entry]
    found = frequencies(opening, complex_amplitudes, seed=1)
    assert sum(found) == pytest.approx(1)
    for frequency, p in zip(found, expected, strict=True):
        assert abs(frequency - p) < 3 * sqrt(p * (1 - p) / GAMES + 0.001**2), (found, expected)


@pytest.mark.parametrize("entry", ["real", "complex"])
def test_a_few_random_games_end_about_as_often(entry):
    opening, complex_amplitudes, expected = FIGURES[entry]
    games = 1500
    found = frequencies(opening, complex_amplitudes, seed=2, games=games)
    for frequency, p in zip(found, expected, strict=True):
        assert abs(frequency - p) < 4.5 * sqrt(p * (1 - p) / games)
