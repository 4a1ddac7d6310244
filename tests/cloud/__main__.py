"""Starts the stand-in; its port is the first line that it prints."""

import argparse
import os
import threading
import time
from pathlib import Path

from .devices import SNAPSHOTS
from .jobs import Jobs
from .server import Server

WAIT = 0.5


def work(jobs: Jobs, noise: bool, salt: str, lazy: bool) -> None:
    """Runs the jobs, one after the other, for ever.

    Args:
        jobs: The jobs.
        noise: Whether with noise.
        salt: Goes into all seeds.
        lazy: Whether to import Qiskit only when there is a job to run.
    """
    runner = None
    while True:
        job = jobs.take(WAIT)
        if job and job.failure:
            jobs.fail(job.id, job.failure["reason"], job.failure["code"])
            continue
        if job or not lazy:
            lazy = True
            if runner is None:
                from .programs import Runner

                runner = Runner(noise, salt)
        if job and runner:
            try:
                result = runner.run(job.program, job.backend, jobs.params(job.id))
            except Exception as error:
                jobs.fail(job.id, f"{type(error).__name__}: {error}", 9999)
            else:
                jobs.complete(job.id, result)


def end_with(parent: int) -> None:
    """Ends this process when its parent has ended.

    Args:
        parent: The process id of the parent.
    """
    while os.getppid() == parent:
        time.sleep(WAIT)
    os._exit(0)


def main() -> None:
    """Reads the command line and serves for ever."""
    parser = argparse.ArgumentParser(prog="python -m cloud", description=__doc__)
    parser.add_argument("--directory", type=Path, required=True, help="where everything is kept")
    parser.add_argument("--port", type=int, default=0, help="0, the default, for a free one")
    parser.add_argument("--backend", action="append", choices=SNAPSHOTS, help="default: ibm_torino")
    parser.add_argument("--noise", action="store_true", help="the noise of the snapshot")
    parser.add_argument("--salt", default="", help="other random numbers for the same jobs")
    parser.add_argument("--lazy", action="store_true", help="import Qiskit at the first job only")
    parser.add_argument("--with-parent", action="store_true", help="end when the parent ends")
    options = parser.parse_args()
    parent = os.getppid()
    server = Server(options.port, options.directory, tuple(options.backend or ["ibm_torino"]))
    print(server.server_port, flush=True)
    if options.with_parent:
        threading.Thread(target=end_with, args=(parent,), daemon=True).start()
    arguments = (server.jobs, options.noise, options.salt, options.lazy)
    threading.Thread(target=work, args=arguments, daemon=True).start()
    try:
        server.serve_forever(poll_interval=WAIT)
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
