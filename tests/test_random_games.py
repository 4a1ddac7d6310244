"""Random games of every rule set: circuits agree with exact amplitudes at every ply.

Each circuit is evaluated group by group of connected qubits, so that a board of nine squares costs
little. Games are drawn with seeds of their own and played in chunks, which run in parallel.
"""

import pytest
from circuits import (
    ALL_ENCODINGS,
    ENCODINGS,
    RULES,
    Evaluation,
    assert_same_distribution,
    exact_distribution,
)
from circuits import random_game as random_game_of

GAMES, CHUNK = 300, 25
WHOLE_GAMES, WHOLE_CHUNK = 30, 10


def check(game, encodings=ENCODINGS, **options):
    """Checks the circuits of a position against exact numbers."""
    expected = exact_distribution(game)
    success = float(game.rules.exact_state(game.table).success)
    for name in encodings:
        experiment = game.experiment(encoding=name, **options)
        where = f"{game.text()} in {name}"
        evaluation = Evaluation(experiment)
        assert_same_distribution(evaluation.distribution, expected)
        assert abs(evaluation.acceptance - success) < 1e-9, where
        assert abs(experiment.predicted_acceptance - success) < 1e-9, where
        assert evaluation.largest_amplitude_error() < 1e-9, where
        # nothing is invalid or of a wrong number of pieces where nothing is noisy
        assert evaluation.reasons <= {"renormalise", "off-board"}, where


@pytest.mark.parametrize("first", range(0, GAMES, CHUNK))
@pytest.mark.parametrize("rules", RULES)
def test_circuits_agree_with_exact_amplitudes_up_to_the_first_observation(rules, first):
    for number in range(first, first + CHUNK):
        for game in random_game_of(rules, f"game {number}", 12):
            check(game)


@pytest.mark.parametrize("first", range(0, WHOLE_GAMES, WHOLE_CHUNK))
@pytest.mark.parametrize("rules", RULES)
def test_circuits_agree_with_exact_amplitudes_through_observations_to_the_end(rules, first):
    observed = 0
    for number in range(first, first + WHOLE_CHUNK):
        for game in random_game_of(rules, f"whole {number}", 25, observe=True):
            check(game)
        observed += sum(str(move).startswith("@") for move in game.history)
        assert game.outcome() is not None or len(game.history) == 25
    assert observed >= WHOLE_CHUNK


@pytest.mark.parametrize("elide", [True, False], ids=["elided", "whole"])
@pytest.mark.parametrize("ancillas", ["needed", "all"])
@pytest.mark.parametrize("rules", RULES)
def test_other_ways_to_compile_agree_at_the_last_position(rules, ancillas, elide):
    for number in range(10):
        *_, game = random_game_of(rules, f"last {number}", 12)
        check(game, ALL_ENCODINGS, ancillas=ancillas, elide=elide)


@pytest.mark.parametrize("elide", [True, False], ids=["elided", "whole"])
@pytest.mark.parametrize("rules", RULES)
def test_a_state_prepared_directly_is_the_same_and_always_accepted(rules, elide):
    for number in range(10):
        for game in random_game_of(rules, f"last {number}", 12):
            expected = exact_distribution(game)
            for name in ALL_ENCODINGS:
                experiment = game.experiment(encoding=name, synthesis="state", elide=elide)
                evaluation = Evaluation(experiment)
                assert experiment.decoder.ancillas == ()
                assert_same_distribution(evaluation.distribution, expected)
                assert abs(evaluation.acceptance - 1) < 1e-9
                assert experiment.predicted_acceptance == 1
                assert evaluation.largest_amplitude_error() < 1e-9


@pytest.mark.parametrize("rules", RULES)
def test_the_random_games_reach_an_observation(rules):
    reached = 0
    for number in range(50):
        *_, game = random_game_of(rules, f"game {number}", 12)
        reached += game.observation_due
    assert reached >= 40
