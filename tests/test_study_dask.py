"""A study on a Dask cluster on this machine, a worker of which is killed."""

from __future__ import annotations

import json
import os
import signal

import pytest

from qttt_circuits.errors import ExecutionError
from qttt_circuits.study import Study, read_study, run_study
from qttt_circuits.study.cluster import cluster

distributed = pytest.importorskip("distributed", reason="needs pip install 'qttt-circuits[dask]'")

GAMES = 1500
STUDY = Study("tiqtaqtoe", games=GAMES, seed=5, swap=True)
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def local():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as made:
        yield made


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "file"
    run_study(STUDY, output=path)
    return path


def test_a_killed_worker_loses_nothing_and_nothing_counts_twice(local, whole, tmp_path) -> None:
    killed = []

    def progress(result) -> None:
        if result.played > GAMES // 5 and not killed:
            with distributed.Client(local) as client:
                pids = client.run(os.getpid)
            killed.extend(list(pids.values())[:1])
            os.kill(killed[0], signal.SIGKILL)

    path = tmp_path / "file"
    with cluster(local.scheduler_address) as (executor, threads):
        assert threads == 2
        found = run_study(STUDY, executor, output=path, progress=progress)
    assert killed
    assert found == read_study(whole)
    assert sorted(path.read_bytes().splitlines()) == sorted(whole.read_bytes().splitlines())


def test_the_command_line_plays_on_it_and_goes_on_elsewhere(local, whole, qttt, tmp_path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"".join(whole.read_bytes().splitlines(keepends=True)[:100]))
    local.wait_for_workers(2)
    ran = qttt("study", "-o", str(path), "--dask", local.scheduler_address, "--json")
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(ran.out) == read_study(whole).to_json()
    assert sorted(path.read_bytes().splitlines()) == sorted(whole.read_bytes().splitlines())


def test_a_cluster_that_goes_away_keeps_the_games_and_one_without_workers_is_refused(
    whole, tmp_path
) -> None:
    path = tmp_path / "file"
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0"
    ) as going:

        def progress(result) -> None:
            if result.played > 50:
                going.close()

        with (
            cluster(going.scheduler_address) as (executor, _),
            pytest.raises(ExecutionError, match=f"of {GAMES} games are kept in {path}"),
        ):
            run_study(STUDY, executor, output=path, progress=progress)
    assert 50 < read_study(path).played < GAMES
    run_study(STUDY, output=path)
    assert sorted(path.read_bytes().splitlines()) == sorted(whole.read_bytes().splitlines())
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty,
        pytest.raises(ExecutionError, match="has no workers"),
        cluster(empty.scheduler_address),
    ):
        pass
