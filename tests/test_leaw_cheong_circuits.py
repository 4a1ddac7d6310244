"""Circuits of Leaw and Cheong's game: state vectors and shots against numpy's sums of moves."""

from itertools import pairwise, product
from math import sqrt

import numpy as np
import pytest
from circuits import FixedSampler
from helpers import SQUARES
from qiskit.quantum_info import Operator, Statevector
from qiskit.transpiler import generate_preset_pass_manager
from runs import fresh_store, the_run
from test_leaw_cheong_rules import (
    COMPLEX,
    EXACT,
    NAME,
    REAL,
    drawn,
    kinds,
    play,
    random_game,
    vector,
    written,
)

from qttt_circuits import Game, sample_many
from qttt_circuits.compiling import selection
from qttt_circuits.games.leaw_cheong import Played, Table

ENCODINGS = ("one-hot", "binary")
BUILDS = [
    {"circuit": circuit, "encoding": encoding, "elide": elide}
    for circuit, encoding, elide in product(("occupation", "direct"), ENCODINGS, (True, False))
]
builds = pytest.mark.parametrize("options", BUILDS, ids=lambda o: "-".join(map(str, o.values())))
encodings = pytest.mark.parametrize("encoding", ENCODINGS)
store = pytest.fixture(fresh_store)
INTERFERING = "1:r1/2,5:r1/2 9 1:r1/2,5:-r1/2"  # X has the square 1 alone


def games():
    for seed in range(2):
        yield from random_game(seed)
        yield from random_game(seed, True)
    for moves in EXACT.values():
        for plies in range(1, len(moves.split()) + 1):
            prefix = moves.split()[:plies]
            yield play(" ".join(prefix)), list(map(vector, prefix))


def movers(vectors):
    """Returns the vectors of the player who moved last."""
    return vectors[(len(vectors) - 1) % 2 :: 2]


def basis_state(square, encoding, names):
    """Returns where a square is in a state vector: bit i is the qubit of the i-th name."""
    ones = {f"sq{square}"} if encoding == "one-hot" else set()
    if encoding == "binary":
        ones = {f"bit{i}" for i in range(4) if (square - 1) >> i & 1}
    return sum(1 << i for i, name in enumerate(names) if name in ones)


def named(circuit):
    return [register.name for register in circuit.qregs]


def amplitudes_of_squares(experiment, encoding):
    """Returns the amplitude of each square where the index reads 0, and the weight elsewhere."""
    names = named(experiment.preparation)
    state = Statevector(experiment.preparation).data
    index = [i for i, name in enumerate(names) if name.startswith("index")]
    accepted = np.array([not any(place >> i & 1 for i in index) for place in range(len(state))])
    places = [basis_state(square, encoding, names) for square in SQUARES]
    found = np.array([state[place] for place in places])
    other = (abs(state[accepted]) ** 2).sum() - (abs(state[[*set(places)]]) ** 2).sum()
    return found, other, places


def same_up_to_phase(found, expected):
    phase = np.vdot(expected, found)
    return abs(abs(phase) - np.vdot(expected, expected).real) < 1e-9 and (
        abs(found - expected * phase / abs(phase)).max() < 1e-9
    )


@builds
def test_the_accepted_state_is_the_sum_of_the_mover_s_moves(options):
    for game, vectors in games():
        mine = movers(vectors)
        experiment = game.experiment(**options)
        k = len(mine) if options["circuit"] == "occupation" else 1
        assert experiment.predicted_acceptance == pytest.approx(1 / k, abs=1e-12)
        total = sum(mine) / sqrt(len(mine))
        held = [s for s in SQUARES if max(abs(v[s - 1]) for v in mine) > 1e-12]
        if options["circuit"] == "direct":
            held = [s for s in SQUARES if abs(total[s - 1]) > 1e-12]
        names = named(experiment.preparation)
        bits = [n for n in names if not n.startswith("index")]
        index = [f"index{i}" for i in range((k - 1).bit_length())]
        assert names == [*bits, *index]
        if not options["elide"]:
            one_hot = options["encoding"] == "one-hot"
            assert bits == (
                [f"sq{s}" for s in SQUARES] if one_hot else [f"bit{i}" for i in range(4)]
            )
        elif options["encoding"] == "one-hot":
            assert bits == ([f"sq{s}" for s in held] if len(held) > 1 else [])
        else:
            differ = [i for i in range(4) if len({(s - 1) >> i & 1 for s in held}) == 2]
            assert bits == [f"bit{i}" for i in differ]
        found, other, places = amplitudes_of_squares(experiment, options["encoding"])
        taken = {places[s - 1] for s in held}
        for square in SQUARES:
            if square not in held and places[square - 1] in taken:
                found[square - 1] = 0  # what is there belongs to the square that is held
        assert same_up_to_phase(found, total / sqrt(k)), (game, options)
        assert other == pytest.approx(0, abs=1e-12)


@builds
def test_squares_without_amplitude_do_not_stop_a_circuit(options):
    """X spans squares 1 and 5 alone, so that O's random moves leave rounding there."""
    for seed in range(4):
        game = play("1:r1/2,5:r1/2 2 1:r1/2,5:-r1/2")
        game.push(game.random_move(seed))
        total = sum(movers([vector(move) for move in game.history])) / sqrt(2)
        found, *_ = amplitudes_of_squares(game.experiment(**options), options["encoding"])
        found[[0, 4]] = 0  # rounding
        assert same_up_to_phase(found / np.linalg.norm(found), total)


# --- overlaps


def zeros(experiment):
    return abs(Statevector(experiment.preparation).data[0]) ** 2


def pairs(k):
    return [(i, j) for i in range(1, k + 1) for j in range(1, k + 1)]


@encodings
@pytest.mark.parametrize("elide", [True, False])
def test_an_overlap_of_legal_moves_is_0_or_1(encoding, elide):
    *_, (real, _) = random_game(5, plies=4)
    *_, (other, _) = random_game(5, True, plies=4)
    for game in (real, other, play(REAL), play(COMPLEX)):
        for i, j in pairs(len(game.history)):
            experiment = game.experiment(circuit=f"overlap:{i},{j}", encoding=encoding, elide=elide)
            assert zeros(experiment) == pytest.approx(int(i == j), abs=1e-9)
            expected = {"same": 1.0} if i == j else {"other": 1.0}
            found = {name: p for name, p in experiment.distribution.items() if p > 1e-12}
            assert found == pytest.approx(expected, abs=1e-9)
            assert experiment.predicted_acceptance == 1


def unchecked(*vectors):
    """Returns a game after moves that no rule has checked."""
    game = Game(NAME)
    moves = [game.parse(written(v)) for v in vectors]
    made = tuple(
        Played("XO"[i % 2], move, tuple(map(complex, v)))
        for i, (move, v) in enumerate(zip(moves, vectors, strict=True))
    )
    game._tables[-1] = Table(made, "XO"[len(made) % 2])
    return game


@kinds
@encodings
@pytest.mark.parametrize("elide", [True, False])
def test_an_overlap_circuit_measures_any_overlap(encoding, elide, complex_amplitudes):
    rng = np.random.default_rng(9)
    experiments, expected = [], []
    for sparse in (False, True, False, True):
        vectors = [drawn(rng, [], complex_amplitudes) for _ in range(2)]
        if sparse:
            for v in vectors:
                v[rng.permutation(9)[:5]] = 0
            vectors = [v / np.linalg.norm(v) for v in vectors]
        game, p = unchecked(*vectors), abs(np.vdot(*vectors)) ** 2
        for circuit in ("overlap:1,2", "overlap:2,1"):
            experiments.append(game.experiment(circuit=circuit, encoding=encoding, elide=elide))
            expected.append(p)
            assert zeros(experiments[-1]) == pytest.approx(p, abs=1e-9)
            shown = {name: q for name, q in (("same", p), ("other", 1 - p)) if q > 1e-12}
            assert experiments[-1].distribution == pytest.approx(shown, abs=1e-9)
    results = sample_many(experiments, shots=2000, seed=3)
    for result, p in zip(results, expected, strict=True):
        assert abs(result.counts.get("same", 0) - 2000 * p) <= 4.5 * sqrt(2000 * p * (1 - p)) + 1e-6
        assert result.accepted == 2000
        assert result.rejected == {}


# --- preparing one of several vectors


@kinds
@encodings
@pytest.mark.parametrize("rows", range(1, 6))
def test_a_selected_row_is_prepared_and_no_other(encoding, rows, complex_amplitudes):
    rng = np.random.default_rng(rows)
    entries = 5 if encoding == "one-hot" else 8
    table = rng.normal(size=(rows, entries)) + 1j * rng.normal(size=(rows, entries)) * (
        complex_amplitudes
    )
    table[rng.random(table.shape) < 0.4] = 0
    table[:, rng.integers(entries)] = 0.5
    table = table / np.linalg.norm(table, axis=1, keepdims=True)
    circuit = selection.PREPARATIONS[encoding](table.astype(complex))
    index = (rows - 1).bit_length()
    held = circuit.num_qubits - index
    assert held == (entries if encoding == "one-hot" else 3)
    full, phases = Operator(circuit).data, []
    for row in range(rows):
        column = full[:, row << held]
        expected = np.zeros(len(full), dtype=complex)
        for entry in range(entries):
            place = 1 << entry if encoding == "one-hot" else entry
            expected[place | row << held] = table[row, entry]
        assert same_up_to_phase(column, expected)
        phases.append(np.vdot(expected, column))
    assert max(abs(a - b) for a, b in pairwise([*phases, phases[0]])) < 1e-9  # one for all rows


@pytest.mark.parametrize("rows", range(1, 6))
def test_the_index_starts_uniform(rows):
    state = Statevector(selection.uniform(rows)).data
    expected = np.zeros(2 ** (rows - 1).bit_length())
    expected[:rows] = 1 / sqrt(rows)
    assert same_up_to_phase(state, expected)


# --- two-qubit gates

PASSES = generate_preset_pass_manager(3, basis_gates=["cx", "rz", "sx", "x"], seed_transpiler=1)


def cx(circuit):
    compiled = PASSES.run(circuit)
    assert {*compiled.count_ops()} <= {"cx", "rz", "sx", "x", "measure"}
    return compiled.count_ops().get("cx", 0)


@kinds
@pytest.mark.parametrize("squares", range(1, 10))
def test_a_chain_has_one_step_less_than_squares_with_amplitude(squares, complex_amplitudes):
    rng = np.random.default_rng(squares)
    for _ in range(3):
        typed = drawn(rng, [], complex_amplitudes)
        typed[rng.permutation(9)[squares:]] = 0
        game = play(written(typed / np.linalg.norm(typed)))
        for elide in (True, False):
            found = cx(game.circuit(circuit="direct", elide=elide))
            assert found == max(0, 2 * squares - 3) <= 15


@encodings
@pytest.mark.parametrize("moves", [INTERFERING, " ".join(COMPLEX.split()[:3]), "random", "complex"])
def test_selecting_moves_never_costs_less_than_preparing_their_sum(encoding, moves):
    if moves in ("random", "complex"):
        *_, (game, _) = random_game(3, moves == "complex", plies=3)
    else:
        game = play(moves)
    direct, selected = (
        cx(game.circuit(circuit=circuit, encoding=encoding)) for circuit in ("direct", "occupation")
    )
    assert selected >= direct


# --- shots


def within(n, shots, p):
    """Whether a count is within 4.5 standard errors; a variance below 10 counts as 10."""
    return abs(n - shots * p) <= 4.5 * sqrt(max(shots * p * (1 - p), 10))


@builds
def test_shots_show_the_occupations(options):
    shots, experiments, expected = 2000, [], []
    for seed, complex_amplitudes in ((11, False), (12, True)):
        for game, vectors in random_game(seed, complex_amplitudes):
            experiments.append(game.experiment(**options))
            expected.append(movers(vectors))
    experiments.append(play(INTERFERING).experiment(**options))
    expected.append(list(map(vector, INTERFERING.split()))[::2])
    for result, mine in zip(sample_many(experiments, shots=shots, seed=4), expected, strict=True):
        k = len(mine) if options["circuit"] == "occupation" else 1
        held = abs(sum(mine)) ** 2 / len(mine)
        assert result.shots == shots == result.accepted + sum(result.rejected.values())
        assert result.rejected == {"invalid-code": 0, "index": shots - result.accepted}
        assert within(result.accepted, shots, 1 / k)
        assert k > 1 or result.accepted == shots
        for square in SQUARES:
            n, p = result.counts.get(str(square), 0), held[square - 1]
            assert within(n, result.accepted, p)
            assert n == 0 or p > 1e-12
        assert sum(result.counts.values()) == result.accepted


@encodings
def test_shots_show_that_moves_are_orthogonal(encoding):
    *_, (game, _) = random_game(13, True, plies=5)
    chosen = pairs(5)
    experiments = [
        game.experiment(circuit=f"overlap:{i},{j}", encoding=encoding) for i, j in chosen
    ]
    for result, (i, j) in zip(sample_many(experiments, shots=300, seed=5), chosen, strict=True):
        assert result.counts == {"same" if i == j else "other": 300}
        assert (result.rejected, result.acceptance) == ({}, 1)


def test_occupation_in_one_hot_is_the_default():
    game = play(INTERFERING)
    assert game.experiment() == game.experiment(**BUILDS[0])
    assert len({game.experiment(**options) for options in BUILDS}) == len(BUILDS)


# --- comparing a circuit with an independently built one


def comparison(experiment, amplitudes=None):
    """Returns the probabilities of acceptance and of ``same``, given that, from a state vector."""
    overlap = experiment.overlap(amplitudes)
    found = {"accepted": 0.0, "same": 0.0}
    for place, amplitude in enumerate(Statevector(overlap.preparation).data):
        bits = [place >> i & 1 for i in range(overlap.preparation.num_qubits)]
        accepted, name = overlap.decoder.read(bits)
        found["accepted"] += accepted * abs(amplitude) ** 2
        found["same"] += (accepted and name == "same") * abs(amplitude) ** 2
    assert overlap.predicted_acceptance == pytest.approx(found["accepted"], abs=1e-9)
    return found["accepted"], found["same"] / found["accepted"]


@builds
def test_an_overlap_experiment_reads_same_and_shows_a_wrong_sign(options):
    for moves in (INTERFERING, REAL, COMPLEX, " ".join(COMPLEX.split()[:4])):
        game = play(moves)
        mine = movers(list(map(vector, moves.split())))
        total = sum(mine) / sqrt(len(mine))
        accepted, same = comparison(game.experiment(**options))
        assert accepted == pytest.approx(
            1 / len(mine) if options["circuit"] == "occupation" else 1, abs=1e-9
        )
        assert same == pytest.approx(1, abs=1e-9)
        wrong = total.copy()
        wrong[np.flatnonzero(abs(total) > 1e-9)[0]] *= -1
        given = {str(s): complex(a) for s, a in zip(SQUARES, wrong, strict=True) if abs(a) > 1e-9}
        assert comparison(game.experiment(**options), given)[1] == pytest.approx(
            abs(np.vdot(wrong, total)) ** 2, abs=1e-9
        )


# --- where nothing needs to run, and runs that are recorded


def never(circuit):
    raise AssertionError("nothing needs to be run")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"circuit": "direct"},
        {"encoding": "binary"},
        {"encoding": "binary", "circuit": "overlap:3,3"},
    ],
)
def test_a_classical_move_is_answered_without_running(options):
    game = play("5" if "overlap" not in options.get("circuit", "") else "1 2 9")
    result = game.sample(shots=9, sampler=FixedSampler(never), **options)
    assert result.experiment.circuit.num_qubits == 0
    assert (result.counts, result.backend) == (
        {"same": 9} if "overlap" in options.get("circuit", "") else {"5": 9},
        "none",
    )


@encodings
@pytest.mark.parametrize("circuit", ["occupation", "direct", "overlap:1,2", "overlap:2,2"])
def test_a_submitted_run_is_read_back_from_its_record(store, circuit, encoding):
    game = play(" ".join(COMPLEX.split()[:4]))
    options = {"circuit": circuit, "encoding": encoding}
    job = game.submit(backend="aer", shots=2000, seed=5, store=store, **options)
    result, again = job.result(), the_run(store).result()
    assert (again.counts, again.rejected) == (result.counts, result.rejected)
    assert again.accepted + sum(again.rejected.values()) == again.shots == 2000
    if circuit.startswith("overlap"):
        assert again.counts == {"other" if circuit == "overlap:1,2" else "same": 2000}
        return
    assert again.predicted_acceptance == (0.5 if circuit == "occupation" else 1)
    assert within(again.accepted, 2000, again.predicted_acceptance)
    held = abs(sum(map(vector, COMPLEX.split()[1:4:2]))) ** 2 / 2
    assert again.counts.keys() <= {"5", "6", "7"}
    assert all(within(again.counts.get(s, 0), again.accepted, held[int(s) - 1]) for s in "567")
