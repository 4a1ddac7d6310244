"""Rolling tables: those typed from document 000, and every face of every other one."""

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import isqrt, prod
from pathlib import Path
from random import Random

import pytest
import sympy
from helpers import GOLDEN
from hypothesis import given
from hypothesis import strategies as st
from strategies import cancelling_surds, games, rationals, surds
from test_imports import HEAVY, loaded

from qttt_circuits import Game, Surd
from qttt_circuits.errors import OptionError, UnknownNameError
from qttt_circuits.rolls import DICE, RollTable, rolls
from qttt_circuits.rolls.dice import D8, D32, Digits
from qttt_circuits.rolls.documents import half_cancelled
from qttt_circuits.rolls.groups import groups
from qttt_circuits.rolls.shares import exact_numbers, largest_remainder, whole_part

EXACT = json.loads((Path(__file__).parent / "golden" / "rolls.json").read_text())["tables"]
ROOT2 = sympy.sqrt(2)
MOST = {"d100": 100, "d4": 256, "d6": 216}

# --- typed from document 000, "Rolling the Half-cancelling Move" ---------------------------------

THEIRS_ENTANGLED, THEIRS_OTHER, YOURS, CANCELLED = (
    "theirs entangled",
    "theirs",
    "yours",
    "cancelled",
)
DOCUMENT_D100 = {
    THEIRS_ENTANGLED: range(1, 20),
    THEIRS_OTHER: range(21, 60),
    YOURS: range(61, 100),
    CANCELLED: (20, 60, 100),
}
DOCUMENT_D5 = {1: THEIRS_ENTANGLED, 2: THEIRS_OTHER, 3: THEIRS_OTHER, 4: YOURS, 5: YOURS}

HALF = [
    # moves; the document's four outcomes on the squares of the move
    (("1,2", "-2,3"), "EEX", "XEE", "EEO", "EXE"),
    (("1,2", "3,-2"), "EEX", "XEE", "EEO", "EXE"),
    (("1,2", "2,-3"), "EXE", "XEE", "EOE", "EEX"),
    (("1,2", "-1,3"), "EEX", "EXE", "EEO", "XEE"),
    (("2,3", "1,-2"), "XEE", "EEX", "OEE", "EXE"),
    (("O:1,2", "X:-2,3"), "EEO", "OEE", "EEX", "EOE"),
]
HALF_POSITIONS = [
    (moves, {kind: board + "EEEEEE" for kind, board in zip(
        (THEIRS_ENTANGLED, THEIRS_OTHER, YOURS, CANCELLED), boards, strict=True)})
    for moves, *boards in HALF
]  # fmt: skip
every_half = pytest.mark.parametrize(
    ("moves", "kinds"), HALF_POSITIONS, ids=[" ".join(moves) for moves, _ in HALF_POSITIONS]
)
BOTH = ("3,4", "-3,1", "O:-4,2")

POSITIONS = [
    ("cancelling", ("1,2", "-2,3")),
    ("cancelling", BOTH),
    ("cancelling", ("1,2", "-2,3", "4,5")),
    ("cancelling", ("1,2", "-2,3", "O:1,4")),
    ("cancelling", ("1,2", "-2,3", "4,5", "-5,6")),
    ("shiftflip", ("1,2", "-2,3", "4,5", "-5,-6")),
    ("tiqtaqtoe", ("1,2", "2,3", "O:4,1")),
    ("tiqtaqtoe", ()),
    ("goff", ("5,8", "5,9", "1,2")),
    ("leaw-cheong", ("1:8/17,2:15/17",)),
    ("leaw-cheong", ("1:r1/2,5:r1/2", "2", "1:r1/6,5:-r1/6,3:r2/3")),
    ("leaw-cheong", ("1:r1/3,5:r2/3i",)),
    ("leaw-cheong", ("1:r1/3,2:r1/3,3:r1/3", "4", "1:r1/2,2:-r1/2", "5", "1:r1/6,2:r1/6,3:-r2/3")),
    ("leaw-cheong", ("1:3/5,2:4/5i", "4", "1:4/5i,2:3/5")),
    ("cat-and-hounds", ()),
]


def played(rules, moves, **options):
    game = Game(rules, **options)
    for move in moves:
        game.push(move)
    return game


def thrown(dice):
    """Yields every way in which dice can fall."""
    yield from product(*(range(1, sides + 1) for sides in dice.sides))


def by_brute_force(table, which=0):
    """Returns the distribution of a table from every way in which its dice can fall."""
    found, reached = Counter(), Fraction(1)
    for step in table.steps:
        dice = step.dice[min(which, len(step.dice) - 1)]
        shown = [step.find(dice.read(values)) for values in thrown(dice)]
        kept = [r.outcome for r in shown if r is not None]
        onward = Fraction(0)
        for outcome, times in Counter(kept).items():
            share = reached * times / len(kept)
            if outcome is None:
                onward += share
            else:
                found[outcome] += share
        reached = onward
    assert reached == 0
    return dict(found)


def as_sympy(number):
    return sympy.sympify(number)


def check(table):
    """Checks what holds of every table, whatever the position."""
    for which in range(2):
        assert by_brute_force(table, which) == table.probabilities
    assert sum(table.probabilities.values()) == 1
    assert set(table.probabilities) <= set(table.exact)
    for step in table.steps:
        numbers = [n for r in step.ranges for n in range(r.first, r.last + 1)]
        assert numbers == list(range(1, step.kept + 1))
        assert step.kept + step.rerolled == step.faces
        for dice in step.dice:
            read = Counter(dice.read(values) for values in thrown(dice))
            assert set(read) == set(range(1, dice.faces + 1))
            assert len(set(read.values())) == 1
            assert dice.faces >= step.kept
    document = json.loads(json.dumps(table.to_json()))
    spans = [row for row in document["table"] if row["from"] is not None]
    ends = [(row["from"], row["to"]) for row in spans]
    assert [n for a, b in ends for n in range(a, b + 1)] == list(
        range(1, document["faces"] - document["rerolled"] + 1)
    )
    faces = Counter()
    for row in spans:
        faces[row["outcome"]] += row["to"] - row["from"] + 1
    for row in document["table"]:
        kept = document["faces"] - document["rerolled"]
        of_range = 0 if row["from"] is None else (row["to"] - row["from"] + 1) / kept
        assert row["probability"] == pytest.approx(of_range, abs=1e-15)
        assert row["exact"] == str(table.exact[row["outcome"]])
    assert {row["outcome"] for row in document["table"]} == set(table.exact)
    for outcome in set(table.exact) - set(table.probabilities):
        assert any(outcome in line for line in document["procedure"])


def check_nearest(table, faces):
    """Checks a table of one step that is not exact: it uses every face there is."""
    [step] = table.steps
    assert (step.faces, step.rerolled) == (faces, 0)
    counts = Counter()
    for r in step.ranges:
        counts[r.outcome] += r.size
    probabilities = [as_surd(p) for p in table.exact.values()]
    assert nearest([counts[o] for o in table.exact], probabilities, faces)


def as_surd(number):
    return number if isinstance(number, Surd) else float(number)


def check_distance(table):
    """Checks the distance against sympy."""
    apart = [
        abs(as_sympy(p) - sympy.Rational(str(table.probabilities.get(o, 0))))
        for o, p in table.exact.items()
    ]
    expected = sympy.nsimplify(sum(apart) / 2)
    assert sympy.simplify(as_sympy(table.distance_exact) - expected) == 0
    assert table.distance == pytest.approx(float(expected), abs=1e-15)


# --- the documents' own tables -------------------------------------------------------------------


@every_half
def test_the_d100_table_is_the_documents(moves, kinds):
    [step] = rolls(played("cancelling", moves)).steps
    assert step.faces == 100
    for kind, numbers in DOCUMENT_D100.items():
        assert all(step.find(n).outcome == kinds[kind] for n in numbers)


@every_half
def test_the_d4_procedure_is_the_documents(moves, kinds):
    failure, last = rolls(played("cancelling", moves), "d4").steps
    fails = 0
    for first, second, own in product(range(1, 5), repeat=3):
        failed = first == 4 and second == 4 and own in (1, 2)
        found = failure.find(failure.dice[0].read((first, second, own)))
        assert found.outcome == (kinds[CANCELLED] if failed else None)
        fails += failed
    assert Fraction(fails, 64) == Fraction(1, 32)
    two_d4, d6 = last.dice
    for control, outcome in product(range(1, 5), repeat=2):
        d8 = outcome if control in (1, 2) else outcome + 4
        found = last.find(two_d4.read((control, outcome)))
        assert (found and found.outcome) == kinds.get(DOCUMENT_D5.get(d8))
    for number in range(1, 7):
        found = last.find(d6.read((number,)))
        assert (found and found.outcome) == kinds.get(DOCUMENT_D5.get(number))


@every_half
def test_the_documents_probabilities(moves, kinds):
    """1/(4 - √2) twice, 1/(8 - √8) and (3 - √8)/(8 - √8)."""
    exact = rolls(played("cancelling", moves)).exact
    typed = {
        THEIRS_ENTANGLED: 1 / (8 - sympy.sqrt(8)),
        THEIRS_OTHER: 1 / (4 - ROOT2),
        YOURS: 1 / (4 - ROOT2),
        CANCELLED: (3 - sympy.sqrt(8)) / (8 - sympy.sqrt(8)),
    }
    for kind, p in typed.items():
        assert sympy.simplify(as_sympy(exact[kinds[kind]]) - p) == 0


def test_three_percent_for_a_little_more():
    game = played("cancelling", ("1,2", "-2,3"))
    table = rolls(game)
    assert table.probabilities["EXEEEEEEE"] == Fraction(3, 100)
    assert float(table.exact["EXEEEEEEE"]) == pytest.approx(0.033176149575)
    assert table.probabilities == {
        "EEXEEEEEE": Fraction(19, 100),
        "EXEEEEEEE": Fraction(3, 100),
        "XEEEEEEEE": Fraction(39, 100),
        "EEOEEEEEE": Fraction(39, 100),
    }
    # twice 39/100 less 1/(4 - √2)
    assert table.distance_exact == 2 * (Fraction(39, 100) - 1 / (4 - Surd(0, 1)))
    by_d4 = rolls(game, "d4")
    # all that is wrong is the chance of the failure
    assert by_d4.distance_exact == table.exact["EXEEEEEEE"] - Fraction(1, 32)
    assert by_d4.distance < table.distance < 0.0066


def test_both_halves_cancelled_are_rolled_as_the_document_says():
    """A check of 1/32 for each, then a d6: 1 and 2 the opponent's piece, the others yours."""
    table = rolls(played("cancelling", BOTH), "d4")
    *checks, last = table.steps
    assert [{r.outcome for r in step.ranges} for step in checks] == [
        {None, "EEXEEEEEE"},
        {None, "EEEXEEEEE"},
    ]
    theirs, yours = {"XEEEEEEEE", "EXEEEEEEE"}, {"OEEEEEEEE", "EOEEEEEEE"}
    d6 = last.dice[1]
    shown = {n: last.find(d6.read((n,))).outcome for n in range(1, 7)}
    assert {shown[1], shown[2]} == theirs
    assert {shown[3], shown[5]} == yours
    assert (shown[3], shown[5]) == (shown[4], shown[6])
    first, second = Fraction(1, 32), Fraction(31, 32) / 32
    rest = 1 - first - second
    assert by_brute_force(table) == {
        "EEXEEEEEE": first,
        "EEEXEEEEE": second,
        **dict.fromkeys(theirs, rest / 6),
        **dict.fromkeys(yours, rest / 3),
    }
    check(table)
    check_distance(table)


@pytest.mark.parametrize(
    "moves",
    [
        ("3,4", "-3,1", "9", "-4,2"),
        ("3,4", "1,-3", "9", "-2,4"),
        ("3,4", "3,-1", "9", "4,-2"),
        ("3,4", "-4,2", "9", "1,-3"),
    ],
    ids=" ".join,
)
def test_both_halves_cancelled_in_turn_with_a_piece_elsewhere(moves):
    table = rolls(played("cancelling", moves), "d4")
    assert len(table.steps) == 3
    assert all(board.endswith("X") for board in table.exact)
    check(table)


def test_a_cancelling_move_elsewhere_and_certain_pieces_change_nothing():
    for moves in (("1,2", "-2,3", "9"), ("9", "1,2", "-2,3"), ("9", "8", "1,2", "-2,3")):
        table = rolls(played("cancelling", moves), "d4")
        assert len(table.steps) == 2
        assert table.distance == rolls(played("cancelling", ("1,2", "-2,3")), "d4").distance


def test_after_an_observation_it_is_the_same():
    game = played("cancelling", ("1", "2", "3,4", "5,6", "7,8", "9", "@XOXEOEEXO", "4,6", "-6,7"))
    [step] = rolls(game).steps
    assert step.find(1).outcome == "XOXEOEXXO"
    assert step.find(20).outcome == "XOXEOXEXO"
    assert step.find(21).outcome == "XOXXOEEXO"
    assert step.find(99).outcome == "XOXEOEOXO"


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        ("cancelling", ("1,2", "-2,3", "O:1,4")),
        ("cancelling", ("1,2", "1,4", "X:5", "O:-2,3")),
        ("cancelling", ("1,2", "2,3")),
        ("cancelling", ("1", "-1,2")),
        ("shiftflip", ("1,2", "-2,3")),
        ("cancelling", ("1,2", "-2,3", "4,5")),
    ],
)
@pytest.mark.parametrize("dice", DICE)
def test_other_positions_are_not_rolled_as_half_cancelled(rules, moves, dice):
    table = rolls(played(rules, moves), dice)
    assert len(table.steps) == 1
    outcomes = [r.outcome for r in table.steps[0].ranges]
    assert outcomes == sorted(set(outcomes))


def test_what_is_not_the_documents_distribution_is_not_rolled_its_way():
    [group] = groups(played("cancelling", ("1,2", "-2,3")))
    roles = half_cancelled(group)
    assert (roles.you, roles.opponent) == ("O", "X")
    assert half_cancelled(replace(group, distribution=dict.fromkeys(group.distribution, 0))) is None


# --- any other position --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "golden", EXACT, ids=lambda g: " ".join([g["dice"], g["rules"], *g["moves"]])
)
def test_rational_positions_have_exact_tables(golden):
    table = rolls(played(golden["rules"], golden["moves"]), golden["dice"])
    found = table.to_json()
    assert [[row["from"], row["to"], row["outcome"]] for row in found["table"]] == golden["table"]
    assert (found["faces"], found["rerolled"]) == (golden["faces"], golden["rerolled"])
    assert (table.distance, found["distance_exact"]) == (0, "0")
    assert {o: Surd(p) for o, p in table.probabilities.items()} == table.exact
    check(table)


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda g: " ".join([g["rules"], *g["moves"]]))
@pytest.mark.parametrize("dice", DICE)
def test_distances_from_golden_distributions(golden, dice):
    table = rolls(played(golden["rules"], golden["moves"]), dice)
    apart = 0
    for board, p in golden["probabilities"].items():
        exact = sympy.Rational(p["rational"]) + sympy.Rational(p["sqrt2"]) * ROOT2
        apart += abs(exact - sympy.Rational(str(by_brute_force(table).get(board, 0)))) / 2
    assert sympy.simplify(as_sympy(table.distance_exact) - apart) == 0


@pytest.mark.parametrize(("rules", "moves"), POSITIONS, ids=lambda v: str(v))
@pytest.mark.parametrize("dice", DICE)
def test_every_face_and_the_distance(rules, moves, dice):
    game = played(rules, moves)
    table = rolls(game, dice)
    check(table)
    check_distance(table)
    if len(table.steps) == 1 and table.distance_exact:
        check_nearest(table, MOST[dice])
    assert {o: float(p) for o, p in table.exact.items()} == pytest.approx(game.probabilities())


def test_a_denominator_that_no_dice_divide_is_rolled_to_the_nearest():
    table = rolls(played("leaw-cheong", ("1:8/17,2:15/17",)), "d4")
    assert (table.faces, table.rerolled) == (256, 0)
    assert table.probabilities == {"1": Fraction(57, 256), "2": Fraction(199, 256)}
    assert table.distance_exact == abs(Fraction(64, 289) - Fraction(57, 256))


def test_other_roots_than_that_of_two_stay_exact():
    table = rolls(played("leaw-cheong", ("1:r1/2,5:r1/2", "2", "1:r1/6,5:-r1/6,3:r2/3")), "d6")
    assert table.exact["1"] == sympy.Rational(1, 3) + sympy.sqrt(3) / 6
    assert table.distance_exact == sympy.sqrt(3) / 6 - sympy.Rational(31, 108)
    assert table.to_json()["distance_exact"] == "-31/108 + sqrt(3)/6"


def test_ties_go_to_the_first():
    assert largest_remainder([Surd("1/3")] * 3, 100) == [34, 33, 33]
    assert largest_remainder([Surd("1/6")] * 6, 100) == [17, 17, 17, 17, 16, 16]
    assert largest_remainder([Surd("1/2"), Surd("1/4"), Surd("1/4")], 2) == [1, 1, 0]


def test_an_outcome_that_no_roll_shows_is_named():
    table = rolls(played("cancelling", ("1,2", "-2,3", "4,5", "-5,6")))
    assert "EXEEXEEEE" not in table.probabilities
    assert "no roll shows EXEEXEEEE, of probability 0.001101" in table.procedure
    assert {"from": None, "to": None, "outcome": "EXEEXEEEE", "probability": 0.0,
            "exact": "57/392 - 5/49*sqrt(2)"} in table.to_json()["table"]  # fmt: skip
    assert "none" in str(table)


def nearest(counts, probabilities, faces):
    """Whether no face given to another outcome would bring a table closer to exact.

    The distance is a sum of convex functions of the counts, so then no other table is closer.
    """

    def apart(i, n):
        return abs(probabilities[i] * faces - n)

    less = [apart(i, n - 1) - apart(i, n) for i, n in enumerate(counts) if n]
    more = [apart(i, n + 1) - apart(i, n) for i, n in enumerate(counts)]
    return min(less) + min(more) >= 0


@given(games(), st.sampled_from(DICE))
def test_tables_of_random_positions(game, dice):
    table = rolls(game, dice)
    check(table)
    assert table.exact == game.rules.exact_distribution(game.table)
    if len(table.steps) == 1 and table.distance_exact:
        check_nearest(table, MOST[dice])
    denominators = [p.rational.denominator for p in table.exact.values()]
    if dice != "d100" and not any(p.root for p in table.exact.values()):
        base, most = int(dice[1:]), MOST[dice]
        common = sympy.ilcm(1, *denominators)
        if common <= most:
            assert table.distance_exact == 0
            assert table.faces == min(base**k for k in range(1, 5) if base**k >= common)
            assert table.rerolled == table.faces % common
        else:
            assert table.distance_exact > 0
    assert table.rerolled * 2 < table.faces


@given(games())
def test_groups_rolled_alone_make_the_whole_board(game):
    whole = rolls(game).exact
    alone = [rolls(game, square=group.squares[0]) for group in groups(game)]
    joint = {}
    for choice in product(*(table.exact.items() for table in alone)):
        letters = ["?"] * 9
        for board, _ in choice:
            letters = [new if old == "?" else old for old, new in zip(letters, board, strict=True)]
        joint["".join(letters)] = prod((p for _, p in choice), start=Surd(1))
    assert joint == whole if alone else len(whole) == 1
    for table in alone:
        check(table)


# --- rolling -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", DICE)
@pytest.mark.parametrize("moves", [("1,2", "-2,3"), BOTH], ids=" ".join)
def test_simulated_rolls_show_the_tables_distribution(dice, moves):
    table = rolls(played("cancelling", moves), dice)
    rng, times = Random(7), 20_000
    counts = Counter(table.roll(rng) for _ in range(times))
    assert set(counts) <= set(table.probabilities)
    for outcome, p in table.probabilities.items():
        error = (float(p) * (1 - float(p)) / times) ** 0.5
        assert abs(counts[outcome] / times - p) < 5 * error


def test_a_roll_is_the_seeds_and_rerolls():
    table = rolls(played("goff", ("1,2", "2,3", "3,4", "4,5")), "d6")
    assert [table.roll(seed) for seed in range(40)] == [table.roll(seed) for seed in range(40)]
    assert {table.roll(seed) for seed in range(40)} == set(table.exact)
    assert table.roll() in table.exact
    with pytest.raises(OptionError, match="a seed is an integer"):
        table.roll("seven")


def test_dice_are_written_as_they_are_read():
    two = Digits(4, 2)
    assert [two.write(n) for n in (1, 4, 5, 16)] == ["11", "14", "21", "44"]
    for values in thrown(two):
        assert two.write(two.read(values)) == "".join(map(str, values))
    assert [Digits(100).write(n) for n in (1, 100)] == ["1", "100"]
    assert D8().write(7) == "7"
    for values in thrown(D32()):
        first, second, own = values
        low = "1-2" if own <= 2 else "3-4"
        assert D32().write(D32().read(values)) == f"{first}{second}+{low}"
    assert [str(d) for d in (two, D8(), D32())] == ["two d4", "two d4 as a d8", "three d4 as a d32"]


def test_a_table_is_printed_for_people():
    text = str(rolls(played("cancelling", ("1,2", "-2,3"))))
    assert "20, 60, 100  EXEEEEEEE  3/100 for 2/7 - 5/28*sqrt(2)" in text
    assert text.endswith("total variation distance 0.006541 = 73/350 - 1/7*sqrt(2)")
    text = str(rolls(played("cancelling", ("1,2", "-2,3")), "d4"))
    assert "1: 44+1-2" in text
    assert "roll two of X's d4 and one of O's" in text
    assert str(rolls(played("tiqtaqtoe", ("1",)))).count("\n") == 3


def test_a_table_is_a_value():
    game = played("cancelling", ("1,2", "-2,3"))
    table = rolls(game)
    assert table == rolls(game)
    assert hash(table) == hash(rolls(game))
    assert table != rolls(game, "d6")
    assert (table.position, table.dice) == ("cancelling 1,2 -2,3", "d100")
    assert isinstance(table, RollTable)


# --- numbers -------------------------------------------------------------------------------------


@given(st.one_of(surds, cancelling_surds(), st.builds(Surd, rationals)), st.integers(-99, 99))
def test_the_whole_part_is_the_floor(number, shift):
    number = number + shift  # a cancelling one next to a whole number, which floats miss
    whole = whole_part(number)
    assert isinstance(whole, int)
    assert whole <= number < whole + 1


def test_whole_parts_where_floats_cross_an_integer():
    tiny = Surd(-1, 1) ** 60
    assert whole_part(3 - tiny) == 2
    assert whole_part(3 + tiny) == 3
    # 4 and a little more, whose float is a little less
    number = Surd("-1/2", Fraction(9, 4) * Fraction(isqrt(2 * 10**80) + 1, 10**40))
    assert number > 4 > float(number)
    assert whole_part(number) == 4


@given(st.lists(st.builds(abs, surds.filter(bool)), min_size=1, max_size=9), st.integers(1, 300))
def test_largest_remainders_give_every_face_once(weights, faces):
    total = sum(weights, Surd(0))
    probabilities = [w / total for w in weights]
    counts = largest_remainder(probabilities, faces)
    assert sum(counts) == faces
    assert all(abs(p * faces - n) < 1 for p, n in zip(probabilities, counts, strict=True))
    assert nearest(counts, probabilities, faces)


def test_exact_numbers_of_any_kind():
    assert exact_numbers({"a": Fraction(1, 3), "b": Surd("2/3")}) == {
        "a": Surd("1/3"),
        "b": Surd("2/3"),
    }
    half = sympy.Rational(1, 2)
    found = exact_numbers({"a": half - ROOT2 / 4, "b": half + ROOT2 / 4})
    assert found == {"a": Surd("1/2", "-1/4"), "b": Surd("1/2", "1/4")}
    assert all(isinstance(p, Surd) for p in found.values())
    found = exact_numbers({"a": sympy.sqrt(3) / 3, "b": 1 - sympy.sqrt(3) / 3})
    assert found["a"] == sympy.sqrt(3) / 3


# --- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "kind", "reason"),
    [
        (lambda: rolls("cancelling"), OptionError, "takes a game or a position, not str"),
        (lambda: rolls(None), OptionError, "takes a game or a position, not NoneType"),
        (lambda: rolls(played("tiqtaqtoe", ("1",)), "d8"), UnknownNameError, "unknown dice 'd8'"),
        (lambda: rolls(played("tiqtaqtoe", ("1",)), 100), UnknownNameError, "unknown dice 100"),
        (lambda: rolls(Game("goff")), OptionError, "nothing to roll in goff: play a move"),
        (lambda: rolls(Game("leaw-cheong")), OptionError, "nothing to roll in leaw-cheong"),
        (lambda: rolls(played("leaw-cheong", ("1:0.6,2:0.8",))), OptionError, "or a root"),
        (lambda: rolls(played("goff", ("1,2",)), square=1), OptionError, "dice games only"),
        (lambda: rolls(played("tiqtaqtoe", ("1",)), square=1), OptionError, "left to chance"),
        (lambda: rolls(played("tiqtaqtoe", ("1,2", "3,4")), square=9), OptionError, "1,2 and 3,4"),
        (lambda: rolls(played("tiqtaqtoe", ("1,2",)), square="1"), OptionError, "square '1' is in"),
        (lambda: rolls(played("tiqtaqtoe", ("1,2",)), square=True), OptionError, "square True is"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_line(call, kind, reason):
    with pytest.raises(kind) as refused:
        call()
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("dice", "faces"), MOST.items())
def test_more_outcomes_than_faces_are_refused(dice, faces):
    game = played("goff", ("1,2",))
    for number in (faces, faces + 1):
        even = {str(i): Fraction(1, number) for i in range(number)}
        game.rules.exact_distribution = lambda table, even=even: even
        if number == faces:
            assert rolls(game, dice).distance == 0
            continue
        with pytest.raises(OptionError, match=f"{number} outcomes are more than the {faces} faces"):
            rolls(game, dice)


def test_nothing_is_renormalised():
    game = played("goff", ("1,2",))
    game.rules.exact_distribution = lambda table: {"a": Fraction(1, 2), "b": Fraction(1, 3)}
    with pytest.raises(OptionError, match="sum to 5/6, not to 1"):
        rolls(game)


# --- what it loads -------------------------------------------------------------------------------


def test_rolling_loads_nothing_heavy():
    code = (
        "from qttt_circuits import Game\n"
        "from qttt_circuits.rolls import rolls\n"
        "game = Game('cancelling')\n"
        "game.push('1,2'); game.push('-2,3')\n"
        "for dice in 'd100', 'd4', 'd6':\n"
        "    str(rolls(game, dice)), rolls(game, dice).to_json(), rolls(game, dice).roll(1)"
    )
    assert not loaded(code) & set(HEAVY)
