"""Backends by name: what there is, what is nearest, and what to do where something is missing."""

import os
import subprocess
import sys

import pytest
from circuits import play
from qiskit_aer import AerSimulator
from vendors import TargetOnly, small_target

from qttt_circuits import ibm, sample_many
from qttt_circuits.backends import AER_METHODS, DENSE_QUBITS, Aer, resolve
from qttt_circuits.device import require_room, run_on_device
from qttt_circuits.device_verification import verify_on_device
from qttt_circuits.errors import ExecutionError, MissingExtraError, UnknownNameError
from qttt_circuits.snapshots import is_snapshot

HALF_CANCELLING = ("cancelling", "1,2", "-2,3")


@pytest.fixture
def nobody(tmp_path):
    """An environment in which nobody has an account, and no package leads anywhere."""
    kept = {k: v for k, v in os.environ.items() if "QISKIT" not in k and "proxy" not in k.lower()}
    return {**kept, "HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "NO_PROXY": "*"}


def in_a_process(environment, code):
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )


def command(*arguments, before="pass"):
    """Returns the program that calls the command line after a preparation."""
    return (
        f"import sys; {before}; from qttt_circuits.cli import main; "
        f"sys.argv = {['qttt', *arguments]!r}; main()"
    )


@pytest.fixture
def without_runtime(monkeypatch):
    """As if the runtime were not installed."""
    for name in [name for name in sys.modules if name.split(".")[0] == "qiskit_ibm_runtime"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "qiskit_ibm_runtime", None)
    monkeypatch.setattr(ibm, "_fakes", ibm._fakes.__wrapped__)


# --- Aer


def test_aer_chooses_its_method_by_the_number_of_qubits():
    aer = resolve("aer")
    assert aer == Aer("")
    assert aer.method_for(1) == aer.method_for(DENSE_QUBITS - 1) == "statevector"
    assert aer.method_for(DENSE_QUBITS) == aer.method_for(60) == "matrix_product_state"


@pytest.mark.parametrize("method", AER_METHODS)
def test_a_method_of_aer_is_one_it_knows_and_is_used_whatever_the_size(method):
    assert method in AerSimulator().available_methods()
    named = resolve(f"aer:{method}")
    assert isinstance(named, Aer)
    assert {named.method_for(n) for n in (1, 19, 20, 60)} == {method}


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("are", "aer"),
        (" aer", "aer"),
        ("AER", "aer"),
        ("aer:statvector", "aer:statevector"),
        ("aer:Density_Matrix", "aer:density_matrix"),
        ("aer:matrixproductstate", "aer:matrix_product_state"),
        ("fake_torin", "fake_torino"),
        ("fake_Torino", "fake_torino"),
        ("fake_sherbroke", "fake_sherbrooke"),
        ("fake_fezz", "fake_fez"),
    ],
)
def test_the_nearest_name_is_offered(wrong, near):
    with pytest.raises(UnknownNameError) as unknown:
        resolve(wrong)
    assert str(unknown.value) == f"unknown backend {wrong!r}; did you mean {near!r}?"
    assert unknown.value.exit_status == 2


@pytest.mark.parametrize("wrong", ["", "aer:", "aer:x", "fake_", "fake_quantum_computer_of_mine"])
def test_what_is_near_nothing_is_refused_all_the_same(wrong):
    with pytest.raises(UnknownNameError, match="unknown backend"):
        resolve(wrong)


# --- snapshots


def test_every_snapshot_resolves_by_the_name_it_is_listed_with():
    names = ibm.fake_names()
    assert {"fake_torino", "fake_fez", "fake_sherbrooke"} <= set(names)
    assert names == sorted(set(names))
    for name in names:
        backend = resolve(name)
        assert backend.name == name
        assert is_snapshot(backend)
        assert not ibm.is_hardware(backend)


def test_a_snapshot_is_loaded_once():
    assert resolve("fake_torino") is resolve("fake_torino")


@pytest.mark.parametrize("name", ["fake_torino", "fake_nonsense"])
def test_a_snapshot_without_the_runtime_names_the_extra(without_runtime, name):
    with pytest.raises(MissingExtraError, match=r"pip install 'qttt-circuits\[ibm\]'") as missing:
        resolve(name)
    assert missing.value.exit_status == 2
    assert isinstance(missing.value, ImportError)


def test_a_device_without_the_runtime_names_the_extra(without_runtime):
    with pytest.raises(MissingExtraError, match=r"qttt-circuits\[ibm\]"):
        resolve("ibm_somewhere")


def test_aer_and_a_mistake_in_its_name_need_no_runtime(without_runtime):
    assert play(*HALF_CANCELLING).sample(shots=10, seed=1, backend="aer").shots == 10
    with pytest.raises(UnknownNameError, match="did you mean 'aer'"):
        resolve("aerr")


@pytest.mark.parametrize(
    "arguments",
    [
        ("sample", *HALF_CANCELLING, "--backend", "fake_torino"),
        ("sample", *HALF_CANCELLING, "--backend", "fake_torino", "--json"),
        ("verify", "--backend", "fake_torino", "--json"),
        ("verify", "--backend", "ibm_somewhere"),
    ],
    ids=" ".join,
)
def test_a_command_that_needs_the_extra_exits_with_2(qttt, without_runtime, arguments):
    run = qttt(*arguments)
    assert (run.status, run.out) == (2, "")
    assert run.err == (
        "qttt: a backend of IBM's needs an optional package: pip install 'qttt-circuits[ibm]'\n"
    )


def test_a_process_without_the_runtime_starts_and_says_so(nobody):
    arguments = ("sample", *HALF_CANCELLING, "--backend", "fake_torino", "--json")
    ran = in_a_process(
        nobody, command(*arguments, before="sys.modules['qiskit_ibm_runtime'] = None")
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1
    assert "pip install 'qttt-circuits[ibm]'" in ran.stderr


# --- accounts


@pytest.mark.parametrize("arguments", [
    ("sample", *HALF_CANCELLING, "--backend", "ibm_somewhere", "--json"),
    ("verify", "--backend", "ibm_somewhere", "--yes"),
], ids=["sample", "verify"])  # fmt: skip
def test_without_an_account_it_is_said_how_to_save_one(nobody, arguments):
    ran = in_a_process(nobody, command(*arguments))
    assert (ran.returncode, ran.stdout) == (3, "")
    [line] = ran.stderr.strip().splitlines()
    assert line.startswith("qttt: no IBM account found: save one with ")
    for part in ("save_account(", "channel='ibm_quantum_platform'", "QISKIT_IBM_TOKEN",
                 "QISKIT_IBM_INSTANCE"):  # fmt: skip
        assert part in line


def test_without_an_account_no_account_is_made(nobody, tmp_path):
    code = (
        "from qttt_circuits.backends import resolve\n"
        "from qttt_circuits.errors import ExecutionError\n"
        "try:\n    resolve('ibm_somewhere')\n"
        "except ExecutionError as error:\n    print(error.exit_status, error)\n"
    )
    ran = in_a_process(nobody, code)
    assert ran.stdout.startswith("3 no IBM account found: save one with QiskitRuntimeService.")
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.read_text().strip() for path in kept} <= {"{}"}, "the runtime's own empty file"


# --- room


@pytest.fixture
def experiment():
    made = play(*HALF_CANCELLING).experiment()
    assert made.circuit.num_qubits == 5
    return made


def test_a_device_with_too_few_qubits_is_refused_before_anything_runs(experiment):
    device = TargetOnly(small_target(4), name="tiny")
    for call in (
        lambda: require_room([play("tiqtaqtoe", "1,2").experiment(), experiment], device),
        lambda: run_on_device([experiment], device, shots=10, seed=1),
        lambda: verify_on_device(device, shots=10, seed=1),
        lambda: play(*HALF_CANCELLING).sample(10, backend=device),
        lambda: play(*HALF_CANCELLING).sample(10, backend=device, self_test=False),
    ):
        with pytest.raises(ExecutionError, match=r"'tiny' has 4 qubits and \d+ are needed"):
            call()
    assert device.ran == 0
    require_room([experiment], TargetOnly(small_target(5)))


def test_a_device_without_measurement_is_refused_before_anything_runs(experiment):
    device = TargetOnly(small_target(measured=False), name="blind")
    for call in (
        lambda: require_room([experiment], device),
        lambda: run_on_device([experiment], device, shots=10, seed=1),
        lambda: play(*HALF_CANCELLING).sample(10, backend=device),
        lambda: play(*HALF_CANCELLING).sample(10, backend=device, self_test=False),
    ):
        with pytest.raises(ExecutionError, match="backend 'blind' has no measurement"):
            call()
    assert device.ran == 0


@pytest.mark.parametrize(
    "arguments", [("verify",), ("sample", *HALF_CANCELLING)], ids=["verify", "sample"]
)
def test_a_snapshot_of_too_few_qubits_exits_with_3(qttt, arguments):
    run = qttt(*arguments, "--backend", "fake_armonk", "--shots", "10", "--json")
    assert (run.status, run.out) == (3, "")
    [line] = run.err.strip().splitlines()
    assert line.startswith("qttt: backend 'fake_armonk' has 1 qubits and ")


def test_a_backend_and_its_name_are_the_same_to_run_on(experiment):
    results = [
        sample_many([experiment], shots=50, seed=4, backend=backend)[0]
        for backend in ("fake_torino", resolve("fake_torino"))
    ]
    assert results[0] == results[1]
    assert results[0].backend == "fake_torino"
