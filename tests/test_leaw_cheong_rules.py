"""Leaw and Cheong's game against numpy and a referee of classical tic-tac-toe."""

import json
import re
from math import cos, sin, sqrt

import numpy as np
import pytest
from helpers import LINES, OTHER, SQUARES

from qttt_circuits import Game, IllegalMoveError, NotationError
from qttt_circuits.errors import OptionError

NAME = "leaw-cheong"
TOLERANCE = 1e-9
REAL = "1:r1/2,2:r1/2 3:3/5,5:4/5 1:r1/2,2:-r1/2 3:4/5,5:-3/5 4:1/3,6:2/3,7:2/3 9 8"
COMPLEX = (
    "1:3/5,2:4/5i 5:r1/3,6:r1/3i,7:-r1/3 1:4/5i,2:3/5 5:r1/2,7:r1/2 3:1/2+1/2i,4:1/2-1/2i 9:i 8:-1"
)
NORMALISED = "norm:1:3,5:4i norm:2:1,3:1,4:1 norm:1:4i,5:3 norm:2:1,3:-1 norm:2:r1/2,3:r1/2,4:-r2"
EXACT = {"real": REAL, "complex": COMPLEX, "normalised": NORMALISED}
kinds = pytest.mark.parametrize("complex_amplitudes", [False, True], ids=["real", "complex"])


def play(moves="", **options):
    game = Game(NAME, **options)
    for move in moves.split():
        game.push(move)
    return game


def real(text):
    root = text.lstrip("+-").startswith(("r", "sqrt"))
    over, _, under = text.lstrip("+-").removeprefix("sqrt").strip("r()").partition("/")
    size = float(over or 1) / float(under or 1)
    return (-1 if text.startswith("-") else 1) * (sqrt(size) if root else size)


def number(text):
    """Reads an amplitude without the package."""
    if not text.endswith("i"):
        return complex(real(text))
    cut = max(i for i, c in enumerate(text) if i == 0 or (c in "+-" and text[i - 1] != "e"))
    return complex(real(text[:cut]) if cut else 0, real(text[cut:-1]))


def vector(move):
    """Reads a move without the package."""
    found, body = np.zeros(9, dtype=complex), str(move).removeprefix("norm:")
    for part in body.split(","):
        square, _, amplitude = part.partition(":")
        found[int(square) - 1] = number(amplitude or "1")
    return found / np.linalg.norm(found) if body != str(move) else found


def written(vector):
    """Writes a vector as a move, every digit."""
    parts = []
    for square, a in zip(SQUARES, map(complex, vector), strict=True):
        parts.append(f"{square}:{a.real!r}" + (f"{a.imag:+}i" if a.imag else ""))
    return ",".join(parts)


def projected(vector, others):
    """Returns the normalised part of a vector that is orthogonal to orthonormal others."""
    basis = np.array(others, dtype=complex).reshape(-1, 9)
    for _ in range(3):
        vector = vector - basis.T @ (basis.conj() @ vector)
        vector = vector / np.linalg.norm(vector)
    return vector


def drawn(rng, others, complex_amplitudes):
    gauss = rng.normal(size=9) + (1j * rng.normal(size=9) if complex_amplitudes else 0)
    return projected(gauss, others)


def random_game(seed, complex_amplitudes=False, *, plies=9, first="X"):
    """Yields a game of numpy's random moves after each of them, and their vectors."""
    rng, game, vectors = np.random.default_rng(seed), Game(NAME, first=first), []
    while game.outcome() is None and len(vectors) < plies:
        vectors.append(drawn(rng, vectors, complex_amplitudes))
        game.push(written(vectors[-1]))
        yield game, list(vectors)


def going_on(*arguments):
    """Yields the same before the game is over."""
    for game, vectors in random_game(*arguments):
        if game.outcome() is None:
            yield game, vectors


def own(vectors, mark, first="X"):
    """Returns the vectors of one player's moves."""
    return vectors[0 if mark == first else 1 :: 2]


def occupations(vectors):
    return abs(np.sum(vectors, axis=0)) ** 2 if len(vectors) else np.zeros(9)


def weights(occupied):
    return {line: sum(occupied[int(s) - 1] for s in line) for line in LINES}


def snapshot(game):
    """Returns everything that can be seen of a game."""
    return json.dumps(
        [
            game.text(), game.record(), game.turn, str(game.outcome()), game.observed,
            [str(move) for move in game.legal_moves], game.probabilities(), str(game),
            str(game.amplitudes()), game.rules.hint(game.table), game.rules.details(game.table),
        ]
    )  # fmt: skip


def refused(game, move, reason):
    """Returns why a move is refused, which must change nothing."""
    before = snapshot(game)
    assert move not in game.legal_moves
    with pytest.raises(IllegalMoveError) as caught:
        game.push(move)
    assert re.search(reason, caught.value.reason)
    assert (caught.value.move, caught.value.position) == (move, game.text())
    assert "\n" not in str(caught.value)
    assert snapshot(game) == before
    return caught.value.reason


def offered(reason):
    """Returns the move that a refusal offers, None without an offer."""
    found = re.search(r"nearest legal move is (\S+)$", reason)
    return found and found[1]


# --- norm and overlap


@kinds
def test_a_move_of_another_norm_is_refused_and_the_nearest_legal_one_offered(complex_amplitudes):
    rng = np.random.default_rng(1)
    for game, vectors in going_on(2, complex_amplitudes):
        typed = rng.normal(size=9) + (1j * rng.normal(size=9) if complex_amplitudes else 0)
        reason = refused(game, written(typed), "its norm is ")
        norm = re.search(r"norm is ([0-9.e+-]+), not 1", reason)
        assert float(norm[1]) == pytest.approx(np.linalg.norm(typed), rel=1e-8)
        near = offered(reason)
        assert abs(vector(near) - projected(typed, vectors)).max() < 1e-10
        assert near in game.legal_moves
        assert str(game.push(near)) == near
        game.pop()


@kinds
def test_an_overlap_is_refused_with_its_size_and_move_and_an_offer(complex_amplitudes):
    rng = np.random.default_rng(3)
    for game, vectors in going_on(4, complex_amplitudes):
        typed = drawn(rng, [], complex_amplitudes)
        reason = refused(game, written(typed), "it overlaps move ")
        k, move, size = re.search(r"overlaps move (\d), (.+), by ([^ ;]+);", reason).groups()
        begins, _, ends = move.partition(" … ")  # a long one is shown without its middle
        whole = str(game.history[int(k) - 1])
        assert whole.startswith(begins)
        assert whole.endswith(ends)
        overlap = abs(np.vdot(vectors[int(k) - 1], typed))
        assert float(size) == pytest.approx(overlap, rel=1e-5)
        near = offered(reason)
        assert abs(vector(near) - projected(typed, vectors)).max() < 1e-10
        assert game.push(near) == game.pop()


def test_moves_of_both_players_must_be_avoided():
    game = play("1:0.6,2:0.8 3:0.6,4:0.8")
    assert "move 1, 1:0.6,2:0.8, by 0.6" in refused(game, "1", "overlaps")
    assert "move 2, 3:0.6,4:0.8, by 0.8" in refused(game, "4", "overlaps")
    assert offered(refused(game, "4", "overlaps")) == "3:-4/5,4:3/5"


@pytest.mark.parametrize(
    ("moves", "move", "near"),
    [
        ("", "1:1,5:1", "1:r1/2,5:r1/2"),
        ("", "1:3,5:-4", "1:3/5,5:-4/5"),
        ("", "1:3i,5:4", "1:3/5i,5:4/5"),
        ("", "5:-7", "5:-1"),
        ("5", "1:1,2:1,5:1", "1:r1/2,2:r1/2"),
        ("1:r1/2,5:r1/2", "1", "1:r1/2,5:-r1/2"),
        ("1:r1/3,5:r1/3,9:r1/3", "1", "1:r2/3,5:-r1/6,9:-r1/6"),
        ("1:0.6,5:0.8i", "5", "1:4/5i,5:3/5"),
    ],
)
def test_a_simple_offer_is_written_with_fractions_and_roots(moves, move, near):
    found = offered(refused(play(moves), move, "norm|overlaps"))
    assert found == near


@pytest.mark.parametrize(
    ("moves", "move"),
    [
        ("5", "5"),
        ("5", "5:-1"),
        ("5", "5:2"),
        ("5", "5:i"),
        ("1:r1/2,5:r1/2 1:r1/2,5:-r1/2", "1"),
        ("1:r1/2,5:r1/2 1:r1/2,5:-r1/2", "1:0.6,5:-0.8"),
        ("1:3/5,5:4/5i 9 1:4/5,5:-3/5i", "5:3,1:2,9:1i"),
    ],
)
def test_in_the_span_of_earlier_moves_nothing_is_offered(moves, move):
    game = play(moves)
    assert offered(refused(game, move, "span")) is None
    with pytest.raises(OptionError, match="span"):
        game.project(move)


@pytest.mark.parametrize("move", ["1:0", "1:0,2:0", "5:0.0", "5:-0", "1:0i"])
def test_norm_0_has_no_direction_and_no_offer(move):
    assert offered(refused(Game(NAME), move, "its norm is 0, not 1")) is None
    with pytest.raises(NotationError, match="norm 0"):
        Game(NAME).push(f"norm:{move}")


@pytest.mark.parametrize("move", ["1:1e-10", "1:1e-10,2:1e-11i"])
def test_a_short_vector_on_an_empty_board_is_in_no_span(move):
    assert "span" not in refused(Game(NAME), move, "norm")


HUGE = ["1:1e155", "1:1e200", "1:1e200i,2:1", "1:1e308+1e308i", "norm:1:1.7e308+1.7e308i"]


@pytest.mark.parametrize("move", HUGE)
def test_huge_amplitudes_are_refused(move):
    game = Game(NAME)
    for ask in (game.push, game.project):
        with pytest.raises(NotationError, match=r"is larger than 1e\+100"):
            ask(move)
    assert game.history == ()
    assert "norm:1:1e99,2:1e99i" in Game(NAME).legal_moves


@kinds
@pytest.mark.parametrize("plies", [1, 4])
@pytest.mark.parametrize(("scale", "part"), [(2, "its norm is 2, not 1"), (1, "overlaps move ")])
def test_the_message_names_the_reason_and_the_whole_offer_of_long_moves_too(
    plies, scale, part, complex_amplitudes
):
    """Moves as `project` and `legal_moves` write them: twelve decimals a square."""
    rng, game = np.random.default_rng(5), Game(NAME)
    for _ in range(plies):
        game.push(game.project(written(drawn(rng, [], complex_amplitudes))))
    with pytest.raises(IllegalMoveError) as caught:
        game.push(written(scale * drawn(rng, [], complex_amplitudes)))
    assert part in str(caught.value)
    assert offered(caught.value.reason) in game.legal_moves
    assert offered(str(caught.value)) == offered(caught.value.reason)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_tolerance_of_the_norm_is_1e_9(sign):
    for inside in (0, 1e-12, 0.9e-9):
        assert f"5:{1 + sign * inside!r}" in Game(NAME).legal_moves
    for outside in (1.1e-9, 1e-8):
        refused(Game(NAME), f"5:{1 + sign * outside!r}", "norm is")


@pytest.mark.parametrize("form", ["1:{}", "1:-{}", "1:{}i"])
def test_the_tolerance_of_the_overlap_is_1e_9(form):
    game = play("1")
    for inside in (1e-12, 0.9e-9):
        assert f"{form.format(inside)},2:1" in game.legal_moves
    for outside in (1.1e-9, 1e-8):
        refused(game, f"{form.format(outside)},2:1", f"overlaps move 1, 1, by {outside:g}")


# --- occupations, lines and the end


@kinds
@pytest.mark.parametrize("first", ["X", "O"])
def test_occupations_are_squares_of_added_amplitudes_and_sum_to_the_moves(
    first, complex_amplitudes
):
    for seed in range(8):
        for game, vectors in random_game(seed, complex_amplitudes, first=first):
            details = game.rules.details(game.table)
            for mark in "XO":
                mine = own(vectors, mark, first)
                expected = occupations(mine)
                found = [details["occupations"][str(s)][mark] for s in SQUARES]
                assert found == pytest.approx(expected, abs=1e-12)
                assert sum(found) == pytest.approx(len(mine), abs=1e-9)
                lines = {name.replace(" ", ""): w for name, w in details["line weights"].items()}
                assert {line: w[mark] for line, w in lines.items()} == pytest.approx(
                    weights(expected), abs=1e-12
                )


@kinds
def test_the_last_mover_s_occupations_are_what_an_observation_shows(complex_amplitudes):
    for seed in range(8):
        for game, vectors in random_game(seed, complex_amplitudes):
            mine = vectors[(len(vectors) - 1) % 2 :: 2]
            total = np.sum(mine, axis=0) / sqrt(len(mine))
            found = game.amplitudes()
            assert [found.get(str(s), 0) for s in SQUARES] == pytest.approx(total, abs=1e-12)
            shown = game.probabilities()
            assert list(shown) == sorted(shown)
            assert [shown.get(str(s), 0) for s in SQUARES] == pytest.approx(
                abs(total) ** 2, abs=1e-12
            )


@kinds
def test_a_game_ends_with_a_line_of_three_or_after_nine_moves(complex_amplitudes):
    ends = set()
    for seed in range(120 if complex_amplitudes else 60):
        for game, vectors in random_game(seed, complex_amplitudes):
            mover = "OX"[len(vectors) % 2]
            weight = max(weights(occupations(own(vectors, mover))).values())
            assert abs(weight - 3) > 1e-8  # no case of these is near the tolerance
            outcome = game.outcome()
            if weight > 3:
                assert len(own(vectors, mover)) >= 3
                assert (outcome.winner, outcome.scores) == (mover, {mover: 1, OTHER[mover]: 0})
                line = "".join(re.search(r"line (\d) (\d) (\d) weighs", outcome.reason).groups())
                assert weights(occupations(own(vectors, mover)))[line] == pytest.approx(weight)
            elif len(vectors) == 9:
                assert (outcome.winner, outcome.scores) == (None, {"X": 0, "O": 0})
            else:
                assert outcome is None
                assert game.turn == OTHER[mover]
        assert game.turn is None
        assert list(game.legal_moves) == []
        refused(game, "norm:1:1,2:2,3:3", "over")
        for ask in (lambda game=game: game.project("1:1,5:1"), game.random_move):
            with pytest.raises(OptionError, match="over"):
                ask()
        ends.add(game.outcome().winner)
    assert ends == {"X", "O", None}


def test_amplitudes_add_before_they_are_squared():
    """With one sign X holds square 1 doubly and 2 not at all, with the other the reverse."""
    game = play("1:r1/2,2:r1/2 8 1:r1/2,2:-r1/2")
    assert game.probabilities() == pytest.approx({"1": 1})
    for move in ("9", "4"):
        game.push(move)
    assert game.outcome().winner == "X"  # 2 + 0 + 1 on the line 1 4 7
    other = play("1:r1/2,2:r1/2 8 1:-r1/2,2:r1/2 9 4")
    assert other.outcome() is None  # 1 and 4 hold 0 and 1
    assert play("1:r1/2,2:r1/2 8 1:-r1/2,2:r1/2 9 5").outcome().winner == "X"  # the line 2 5 8


@pytest.mark.parametrize("tilt", [0, 3.1e-5, 3.3e-5, 1e-3])
def test_a_line_wins_from_3_less_1e_9_on(tilt):
    game = play("1 7 2 8")
    game.push(f"3:{cos(tilt)!r},4:{sin(tilt)!r}")
    wins = 2 + cos(tilt) ** 2 >= 3 - TOLERANCE
    assert wins == (tilt < 3.2e-5)
    assert (game.outcome() is not None) == wins


def test_nobody_wins_before_the_third_own_move():
    game = play("1 4 2 5")
    assert game.outcome() is None
    game.push("3")
    assert game.outcome().winner == "X"
    assert "line 1 2 3 weighs 3" in str(game.outcome())
    assert play("1 4 2 5 9 6").outcome().winner == "O"
    assert play("1 2 3 5 4 6 8 7 9").outcome().winner is None
