"""Measured bits may come in any of Qiskit's forms; all of them mean the same."""

from collections import Counter, OrderedDict
from types import MappingProxyType

import numpy as np
import pytest
from circuits import play, text
from qiskit.primitives import PubResult, SamplerPubResult
from qiskit.primitives.containers import BitArray, DataBin
from qiskit.result import Counts

from qttt_circuits.errors import ExecutionError

SHOTS = 200


@pytest.fixture(scope="module")
def experiment():
    """Seven clbits in two registers: obs of six, anc of one."""
    return play("cancelling", "1,2 -2,3").experiment(encoding="pair", elide=False)


@pytest.fixture(scope="module")
def rows(experiment):
    """Random bits, so that every reason and several boards occur."""
    rng = np.random.default_rng(7)
    return rng.integers(0, 2, (SHOTS, experiment.circuit.num_clbits), dtype=np.uint8)


@pytest.fixture(scope="module")
def expected(experiment, rows):
    """Counts and rejections, read shot by shot."""
    counts, rejected = Counter(), Counter(dict.fromkeys(experiment.decoder.reasons, 0))
    first = None
    for row in rows:
        accepted, name = experiment.decoder.read([int(bit) for bit in row])
        (counts if accepted else rejected)[name] += 1
        first = first or (name if accepted else None)
    assert len(counts) > 2
    assert rejected["renormalise"] > 2
    assert rejected["pieces"] > 2
    return dict(counts), dict(rejected), first


def registers(experiment):
    return {register.name: register.size for register in experiment.circuit.cregs}


def spaced(experiment, bits):
    """Returns a bit string with a space between registers, as AerSimulator.run writes it."""
    parts, end = [], len(bits)
    for size in registers(experiment).values():
        parts.append(bits[end - size : end])
        end -= size
    return " ".join(reversed(parts))


def bit_array(array):
    return BitArray.from_bool_array(np.asarray(array, dtype=bool), order="little")


def data_bin(experiment, rows):
    found, start = {}, 0
    for name, size in registers(experiment).items():
        found[name] = bit_array(rows[:, start : start + size])
        start += size
    return DataBin(shape=(), **found)


def strings(rows):
    return [text(row) for row in rows]


ORDERED = {
    "strings": lambda e, rows: strings(rows),
    "strings with spaces": lambda e, rows: [spaced(e, s) for s in strings(rows)],
    "a tuple of strings": lambda e, rows: tuple(strings(rows)),
    "numpy strings": lambda e, rows: [np.str_(s) for s in strings(rows)],
    "hexadecimal strings": lambda e, rows: [hex(int(s, 2)) for s in strings(rows)],
    "hexadecimal strings with zeros and capitals": lambda e, rows: [
        f"0x{int(s, 2):04X}" for s in strings(rows)
    ],
    "an array of uint8": lambda e, rows: rows,
    "an array of bool": lambda e, rows: rows.astype(bool),
    "an array of int64": lambda e, rows: rows.astype(np.int64),
    "an array of float": lambda e, rows: rows.astype(float),
    "an array in Fortran order": lambda e, rows: np.asfortranarray(rows),
    "a strided array": lambda e, rows: np.repeat(rows, 2, axis=0)[::2],
    "a read-only array": lambda e, rows: _read_only(rows),
    "a bit array": lambda e, rows: bit_array(rows),
    "a data bin": lambda e, rows: data_bin(e, rows),
    "a data bin with more registers": lambda e, rows: DataBin(
        shape=(), other=bit_array(rows[:, :2]), **dict(data_bin(e, rows).items())
    ),
    "a pub result": lambda e, rows: PubResult(data_bin(e, rows)),
    "a sampler pub result": lambda e, rows: SamplerPubResult(data_bin(e, rows)),
}
COUNTED = {
    "counts": lambda e, rows: dict(Counter(strings(rows))),
    "counts with spaces": lambda e, rows: dict(Counter(spaced(e, s) for s in strings(rows))),
    "counts in hexadecimal": lambda e, rows: {
        hex(int(s, 2)): n for s, n in Counter(strings(rows)).items()
    },
    "counts in two ways to write hexadecimal": lambda e, rows: {
        **Counter(hex(int(s, 2)) for s in strings(rows[:90])),
        **Counter(f"0x{int(s, 2):08x}" for s in strings(rows[90:])),
    },
    "a counter": lambda e, rows: Counter(strings(rows)),
    "an ordered dict": lambda e, rows: OrderedDict(Counter(strings(rows))),
    "a mapping proxy": lambda e, rows: MappingProxyType(Counter(strings(rows))),
    "numpy integers": lambda e, rows: {k: np.int64(n) for k, n in Counter(strings(rows)).items()},
    "Qiskit counts": lambda e, rows: Counts(Counter(strings(rows))),
    "counts of a bit array": lambda e, rows: bit_array(rows).get_counts(),
    "counts with and without spaces": lambda e, rows: {
        **Counter(strings(rows[:90])),
        **Counter(spaced(e, s) for s in strings(rows[90:])),
    },
    "counts with a zero": lambda e, rows: {"0000000": 0, **Counter(strings(rows))},
}


def _read_only(rows):
    rows = rows.copy()
    rows.flags.writeable = False
    return rows


@pytest.mark.parametrize("form", ORDERED)
def test_shots_in_order_give_the_same_result(experiment, rows, expected, form):
    result = experiment.decode(ORDERED[form](experiment, rows))
    assert (result.counts, result.rejected, result.first) == expected
    assert result.shots == SHOTS
    assert list(result.counts) == sorted(result.counts)


@pytest.mark.parametrize("form", COUNTED)
def test_counts_give_the_same_result_without_a_first_shot(experiment, rows, expected, form):
    result = experiment.decode(COUNTED[form](experiment, rows))
    assert (result.counts, result.rejected) == expected[:2]
    assert result.first is None
    assert result.shots == SHOTS


def test_the_first_accepted_shot_is_the_first_in_time():
    experiment = play("tiqtaqtoe", "1,2").experiment(encoding="pair")
    for shots, first in (
        (["11", "00", "10", "01"], "EXEEEEEEE"),
        (["11", "00", "01", "10"], "XEEEEEEEE"),
        (["10", "01", "01", "01"], "EXEEEEEEE"),
        (["01", "10", "01"], "XEEEEEEEE"),
        (["11", "00"], None),
    ):
        assert experiment.decode(shots).first == first
        array = np.array([[int(bit) for bit in reversed(shot)] for shot in shots])
        assert experiment.decode(array).first == first


def test_more_clbits_than_an_integer_has_are_read_alike():
    """A whole board with all ancillas and more: rows are then compared as rows."""
    from qttt_circuits.measured import measured_bits

    rng = np.random.default_rng(3)
    for width in (1, 7, 8, 9, 63, 64, 65, 80):
        rows = rng.integers(0, 2, (50, width), dtype=np.uint8)
        rows = np.vstack([rows, rows[::-1]])
        found = measured_bits(rows, {"obs": width})
        expected = Counter(tuple(int(bit) for bit in row) for row in rows)
        assert {p: n for p, n, _ in found.patterns()} == expected
        for p, _, index in found.patterns():
            assert index == next(i for i, row in enumerate(rows) if tuple(row) == p)
        assert found.shots == 100


def test_a_hexadecimal_is_the_integer_of_the_bits_with_clbit_0_least():
    experiment = play("tiqtaqtoe", "1,2").experiment(encoding="pair")
    for text_, board in (("0x1", "XEEEEEEEE"), ("0x2", "EXEEEEEEE"), ("0x0002", "EXEEEEEEE")):
        assert experiment.decode([text_]).first == board
        assert experiment.decode({text_: 3}).counts == {board: 3}


def test_no_bits_and_no_shots_are_possible():
    experiment = play("tiqtaqtoe", "1").experiment()
    assert experiment.decode(np.zeros((5, 0))).counts == {"XEEEEEEEE": 5}
    assert experiment.decode({"": 4}).shots == 4
    assert experiment.decode(["", ""]).counts == {"XEEEEEEEE": 2}
    experiment = play("tiqtaqtoe", "1,2").experiment()
    for nothing in ({}, [], np.zeros((0, 2))):
        result = experiment.decode(nothing)
        assert (result.shots, result.counts, result.accepted) == (0, {}, 0)
        assert set(result.rejected.values()) == {0}


MALFORMED = {
    "a string too short": {"000000": 1},
    "a string too long": {"00000000": 1},
    "a hexadecimal too large": {"0x80": 1},
    "a hexadecimal much too large": {"0xffffffffffffffffffff": 1},
    "a hexadecimal without digits": {"0x": 1},
    "a hexadecimal with a wrong digit": {"0x0g": 1},
    "a hexadecimal with a sign": {"0x-1": 1},
    "a hexadecimal with an underscore": {"0x1_1": 1},
    "a hexadecimal with a space": {"0x 1": 1},
    "a hexadecimal with a space before it": {" 0x1": 1},
    "a hexadecimal with a capital X": {"0X00001": 1},
    "a hexadecimal without a prefix": {"7f": 1},
    "a list with a hexadecimal too large": ["0x7f", "0x80"],
    "a digit other than 0 and 1": {"0000002": 1},
    "a wide digit": {"000000０": 1},
    "an integer key": {5: 1},
    "a negative count": {"0000000": -1},
    "a fractional count": {"0000000": 1.5},
    "a float count": {"0000000": 2.0},
    "an infinite count": {"0000000": float("inf")},
    "a boolean count": {"0000000": True},
    "a count that is text": {"0000000": "3"},
    "no count": {"0000000": None},
    "a list with a short string": ["0000000", "000000"],
    "a list of lists": [[0, 0, 0, 0, 0, 0, 0]],
    "a list of integers": [0, 1],
    "a single string": "0000000",
    "bytes": b"0000000",
    "nothing": None,
    "a number": 3,
    "a set": {"0000000"},
    "too few columns": np.zeros((3, 6)),
    "too many columns": np.zeros((3, 8)),
    "one dimension": np.zeros(7),
    "three dimensions": np.zeros((2, 3, 7)),
    "other values": np.full((2, 7), 2),
    "negative values": np.full((2, 7), -1),
    "values that wrap around": np.full((2, 7), 256),
    "fractions": np.full((2, 7), 0.5),
    "not a number": np.full((2, 7), np.nan),
    "an array of text": np.full((2, 7), "0"),
    "a bit array too narrow": bit_array(np.zeros((4, 6))),
    "a bit array too wide": bit_array(np.zeros((4, 8))),
    "a bit array of many pubs": BitArray(np.zeros((2, 4, 1), dtype=np.uint8), 7),
    "a data bin without anc": DataBin(shape=(), obs=bit_array(np.zeros((4, 6)))),
    "a data bin without obs": DataBin(shape=(), anc=bit_array(np.zeros((4, 1)))),
    "an empty data bin": DataBin(shape=()),
    "registers exchanged": DataBin(
        shape=(), obs=bit_array(np.zeros((4, 1))), anc=bit_array(np.zeros((4, 6)))
    ),
    "registers of different shots": DataBin(
        shape=(), obs=bit_array(np.zeros((4, 6))), anc=bit_array(np.zeros((3, 1)))
    ),
    "a data bin of many pubs": DataBin(
        shape=(2,),
        obs=BitArray(np.zeros((2, 4, 1), dtype=np.uint8), 6),
        anc=BitArray(np.zeros((2, 4, 1), dtype=np.uint8), 1),
    ),
    "a pub result of another circuit": PubResult(
        DataBin(shape=(), meas=bit_array(np.zeros((4, 7))))
    ),
}


@pytest.mark.parametrize("form", MALFORMED)
def test_what_does_not_fit_is_refused(experiment, form):
    registers_ = registers(experiment)
    assert registers_ == {"obs": 6, "anc": 1}, "the malformed forms are made for these"
    with pytest.raises(ExecutionError) as refused:
        experiment.decode(MALFORMED[form])
    assert "\n" not in str(refused.value)
