"""The store: files written whole or not at all, found by name, left alone when damaged."""

import json
import os
import tempfile
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from runs import files, fresh_store, full_disk

from qttt_circuits.errors import RecordError, StoreError
from qttt_circuits.jobs import JobRecord, Store

store = pytest.fixture(fresh_store)

BITS = [np.array([[0, 1, 1], [1, 0, 1]], dtype=np.uint8), np.zeros((2, 9), dtype=np.uint8)]


SETTINGS = {"position": "cancelling 1,2", "encoding": "spin", "ancillas": "needed"}


def record(run_id="qttt-aaaa", **changes):
    made = JobRecord(
        run_id=run_id,
        created="2026-01-01T00:00:00+00:00",
        status="prepared",
        backend="aer:statevector",
        game={"rules": "cancelling"},
        experiment={"settings": SETTINGS},
        shots=2,
        seed=1,
        circuits=("QQ==",),
        registers={"obs": 3},
        qubits=(0, 1, 2),
    )
    return replace(made, **changes)


# --- writing ------------------------------------------------------------------------------------


def test_a_record_is_saved_and_loaded(store):
    assert store.all() == ([], [])
    assert store.save(record()) == record()
    assert store.load("qttt-aaaa") == record()
    assert files(store).keys() == {"qttt-aaaa.json"}


def test_saving_again_takes_the_place_of_the_old_record(store):
    for status in ("prepared", "submitted", "done"):
        store.save(record(status=status))
    assert store.load("qttt-aaaa").status == "done"
    assert len(files(store)) == 1


class Full:
    """A file on a full disk: half is written, then nothing more."""

    def __init__(self, file):
        self._file = file

    def __getattr__(self, name):
        return getattr(self._file, name)

    def __enter__(self):
        self._file.__enter__()
        return self

    def __exit__(self, *error):
        return self._file.__exit__(*error)

    def write(self, content):
        self._file.write(content[: len(content) // 2])
        full_disk()


def break_writing(patch, how):
    if how == "write":
        named = tempfile.NamedTemporaryFile
        patch.setattr(tempfile, "NamedTemporaryFile", lambda **more: Full(named(**more)))
    elif how == "create":
        patch.setattr(tempfile, "NamedTemporaryFile", full_disk)
    else:
        patch.setattr(os, how, full_disk)


@pytest.mark.parametrize("how", ["create", "write", "fsync", "replace"])
def test_a_write_that_fails_leaves_everything_as_it_was(store, monkeypatch, how):
    store.save(record())
    store.save_shots("qttt-aaaa", BITS)
    before = files(store)
    with monkeypatch.context() as patch:
        break_writing(patch, how)
        with pytest.raises(StoreError, match=r"qttt-aaaa\.json could not be written \(No space"):
            store.save(record(status="done"))
        with pytest.raises(StoreError, match=r"qttt-aaaa\.npz could not be written \(No space"):
            store.save_shots("qttt-aaaa", BITS[:1])
        with pytest.raises(StoreError, match=r"qttt-bbbb\.json"):
            store.save(record("qttt-bbbb"))
    assert files(store) == before
    store.save(record(status="done"))
    assert store.load("qttt-aaaa").status == "done"


def test_a_store_that_is_no_directory_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(StoreError, match="could not be written"):
            Store(place).save(record())
        assert Store(place).all() == ([], [])


@given(
    st.lists(
        arrays.arrays(
            np.uint8,
            st.tuples(st.integers(0, 20), st.integers(1, 30)),
            elements=st.integers(0, 1),
        ),
        max_size=4,
    )
)
def test_bits_come_back_as_they_were(shots):
    with tempfile.TemporaryDirectory() as directory:
        store = Store(directory)
        assert store.load_shots("qttt-aaaa") is None
        store.save_shots("qttt-aaaa", shots)
        found = store.load_shots("qttt-aaaa")
    assert len(found) == len(shots)
    for back, sent in zip(found, shots, strict=True):
        assert back.dtype == np.uint8
        assert np.array_equal(back, sent)


def test_bits_are_kept_small(store):
    store.save_shots("qttt-aaaa", [np.zeros((100_000, 18), dtype=np.uint8)])
    assert len(files(store)["qttt-aaaa.npz"]) < 10_000


# --- finding ------------------------------------------------------------------------------------


def test_a_record_is_found_by_the_beginning_of_its_name(store):
    for name in ("qttt-aaaa", "qttt-aabb", "qttt-aab"):
        store.save(record(name))
    assert store.load("qttt-aaa").run_id == "qttt-aaaa"
    assert store.load("qttt-aabb").run_id == "qttt-aabb"
    assert store.load("qttt-aab").run_id == "qttt-aab"
    with pytest.raises(StoreError, match="several runs begin with 'qttt-a'"):
        store.load("qttt-a")
    with pytest.raises(StoreError, match="no run 'qttt-c'"):
        store.load("qttt-c")


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../outside", "a/b", "/etc/passwd", ".hidden", "a/", "./qttt-aaaa"]
)
def test_a_name_that_leads_elsewhere_is_refused(store, tmp_path, name):
    store.save(record())
    (tmp_path / "outside.json").write_text("{}")
    with pytest.raises(StoreError, match="not the name of a run"):
        store.load(name)
    with pytest.raises(StoreError, match="not the name of a run"):
        store.load_shots(name)
    with pytest.raises(StoreError, match="not the name of a run"):
        store.save_shots(name, BITS)
    with pytest.raises(StoreError, match="not the name of a run"):
        store.save(record(name))
    assert files(store).keys() == {"qttt-aaaa.json"}
    assert {path.name for path in tmp_path.iterdir()} == {"runs", "outside.json"}


def test_wildcards_find_nothing(store):
    store.save(record())
    for name in ("*", "qttt-?aaa", "[q]ttt-aaaa", "QTTT-AAAA", "ttt-aaaa", "~"):
        with pytest.raises(StoreError, match="no run"):
            store.load(name)


def test_the_directory_is_given_or_that_of_the_environment_or_the_users(tmp_path, monkeypatch):
    monkeypatch.setenv("QTTT_DATA_DIR", str(tmp_path / "environment"))
    assert Store().directory == tmp_path / "environment"
    assert Store(tmp_path / "given").directory == tmp_path / "given"
    monkeypatch.delenv("QTTT_DATA_DIR")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    assert "qttt-circuits" in Store().directory.parts
    assert list(tmp_path.iterdir()) == []


def test_runs_are_listed_oldest_first(store):
    moments = [
        "2026-01-03T00:00:00+00:00",
        "2026-01-01T00:00:00+00:00",
        "2026-01-02T00:00:00+00:00",
    ]
    for letter, created in zip("abc", moments, strict=True):
        store.save(record(f"qttt-{letter}", created=created))
    assert [found.run_id for found in store.all()[0]] == ["qttt-b", "qttt-c", "qttt-a"]


# --- damage -------------------------------------------------------------------------------------

WHOLE = json.dumps(record("qttt-bad").to_json()).encode()


def changed(**changes):
    data = {**record("qttt-bad").to_json(), **changes}
    return json.dumps({k: v for k, v in data.items() if v is not KeyError}).encode()


DAMAGED = {
    **{f"cut at {n}": WHOLE[: n * len(WHOLE) // 8] for n in range(8)},
    "cut by one": WHOLE[:-1],
    "twice": WHOLE * 2,
    "garbage": bytes(range(256)),
    "zeros": bytes(len(WHOLE)),
    "not text": b"\xff\xfe" + WHOLE,
    "deep list": b"[" * 200_000,
    "deep object": b'{"a":' * 200_000,
    "long number": b"9" * 10_000,
    "list": b"[]",
    "null": b"null",
    "number": b"1",
    "text": b'"qttt-circuits run"',
    "empty object": b"{}",
    "foreign": changed(format="another program's"),
    "no format": changed(format=None),
    "newer": changed(version=3),
    "older": changed(version=0),
    "no version": changed(version=None),
    "renamed": json.dumps(record("qttt-other").to_json()).encode(),
    "status": changed(status="lost"),
    "status list": changed(status=["done"]),
    "name": changed(run_id=5),
    "nothing but a head": b'{"format": "qttt-circuits run", "version": 1}',
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_record_is_named_and_left_alone_and_the_others_are_listed(store, name):
    good = [store.save(record("qttt-aaaa")), store.save(record("qttt-cccc"))]
    path = store.directory / "qttt-bad.json"
    path.write_bytes(DAMAGED[name])
    before = files(store)
    records, [problem] = store.all()
    assert records == good
    assert problem.path == path
    assert problem.reason.startswith(f"{path}: ")
    assert len(problem.reason) < len(str(path)) + 200
    for asked in ("qttt-bad", "qttt-b"):
        with pytest.raises(RecordError, match=r"qttt-bad\.json: "):
            store.load(asked)
    assert store.load("qttt-a") == good[0]
    assert files(store) == before


@pytest.mark.parametrize(
    "field", ["run_id", "created", "status", "backend", "game", "experiment", "shots", "seed",
              "circuits", "registers", "qubits"],
)  # fmt: skip
def test_a_record_without_a_part_is_damaged(store, field):
    store.save(record("qttt-bad"))
    data = record("qttt-bad").to_json()
    del data[field]
    (store.directory / "qttt-bad.json").write_text(json.dumps(data))
    assert store.all()[0] == []
    assert len(store.all()[1]) == 1


def test_directories_links_and_other_files_are_not_in_the_way(store):
    store.save(record())
    (store.directory / "qttt-dir.json").mkdir()
    (store.directory / "qttt-link.json").symlink_to(store.directory / "nowhere")
    (store.directory / "notes.txt").write_text("mine")
    (store.directory / ".left-over.part").write_bytes(WHOLE)
    records, problems = store.all()
    assert records == [record()]
    assert [problem.path.name for problem in problems] == ["qttt-dir.json", "qttt-link.json"]
    for name in ("qttt-dir", "qttt-link"):
        with pytest.raises((RecordError, StoreError), match=name):
            store.load(name)


def test_damaged_bits_are_named_and_left_alone(store):
    store.save_shots("qttt-aaaa", BITS)
    path = store.directory / "qttt-aaaa.npz"
    whole = path.read_bytes()
    middle = len(whole) // 2
    damaged = [whole[: n * len(whole) // 8] for n in range(8)]
    damaged += [
        b"garbage" * 20,
        bytes(len(whole)),
        whole[:middle] + bytes(40) + whole[middle + 40 :],
    ]
    for content in damaged:
        path.write_bytes(content)
        with pytest.raises(RecordError, match=r"qttt-aaaa\.npz: the bits of the run are damaged"):
            store.load_shots("qttt-aaaa")
        assert path.read_bytes() == content


def test_bits_of_another_program_are_damaged(store):
    store.save(record())
    path = store.directory / "qttt-aaaa.npz"
    for content in (
        {"other": np.zeros(3)},
        {"widths": np.array([3])},
        {"widths": np.array([3]), "bits0": np.array([[0.5]])},
        {"widths": np.array([object()], dtype=object)},
    ):
        np.savez(path, **content, allow_pickle=True)
        with pytest.raises(RecordError, match="damaged"):
            store.load_shots("qttt-aaaa")
