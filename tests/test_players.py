"""Players: what they choose is legal, reproducible, and as good as they say."""

from fractions import Fraction
from random import Random

import pytest
from hounds import MEASURED, Referee, walk

from qttt_circuits import Game, Observation, solve
from qttt_circuits.errors import OptionError, UnknownNameError
from qttt_circuits.players import Choice, Limit, all_players, player
from qttt_circuits.players.search import SearchPlayer

NAME = "cat-and-hounds"
GAMES = [
    ("tiqtaqtoe", {}), ("cancelling", {}), ("shiftflip", {}), ("goff", {}), ("leaw-cheong", {}),
    (NAME, {"level": 1}), (NAME, {"level": 3, "size": 6}), (NAME, {"level": 5, "size": 4}),
]  # fmt: skip
games = pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
DUE = "split:c7,e7 a1-b2 b8,f8 b2-a3 c7,e7 c1-b2 b8,f8"


def play(moves="", name=NAME, **options):
    game = Game(name, **options)
    for move in moves.split():
        game.push(move)
    return game


def lead(game):
    first, other = game.rules.sides
    return game.outcome().scores[first] - game.outcome().scores[other]


def plies(kinds, name, options, seed, limit=None, most=12):
    """Yields a game of two kinds of players after each ply, and what was chosen."""
    game = Game(name, **options)
    seats = {side: player(kind, seed) for side, kind in zip(game.rules.sides, kinds, strict=True)}
    rng = Random(seed)
    for _ in range(most):
        if game.outcome() is not None:
            return
        if game.observation_due:
            game.observe(seed=rng)
            continue
        before = game.copy()
        choice = seats[game.turn].choose(game, limit or Limit(1))
        assert game == before
        assert game.observed == before.observed
        assert choice.move in game.legal_moves
        assert str(choice.move) in {str(move) for move in game.legal_moves} or name == "leaw-cheong"
        game.push(choice.move)
        yield game, choice


# --- all of them


@games
@pytest.mark.parametrize("kind", ["random", "search"])
def test_players_choose_legal_moves_again_and_again_and_leave_the_game_alone(name, options, kind):
    most = 12 if kind == "random" else 4
    runs = [
        [str(choice.move) for _, choice in plies((kind, kind), name, options, seed, most=most)]
        for seed in (5, 5, 6, 7)
    ]
    assert runs[0] == runs[1]
    assert len({tuple(run) for run in runs}) > 1
    assert len(runs[0]) >= min(most, 4) - 1


@pytest.mark.parametrize(("name", "options", "start"), [
    (NAME, {"size": 6}, ""), ("goff", {}, "1,2 2,3 3,4 4,5 6,7"),
    ("goff-original", {}, "1,2 2,3 3,4 5,6 6,7"),
])  # fmt: skip
def test_the_perfect_player_plays_a_best_move(name, options, start):
    game = play(start, name, **options)
    while game.outcome() is None and len(game.history) < 14:
        found = solve(game, line=False)
        for seed in (1, 2):
            before = game.copy()
            choice = player("perfect", seed).choose(game, Limit())
            assert game == before
            assert choice.value == float(found.value)
            after = [r.worth for r in found.moves if r.move == choice.move]
            assert after == [found.moves[0].worth]
        game.push(choice.move)


@pytest.mark.parametrize("kind", sorted({*all_players()} - {"human"}))
def test_nobody_chooses_when_no_move_is_due(kind):
    for game, options in (
        (play(DUE, level=3), "measured"), (play("split:a3,c3 c1-d2 b2,d4 d2-c3", level=3, size=4),
                                           "trapped"),
        (play("1 4 2 5 3", "goff"), "wins"), (play("a3 c1-d2 b2 d2-c3 c1", size=4), "passed"),
    ):  # fmt: skip
        before = game.copy()
        with pytest.raises(OptionError, match=f"no move is due: .*{options}"):
            player(kind, 1).choose(game, Limit())
        assert game == before


@pytest.mark.parametrize("name", ["perfekt", "", "Random", None, 7, ["random"]])
def test_an_unknown_player_is_refused_with_the_nearest_name(name):
    with pytest.raises(UnknownNameError) as caught:
        player(name)
    if name == "perfekt":
        assert "did you mean 'perfect'" in str(caught.value)
    assert {"random", "search", "perfect"} <= {*caught.value.known}


def test_a_seed_must_be_one():
    for seed in (-1, "x", 1.5, True):
        with pytest.raises(OptionError):
            player("random", seed)


def test_the_random_player_gives_each_distinct_move_the_same_chance():
    game, number = play("c7 a1-b2", level=3), 3000
    seat, counts = player("random", 3), {}
    for _ in range(number):
        move = str(seat.choose(game, Limit()).move)
        counts[move] = counts.get(move, 0) + 1
    assert counts.keys() == {str(move) for move in game.legal_moves}
    p = 1 / 10  # four squares and six pairs of them
    assert all(abs(n - number * p) < 4.5 * (number * p * (1 - p)) ** 0.5 for n in counts.values())


# --- perfect


@pytest.mark.parametrize(("size", "side"), [(6, "cat"), (4, "hounds")])
def test_the_perfect_player_keeps_its_won_game_against_random_play(size, side):
    rules = Game(NAME, size=size).rules
    best, known = player("perfect", 1), {}
    value = 1 if side == "cat" else -1
    for seed in range(50):
        game, other = Game(rules), player("random", seed)
        while game.outcome() is None:
            choice = (best if game.turn == side else other).choose(game, Limit())
            if game.turn == side:
                assert choice.value == value
                assert solve(game, memory=known, line=False).value == value
            game.push(choice.move)
        assert game.outcome().winner == side
        assert lead(game) == value


def test_the_perfect_player_refuses_games_that_are_not_solved():
    for game in (Game(NAME, level=2), Game("cancelling", scoring="points"), Game("leaw-cheong")):
        with pytest.raises(OptionError):
            player("perfect", 1).choose(game, Limit())


# --- search


def expectimax(rules, table, depth, chances):
    """Returns what a table is worth without pruning: observations cost no depth."""
    outcome = rules.outcome(table)
    if outcome is not None:
        return outcome.scores[rules.sides[0]] - outcome.scores[rules.sides[1]]
    if rules.observation_due(table):
        chances.append(table)
        return sum(
            p * expectimax(rules, rules.play(table, Observation(seen)), depth, chances)
            for seen, p in rules.distribution(table).items()
        )
    if depth == 0:
        return rules.estimate(table)
    after = [rules.play(table, move) for move in rules.legal_moves(table)]
    found = [expectimax(rules, then, depth - 1, chances) for then in after]
    return max(found) if rules.turn(table) == rules.sides[0] else min(found)


def positions(level, size, number, most):
    """Yields games in random positions with few legal moves, before the turn that measures."""
    found = 0
    for seed in range(1000):
        game = Game(NAME, level=level, size=size)
        for referee, text in walk(level, size, f"players {seed}"):
            if text:
                game.push(text)
            near = referee.count is not None and referee.count + 1 == MEASURED[level]
            if near and not referee.over and len(game.legal_moves) <= most:
                yield game
                found += 1
                break
        if found == number:
            return


@pytest.mark.parametrize(
    ("level", "size", "depth", "number", "most"),
    [(3, 4, 3, 8, 9), (3, 6, 3, 8, 9), (3, 8, 2, 8, 20), (4, 6, 2, 6, 40), (4, 8, 2, 3, 40),
     (5, 4, 3, 3, 9), (5, 6, 2, 6, 40)],
)  # fmt: skip
def test_search_finds_the_value_of_plain_expectimax(level, size, depth, number, most):
    compared, chances = 0, []
    for game in positions(level, size, number, most):
        rules, table = game.rules, game.table
        choice = SearchPlayer(Random(4), erring=0.0).choose(game, Limit(depth))
        worth = expectimax(rules, table, depth, chances)
        assert choice.value == pytest.approx(worth, abs=1e-12), game.text()
        after = expectimax(rules, rules.play(table, choice.move), depth - 1, chances)
        assert after == pytest.approx(worth, abs=1e-12), (game.text(), choice)
        compared += 1
    assert compared == number
    assert chances


def test_search_without_chance_is_minimax():
    for moves, size in (("c5 a1-b2", 6), ("c5", 6), ("c7 a1-b2 d6", 8), ("", 4)):
        game = play(moves, size=size)
        for depth in (1, 2, 3, 4):
            choice = SearchPlayer(Random(4), erring=0.0).choose(game, Limit(depth))
            worth = expectimax(game.rules, game.table, depth, [])
            assert choice.value == pytest.approx(worth, abs=1e-12)


def whole(referee, depth, chances):
    """Returns the cat's lead with best play to the end of the game, by the referee alone."""
    verdicts = referee.verdicts()
    if verdicts:
        return 2 * verdicts[0][1] - 1
    if referee.due:
        chances.append(referee)
        after = {n: whole(referee.after(f"@{n}"), depth, chances) for n in referee.parts}
        return sum(p * after[n] for n, p in referee.weights().items())
    assert depth > 0, "the game goes on beyond the depth"
    found = [whole(referee.after(text), depth - 1, chances) for text in referee.texts()]
    return max(found) if referee.turn == "cat" else min(found)


@pytest.mark.parametrize(
    ("level", "moves", "value"),
    [
        (3, "c3 c1-b2 split:d4,d2 b2-a3 c3,c1 a1-b2 d4,d2", 0),
        (3, "a3 c1-d2 split:b2,b4 d2-c3 c1,a3 a1-b2 d2,b4", 0),
        (3, "c3 a1-b2 split:d2,b4 b2-a3 .,c3 c1-b2 c1,d4", 0),
        (5, "c3 c1-b2 split:d4,b4,d2 b2-a3 c3,c3,c1 a1-b2 b4,d2 a3-b4 c3,c3 b2-a3 d4,d4~", -0.6),
        (5, "c3 a1-b2 split:d4,b4,d2 c1-d2 c3,c3,c3 b2-a3 d4~,b2 a3-b4 c3,c3~ c1-b2 d4,d2", -0.6),
    ],
)
def test_search_plays_out_late_positions_over_all_measurements(level, moves, value):
    game, referee, chances = play(moves, level=level, size=4), Referee(level, 4), []
    for move in moves.split():
        referee = referee.after(move)
    exact = whole(referee, 3, chances)
    assert exact == Fraction(value).limit_denominator(10)
    assert chances
    choice = player("search", 2).choose(game, Limit(3))
    assert choice.value == pytest.approx(float(exact), abs=1e-12)
    assert whole(referee.after(str(choice.move)), 2, []) == exact


def test_search_takes_a_win_and_parries_a_loss():
    won = play("c3 c1-d2 b2 d2-c3", size=4)  # c1 passes
    for depth in (1, 2, 3):
        choice = player("search", 1).choose(won, Limit(depth))
        assert (str(choice.move), choice.value) == ("c1", 1)
    trap = play("a3 c1-b2 b4 b2-c3 a3 a1-b2 b4", size=4)
    assert str(player("search", 1).choose(trap, Limit(1)).move) == "b2-a3"


def test_search_keeps_within_its_limits():
    game = Game(NAME, level=3, size=6)
    full = player("search", 1).choose(game, Limit(3))
    assert full.value is not None
    assert full.nodes > 20
    for nodes in (0, 1, 2, 10, 20, full.nodes, 10 * full.nodes):
        choice = player("search", 1).choose(game, Limit(3, nodes=nodes))
        assert choice.move in game.legal_moves
        assert choice.nodes <= nodes
        if nodes >= full.nodes:
            assert choice == full
        if nodes == 0:
            assert choice.value is None
    depths = [player("search", 1).choose(game, Limit(depth)).nodes for depth in (1, 2, 3)]
    assert depths[0] == len(game.legal_moves)
    assert depths == sorted({*depths})
    hurried = player("search", 1).choose(game, Limit(50, seconds=0.0))
    assert hurried.move in game.legal_moves
    assert hurried.value is None
    assert Choice(full.move) == Choice(full.move, None, 0)


def test_search_at_depth_2_wins_more_often_than_chance():
    won = {"search": 0, "random": 0}
    for kind in won:
        for seed in range(40):
            for game, _ in plies(("random", kind), NAME, {"size": 6}, seed, Limit(2), most=60):
                last = game
            won[kind] += last.outcome().winner == "hounds"
    assert won["search"] > won["random"]
