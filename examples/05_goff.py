"""Goff's game: pieces in two squares at once, a cycle, and the two ways in which it collapses.

Document 001, the worked example of its first half: Bob plays X and Alice O.
"""

from qttt_circuits import Game, solve

game = Game("goff")
for move in ("5,8", "5,9", "5,6"):
    game.push(move)

# Three pieces are in two squares each. No two end in one square, which leaves four assignments.
print(game, "\n")
for assignment, p in game.probabilities(exact=True).items():
    print(f"{assignment}  {p}")

# Alice's next move closes a cycle: X1 joins 5 and 8, O4 joins 8 and 6, X3 joins 6 and 5. Now there
# are two ways only, and O2, which hangs on the cycle, has no choice in either.
game.push("6,8")
print(f"\n{game.rules.status(game.table)}")

# One qubit a move says which of its squares it takes. Put both ways into every qubit, and most
# shots have two pieces in one square: they are rejected. Prepared directly, the cycle is a GHZ
# state: one qubit is free, the others follow it, and no shot is lost.
for circuit in ("projected", "direct"):
    result = game.sample(8000, seed=1, circuit=circuit)
    print(f"\n{circuit}: {result.experiment.circuit.num_qubits} qubits")
    print(result)

# Bob chooses; with these rules he wins either way, if he plays well from here on.
print("\nwhat each choice is worth for X, with best play of both:")
for rated in solve(game).moves:
    print(f"{rated.move}  {float(rated.value):+g}")
game.push("5=X1")
print(f"\n{game}")
