"""Gates in total, over many random games, and against Qiskit's generic state preparation."""

import random
import statistics

import gates
import positions
import pytest
from circuits import RULES, two_qubit_gates

from qttt_circuits import Game

MOST_A_MOVE = {"tiqtaqtoe": 2.0, "cancelling": 1.75, "shiftflip": 1.5}


def gates_a_move(rules, games):
    """Returns two-qubit gates a move in ``spin``, by moves and by state, over random games."""
    rng = random.Random(f"{rules} totals")
    moves, totals = 0, {"moves": 0, "state": 0}
    for _ in range(games):
        game = Game(rules)
        while not game.observation_due:
            game.push(rng.choice(list(game.legal_moves)))
        moves += len(game.history)
        for synthesis in totals:
            totals[synthesis] += two_qubit_gates(game.circuit(synthesis=synthesis, measure=False))
    return {synthesis: total / moves for synthesis, total in totals.items()}


@pytest.mark.parametrize("rules", RULES)
def test_random_games_cost_few_gates_a_move_and_fewer_by_state(rules):
    found = gates_a_move(rules, 300)
    assert found["moves"] <= MOST_A_MOVE[rules]
    assert found["state"] < found["moves"]


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_five_thousand_random_games_cost_few_gates_a_move_and_fewer_by_state(rules):
    found = gates_a_move(rules, 5000)
    assert found["moves"] <= MOST_A_MOVE[rules]
    assert found["state"] < found["moves"]


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_generic_state_preparation_costs_many_times_more(rules):
    manager = gates.pass_manager(heavy_hex=False)
    ratios = {True: [], False: []}
    for game in positions.random_positions(rules, 100):
        ours = gates.two_qubit(manager.run(game.circuit()))
        for elide, found in ratios.items():
            ratio = gates.ratio_to(ours, gates.generic(game, elide=elide, manager=manager))
            if ratio is not None:
                found.append(ratio)
    assert len(ratios[False]) >= 50
    assert statistics.median(ratios[False]) >= 10
    assert statistics.median(ratios[True]) >= 3


def test_a_product_of_qubits_has_the_bound_zero_and_a_joined_group_its_size_less_one():
    game = positions.play("tiqtaqtoe", "1,2 4 4,5")
    # squares 1 and 2 share an occupation, 4 and 5 opposite spins: two groups of two qubits
    assert gates.entangled_bound(game.experiment(synthesis="state")) == 2
    assert gates.entangled_bound(positions.play("tiqtaqtoe", "5").experiment()) == 0
