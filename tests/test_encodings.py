"""The gate of every kind of move, in every encoding, does what the rules' table says.

Each compiled gate is taken out of its circuit and given the inputs that occur there, one by one.
With the ancillas projected on what they must read, the column it makes is decoded and compared with
the table typed below. Signs that a free qubit hides are compared through the overlap circuit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np
import pytest
from circuits import (
    ALL_ENCODINGS,
    ANCILLAS,
    CODES,
    DENSE,
    GOLDEN,
    Evaluation,
    assert_same_distribution,
    distance,
    golden_game,
    golden_numbers,
    move_gates,
    overlap_probability,
    pattern,
    play,
    squares_of,
    state_vector,
)

from qttt_circuits import Encoding, Game
from qttt_circuits.encodings import encoding, encodings
from qttt_circuits.errors import UnknownNameError

R = sqrt(1 / 2)
OTHER = {"X": "O", "O": "X"}
T, P = 5, 7
"""The square of the met die, and the other square of a superposition."""


@dataclass(frozen=True)
class Case:
    """One move in one position.

    Attributes:
        rules: The rule set.
        before: The moves before.
        move: The move.
        kind: The kind of move it is.
        squares: The squares that the map acts on.
        columns: What it makes of each configuration of those squares, divided by σmax.
        start: The amplitudes of the position before, by the symbols on `squares` and on `P`.
    """

    rules: str
    before: str
    move: str
    kind: str
    squares: tuple[int, ...]
    columns: dict[str, dict[str, float]]
    start: dict[tuple[str, str], float]

    @property
    def id(self) -> str:
        return f"{self.rules} {self.before} {self.move}".replace("  ", " ")

    @property
    def game(self) -> Game:
        return play(self.rules, self.before, self.move)

    @property
    def amplitudes(self) -> dict[str, float]:
        """The amplitudes after the move, by board; their squared norm is the success."""
        found: dict[str, float] = {}
        for (source, symbol_at_p), amplitude in self.start.items():
            for target, factor in self.columns[source].items():
                letters = ["E"] * 9
                letters[P - 1] = symbol_at_p
                for square, symbol in zip(self.squares, target, strict=True):
                    letters[square - 1] = symbol
                name = "".join(letters)
                found[name] = found.get(name, 0.0) + amplitude * factor
        return found

    @property
    def success(self) -> float:
        return sum(a * a for a in self.amplitudes.values())


def symbol(player: str, sign: int) -> str:
    """The mark that a die shows."""
    return player if sign > 0 else OTHER[player]


def die(square: int, sign: int) -> str:
    return f"{'-' if sign < 0 else ''}{square}"


def flipped(column: dict[str, float], swap: bool) -> dict[str, float]:
    return {(k[::-1] if swap else k): a for k, a in column.items()}


def met_table(
    rules: str, four: bool, met: str, s: int, at_t: tuple[str, int], at_e: tuple[str, int]
) -> tuple[str, dict[str, dict[str, float]]]:
    """The table "What a move does", divided by σmax, for moves that meet a die.

    Args:
        rules: The rule set.
        four: Whether the met die is a 4.
        met: The symbol of the met die.
        s: Its sign.
        at_t: Symbol and sign of the new die on its square.
        at_e: Symbol and sign of the other new die.
    """
    S, N = met, OTHER[met]  # noqa: N806 - the table's names
    cancels_t, cancels_e = at_t[0] == S, at_e[0] == S
    if not cancels_t and not cancels_e:
        n = at_t[1]
        assert n == at_e[1]
        both = {N + S: n * R, S + N: n * R}
        if four:
            return "entangling", {S + "E": both}
        return "half-entangling", {"EE": {N + "E": n * R, "E" + N: n * R}, S + "E": both}
    if cancels_t and cancels_e:
        if four:
            return "off-board", {S + "E": {"EE": 1.0}}
        return "spreading", {"EE": {"EE": 1.0}, S + "E": {S + "E": -R, "E" + S: -R}}
    n, c = (at_e[1], at_t[1]) if cancels_t else (at_t[1], at_e[1])
    if four:
        return "cancelling", {S + "E": flipped({"E" + S: R, "E" + N: s * n * R}, cancels_e)}
    if rules == "shiftflip":
        free = flipped({"E" + N: float(n)}, cancels_e)
        return "half-shiftflip", {"EE": free, S + "E": {S + S: c * R}}
    sigma = sqrt(3 - sqrt(2))
    three = {S + "E": (R - 1) / sigma, "E" + S: R / sigma, "E" + N: 1 / sigma}
    return "half-cancelling", {"EE": {"EE": 1 / sigma}, S + "E": flipped(three, cancels_e)}


def signs_of(rules: str, meets: bool, dice: int) -> list[tuple[int, ...]]:
    every = list(product((1, -1), repeat=dice))
    if rules == "shiftflip":
        return every
    if rules == "cancelling" and meets:
        return [signs for signs in every if signs.count(-1) <= 1]
    return [signs for signs in every if -1 not in signs]


def alone() -> Iterator[Case]:
    """Moves that meet no die."""
    for rules, player in product(("tiqtaqtoe", "shiftflip"), "XO"):
        for (n,) in signs_of(rules, meets=False, dice=1):
            columns = {"E": {symbol(player, n): float(n)}}
            move = f"{player}:{die(T, n)}"
            yield Case(rules, "", move, "classical", (T,), columns, {("E", "E"): 1.0})
        for (n1, n2), e in product(signs_of(rules, meets=False, dice=2), (2, 8)):
            first, second = symbol(player, n1), symbol(player, n2)
            columns = {"EE": {first + "E": n1 * R, "E" + second: n2 * R}}
            move = f"{player}:{die(T, n1)},{die(e, n2)}"
            yield Case(rules, "", move, "superposition", (T, e), columns, {("EE", "E"): 1.0})


def meeting() -> Iterator[Case]:
    """Moves that meet a die, with all symbols, signs and cancelled squares."""
    for rules, player, four in product(("tiqtaqtoe", "cancelling", "shiftflip"), "XO", (1, 0)):
        for met_signs in signs_of(rules, meets=False, dice=1 if four else 2):
            s, S = met_signs[0], symbol(player, met_signs[0])  # noqa: N806
            if four:
                before = f"{player}:{die(T, s)}"
                start = {(S + "E", "E"): float(s)}
            else:
                before = f"{player}:{die(T, s)},{die(P, met_signs[1])}"
                start = {
                    (S + "E", "E"): s * R,
                    ("EE", symbol(player, met_signs[1])): met_signs[1] * R,
                }
            for (nt, ne), e in product(signs_of(rules, meets=True, dice=2), (2, 8)):
                q = OTHER[player]
                dice = sorted([(T, nt), (e, ne)])
                move = f"{q}:{','.join(die(*d) for d in dice)}"
                kind, columns = met_table(
                    rules, bool(four), S, s, (symbol(q, nt), nt), (symbol(q, ne), ne)
                )
                yield Case(rules, before, move, kind, (T, e), columns, start)


CASES = [*alone(), *meeting()]
KINDS = sorted({case.kind for case in CASES})


def test_all_nine_kinds_of_move_are_tried_with_all_symbols_and_cancelled_squares():
    assert len(KINDS) == 9
    tried: dict[str, set[str]] = {kind: set() for kind in KINDS}
    for case in CASES:
        tried[case.kind] |= {str(column) for column in case.columns}
    for kind in KINDS:
        if kind not in ("classical", "superposition"):
            assert {"XE", "OE"} <= tried[kind]
    results = {
        kind: {frozenset(c.columns["XE"]) for c in CASES if c.kind == kind and "XE" in c.columns}
        for kind in ("cancelling", "half-cancelling")
    }
    assert results == {
        "cancelling": {frozenset({"EX", "EO"}), frozenset({"XE", "OE"})},
        "half-cancelling": {frozenset({"XE", "EX", "EO"}), frozenset({"XE", "EX", "OE"})},
    }


def bits_of(index: int, n: int) -> list[int]:
    return [index >> i & 1 for i in range(n)]


def columns_of_last_gate(case: Case, **options):
    """Returns what the last move's gate makes of each input that occurs, decoded; None if elided.

    The answer is a list of (source configuration, {target configuration: amplitudes},
    {reason: rejected probability}).
    """
    before = play(case.rules, case.before).experiment(**options)
    after = case.game.experiment(**options)
    circuit = after.preparation
    if not circuit.data or case.move not in str(circuit.data[-1].operation.label):
        return None
    gate = circuit.data[-1]
    prefix = circuit.copy()
    prefix.data.pop()
    n = circuit.num_qubits
    reached = [bits_of(i, n) for i in np.flatnonzero(np.abs(state_vector(prefix)) > 1e-9)]

    def definite(q: int) -> int:
        [value] = {bits[q] for bits in reached}
        return value

    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    on = [index[qubit] for qubit in gate.qubits]
    names = [register.name for register in circuit.qregs]
    names_before = [register.name for register in before.preparation.qregs]
    matrix = np.asarray(gate.operation)
    found = []
    start = state_vector(before.preparation)
    for i in np.flatnonzero(np.abs(start) > 1e-9):
        known = dict(zip(names_before, bits_of(i, len(names_before)), strict=True))
        reading = before.decoder.read(list(known.values()))
        assert reading.accepted
        source = "".join(reading.name[s - 1] for s in case.squares)
        bits = [0] * n
        for q in {*range(n)} - {*on}:
            bits[q] = known[names[q]] if names[q] in known else definite(q)
        entry = [
            known[wire] if wire in known else definite(q)
            for q, wire in zip(on, gate.operation.wires, strict=True)
        ]
        column = matrix[:, sum(bit << k for k, bit in enumerate(entry))]
        targets: dict[str, list[complex]] = {}
        rejected: dict[str, float] = {}
        for j in np.flatnonzero(np.abs(column) > 1e-12):
            for k, q in enumerate(on):
                bits[q] = int(j) >> k & 1
            outcome = after.decoder.read(bits)
            if not outcome.accepted:
                rejected[outcome.name] = rejected.get(outcome.name, 0) + abs(column[j]) ** 2
                continue
            for square in range(1, 10):
                if square not in case.squares:
                    assert outcome.name[square - 1] == reading.name[square - 1]
            target = "".join(outcome.name[s - 1] for s in case.squares)
            targets.setdefault(target, []).append(column[j])
        found.append((source, targets, rejected))
    return found


@pytest.mark.parametrize("elide", [True, False], ids=["elided", "whole"])
@pytest.mark.parametrize("ancillas", ANCILLAS)
@pytest.mark.parametrize("name", ALL_ENCODINGS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_gate_alone_decodes_to_the_columns_of_the_table(kind, name, ancillas, elide):
    for case in (case for case in CASES if case.kind == kind):
        found = columns_of_last_gate(case, encoding=name, ancillas=ancillas, elide=elide)
        if found is None:
            assert elide, case.id
            assert kind in ("classical", "off-board"), case.id
            continue
        assert {source for source, _, _ in found} == set(case.columns), case.id
        phases = []
        for source, targets, rejected in found:
            expected = case.columns[source]
            assert set(targets) == set(expected), case.id
            for target, amplitude in expected.items():
                weight = sum(abs(a) ** 2 for a in targets[target])
                assert weight == pytest.approx(amplitude**2, abs=1e-12), case.id
                if len(targets[target]) == 1:
                    phases.append(targets[target][0] / amplitude)
            failed = 1 - sum(a * a for a in expected.values())
            assert sum(rejected.values()) == pytest.approx(failed, abs=1e-12), case.id
            reason = "renormalise" if ancillas == "needed" else "off-board"
            assert {r for r, p in rejected.items() if p > 1e-12} <= {reason}, case.id
        # amplitudes included, where no free qubit hides them
        assert phases, case.id
        np.testing.assert_allclose(phases, 1, atol=1e-9, err_msg=case.id)


@pytest.mark.parametrize("elide", [True, False], ids=["elided", "whole"])
@pytest.mark.parametrize("ancillas", ANCILLAS)
@pytest.mark.parametrize("name", ALL_ENCODINGS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_circuit_shows_the_distribution_and_success_of_the_table(kind, name, ancillas, elide):
    for case in (case for case in CASES if case.kind == kind):
        experiment = case.game.experiment(encoding=name, ancillas=ancillas, elide=elide)
        evaluation = Evaluation(experiment)
        expected = {k: a * a / case.success for k, a in case.amplitudes.items()}
        assert_same_distribution(evaluation.distribution, expected)
        assert evaluation.acceptance == pytest.approx(case.success, abs=1e-9), case.id
        assert experiment.predicted_acceptance == pytest.approx(case.success, abs=1e-12)
        assert evaluation.largest_amplitude_error() < 1e-9, case.id


@pytest.mark.parametrize("ancillas", ANCILLAS)
@pytest.mark.parametrize("name", ALL_ENCODINGS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_overlap_circuit_sees_the_signs_of_the_table(kind, name, ancillas):
    """Every second case, since an independent preparation takes its time to build."""
    for case in [case for case in CASES if case.kind == kind][::2]:
        experiment = case.game.experiment(encoding=name, ancillas=ancillas)
        assert overlap_probability(experiment) == pytest.approx(case.success, abs=1e-9), case.id
        claimed = overlap_probability(experiment, case.amplitudes)
        assert claimed == pytest.approx(case.success, abs=1e-9), case.id


@pytest.mark.parametrize("name", ALL_ENCODINGS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_overlap_circuit_sees_every_wrong_sign(kind, name):
    """One amplitude of the claim has its sign turned: the overlap falls by what theory says."""
    for case in [case for case in CASES if case.kind == kind][::4]:
        amplitudes = case.amplitudes
        if len(amplitudes) == 1:
            continue  # its sign is a global phase
        experiment = case.game.experiment(encoding=name)
        for wrong, amplitude in amplitudes.items():
            claimed = {**amplitudes, wrong: -amplitude}
            found = overlap_probability(experiment, claimed)
            fidelity = (1 - 2 * amplitude**2 / case.success) ** 2
            assert found == pytest.approx(case.success * fidelity, abs=1e-9), case.id


@pytest.mark.parametrize("name", ALL_ENCODINGS)
@pytest.mark.parametrize("kind", KINDS)
def test_with_all_ancillas_no_branch_loses_a_piece_or_makes_one_from_nothing(kind, name):
    """In every branch, failed ones included, the pieces on and off the board are the moves."""
    for case in (case for case in CASES if case.kind == kind):
        circuit = case.game.experiment(encoding=name, ancillas="all", elide=False).preparation
        where = squares_of(circuit)
        moves = len(case.game.history)
        assert where.count(None) == moves
        vector = state_vector(circuit)
        for index in np.flatnonzero(np.abs(vector) > 1e-9):
            bits = bits_of(int(index), circuit.num_qubits)
            pieces = sum(bit for bit, square in zip(bits, where, strict=True) if square is None)
            for square in {*where} - {None}:
                code = tuple(b for b, s in zip(bits, where, strict=True) if s == square)
                [letter] = [k for k, codes in CODES[name].items() if code in codes]
                assert letter is not None, case.id
                pieces += letter != "E"
            assert pieces == moves, case.id


def failed_branches(case: Case, name: str) -> set[tuple[str, str, int]]:
    """Returns what rejected inputs become: their source, the board, and the move's ancilla."""
    circuit = case.game.experiment(encoding=name, ancillas="all", elide=False).preparation
    where = squares_of(circuit)
    predicted = {"half-cancelling": 1, "half-shiftflip": 0}[case.kind]
    vector = state_vector(circuit)
    found = set()
    for index in np.flatnonzero(np.abs(vector) > 1e-9):
        bits = bits_of(int(index), circuit.num_qubits)
        letters = ["E"] * 9
        for square in {*where} - {None}:
            code = tuple(b for b, s in zip(bits, where, strict=True) if s == square)
            [letters[square - 1]] = [k for k, codes in CODES[name].items() if code in codes]
        if bits[-1] != predicted:
            source = "SE" if letters[P - 1] == "E" else "EE"
            found.add((source, "".join(letters[s - 1] for s in case.squares), bits[-1]))
    return found


@pytest.mark.parametrize("name", ALL_ENCODINGS)
def test_a_failed_half_cancelling_move_puts_its_own_piece_on_the_board(name):
    """The failed part of |EE⟩ becomes N on e, and the ancilla reads 0."""
    for case in (case for case in CASES if case.kind == "half-cancelling"):
        met = next(column[0] for column in case.columns if column != "EE")
        assert failed_branches(case, name) == {("EE", "E" + OTHER[met], 0)}


@pytest.mark.parametrize("name", ALL_ENCODINGS)
def test_a_failed_half_shiftflip_keeps_its_piece_off_the_board(name):
    """The failed part of |SE⟩ holds one piece as before, and the ancilla reads 1."""
    for case in (case for case in CASES if case.kind == "half-shiftflip"):
        [(source, configuration, bit)] = failed_branches(case, name)
        assert (source, bit) == ("SE", 1)
        assert configuration.count("E") == 1


# --- what an encoding says of itself


def test_the_encodings_are_found_by_name():
    assert set(ALL_ENCODINGS) <= set(encodings())
    for name in ALL_ENCODINGS:
        assert encoding(name) is encodings()[name]
        assert isinstance(encoding(name), Encoding)


@pytest.mark.parametrize(("wrong", "near"), [("spni", "spin"), ("pairs", "pair"), ("SPIN", "spin")])
def test_an_unknown_encoding_is_refused_with_the_nearest_name(wrong, near):
    with pytest.raises(UnknownNameError, match=f"did you mean '{near}'"):
        play("tiqtaqtoe", "1").experiment(encoding=wrong)


def test_an_unknown_ancilla_mode_is_refused():
    with pytest.raises(UnknownNameError, match="unknown ancilla mode 'al'; did you mean 'all'"):
        play("tiqtaqtoe", "1").experiment(ancillas="al")


@pytest.mark.parametrize("name", ALL_ENCODINGS)
def test_every_code_decodes_to_its_symbol_and_every_other_to_none(name):
    for letter, codes in CODES[name].items():
        for code in codes:
            assert encoding(name).decode(code) == letter
    assert sorted(code for codes in CODES[name].values() for code in codes) == list(
        product((0, 1), repeat=len(encoding(name).bits))
    )


@pytest.mark.parametrize("name", ALL_ENCODINGS)
def test_the_wires_of_a_square_are_named_for_it(name):
    bits = encoding(name).bits
    assert encoding(name).wires(8) == tuple(f"sq8_{bit}" for bit in bits)
    assert encoding(name).empty == CODES[name]["E"][0]


# --- golden positions


def golden(most_qubits: int = 99) -> list:
    """Returns golden positions and encodings whose circuits have no more qubits."""
    found = []
    for entry, name in product(GOLDEN, ALL_ENCODINGS):
        qubits = golden_game(entry).circuit(encoding=name).num_qubits
        if qubits <= most_qubits:
            marks = f"{name}-{entry['rules']} {' '.join(entry['moves'])}"
            found.append(pytest.param(entry, name, id=marks))
    return found


def test_most_golden_positions_are_small_enough_for_one_vector():
    assert len(golden(most_qubits=DENSE)) > 0.75 * len(golden())


@pytest.mark.parametrize(("entry", "name"), golden())
def test_golden_positions_come_out_of_the_circuit(entry, name):
    game = golden_game(entry)
    expected = golden_numbers(entry, "probabilities")
    for ancillas, elide in product(ANCILLAS, (True, False)):
        experiment = game.experiment(encoding=name, ancillas=ancillas, elide=elide)
        evaluation = Evaluation(experiment)
        assert_same_distribution(evaluation.distribution, expected)
        # golden successes are written with twelve digits
        assert evaluation.acceptance == pytest.approx(entry["success"], abs=1e-9)
        assert evaluation.largest_amplitude_error() < 1e-9


@pytest.mark.parametrize(("entry", "name"), golden(most_qubits=DENSE))
def test_golden_amplitudes_come_out_of_the_circuit_with_their_signs(entry, name):
    """As one vector of all qubits, against the golden file's amplitudes."""
    experiment = golden_game(entry).experiment(encoding=name)
    circuit, decoder = experiment.preparation, experiment.decoder
    ancillas = {a.clbit: a.predicted for a in decoder.ancillas}
    board_qubits = circuit.num_qubits - len(ancillas)
    accepted = sum(bit << q for q, bit in ancillas.items())
    projected = state_vector(circuit)[accepted : accepted + 2**board_qubits]
    assert np.sum(np.abs(projected) ** 2) == pytest.approx(entry["success"], abs=1e-9)
    factor = decoder.state(golden_numbers(entry, "amplitudes"))
    if factor is None:
        assert board_qubits == 0
        return
    assert factor.qubits == tuple(range(board_qubits))
    normalised = projected / np.linalg.norm(projected)
    assert distance(normalised, factor.vector) < 1e-9


# an independent preparation of more qubits takes long, and loses digits
@pytest.mark.parametrize(("entry", "name"), golden(most_qubits=8))
def test_the_overlap_with_golden_amplitudes_is_the_success(entry, name):
    experiment = golden_game(entry).experiment(encoding=name)
    found = overlap_probability(experiment, golden_numbers(entry, "amplitudes"))
    assert found == pytest.approx(entry["success"], abs=1e-9)


# --- what a circuit looks like


@pytest.mark.parametrize("name", ALL_ENCODINGS)
def test_a_position_without_superposition_has_no_qubit(name):
    experiment = play("shiftflip", "1 -1,-2 -5").experiment(encoding=name)
    assert experiment.circuit.num_qubits == 0
    assert experiment.factors == ()
    assert experiment.decoder.read([]) == (True, "EEEEOEEEE")


@pytest.mark.parametrize("name", ALL_ENCODINGS)
def test_whole_squares_are_kept_where_nothing_is_elided(name):
    circuit = play("cancelling", "5 1,2 -2,3").circuit(encoding=name, elide=False, measure=False)
    names = [register.name for register in circuit.qregs]
    expected = [f"sq{s}_{bit}" for s in (1, 2, 3, 5) for bit in encoding(name).bits]
    assert names == [*expected, "fail3"]


@pytest.mark.parametrize("name", ALL_ENCODINGS)
def test_nine_squares_and_nine_moves_are_nine_qutrits_and_nine_ancillas(name):
    moves = "1 2 3 4 5 6 7 8 9"
    experiment = play("tiqtaqtoe", moves).experiment(encoding=name, ancillas="all", elide=False)
    assert experiment.circuit.num_qubits == 9 * len(encoding(name).bits) + 9
    assert_same_distribution(Evaluation(experiment).distribution, {"XOXOXOXOX": 1.0})


@pytest.mark.parametrize("name", ALL_ENCODINGS)
def test_the_numbers_of_ancillas_start_again_after_an_observation(name):
    moves = "1,2 2,3 4 5 6 7 8,9 @EOXXOXOXE"
    game = play("cancelling", moves)
    assert game.circuit(encoding=name, ancillas="all").num_qubits == 0
    game.push("1,9")
    names = [r.name for r in game.circuit(encoding=name, ancillas="all", measure=False).qregs]
    assert [n for n in names if n.startswith("off")] == ["off1"]


@pytest.mark.parametrize("name", ALL_ENCODINGS)
def test_predicted_ancillas_are_those_of_the_rules(name):
    """1: the piece is off the board. Moves in order: the ancilla that each should read."""
    for moves, predicted in (
        ("1 1,-2 3 3,4", [0, 1, 0, 0]),
        ("1,2 -2,3", [0, 0]),
        ("1,2 -2,-3", [0, 1]),
        ("1 -1,-2 3", [1, 1, 0]),
        ("5 -5,-2 1 -1,-3", [1, 1, 1, 1]),
    ):
        game = play("shiftflip", moves)
        experiment = game.experiment(encoding=name, ancillas="all")
        names = [register.name for register in experiment.preparation.qregs]
        found = {names[a.clbit]: a.predicted for a in experiment.decoder.ancillas}
        assert found == {f"off{k}": bit for k, bit in enumerate(predicted, 1)}
    half = play("cancelling", "1,2 -2,3").experiment(encoding=name, ancillas="all")
    assert [a.predicted for a in half.decoder.ancillas] == [0, 1]


@pytest.mark.parametrize("name", ALL_ENCODINGS)
def test_an_elided_move_leaves_no_gate_and_a_whole_one_leaves_one_box(name):
    game = play("shiftflip", "1 -1,-2 5,6")
    elided = move_gates(game.circuit(encoding=name))
    assert [gate.operation.label for gate in elided] == ["superposition 5,6"]
    whole = move_gates(game.circuit(encoding=name, elide=False))
    assert [gate.operation.label for gate in whole] == [
        "classical 1",
        "off-board -1,-2",
        "superposition 5,6",
    ]


def test_the_free_spin_of_an_empty_square_is_not_read():
    experiment = play("tiqtaqtoe", "1,2").experiment(encoding="spin", elide=False)
    for ones in (("sq1_occ",), ("sq1_occ", "sq2_spin")):
        assert experiment.decoder.read(pattern(experiment, *ones)) == (True, "XEEEEEEEE")
