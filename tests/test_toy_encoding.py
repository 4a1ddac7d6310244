"""An encoding defined outside the package is compiled, sampled and decoded like the others."""

import pytest
from circuits import RULES, Evaluation, assert_same_distribution, exact_distribution, play
from circuits import random_game as random_game_of

from qttt_circuits import register_encoding
from qttt_circuits.encodings import encodings
from qttt_circuits.encodings.base import registered
from qttt_circuits.encodings.pair_based import PairBased


@pytest.fixture
def parity():
    """An encoding whose second bit is the parity of the two bits of ``pair``."""

    @register_encoding
    class Parity(PairBased):
        name = "parity"
        bits = ("x", "any")
        codes = {"E": (0, 0), "X": (1, 1), "O": (0, 1)}  # noqa: RUF012 - short for a test

        def symbol_wire(self, square, symbol):
            return self.wire(square, "x" if symbol == "X" else "any")

        def undress(self, b, square):
            b.cx(*self.wires(square))

        def dress(self, b, square):
            b.cx(*self.wires(square))

    yield Parity.name
    del registered[Parity.name]


def test_a_registered_encoding_is_found_by_name(parity):
    assert parity in encodings()


@pytest.mark.parametrize("options", [{}, {"ancillas": "all"}, {"synthesis": "state"},
                                     {"elide": False}], ids=str)  # fmt: skip
@pytest.mark.parametrize("rules", RULES)
def test_a_registered_encoding_shows_the_exact_distribution(parity, rules, options):
    for number in range(5):
        for game in random_game_of(rules, f"toy {number}", 12):
            evaluation = Evaluation(game.experiment(encoding=parity, **options))
            assert_same_distribution(evaluation.distribution, exact_distribution(game))
            assert evaluation.largest_amplitude_error() < 1e-9


def test_a_whole_game_is_played_in_a_registered_encoding(parity):
    game = play("tiqtaqtoe")
    for move in "1,2", "2,3", "4", "4,5", "6,7", "6,8", "9":
        game.push(move)
    assert game.observation_due
    board = game.observe(seed=3, backend="aer", encoding=parity)
    assert board == game.observed
    assert exact_distribution_held(game, board)


def exact_distribution_held(game, board):
    """Returns whether a board was possible before it was observed."""
    before = game.copy()
    before.pop()
    return before.probabilities()[board] > 0
