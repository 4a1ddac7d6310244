"""A stand-in for the IBM Quantum cloud, so that tests talk to no network but the loopback.

The client library is used as it is installed, without a patch. Environment variables alone lead it
here: it asks for ``http://…cloud.test`` addresses, which exist nowhere, through ``HTTP_PROXY``,
which is this server. Subprocesses inherit that, so a program can be killed and started again.

As a subprocess, on a free port that is printed as the first line::

    python -m cloud --directory DIR [--port PORT] [--backend ibm_fez] [--noise] [--salt 7]

(with ``tests`` as the working directory or on ``PYTHONPATH``), or from a test::

    from cloud.control import StandIn

    with StandIn(tmp_path) as cloud:
        cloud.point(monkeypatch)                      # or subprocess.run(…, env=cloud.environment)
        cloud.fault("submit", "drop", when="after")   # the next POST /jobs loses its response
        ...
        cloud.jobs("a-tag"), cloud.requests("submit") # what really happened
        cloud.kill()                                  # SIGKILL
        cloud.start()                                 # same port, same jobs, same faults

A module of tests gets all that as fixtures by ``pytest_plugins = ("cloud.fixtures",)``. Without
Python, faults are set by ``POST /_admin/faults`` on the same port, as in
``{"where": "job", "what": "status", "status": 500, "times": 7}``.

What is where:

* ``control``: starts, kills and restarts the server, sets faults, reads jobs and requests;
  ``fixtures``: that, for tests.
* ``client_env``: the environment that leads the client here.
* ``faults``: what can be made to go wrong, and how often.
* ``api``, ``account``, ``devices``: the answers, by route.
* ``jobs``: the jobs, on disk; ``programs``: running them on Aer.
* ``server``: HTTP, the log of requests and the admin endpoints ``/_admin/…``.

The directory holds all state: ``jobs/``, ``faults.json`` and ``requests.jsonl`` (method, host,
path, query, route and outcome of each request; no header and no body).

Results are noise-free unless ``--noise`` is given, and depend on the content of the job alone:
the same circuits and shots give the same bits, in any process and after any restart.
"""
