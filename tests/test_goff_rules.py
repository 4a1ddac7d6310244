"""Goff's game: the document's examples, and random games against brute force and union-find."""

import re
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from itertools import product
from math import prod, sqrt
from random import Random

import pytest
from helpers import LINES, OTHER, SQUARES

from qttt_circuits import Game, IllegalMoveError, NotationError

EXAMPLE = "5,8 5,9 5,6 6,8"
BOTH_IN_LINE = f"{EXAMPLE} 5=X1 4,7 4,7 4=X5"
TIE_BREAK = "4,9 1,7 5,7 1,3 4,7 2,8 3,8 3,5 1=O2"
RULES = {"goff": (sum, True), "goff-original": (max, False)}

# --- a second engine: no trees, only assignments tried one by one, union-find and cutting off ends


def ways(moves):
    """Returns every way to give moves, written {mark: (a, b)}, squares of their own."""
    found = [dict(zip(moves, squares, strict=True)) for squares in product(*moves.values())]
    return [way for way in found if len(set(way.values())) == len(moves)]


def text_of(way):
    """Returns a way as outcomes are written."""
    return ",".join(f"{square}={mark}" for square, mark in sorted((s, m) for m, s in way.items()))


def parts_of(moves):
    """Returns moves in connected groups, by uniting sets of squares."""
    part = {square: square for square in SQUARES}
    for a, b in moves.values():
        old, new = part[a], part[b]
        part = {square: new if name == old else name for square, name in part.items()}
    names = dict.fromkeys(part[a] for a, _ in moves.values())
    return [{m: p for m, p in moves.items() if part[p[0]] == name} for name in names]


def has_cycle(group):
    return len({square for pair in group.values() for square in pair}) == len(group)


def cycle_of(group):
    """Returns the marks of a group that are left when loose ends are cut off again and again."""
    left = dict(group)
    while True:
        ends = Counter(square for pair in left.values() for square in pair)
        loose = [mark for mark, (a, b) in left.items() if 1 in (ends[a], ends[b])]
        if not loose:
            return set(left)
        for mark in loose:
            del left[mark]


def score(marks, value):
    """Returns the points of both sides, or None while nobody has a line and squares are left."""
    best = {}
    for line in LINES:
        held = [marks.get(int(square), "-") for square in line]
        if len({mark[0] for mark in held}) == 1 and "-" not in held:
            side, count = held[0][0], value(int(mark[1:]) for mark in held)
            best[side] = min(count, best.get(side, count))
    if not best and len(marks) < len(SQUARES):
        return None
    points = {side: float(side in best) for side in "XO"}
    if len(best) == 2:
        points["O" if best["X"] < best["O"] else "X"] = 0.5
    return points


class Reference:
    """A game of the second engine."""

    def __init__(self, value=sum, single=True, turn="X"):
        self.value, self.single, self.turn = value, single, turn
        self.marks, self.spooky, self.due, self.points, self.number = {}, {}, {}, None, 1

    def allows(self, text):
        """Whether a text is a legal move or choice."""
        if self.points:
            return False
        if choice := re.fullmatch(r"([1-9])=([XO][1-9])", text):
            square, mark = int(choice[1]), choice[2]
            return mark in self.due and square in self.due[mark] and mark in cycle_of(self.due)
        squares = {*map(int, text.split(","))}
        if self.due or squares & self.marks.keys():
            return False
        spooky = {square for pair in self.spooky.values() for square in pair}
        return len(squares) == 2 or len(self.marks) == 8 or (self.single and not squares & spooky)

    def play(self, text):
        if "=" in text:
            square, mark = text.split("=")
            [way] = [way for way in ways(self.due) if way[mark] == int(square)]
            self.marks |= {square: mark for mark, square in way.items()}
            self.spooky = {m: pair for m, pair in self.spooky.items() if m not in way}
            self.due = {}
        else:
            squares = tuple(dict.fromkeys(map(int, text.split(","))))
            mark = f"{self.turn}{self.number}"
            if len(squares) == 1:
                self.marks[squares[0]] = mark
            else:
                self.spooky[mark] = squares
            self.due = next(filter(has_cycle, parts_of(self.spooky)), {})
            self.turn, self.number = OTHER[self.turn], self.number + 1
        self.points = score(self.marks, self.value)

    def seen(self):
        cells = {str(s): " ".join(m for m, p in self.spooky.items() if s in p) for s in SQUARES}
        cells |= {str(square): f"[{mark}]" for square, mark in self.marks.items()}
        return cells, None if self.points else self.turn, self.points


def seen(game):
    outcome = game.outcome()
    cells = dict(game.rules.cells(game.table))
    return cells, game.turn, dict(outcome.scores) if outcome else None


def snapshot(game):
    """Returns everything that can be seen of a game, to compare before and after."""
    legal = [str(move) for move in game.legal_moves]
    return seen(game), game.record(), game.observed, game.probabilities(), legal, str(game)


TEXTS = [str(a) for a in SQUARES]
TEXTS += [f"{a},{b}" for a in SQUARES for b in SQUARES]
TEXTS += [f"{square}={side}{number}" for square in SQUARES for side in "XO" for number in SQUARES]


def random_games(name, seeds, **options):
    """Yields game, reference and legal texts at each ply; texts are drawn, not results."""
    for seed in seeds:
        rng = Random(f"{name} {seed}")
        game = Game(name, **options)
        reference = Reference(*RULES[name], turn=options.get("first", "X"))
        while True:
            texts = list(filter(reference.allows, TEXTS))
            yield game, reference, texts
            if not texts:
                break
            text = rng.choice(texts)
            game.push(text)
            reference.play(text)


def play(moves, name="goff", **options):
    game = Game(name, **options)
    for move in moves.split():
        game.push(move)
    return game


def marks(game):
    cells = game.rules.cells(game.table)
    return {int(s): cell.strip("[]") for s, cell in cells.items() if cell.startswith("[")}


# --- the document


def test_the_documents_example_move_by_move():
    game = Game("goff")
    # assignments: k + 1 of a tree of k moves, two once the cycle has closed
    for move, turn, count in zip(EXAMPLE.split(), "OXOX", (2, 3, 4, 2), strict=True):
        game.push(move)
        assert (game.turn, game.outcome(), game.observed) == (turn, None, "E" * 9)
        assert not game.observation_due
        assert sorted(game.probabilities().values()) == [1 / count] * count
    cells = {"5": "X1 O2 X3", "6": "X3 O4", "8": "X1 O4", "9": "O2"}
    assert game.rules.cells(game.table) == {str(s): cells.get(str(s), "") for s in SQUARES}
    assert [str(move) for move in game.legal_moves] == ["6=O4", "8=O4"]
    assert game.probabilities() == {"5=X1,6=X3,8=O4,9=O2": 0.5, "5=X3,6=O4,8=X1,9=O2": 0.5}


def test_the_document_counts_nine_against_twelve_where_bob_could_have_won_at_once():
    game = play(BOTH_IN_LINE)
    assert marks(game) == {4: "X5", 5: "X1", 6: "X3", 7: "O6", 8: "O4", 9: "O2"}
    outcome = game.outcome()
    assert (outcome.winner, dict(outcome.scores)) == ("X", {"X": 1, "O": 0.5})
    assert "X counts 9 and O 12" in outcome.reason
    assert (game.turn, list(game.legal_moves)) == (None, [])
    # what else Bob could have done: win at once, or let the game go on
    won = play(f"{EXAMPLE} 5=X1 4")
    assert (won.outcome().winner, dict(won.outcome().scores)) == ("X", {"X": 1, "O": 0})
    goes_on = play(f"{EXAMPLE} 5=X1 4,7 4,7 4=O6")
    assert (goes_on.outcome(), goes_on.turn) == (None, "X")
    assert marks(goes_on) == {4: "O6", 5: "X1", 6: "X3", 7: "X5", 8: "O4", 9: "O2"}


def test_the_tie_breaks_differ():
    for name, options, winner in (
        ("goff", {}, "X"), ("goff", {"tie_break": "sum"}, "X"), ("goff", {"tie_break": "max"}, "O"),
        ("goff-original", {}, "O"), ("goff-original", {"tie_break": "sum"}, "X"),
    ):  # fmt: skip
        outcome = play(TIE_BREAK, name, **options).outcome()
        assert (outcome.winner, dict(outcome.scores)) == (winner, {winner: 1, OTHER[winner]: 0.5})


# --- cycles

CYCLES = {
    EXAMPLE: ["5=X1,6=X3,8=O4,9=O2", "5=X3,6=O4,8=X1,9=O2"],  # as the document has them
    "1,2 1,2": ["1=O2,2=X1", "1=X1,2=O2"],
    "1,2 2,1": ["1=O2,2=X1", "1=X1,2=O2"],
    "1,2 2,3 3,4 1,2": ["1=O4,2=X1,3=O2,4=X3", "1=X1,2=O4,3=O2,4=X3"],
    "1,2 2,3 3,4 4,1": ["1=X1,2=O2,3=X3,4=O4", "1=O4,2=X1,3=O2,4=X3"],
    "1,2 2,3 3,4 5,1 6,3 4,1": [
        "1=O6,2=X1,3=O2,4=X3,5=O4,6=X5", "1=X1,2=O2,3=X3,4=O6,5=O4,6=X5",
    ],
    "1,2 2,3 3,4 4,5 5,6 6,7 7,8 8,9 9,1": [
        "1=X9,2=X1,3=O2,4=X3,5=O4,6=X5,7=O6,8=X7,9=O8",
        "1=X1,2=O2,3=X3,4=O4,5=X5,6=O6,7=X7,8=O8,9=X9",
    ],
}  # fmt: skip
RING = [*CYCLES][-1]


@pytest.mark.parametrize(("moves", "collapses"), CYCLES.items())
def test_cycles_of_every_size_collapse_whole_and_the_chooser_moves(moves, collapses):
    game = play(moves)
    chooser = game.turn
    assert chooser == "XO"[len(moves.split()) % 2]
    assert len(game.legal_moves) == 2
    assert sorted(game.probabilities()) == sorted(collapses)
    # a mark of the cycle takes different squares in the two ways, a mark of a stem the same
    one, other = (expected.split(",") for expected in collapses)
    for expected in (one, other):
        for choice in expected:
            assert (choice in game.legal_moves) is not (choice in one and choice in other)
            if choice in game.legal_moves:
                game.push(choice)
                assert marks(game) == {int(c[0]): c[2:] for c in expected}
                assert game.turn == (chooser if "E" in game.observed else None)
                game.pop()


def test_a_cycle_of_one_is_a_classical_move_without_a_choice():
    for text in ("5", "5,5"):
        game = play(text)
        assert (marks(game), game.turn, game.probabilities()) == ({5: "X1"}, "O", {"": 1.0})
        assert [str(move) for move in game.history] == ["5"]


def test_other_groups_stay_spooky():
    game = play("1,2 7,8 1,2 2=X3")
    assert (marks(game), game.turn) == ({1: "X1", 2: "X3"}, "O")
    assert game.probabilities() == {"7=O2": 0.5, "8=O2": 0.5}
    # the squares of the group that stayed take further marks, and it collapses later
    game.push("8,9")
    game.push("7,9")
    assert [str(move) for move in game.legal_moves] == ["7=X5", "9=X5"]
    assert game.turn == "O"


def test_the_ring_of_nine_scores_by_the_way_it_falls():
    # X on 1 to 9 but the even: lines 1,5,9 and 3,5,7; the other way O has 3,5,7
    assert dict(play(f"{RING} 1=X1").outcome().scores) == {"X": 1, "O": 0}
    assert dict(play(f"{RING} 1=X9").outcome().scores) == {"X": 0, "O": 1}


@pytest.mark.parametrize("name", RULES)
def test_the_last_square_must_be_taken_classically(name):
    game = play("1,4 7,5 9,7 6,7 7,1 5,1 7=X5 2,3 2,3 2=X7", name)
    assert marks(game).keys() == {*SQUARES} - {8}
    assert [str(move) for move in game.legal_moves] == ["8"]
    assert (game.turn, "8,8" in game.legal_moves) == ("X", True)
    game.push("8")
    assert dict(game.outcome().scores) == score(marks(game), RULES[name][0])


# --- refusals

REFUSALS = {
    ("", EXAMPLE): {
        "5=O2": "O2 is not in the cycle, which is X1, X3, O4", "9=O2": "O2 is not in the cycle",
        "5=X5": "X5 is not in the cycle", "5=O1": "O1 is not in", "5=X0": "X0 is not in",
        "5=X999": "X999 is not in", "5=O4": "O4 is in squares 6 and 8, not in 5",
        "0=X1": "not in 0", "10=X1": "not in 10", "1": "X chooses 6=O4 or 8=O4",
        "1,2": "a cycle has closed", "0": "closed", "@5=X3,6=O4,8=X1,9=O2": "players choose",
    },
    ("", ""): {
        "5=X3": "nothing to choose", "0": "no square 0", "10": "no square 10", "999": "square 999",
        "1,10": "no square 10", "0,1": "no square 0",
    },
    ("", "5,8"): {"5=X1": "nothing to choose", "5": "5 holds some", "8,8": "8 holds some"},
    ("", f"{EXAMPLE} 5=X3"): {
        "5=X3": "nothing to choose", "5,1": "5 holds the classical mark X3",
        "9": "9 holds the classical mark O2", "2,6": "6 holds the classical mark O4",
    },
    ("", "1 2 3 5 4 6 8 7,9"): {"9": "without marks", "1": "classical mark X1"},
    ("single_square=false", ""): {"5": "two different squares", "5,5": "two different squares"},
    ("", "1 4 2 5 3"): {"6": "over", "6,7": "over", "6=X1": "over", "@6=X1": "over"},
    ("", "1 2 3 5 4 6 8 7 9"): {"1": "over"},
    ("", BOTH_IN_LINE): {"1,2": "over", "4=X5": "over"},
    ("collapse=measure", EXAMPLE): {
        "5=X3": "circuit picks", "1,2": "must be observed",
        "@5=X3,6=O4,8=X1,9=O3": "probability zero", "@5=O2,6=X3,8=X1,9=O4": "probability zero",
        "@5=X3,6=O4,8=X1": "probability zero", "@5=X3,5=X3,6=O4,8=X1,9=O2": "probability zero",
    },
    ("collapse=measure", "5,8"): {"@5=X1": "only where a cycle", "5=X1": "nothing to choose"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("options", "moves", "refused", "reason"),
    [(*where, *refusal) for where, found in REFUSALS.items() for refusal in found.items()],
)
def test_the_rules_refuse_and_say_why(options, moves, refused, reason):
    game = play(moves, **dict(option.split("=") for option in options.split()))
    before = snapshot(game)
    assert refused not in game.legal_moves
    assert game.parse(refused) not in game.legal_moves
    with pytest.raises(IllegalMoveError, match=reason) as caught:
        game.push(refused)
    assert not isinstance(caught.value, NotationError)
    title = " ".join(["goff", *options.split()])
    assert caught.value.position == game.text() == f"{title} {moves}".strip()
    assert caught.value.move in str(caught.value)
    assert "\n" not in str(caught.value)
    assert snapshot(game) == before


# --- random games


@pytest.mark.parametrize("first", "XO")
@pytest.mark.parametrize("name", RULES)
def test_every_text_is_listed_contained_and_pushed_alike(name, first):
    for game, reference, texts in random_games(name, range(8), first=first):
        before = snapshot(game)
        results = {}
        for text in TEXTS:
            assert (text in game.legal_moves) is (text in texts), (game, text)
            if text not in texts:
                with pytest.raises(IllegalMoveError):
                    game.push(text)
                continue
            after = deepcopy(reference)
            after.play(text)
            game.push(text)
            assert seen(game) == after.seen(), game
            game.pop()
            results.setdefault(str(after.seen()), set()).add(text)
        listed = [str(move) for move in game.legal_moves]
        assert len(listed) == len(results) == len(game.legal_moves)
        assert all(len(same & {*listed}) == 1 for same in results.values())
        if reference.due:
            assert {text.partition("=")[2] for text in listed} == {[*reference.due][-1]}
        assert snapshot(game) == before


@pytest.mark.parametrize("name", RULES)
def test_probabilities_are_those_of_brute_force(name):
    shapes = set()
    for game, reference, _ in random_games(name, range(60)):
        observed = sorted(map(text_of, ways(reference.due or reference.spooky)))
        groups = [reference.due] if reference.due else parts_of(reference.spooky)
        count = prod(2 if has_cycle(group) else len(group) + 1 for group in groups)
        assert count == len(observed)
        assert list(game.probabilities()) == observed
        assert list(game.probabilities().values()) == pytest.approx([1 / count] * count, abs=1e-12)
        assert list(game.amplitudes().values()) == pytest.approx([1 / sqrt(count)] * count)
        exact = game.rules.exact_distribution(game.table)
        assert exact == dict.fromkeys(observed, Fraction(1, count))
        shapes.add((len(groups), bool(reference.due), count))
    assert len(shapes) > 20


@pytest.mark.parametrize("name", RULES)
def test_games_end_with_the_points_of_the_reference(name):
    both = 0
    for game, reference, texts in random_games(name, range(400)):
        assert seen(game) == reference.seen()
        assert len(game.history) <= 13  # nine moves and at most four choices
        if texts:
            assert game.outcome() is None
            continue
        points = reference.points
        winner = max(points, key=points.get) if any(points.values()) else None
        assert game.outcome().winner == winner
        both += sorted(points.values()) == [0.5, 1]
    assert both > 0


def test_a_game_of_random_moves_has_no_line_in_8_of_63():
    games, without, p, rng = 20_000, 0, 8 / 63, Random(863)
    for _ in range(games):
        game = Game("goff-original")
        while game.outcome() is None:
            game.push(rng.choice(list(game.legal_moves)))
        without += not any(game.outcome().scores.values())
    assert abs(without / games - p) < 3 * sqrt(p * (1 - p) / games)
