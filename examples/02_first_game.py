"""A whole game of TiqTaqToe, played at random and observed by running circuits.

Document 002, gameplay rules 1-6. Another seed plays another game: 02_first_game.py SEED
"""

import random
import sys

from qttt_circuits import Game

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 4
rng = random.Random(seed)
game = Game("tiqtaqtoe")

while game.outcome() is None:
    # Until no square is open, the players place dice: a 4 on one square or a 2 on each of two.
    while not game.observation_due:
        player = game.turn
        move = game.push(rng.choice(list(game.legal_moves)))
        print(f"{player} plays {move}")
    print(f"\n{game}\n")

    # Now the board must be observed. The position becomes a circuit, a simulator runs it, and the
    # first accepted shot is the board that everyone sees. It is final: the other boards are gone.
    # What is the same on every possible board needs no qubit, so there may be none at all.
    possible = len(game.probabilities())
    qubits = game.circuit().num_qubits
    board = game.observe(backend="aer", seed=rng)
    print(f"observed on {qubits} qubits: one of {possible} possible boards")
    print(board.diagram(), "\n")

print(game.outcome())
print("the game in one line:", game.text())

# The line is enough to have the game again, observed boards included.
assert Game.from_record(game.record()) == game
