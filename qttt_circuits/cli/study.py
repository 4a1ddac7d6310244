"""``qttt study``: many games between two players, counted."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from logging import CRITICAL, getLogger
from pathlib import Path
from typing import Any

import click

from ..errors import OptionError, RecordError
from ..games import rules as rules_named
from ..players import Limit
from ..study import Mean, Share, Study, StudyResult, read_settings, read_study, run_study
from ..study.running import AHEAD
from ..study.settings import GAMES, MAX_PLIES
from .arguments import HELP, Stopped, json_option, named_options, options_option, print_json
from .files import output_option
from .tables import print_table

KIND = "random"
AHEAD_OF_A_WORKER = 2
"""Chunks of games that are handed out for each process, so that none waits for the next one."""


@click.command(context_settings=HELP)
@click.argument("rules", required=False, metavar="[RULES]")
@options_option
@click.option(
    "--x",
    "--cat",
    "first",
    metavar="KIND",
    help=f"Who plays X, or the cat: random, search, mcts or perfect.  [default: {KIND}]",
)
@click.option(
    "--o",
    "--hounds",
    "second",
    metavar="KIND",
    help=f"Who plays O, or the hounds.  [default: {KIND}]",
)
@click.option("--games", type=int, metavar="N", help=f"How many games.  [default: {GAMES}]")
@click.option("--seed", type=int, metavar="N", help="Drawn and reported if not given.")
@click.option(
    "--max-plies",
    type=int,
    metavar="N",
    help=f"A game that has not ended by then is unfinished.  [default: {MAX_PLIES}]",
)
@click.option(
    "--depth",
    type=int,
    metavar="N",
    help=f"How many moves search looks ahead.  [default: {Limit.depth}]",
)
@click.option(
    "--nodes",
    type=int,
    metavar="N",
    help=f"How many positions search and mcts look at.  [default: {Limit.nodes}]",
)
@click.option(
    "--swap",
    is_flag=True,
    default=None,
    help="Let the players exchange sides in every second game.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="How many processes play.",
)
@click.option("--dask", metavar="ADDRESS", help="Play on the cluster of this Dask scheduler.")
@output_option(
    "--output", "-o", help="Keep every game here, and go on with the games that are missing."
)
@json_option
def study(
    rules: str | None,
    options: tuple[str, ...],
    workers: int,
    dask: str | None,
    output: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Let two players play many games, and count them.

    The same seed gives the same games, however many workers there are. A study that was stopped is
    continued by the same command, or by its FILE alone.
    """  # fmt: skip
    if dask is not None and workers != 1:
        raise click.UsageError("--workers counts processes here; --dask plays on a cluster's")
    asked = _asked(rules, named_options(options), output, given)
    last = StudyResult(asked, {})
    try:
        with _progress(asked) as show, _executor(workers, dask) as executor:

            def progress(result: StudyResult) -> None:
                nonlocal last
                last = result
                show(result)

            last = run_study(asked, output=output, progress=progress, **executor)
    except KeyboardInterrupt:
        raise Stopped(f"stopped: {_kept(last, output)}") from None
    if as_json:
        print_json(last.to_json())
    else:
        print_study(last)


def _asked(
    rules: str | None, options: dict[str, str], output: Path | None, given: dict[str, Any]
) -> Study:
    """Returns the study that was asked for, and what is left open as usual or as in its file."""
    there = output is not None and output.exists() and output.stat().st_size > 0
    if rules is None and output is None:
        raise click.UsageError("name a rule set (see 'qttt rules'), or a study's file with -o FILE")
    if rules is None and output is not None and not there:
        what = "is empty" if output.exists() else "is not there"
        raise click.UsageError(f"{output} {what}, so name a rule set to begin a study")
    if rules is None and options:
        raise OptionError("--option belongs to a rule set: name it, or leave the file's as it is")
    first, second = given.pop("first"), given.pop("second")
    settings: dict[str, Any] = {}
    if output is not None and there and (rules is None or given["seed"] is None):
        settings = read_settings(output).to_json()
    if rules is not None:
        usual = Study(rules_named(rules, **options), (KIND, KIND), seed=settings.get("seed"))
        settings = usual.to_json()
    for index, kind in enumerate((first, second)):
        settings["players"][index] = kind or settings["players"][index]
    chosen = {name: value for name, value in given.items() if value is not None}
    asked = Study.from_json({**settings, **chosen})
    if output is not None and there:
        seats = {name for name, kind in (("first", first), ("second", second)) if kind}
        with suppress(RecordError):  # told when the file is opened to be written
            _require_same(output, read_settings(output), asked, {*chosen, *seats})
    return asked


def _require_same(path: Path, there: Study, asked: Study, typed: set[str]) -> None:
    """Raises an error if a file holds another study, which tells what was typed and differs."""
    theirs, ours = _typed(there), _typed(asked)
    differ = [name for name, words in ours.items() if words != theirs[name]]
    if not differ:
        return
    usual = "the usual "
    if "rules" in differ:
        differ, usual = ["rules"], ""
    elif typed & {*differ}:
        differ, usual = [name for name in differ if name in typed], ""
    words = ", ".join(f"{theirs[name]} and not {usual}{ours[name]}" for name in differ)
    raise OptionError(
        f"{path} holds another study, with {words}: qttt study -o {shlex.quote(str(path))} goes "
        "on with it, another file begins a new one"
    )


def _typed(study: Study) -> dict[str, str]:
    """Returns the settings of a study as they are typed."""
    name, *options = study.rules.title.split()
    first, second = (
        f"--{side.lower()} {kind}"
        for side, kind in zip(study.rules.sides, study.players, strict=True)
    )
    names = ("games", "seed", "max_plies", "depth", "nodes")
    settings = study.to_json()
    return {
        "rules": " --option ".join((name, *options)),
        "first": first,
        "second": second,
        **{name: f"--{name.replace('_', '-')} {settings[name]}" for name in names},
        "swap": "--swap" if study.swap else "no --swap",
    }


@contextmanager
def _executor(workers: int, dask: str | None) -> Iterator[dict[str, Any]]:
    """Yields what plays, as arguments of `run_study`."""
    if dask is not None:
        from ..study.cluster import cluster

        with cluster(dask) as (executor, threads):
            # what goes wrong is told in one line, and not in Dask's log as well
            getLogger("distributed.client").setLevel(CRITICAL + 1)
            yield {"executor": executor, "ahead": max(AHEAD, AHEAD_OF_A_WORKER * threads)}
    elif workers > 1:
        from ..study.workers import Workers

        yield {"executor": partial(Workers, workers), "ahead": AHEAD_OF_A_WORKER * workers}
    else:
        yield {}


@contextmanager
def _progress(study: Study) -> Iterator[Callable[[StudyResult], None]]:
    """Shows a bar on a terminal, with what is known so far; yields what is to be told of it."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    first, _ = study.rules.sides
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(escape(study.rules.title), total=study.games)

        def show(result: StudyResult) -> None:
            wins = result.wins(first)
            words = f"{study.rules.title}: {first} wins {wins.value:.3f} ({_interval(wins)})"
            bar.update(task, description=escape(words), completed=result.played)

        yield show


def print_study(found: StudyResult) -> None:
    """Prints what a study shows."""
    study, sides = found.study, found.study.rules.sides
    first, second = study.labels
    seats = f"{first} plays {sides[0]}, {second} {sides[1]}"
    if study.swap:
        seats += ", and the other way round in every second game"
    click.echo(f"{study.rules.title}: {seats}")
    rows = [(f"won by {side}", found.wins(side)) for side in sides]
    if study.swap:
        rows += [(f"won by {name}", found.player_wins(i)) for i, name in enumerate(study.labels)]
    rows += [("drawn", found.draws), ("unfinished", found.unfinished)]
    click.echo()
    print_table(
        f"{found.played} {'game' if found.played == 1 else 'games'}",
        ["", "games", "share", "95 %"],
        [[name, str(share.count), f"{share.value:.3f}", _interval(share)] for name, share in rows],
        whole=1,
    )
    click.echo(f"score of {sides[0]} minus that of {sides[1]}: {_mean(found.lead)}")
    if study.swap:
        click.echo(f"score of {first} minus that of {second}: {_mean(found.player_lead(0))}")
    click.echo(
        f"plies: mean {_mean(found.mean_plies)}, median {found.median_plies:g}, "
        f"longest {found.longest}"
    )
    click.echo(f"seed {study.seed}")


def _interval(share: Share) -> str:
    low, high = share.interval
    return f"{low:.3f} to {high:.3f}"


def _mean(mean: Mean) -> str:
    error = "" if mean.standard_error is None else f" ± {mean.standard_error:.3f}"
    return f"{mean.value:.3f}{error}"


def _kept(last: StudyResult, output: Path | None) -> str:
    if output is None:
        return "nothing is kept; -o FILE would keep the games"
    if not output.exists():
        return "nothing was played yet"
    with suppress(RecordError):
        last = read_study(output)  # games may have been written since it was told
    return (
        f"{last.played} of {last.study.games} games are kept in {output}; "
        f"qttt study -o {shlex.quote(str(output))} goes on"
    )
