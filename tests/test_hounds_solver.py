"""Solving cat and hounds at level 1: known values, the referee's own recursion, exact odds."""

import json
from fractions import Fraction
from math import sqrt
from random import Random

import pytest
from hounds import Referee, agrees, diagonal, row, squares, walk

from qttt_circuits import Game, solve
from qttt_circuits.errors import OptionError

NAME = "cat-and-hounds"
KNOWN = {
    4: (-1, {"plies": 8, "positions": 88, "games": 198}),
    6: (1, {"plies": 23, "positions": 8_705, "games": 1_840_852_191_146}),
}
"""From independent programs: the cat's score less the hounds' and what can be counted."""


def best(values, cat):
    """Returns the best of pairs (value, plies): winners hurry and losers delay."""
    sign = 1 if cat else -1
    return max(values, key=lambda v: (sign * v[0], -sign * v[0] * v[1]))


def recursion(referee, known):
    """Returns value, plies and games of a level 1 position by asking the referee for all texts."""
    key = referee.result()
    if key not in known:
        verdicts = referee.verdicts()
        if verdicts:
            known[key] = (1 if verdicts[0][1] == 1 else -1, 0, 1)
        else:
            found = [recursion(referee.after(text), known) for text in referee.texts()]
            value, plies, _ = best(found, referee.turn == "cat")
            known[key] = (value, plies + 1, sum(games for *_, games in found))
    return known[key]


def play(moves="", **options):
    game = Game(NAME, **options)
    for move in moves.split():
        game.push(move)
    return game


def compare(game, referee, known):
    """Compares the value of a position and of every legal move with the recursion."""
    found, (value, plies, games) = solve(game), recursion(referee, known)
    assert (found.value, found.facts["plies"], found.facts["games"]) == (value, plies, games)
    assert {str(rated.move) for rated in found.moves} == {*referee.texts()}
    for rated in found.moves:
        worth = recursion(referee.after(str(rated.move)), known)
        assert (*rated.worth, rated.value) == (*worth[:2], worth[0]), (game.text(), rated)
    line(found, game, referee)


def line(found, game, referee):
    """Checks that the best line ends the game as the value says, in so many plies."""
    assert len(found.line) == found.facts["plies"]
    for move in found.line:
        assert referee.allows(str(move)), game.text()
        referee = referee.after(str(move))
    score = referee.verdicts()[0][1]
    assert score == (1 if found.value == 1 else 0)


@pytest.mark.parametrize("size", KNOWN)
def test_the_known_values_and_the_referee_s_own(size):
    known = {}
    value, facts = KNOWN[size]
    found = solve(Game(NAME, size=size))
    assert (found.value, found.facts, found.side, found.turn) == (value, facts, "cat", "cat")
    assert recursion(Referee(1, size), known) == (value, facts["plies"], facts["games"])
    assert len(known) == facts["positions"]
    compare(Game(NAME, size=size), Referee(1, size), known)


@pytest.mark.slow
@pytest.mark.parametrize("start", ["b8", "d8", "f8", "h8"])
def test_on_the_whole_board_the_hounds_win_in_44_from_each_start(start):
    found = solve(Game(NAME, start=start))
    assert (found.value, found.facts["plies"], found.moves[0].value) == (-1, 44, -1)
    line(found, Game(NAME, start=start), Referee(1, 8, start))


@pytest.mark.parametrize("first", ["cat", "hounds"])
def test_every_small_position_of_random_games_has_the_recursion_s_value(first):
    known = {}
    for start in ("b4", "d4"):
        for seed in range(6):
            game = Game(NAME, size=4, start=start, first=first)
            for referee, text in walk(1, 4, f"solve {seed}", start=start, first=first):
                if text:
                    game.push(text)
                if not referee.over:
                    compare(game, referee, known)


def test_random_positions_of_middle_size_have_the_recursion_s_value():
    known, seen = {}, 0
    for start in ("b6", "f6"):
        for seed in range(12):
            game = Game(NAME, size=6, start=start)
            for ply, (referee, text) in enumerate(walk(1, 6, f"solve {seed}", start=start)):
                if text:
                    game.push(text)
                if not referee.over and ply % 4 == seed % 4:
                    compare(game, referee, known)
                    seen += 1
    assert seen > 60


def test_moves_come_best_first_and_name_their_kind():
    for seed in range(5):
        game = Game(NAME, size=6)
        for referee, text in walk(1, 6, f"order {seed}", plies=9):
            if text:
                game.push(text)
            if referee.over:
                break
            rated = solve(game, line=False)
            worths = [tuple(r.worth) for r in rated.moves]
            assert worths[0] == best(worths, game.turn == "cat")
            assert [r.value for r in rated.moves] == sorted(
                (r.value for r in rated.moves), reverse=game.turn == "cat"
            )
            assert {r.kind for r in rated.moves} == {"cat" if game.turn == "cat" else "hound"}
            assert rated.line == ()


def test_a_game_that_is_over_is_worth_its_score():
    for moves, value in (
        ("a3 c1-b2 b4 b2-c3 a3 a1-b2 b4 b2-a3", -1), ("c3 c1-d2 b2 d2-c3 c1", 1),
    ):  # fmt: skip
        game = play(moves, size=4)
        found = solve(game)
        assert game.outcome() is not None
        assert (found.value, found.turn, found.moves, found.line) == (value, None, (), ())
        assert found.facts == {"plies": 0, "positions": 1, "games": 1}


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_levels_with_chance_are_not_solved(level):
    with pytest.raises(
        OptionError, match=f"solved at level 1, where the cat is classical, not {level}"
    ):
        solve(Game(NAME, level=level, size=4))


def test_memory_is_used_again():
    memory = {}
    first = solve(Game(NAME, size=6), memory=memory)
    again = solve(play("c5 a1-b2", size=6), memory=memory)
    assert (first.facts["positions"], again.facts["positions"]) == (8705, 0)
    fresh = solve(play("c5 a1-b2", size=6))
    assert (again.value, again.facts["plies"], again.line) == (
        fresh.value, fresh.facts["plies"], fresh.line,
    )  # fmt: skip


# --- the command


def test_the_command_prints_one_json_document(qttt):
    ran = qttt("solve", NAME, "--option", "level=1", "--option", "size=6", "--json")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)
    value, facts = KNOWN[6]
    assert facts.items() <= found.items()
    assert (found["value"], found["turn"], len(found["line"])) == (value, "cat", 23)
    assert sorted((m["move"], m["kind"], m["value"]) for m in found["moves"]) == [
        ("c5", "cat", 1), ("e5", "cat", 1),
    ]  # fmt: skip
    moves = found["line"][:2]
    after = qttt("solve", NAME, *moves, "--option", "size=6", "--json")
    assert json.loads(after.out)["plies"] == 21


def test_the_command_prints_a_table_for_people(qttt):
    ran = qttt("solve", NAME, "--option", "size=4")
    assert ran.status == 0
    assert "value for cat: -1" in ran.out
    assert "positions: 88" in ran.out
    assert "-1 in 8" in ran.out


def test_the_command_refuses_what_is_not_solved_in_one_line(qttt):
    for arguments in (("--option", "level=2"), ("--option", "level=5", "c7"), ("d6",)):
        ran = qttt("solve", NAME, *arguments, "--json")
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)


# --- exact odds


def test_on_4x4_the_best_cat_wins_71_of_72_against_random_hounds():
    rules, known = Game(NAME, size=4).rules, {}

    def odds(table):
        outcome = rules.outcome(table)
        if outcome is not None:
            return Fraction(outcome.scores["cat"])
        if table not in known:
            found = [odds(rules.play(table, move)) for move in rules.legal_moves(table)]
            cat = rules.turn(table) == "cat"
            known[table] = max(found) if cat else sum(found) / len(found)
        return known[table]

    assert odds(rules.start()) == Fraction(71, 72)


def odds_at_random(size, start):
    """Returns the cat's chance when both sides choose at random, over masks of squares."""
    dark = squares(size)
    number = {square: i for i, square in enumerate(dark)}
    near = [[number[s] for s in diagonal(square, size)] for square in dark]
    up = [[number[s] for s in diagonal(square, size, (1,))] for square in dark]
    below = [sum(1 << number[s] for s in dark if row(s) < row(square)) for square in dark]
    known = {}

    def odds(cat, hounds, to_move):
        if not hounds & below[cat]:
            return 1.0
        key = (cat, hounds, to_move)
        if key not in known:
            if to_move:
                found = [odds(s, hounds, False) for s in near[cat] if not hounds >> s & 1]
                lost = 0.0
            else:
                taken, lost = hounds | 1 << cat, 1.0
                found = [
                    odds(cat, hounds ^ (1 << a | 1 << b), True)
                    for a in range(len(dark))
                    if hounds >> a & 1
                    for b in up[a]
                    if not taken >> b & 1
                ]
            known[key] = sum(found) / len(found) if found else lost
        return known[key]

    hounds = sum(1 << number[square] for square in dark if row(square) == 1)
    return odds(number[start], hounds, True)


def random_games(number, seed, **options):
    """Returns how many of so many games at random the cat wins."""
    rules, rng, won = Game(NAME, **options).rules, Random(seed), 0
    for _ in range(number):
        table = rules.start()
        while (outcome := rules.outcome(table)) is None:
            table = rules.play(table, rules.random_move(table, rng))
        won += outcome.winner == "cat"
    return won


@pytest.mark.parametrize(("size", "start"), [(4, "b4"), (6, "d6")])
def test_random_games_on_small_boards_have_their_exact_odds(size, start):
    p, number = odds_at_random(size, start), 1500
    won = random_games(number, 7, size=size)
    assert abs(won - number * p) < 3 * sqrt(number * p * (1 - p))


@pytest.mark.slow
def test_on_8x8_at_random_the_cat_wins_with_the_known_probability():
    p = odds_at_random(8, "d8")
    assert abs(p - 0.913768) < 5e-7
    number = 20_000
    won = random_games(number, 11)
    assert abs(won / number - 0.913768) < 3 * sqrt(p * (1 - p) / number)


def test_the_referee_agrees_where_lines_end():
    for size in KNOWN:
        game, referee = Game(NAME, size=size), Referee(1, size)
        for move in solve(game).line:
            game.push(move)
            referee = referee.after(str(move))
            agrees(game, referee)
        assert game.outcome() is not None
