"""Circuits of cat and hounds: state vectors and readings against the referee's branches."""

import io
import json
from itertools import product
from math import sqrt

import numpy as np
import pytest
from circuits import ALL_ENCODINGS, CODES, BrokenSampler, FixedSampler, assert_same_distribution
from circuits import clbit_distribution as measured
from hounds import Referee, branches, squares, walk
from qiskit import qasm3, qpy
from qiskit.primitives import StatevectorSampler
from qiskit.quantum_info import Statevector
from runs import fresh_store, the_run
from test_hounds_rules import play

from qttt_circuits import Game, IllegalMoveError, NoAcceptedShotsError
from qttt_circuits.decoders import decoder_from_json
from qttt_circuits.errors import OptionError, UnknownNameError

NAME = "cat-and-hounds"
BITS = {
    "spin": ["occ", "spin"], "pair": ["x", "o"], "gray": ["occ", "spin"], "one-hot": ["e", "x", "o"]
}  # fmt: skip
SYMBOL = {"left": "X", "centre": "E", "right": "O", "cat": "E"}
REASONS = ("invalid-code", "merge", "disagree")
BUILDS = [
    {"encoding": encoding, "synthesis": synthesis, "elide": elide}
    for encoding in ALL_ENCODINGS
    for synthesis in ("moves", "state")
    for elide in (True, False)
]
encodings = pytest.mark.parametrize("encoding", ALL_ENCODINGS)
MOST = 15  # qubits of a state vector
store = pytest.fixture(fresh_store)

MEET = "c5 c1-d2 split:b6,b4,d4 d2-c3"
"""Levels 4 and 5, 6x6: three equal cats that can all go to c5."""
DUE = "split:c7,e7 a1-b2 b8,f8 b2-a3 c7,e7 c1-b2 b8,f8"
COLLAPSE = "c3 c1-d2 split:b4,d4,b2 a1-b2 c3,c3,c1~ b2-a3 d4,b2 a3-b4 c3~,c3 a1-b2 b2,b4~ b2-a3"
POSITIONS = {
    "two": (2, 8, "split:c7,e7"),
    "three": (4, 6, "c5 c1-d2 split:b6,b4,d4"),
    "flipped": (4, 6, f"{MEET} a5,c5~,e5~ c3-b4"),
    "constructive": (4, 6, f"{MEET} c5,c5,e5"),
    "constructive, flipped": (5, 6, f"{MEET} c5,c5,e5~"),
    "outer ones": (4, 6, "c5 c1-d2 split:b6,d4,b4 d2-c3 c5,e5~,c5"),
    "inner ones": (4, 6, "c5 c1-d2 split:d4,b6,b4 d2-c3 e5,c5~,c5~"),
    "destructive": (4, 6, f"{MEET} c5,c5~,e5"),
    "three equal": (4, 6, f"{MEET} c5,c5,c5"),
    "three equal but one": (4, 6, f"{MEET} c5,c5~,c5"),
    "twice": (4, 4, "c3 c1-b2 split:d4,b4,d2 b2-a3 c3~,c3~,c1 a1-b2 d2,d2"),
    "a hound": (5, 4, "c3 c1-d2 split:b4,d4,b2 a1-b2"),
    "by hounds": (5, 4, "c3 c1-d2 split:b2,b4,d4 a1-b2 a3,a3,c3~ a1-b2"),
    "collapsing": (5, 4, f"{COLLAPSE} a3,c3"),
}
positions = pytest.mark.parametrize(("level", "size", "moves"), POSITIONS.values(), ids=POSITIONS)


def both(level, size, moves):
    """Returns a game after moves and the referee of it."""
    referee = Referee(level, size)
    for move in moves.split():
        referee = referee.after(move)
    return play(moves, level=level, size=size), referee


class Reading:
    """What the bits of an experiment should mean, worked out from the referee.

    Attributes:
        names: The names of the qubits.
        kept: For each branch that is left the pattern that stands for it.
    """

    def __init__(self, referee, encoding, synthesis, elide):
        by_moves = synthesis == "moves"
        self.alive = list(referee.parts)
        self.told = list(referee.split or self.alive) if by_moves else self.alive
        self.codes = CODES[encoding]
        whole = {name: self.codes[SYMBOL[name]][0] for name in self.told}
        vary = [len({*values}) > 1 for values in zip(*whole.values(), strict=True)]
        held = [v or (len(self.told) > 1 and not elide) for v in vary]
        self.constant = [None if h else v for h, v in zip(held, whole[self.told[0]], strict=True)]
        code = [f"branch_{bit}" for bit, h in zip(BITS[encoding], held, strict=True) if h]
        self.places = self.differing(referee)
        merges = [f"merge{k}" for k in range(1, 1 + len(referee.merges) * by_moves)]
        self.names = [*code, *self.places, *merges]
        self.kept = {
            name: [
                *(bit for bit, h in zip(whole[name], held, strict=True) if h),
                *(place[name] for place in self.places.values()),
                *(0 for _ in merges),
            ]
            for name in self.alive
        }

    def differing(self, referee):
        """Returns the bits of positions, squares counted row by row, that differ."""
        numbers = {name: [p.cat, *sorted(p.hounds)] for name, p in referee.parts.items()}
        found = {}
        for i in range(1 + referee.size // 2):
            for k in range(10):
                bit = {n: squares(referee.size).index(s[i]) >> k & 1 for n, s in numbers.items()}
                if len({*bit.values()}) > 1:
                    found[f"hound{i}_{k}" if i else f"cat_{k}"] = bit
        return found

    def read(self, bits):
        """Returns the branch, or the first reason to reject."""
        value = dict(zip(self.names, bits, strict=True))
        held = iter([bit for name, bit in value.items() if name.startswith("branch")])
        code = tuple(next(held) if c is None else c for c in self.constant)
        [symbol] = [s for s, all_codes in self.codes.items() if code in all_codes]
        name = next((n for n in self.told if SYMBOL[n] == symbol), None)
        if name is None:
            return (False, "invalid-code")
        if any(bit for key, bit in value.items() if key.startswith("merge")):
            return (False, "merge")
        if name not in self.alive or any(value[k] != p[name] for k, p in self.places.items()):
            return (False, "disagree")
        return (True, name)


def check(game, referee, options):
    """Checks an experiment's state and readings; returns its number of qubits."""
    experiment, reading = game.experiment(**options), Reading(referee, **options)
    circuit, where = experiment.preparation, (game.text(), options)
    assert [register.name for register in circuit.qregs] == reading.names, where
    accepted = float(referee.success) if options["synthesis"] == "moves" else 1
    weights = referee.weights()
    assert experiment.distribution == pytest.approx({n: float(p) for n, p in weights.items()})
    assert experiment.predicted_acceptance == pytest.approx(accepted, abs=1e-12)
    assert experiment.decoder.reasons == REASONS
    n = circuit.num_qubits
    if n > MOST:
        return n
    vector, found = Statevector(circuit).data, {}
    for index in np.flatnonzero(abs(vector) > 1e-9):
        bits = [int(index) >> i & 1 for i in range(n)]
        expected = reading.read(bits)
        assert experiment.decoder.read(bits) == expected, where
        assert expected[1] in (*weights, "merge"), where
        if expected[0]:
            assert bits == reading.kept[expected[1]], where
            found[expected[1]] = vector[index]
    assert found.keys() == weights.keys(), where
    phase = found[reading.alive[0]] / abs(found[reading.alive[0]])
    for name, (_, _, sign, weight) in referee.shown().items():
        assert abs(found[name] / phase - sign * sqrt(weight * accepted)) < 1e-9, where
    return n


@pytest.mark.parametrize(("level", "size", "seeds"), [
    (1, 6, 1), (2, 6, 2), (3, 6, 2), (4, 4, 3), (4, 6, 2), (5, 4, 4), (5, 6, 2), (5, 8, 1),
])  # fmt: skip
def test_the_state_of_every_ply_of_random_games_in_all_builds(level, size, seeds):
    widths, merges = set(), 0
    for seed in range(seeds):
        game = Game(NAME, level=level, size=size)
        for referee, text in walk(level, size, f"circuits {seed}", plies=40):
            if text:
                game.push(text)
            options = BUILDS if referee.quantum or referee.merges else BUILDS[:2]
            widths |= {check(game, referee, o) for o in options}
            merges += len(referee.merges)
    assert (max(widths) > 0) is (level > 1)
    assert (merges > 0) is (level > 3)


@pytest.mark.parametrize("options", BUILDS, ids=lambda o: "-".join(map(str, o.values())))
@positions
def test_every_pattern_is_read_as_it_should_be(level, size, moves, options):
    game, referee = both(level, size, moves)
    assert check(game, referee, options) <= MOST
    experiment, reading = game.experiment(**options), Reading(referee, **options)
    read = experiment.decoder.read
    width = len(reading.names)
    patterns = product((0, 1), repeat=width) if width < 9 else reading.kept.values()
    for bits in patterns:
        assert read(bits) == reading.read(bits)
    # any one wrong bit of a position is found
    for name, bits in reading.kept.items():
        assert read(bits) == (True, name)
        for i, qubit in enumerate(reading.names):
            if qubit.startswith(("cat", "hound")):
                assert read([b ^ (i == k) for k, b in enumerate(bits)]) == (False, "disagree")


def test_two_branches_take_one_branch_qubit_in_spin_and_three_take_two():
    for moves, level, count in (("split:c7,e7", 2, 1), ("c7 a1-b2 split:b6,d8,d6", 4, 2)):
        names = [r.name for r in play(moves, level=level).circuit(encoding="spin").qregs]
        assert len([name for name in names if name.startswith("branch")]) == count
    both_rows = play("split:c7,e7", level=2).circuit().qregs
    # c7 and e7 are the 26th and 27th of 32 dark squares: 25 and 26 differ in the lowest two bits
    assert [register.name for register in both_rows] == ["branch_spin", "cat_0", "cat_1"]


def test_reasons_come_in_the_order_invalid_code_merge_disagree():
    experiment = play(f"{MEET} c5,c5,e5", level=4, size=6).experiment(encoding="pair")
    names = [register.name for register in experiment.preparation.qregs]
    assert names[:2] + names[-1:] == ["branch_x", "branch_o", "merge1"]
    for *places, merge in product((0, 1), repeat=len(names) - 2):
        assert experiment.decoder.read([1, 1, *places, merge]) == (False, "invalid-code")
        gone = (False, "merge" if merge else "disagree")  # centre has merged into left
        assert experiment.decoder.read([0, 0, *places, merge]) == gone


# --- shots


@encodings
@pytest.mark.parametrize(
    ("move", "accepted", "left"), [("c5,c5,e5~", 5 / 6, 0.8), ("c5,c5~,e5", 1 / 6, 0)]
)
def test_shots_show_the_merges(encoding, move, accepted, left):
    game, shots = play(f"{MEET} {move}", level=4, size=6), 6000
    result = game.sample(shots=shots, seed=3, encoding=encoding)
    assert result.predicted_acceptance == pytest.approx(accepted)
    assert abs(result.accepted - shots * accepted) < 4.5 * sqrt(shots * accepted * (1 - accepted))
    assert result.rejected == {
        "invalid-code": 0, "merge": shots - result.accepted, "disagree": 0,
    }  # fmt: skip
    assert result.counts.keys() == ({"left", "right"} if left else {"right"})
    n, found = result.accepted, result.counts.get("left", 0)
    assert abs(found - n * left) <= 4.5 * sqrt(n * left * (1 - left))
    direct = game.sample(shots=shots, seed=3, encoding=encoding, synthesis="state")
    assert (direct.accepted, direct.rejected) == (shots, dict.fromkeys(REASONS, 0))


def test_a_split_is_even_by_shots():
    shots = 6000
    for level, moves in ((2, "split:c7,e7"), (4, "c7 a1-b2 split:b6,d8,d6")):
        result = play(moves, level=level).sample(shots=shots, seed=4)
        p = 1 / (2 if level == 2 else 3)
        error = 4.5 * sqrt(shots * p * (1 - p))
        assert len(result.counts) == round(1 / p)
        assert all(abs(n - shots * p) < error for n in result.counts.values())


# --- overlap


def same(experiment, amplitudes=None):
    """Returns the probability of ``same`` among accepted shots, and that of acceptance."""
    overlap = experiment.overlap(amplitudes)
    found, accepted = 0.0, 0.0
    for index, amplitude in enumerate(Statevector(overlap.preparation).data):
        bits = [index >> i & 1 for i in range(overlap.preparation.num_qubits)]
        reading = overlap.decoder.read(bits)
        if reading.accepted:
            accepted += abs(amplitude) ** 2
            found += abs(amplitude) ** 2 * (reading.name == "same")
    return found / accepted, accepted


@encodings
@positions
def test_an_overlap_reads_same(level, size, moves, encoding):
    game, referee = both(level, size, moves)
    for synthesis in ("moves", "state"):
        experiment = game.experiment(encoding=encoding, synthesis=synthesis)
        if experiment.preparation.num_qubits:
            chance = float(referee.success) if synthesis == "moves" else 1
            assert same(experiment) == pytest.approx((1, chance), abs=1e-9)
            assert experiment.overlap().distribution == {"same": 1.0}
            own = {n: sign * sqrt(p) for n, (_, _, sign, p) in referee.shown().items()}
            assert same(experiment, own)[0] == pytest.approx(1, abs=1e-9)


def test_an_overlap_shows_a_wrong_sign():
    game = play(f"{MEET} c5,c5,e5~", level=4, size=6)  # (2, -1)/√5 against (2, 1)/√5
    for synthesis in ("moves", "state"):
        experiment = game.experiment(synthesis=synthesis)
        right, wrong = {"left": 2.0, "right": -1.0}, {"left": 2.0, "right": 1.0}
        assert same(experiment, right)[0] == pytest.approx(1, abs=1e-9)
        assert same(experiment, wrong)[0] == pytest.approx((3 / 5) ** 2, abs=1e-9)
        for amplitudes in ({"centre": 1.0}, {"foo": 1.0}, {"left": 0.0}):
            with pytest.raises(OptionError):
                experiment.overlap(amplitudes)


# --- records and export


@positions
def test_decoders_and_circuits_come_back(level, size, moves):
    game, referee = both(level, size, moves)
    for options in BUILDS[:6] if level == 4 else BUILDS[8:14]:
        experiment = game.experiment(**options)
        decoder = experiment.decoder
        again = decoder_from_json(json.loads(json.dumps(decoder.to_json())))
        assert again == decoder
        for bits in Reading(referee, **options).kept.values():
            for i in range(len(bits)):
                flipped = [b ^ (i == k) for k, b in enumerate(bits)]
                assert again.read(flipped) == decoder.read(flipped)
        circuit = experiment.circuit
        expected = measured(circuit)
        assert_same_distribution(measured(qasm3.loads(qasm3.dumps(circuit))), expected)
        buffer = io.BytesIO()
        qpy.dump(circuit, buffer)
        buffer.seek(0)
        [again] = qpy.load(buffer)
        assert (again.qregs, again.cregs) == (circuit.qregs, circuit.cregs)
        assert again.metadata == circuit.metadata
        assert_same_distribution(measured(again), expected)


# --- runs


@pytest.mark.parametrize(
    ("level", "moves", "name"),
    [(1, "", "cat"), (1, "c7 a1-b2", "cat"), (4, "c7", "cat"), (3, f"{DUE} @left", "cat")],
)
def test_a_classical_position_has_no_qubits_and_nothing_runs(level, moves, name):
    for options in BUILDS:
        game = play(moves, level=level)
        circuit = game.experiment(**options).circuit
        assert circuit.num_qubits == circuit.num_clbits == 0
        result = game.sample(shots=9, sampler=BrokenSampler(), **options)
        assert (result.counts, result.backend) == ({name: 9}, "none")
        assert result.rejected == dict.fromkeys(REASONS, 0)


@pytest.mark.parametrize("options", BUILDS[::3], ids=lambda o: "-".join(map(str, o.values())))
@pytest.mark.parametrize("source", ["backend", "sampler", "result"])
def test_a_circuit_measures_the_cat(source, options):
    found = set()
    for seed in range(6):
        game = play(f"{COLLAPSE} a3,c3", level=5, size=4)
        before = branches(game.observed)
        if source == "backend":
            name = game.observe(backend="aer", seed=seed, **options)
            game.pop()
            assert name == game.observe(backend="aer", seed=seed, **options)
        elif source == "sampler":
            name = game.observe(sampler=StatevectorSampler(seed=seed), **options)
        else:
            result = game.sample(shots=50, seed=seed, **options)
            name = game.observe(result=result)
            assert name == result.first
        found.add(name)
        [(cat, hounds, _, _)] = branches(game.observed).values()
        assert (cat, hounds) == before[name][:2]
        assert str(game.pop()) == f"@{name}"
        assert branches(game.observed) == before
    assert "left" in found


def test_a_wrong_pattern_collapses_nothing():
    game = play(DUE, level=3)
    experiment = game.experiment()
    names = [register.name for register in experiment.preparation.qregs]
    right = [b for b in product((0, 1), repeat=len(names)) if experiment.decoder.read(b).accepted]
    assert len(right) == 2
    wrong = [right[0][0], *(1 - bit for bit in right[0][1:])]
    with pytest.raises(NoAcceptedShotsError) as caught:
        game.observe(sampler=FixedSampler([wrong]), self_test=False)
    assert caught.value.rejected["disagree"] == 1
    assert game == play(DUE, level=3)
    with pytest.raises(IllegalMoveError, match="2 more turns"):
        play("split:c7,e7 a1-b2 b8,f8", level=3).observe(backend="aer")


def test_a_submitted_run_is_read_back_and_measures_once(store):
    game = play(f"{COLLAPSE} a3,c3", level=5, size=4)
    job = game.submit(backend="aer", shots=300, seed=5, store=store, encoding="one-hot")
    result, again = job.result(), the_run(store).result()
    assert (again.counts, again.rejected) == (result.counts, result.rejected)
    assert again.rejected["merge"] == 300 - again.accepted > 0
    assert game.observe(job=job) == result.first
    assert str(game.history[-1]) == f"@{result.first}"
    with pytest.raises(OptionError, match="observed already"):
        play(f"{COLLAPSE} a3,c3", level=5, size=4).observe(job=job)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"encoding": "paar"}, UnknownNameError, "did you mean 'pair'"),
        ({"encoding": None}, UnknownNameError, "encoding"),
        ({"synthesis": "move"}, UnknownNameError, "did you mean 'moves'"),
        ({"elide": "no"}, OptionError, "elide is True or False, not 'no'"),
        ({"elide": 1}, OptionError, "elide is True or False"),
        ({"ancillas": "all"}, OptionError, "cat-and-hounds have no option 'ancillas'"),
        ({"encodign": "pair"}, OptionError, "did you mean 'encoding'"),
    ],
)
def test_bad_options_of_circuits_are_refused(options, error, message):
    game = play(DUE, level=3)
    for ask in (game.experiment, game.circuit, game.sample):
        with pytest.raises(error, match=message):
            ask(**options)
