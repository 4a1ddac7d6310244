"""The command line on snapshots and devices: what it prints, refuses, and asks before it spends."""

import io
import json
import sys
from types import SimpleNamespace

import click
import pytest
from circuits import play
from qiskit.providers.fake_provider import GenericBackendV2
from vendors import TargetOnly, Vendor, as_they_are, small_target

from qttt_circuits import device_verification, ibm
from qttt_circuits.backends import AER_METHODS
from qttt_circuits.claims.dice import CLAIMS
from qttt_circuits.cli.arguments import confirm_spending
from qttt_circuits.device_verification import DEVICE_TOLERANCE
from qttt_circuits.errors import ExecutionError

HALF_CANCELLING = ("cancelling", "1,2", "-2,3")
VERIFY_ON_DEVICE = "qttt_circuits.device_verification.verify_on_device"
RESOLVE = "qttt_circuits.backends.resolve"
FEW = [c for c in CLAIMS if c.id in ("superposition", "half-cancelling", "upside-down")]


def assert_refused(run, *parts, status=2):
    """One line on standard error that names all parts, nothing on standard output."""
    assert (run.status, run.out) == (status, "")
    [line] = run.err.strip().splitlines()  # the bar of progress may leave an empty line
    assert line.startswith("qttt: ")
    for part in parts:
        assert part in line


@pytest.fixture
def few_claims(monkeypatch):
    """Only some of the claims, as all of them take long."""
    run = device_verification.verify_on_device
    monkeypatch.setattr(
        VERIFY_ON_DEVICE, lambda backend, **options: run(backend, claims=FEW, **options)
    )


# --- sample


def test_sample_runs_on_a_snapshot(qttt):
    run = qttt("sample", *HALF_CANCELLING, "--backend", "fake_torino", "--shots", "3000",
               "--seed", "2", "--json")  # fmt: skip
    assert (run.status, run.err) == (0, "")
    found = json.loads(run.out)
    assert list(found) == [
        "shots", "accepted", "acceptance", "predicted_acceptance", "counts", "rejected",
        "standard_errors", "fit", "backend", "encoding", "ancillas", "seed",
    ]  # fmt: skip
    assert (found["backend"], found["seed"], found["shots"]) == ("fake_torino", 2, 3000)
    assert found["accepted"] + sum(found["rejected"].values()) == 3000
    assert found["rejected"]["pieces"] > 0
    assert found["fit"]["tvd"] < 0.05
    expected = play(*HALF_CANCELLING).sample(3000, 2, backend="fake_torino")
    assert found == json.loads(json.dumps(expected.to_json()))


def test_sample_on_a_snapshot_prints_a_table_for_people(qttt):
    run = qttt("sample", "tiqtaqtoe", "1,2", "--backend", "fake_fez", "--shots", "500",
               "--seed", "2")  # fmt: skip
    assert (run.status, run.err) == (0, "")
    assert "backend fake_fez" in run.out
    assert "500 shots = " in run.out


@pytest.mark.parametrize(
    ("wrong", "near"),
    [("fake_torin", "fake_torino"), ("fake_shebrooke", "fake_sherbrooke"), ("aerr", "aer")],
)
@pytest.mark.parametrize("command", [("sample", *HALF_CANCELLING), ("verify",)], ids=lambda c: c[0])
@pytest.mark.parametrize("as_json", [True, False], ids=["json", "table"])
def test_an_unknown_backend_is_refused_with_the_nearest_name(qttt, command, wrong, near, as_json):
    run = qttt(*command, "--backend", wrong, *["--json"] * as_json)
    assert_refused(run, f"unknown backend {wrong!r}; did you mean {near!r}?")


def test_an_unknown_device_of_the_account_is_refused_with_the_nearest_name(qttt, monkeypatch):
    devices = [TargetOnly(small_target(2), name) for name in ("ibm_torino", "ibm_fez")]
    service = SimpleNamespace(backends=lambda: devices, backend=lambda name: devices[0])
    monkeypatch.setattr(ibm, "service", lambda: service)
    run = qttt("sample", *HALF_CANCELLING, "--backend", "ibm_torinno")
    assert_refused(run, "unknown backend 'ibm_torinno'; did you mean 'ibm_torino'?")


# --- verify


def test_verify_on_a_snapshot_prints_one_json_document(qttt, few_claims):
    run = qttt("verify", "--backend", "fake_torino", "--shots", "2000", "--seed", "1", "--json")
    assert run.status == 0
    document = json.loads(run.out)
    assert document["holds"] is True
    assert document["claims"]
    keys = [
        "id", "source", "claim", "encoding", "method", "expected", "expected_exact", "measured",
        "standard_error", "shots", "tolerance", "holds",
    ]  # fmt: skip
    for row in document["claims"]:
        assert list(row)[: len(keys)] == keys
        assert (row["method"], row["shots"], row["expected"]) == ("device", 2000, 0)
        assert row["expected_exact"] == "0"
        assert row["tolerance"] == DEVICE_TOLERANCE
        assert row["holds"] == (row["measured"] <= row["tolerance"])
        assert {"accepted", "raw_tvd", "mitigated_tvd", "qubits", "predicted_fidelity"} <= set(row)
    assert [(row["id"], row["encoding"]) for row in document["claims"]] == [
        (name, encoding)
        for name in ("superposition", "half-cancelling")
        for encoding in ("spin", "pair")
    ]


def test_verify_on_a_snapshot_prints_a_table_for_people(qttt, few_claims):
    run = qttt("verify", "--backend", "fake_fez", "--shots", "5000", "--seed", "1")
    assert run.status == 0
    assert run.out.splitlines()[-1] == (
        f"4 of 4 hold: post-selected distance at most {DEVICE_TOLERANCE}"
    )
    assert "nothing to run for: upside-down" in run.out
    for word in ("raw", "selected", "mitigated", "accepted", "half-cancelling"):
        assert word in run.out


@pytest.mark.slow
def test_verify_on_a_snapshot_checks_every_claim(qttt):
    run = qttt("verify", "--backend", "fake_torino", "--seed", "1", "--json")
    assert run.status == 0
    document = json.loads(run.out)
    assert document["holds"] is True
    assert {row["shots"] for row in document["claims"]} == {20_000}
    assert {row["id"] for row in document["claims"]} <= {claim.id for claim in CLAIMS}


@pytest.fixture
def noisy(monkeypatch):
    """A device that turns over a third of what it reads."""

    def turned(shots):
        return [
            "".join(str(1 - int(b)) if (i + k) % 3 == 0 else b for k, b in enumerate(s))
            for i, s in enumerate(as_they_are(s.replace(" ", "") for s in shots))
        ]

    vendor = Vendor(turned, None, name="noisy")
    monkeypatch.setattr(RESOLVE, lambda name: vendor)
    return vendor


@pytest.mark.parametrize("as_json", [True, False], ids=["json", "table"])
@pytest.mark.filterwarnings("ignore:Using faulty qubits")
def test_verify_on_a_device_too_noisy_exits_with_1(qttt, few_claims, noisy, as_json):
    run = qttt("verify", "--backend", "noisy", "--shots", "600", "--seed", "1",
               *["--json"] * as_json)  # fmt: skip
    assert run.status == 1
    if as_json:
        document = json.loads(run.out)
        assert document["holds"] is False
        assert any(not row["holds"] for row in document["claims"])
    else:
        assert "FAILS" in run.out
        assert not run.out.splitlines()[-1].startswith("4 of 4")


def test_verify_on_a_device_of_other_noise_exits_with_1(qttt, few_claims, monkeypatch):
    backend = GenericBackendV2(8, basis_gates=["cx", "rz", "sx", "x"], seed=1)
    for name in ("measure", "cx"):
        for qubits in backend.target[name]:
            backend.target[name][qubits].error = 0.3
    monkeypatch.setattr(RESOLVE, lambda name: backend)
    run = qttt("verify", "--backend", "generic", "--shots", "1000", "--seed", "1", "--json")
    assert run.status == 1
    assert json.loads(run.out)["holds"] is False


# --- spending


@pytest.fixture
def costly(monkeypatch):
    """A device that costs money, and never runs."""
    device = TargetOnly(small_target(8), name="ibm_costly")
    monkeypatch.setattr(ibm, "is_hardware", lambda backend: backend is device)
    monkeypatch.setattr(RESOLVE, lambda name: device)
    monkeypatch.setattr(VERIFY_ON_DEVICE, lambda *_, **__: pytest.fail("the device was used"))
    return device


def answers(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


@pytest.mark.parametrize("text", ["", "n\n", "no\n", "\n"], ids=["nobody", "n", "no", "default"])
def test_nothing_runs_on_a_costly_device_unless_someone_agrees(qttt, costly, monkeypatch, text):
    answers(monkeypatch, text)
    run = qttt("verify", "--backend", "ibm_costly", "--shots", "100", "--json")
    assert (run.status, run.out) == (2, "")
    assert "ibm_costly: about " in run.err
    assert "seconds of device time" in run.err
    assert run.err.endswith("qttt: nothing was submitted; --yes goes on without asking\n")
    assert costly.ran == 0


@pytest.mark.parametrize("text", ["", "n\n"], ids=["nobody", "n"])
def test_nothing_is_sampled_on_a_costly_device_unless_someone_agrees(
    qttt, costly, monkeypatch, text
):
    answers(monkeypatch, text)
    run = qttt("sample", "tiqtaqtoe", "1,2", "--backend", "ibm_costly", "--shots", "10")
    assert (run.status, run.out) == (2, "")
    assert "seconds of device time" in run.err
    assert costly.ran == 0


@pytest.mark.parametrize(
    ("text", "flags"), [("y\n", []), ("", ["--yes"])], ids=["answered", "--yes"]
)
def test_with_consent_the_device_is_used(qttt, costly, monkeypatch, text, flags):
    answers(monkeypatch, text)

    def used(backend, **options):
        raise ExecutionError(f"used {backend.name} with {options['shots']} shots")

    monkeypatch.setattr(VERIFY_ON_DEVICE, used)
    run = qttt("verify", "--backend", "ibm_costly", "--shots", "100", *flags)
    assert (run.status, run.out) == (3, "")
    assert run.err.endswith("qttt: used ibm_costly with 100 shots\n")


def test_confirming_is_refused_where_nobody_answers(costly, monkeypatch, capsys):
    answers(monkeypatch, "")
    with pytest.raises(click.UsageError, match="nothing was submitted"):
        confirm_spending(costly, 4000, circuits=3, yes=False)
    asked = capsys.readouterr()
    assert asked.out == ""
    assert "ibm_costly: about 5 seconds of device time for 3 circuits of 4000 shots" in asked.err


def test_what_costs_nothing_is_not_asked_about(costly, monkeypatch, capsys):
    answers(monkeypatch, "")
    confirm_spending(costly, 10**6, yes=True)
    for backend in (ibm.fake_backend("fake_torino"), Vendor(None, None), "aer", None):
        confirm_spending(backend, 10**6, circuits=100, yes=False)
    assert capsys.readouterr() == ("", "")


# --- backends


def test_backends_lists_simulators_and_snapshots(qttt):
    run = qttt("backends", "--no-account", "--json")
    assert (run.status, run.err) == (0, "")
    document = json.loads(run.out)
    assert document.keys() == {"backends", "account"}
    assert document["account"] == "not asked"
    for entry in document["backends"]:
        assert entry.keys() == {"name", "kind", "qubits"}
    kinds = {entry["name"]: entry["kind"] for entry in document["backends"]}
    assert len(kinds) == len(document["backends"])
    assert {n for n, kind in kinds.items() if kind == "simulator"} == {
        "aer", *(f"aer:{method}" for method in AER_METHODS),
    }  # fmt: skip
    assert {n for n, kind in kinds.items() if kind == "noise snapshot"} == set(ibm.fake_names())
    qubits = {entry["name"]: entry["qubits"] for entry in document["backends"]}
    assert (qubits["fake_torino"], qubits["aer"]) == (133, None)


def test_backends_prints_a_table_for_people(qttt):
    run = qttt("backends", "--no-account")
    assert (run.status, run.err) == (0, "")
    assert any("fake_sherbrooke" in line and "127" in line for line in run.out.splitlines())
    assert run.out.splitlines()[-1] == "IBM account: not asked"


def test_backends_lists_the_devices_of_the_account(qttt, monkeypatch):
    devices = [TargetOnly(small_target(n), f"ibm_{n}") for n in (3, 5)]
    monkeypatch.setattr(ibm, "devices", lambda: devices)
    document = json.loads(qttt("backends", "--json").out)
    assert document["backends"][-2:] == [
        {"name": "ibm_3", "kind": "device", "qubits": 3},
        {"name": "ibm_5", "kind": "device", "qubits": 5},
    ]
    assert document["account"] == "the IBM account can be used"


def test_an_account_that_cannot_be_used_is_said_and_the_rest_listed(qttt, monkeypatch):
    def refused():
        raise ExecutionError("no IBM account found: save one")

    monkeypatch.setattr(ibm, "devices", refused)
    run = qttt("backends", "--json")
    assert run.status == 0
    document = json.loads(run.out)
    assert document["account"] == "no IBM account found: save one"
    assert "fake_torino" in {entry["name"] for entry in document["backends"]}


def test_without_the_runtime_aer_is_listed_and_the_extra_named(qttt, monkeypatch):
    monkeypatch.setitem(sys.modules, "qiskit_ibm_runtime", None)
    monkeypatch.setattr(ibm, "_fakes", ibm._fakes.__wrapped__)
    run = qttt("backends", "--json")
    assert run.status == 0
    document = json.loads(run.out)
    assert [entry["name"] for entry in document["backends"]] == [
        "aer", *(f"aer:{method}" for method in AER_METHODS),
    ]  # fmt: skip
    assert "pip install 'qttt-circuits[ibm]'" in document["account"]


@pytest.mark.parametrize("arguments", [("--jsn",), ("aer",)], ids=["option", "argument"])
def test_wrong_use_of_backends_exits_with_2(qttt, arguments):
    assert_refused(qttt("backends", *arguments), arguments[0])
