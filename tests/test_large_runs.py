"""Large boards: documents' moves side by side, run in parts, with no table of boards."""

import json
from math import sqrt

import numpy as np
import pytest
from circuits import play
from runs import fresh_store
from scipy.stats import chi2

from qttt_circuits import distribution, sample_many
from qttt_circuits.errors import OptionError
from qttt_circuits.jobs import Job
from qttt_circuits.planner import shots_for_distance

store = pytest.fixture(fresh_store)

SHOTS = 4000
STANDARD_ERRORS = 4.5
ACCEPTANCE = 0.8153009687
HALF_CANCELLING = {"XEE": 0.386729540170, "EEO": 0.386729540170, "EEX": 0.193364770085,
                   "EXE": 0.033176149575}  # fmt: skip
HALF_SHIFTFLIP = {"EXX": 1 / 3, "XEO": 2 / 3}


def rows_of_three(rules, size):
    """Rows of three squares, each with a half-cancelling or a half-shiftflip move."""
    moves = [f"{s},{s + 1} -{s + 1},{s + 2}" for s in range(1, size**2, 3)]
    return play(rules, *moves, size=size)


def shown(result, start):
    """Counts of accepted shots by what three squares show."""
    found = {}
    for board, n in result.counts.items():
        key = board[start : start + 3]
        found[key] = found.get(key, 0) + n
    return found


@pytest.mark.parametrize(
    ("rules", "terms", "accepted"),
    [("cancelling", HALF_CANCELLING, ACCEPTANCE), ("shiftflip", HALF_SHIFTFLIP, 3 / 4)],
)
@pytest.mark.parametrize("encoding", ["spin", "pair"])
def test_a_board_of_36_squares_shows_the_documents_numbers_twelve_times(
    rules, terms, accepted, encoding
):
    shots = 50_000
    game = rows_of_three(rules, 6)
    assert game.observation_due
    result = game.sample(shots=shots, seed=1, encoding=encoding)
    assert result.parts == 12
    assert result.shots == shots == result.accepted + sum(result.rejected.values())
    p = accepted**12
    assert result.predicted_acceptance == pytest.approx(p, rel=1e-6)
    assert abs(result.acceptance - p) <= STANDARD_ERRORS * sqrt(p * (1 - p) / shots)
    assert result.rejected["renormalise"] == shots - result.accepted
    statistic, freedom = 0.0, 0
    for start in range(0, 36, 3):
        seen = shown(result, start)
        assert {*seen} <= {*terms}
        expected = {key: p * result.accepted for key, p in terms.items()}
        statistic += sum((seen.get(key, 0) - n) ** 2 / n for key, n in expected.items())
        freedom += len(terms) - 1
    assert chi2.sf(statistic, freedom) > 1e-4
    found = result.fit()
    assert found.of == "components"
    assert (found.bins, found.p_value > 1e-4) == (freedom + 12, True)


def test_rows_of_one_board_are_independent():
    """Whether X is in the last square of a row says nothing of the next row."""
    result = rows_of_three("cancelling", 6).sample(shots=100_000, seed=2)
    sums = np.zeros((12, 12))
    for board, n in result.counts.items():
        ones = np.array([board[s + 2] == "X" for s in range(0, 36, 3)])
        sums += n * np.outer(ones, ones)
    joint, p = sums / result.accepted, HALF_CANCELLING["EEX"]
    error = sqrt(p**2 * (1 - p**2) / result.accepted)
    apart = ~np.eye(12, dtype=bool)
    assert (np.abs(joint - p**2)[apart] <= STANDARD_ERRORS * error).all()


def test_whole_and_parts_of_a_board_of_16_squares_agree():
    game = play("cancelling", "1,2 -2,3 5,6 -6,7 9,10 -10,11 4,8", size=4)
    experiment = game.experiment()
    whole, parts = (
        sample_many([experiment], shots=SHOTS, seed=1, parts=parts)[0] for parts in (False, True)
    )
    assert (whole.parts, parts.parts) == (1, 4)
    for result in (whole, parts):
        p = ACCEPTANCE**3
        assert abs(result.acceptance - p) <= STANDARD_ERRORS * sqrt(p * (1 - p) / SHOTS)
        for of in ("outcomes", "components"):
            assert result.fit(of=of).p_value > 1e-4


def test_the_cost_grows_with_the_number_of_groups_and_not_with_the_board():
    """Circuits and their largest width, and terms, on boards of 9, 36 and 81 squares."""
    for size in (3, 6, 9):
        experiment = rows_of_three("cancelling", size).experiment()
        rows = size**2 // 3
        assert [len(part.qubits) for part in experiment.parts] == [5] * rows
        assert sum(len(c.probabilities) for c in experiment.distribution.components) == 4 * rows
        assert experiment.distribution.size == 4**rows


def test_observing_sampling_and_fitting_make_no_table(monkeypatch):
    def refuse(self):
        raise AssertionError("a table of boards was made")

    monkeypatch.setattr(distribution.ProductDistribution, "__iter__", refuse)
    game = rows_of_three("cancelling", 6)
    result = game.sample(shots=SHOTS, seed=3)
    result.fit()
    str(result)
    result.to_json()
    assert len(game.observe(backend="aer", seed=1)) == 36


def test_marginals_are_of_accepted_shots():
    game = rows_of_three("cancelling", 6)
    result = game.sample(shots=SHOTS, seed=3)
    exact = result.experiment.distribution.marginals()
    for square, letters in result.marginals().items():
        assert sum(letters.values()) == pytest.approx(1)
        for letter, f in letters.items():
            n = sum(n for board, n in result.counts.items() if board[square - 1] == letter)
            assert f == pytest.approx(n / result.accepted)
            p = exact[square][letter]
            assert abs(f - p) <= STANDARD_ERRORS * sqrt(p * (1 - p) / result.accepted)
    goff = play("goff", "1,2").sample(shots=10, seed=1)
    with pytest.raises(OptionError, match="only boards"):
        goff.marginals()


def test_a_result_of_many_boards_is_short_in_text_and_whole_in_json():
    result = rows_of_three("cancelling", 6).sample(shots=SHOTS, seed=3)
    lines = str(result).splitlines()
    assert len(lines) == 23
    shown = [int(line.split()[1]) for line in lines[:20]]
    assert shown == sorted(result.counts.values(), reverse=True)[:20]
    assert (
        lines[20] == f"and {len(result.counts) - 20:,} more that were seen; 16,777,216 are possible"
    )
    data = json.loads(json.dumps(result.to_json()))
    assert data["counts"] == result.counts
    assert data["fit"] == {
        "tvd": result.fit().tvd, "p_value": result.fit().p_value, "of": "components",
    }  # fmt: skip
    assert data["parts"] == 12


def test_the_command_shows_the_most_frequent_boards_and_every_square(qttt):
    game = rows_of_three("cancelling", 6)
    arguments = ("--option", "size=6", *map(str, game.history), "--seed", "3")
    run = qttt("sample", "cancelling", *arguments)
    assert run.status == 0, run.err
    assert "16,777,216 are possible" in run.out
    assert "squares, exact in brackets" in run.out
    assert "largest total variation distance of a component" in run.out
    assert "backend aer:statevector, 12 circuits, " in run.out
    assert len(run.out.splitlines()) < 120


@pytest.mark.parametrize(
    "options",
    [{"ancillas": "all"}, {"elide": False, "encoding": "one-hot"}, {"synthesis": "state"}],
    ids=str,
)
def test_every_way_to_compile_a_large_board_runs(options):
    game = rows_of_three("shiftflip", 6)
    result = game.sample(shots=SHOTS, seed=4, **options)
    p = 1.0 if "synthesis" in options else (3 / 4) ** 12
    assert abs(result.acceptance - p) <= STANDARD_ERRORS * sqrt(p * (1 - p) / SHOTS)
    assert result.fit().p_value > 1e-4


def test_the_overlap_of_a_large_board_is_read_group_by_group():
    experiment = rows_of_three("cancelling", 6).experiment()
    [result] = sample_many([experiment.overlap()], shots=SHOTS, seed=5)
    assert result.parts == 12
    assert {*result.counts} == {"same"}
    with pytest.raises(OptionError, match="a state of 48 qubits is not prepared at once"):
        experiment.overlap({"E" * 36: 1.0})


def test_a_run_of_a_large_board_is_recorded_and_read_again(store):
    game = rows_of_three("cancelling", 6)
    job = game.submit(backend="aer", shots=SHOTS, seed=6, store=store)
    assert job.record.backend == "aer:statevector"
    again = Job.load(job.run_id, store)
    result = again.result()
    live = game.experiment()
    assert result.experiment.distribution == live.distribution
    # in gates that Aer knows, more qubits stand alone than in gates of whole moves
    assert result.parts >= len(live.parts) > 1
    assert result.counts == job.result().counts
    p = ACCEPTANCE**12
    assert abs(result.acceptance - p) <= STANDARD_ERRORS * sqrt(p * (1 - p) / SHOTS)
    assert result.fit().p_value > 1e-4
    path = store.directory / f"{job.run_id}.npz"
    kept = path.read_bytes()
    path.unlink()
    again.resume()
    assert path.read_bytes() == kept, "the same record gives the same bits"


def test_shots_for_a_distance_are_for_each_component_of_a_large_board():
    found = rows_of_three("cancelling", 6).experiment().distribution
    shots = shots_for_distance(found, 1.0, tvd=0.05)
    alone = shots_for_distance(HALF_CANCELLING, 1.0, tvd=0.05, failure=1e-3 / 12)
    assert shots == pytest.approx(alone, abs=1)


def test_the_plot_of_a_large_board_has_the_marks_on_its_squares():
    bars = pytest.importorskip("qttt_circuits.drawing.plot").bars
    result = rows_of_three("cancelling", 6).sample(shots=SHOTS, seed=3)
    found, note = bars(result)
    assert "16,777,216 boards are possible" in note
    expected = {}
    for first in range(1, 36, 3):
        expected |= {
            f"{first} X": HALF_CANCELLING["XEE"],
            f"{first + 1} X": HALF_CANCELLING["EXE"],
            f"{first + 2} O": HALF_CANCELLING["EEO"],
            f"{first + 2} X": HALF_CANCELLING["EEX"],
        }
    assert {bar.name: bar.exact for bar in found} == pytest.approx(expected)
    for bar in found:
        assert abs(bar.frequency - bar.exact) <= STANDARD_ERRORS * sqrt(
            bar.exact * (1 - bar.exact) / result.accepted
        )
    result.plot()
    none = result.experiment.decode({})
    assert [bar.frequency for bar in bars(none)[0]] == [0] * 48
