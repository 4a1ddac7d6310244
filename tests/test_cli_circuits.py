"""``qttt circuit``, ``qttt sample`` and ``qttt verify``: what they print, write and exit with."""

import json
import re
import struct
import xml.etree.ElementTree as ElementTree

import pytest
from circuits import ENCODINGS, assert_same_distribution, clbit_distribution, play
from qiskit import qasm3, qpy

from qttt_circuits import execution
from qttt_circuits.cli.circuit import FORMATS

HALF_CANCELLING = ("cancelling", "1,2", "-2,3")
POSITIONS = [
    ("tiqtaqtoe", "1,2"),
    HALF_CANCELLING,
    ("cancelling", "3,4", "-3,1", "O:-4,2"),
    ("shiftflip", "1,2", "3,-4", "-4,5", "-2,6"),
    ("tiqtaqtoe", "5"),
]
positions = pytest.mark.parametrize("arguments", POSITIONS, ids=" ".join)


def circuit_of(arguments, **options):
    return play(*arguments).circuit(**options)


def assert_refused(run, *parts, status=2):
    """One line on standard error that names all parts, nothing on standard output."""
    assert run.status == status
    assert run.out == ""
    assert run.err.startswith("qttt: ")
    assert run.err.count("\n") == 1
    assert run.err.endswith("\n")
    assert "Traceback" not in run.err
    for part in parts:
        assert part in run.err


# --- circuit


@positions
def test_text_is_the_drawing_with_the_labels_of_the_moves(qttt, arguments):
    run = qttt("circuit", *arguments)
    assert (run.status, run.err) == (0, "")
    circuit = circuit_of(arguments)
    for register in circuit.qregs:
        assert f"{register.name}:" in run.out
    for item in circuit.data:
        if item.operation.name != "measure":
            assert item.operation.label in run.out


def test_text_is_the_default_format(qttt):
    explicit = qttt("circuit", *HALF_CANCELLING, "--format", "text")
    assert qttt("circuit", *HALF_CANCELLING) == explicit
    assert "half-cancelling -2,3" in explicit.out


def test_a_circuit_can_be_shown_decomposed(qttt):
    run = qttt("circuit", *HALF_CANCELLING, "--decompose")
    assert run.status == 0
    assert "half-cancelling" not in run.out
    assert "Ry(" in run.out


@pytest.mark.parametrize("name", ENCODINGS)
@positions
def test_qasm3_reads_back_with_the_same_distribution(qttt, arguments, name):
    run = qttt("circuit", *arguments, "--format", "qasm3", "--encoding", name)
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("OPENQASM 3")
    assert run.out.endswith("\n")
    again = qasm3.loads(run.out)
    expected = circuit_of(arguments, encoding=name)
    assert [r.name for r in again.qregs] == [r.name for r in expected.qregs]
    assert_same_distribution(clbit_distribution(again), clbit_distribution(expected))


@pytest.mark.parametrize("ancillas", ["needed", "all"])
@pytest.mark.parametrize("elide", [True, False], ids=["elided", "whole"])
@pytest.mark.parametrize("name", ENCODINGS)
@positions
def test_qpy_reads_back_with_the_same_distribution(
    qttt, tmp_path, arguments, name, ancillas, elide
):
    path = tmp_path / "circuit.qpy"
    whole = [] if elide else ["--no-elide"]
    run = qttt(
        "circuit", *arguments, "--format", "qpy", "-o", str(path), *whole,
        "--encoding", name, "--ancillas", ancillas,
    )  # fmt: skip
    assert (run.status, run.out, run.err) == (0, "", "")
    with path.open("rb") as file:
        [again] = qpy.load(file)
    expected = circuit_of(arguments, encoding=name, ancillas=ancillas, elide=elide)
    assert again.qregs == expected.qregs
    assert again.cregs == expected.cregs
    assert_same_distribution(clbit_distribution(again), clbit_distribution(expected))


def test_png_is_a_picture(qttt, tmp_path):
    path = tmp_path / "circuit.png"
    run = qttt("circuit", *HALF_CANCELLING, "--format", "png", "--output", str(path))
    assert (run.status, run.out, run.err) == (0, "", "")
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    assert width > 100
    assert height > 100


def test_svg_is_a_picture_to_standard_output_or_a_file(qttt, tmp_path):
    path = tmp_path / "circuit.svg"
    assert qttt("circuit", *HALF_CANCELLING, "--format", "svg", "-o", str(path)).status == 0
    printed = qttt("circuit", *HALF_CANCELLING, "--format", "svg")
    assert printed.status == 0
    for content in (path.read_bytes(), printed.out.encode()):
        assert ElementTree.fromstring(content).tag.endswith("svg")


@pytest.mark.parametrize("form", ["text", "qasm3"])
def test_a_file_holds_what_standard_output_would(qttt, tmp_path, form):
    path = tmp_path / "out"
    printed = qttt("circuit", *HALF_CANCELLING, "--format", form)
    written = qttt("circuit", *HALF_CANCELLING, "--format", form, "-o", str(path))
    assert (written.status, written.out) == (0, "")
    assert path.read_bytes().decode() == printed.out


@pytest.mark.parametrize("form", ["text", "qasm3"])
def test_a_position_without_qubits_has_a_circuit_too(qttt, form):
    assert qttt("circuit", "tiqtaqtoe", "--format", form).status == 0
    assert qttt("circuit", "tiqtaqtoe", "5", "--format", form).status == 0


def test_options_of_the_circuit_reach_it(qttt):
    run = qttt("circuit", "tiqtaqtoe", "1,2", "--encoding", "pair", "--ancillas", "all",
               "--no-elide")  # fmt: skip
    for name in ("sq1_x:", "sq1_o:", "sq2_x:", "sq2_o:", "off1:"):
        assert name in run.out
    run = qttt("circuit", "cancelling", "1,2", "-2,3")
    assert "fail2:" in run.out


def test_a_record_is_as_good_as_moves(qttt, tmp_path):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(play(*HALF_CANCELLING).record()))
    assert qttt("circuit", "--record", str(path)) == qttt("circuit", *HALF_CANCELLING)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["tiqtaqtoe", "1,2", "--format", "qasm"], ["'qasm'", "qasm3"]),
        (["tiqtaqtoe", "1,2", "--format", "png"], ["-o FILE"]),
        (["tiqtaqtoe", "1,2", "--format", "qpy"], ["-o FILE"]),
        (["tiqtaqtoe", "1,2", "--encoding", "spinn"], ["'spinn'", "did you mean 'spin'"]),
        (["tiqtaqtoe", "1,2", "--ancillas", "none"], ["'none'"]),
        (["tiqtaqtoe", "1,2", "--encodin", "spin"], ["--encodin", "--encoding"]),
        (["tiqtaqtoe", "1,2", "1,2"], ["'1,2'", "illegal move"]),
        (["tiqtaqtoe", "1,10"], ["no square 10"]),
        (["tiqtaqtoe", "-1,2"], ["no cancelling die"]),
        (["tiqtaqto", "1"], ["did you mean 'tiqtaqtoe'"]),
        ([], ["rule set"]),
        (["tiqtaqtoe", "1", "--record", "x.json"], ["not both"]),
        (["--record", "no-such-file.json"], ["no-such-file.json", "No such file"]),
        (["tiqtaqtoe", "1,2", "--format", "qasm3", "-o", "no/such/folder"], ["no/such/folder"]),
    ],
)
def test_wrong_use_of_circuit_is_one_line_and_exit_2(qttt, arguments, parts):
    assert_refused(qttt("circuit", *arguments), *parts)


def test_every_documented_format_exists():
    assert list(FORMATS) == ["text", "qasm3", "qpy", "png", "svg"]


# --- sample


@pytest.mark.parametrize("name", ENCODINGS)
def test_sample_prints_one_json_document_with_the_agreed_keys(qttt, name):
    run = qttt("sample", *HALF_CANCELLING, "--shots", "2000", "--seed", "7", "--json",
               "--encoding", name)  # fmt: skip
    assert (run.status, run.err) == (0, "")
    found = json.loads(run.out)
    assert list(found) == [
        "shots", "accepted", "acceptance", "predicted_acceptance", "counts", "rejected",
        "standard_errors", "fit", "backend", "encoding", "ancillas", "seed",
    ]  # fmt: skip
    assert found["shots"] == 2000
    assert found["accepted"] == sum(found["counts"].values())
    assert found["acceptance"] == found["accepted"] / 2000
    assert found["predicted_acceptance"] == pytest.approx(0.81530, abs=1e-5)
    assert sum(found["rejected"].values()) == 2000 - found["accepted"]
    assert list(found["rejected"]) == ["invalid-code", "renormalise", "off-board", "pieces"]
    assert set(found["counts"]) == {"XEEEEEEEE", "EEOEEEEEE", "EEXEEEEEE", "EXEEEEEEE"}
    assert found["standard_errors"].keys() == found["counts"].keys()
    assert set(found["fit"]) == {"tvd", "p_value"}
    assert (found["encoding"], found["ancillas"]) == (name, "needed")
    assert (found["backend"], found["seed"]) == ("aer:statevector", 7)


def test_the_json_of_sample_is_what_python_gives(qttt):
    run = qttt("sample", *HALF_CANCELLING, "--shots", "500", "--seed", "3", "--json")
    result = play(*HALF_CANCELLING).sample(shots=500, seed=3)
    assert json.loads(run.out) == json.loads(json.dumps(result.to_json()))


def test_one_seed_gives_one_output_and_none_is_drawn_and_reported(qttt):
    first, again = (
        qttt("sample", *HALF_CANCELLING, "--shots", "300", "--seed", "5", "--json")
        for _ in range(2)
    )
    assert first == again
    drawn = json.loads(qttt("sample", *HALF_CANCELLING, "--shots", "300", "--json").out)
    seed = str(drawn["seed"])
    run = qttt("sample", *HALF_CANCELLING, "--shots", "300", "--seed", seed, "--json")
    assert json.loads(run.out) == drawn


def test_sample_prints_a_table_for_people(qttt):
    run = qttt("sample", *HALF_CANCELLING, "--shots", "500", "--seed", "7", "--ancillas", "all",
               "--encoding", "pair", "--backend", "aer:matrix_product_state")  # fmt: skip
    assert (run.status, run.err) == (0, "")
    result = play(*HALF_CANCELLING).sample(
        shots=500, seed=7, ancillas="all", encoding="pair", backend="aer:matrix_product_state"
    )
    assert f"500 shots = {result.accepted} accepted + {500 - result.accepted} rejected" in run.out
    for board, n in result.counts.items():
        assert any(board in line and str(n) in line for line in run.out.splitlines())
    for part in ("predicted 0.8153", "aer:matrix_product_state", "pair", "all", "seed 7"):
        assert part in run.out


def test_a_constant_position_is_sampled_without_running(qttt):
    found = json.loads(qttt("sample", "tiqtaqtoe", "5", "--shots", "9", "--json").out)
    assert found["counts"] == {"EEEEXEEEE": 9}
    assert found["backend"] == "none"
    assert found["fit"] == {"tvd": 0.0, "p_value": None}
    assert "none (one bin)" in qttt("sample", "tiqtaqtoe", "5", "--shots", "9").out


@pytest.mark.parametrize("as_json", [True, False], ids=["json", "table"])
@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["tiqtaqtoe", "1,2", "--shots", "0"], ["shots must be"]),
        (["tiqtaqtoe", "1,2", "--shots", "-1"], ["shots must be", "-1"]),
        (["tiqtaqtoe", "1,2", "--shots", "1000000000"], ["shots must be"]),
        (["tiqtaqtoe", "1,2", "--shots", "1.5"], ["1.5"]),
        (["tiqtaqtoe", "1,2", "--seed", "-1"], ["seed"]),
        (["tiqtaqtoe", "1,2", "--seed", "x"], ["x"]),
        (["tiqtaqtoe", "1,2", "--backend", "aer:statvector"], ["did you mean 'aer:statevector'"]),
        (["tiqtaqtoe", "1,2", "--encoding", "apir"], ["did you mean 'pair'"]),
        (["tiqtaqtoe", "1,2", "--ancillas", "al"], ["did you mean 'all'"]),
        (["tiqtaqtoe", "1,2", "2,1"], ["illegal move"]),
        (["tiqtaqtoe", "1,2", "--shot", "5"], ["--shot"]),
        (["cancelling", "-1,2"], ["cancelling die"]),
    ],
)
def test_wrong_use_of_sample_is_one_line_and_exit_2(qttt, arguments, parts, as_json):
    assert_refused(qttt("sample", *arguments, *(["--json"] if as_json else [])), *parts)


@pytest.mark.parametrize("as_json", [True, False], ids=["json", "table"])
def test_a_run_that_fails_is_one_line_and_exit_3(qttt, as_json, monkeypatch):
    def failing(self, pubs, **options):
        raise RuntimeError("no memory\nleft")

    monkeypatch.setattr(execution.AerSampler, "run", failing)
    run = qttt("sample", *HALF_CANCELLING, *(["--json"] if as_json else []))
    assert_refused(run, "failed: no memory left", status=3)


@pytest.mark.parametrize("as_json", [True, False], ids=["json", "table"])
def test_a_run_that_accepts_nothing_is_one_line_and_exit_3(qttt, as_json):
    """One shot of a position with success 0.1 or so, with a seed that fails."""
    moves = ("cancelling", "1,2", "-2,3", "4,5", "-1,6", "7,8", "-5,9")
    for seed in range(20):
        run = qttt("sample", *moves, "--shots", "1", "--seed", str(seed),
                   *(["--json"] if as_json else []))  # fmt: skip
        if run.status:
            break
    assert_refused(run, "none of 1 shots was accepted", "renormalise 1", status=3)


# --- verify


def test_verify_prints_one_json_document_and_exits_with_0(qttt):
    run = qttt("verify", "--shots", "500", "--seed", "1", "--json")
    assert run.status == 0
    document = json.loads(run.out)
    assert document["holds"] is True
    assert {row["method"] for row in document["claims"]} == {
        "exact", "statevector", "shots", "overlap",
    }  # fmt: skip


def test_verify_prints_a_table_for_people(qttt):
    run = qttt("verify", "--shots", "500", "--seed", "1")
    assert run.status == 0
    [total] = re.findall(r"^(\d+) of (\d+) .*hold$", run.out, re.MULTILINE)
    assert total[0] == total[1]
    assert int(total[0]) > 300
    assert "FAILS" not in run.out


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--shots", "0"], ["shots must be"]),
        (["--backend", "aer:statvector"], ["did you mean 'aer:statevector'"]),
        (["--seed", "-2"], ["seed"]),
        (["--shot", "3"], ["--shot"]),
        (["tiqtaqtoe"], ["tiqtaqtoe"]),
    ],
)
def test_wrong_use_of_verify_exits_with_2(qttt, arguments, parts):
    run = qttt("verify", *arguments, "--json")
    assert (run.status, run.out) == (2, "")
    [line] = run.err.strip().splitlines()  # the bar of progress may leave an empty line
    assert line.startswith("qttt: ")
    for part in parts:
        assert part in line
