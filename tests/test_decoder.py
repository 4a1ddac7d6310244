"""Bits become boards or named rejections: the first reason that applies, and never the answer."""

import numpy as np
import pytest
from circuits import (
    ALL_ENCODINGS,
    ANCILLAS,
    ENCODINGS,
    RULES,
    Evaluation,
    board,
    pattern,
    pattern_of,
    play,
    random_game,
    text,
)

REASONS = ["invalid-code", "renormalise", "off-board", "pieces"]


def read(experiment, *ones):
    """Returns the board or reason of the shot in which the named qubits read 1."""
    return experiment.decoder.read(pattern(experiment, *ones))


# --- bit order, worked out by hand


def test_clbit_0_is_the_rightmost_character():
    """X on 1 or 2, whole squares: clbits sq1_x, sq1_o, sq2_x, sq2_o."""
    experiment = play("tiqtaqtoe", "1,2").experiment(encoding="pair", elide=False)
    assert experiment.decode({"0001": 1}).counts == {"XEEEEEEEE": 1}
    assert experiment.decode({"0010": 1}).counts == {"OEEEEEEEE": 1}
    assert experiment.decode({"0100": 1}).counts == {"EXEEEEEEE": 1}
    assert experiment.decode({"1000": 1}).counts == {"EOEEEEEEE": 1}


def test_the_ancillas_are_the_leftmost_register():
    """X on 1 or 2, then half-cancelled: clbits of three squares (obs), then fail2 (anc)."""
    experiment = play("cancelling", "1,2 -2,3").experiment(encoding="pair", elide=False)
    found = experiment.decode({"0 100000": 2, "0 000001": 3, "0 010000": 5, "1 000001": 7})
    assert found.counts == {"EEOEEEEEE": 2, "XEEEEEEEE": 3, "EEXEEEEEE": 5}
    assert found.rejected == {"invalid-code": 0, "renormalise": 7, "off-board": 0, "pieces": 0}


def test_an_asymmetric_position_reads_the_same_in_spin():
    """X on 4, O on 6 or 7: clbits occ and spin of squares 4, 6, 7, by hand."""
    experiment = play("tiqtaqtoe", "4 6,7").experiment(encoding="spin", elide=False)
    names = [register.name for register in experiment.preparation.qregs]
    assert names == ["sq4_occ", "sq4_spin", "sq6_occ", "sq6_spin", "sq7_occ", "sq7_spin"]
    assert experiment.decode({"001101": 1}).counts == {"EEEXEOEEE": 1}
    assert experiment.decode({"110001": 1}).counts == {"EEEXEEOEE": 1}
    # the spins of empty squares are free
    assert experiment.decode({"111001": 1}).counts == {"EEEXEEOEE": 1}
    assert experiment.decode({"010001": 1}).counts == {"EEEXEEXEE": 1}


# --- the reasons


def test_every_reason_is_counted_even_if_it_never_applies():
    for ancillas in ANCILLAS:
        experiment = play("tiqtaqtoe", "1,2").experiment(ancillas=ancillas)
        assert list(experiment.decode({}).rejected) == REASONS
        assert list(experiment.decoder.reasons) == REASONS


def test_a_code_without_a_symbol_is_rejected_as_invalid():
    experiment = play("tiqtaqtoe", "1,2").experiment(encoding="pair", elide=False)
    assert read(experiment, "sq1_x", "sq1_o") == (False, "invalid-code")
    assert read(experiment, "sq1_x", "sq2_x", "sq2_o") == (False, "invalid-code")


def test_an_elided_qubit_still_makes_a_code_invalid():
    """After O entangles with X on 1, the square of X on 1,2 that is met can hold both."""
    experiment = play("tiqtaqtoe", "1,2 2,3").experiment(encoding="pair")
    assert read(experiment, "sq2_x", "sq2_o", "sq1_x") == (False, "invalid-code")


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_failed_branch_is_rejected_as_renormalise(name):
    experiment = play("shiftflip", "1,2 -2,3").experiment(encoding=name, elide=False)
    for letters in ("XEO", "EXX", "XEE", "EEE"):
        bits = pattern_of(experiment, name, letters, "fail2")
        assert experiment.decoder.read(bits) == (False, "renormalise")
    bits = pattern_of(experiment, name, "XEO")
    assert experiment.decoder.read(bits) == (True, "XEOEEEEEE")


@pytest.mark.parametrize("name", ENCODINGS)
def test_an_ancilla_that_reads_what_the_rules_do_not_predict_is_off_board(name):
    """After X on 1,2 and a spreading move off1 should read 0 and off2 should read 1."""
    experiment = play("shiftflip", "1,2 -2,-3").experiment(
        encoding=name, ancillas="all", elide=False
    )
    for ones, expected in (
        (("off2",), (True, "XEEEEEEEE")),
        ((), (False, "off-board")),
        (("off1", "off2"), (False, "off-board")),
        (("off1",), (False, "off-board")),
    ):
        bits = pattern_of(experiment, name, "XEE", *ones)
        assert experiment.decoder.read(bits) == expected


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_wrong_number_of_pieces_is_rejected(name):
    experiment = play("tiqtaqtoe", "1,2 3,4").experiment(encoding=name, elide=False)
    for letters in ("XEOE", "EXEO", "XXEE", "EEOX"):
        bits = pattern_of(experiment, name, letters)
        assert experiment.decoder.read(bits) == (True, board(letters))
    for letters in ("EEEE", "XEEE", "EOEE", "XXOE", "XXOO"):
        bits = pattern_of(experiment, name, letters)
        assert experiment.decoder.read(bits) == (False, "pieces")


@pytest.mark.parametrize("name", ENCODINGS)
def test_pieces_are_those_of_the_dice_and_not_observed_marks(name):
    game = play("tiqtaqtoe", "1 2 3 5 4 7 6 8,9 @XOXXOXOEO 8")
    assert game.observation_due
    experiment = game.experiment(encoding=name, elide=False)
    for letters, read_as in (
        ("EEEEEEEXE", (True, "XOXXOXOXO")),
        ("EEEEEEEOE", (True, "XOXXOXOOO")),
        ("EEEEEEEEE", (False, "pieces")),
    ):
        assert experiment.decoder.read(pattern_of(experiment, name, letters)) == read_as


def test_the_first_reason_that_applies_is_the_one_that_counts():
    experiment = play("cancelling", "1,2 -2,3").experiment(encoding="pair", elide=False)
    invalid = ("sq1_x", "sq1_o")
    assert read(experiment, *invalid, "fail2") == (False, "invalid-code")
    assert read(experiment, *invalid) == (False, "invalid-code")
    assert read(experiment, "fail2") == (False, "renormalise")  # with no piece at all
    assert read(experiment, "sq1_x", "sq2_x", "fail2") == (False, "renormalise")
    assert read(experiment, "sq1_x", "sq2_x") == (False, "pieces")
    every = play("cancelling", "1,2 -2,3").experiment(encoding="pair", elide=False, ancillas="all")
    assert read(every, *invalid, "off1", "off2") == (False, "invalid-code")
    assert read(every, "off1") == (False, "off-board")
    assert read(every, "off2") == (False, "pieces")
    assert read(every, "sq1_x", "off2") == (True, "XEEEEEEEE")


def test_the_check_of_pieces_can_be_switched_off():
    strict, lenient = (
        play("tiqtaqtoe", "1,2").experiment(encoding="pair", check_pieces=check)
        for check in (True, False)
    )
    counts = {"00": 1, "01": 2, "10": 4, "11": 8}
    found = strict.decode(counts)
    assert found.counts == {"EXEEEEEEE": 4, "XEEEEEEEE": 2}
    assert found.rejected["pieces"] == 9
    found = lenient.decode(counts)
    assert found.counts == {"EEEEEEEEE": 1, "EXEEEEEEE": 4, "XEEEEEEEE": 2, "XXEEEEEEE": 8}
    assert found.rejected == dict.fromkeys(REASONS, 0)
    assert strict.key != lenient.key


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_board_of_probability_zero_is_not_rejected_for_that(name):
    """Two pieces, but both from the same superposition: impossible, and yet accepted."""
    experiment = play("tiqtaqtoe", "1,2 3,4").experiment(encoding=name, elide=False)
    result = experiment.decode([text(pattern_of(experiment, name, "XX"))])
    assert result.counts == {"XXEEEEEEE": 1}
    assert "XXEEEEEEE" not in experiment.distribution
    assert result.fit().p_value == 0
    assert result.fit().tvd == 1


def test_a_wrong_symbol_of_probability_zero_is_not_rejected_either():
    experiment = play("tiqtaqtoe", "1,2").experiment(encoding="pair", elide=False)
    result = experiment.decode({"0010": 1, "0001": 499, "0100": 500})
    assert result.counts == {"OEEEEEEEE": 1, "XEEEEEEEE": 499, "EXEEEEEEE": 500}
    assert result.fit().p_value == 0
    assert result.fit().tvd == pytest.approx(0.001)


# --- over whole games


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("rules", RULES)
def test_one_flipped_qubit_is_never_read_as_a_symbol_outside_the_board(rules, name):
    """Whatever the noise, a shot is a board over the observed marks, or has a listed reason."""
    for number in range(5):
        for game in random_game(rules, f"noise {number}", 18, observe=True):
            if game.outcome() is not None:
                break
            experiment = game.experiment(encoding=name)
            example = Evaluation(experiment).example
            for q in range(len(example)):
                noisy = list(example)
                noisy[q] ^= 1
                accepted, found = experiment.decoder.read(noisy)
                if not accepted:
                    assert found in REASONS
                    continue
                assert len(found) == 9
                assert set(found) <= set("EXO")
                for mark, observed in zip(found, game.observed, strict=True):
                    assert observed in ("E", mark)


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_flipped_ancilla_is_always_rejected(name):
    for rules, ancillas in (
        ("cancelling", "needed"),
        ("shiftflip", "needed"),
        ("shiftflip", "all"),
    ):
        for number in range(10):
            *_, game = random_game(rules, f"flip {number}", 12)
            experiment = game.experiment(encoding=name, ancillas=ancillas)
            example = Evaluation(experiment).example
            assert experiment.decoder.read(example).accepted
            for ancilla in experiment.decoder.ancillas:
                noisy = list(example)
                noisy[ancilla.clbit] ^= 1
                reason = "renormalise" if ancillas == "needed" else "off-board"
                assert experiment.decoder.read(noisy) == (False, reason)


@pytest.mark.parametrize("name", ALL_ENCODINGS)
@pytest.mark.parametrize("ancillas", ANCILLAS)
def test_shots_read_together_mean_what_they_mean_alone(name, ancillas):
    game = play("shiftflip", "1,2 -2,3 5 -5,-6")
    result = game.sample(shots=500, seed=8, encoding=name, ancillas=ancillas)
    flips = np.random.default_rng(8).random((5, *result.bits.rows.shape)) < 0.1
    rows = (result.bits.rows ^ flips.astype(np.uint8)).reshape(-1, flips.shape[2])
    decoder = result.experiment.decoder
    together = decoder.read_all(rows)
    assert together == [decoder.read(row.tolist()) for row in rows]
    assert len({reading.name for reading in together}) > 2
    assert decoder.read_all(rows[:0]) == []
