"""Studies: the same games whatever plays them, counted as an independent loop counts them."""

from __future__ import annotations

import doctest
import random
from collections import Counter
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from functools import partial
from math import sqrt
from queue import LifoQueue
from statistics import fmean, median, stdev
from threading import Thread

import pytest

import qttt_circuits.study
import qttt_circuits.study.playing as playing
from qttt_circuits import Game
from qttt_circuits.errors import ExecutionError, OptionError, RecordError, UnknownNameError
from qttt_circuits.games import all_rules, rules
from qttt_circuits.players import Limit
from qttt_circuits.study import GameRecord, Study, read_games, read_study, run_study
from qttt_circuits.study.playing import play_game
from qttt_circuits.study.tally import Tally
from qttt_circuits.study.workers import Workers

QUICK = Limit(depth=1, nodes=40)
SETS = [
    *((name, {}) for name in sorted(all_rules())),
    ("goff", {"collapse": "measure"}),
    ("cat-and-hounds", {"level": 5, "size": 6}),
]


class LastFirst(Executor):
    """A thread that does first what it was given last."""

    def __init__(self):
        self.waiting = LifoQueue()
        Thread(target=self.work, daemon=True).start()

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        self.waiting.put((id(future), future, partial(fn, *args, **kwargs)))
        return future

    def work(self):
        while True:
            _, future, call = self.waiting.get()
            if future.set_running_or_notify_cancel():
                future.set_result(call())


def lines(path):
    return sorted(path.read_text().splitlines())


# --- what plays changes nothing


def test_what_plays_changes_nothing(tmp_path):
    study = Study("tiqtaqtoe", ("search", "random"), games=40, seed=7, limit=QUICK, swap=True)
    expected = run_study(study, output=tmp_path / "here")
    with ThreadPoolExecutor(3) as threads:
        assert run_study(study, threads, output=tmp_path / "threads", ahead=7) == expected
    assert run_study(study, LastFirst(), output=tmp_path / "last-first") == expected
    assert run_study(study, partial(Workers, 2), output=tmp_path / "two", ahead=4) == expected
    assert run_study(study) == expected
    for name in ("threads", "last-first", "two"):
        assert lines(tmp_path / name) == lines(tmp_path / "here")
        assert read_games(tmp_path / name) == read_games(tmp_path / "here")
    order = [line[:12] for line in (tmp_path / "last-first").read_text().splitlines()[1:]]
    assert order != sorted(order)
    assert [game.number for game in read_games(tmp_path / "last-first")] == [*range(40)]


@pytest.mark.parametrize(("name", "chosen"), SETS, ids=str)
def test_every_game_is_the_same_in_other_processes(name, chosen):
    # sets of text are ordered otherwise in every process
    numbers = [*range(4)]
    study = Study(rules(name, **chosen), ("random", "mcts"), games=4, seed=3, limit=QUICK)
    with Workers(1) as worker:
        there, _ = worker.submit(playing.play_games, study, numbers[::-1], "0.1.0").result()
    assert there[::-1] == [play_game(study, number) for number in numbers]


def test_a_game_does_not_depend_on_those_before_it():
    for kinds in (("perfect", "random"), ("random", "perfect")):
        study = Study(rules("cat-and-hounds", size=4), kinds, games=9, seed=1)
        assert play_game(study, 8) == [play_game(study, n) for n in range(9)][8]
    study = Study("goff", ("search", "mcts"), games=9, seed=1, limit=QUICK)
    assert play_game(study, 5) == [play_game(study, n) for n in range(9)][5]


def test_other_seeds_and_numbers_are_other_games():
    played = {
        play_game(Study("tiqtaqtoe", games=5, seed=seed), number).moves
        for seed in range(12)
        for number in range(5)
    }
    assert len(played) == 60


# --- the games


@pytest.mark.parametrize(("name", "chosen"), SETS, ids=str)
def test_a_game_replays_to_what_is_recorded(name, chosen):
    study = Study(rules(name, **chosen), games=6, seed=5, max_plies=60)
    for number in range(6):
        game, record = Game(name, **chosen), play_game(study, number)
        for move in record.moves:
            assert game.outcome() is None
            game.push(move)
        outcome = game.outcome()
        assert record.plies == len(game.history) <= 60
        if outcome is None:
            assert (record.plies, record.scores, record.reason) == (60, None, "unfinished")
        else:
            assert (record.winner, record.reason) == (outcome.winner, outcome.reason)
            assert record.scores == dict(outcome.scores)


def test_players_sit_where_they_should():
    size = rules("cat-and-hounds", size=4)  # the hounds win this if they play perfectly
    right = run_study(Study(size, ("random", "perfect"), games=12, seed=2))
    wrong = run_study(Study(size, ("perfect", "random"), games=40, seed=2))
    assert right.wins("hounds").count == right.player_wins(1).count == 12
    assert wrong.wins("hounds").count < 40
    both = run_study(Study(size, ("perfect", "random"), games=40, seed=2, swap=True))
    assert [both.study.swapped(n) for n in range(3)] == [False, True, False]
    swapped = [ending for ending in both.endings if ending.swapped]
    assert {ending.winner for ending in swapped} == {"hounds"}
    won = sum(n for e, n in both.endings.items() if e.swapped or e.winner == "cat")
    assert both.player_wins(0).count == won


def by_hand(name, games, seed):
    """Plays random games with nothing of the study, and returns winners and plies."""
    rng, winners, plies = random.Random(seed), Counter(), []
    for _ in range(games):
        game = Game(name)
        while game.outcome() is None:
            if game.observation_due:
                game.observe(seed=rng)
            else:
                game.push(rng.choice([*game.legal_moves]))
        winners[game.outcome().winner] += 1
        plies.append(len(game.history))
    return winners, plies


def test_random_games_end_as_often_as_in_a_loop_of_its_own():
    games = 1500
    found = run_study(Study("tiqtaqtoe", games=games, seed=1))
    winners, plies = by_hand("tiqtaqtoe", games, 2)
    for here, there in (
        (found.wins("X").count, winners["X"]),
        (found.wins("O").count, winners["O"]),
        (found.draws.count, winners[None]),
    ):
        pooled = (here + there) / (2 * games)
        assert abs(here - there) / games < 4 * sqrt(pooled * (1 - pooled) * 2 / games)
    assert abs(found.mean_plies.value - fmean(plies)) < 4 * stdev(plies) * sqrt(2 / games)


# --- counting


def test_the_result_is_what_its_games_add_up_to(tmp_path):
    study = Study("goff", ("random", "search"), games=60, seed=4, limit=QUICK, swap=True)
    found = run_study(study, output=tmp_path / "file")
    games = read_games(tmp_path / "file")
    leads = [game.scores["X"] - game.scores["O"] for game in games]
    assert found.played == 60
    assert found.complete
    assert found.wins("X").count == sum(game.winner == "X" for game in games)
    assert found.wins("O").count == sum(game.winner == "O" for game in games)
    assert found.draws.count == sum(game.winner is None for game in games)
    assert found.lead.value == pytest.approx(fmean(leads))
    assert found.lead.standard_error == pytest.approx(stdev(leads) / sqrt(60))
    own = [-lead if game.number % 2 else lead for lead, game in zip(leads, games, strict=True)]
    assert found.player_lead(0).value == pytest.approx(fmean(own))
    assert found.player_lead(1).value == pytest.approx(-fmean(own))
    sides = "XO"
    for player in (0, 1):
        mine = [game.winner == sides[(player + game.number) % 2] for game in games]
        assert found.player_wins(player).count == sum(mine)
    plies = [len(game.moves) for game in games]
    assert found.mean_plies.value == pytest.approx(fmean(plies))
    assert found.median_plies == median(plies)
    assert found.longest == max(plies)
    assert found.plies == dict(sorted(Counter(plies).items()))
    assert read_study(tmp_path / "file") == found


def test_unfinished_games_are_counted_as_such():
    found = run_study(Study("shiftflip", games=20, seed=1, max_plies=5))
    assert found.unfinished.count == 20
    assert (found.draws.count, found.lead.value, found.longest) == (0, 0, 5)


def test_a_game_counts_once_and_another_with_its_number_is_refused():
    study = Study("tiqtaqtoe", games=3, seed=1)
    tally, game = Tally(study), play_game(study, 1)
    assert tally.add(game)
    assert not tally.add(play_game(study, 1))
    assert tally.result.played == 1
    other = GameRecord(1, game.moves[:-1], game.winner, game.scores, game.reason)
    with pytest.raises(RecordError, match="game 1 was played before, and otherwise"):
        tally.add(other)


def test_progress_is_told_what_is_known_so_far():
    told = []
    study = Study("tiqtaqtoe", games=50, seed=1)
    found = run_study(study, progress=told.append)
    assert told[0].played == 0
    assert told[0].wins("X").interval == (0, 1)
    assert [result.played for result in told] == sorted({result.played for result in told})
    assert told[-1] == found
    assert found.complete


# --- workers that are lost


class Breaking(Executor):
    """Does some calls at once, and then breaks."""

    def __init__(self, calls):
        self.left = calls

    def submit(self, fn, /, *args, **kwargs):
        if not self.left:
            raise BrokenExecutor("gone")
        self.left -= 1
        future = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_an_executor_that_breaks_is_made_anew_a_few_times():
    study, made = Study("tiqtaqtoe", games=30, seed=1), []

    def make():
        made.append(Breaking(1 if len(made) < 3 else 1000))
        return made[-1]

    assert run_study(study, make, ahead=3) == run_study(study)
    assert len(made) == 4


def test_a_study_whose_workers_always_break_says_what_is_kept(tmp_path):
    path = tmp_path / "file"
    study, expected = Study("tiqtaqtoe", games=30, seed=1), tmp_path / "expected"
    with pytest.raises(ExecutionError, match=rf"\(gone\): \d+ of 30 games are kept in {path}"):
        run_study(study, partial(Breaking, 1), output=path, ahead=3)
    assert 0 < read_study(path).played < 30
    with pytest.raises(ExecutionError, match="nothing is kept without an output file"):
        run_study(study, Breaking(0))
    assert run_study(study, output=path) == run_study(study, output=expected)
    assert lines(path) == lines(expected)


def test_an_executor_that_was_shut_down_is_told_in_a_line():
    study = Study("tiqtaqtoe", games=30, seed=1)
    with ThreadPoolExecutor(1) as threads:
        pass
    with pytest.raises(ExecutionError, match=r"before the study \(RuntimeError: cannot schedule"):
        run_study(study, threads)
    threads = ThreadPoolExecutor(1)

    def stop(result):
        if result.played:
            threads.shutdown(cancel_futures=True)

    with pytest.raises(ExecutionError, match="the workers ended before the study"):
        run_study(study, threads, progress=stop)


def test_a_class_of_executors_makes_one():
    study = Study("tiqtaqtoe", games=30, seed=1)
    assert run_study(study, ThreadPoolExecutor) == run_study(study)


def test_what_fails_in_a_game_is_told_with_its_number(monkeypatch, tmp_path):
    played = playing._played

    def fails(study, number):
        if number == 5:
            raise OptionError("no such thing")
        if number == 11:
            raise ZeroDivisionError("by zero")
        return played(study, number)

    monkeypatch.setattr(playing, "_played", fails)
    with pytest.raises(ExecutionError, match=r"^game 5 of the study fails: no such thing$"):
        run_study(Study("tiqtaqtoe", games=9, seed=1))
    monkeypatch.setattr(playing, "_played", lambda study, number: fails(study, number + 6))
    with pytest.raises(ExecutionError, match=r"a worker failed \(ZeroDivisionError: by zero\)"):
        run_study(Study("tiqtaqtoe", games=9, seed=1), output=tmp_path / "file")


def test_a_worker_with_another_version_is_refused():
    with pytest.raises(
        ExecutionError, match=r"runs version 0\.1\.0 of the program and not 0\.2\.0"
    ):
        playing.play_games(Study("tiqtaqtoe", games=1, seed=1), [0], "0.2.0")


def test_the_example_of_the_package_is_true():
    found = doctest.testmod(qttt_circuits.study)
    assert (found.attempted > 2, found.failed) == (True, 0)


# --- wrong use


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"games": 0}, "games is an integer from 1 on, not 0"),
        ({"games": -3}, "not -3"),
        ({"games": True}, "not True"),
        ({"games": 2.0}, "not 2.0"),
        ({"max_plies": 0}, "max_plies is an integer from 1 on"),
        ({"seed": -1}, "a seed is an integer from 0 on"),
        ({"limit": Limit(depth=0)}, "depth is an integer from 1 on"),
        ({"limit": Limit(nodes=0)}, "nodes is an integer from 1 on"),
        ({"limit": Limit(seconds=1)}, "games that time limits would differ"),
        ({"limit": 3}, "limit is a Limit, not 3"),
        ({"swap": 1}, "swap is True or False, not 1"),
        ({"players": ("human", "random")}, "human does not play in a study"),
        ({"rules": "leaw-cheong", "players": ("random", "perfect")}, "no solver for leaw-cheong"),
        ({"players": ("random", "serch")}, "did you mean 'search'"),
        ({"players": ("random",)}, "two players"),
        ({"players": "random"}, "two players"),
        ({"players": None}, "two players"),
        ({"rules": "chess"}, "unknown rule set 'chess'"),
        ({"rules": 3}, "unknown rule set 3"),
    ],
)
def test_a_study_that_cannot_be_is_refused_before_it_starts(wrong, reason):
    settings = {"rules": "shiftflip", "players": ("random", "random"), "games": 3, "seed": 1}
    with pytest.raises(OptionError, match=reason):
        Study(**{**settings, **wrong})


def test_what_is_run_is_checked():
    study = Study("tiqtaqtoe", games=1, seed=1)
    with pytest.raises(OptionError, match="what is run is a Study"):
        run_study("tiqtaqtoe")
    with pytest.raises(OptionError, match="what plays is an executor, or makes one, and not 4"):
        run_study(study, 4)
    with pytest.raises(OptionError, match="ahead is an integer from 1 on"):
        run_study(study, ahead=0)
    with pytest.raises(OptionError, match="'Z' is no side: X or O"):
        run_study(study).wins("Z")
    with pytest.raises(UnknownNameError):
        Study.from_json({**study.to_json(), "rules": "chess"})
    assert Study.from_json(study.to_json()) == study


@pytest.mark.parametrize("index", [2, -1, True, "0", None])
def test_a_player_that_is_none_is_refused(index) -> None:
    found = run_study(Study("goff", games=1, seed=1))
    for ask in (found.player_wins, found.player_lead):
        with pytest.raises(OptionError, match="is no player: 0 is the study's first"):
            ask(index)


def test_rules_with_options_make_a_study() -> None:
    found = run_study(Study(rules("tiqtaqtoe", size=4), games=2, seed=1))
    assert found.complete
    assert found.study.to_json()["options"]["size"] == "4"
