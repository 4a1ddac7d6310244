"""Cat and hounds: random games of every level against the referee, and the rules one by one."""

from collections import Counter
from fractions import Fraction
from math import sqrt
from random import Random

import pytest
from hounds import LEVELS, NAMES, PARTS, Referee, agrees, branches, ended, walk
from hypothesis import given
from hypothesis import strategies as st

from qttt_circuits import Game, IllegalMoveError

NAME = "cat-and-hounds"
levels = pytest.mark.parametrize("level", LEVELS)


def play(moves="", **options):
    game = Game(NAME, **options)
    for move in moves.split():
        game.push(move)
    return game


def refereed(moves, level, size, **options):
    """Returns a game after moves, which the referee has allowed, and the referee."""
    referee = Referee(level, size, **options)
    for move in moves.split():
        assert referee.allows(move), move
        referee = referee.after(move)
    game = play(moves, level=level, size=size, **options)
    agrees(game, referee)
    return game, referee


def signed(game):
    """Returns the probabilities of the branches with their signs relative to the first."""
    return {name: sign * p for name, (_, _, sign, p) in branches(game.observed).items()}


def listed(game):
    return {str(move) for move in game.legal_moves}


# --- random games


@pytest.mark.parametrize("size", [4, 6, 8])
@levels
def test_random_games_are_as_the_referee_says_at_every_ply(level, size):
    split = measured = 0
    for seed in range(25):
        game = Game(NAME, level=level, size=size)
        for referee, text in walk(level, size, seed):
            if text:
                game.push(text)
            agrees(game, referee)
            if text and text.startswith("split"):
                split += 1
            measured += referee.due
    assert (split > 0) is (level > 1)
    assert size == 4 or (measured > 0) is (level > 2)  # on 4x4 few games last so long


def whole_games(level, number, sizes=(4, 4, 6, 6, 8)):
    """Plays random games to their end; returns by which rule each ended, one rule for each."""
    found = Counter()
    for seed in range(number):
        size = sizes[seed % len(sizes)]
        game = Game(NAME, level=level, size=size)
        for referee, text in walk(level, size, f"whole {seed}", plies=1000):
            if text:
                game.push(text)
            verdicts = referee.verdicts()
            assert len({score for _, score in verdicts}) <= 1, game.text()
            # a rule of the end applies, or else there is something to do
            assert bool(verdicts) is not bool(referee.texts()), game.text()
            assert (game.outcome() is not None) is bool(verdicts), game.text()
        agrees(game, referee)
        found[ended(referee)] += 1
    return found


@levels
def test_hundreds_of_random_games_end_by_one_rule(level):
    found = whole_games(level, 150, sizes=(4, 4, 6))
    assert found.keys() >= {"passed", "no move", "trapped"}
    assert ("partly trapped" in found) is (level > 1)


@pytest.mark.slow
@levels
def test_thousands_of_random_games_end_by_one_rule(level):
    assert sum(whole_games(level, 2000).values()) == 2000


@given(st.sampled_from(LEVELS), st.sampled_from([4, 6]), st.integers(0, 10**6))
def test_random_legal_moves_of_the_package_are_legal_to_the_referee(level, size, seed):
    game, referee, rng = Game(NAME, level=level, size=size), Referee(level, size), Random(seed)
    while game.outcome() is None:
        seen = game.observe(seed=rng) if game.observation_due else None
        text = f"@{seen}" if seen else str(game.push(game.random_move(rng)))
        assert referee.allows(text), game.text()
        referee.play(text)
        agrees(game, referee)
    assert game == Game.from_record(game.record())


# --- every text


def check_every_text(game, referee, pushed):
    """Checks what is contained, listed and pushed against all texts of the neighbourhood."""
    texts = referee.asked()
    allowed = set() if referee.over else {text for text in texts if referee.allowed(text)}
    for text in texts:
        assert (text in game.legal_moves) is (text in allowed), (game.text(), text)
    kinds = {}
    for text in allowed:
        # the order of a split gives names only
        split = text.startswith("split:")
        alike = frozenset(text[6:].split(",")) if split else referee.after(text).result()
        kinds.setdefault(alike, []).append(text)
    if referee.due:
        assert not game.legal_moves
        return
    moves = [str(move) for move in game.legal_moves]
    assert len(moves) == len({*moves}) == len(kinds) == len(game.legal_moves), game.text()
    for alike in kinds.values():
        [move] = {*alike} & {*moves}
        assert move.count("~") == min(text.count("~") for text in alike), game.text()
        assert not move.startswith("split") or move == min(alike)
        for text in alike[:pushed]:
            game.push(text)
            agrees(game, referee.after(text))
            game.pop()


@pytest.mark.parametrize("size", [4, 6])
@levels
def test_every_text_is_listed_contained_and_pushed_as_the_referee_says(level, size):
    for seed in range(2 if level > 3 else 6):
        game = Game(NAME, level=level, size=size)
        for ply, (referee, text) in enumerate(walk(level, size, f"texts {seed}")):
            if text:
                game.push(text)
            check_every_text(game, referee, pushed=2 if ply % 3 else 9)


@pytest.mark.parametrize("level", [2, 3])
def test_every_text_of_cats_in_each_others_way(level):
    moves = "c3,a3 c1-b2 d4,b4 b2-a3"
    game, referee = refereed(f"split:{moves}", level, 4)
    check_every_text(game, referee, pushed=9)


@pytest.mark.parametrize(
    ("level", "split"),
    [(2, "d8,b6"), (2, "b6,d8"), (3, "b8,b6"), (4, "d8,b6,d6"), (4, "b6,d8,d6"), (5, "d6,b8,b6")],
)
def test_the_order_of_a_split_names_the_branches(level, split):
    game = play(f"c7 a1-b2 split:{split}", level=level)
    cats = [(name, shown[0]) for name, shown in branches(game.observed).items()]
    assert cats == list(zip(NAMES[PARTS[level]], split.split(","), strict=True))
    assert str(game.history[-1]) == f"split:{split}"


# --- splits, moves and flips


@levels
def test_a_split_needs_a_classical_cat_and_enough_squares(level):
    game = Game(NAME, level=level)
    splits = {move for move in listed(game) if "split" in move}
    assert splits == ({"split:c7,e7"} if level in (2, 3) else set())
    game.push("c7")
    game.push("a1-b2")
    near = ["b6", "b8", "d6", "d8"]
    splits = {move for move in listed(game) if "split" in move}
    number = {1: 0, 2: 6, 3: 6, 4: 4, 5: 4}[level]  # pairs of four, or threes
    assert len(splits) == number
    assert all({*move.removeprefix("split:").split(",")} <= {*near} for move in splits)
    if number:
        game.push(min(splits))
        parts = PARTS[level]
        assert signed(game) == dict.fromkeys(NAMES[parts], Fraction(1, parts))
        assert (game.turn, game.success) == ("hounds", 1)
        game.push("b2-a3")
        assert not [move for move in listed(game) if "split" in move]


@pytest.mark.parametrize("level", [2, 3])
def test_cats_swap_places_and_follow_but_do_not_share_a_square(level):
    game, _ = refereed("e5 e1-f2 split:f6,f4 f2-e3 e5,. c1-b2", level, 6)
    assert listed(game) == {"d4,e5", "d6,e5", "f4,e5", "f6,e5"}
    assert "e5,e5" not in game.legal_moves
    for move in ("f4,e5", "f6,e5"):  # swapping, and following to where the other leaves
        game.push(move)
        assert [shown[0] for shown in branches(game.observed).values()] == move.split(",")
        game.pop()


@pytest.mark.parametrize("level", [2, 3])
def test_exactly_one_cat_moves_where_both_can_go_to_one_square_only(level):
    game, _ = refereed("e5 e1-f2 split:f6,f4 f2-e3", level, 6)
    assert listed(game) == {"e5,.", ".,e5"}
    for text in ("e5,e5", ".,.", "e5,g5"):
        assert text not in game.legal_moves
    game.push(".,e5")
    assert [shown[0] for shown in branches(game.observed).values()] == ["f6", "e5"]
    assert game.turn == "hounds"


def test_a_passed_cat_without_a_square_stays_and_is_written_as_a_point():
    before = "c5 c1-b2 split:b4,d6,d4 b2-c3 a3,c5,e3~ e1-d2 b2,b6~,f4~ c3-d4 c1~,c5,e3 a1-b2"
    game, referee = refereed(before, 4, 6)
    assert all(move.startswith(".,") for move in listed(game))
    for text in ("b2,b4,f2", ".,.,f2", ".,b4,."):
        assert text not in game.legal_moves
    assert referee.passed(referee.parts["left"])
    other, _ = refereed("c3 c1-d2 split:b4,b2,d4 a1-b2 c3,c1,c3 a1-b2", 5, 4)
    assert listed(other) == {"b4,.", "b4~,.", "d4,.", "d4~,."}


def test_a_second_cat_may_share_a_square_at_level_4():
    game, _ = refereed("c3 c1-b2 split:b4,d4,d2 b2-a3", 4, 4)
    assert {"c3,c3,c1", "c3,c3,c3"} <= listed(game)


@pytest.mark.parametrize("level", [4, 5])
def test_all_flips_are_accepted_and_relative_signs_count(level):
    for flips, signs in (
        ("   ", "+++"), ("~  ", "+--"), (" ~ ", "+-+"), ("  ~", "++-"),
        ("~~ ", "++-"), ("~ ~", "+-+"), (" ~~", "+--"), ("~~~", "+++"),
    ):  # fmt: skip
        game, _ = refereed("e7 a1-b2 split:d6,d8,f8 b2-a3", level, 8)
        steps = zip(["c5", "c7", "g7"], flips, strict=True)
        game.push(",".join(f"{square}{flip}".strip() for square, flip in steps))
        assert "".join("-+"[p > 0] for p in signed(game).values()) == signs


# --- interference

MERGES = {
    "c5,c5,e5": ({"left": Fraction(4, 5), "right": Fraction(1, 5)}, 5 / 6),
    "c5~,c5~,e5": ({"left": Fraction(4, 5), "right": -Fraction(1, 5)}, 5 / 6),
    "c5,c5,e5~": ({"left": Fraction(4, 5), "right": -Fraction(1, 5)}, 5 / 6),
    "c5,e5,c5": ({"left": Fraction(4, 5), "centre": Fraction(1, 5)}, 5 / 6),
    "e5,c5,c5": ({"left": Fraction(1, 5), "centre": Fraction(4, 5)}, 5 / 6),
    "c5,c5~,e5": ({"right": 1}, 1 / 6),
    "c5~,e5,c5": ({"centre": 1}, 1 / 6),
    "e5,c5~,c5": ({"left": 1}, 1 / 6),
    "c5,c5,c5": ({"left": 1}, 1),
    "c5~,c5~,c5~": ({"left": 1}, 1),
    "c5,c5~,c5": ({"left": 1}, 1 / 9),
}
"""Three equal cats can all go to c5: what is left, and how likely post-selection succeeds.

Sums over a common root of 3: (2, 1) has 5 of 3, σ² is 2; three equal ones have 9 of 3, σ² is 3.
"""


@pytest.mark.parametrize("level", [4, 5])
@pytest.mark.parametrize(("move", "left"), MERGES.items(), ids=MERGES)
def test_cats_that_meet_interfere(level, move, left):
    split = {"c5,e5,c5": "b6,d4,b4", "e5,c5,c5": "d4,b6,b4"}.get(move.replace("~", ""), "b6,b4,d4")
    game, referee = refereed(f"c5 c1-d2 split:{split} d2-c3", level, 6)
    game.push(move)
    agrees(game, referee.after(move))
    assert signed(game) == left[0]
    assert game.success == pytest.approx(left[1], abs=1e-12)
    # a classical cat has no countdown
    why = "the cat is classical" if len(left[0]) == 1 else "measured 4 more turns"
    assert why in game.rules.not_due(game.table)


def test_success_multiplies_over_merges_and_starts_anew_with_a_split():
    game, _ = refereed("c3 c1-b2 split:d4,b4,d2 b2-a3 c3~,c3~,c1 a1-b2", 4, 4)
    assert game.success == pytest.approx(5 / 6)
    game.push("d2,d2")  # (2, -1): one left, 1 of 5, and half of it
    assert game.success == pytest.approx(5 / 6 / 10)
    assert signed(game) == {"left": 1}
    again, _ = refereed("e5 c1-b2 split:d4,d6,f6 b2-c3 e5~,c5~,e5 c3-b4 split:b6,d6,d4", 4, 6)
    assert again.success == 1


def test_hounds_turns_interfere_as_well():
    split = "c3 c1-d2 split:b2,b4,d4 a1-b2"
    game, _ = refereed(f"{split} a3,a3,c3~", 5, 4)
    cats = branches(game.observed)
    assert cats["left"][0] == cats["centre"][0] == "a3"
    assert cats["left"][1] != cats["centre"][1]  # equal cats, other hounds: no interference yet
    assert [*signed(game).values()] == [Fraction(1, 3), Fraction(1, 3), -Fraction(1, 3)]
    game, _ = refereed(f"{split} a3,a3,c3~ a1-b2", 5, 4)
    assert signed(game) == {"left": Fraction(4, 5), "right": -Fraction(1, 5)}
    assert game.success == pytest.approx(5 / 6)
    game, _ = refereed("c3 a1-b2 split:b4,d2,d4 c1-d2 a3,c3~,c3 c1-d2", 5, 4)
    assert signed(game) == {"left": 1}  # opposite phases, by the hounds' turn
    assert (game.success, game.turn) == (pytest.approx(1 / 6), "cat")


# --- hounds in superposition


def test_a_hound_splits_with_the_cat_and_collapses_with_it_at_level_5():
    moves = "c3 c1-d2 split:b4,d4,b2 a1-b2"
    with pytest.raises(IllegalMoveError, match="b2 holds the cat in branch right"):
        play(moves, level=4, size=4)
    game, _ = refereed(moves, 5, 4)
    shown = branches(game.observed)
    assert shown["left"][1] == shown["centre"][1] == {"b2", "d2"}
    assert shown["right"][1] == {"a1", "d2"}
    before = "c3,c3,c1~ b2-a3 d4,b2 a3-b4 c3~,c3 a1-b2 b2,b4~ b2-a3 a3,c3"
    for name in ("left", "right"):
        game, referee = refereed(f"{moves} {before}", 5, 4)
        cat, hounds = branches(game.observed)[name][:2]
        assert (game.observation_due, game.turn) == (True, "hounds")
        assert referee.parts["left"].hounds != referee.parts["right"].hounds
        assert game.observe(board=name) == name
        assert [*branches(game.observed).values()] == [(cat, hounds, 1, 1)]
        assert not game.observation_due


# --- measurement and taking back


def test_the_born_rule_weighs_four_fifths_and_one_fifth():
    moves = "e7 c1-b2 split:f8,d6,d8 b2-a3 g7,c5,e7 a3-b4 h8~,d4~,d6~ g1-f2 g7,c5,c5 e1-d2 f6~,b6"
    game, referee = refereed(f"{moves} b4-c5 e5~,a5", 5, 8)
    assert game.observation_due
    assert referee.weights() == {"left": Fraction(1, 5), "centre": Fraction(4, 5)}
    number = 2000
    rng, left = Random(5), 0
    for _ in range(number):
        left += game.observe(seed=rng) == "left"
        game.pop()
    assert abs(left - 0.2 * number) < 4.5 * sqrt(number * 0.2 * 0.8)


@levels
def test_pop_takes_back_everything(level):
    for seed in range(4):
        game, seen = Game(NAME, level=level, size=6), []
        for _, text in walk(level, 6, f"pop {seed}"):
            if text:
                game.push(text)
            seen.append((game.text(), game.observed, game.success, str(game), listed(game)))
        assert Game.from_record(game.record()) == game
        while len(seen) > 1:
            seen.pop()
            game.pop()
            assert (game.text(), game.observed, game.success, str(game), listed(game)) == seen[-1]


# --- the end


@pytest.mark.parametrize(
    ("level", "size", "moves", "score", "reason"),
    [
        (3, 4, "split:a3,c3 c1-d2 b2,d4 d2-c3", 0.5, "the cat is trapped in right"),
        (4, 4, "c3 a1-b2 split:d2,b4,d4 b2-c3", 1 / 3, "the cat is trapped in left and right"),
        (4, 4, "c3 c1-d2 split:b2,b4,d4 d2-c3", 2 / 3, "the cat is trapped in right"),
        (4, 4, "c3 c1-b2 split:d4,d2,b4 b2-a3 c3~,c1,c3~ a1-b2 d4,d2~ b2-c3", 1 / 5, "left"),
        (5, 4, "c3 c1-d2 split:d4,b2,b4 a1-b2 c3,a3,a3 a1-b2 d4,b4 d2-c3", 4 / 5, "left"),
        (2, 4, "c3 a1-b2 split:d2,d4 b2-c3", 0.0, "the cat is trapped"),
        (1, 4, "a3 c1-b2 b4 b2-c3 a3 a1-b2 b4 b2-a3", 0.0, "the cat is trapped"),
    ],
)
def test_a_trapped_branch_ends_the_game_in_part(level, size, moves, score, reason):
    referee = Referee(level, size)
    *firsts, last = moves.split()
    for move in firsts:
        referee = referee.after(move)
        assert not referee.over
    game = play(moves, level=level, size=size)
    agrees(game, referee.after(last))
    assert game.outcome().scores["cat"] == pytest.approx(score)
    assert reason in game.outcome().reason
    assert (game.turn, list(game.legal_moves)) == (None, [])
