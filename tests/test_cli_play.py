"""``qttt play`` between players that are programs: games, records, resuming, wrong use."""

import json
import stat

import pytest
from hounds import MEASURED, Referee, agrees, branches

from qttt_circuits import Game
from qttt_circuits.games import all_rules

HOUNDS = "cat-and-hounds"
GAMES = dict.fromkeys(all_rules(), ("--x", "--o")) | {HOUNDS: ("--cat", "--hounds")}
KEYS = {"rules", "moves", "turn", "outcome", "board", "seed", "record"}
QUANTUM = (HOUNDS, "--option", "level=5", "--option", "size=6")


@pytest.fixture
def played(qttt):
    """Plays a game of players at random, unless told otherwise, and returns the document."""

    def call(rules, *arguments, kinds=("random", "random"), status=0):
        first, second = GAMES[rules]
        ran = qttt("play", rules, first, kinds[0], second, kinds[1], *map(str, arguments), "--json")
        assert ran.status == status, ran.err
        return json.loads(ran.out)

    return call


def check(document, rules):
    """Checks that a document describes one game, which is over or may go on."""
    assert set(document) == KEYS
    game = Game.from_record(document["record"])
    assert game.rules.name == document["rules"] == rules
    assert document["moves"] == [str(move) for move in game.history]
    assert (document["turn"], document["board"]) == (game.turn, game.observed)
    outcome = game.outcome()
    assert (document["outcome"] is None) is (outcome is None)
    if outcome is not None:
        assert document["outcome"] == {
            "winner": outcome.winner, "scores": dict(outcome.scores), "reason": outcome.reason,
        }  # fmt: skip
    return game


@pytest.mark.parametrize("rules", GAMES)
def test_a_seeded_game_is_played_to_its_end_and_again_alike(played, rules):
    first, again = played(rules, "--seed", 3), played(rules, "--seed", 3)
    assert first == again
    assert first["seed"] == 3
    game = check(first, rules)
    assert game.outcome() is not None
    others = [played(rules, "--seed", seed, "--max-plies", 6)["moves"] for seed in (4, 5)]
    assert any(moves != first["moves"][: len(moves)] for moves in others)


def test_a_seed_is_drawn_and_reported_if_none_is_given(played):
    first = played(HOUNDS, "--option", "size=4")
    assert played(HOUNDS, "--option", "size=4", "--seed", first["seed"]) == first


@pytest.mark.parametrize("level", range(1, 6))
def test_games_of_every_level_are_as_the_referee_says(played, level):
    for seed in (1, 2):
        found = played(HOUNDS, "--option", f"level={level}", "--option", "size=6", "--seed", seed)
        game, referee = Game(HOUNDS, level=level, size=6), Referee(level, 6)
        for move in found["moves"]:
            assert referee.allows(move), found["moves"]
            game.push(move)
            referee = referee.after(move)
        agrees(game, referee)
        assert referee.over
        assert found["board"] == game.observed


def test_kinds_of_players_are_chosen_by_side(played):
    kinds = ("perfect", "random")
    for seed in range(3):
        found = played(HOUNDS, "--option", "size=6", "--seed", seed, kinds=kinds)
        assert found["outcome"]["winner"] == "cat"
        found = played(HOUNDS, "--option", "size=4", "--seed", seed, kinds=kinds[::-1])
        assert found["outcome"]["winner"] == "hounds"
    found = played(HOUNDS, "--option", "size=4", "--seed", 1, kinds=("perfect", "perfect"))
    assert (found["outcome"]["winner"], len(found["moves"])) == ("hounds", 8)
    deep = played(HOUNDS, "--option", "size=4", "--depth", 9, kinds=("search", "search"))
    assert deep["outcome"]["winner"] == "hounds"


def test_x_and_o_are_other_names_for_cat_and_hounds(qttt, played):
    ran = qttt("play", HOUNDS, "--x", "perfect", "--o", "random", "--seed", "2", "--json",
               "--option", "size=6")  # fmt: skip
    expected = played(HOUNDS, "--option", "size=6", "--seed", 2, kinds=("perfect", "random"))
    assert json.loads(ran.out) == expected


def test_a_game_starts_where_the_moves_end(played):
    moves = ("c5", "a1-b2", "b4")
    found = played(HOUNDS, *moves, "--option", "size=6", "--seed", 1)
    assert found["moves"][:3] == [*moves]
    over = played("goff", "1", "4", "2", "5", "3", "--seed", 1)
    assert over["moves"] == ["1", "4", "2", "5", "3"]
    assert over["outcome"]["winner"] == "X"


def test_people_see_the_moves_the_board_and_the_seed(qttt):
    ran = qttt("play", HOUNDS, "--cat", "random", "--hounds", "random", "--option", "size=4",
               "--seed", "5")  # fmt: skip
    data = json.loads(
        qttt("play", HOUNDS, "--cat", "random", "--hounds", "random", "--option", "size=4",
             "--seed", "5", "--json").out
    )  # fmt: skip
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("cat-and-hounds size=4: the cat to move\n")
    game = Game.from_record(data["record"])
    said = [line for line in ran.out.splitlines() if line.startswith(("cat:", "hounds:"))]
    sides = ["cat", "hounds"] * len(data["moves"])
    assert said == [f"{side}: {move}" for side, move in zip(sides, data["moves"], strict=False)]
    assert str(game) in ran.out
    assert ran.out.rstrip().endswith("seed 5")


# --- a hound in superposition


def collapses(moves, size):
    """Returns the plies after which a hound in superposition collapsed with the cat."""
    referee, found = Referee(5, size), []
    for ply, move in enumerate(moves, 1):
        several = len({part.hounds for part in referee.parts.values()}) > 1
        referee = referee.after(move)
        if move.startswith("@") and several:
            found.append(ply)
    return found


def test_a_hound_splits_and_collapses_with_the_cat_and_the_record_shows_it(qttt, played, tmp_path):
    for seed in range(10):
        path = tmp_path / f"{seed}.json"
        found = played(*QUANTUM, "--seed", seed, "--record", path)
        plies = collapses(found["moves"], 6)
        if plies:
            break
    assert plies
    game = check(found, HOUNDS)
    shown = json.loads(qttt("show", str(path), "--json").out)
    assert (shown["board"], shown["record"]) == (found["board"], found["record"])
    assert shown["moves"] == found["moves"]
    run = qttt("show", str(path))
    assert (run.status, run.out) == (0, f"{game.text()}\n{game}\n")
    # up to the collapse, ply by ply against the referee
    referee, replay = Referee(5, 6), Game(HOUNDS, level=5, size=6)
    for ply, move in enumerate(found["moves"][: plies[0]], 1):
        before, name = branches(replay.observed), move.removeprefix("@")
        referee = referee.after(move)
        replay.push(move)
        agrees(replay, referee)
        if ply == plies[0]:
            assert len({hounds for _, hounds, _, _ in before.values()}) > 1
            assert [*branches(replay.observed).values()] == [(*before[name][:2], 1, 1)]


# --- records


@pytest.mark.parametrize("rules", ["cancelling", "goff", HOUNDS])
def test_a_game_is_stopped_and_resumed_from_its_record(played, qttt, tmp_path, rules):
    path = tmp_path / "game.json"
    options = ("--option", "level=3", "--option", "size=6") if rules == HOUNDS else ()
    moves, stops = [], 0
    while True:
        found = played(rules, *options, "--record", path, "--seed", 8, "--max-plies", 3)
        assert found["moves"][: len(moves)] == moves
        assert len(found["moves"]) <= len(moves) + 3
        assert json.loads(path.read_text()) == found["record"]
        check(found, rules)
        if found["outcome"]:
            break
        assert len(found["moves"]) == len(moves) + 3
        moves, stops = found["moves"], stops + 1
    assert stops > 0
    again = played(rules, *options, "--record", path, "--seed", 9)
    assert again["moves"] == found["moves"]  # it is over
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]
    # a record alone says which game it is
    first, second = GAMES[rules]
    alone = qttt("play", "--record", str(path), first, "random", second, "random", "--json")
    assert json.loads(alone.out)["moves"] == found["moves"]


def test_the_record_is_kept_after_every_ply(monkeypatch, played, tmp_path):
    path, kept = tmp_path / "game.json", []
    push = Game.push

    def noted(game, move):
        if path.exists():
            kept.append(json.loads(path.read_text())["moves"])
        return push(game, move)

    monkeypatch.setattr(Game, "push", noted)
    found = played(HOUNDS, "--option", "level=3", "--seed", 2, "--record", path)
    done = [moves for moves in kept if moves]
    assert done[: len(found["moves"]) - 1] == [
        found["moves"][:n] for n in range(1, len(found["moves"]))
    ]


def test_a_measurement_counts_as_a_ply_and_can_be_resumed(played, tmp_path):
    path = tmp_path / "game.json"
    moves = ["split:c7,e7", "a1-b2", "b8,f8", "b2-a3", "c7,e7", "c1-b2", "b8,f8"]
    assert MEASURED[3] == 3
    found = played(HOUNDS, *moves, "--option", "level=3", "--record", path, "--max-plies", 1)
    assert found["moves"][:-1] == moves
    assert found["moves"][-1] in ("@left", "@right")
    assert (found["turn"], found["outcome"]) == ("hounds", None)
    results = {
        played(HOUNDS, *moves, "--option", "level=3", "--max-plies", 1, "--seed", seed)["moves"][-1]
        for seed in range(12)
    }
    assert results == {"@left", "@right"}


def test_stopping_says_so_to_people(qttt):
    ran = qttt("play", "goff", "--x", "random", "--o", "random", "--seed", "1", "--max-plies", "2")
    assert ran.status == 0
    assert "stopped after 2 plies" in ran.out


# --- wrong use


def refused(ran, part, status=2):
    assert (ran.status, ran.out) == (status, ""), ran
    [line] = ran.err.splitlines()[-1:]
    assert line.startswith("qttt: ")
    assert part in line
    assert "Traceback" not in ran.err


SEATS = ("--cat", "random", "--hounds", "random")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ((HOUNDS, "--cat", "perfekt"), "unknown player 'perfekt'; did you mean 'perfect'?"),
        ((HOUNDS, "--cat", "random", "--hounds", "nobody"), "unknown player 'nobody'"),
        ((HOUNDS, "--option", "level=6", *SEATS), "level of cat-and-hounds is 1 or 2"),
        ((HOUNDS, "--option", "level=0", *SEATS), "not '0'"),
        ((HOUNDS, "--option", "size=7", *SEATS), "even size"),
        ((HOUNDS, "--option", "level", *SEATS), "write NAME=VALUE"),
        ((HOUNDS, "--option", "levle=3", *SEATS), "did you mean 'level'"),
        ((HOUNDS, "d6", *SEATS), "illegal move 'd6'"),
        ((HOUNDS, "c7~~", *SEATS), "'c7~~' is not a move"),
        (("cat-and-dogs", *SEATS), "did you mean 'cat-and-hounds'"),
        ((*SEATS,), "name a rule set"),
        ((HOUNDS, *SEATS, "--max-plies", "0"), "max-plies"),
        ((HOUNDS, *SEATS, "--depth", "0"), "depth"),
        ((HOUNDS, *SEATS, "--seed", "x"), "seed"),
        ((HOUNDS, *SEATS, "--seed", "-1"), "seed"),
        ((HOUNDS, *SEATS, "--dept", "3"), "did you mean '--depth'"),
        ((HOUNDS, "--option", "level=2", "--cat", "perfect", "--hounds", "random"), "level 1"),
        (("leaw-cheong", "--x", "perfect", "--o", "random"), "no solver for leaw-cheong"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(qttt, arguments, part):
    # what was said before a player was asked goes to standard error with --json
    refused(qttt("play", *arguments, "--json"), part)


def test_bad_records_are_refused_and_left_alone(qttt, tmp_path):
    path = tmp_path / "game.json"
    whole = Game(HOUNDS).record()
    for content, part in (
        ("", "not a JSON document"), ("{", "not a JSON document"), ("[]", "not a game record"),
        (json.dumps({**whole, "version": 99}), "version 99"),
        (json.dumps({**whole, "moves": ["d6"]}), "fails at move 1"),
        (json.dumps({**whole, "options": {"level": "9"}}), "does not replay"),
        (json.dumps({**whole, "rules": "cats"}), "does not replay"),
    ):  # fmt: skip
        path.write_text(content)
        refused(qttt("play", "--record", str(path), *SEATS, "--json"), part)
        assert path.read_text() == content


def test_a_record_of_another_game_is_not_overwritten(qttt, tmp_path):
    path = tmp_path / "game.json"
    game = Game(HOUNDS, level=2)
    game.push("c7")
    path.write_text(json.dumps(game.record()))
    content = path.read_text()
    for asked in (
        ("goff",), (HOUNDS,), (HOUNDS, "e7", "--option", "level=2"), (HOUNDS, "c7", "a1-b2",
                                                                      "--option", "level=2"),
    ):  # fmt: skip
        refused(qttt("play", *asked, "--record", str(path), *SEATS, "--json"), "another game")
        assert path.read_text() == content


def test_a_record_that_cannot_be_kept_is_refused(qttt, tmp_path):
    missing = tmp_path / "nowhere" / "game.json"
    refused(qttt("play", HOUNDS, *SEATS, "--record", str(missing), "--json"), "No such file")
    assert not missing.parent.exists()
    ran = qttt("play", HOUNDS, *SEATS, "--record", str(tmp_path), "--json")
    assert (ran.status, ran.out) == (2, "")
    assert stat.S_ISDIR(tmp_path.stat().st_mode)


def test_an_unknown_backend_is_refused_when_it_observes(qttt):
    moves = ["split:c7,e7", "a1-b2", "b8,f8", "b2-a3", "c7,e7", "c1-b2", "b8,f8"]
    ran = qttt("play", HOUNDS, *moves, "--option", "level=3", *SEATS, "--backend", "aer:nonsense",
               "--json")  # fmt: skip
    assert (ran.status != 0, ran.out) == (True, "")
    assert "Traceback" not in ran.err
