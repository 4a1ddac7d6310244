"""Nine moves on nine squares: 27 qubits, whole and in parts, beside the elided circuit."""

from math import sqrt

import pytest
from circuits import play

from qttt_circuits import sample_many

SHOTS = 4096
MOVES = {
    "tiqtaqtoe": ("1", "1,2", "3", "3,4", "5", "5,6", "7", "7,8", "9"),
    "cancelling": ("1", "-1,2", "3", "3,4", "5", "-6,5", "7", "7,8", "9"),
    "shiftflip": ("1", "-1,-2", "3", "3,4", "-5", "5,-6", "7", "-7,8", "9"),
}


@pytest.mark.parametrize("name", ["pair", "spin", "gray"])
@pytest.mark.parametrize("rules", MOVES)
def test_nine_moves_on_27_qubits_agree_with_the_elided_circuit(rules, name):
    game = play(rules, *MOVES[rules])
    assert game.observation_due
    whole = game.experiment(encoding=name, ancillas="all", elide=False)
    assert whole.circuit.num_qubits == 27
    elided = game.experiment(encoding=name)
    results = [
        *sample_many([whole], shots=SHOTS, seed=11, parts=False),
        *sample_many([whole, elided], shots=SHOTS, seed=11),
    ]
    assert [result.backend for result in results] == [
        "aer:matrix_product_state", "aer:statevector", "aer:statevector",
    ]  # fmt: skip
    assert [result.parts for result in results] == [1, len(whole.parts), 1]
    for result in results:
        # every move here is unitary, so every shot is accepted
        assert result.accepted == result.shots == SHOTS
        for board, p in game.probabilities().items():
            error = sqrt(p * (1 - p) / SHOTS)
            assert abs(result.frequencies.get(board, 0.0) - p) <= 4.5 * error
        assert set(result.counts) <= set(game.probabilities())


def test_half_moves_on_a_full_board_keep_their_acceptance():
    game = play("cancelling", "1,2", "-2,3", "4,5", "-5,6", "7", "7,8", "9")
    assert game.observation_due
    whole = game.experiment(ancillas="all", elide=False)
    [result] = sample_many([whole], shots=SHOTS, seed=12)
    p = game.success
    assert abs(result.acceptance - p) <= 4.5 * sqrt(p * (1 - p) / SHOTS)
    assert result.rejected["off-board"] == SHOTS - result.accepted
    assert result.fit().p_value > 1e-5
