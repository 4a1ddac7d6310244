"""Circuits of Goff's game: state vectors against assignments that are tried one by one."""

import io
import json
from collections import Counter
from math import prod, sqrt
from random import Random

import pytest
from circuits import BrokenSampler, FixedSampler, assert_same_distribution, clbit_distribution
from qiskit import qasm3, qpy
from qiskit.primitives import StatevectorSampler
from qiskit.quantum_info import Statevector
from qiskit.transpiler import generate_preset_pass_manager
from runs import fresh_store, the_run
from test_goff_rules import (
    EXAMPLE,
    RULES,
    cycle_of,
    has_cycle,
    marks,
    parts_of,
    play,
    random_games,
    snapshot,
    text_of,
    ways,
)

from qttt_circuits import Game, IllegalMoveError, NoAcceptedShotsError, NotationError
from qttt_circuits.errors import OptionError, UnknownNameError

FIRST_WAY = {5: "X3", 6: "O4", 8: "X1", 9: "O2"}
SECOND_WAY = {5: "X1", 6: "X3", 8: "O4", 9: "O2"}
WAYS = {text_of({mark: square for square, mark in way.items()}) for way in (FIRST_WAY, SECOND_WAY)}
BUILDS = [{"circuit": c, "elide": e} for c in ("direct", "projected") for e in (True, False)]
builds = pytest.mark.parametrize("options", BUILDS, ids=lambda o: "-".join(map(str, o.values())))
SHAPES = {
    "path": "1,2 2,3 3,4 4,5 5,6",
    "star": "5,1 2,5 5,3 4,5",
    "tree": "1,2 3,2 2,4 4,5 6,4 6,7",
    "two groups": "1,2 2,3 7,8",
    "two": "1,2 2,1",
    "example": EXAMPLE,
    "a cycle and others": "7,8 1,2 8,9 2,3 4,3 3,1",
}
shapes = pytest.mark.parametrize("moves", SHAPES.values(), ids=SHAPES)
store = pytest.fixture(fresh_store)


def due():
    return play(EXAMPLE, collapse="measure")


def spooky(text):
    """Returns the moves of a game of spooky moves only, by mark, as far as they are observed."""
    moves = {
        f"{'OX'[number % 2]}{number}": tuple(map(int, move.split(",")))
        for number, move in enumerate(text.split(), 1)
    }
    return next(filter(has_cycle, parts_of(moves)), moves)


def check(game, moves, options):
    """Checks an experiment against every assignment of moves, {mark: (first, second square)}."""
    experiment = game.experiment(**options)
    qubits = [register.name for register in experiment.preparation.qregs]
    groups = parts_of(moves)
    cyclic = any(map(has_cycle, groups))
    held = cycle_of(moves) if cyclic and options == BUILDS[0] else moves
    assert qubits == [f"loc{mark[1:]}" for mark in moves if mark in held]
    vector = Statevector(experiment.preparation).data
    read = {}
    for way in ways(moves):
        second = [mark for mark in held if way[mark] == moves[mark][1]]
        read[sum(1 << qubits.index(f"loc{mark[1:]}") for mark in second)] = text_of(way)
    for index in range(len(vector)):
        bits = [index >> i & 1 for i in range(len(qubits))]
        expected = (True, read[index]) if index in read else (False, "exclusivity")
        assert experiment.decoder.read(bits) == expected
        assert options["circuit"] == "projected" or index in read or abs(vector[index]) < 1e-9
    kept = vector[[*read]]
    assert abs(kept / kept[0] - 1).max() < 1e-9, (game, options)
    accepted = prod((2 if has_cycle(g) else len(g) + 1) / 2 ** len(g) for g in groups)
    accepted = accepted if options["circuit"] == "projected" else 1
    assert (abs(kept) ** 2).sum() == pytest.approx(accepted, abs=1e-9)
    assert experiment.predicted_acceptance == pytest.approx(accepted, abs=1e-12)
    assert experiment.distribution == pytest.approx(dict.fromkeys(read.values(), 1 / len(read)))


@builds
@shapes
def test_the_state_is_the_equal_superposition_of_all_assignments(moves, options):
    check(play(moves), spooky(moves), options)


@builds
@pytest.mark.parametrize("name", RULES)
def test_random_games_have_that_state_at_every_ply(name, options):
    seen = set()
    for game, reference, _ in random_games(name, range(12)):
        moves = reference.due or reference.spooky
        check(game, moves, options)
        seen.add((len(moves), len(parts_of(moves)), bool(reference.due)))
    assert len(seen) > 12


# --- shots


def test_the_example_collapses_both_ways_equally_by_shots():
    game, shots = play(EXAMPLE), 4096
    result = game.sample(shots=shots, seed=11, circuit="direct")
    assert (result.accepted, result.predicted_acceptance) == (shots, 1)
    assert (result.rejected, result.shots) == ({"exclusivity": 0}, shots)
    assert result.counts.keys() == WAYS
    assert all(abs(n - shots / 2) < 4.5 * sqrt(shots / 4) for n in result.counts.values())


def test_the_example_is_projected_from_two_of_sixteen_patterns():
    game = play(EXAMPLE)
    shots, p = 8192, 2 / 2**4
    result = game.sample(shots=shots, seed=12, circuit="projected")
    assert result.predicted_acceptance == p
    assert abs(result.acceptance - p) < 4.5 * sqrt(p * (1 - p) / shots)
    assert result.rejected == {"exclusivity": shots - result.accepted}
    assert result.counts.keys() == WAYS
    half = result.accepted / 2
    assert all(abs(n - half) < 4.5 * sqrt(half / 2) for n in result.counts.values())


def test_the_build_is_direct_and_elided_unless_asked_for():
    game = play(EXAMPLE)
    assert game.experiment() == game.experiment(**BUILDS[0])
    assert len({game.experiment(**options) for options in BUILDS}) == len(BUILDS)


# --- bit order, worked out by hand


def test_clbit_0_is_the_rightmost_character_and_the_first_move():
    """X on 5 (0) or 8 (1), O on 2 (0) or 1 (1)."""
    experiment = play("5,8 2,1").experiment()
    found = experiment.decode({"00": 1, "01": 2, "10": 4, "11": 8})
    assert found.counts == {"2=O2,5=X1": 1, "2=O2,8=X1": 2, "1=O2,5=X1": 4, "1=O2,8=X1": 8}


@pytest.mark.parametrize("circuit", ["direct", "projected"])
def test_two_marks_in_one_square_are_rejected_and_counted(circuit):
    """X on 1 (0) or 2 (1), O on 2 (0) or 3 (1): 01 puts both on 2."""
    experiment = play("1,2 2,3").experiment(circuit=circuit)
    found = experiment.decode({"00": 1, "01": 2, "10": 4, "11": 8})
    assert found.counts == {"1=X1,2=O2": 1, "1=X1,3=O2": 4, "2=X1,3=O2": 8}
    assert (found.rejected, found.shots, found.accepted) == ({"exclusivity": 2}, 15, 13)
    assert experiment.decoder.reasons == ("exclusivity",)


# --- two-qubit gates


def two_qubit_gates(moves):
    passes = generate_preset_pass_manager(3, basis_gates=["cx", "rz", "sx", "x"], seed_transpiler=1)
    compiled = passes.run(play(moves).circuit())
    assert {*compiled.count_ops()} <= {"cx", "rz", "sx", "x", "measure"}
    return compiled.count_ops().get("cx", 0)


@pytest.mark.parametrize("k", range(1, 9))
def test_paths_and_stars_are_within_their_budgets(k):
    path = " ".join(f"{s},{s + 1}" for s in range(1, k + 1))
    assert two_qubit_gates(path) == k - 1
    star = " ".join(f"5,{s}" for s in [1, 2, 3, 4, 6, 7, 8, 9][:k])
    assert two_qubit_gates(star) == max(0, 2 * k - 3)


@pytest.mark.parametrize("m", range(2, 10))
def test_a_cycle_costs_one_gate_less_than_it_has_moves_and_stems_nothing(m):
    ring = [f"{s},{s + 1}" for s in range(1, m)]
    assert two_qubit_gates(" ".join([*ring, f"{m},1"])) == m - 1
    if m < 8:
        stems = [f"{m + 1},{m}", f"{m + 1},{m + 2}"]
        assert two_qubit_gates(" ".join([*stems, *ring, f"{m},1"])) == m - 1


def test_a_tree_costs_its_moves_and_leaves_less_three():
    rng = Random(3)
    for _ in range(25):
        squares = rng.sample(range(1, 10), rng.randint(2, 9))
        edges = [f"{rng.choice(squares[:i])},{squares[i]}" for i in range(1, len(squares))]
        rng.shuffle(edges)
        degrees = Counter(square for edge in edges for square in edge.split(","))
        leaves = sum(degree == 1 for degree in degrees.values())
        assert two_qubit_gates(" ".join(edges)) == len(edges) + leaves - 3, edges


# --- overlap


def same(experiment, amplitudes=None):
    """Returns the probability that an overlap experiment reads ``same``, from its state vector."""
    overlap = experiment.overlap(amplitudes)
    vector = Statevector(overlap.preparation).data
    found = {"same": 0.0, "other": 0.0}
    for index, amplitude in enumerate(vector):
        bits = [index >> i & 1 for i in range(overlap.preparation.num_qubits)]
        accepted, name = overlap.decoder.read(bits)
        assert accepted
        found[name] += abs(amplitude) ** 2
    return found["same"]


@pytest.mark.parametrize("elide", [True, False])
@shapes
def test_an_overlap_reads_same(moves, elide):
    game = play(moves)
    experiment = game.experiment(elide=elide)
    assert same(experiment) == pytest.approx(1, abs=1e-9)
    equal = dict.fromkeys(map(text_of, ways(spooky(moves))), 1.0)
    assert same(experiment, equal) == pytest.approx(1, abs=1e-9)
    # one of n signs wrong: the overlap is 1 - 2/n
    for outcome in equal:
        wrong = {**equal, outcome: -1.0}
        assert same(experiment, wrong) == pytest.approx((1 - 2 / len(equal)) ** 2, abs=1e-9)


@shapes
def test_the_overlap_of_the_projected_state_predicts_what_it_shows(moves):
    experiment = play(moves).experiment(circuit="projected")
    overlap = experiment.overlap()
    assert overlap.predicted_acceptance == pytest.approx(1)  # no shot of it is ever rejected
    assert overlap.distribution["same"] == pytest.approx(same(experiment), abs=1e-9)
    assert same(experiment) == pytest.approx(experiment.predicted_acceptance, abs=1e-9)


def test_an_overlap_with_an_impossible_assignment_is_refused():
    experiment = play("1,2 2,3").experiment()
    for amplitudes in ({"1=X1,4=O2": 1.0}, {"1=X1": 1.0}, {"1=O2,2=X1": 1.0}, {"1=X1,2=O2": 0.0}):
        with pytest.raises(OptionError):
            experiment.overlap(amplitudes)


# --- export


@builds
@shapes
def test_circuits_come_back_from_export_with_the_same_distribution(moves, options):
    circuit = play(moves).circuit(**options)
    expected = clbit_distribution(circuit)
    again = qasm3.loads(qasm3.dumps(circuit))
    assert [r.name for r in again.qregs] == [r.name for r in circuit.qregs]
    assert_same_distribution(clbit_distribution(again), expected)
    buffer = io.BytesIO()
    qpy.dump(circuit, buffer)
    buffer.seek(0)
    [again] = qpy.load(buffer)
    assert (again.qregs, again.cregs) == (circuit.qregs, circuit.cregs)
    assert again.metadata == circuit.metadata
    assert_same_distribution(clbit_distribution(again), expected)


# --- runs


@pytest.mark.parametrize("options", BUILDS[:2], ids=str)
@pytest.mark.parametrize("moves", ["", "5", f"{EXAMPLE} 5=X3"])
def test_without_spooky_marks_there_are_no_qubits_and_nothing_runs(moves, options):
    game = play(moves)
    experiment = game.experiment(**options)
    assert experiment.circuit.num_qubits == experiment.circuit.num_clbits == 0
    result = game.sample(shots=9, sampler=BrokenSampler(), **options)
    assert (result.counts, result.rejected, result.backend) == ({"": 9}, {"exclusivity": 0}, "none")


@pytest.mark.parametrize("moves", [EXAMPLE, "1,2 2,3 7,8"])
@pytest.mark.parametrize("circuit", ["direct", "projected"])
def test_a_submitted_run_is_read_back_from_its_record(store, moves, circuit):
    game = play(moves)
    job = game.submit(backend="aer", shots=200, seed=5, store=store, circuit=circuit)
    result, again = job.result(), the_run(store).result()
    assert (again.counts, again.rejected) == (result.counts, result.rejected)
    assert again.counts.keys() <= {*map(text_of, ways(spooky(moves)))}
    assert again.rejected == {"exclusivity": 200 - again.accepted}
    assert again.predicted_acceptance == game.experiment(circuit=circuit).predicted_acceptance


def test_a_run_collapses_the_game_once(store):
    game = due()
    job = game.submit(backend="aer", shots=50, seed=5, store=store, circuit="projected")
    assert game.observe(job=job) == job.result().first
    assert game.record()["moves"][-1] == f"@{job.result().first}"
    with pytest.raises(OptionError, match="observed already"):
        due().observe(job=job)


@builds
@pytest.mark.parametrize("source", ["backend", "sampler", "result"])
def test_a_circuit_picks_how_the_cycle_collapses(source, options):
    found = set()
    for seed in range(8):
        game = due()
        if source == "backend":
            board = game.observe(backend="aer", seed=seed, **options)
        elif source == "sampler":
            board = game.observe(sampler=StatevectorSampler(seed=seed), **options)
        else:
            result = game.sample(shots=100, seed=seed, **options)
            board = game.observe(result=result)
            assert board == result.first
        found.add(board)
        assert text_of({mark: square for square, mark in marks(game).items()}) == board
        assert str(game.pop()) == f"@{board}"
        assert game == due()
    assert found == WAYS


def test_a_run_that_breaks_exclusivity_collapses_nothing():
    game = due()
    clash = FixedSampler([[0, 0, 0, 0]])  # X1, O2 and X3 all on 5
    with pytest.raises(NoAcceptedShotsError) as caught:
        game.observe(sampler=clash, self_test=False, circuit="projected")
    assert caught.value.rejected == {"exclusivity": 1}
    for options in ({"backend": "aer"}, {"result": game.sample(shots=9, seed=1)}):
        with pytest.raises(IllegalMoveError, match="players choose"):
            play(EXAMPLE).observe(**options)
    assert game == due()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"circuit": "projekted"}, UnknownNameError, "did you mean 'projected'"),
        ({"circuit": None}, UnknownNameError, "direct, projected"),
        ({"circuit": ["direct"]}, UnknownNameError, "circuit"),
        ({"elide": "no"}, OptionError, "elide is True or False, not 'no'"),
        ({"elide": 1}, OptionError, "elide is True or False"),
        ({"encoding": "pair"}, OptionError, "goff have no option 'encoding'"),
        ({"ancillas": "all"}, OptionError, "goff have no option 'ancillas'"),
        ({"circiut": "direct"}, OptionError, "did you mean 'circuit'"),
    ],
)
def test_bad_options_of_circuits_are_refused(options, error, message):
    game = play(EXAMPLE)
    for ask in (game.experiment, game.circuit, game.sample):
        with pytest.raises(error, match=message):
            ask(**options)


# --- collapse="measure"


def test_a_closed_cycle_waits_to_be_observed():
    game = due()
    assert (game.observation_due, game.turn, list(game.legal_moves)) == (True, "X", [])
    assert all(choice not in game.legal_moves for choice in ("5=X3", "6=O4", "8=X1"))
    assert "must be observed" in str(game)
    with pytest.raises(IllegalMoveError, match="with collapse=measure they are observed"):
        play(EXAMPLE).observe(seed=1)
    with pytest.raises(IllegalMoveError, match="only where a cycle has closed"):
        play("5,8", collapse="measure").observe(seed=1)
    other = play("1,2 7,8 1,2", collapse="measure")  # only the group of the cycle is observed
    assert other.probabilities() == {"1=X1,2=X3": 0.5, "1=X3,2=X1": 0.5}
    other.push("@1=X1,2=X3")
    assert (other.turn, other.probabilities()) == ("O", {"7=O2": 0.5, "8=O2": 0.5})


def test_one_seed_gives_one_collapse_and_many_give_both_equally():
    found = Counter()
    for seed in range(400):
        first, again = due(), due()
        assert first.observe(seed=seed) == again.observe(seed=seed)
        assert first == again
        found[text_of({m: s for s, m in marks(first).items()})] += 1
    assert found.keys() == {"5=X3,6=O4,8=X1,9=O2", "5=X1,6=X3,8=O4,9=O2"}
    assert all(abs(n - 200) < 4.5 * sqrt(400 / 4) for n in found.values())


@pytest.mark.parametrize("way", [FIRST_WAY, SECOND_WAY])
def test_an_observed_collapse_is_replayed_in_any_order_of_marks(way):
    canonical = text_of({mark: square for square, mark in way.items()})
    for order in ((5, 6, 8, 9), (9, 8, 6, 5), (8, 5, 9, 6)):
        written = ",".join(f"{square}={way[square]}" for square in order)
        game, twin = due(), due()
        assert game.observe(board=written) == canonical
        twin.push(f"@{written}")
        assert (marks(game), game.turn, game.observation_due) == (way, "X", False)
        assert game.record()["moves"][-1] == f"@{canonical}"
        assert twin == game == Game.from_record(json.loads(json.dumps(game.record())))


def test_an_impossible_collapse_is_refused():
    game = due()
    before = snapshot(game)
    for board in ("5=O2,6=X3,8=X1,9=O4", "5=X3", "5=X1,6=X3,8=O4,9=O2,1=X5"):
        with pytest.raises(IllegalMoveError, match="probability zero"):
            game.observe(board=board)
    with pytest.raises(NotationError):
        game.observe(board="EEEEEEEEE")
    assert snapshot(game) == before
