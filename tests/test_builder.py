"""Every operation of the builder does what its matrix says, for all that may be known of its wires.

A wire is tried in seven states: unknown, or known to be 0 or 1 without a qubit, with one, and with
one whose gates must be emitted. The reference is a numpy matrix on the logical wires; the builder's
circuit is run on every input that what is known allows, and its outcome is read through the names
that wires have afterwards and the constants that it claims.
"""

from itertools import product
from math import cos, pi, sin

import numpy as np
import pytest
from circuits import apply, standard_gates, state_vector
from qiskit.quantum_info import Operator

from qttt_circuits.builder import Builder, Wire

UNKNOWN = Wire(None, held=True)
CONSTANT = [Wire(value) for value in (0, 1)]
HELD = [Wire(value, held=True) for value in (0, 1)]
KEPT = [Wire(value, held=True, kept=True) for value in (0, 1)]
KNOWN = [*CONSTANT, *HELD, *KEPT]
ANY = [UNKNOWN, *KNOWN]

ANGLES = (0.0, 0.3, -1.1, pi / 4, 2.5)

X = np.array([[0, 1], [1, 0]])
Z = np.diag([1, -1])
EYE = np.eye(2)


def wire_id(wire):
    if wire.value is None:
        return "unknown"
    return f"{wire.value}{'kept' if wire.kept else 'held' if wire.held else ''}"


def rotation(angle):
    """Turns |0⟩ into cos|0⟩ + sin|1⟩ and |1⟩ into cos|1⟩ − sin|0⟩."""
    return np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])


def tilting(angle, value):
    """Turns |value⟩ into cos|value⟩ + sin|not value⟩."""
    return rotation(angle if value == 0 else -angle)


def on_wires(matrices):
    """Returns the product of a matrix a wire, the first wire least significant."""
    product_ = np.ones((1, 1))
    for matrix in matrices:
        product_ = np.kron(matrix, product_)
    return product_


def choosing(branches):
    """Returns a matrix of branches; each is its controls' values and a matrix on the last wire."""
    total = 0
    for values, matrix in branches:
        projectors = [np.diag([1 - value, value]) for value in values]
        total = total + on_wires([*projectors, matrix])
    return total


def inputs(wires):
    """Returns all values of the wires that what is known allows."""
    return list(product(*((0, 1) if w.value is None else (w.value,) for w in wires.values())))


def outcome(builder, wires, values):
    """Returns the logical state, wires in their order, and the largest weight that a claim misses.

    Args:
        builder: After its operations.
        wires: The wires it started with.
        values: The values they had.
    """
    start = sum(values[list(wires).index(name)] << i for i, name in enumerate(builder.inputs))
    vector = state_vector(builder.circuit, start) * np.exp(1j * builder.circuit.global_phase)
    positions = builder.positions()
    state = np.zeros(2 ** len(wires), dtype=complex)
    missed = 0.0
    for index in range(vector.size):
        place = 0
        for i, name in enumerate(wires):
            known = builder.wire(name).value
            if name in positions:
                bit = index >> positions[name] & 1
                if known is not None and bit != known:
                    missed = max(missed, abs(vector[index]))
            else:
                assert known is not None
                bit = known
            place |= bit << i
        state[place] += vector[index]
    return state, missed


def check(wires, operation, matrix):
    """Checks an operation against a matrix; returns the builder."""
    builder = Builder(wires)
    operation(builder)
    for values in inputs(wires):
        found, missed = outcome(builder, wires, values)
        column = matrix[:, sum(value << i for i, value in enumerate(values))]
        np.testing.assert_allclose(found, column, atol=1e-12)
        assert missed < 1e-12
    return builder


def cost(builder):
    sizes = [len(on) for _, on in standard_gates(builder.circuit)]
    assert set(sizes) <= {1, 2}
    return sizes.count(2)


def folds(wire):
    """Whether gates that this wire controls need no qubit."""
    return wire.value is not None and not wire.kept


# --- one wire


@pytest.mark.parametrize("a", ANY, ids=wire_id)
def test_x_flips_and_emits_nothing_on_a_wire_without_a_qubit(a):
    builder = check({"a": a}, lambda b: b.x("a"), X)
    assert len(builder.circuit.data) == int(a.held)
    assert builder.wire("a").value == (None if a.value is None else 1 - a.value)


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("a", KNOWN, ids=wire_id)
def test_put_sets_a_known_wire(a, value):
    builder = check({"a": a}, lambda b: b.put("a", value), X if value != a.value else EYE)
    assert builder.wire("a").value == value
    assert len(builder.circuit.data) == int(a.held and value != a.value)


@pytest.mark.parametrize("a", ANY, ids=wire_id)
def test_z_signs_the_one_and_folds_to_a_phase(a):
    builder = check({"a": a}, lambda b: b.z("a"), Z)
    assert len(builder.circuit.data) == int(a.value is None)


def test_negate_signs_everything_and_emits_nothing():
    builder = check({"a": UNKNOWN, "b": Wire(1)}, lambda b: b.negate(), -np.eye(4))
    assert not builder.circuit.data


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("a", KNOWN, ids=wire_id)
def test_tilt_turns_a_known_value_towards_its_opposite(a, angle):
    builder = check({"a": a}, lambda b: b.tilt("a", angle), tilting(angle, a.value))
    assert builder.wire("a").value is None
    assert builder.wire("a").held
    assert cost(builder) == 0


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("a", KNOWN, ids=wire_id)
def test_tilts_of_a_wire_that_is_unknown_again_are_refused(a, angle):
    builder = Builder({"a": a})
    builder.tilt("a", angle)
    with pytest.raises(ValueError, match="wire a is not known"):
        builder.tilt("a", angle)
    with pytest.raises(ValueError, match="wire a is not known"):
        builder.put("a", 0)


# --- two wires


@pytest.mark.parametrize("on", [0, 1])
@pytest.mark.parametrize("t", ANY, ids=wire_id)
@pytest.mark.parametrize("c", ANY, ids=wire_id)
def test_cx_flips_its_target_where_the_control_reads_on(c, t, on):
    matrix = choosing([((on,), X), ((1 - on,), EYE)])
    builder = check({"c": c, "t": t}, lambda b: b.cx("c", "t", on=on), matrix)
    folded = c.value is not None and not (c.kept or t.kept)
    assert cost(builder) == int(not folded)
    if c.value is not None and t.value is not None:
        assert builder.wire("t").value == (1 - t.value if c.value == on else t.value)
    else:
        assert builder.wire("t").value is None
    assert builder.wire("c").value == c.value


@pytest.mark.parametrize("t", [*CONSTANT, *HELD, UNKNOWN], ids=wire_id)
@pytest.mark.parametrize("c", [*CONSTANT, *HELD], ids=wire_id)
def test_a_folded_cx_allocates_no_qubit(c, t):
    builder = Builder({"c": c, "t": t})
    builder.cx("c", "t")
    assert builder.fresh == []
    assert all(gate.operation.name == "x" for gate in builder.circuit.data)
    assert len(builder.circuit.data) == int(bool(c.value) and t.held)


@pytest.mark.parametrize("t", KNOWN, ids=wire_id)
@pytest.mark.parametrize("c", ANY, ids=wire_id)
def test_turn_tilts_its_target_by_the_angle_that_the_control_selects(c, t):
    for zero, one in product((0.0, 0.4, -1.3), (0.0, 0.9, -2.2)):
        matrix = choosing([((0,), tilting(zero, t.value)), ((1,), tilting(one, t.value))])
        builder = check({"c": c, "t": t}, lambda b, z=zero, o=one: b.turn("c", "t", z, o), matrix)
        assert cost(builder) == int(not folds(c))
        if folds(c) and not (one if c.value else zero):
            assert not builder.circuit.data
            assert builder.wire("t") == t


@pytest.mark.parametrize("b_", ANY, ids=wire_id)
@pytest.mark.parametrize("a", ANY, ids=wire_id)
def test_both_flips_its_target_where_both_controls_read_their_values(a, b_):
    for t, on_a, on_b in product(KNOWN, (0, 1), (0, 1)):
        branches = [(v, X if v == (on_a, on_b) else EYE) for v in product((0, 1), repeat=2)]
        wires = {"a": a, "b": b_, "t": t}
        builder = check(
            wires, lambda b, x=on_a, y=on_b: b.both(("a", x), ("b", y), "t"), choosing(branches)
        )
        dead = (folds(a) and a.value != on_a) or (folds(b_) and b_.value != on_b)
        if not folds(a) and not folds(b_):
            assert cost(builder) == 3
        elif t.kept:
            assert cost(builder) <= 1
        elif dead:
            assert not builder.circuit.data
            assert builder.wires() == wires
        else:
            assert cost(builder) == int(not (folds(a) and folds(b_)))


@pytest.mark.parametrize(
    "refused",
    [
        lambda b: b.both(("a", 1), ("b", 1), "t"),
        lambda b: b.turn("a", "t", 0.1, 0.2),
        lambda b: b.transfer("a", "t", 0.6, 0.8),
        lambda b: b.tilt("t", 0.1),
        lambda b: b.put("t", 1),
    ],
    ids=["both", "turn", "transfer", "tilt", "put"],
)
def test_operations_on_an_unknown_target_are_refused(refused):
    builder = Builder(dict.fromkeys("abt", UNKNOWN))
    with pytest.raises(ValueError, match="wire t is not known to be in a basis state"):
        refused(builder)
    assert not builder.circuit.data


@pytest.mark.parametrize(
    ("stay", "move"), [(0.6, 0.8), (0.6, -0.8), (-0.6, 0.8), (-0.6, -0.8), (3.0, 4.0), (1.0, 0.0)]
)
@pytest.mark.parametrize("t", [w for w in KNOWN if w.value == 0], ids=wire_id)
@pytest.mark.parametrize("s", ANY, ids=wire_id)
def test_transfer_moves_part_of_an_excitation_with_its_sign(s, t, stay, move):
    length = np.hypot(stay, move)
    column = np.zeros(4)
    column[0b01], column[0b10] = stay / length, move / length
    wires = {"s": s, "t": t}
    builder = Builder(wires)
    builder.transfer("s", "t", stay, move)
    for values in inputs(wires):
        found, missed = outcome(builder, wires, values)
        expected = column if values[0] else np.eye(4)[0]
        np.testing.assert_allclose(found, expected, atol=1e-12)
        assert missed < 1e-12
    if s == UNKNOWN:
        assert cost(builder) == 2
    elif folds(s) and s.value == 0 and not t.kept:
        assert cost(builder) == 0
        assert builder.fresh == []
    elif folds(s) and move:
        assert cost(builder) == 1


@pytest.mark.parametrize("b_", ANY, ids=wire_id)
@pytest.mark.parametrize("a", ANY, ids=wire_id)
def test_swapping_names_swaps_what_wires_hold_without_a_gate(a, b_):
    swap = np.eye(4)[[0, 2, 1, 3]]
    builder = check({"a": a, "b": b_}, lambda b: b.swap_names("a", "b"), swap)
    assert not builder.circuit.data
    assert (builder.wire("a"), builder.wire("b")) == (b_, a)
    assert set(builder.positions()) == {n for n, w in (("a", b_), ("b", a)) if w.held}


@pytest.mark.parametrize("b_", KNOWN, ids=wire_id)
@pytest.mark.parametrize("a", KNOWN, ids=wire_id)
def test_gates_after_a_swap_act_on_what_the_names_hold_then(a, b_):
    def operation(b):
        b.swap_names("a", "b")
        b.tilt("a", 0.7)
        b.swap_names("a", "b")

    check({"a": a, "b": b_}, operation, on_wires([EYE, tilting(0.7, b_.value)]))


def test_a_name_whose_qubit_was_swapped_away_can_get_another():
    wires = {"a": Wire(1, held=True), "b": Wire(0)}

    def operation(b):
        b.swap_names("a", "b")
        b.tilt("a", 0.2)
        b.cx("a", "b")

    matrix = choosing([((1,), X), ((0,), EYE)])
    swap = np.eye(4)[[0, 2, 1, 3]]
    builder = check(wires, operation, matrix @ on_wires([tilting(0.2, 0), EYE]) @ swap)
    assert builder.inputs == ["a"]
    assert builder.fresh == ["a"]
    assert builder.positions() == {"b": 0, "a": 1}


# --- pieces


@pytest.mark.parametrize("w", [Wire(0), Wire(0, held=True)], ids=wire_id)
def test_a_piece_comes_out_of_nothing_where_pieces_are_not_conserved(w):
    builder = check({"w": w}, lambda b: b.bring("w"), X)
    assert not builder.conserving
    assert cost(builder) == 0
    assert builder.wire("w").value == 1


@pytest.mark.parametrize("w", [Wire(0), Wire(0, held=True)], ids=wire_id)
def test_a_conserved_piece_comes_from_its_ancilla_for_two_gates(w):
    builder = Builder({"w": w, "off1": Wire(1, held=True, kept=True)}, off="off1")
    builder.bring("w")
    assert builder.conserving
    assert cost(builder) == 2
    assert (builder.wire("w").value, builder.wire("off1").value) == (1, 0)
    positions = builder.positions()
    vector = state_vector(builder.circuit, 1 << builder.inputs.index("off1"))
    assert abs(vector[1 << positions["w"]]) == pytest.approx(1)


def test_what_an_ancilla_no_longer_holds_it_cannot_bring():
    builder = Builder({"w": Wire(0), "off1": Wire(0, held=True, kept=True)}, off="off1")
    builder.bring("w")
    assert (builder.wire("w").value, builder.wire("off1").value) == (0, 0)
    assert cost(builder) == 2


@pytest.mark.parametrize("w", [Wire(1), Wire(1, held=True)], ids=wire_id)
def test_a_removed_piece_vanishes_where_pieces_are_not_conserved(w):
    builder = check({"w": w}, lambda b: b.remove("w"), X)
    assert cost(builder) == 0
    assert builder.wire("w").value == 0


@pytest.mark.parametrize("w", [Wire(1), Wire(1, held=True)], ids=wire_id)
def test_a_removed_piece_goes_home_where_pieces_are_conserved(w):
    wires = {
        "w": w,
        "off2": Wire(1, held=True, kept=True),
        "off1": Wire(0, held=True, kept=True),
    }
    builder = Builder(wires, off="off2", home="off1")
    builder.remove("w")
    assert {name: wire.value for name, wire in builder.wires().items()} == {
        "w": 0, "off2": 1, "off1": 1,
    }  # fmt: skip
    for values in inputs(wires):
        state, missed = outcome(builder, wires, values)
        assert missed < 1e-12
        assert abs(state[0b110]) == pytest.approx(1)


# --- what is noted


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("angle", ANGLES)
def test_the_idle_angle_is_that_of_the_tilted_value(value, angle):
    builder = Builder({"w": Wire(value)})
    builder.tilt("w", angle)
    builder.leave_idle("w", value, angle)
    idle = builder.idle["w"]
    np.testing.assert_allclose(state_vector(builder.circuit), [cos(idle), sin(idle)], atol=1e-12)


def test_a_wire_that_the_caller_knows_folds_gates_again():
    builder = Builder({"a": UNKNOWN, "b": UNKNOWN, "t": Wire(0)})
    builder.know("a", 1)
    builder.cx("a", "t")
    assert not builder.circuit.data
    assert builder.wire("t").value == 1


@pytest.mark.parametrize("seed", range(60))
def test_any_sequence_of_operations_is_the_product_of_their_matrices(seed):
    rng = np.random.default_rng(seed)
    names = ["a", "b", "c", "d"]
    wires = {name: ANY[rng.integers(len(ANY))] for name in names}
    builder = Builder(wires)
    total = np.eye(16)
    for _ in range(12):
        known = [n for n in names if builder.wire(n).value is not None]
        one, two, three = (str(n) for n in rng.permutation(names)[:3])
        kind = rng.choice(["x", "z", "cx", "swap", "tilt", "turn", "both"])
        angle, other = rng.uniform(-3, 3, 2)
        if kind in ("tilt", "turn", "both"):
            if not known:
                continue
            three = str(rng.choice(known))
            one, two = (str(n) for n in rng.permutation([n for n in names if n != three])[:2])
        value = builder.wire(three).value
        if kind == "x":
            builder.x(one)
            step = _embed(X, [one], names)
        elif kind == "z":
            builder.z(one)
            step = _embed(Z, [one], names)
        elif kind == "cx":
            on = int(rng.integers(2))
            builder.cx(one, two, on=on)
            step = _embed(choosing([((on,), X), ((1 - on,), EYE)]), [one, two], names)
        elif kind == "swap":
            builder.swap_names(one, two)
            step = _embed(np.eye(4)[[0, 2, 1, 3]], [one, two], names)
        elif kind == "tilt":
            builder.tilt(three, angle)
            step = _embed(tilting(angle, value), [three], names)
        elif kind == "turn":
            builder.turn(one, three, angle, other)
            branches = [((0,), tilting(angle, value)), ((1,), tilting(other, value))]
            step = _embed(choosing(branches), [one, three], names)
        else:
            ons = tuple(int(v) for v in rng.integers(2, size=2))
            builder.both((one, ons[0]), (two, ons[1]), three)
            branches = [(v, X if v == ons else EYE) for v in product((0, 1), repeat=2)]
            step = _embed(choosing(branches), [one, two, three], names)
        total = step @ total
    for values in inputs(wires):
        found, missed = outcome(builder, wires, values)
        column = total[:, sum(v << i for i, v in enumerate(values))]
        np.testing.assert_allclose(found, column, atol=1e-10)
        assert missed < 1e-10


def _embed(matrix, on, names):
    places = [names.index(name) for name in on]
    return np.array([apply(matrix, places, column) for column in np.eye(16, dtype=complex)]).T


def test_the_circuit_agrees_with_qiskits_own_matrix_of_it():
    builder = Builder({"a": UNKNOWN, "b": UNKNOWN, "t": Wire(1)})
    builder.both(("a", 1), ("b", 0), "t")
    matrix = Operator(builder.circuit).data
    for column in range(8):
        np.testing.assert_allclose(
            state_vector(builder.circuit, column), matrix[:, column], atol=1e-12
        )
