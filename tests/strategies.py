"""Hypothesis strategies: exact numbers, moves and games."""

from fractions import Fraction

from helpers import RULE_SETS
from hypothesis import strategies as st

from qttt_circuits import DiceMove, Game, Surd

rationals = st.fractions(min_value=-50, max_value=50, max_denominator=60)
surds = st.builds(Surd, rationals, rationals)
nonzero_surds = surds.filter(bool)


@st.composite
def cancelling_surds(draw):
    """Draws numbers whose two parts nearly cancel: convergents of √2 and their neighbours."""
    p, q = 1, 1
    for _ in range(draw(st.integers(0, 60))):
        p, q = p + 2 * q, p + q
    p += draw(st.integers(-2, 2))
    sign = draw(st.sampled_from((1, -1)))
    scale = Fraction(1, draw(st.integers(1, 10**6)))
    return Surd(sign * p * scale, -sign * q * scale)


@st.composite
def dice_moves(draw, max_square=999):
    """Draws move values, legal anywhere or not."""
    squares = draw(st.lists(st.integers(0, max_square), min_size=1, max_size=2, unique=True))
    signs = [draw(st.sampled_from((1, -1))) for _ in squares]
    player = draw(st.sampled_from((None, "X", "O")))
    return DiceMove(tuple(squares), tuple(signs), player)


@st.composite
def games(draw, max_plies=16):
    """Draws games in progress, observations included."""
    game = Game(
        draw(st.sampled_from(RULE_SETS)),
        strict=draw(st.booleans()),
        first=draw(st.sampled_from("XO")),
        scoring=draw(st.sampled_from(("lines", "points"))),
    )
    plies = draw(st.integers(0, max_plies))
    for choice in draw(st.lists(st.integers(0, 2**20), min_size=plies, max_size=plies)):
        if game.outcome() is not None:
            break
        if game.observation_due:
            boards = list(game.probabilities())
            game.observe(board=boards[choice % len(boards)])
        else:
            moves = list(game.legal_moves)
            game.push(moves[choice % len(moves)])
    return game
