"""Two-qubit gates stay within the budgets, for whole positions and for each kind of move."""

from collections import Counter

import pytest
from circuits import (
    MAX_BY_KIND,
    RULES,
    move_gates,
    play,
    random_game,
    two_qubit_gates,
)
from qiskit.transpiler import generate_preset_pass_manager

BUDGETS = {
    ("tiqtaqtoe", "1,2"): 1,
    ("tiqtaqtoe", "1 1,2"): 1,
    ("tiqtaqtoe", "1,2 2,3"): 6,
    ("cancelling", "1 -1,2"): 0,
    ("cancelling", "1,2 -2,3"): 4,
    ("cancelling", "3,4 -3,1 O:-4,2"): 7,
    ("shiftflip", "1,2 -2,3"): 3,
    ("shiftflip", "1,2 -2,-3"): 3,
}
GAMES = 100
"""Random games a rule set, each counted at its last position before an observation."""


@pytest.fixture(scope="module")
def pass_manager():
    return generate_preset_pass_manager(3, basis_gates=["cx", "rz", "sx", "x"], seed_transpiler=1)


def kind_of(item):
    return item.operation.name


@pytest.mark.parametrize(("rules", "moves"), BUDGETS, ids=" ".join)
def test_a_position_costs_no_more_than_its_budget_in_the_best_encoding(rules, moves, pass_manager):
    game = play(rules, moves)
    counts = [
        pass_manager.run(game.circuit(encoding=name)).count_ops().get("cx", 0)
        for name in MAX_BY_KIND
    ]
    assert min(counts) <= BUDGETS[rules, moves]


@pytest.mark.parametrize("name", MAX_BY_KIND)
@pytest.mark.parametrize(("rules", "moves"), BUDGETS, ids=" ".join)
def test_compiling_further_adds_no_two_qubit_gate(rules, moves, name, pass_manager):
    circuit = play(rules, moves).circuit(encoding=name)
    ran = pass_manager.run(circuit)
    assert ran.count_ops().get("cx", 0) <= two_qubit_gates(circuit)
    budget = sum(MAX_BY_KIND[name][kind_of(item)] for item in move_gates(circuit))
    assert two_qubit_gates(circuit) <= budget


ISOLATED = {
    "classical": ("shiftflip", ["5", "-5", "O:5"]),
    "superposition": ("shiftflip", ["1,2", "-1,2", "1,-2", "-1,-2"]),
    "entangling": ("tiqtaqtoe", ["1 1,2", "2 1,2", "O:1 1,2"]),
    "half_entangling": ("shiftflip", ["1,2 2,3", "3,2 2,1", "1,-2 -2,-3", "-1,2 -1,-3"]),
    "cancelling": ("cancelling", ["1 -1,2", "1 1,-2", "2 1,-2", "2 -1,2"]),
    "half_cancelling": ("cancelling", ["1,2 -2,3", "1,2 2,-3", "2,3 -1,2", "2,3 1,-2"]),
    "half_shiftflip": ("shiftflip", ["1,2 -2,3", "1,2 2,-3", "-1,-2 2,-3", "-1,2 -2,3"]),
    "spreading": ("shiftflip", ["1,2 -2,-3", "-1,-2 2,3", "1,2 -1,-3"]),
    "off_board": ("shiftflip", ["1 -1,-2", "-1 1,2"]),
}


@pytest.mark.parametrize("elide", [True, False], ids=["elided", "whole"])
@pytest.mark.parametrize("name", MAX_BY_KIND)
@pytest.mark.parametrize("kind", ISOLATED)
def test_a_move_alone_costs_no_more_than_its_kind_may(kind, name, elide):
    rules, games = ISOLATED[kind]
    for moves in games:
        gates = move_gates(play(rules, moves).circuit(encoding=name, elide=elide, measure=False))
        last = [gate for gate in gates if gate.operation.label.endswith(f" {moves.split()[-1]}")]
        if not last:
            assert elide
            assert MAX_BY_KIND[name][kind] == 0
            continue
        assert kind_of(last[0]) == kind
        assert two_qubit_gates(last[0].operation.definition) <= MAX_BY_KIND[name][kind]


@pytest.mark.parametrize("name", MAX_BY_KIND)
@pytest.mark.parametrize("rules", RULES)
def test_moves_of_random_games_cost_no_more_than_their_kind_may(rules, name):
    seen = Counter()
    for number in range(GAMES):
        *_, game = random_game(rules, f"budget {number}", 12)
        labels = {}
        for elide in (True, False):
            gates = move_gates(game.circuit(encoding=name, elide=elide, measure=False))
            labels[elide] = [gate.operation.label for gate in gates]
            for gate in gates:
                cost = two_qubit_gates(gate.operation.definition)
                assert cost <= MAX_BY_KIND[name][kind_of(gate)], game.text()
                seen[kind_of(gate), cost] += 1
        # whole: a box a move; elided: only moves that may be free are left out
        moves = [str(move) for move in game.history]
        assert [label.split(" ", 1)[1] for label in labels[False]] == moves
        for label in set(labels[False]) - set(labels[True]):
            assert MAX_BY_KIND[name][label.split(" ", 1)[0].replace("-", "_")] == 0
    kinds = {
        "tiqtaqtoe": {"superposition", "entangling", "half_entangling"},
        "cancelling": {"superposition", "cancelling", "half_cancelling"},
        "shiftflip": {"superposition", "cancelling", "half_shiftflip", "spreading", "off_board"},
    }
    assert kinds[rules] <= {kind for kind, _ in seen}


@pytest.mark.parametrize("name", MAX_BY_KIND)
@pytest.mark.parametrize("rules", RULES)
def test_whole_random_positions_cost_no_more_than_the_sum_of_their_moves(rules, name, pass_manager):
    for number in range(4):
        *_, game = random_game(rules, f"budget {number}", 12)
        circuit = game.circuit(encoding=name)
        budget = sum(MAX_BY_KIND[name][kind_of(item)] for item in move_gates(circuit))
        assert pass_manager.run(circuit).count_ops().get("cx", 0) <= budget


@pytest.mark.parametrize("name", MAX_BY_KIND)
def test_moves_without_superposition_have_no_gate(name):
    circuit = play("shiftflip", "1 5 -5,-9 -2").circuit(encoding=name)
    assert circuit.num_qubits == 0
    assert not circuit.data
