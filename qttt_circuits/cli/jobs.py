"""``qttt submit`` and ``qttt jobs``: runs that survive a restart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import OptionError, StoreError
from ..game import Game
from .arguments import (
    HELP,
    MovesCommand,
    circuit_arguments,
    confirm_spending,
    json_option,
    print_json,
    yes_option,
)
from .sample import print_result
from .tables import print_table

if TYPE_CHECKING:
    from ..jobs import Job

_HELP = "Where records are kept; by default QTTT_DATA_DIR or the user's data directory."


def _directory(ctx: click.Context, param: click.Parameter, value: str | None) -> Path | None:
    """Returns the directory to be written; there may be none yet, but no file instead of it."""
    if value == "":
        raise OptionError("--store is given an empty name: name a directory")
    if value is not None and Path(value).exists() and not Path(value).is_dir():
        raise OptionError(f"--store {value} is not a directory")
    return None if value is None else Path(value)


def _there(ctx: click.Context, param: click.Parameter, value: str | None) -> Path | None:
    """Returns the directory to be read; only the usual one may be missing."""
    found = _directory(ctx, param, value)
    if found is not None and not found.exists():
        raise OptionError(f"--store {found}: there is no such directory")
    return found


new_store_option = click.option(
    "--store", "directory", callback=_directory, metavar="DIR", help=_HELP
)
store_option = click.option("--store", "directory", callback=_there, metavar="DIR", help=_HELP)


@click.command(cls=MovesCommand, context_settings=HELP)
@circuit_arguments
@click.option("--backend", required=True, metavar="NAME",
              help="aer, fake_NAME, or a device of the saved IBM account.")  # fmt: skip
@click.option("--shots", default="auto", metavar="N|auto", show_default=True)
@click.option("--tvd", type=float, default=0.02, metavar="D", show_default=True,
              help="The distance from exact that --shots auto aims at.")  # fmt: skip
@click.option("--seed", type=int, metavar="N", help="Drawn and recorded if not given.")
@click.option("--mitigate", metavar="readout", help="Calibrate the readout in the same job.")
@click.option("--suppress", metavar="dd,twirling", help="Error suppression on IBM's devices.")
@click.option("--max-seconds", type=click.IntRange(min=1), metavar="N",
              help="The most device time that the job may take.")  # fmt: skip
@yes_option
@new_store_option
@json_option
def submit(
    game: Game,
    compiled: dict[str, Any],
    backend: str,
    shots: str,
    tvd: float,
    seed: int | None,
    mitigate: str | None,
    suppress: str | None,
    max_seconds: int | None,
    yes: bool,
    directory: Path | None,
    as_json: bool,
) -> None:
    """Record a run of a position and submit it."""
    from ..adapter import require_room
    from ..backends import Aer, resolve
    from ..jobs import Store
    from ..placement import place
    from ..planner import plan

    if mitigate not in (None, "readout"):
        raise OptionError(f"--mitigate takes readout, not {mitigate!r}")
    experiment = game.experiment(**compiled)
    chosen = resolve(backend)
    placed = not isinstance(chosen, Aer) and experiment.circuit.num_qubits > 0
    if placed:
        require_room([experiment], chosen)
    if shots == "auto":
        fidelity = None
        if placed:
            fidelity = place([experiment.circuit], chosen, seed=seed or 0)[0].fidelity
        planned = plan(experiment.distribution, experiment.predicted_acceptance, fidelity, tvd=tvd)
        number = planned.shots
        click.echo(f"{number} shots: {planned.reason}", err=True)
    else:
        try:
            number = int(shots)
        except ValueError:
            raise OptionError(f"--shots takes a number or auto, not {shots!r}") from None
    confirm_spending(chosen, number, circuits=3 if mitigate else 1, yes=yes)
    job = game.submit(
        backend=backend if isinstance(chosen, Aer) else chosen,
        shots=number,
        seed=seed,
        readout=mitigate == "readout",
        suppress=tuple(suppress.split(",")) if suppress else (),
        max_seconds=max_seconds,
        store=Store(directory),
        **compiled,
    )
    if as_json:
        print_json(_summary(job))
        return
    click.echo(f"run {job.run_id} is {job.status}")
    if job.record.fidelity is not None:
        qubits = ", ".join(map(str, job.record.qubits))
        click.echo(f"qubits {qubits} of {backend}, predicted fidelity {job.record.fidelity:.3f}")
    where = f" --store {directory}" if directory else ""
    click.echo(f"read it with: qttt jobs wait {job.run_id}{where}")


def _summary(job: Job) -> dict[str, Any]:
    record = job.record
    return {
        "run": record.run_id,
        "status": record.status,
        "created": record.created,
        "backend": record.backend,
        "position": record.experiment["settings"]["position"],
        "shots": record.shots,
        "seed": record.seed,
        "job": record.job_id,
        "cancelled_jobs": list(record.job_ids_cancelled),
        "qubits": list(record.qubits),
        "predicted_fidelity": record.fidelity,
        "error": record.error,
        "observed": job.observed,
    }


@click.group(context_settings=HELP)
def jobs() -> None:
    """List runs, wait for them, read them, resume or cancel them."""


@jobs.command(name="list")
@store_option
@json_option
def list_runs(directory: Path | None, as_json: bool) -> None:
    """List the runs, oldest first."""
    from ..jobs import Job, Store

    store = Store(directory)
    if store.directory.exists() and not store.directory.is_dir():
        raise StoreError(f"{store.directory} is not a directory, so no runs are kept there")
    records, problems = store.all()
    found = [_summary(Job(record, store)) for record in records]
    if as_json:
        damaged = [{"path": str(p.path), "reason": p.reason} for p in problems]
        print_json({"runs": found, "problems": damaged})
        return
    keys = ("run", "status", "backend", "position", "shots", "created")
    print_table(
        f"runs in {store.directory}", keys, [[str(r[k]) for k in keys] for r in found], whole=1
    )
    for problem in problems:
        click.echo(f"qttt: not read: {problem.reason}", err=True)


@jobs.command(context_settings=HELP)
@click.argument("run")
@store_option
@json_option
def show(run: str, directory: Path | None, as_json: bool) -> None:
    """Show a run as it is recorded, asking nobody."""
    summary = _summary(_load(run, directory))
    if as_json:
        print_json(summary)
        return
    for key, value in summary.items():
        click.echo(f"{key.replace('_', ' ')}: {value}")


@jobs.command(context_settings=HELP)
@click.argument("run")
@click.option(
    "--timeout", type=click.FloatRange(min=0), metavar="SECONDS", help="The most to wait."
)
@click.option(
    "--poll", type=click.FloatRange(min=0.01), default=5.0, metavar="SECONDS", show_default=True
)
@store_option
@json_option
def wait(
    run: str, timeout: float | None, poll: float, directory: Path | None, as_json: bool
) -> None:
    """Wait until a run has ended and print its result."""
    from rich.console import Console
    from rich.markup import escape

    job = _load(run, directory)
    with Console(stderr=True).status(f"{job.run_id}: {job.status}") as status:
        job.wait(
            timeout=timeout,
            poll=poll,
            progress=lambda state: status.update(escape(f"{job.run_id}: {state}")),
        )
    _print(job, as_json)


@jobs.command(context_settings=HELP)
@click.argument("run")
@store_option
@json_option
def result(run: str, directory: Path | None, as_json: bool) -> None:
    """Print the result of a run that has ended."""
    _print(_load(run, directory), as_json)


@jobs.command(context_settings=HELP)
@click.argument("run")
@click.option("--resubmit", is_flag=True, help="Submit again if the service knows no job of it.")
@store_option
def resume(run: str, resubmit: bool, directory: Path | None) -> None:
    """Settle where a run stands after a crash or an error."""
    for line in _load(run, directory).resume(resubmit=resubmit):
        click.echo(line)


@jobs.command(context_settings=HELP)
@click.argument("run")
@store_option
def cancel(run: str, directory: Path | None) -> None:
    """Cancel a run."""
    job = _load(run, directory)
    job.cancel()
    click.echo(f"run {job.run_id} is {job.status}")


def _load(run: str, directory: Path | None) -> Job:
    from ..jobs import Job, Store

    return Job.load(run, Store(directory))


def _print(job: Job, as_json: bool) -> None:
    from ..device import raw_distance

    found, mitigated = job.result(), job.mitigated()
    found.require_accepted()
    raw = raw_distance(found.experiment, found.bits)
    if as_json:
        document = found.to_json()
        document["run"] = job.run_id
        document["raw_tvd"] = raw
        document["mitigated"] = None
        if mitigated is not None:
            document["mitigated"] = {"quasi": mitigated.quasi, "tvd": mitigated.tvd}
        print_json(document)
        return
    click.echo(f"run {job.run_id} of {found.experiment.settings['position']}")
    print_result(found)
    line = f"distance from exact: raw {raw:.4f}, post-selected {found.fit().tvd:.4f}"
    if mitigated is not None:
        line += f", mitigated and post-selected {mitigated.tvd:.4f}"
    click.echo(line)
