"""Observing by a circuit: the first accepted shot decides, and failures change nothing."""

import pytest
from circuits import ENCODINGS, RULES, BrokenSampler, FixedSampler, pattern, play, random_game, text
from qiskit.primitives import StatevectorSampler
from qiskit.transpiler import generate_preset_pass_manager
from qiskit_aer import AerSimulator

from qttt_circuits import IllegalMoveError, NoAcceptedShotsError
from qttt_circuits.errors import ExecutionError, OptionError, UnknownNameError

DUE = "1,2 3,4 5,6 7,8 9"
"""Four superpositions and a classical X: nothing is open."""


@pytest.fixture
def due():
    game = play("tiqtaqtoe", DUE)
    assert game.observation_due
    return game


def snapshot(game):
    return (game.text(), game.record(), game.turn, game.observed, game.probabilities())


def rows(game, *shots):
    """Returns the bits of shots, each given as the squares that hold a piece."""
    experiment = game.experiment()
    return [pattern(experiment, *(f"sq{s}_occ" for s in shot)) for shot in shots]


# --- what is observed


def test_the_first_accepted_shot_of_a_sampler_is_observed(due):
    sampler = FixedSampler(rows(due, (), (1, 2, 3), (2, 3, 6, 7), (1, 3, 5, 7)))
    assert due.observe(sampler=sampler, self_test=False) == "EXOEEXOEX"
    assert str(due.history[-1]) == "@EXOEEXOEX"
    assert due.turn == "O"
    assert len(sampler.asked) == 1


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("source", ["sampler", "backend", "named backend", "result"])
def test_every_source_observes_a_possible_board_and_pop_undoes_it(due, source, name):
    before = snapshot(due)
    possible = due.probabilities()
    if source == "sampler":
        board = due.observe(sampler=StatevectorSampler(seed=1), encoding=name)
    elif source == "backend":
        board = due.observe(backend=AerSimulator(), seed=1, encoding=name)
    elif source == "named backend":
        board = due.observe(backend="aer:matrix_product_state", seed=1, encoding=name)
    else:
        result = due.sample(shots=5, seed=1, encoding=name)
        board = due.observe(result=result)
        assert board == result.first
    assert board in possible
    assert due.observed == board
    due.pop()
    assert snapshot(due) == before


def test_a_seed_makes_an_observation_by_circuit_repeatable(due):
    found = set()
    for seed in range(8):
        first, again = due.copy(), due.copy()
        assert first.observe(backend="aer", seed=seed) == again.observe(backend="aer", seed=seed)
        assert first == again
        found.add(first.observed)
    assert len(found) > 1


def test_a_result_of_another_encoding_or_with_other_ancillas_is_as_good(due):
    for options in ({"encoding": "pair"}, {"ancillas": "all"}, {"elide": False}):
        result = due.sample(shots=3, seed=1, **options)
        assert due.copy().observe(result=result) == result.first


def test_a_result_of_an_equal_game_is_as_good(due):
    result = play("tiqtaqtoe", DUE).sample(shots=3, seed=1)
    assert due.observe(result=result) == result.first


def test_enough_shots_are_run_for_one_to_be_accepted():
    """Three failing moves with success 3/8 and less need more than one shot each."""
    for seed in range(40):
        *_, game = random_game("shiftflip", f"due {seed}", 12)
        if game.observation_due and game.success < 0.5:
            break
    sampler = FixedSampler(lambda circuit: [[0] * circuit.num_clbits])
    with pytest.raises(NoAcceptedShotsError):
        game.observe(sampler=sampler, self_test=False)
    [(_, shots)] = sampler.asked
    assert (1 - game.success) ** shots <= 1e-9
    assert shots < 100
    for seed in range(20):
        assert game.copy().observe(backend="aer", seed=seed) in game.probabilities()


def test_the_number_of_shots_can_be_given(due):
    sampler = FixedSampler(rows(due, (1, 3, 5, 7)))
    due.observe(sampler=sampler, shots=23, self_test=False)
    assert [shots for _, shots in sampler.asked] == [23]


def test_a_constant_position_is_observed_without_running():
    game = play("tiqtaqtoe", "1 2 3 5 4 7 6 9 8")
    sampler = BrokenSampler()
    assert game.observe(sampler=sampler) == "XOXXOXOXO"
    assert sampler.asked == 0


@pytest.mark.parametrize("rules", RULES)
def test_a_game_observed_by_circuits_goes_on_to_its_end_and_replays(rules):
    for number in range(4):
        for found in random_game(rules, f"circuit {number}", 25):
            game = found
        plies = 0
        while game.outcome() is None and plies < 25:
            if game.observation_due:
                game.observe(backend="aer", seed=number)
            else:
                game.push(next(iter(game.legal_moves)))
            plies += 1
        assert any(str(move).startswith("@") for move in game.history)
        assert type(game).from_record(game.record()) == game


# --- what is refused


def test_counts_have_no_first_shot_and_are_refused(due):
    before = snapshot(due)
    experiment = due.experiment()
    [row] = rows(due, (1, 3, 5, 7))
    result = experiment.decode({text(row): 10})
    assert result.accepted == 10
    with pytest.raises(OptionError, match="no order of shots"):
        due.observe(result=result)
    assert snapshot(due) == before


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        ("tiqtaqtoe", "1,2 3,4 5,6 7,9 8"),
        ("cancelling", DUE),
        ("tiqtaqtoe", "1,2"),
        ("tiqtaqtoe", "3,4 1,2 5,6 7,8 9"),
    ],
)
def test_a_result_of_another_position_is_refused(due, rules, moves):
    before = snapshot(due)
    other = play(rules, moves).sample(shots=10, seed=1)
    with pytest.raises(OptionError, match="not of this position"):
        due.observe(result=other)
    assert snapshot(due) == before


def test_a_result_without_accepted_shots_is_refused(due):
    before = snapshot(due)
    result = due.experiment().decode(["00000000"] * 3)
    with pytest.raises(NoAcceptedShotsError, match="none of 3 shots"):
        due.observe(result=result)
    assert snapshot(due) == before


@pytest.mark.parametrize("moves", ["", "1", "1,2", "1,2 3,4 5,6 7,8"])
def test_an_observation_that_is_not_due_is_refused_before_anything_runs(moves):
    game = play("tiqtaqtoe", moves)
    before = snapshot(game)
    sampler = BrokenSampler()
    with pytest.raises(IllegalMoveError, match="due only when no square is open"):
        game.observe(sampler=sampler)
    assert sampler.asked == 0
    for options in ({}, {"seed": 1}, {"backend": "nowhere"}, {"shots": -3, "backend": "aer"}):
        with pytest.raises(IllegalMoveError, match="due only when no square is open"):
            game.observe(**options)
    assert snapshot(game) == before


def test_a_game_that_is_over_is_not_observed_again():
    game = play("tiqtaqtoe", "1 2 3 5 4 7 6 9 8")
    game.observe()
    assert game.outcome() is not None
    sampler = BrokenSampler()
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.observe(sampler=sampler)
    assert sampler.asked == 0


def test_two_sources_at_once_are_refused(due):
    before = snapshot(due)
    sampler = BrokenSampler()
    result = due.sample(shots=3, seed=1)
    for sources in (
        {"sampler": sampler, "backend": "aer"},
        {"sampler": sampler, "result": result},
        {"board": result.first, "sampler": sampler},
        {"board": result.first, "result": result},
        {"backend": "aer", "result": result},
        {"job": object(), "result": result},
        {"job": object(), "sampler": sampler},
        {"job": object(), "board": result.first},
    ):
        with pytest.raises(OptionError, match="one of board, result, job, sampler and backend"):
            due.observe(**sources)
    assert sampler.asked == 0
    assert snapshot(due) == before


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"sampler": BrokenSampler()}, ExecutionError),
        ({"sampler": BrokenSampler(), "self_test": False}, ExecutionError),
        ({"sampler": FixedSampler(lambda c: [[0] * c.num_clbits] * 64)}, ExecutionError),
        ({"sampler": FixedSampler([[0] * 8] * 4), "self_test": False}, NoAcceptedShotsError),
        ({"sampler": FixedSampler([]), "self_test": False}, NoAcceptedShotsError),
        ({"backend": "aer:statvector"}, UnknownNameError),
        ({"backend": "aer", "shots": 0}, OptionError),
        ({"backend": "aer", "shots": 1.5}, OptionError),
        ({"backend": "aer", "seed": -1}, OptionError),
        ({"backend": "aer", "encoding": "spinn"}, UnknownNameError),
        ({"board": "EXOEEXOEO"}, IllegalMoveError),
        ({"board": "XXOEEXOEX"}, IllegalMoveError),
    ],
    ids=[
        "a sampler that fails the self-test",
        "a sampler that fails",
        "a sampler of zeros fails the self-test",
        "no shot is accepted",
        "no shot comes back",
        "an unknown method",
        "no shots",
        "a fraction of shots",
        "a negative seed",
        "an unknown encoding",
        "a board that cannot be",
        "a board with two marks of one move",
    ],
)
def test_a_failed_observation_changes_nothing(due, options, error):
    before = snapshot(due)
    with pytest.raises(error):
        due.observe(**options)
    assert snapshot(due) == before
    assert due.observe(seed=1) == due.observed


def test_a_pass_manager_of_ones_own_is_used(due):
    used = []

    class Counting:
        def run(self, circuits):
            used.append(len(circuits))
            return generate_preset_pass_manager(1, backend=AerSimulator()).run(circuits)

    board = due.observe(backend=AerSimulator(), pass_manager=Counting(), seed=1, self_test=False)
    assert used == [1]
    assert len(board) == 9
