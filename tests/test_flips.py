"""Bit flips before measurement: what each encoding and ancilla mode detects."""

import pytest
from circuits import ALL_ENCODINGS, ANCILLAS, play

from qttt_circuits.errors import OptionError
from qttt_circuits.flips import flips

POSITIONS = {
    "half-entangling": ("tiqtaqtoe", "1,2", "2,3"),
    "half-cancelling": ("cancelling", "1,2", "-2,3"),
    "half-shiftflip": ("shiftflip", "1,2", "-2,3"),
    "spreading": ("shiftflip", "1,2", "-2,-3"),
}


def experiment(position, **options):
    return play(*POSITIONS[position]).experiment(**options)


def detected(position, **options):
    """Returns the mean over the qubits of the fraction that is detected."""
    found = flips(experiment(position, **options))
    return sum(flip.detected for flip in found) / len(found)


@pytest.mark.parametrize("ancillas", ANCILLAS)
@pytest.mark.parametrize("name", ALL_ENCODINGS)
@pytest.mark.parametrize("position", POSITIONS)
def test_every_flip_is_detected_or_leaves_a_legal_board(position, name, ancillas):
    found = experiment(position, encoding=name, ancillas=ancillas)
    rows = flips(found)
    assert [row.qubit for row in rows] == [r.name for r in found.circuit.qregs]
    for row in rows:
        assert row.detected + row.same + row.other == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("ancillas", ANCILLAS)
@pytest.mark.parametrize("position", POSITIONS)
def test_one_hot_and_pair_detect_every_flip(position, ancillas):
    # one-hot: any flip changes the weight of a square; pair: any changes the number of pieces
    for name in ("one-hot", "pair"):
        assert detected(position, encoding=name, ancillas=ancillas) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("position", POSITIONS)
def test_one_hot_detects_by_its_codes_alone_what_others_do_not(position):
    rates = {name: detected(position, encoding=name, check_pieces=False) for name in ALL_ENCODINGS}
    assert rates["one-hot"] == pytest.approx(1, abs=1e-12)
    assert max(rate for name, rate in rates.items() if name != "one-hot") < 1


@pytest.mark.parametrize("name", ["spin", "gray"])
@pytest.mark.parametrize("position", POSITIONS)
def test_an_ancilla_for_every_move_detects_more(position, name):
    few, many = (detected(position, encoding=name, ancillas=mode) for mode in ANCILLAS)
    assert many >= few - 1e-12
    few, many = (
        detected(position, encoding=name, ancillas=mode, check_pieces=False) for mode in ANCILLAS
    )
    assert many > few


def test_a_flip_of_the_spin_of_a_piece_shows_the_other_symbol():
    # squares 2 and 3 hold X and O, or one of them and nothing: worked out by hand
    rows = {row.qubit: row for row in flips(experiment("half-entangling", encoding="spin"))}
    for spin in ("sq2_spin", "sq3_spin"):
        assert rows[spin].detected == pytest.approx(0, abs=1e-12)
        assert rows[spin].same == pytest.approx(1 / 4)  # the square is empty in one board of four
        assert rows[spin].other == pytest.approx(3 / 4)
    for occupation in ("sq1_occ", "sq2_occ", "sq3_occ"):
        assert rows[occupation].detected == pytest.approx(1)


def test_a_flip_of_the_failure_qubit_admits_what_failed():
    [row] = [r for r in flips(experiment("half-shiftflip")) if r.qubit == "fail2"]
    assert row.detected == pytest.approx(1)
    assert row.admitted == pytest.approx(1 / 4)


def test_too_many_qubits_are_refused():
    game = play("tiqtaqtoe", "1,2", "2,3", "4,5", "5,6", "7,8", "8,9")
    with pytest.raises(OptionError, match="qubits are more than"):
        flips(game.experiment(encoding="one-hot", ancillas="all", elide=False))
