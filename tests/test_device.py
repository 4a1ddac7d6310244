"""On a device that makes errors: raw, post-selected and mitigated results, side by side."""

from dataclasses import replace

import numpy as np
import pytest
from circuits import play
from qiskit_aer import AerSimulator
from vendors import Vendor, as_they_are, counted, joined

from qttt_circuits import device, device_verification
from qttt_circuits.backends import resolve
from qttt_circuits.claims import CLAIMS as ALL_CLAIMS
from qttt_circuits.claims.dice import CLAIMS
from qttt_circuits.device import raw_distance, run_on_device
from qttt_circuits.device_verification import DEVICE_TOLERANCE, verify_on_device

SHOTS = 50_000


@pytest.fixture(scope="module")
def experiment():
    return play("cancelling", "1,2 -2,3").experiment()


# --- how close


@pytest.mark.parametrize(
    ("name", "largest"), [("fake_torino", 0.01), ("fake_fez", 0.01), ("fake_sherbrooke", 0.015)]
)
def test_half_cancelling_is_close_to_exact_after_post_selection(experiment, name, largest):
    [found] = run_on_device([experiment], resolve(name), shots=SHOTS, seed=1, readout=True)
    assert found.tvd <= largest
    assert found.mitigated.tvd <= largest
    assert found.raw_tvd > 5 * found.tvd
    assert found.result.shots == SHOTS
    assert found.result.backend == name
    assert 0.6 < found.result.acceptance < found.result.predicted_acceptance
    assert found.result.rejected["pieces"] > 0
    assert found.result.rejected["renormalise"] > 0
    assert found.placement.fidelity > 0.85
    assert found.tvd == found.result.fit().tvd


def test_without_the_pieces_check_more_of_the_error_is_left():
    game = play("cancelling", "1,2 -2,3")
    checked, unchecked = (
        run_on_device(
            [game.experiment(check_pieces=check)], resolve("fake_torino"), shots=20_000, seed=1
        )[0]
        for check in (True, False)
    )
    assert unchecked.tvd > 2 * checked.tvd


# --- what is run


def test_everything_goes_in_one_job_with_two_calibrations():
    vendor = Vendor(as_they_are, None)
    experiments = [play("tiqtaqtoe", "1,2").experiment(), play("tiqtaqtoe", "1,2 2,3").experiment()]
    for readout, circuits in ((False, 2), (True, 4)):
        vendor.asked.clear()
        found = run_on_device(experiments, vendor, shots=100, seed=3, readout=readout)
        assert [(n, options["shots"]) for n, options in vendor.asked] == [(circuits, 100)]
        for experiment, result in zip(experiments, found, strict=True):
            assert result.result.experiment is experiment
            assert result.result.shots == 100
            assert (result.mitigated is not None) == readout


@pytest.mark.parametrize("form", ["memory", "counts"])
def test_without_errors_all_three_ways_agree(experiment, form):
    """On a perfect device nothing is rejected but the failed branch, and nothing is corrected."""
    vendor = Vendor(joined, None) if form == "memory" else Vendor(None, counted(joined))
    [found] = run_on_device([experiment], vendor, shots=4000, seed=2, readout=True)
    assert found.result.rejected["pieces"] == 0
    assert found.result.rejected["renormalise"] > 0
    assert found.mitigated.quasi == pytest.approx(found.result.frequencies, abs=1e-6)
    assert found.mitigated.acceptance == pytest.approx(found.result.acceptance, abs=1e-6)
    assert found.mitigated.tvd == pytest.approx(found.tvd, abs=1e-6)
    assert found.raw_tvd > found.tvd


def test_a_run_without_accepted_shots_has_no_distance(experiment):
    vendor = Vendor(lambda shots: ["1" + "0" * (len(shot) - 1) for shot in joined(shots)], None)
    [found] = run_on_device([experiment], vendor, shots=50, seed=2)
    assert found.result.accepted == 0
    assert found.tvd is None
    assert found.raw_tvd > 0.5


def test_the_same_seed_gives_the_same_run(experiment):
    first, again, other = (
        run_on_device([experiment], resolve("fake_fez"), shots=500, seed=seed)[0]
        for seed in (4, 4, 5)
    )
    assert first.result == again.result
    assert first.placement.qubits == again.placement.qubits
    assert first.raw_tvd == again.raw_tvd
    assert first.result.counts != other.result.counts
    assert first.result.seed == 4


# --- raw


def test_the_raw_distance_leaves_no_shot_out(experiment):
    """Every shot is read as a board without a look at ancillas or pieces."""
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 2, (400, experiment.circuit.num_clbits), dtype=np.uint8)
    result = experiment.decode(rows)
    loose = replace(experiment, decoder=experiment.decoder.unchecked()).decode(rows)
    assert loose.accepted == 400, "in spin every pattern stands for a board"
    assert raw_distance(experiment, result.bits) == pytest.approx(loose.fit().tvd)
    assert result.accepted < 400


def test_bits_that_stand_for_no_board_are_an_outcome_of_their_own():
    experiment = play("cancelling", "1,2 -2,3").experiment(encoding="pair")
    exact = experiment.distribution
    result = experiment.decode({"01100": 1, "00001": 1})  # X and O in one square; X in the first
    expected = (0.5 + abs(0.5 - exact["XEEEEEEEE"]) + 1 - exact["XEEEEEEEE"]) / 2
    assert raw_distance(experiment, result.bits) == pytest.approx(expected)


def test_the_raw_distance_of_exact_bits_is_that_of_the_failed_branch(experiment):
    shots = 20_000
    job = AerSimulator().run(experiment.circuit.decompose(reps=6), shots=shots, seed_simulator=1)
    result = experiment.decode(job.result().get_counts())
    failed = result.rejected["renormalise"] / shots
    assert failed > 0.1
    assert 0 < raw_distance(experiment, result.bits) <= failed + 0.02


# --- the documents' claims


def some_claims():
    names = ("superposition", "entangling", "half-cancelling", "spreading", "upside-down")
    return [claim for claim in CLAIMS if claim.id in names]


def test_claims_are_checked_a_row_for_each_encoding():
    found = verify_on_device(resolve("fake_torino"), shots=10_000, seed=1, claims=some_claims())
    assert [(row.id, row.encoding) for row in found.rows] == [
        (claim.id, encoding)
        for claim in some_claims()
        if claim.id not in found.without_qubits
        for encoding in ("spin", "pair")
    ]
    assert found.without_qubits == ("upside-down",)
    assert found.holds
    for row in found.rows:
        assert row.method == "device"
        assert row.measured <= DEVICE_TOLERANCE == row.tolerance
        assert row.raw_tvd >= 0
        assert row.mitigated_tvd <= DEVICE_TOLERANCE
        assert 0 < row.accepted <= row.shots == 10_000
        assert 0 < row.predicted_fidelity < 1
        assert len(set(row.qubits)) == len(row.qubits)


TOO_NOISY = {"fake_sherbrooke": ["occupations-complex"]}
"""Claims whose circuit is too deep for a snapshot: a distance of 0.05 from exact is left."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fake_torino", "fake_fez", "fake_sherbrooke"])
def test_all_claims_hold_on_a_device(name):
    told = []
    found = verify_on_device(
        resolve(name), shots=20_000, seed=1, progress=lambda step, part: told.append(part)
    )
    assert [row.id for row in found.rows if not row.holds] == TOO_NOISY.get(name, [])
    assert found.holds == (name not in TOO_NOISY)
    assert {row.id for row in found.rows} | set(found.without_qubits) == {c.id for c in ALL_CLAIMS}
    assert told == sorted(told)
    assert told[-1] == 1


def test_a_claim_that_is_wrong_does_not_hold_on_a_device():
    claim = next(claim for claim in CLAIMS if claim.id == "superposition")
    wrong = replace(claim, probabilities={"XE": "9/10", "EX": "1/10"})
    found = verify_on_device(resolve("fake_torino"), shots=2000, seed=1, claims=[claim, wrong])
    assert [row.holds for row in found.rows] == [True, True, False, False]
    assert not found.holds
    assert found.rows[2].measured == pytest.approx(0.4, abs=0.05)


@pytest.mark.filterwarnings("ignore:Using faulty qubits")
def test_a_position_without_accepted_shots_does_not_hold():
    vendor = Vendor(lambda shots: ["1" + "0" * (len(shot) - 1) for shot in joined(shots)], None)
    claims = [claim for claim in CLAIMS if claim.id == "half-cancelling"]
    found = verify_on_device(vendor, shots=50, seed=1, claims=claims, encodings=("spin",))
    [row] = found.rows
    assert (row.accepted, row.measured, row.holds) == (0, None, False)
    assert not found.holds


def test_without_mthree_claims_are_checked_without_mitigation(monkeypatch):
    asked = []
    run = device.run_on_device

    def watching(*arguments, **options):
        asked.append(options["readout"])
        return run(*arguments, **options)

    monkeypatch.setattr(device_verification, "run_on_device", watching)
    monkeypatch.setattr(device_verification, "find_spec", lambda name: None)
    found = verify_on_device(
        Vendor(joined, None), shots=5000, seed=1, claims=some_claims()[:2], encodings=("spin",)
    )
    assert asked == [False]
    assert found.holds
    assert {row.mitigated_tvd for row in found.rows} == {None}
