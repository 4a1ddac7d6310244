"""Leaw and Cheong's game: moves are orthogonal vectors, and a circuit checks that they are.

Document 001, second half.
"""

from qttt_circuits import Game, sample_many
from qttt_circuits.errors import IllegalMoveError

game = Game("leaw-cheong")
game.push("1:r1/2,5:r1/2")  # X is on squares 1 and 5, with amplitude 1/sqrt(2) each
game.push("9")  # a classical move of O

# A move must be orthogonal to all moves so far. This one is not, and the nearest that is is named.
try:
    game.push("1")
except IllegalMoveError as error:
    print(error.reason)
game.push(game.project("1"))
print(f"X plays {game.history[-1]} instead\n")

# X's amplitudes add up before they are squared: on square 5 they cancel, on square 1 they do not.
print(game, "\n")
print("occupations:", game.rules.details(game.table)["occupations"]["1"], "on square 1\n")

# How can a device see this? Overlaps: prepare one move, undo another, and read whether all qubits
# are back at zero. Orthogonal moves never are.
pairs = ((1, 1), (1, 2), (1, 3), (2, 3))
compared = sample_many(
    [game.experiment(circuit=f"overlap:{j},{k}") for j, k in pairs], shots=4000, seed=1
)
for (j, k), result in zip(pairs, compared, strict=True):
    print(f"moves {j} and {k}: same in {result.counts.get('same', 0)} of {result.accepted} shots")

# Occupations: an index qubit in |0> + |1> selects one of X's two moves. Where it is found in that
# state again, which of the moves it was cannot be told any more, and their amplitudes have added.
result = game.sample(4000, seed=1)
print("\noccupation of each square, from frequencies times the number of moves:")
for square, frequency in result.frequencies.items():
    print(f"square {square}: {2 * frequency:.3f} ± {2 * result.standard_errors[square]:.3f}")
print(result.account())
