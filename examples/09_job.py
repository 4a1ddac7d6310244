"""A job: recorded before it is submitted, so that nothing is lost whatever happens in between.

Here it is simulated at once; with the name of a device of your IBM account it is sent there.
"""

import sys
import tempfile

from qttt_circuits import Game
from qttt_circuits.jobs import Job, Store

backend = sys.argv[1] if len(sys.argv) > 1 else "aer"
game = Game("tiqtaqtoe")
for move in ("1,2", "2,3", "4,5", "7", "6,8", "9"):
    game.push(move)
print(game, "\n")

with tempfile.TemporaryDirectory() as directory:
    store = Store(directory)  # by default, a directory of the user's data
    job = game.submit(backend=backend, shots=200, seed=5, store=store)
    print(f"submitted: status {job.status}, {job.record.shots} shots on {job.record.backend}")

    # Imagine that the program ended here. Another one finds the run by its id, and asks how it
    # stands; a run whose submission was cut off is looked for by its tag before anything is sent
    # again.
    again = Job.load(job.run_id, store)
    print(*again.resume(), sep="\n")

    # The board is observed once: the first accepted shot counts, and it counts for one game only.
    board = game.observe(job=again)
    print(f"\nobserved: {board}\n{game}")
