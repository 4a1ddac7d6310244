"""The 3.3 %: why a half-cancelling move sometimes leaves the piece that it meant to cancel.

Document 000, sections 1.2 and 4.2, step by step.
"""

from qttt_circuits import Game

# X puts one die on each of squares 1 and 2, so X's piece is on either with probability 1/2.
# O meets it on square 2: one die upright on 3, one upside-down on 2, where it stands for -X.
game = Game("cancelling")
game.push("1,2")
game.push("-2,3")
print(game, "\n")

# Each die is a term of one sum. X's die on 2 is halved: amplitude 1/2 stays there, 1/2 moves to 3.
# O's upside-down die takes 1/sqrt(2) away from square 2. Probabilities 1/4 and 2/4 might suggest
# that -1/4 is left, but amplitudes add, not probabilities: 1/2 - 1/sqrt(2) = -0.207 is left.
# The squares of the sum's terms add up to 1.29, so the board is renormalised.
sums = dict(game.rules.exact_state(game.table).terms(game.observed))
exact = game.probabilities(exact=True)
print("board      sum of the dice  amplitude  probability")
for board, amplitude in game.amplitudes().items():
    probability = f"{float(exact[board]):.5f} = {exact[board]}"
    print(f"{board}  {sums[board]!s:>15}  {amplitude:+.5f}   {probability}")
failed = "EXEEEEEEE"  # X still on square 2: the cancelling failed
print(f"so the cancelling fails with probability {game.probabilities()[failed]:.2%}\n")

# No circuit can do this alone: the sum's length changes, and what a circuit does keeps lengths.
# It therefore does the move divided by its largest stretch, sqrt(3 - sqrt(2)), and puts the rest
# of the probability where the qubit fail2 reads 1. Those shots are thrown away.
# sq1_occ is "square 1 is occupied", sq3_spin "by X (0) or by O (1)"; what is constant has no qubit.
experiment = game.experiment()
print(experiment.circuit.draw("text", fold=100), "\n")

# Observing the board many times. A standard error is sqrt(f(1 - f)/accepted).
result = game.sample(shots=100_000, seed=1)
print("board      counts   frequency ± s.e.     exact")
for board, p in game.probabilities().items():
    frequency, error = result.frequencies[board], result.standard_errors[board]
    print(f"{board}  {result.counts[board]:6}   {frequency:.4f} ± {error:.4f}    {p:.4f}")

# The acceptance is known beforehand too: (4 - sqrt(2)) / (2 (3 - sqrt(2))).
thrown_away = result.rejected["renormalise"]
print(f"{result.shots} shots: {result.accepted} accepted, {thrown_away} renormalised away")
print(f"acceptance {result.acceptance:.4f}, predicted {result.predicted_acceptance:.4f}\n")

# Given that square 2 was found empty, the document has 2/5, 2/5 and 1/5.
kept = {board: n for board, n in result.counts.items() if board[1] == "E"}
print("if the cancelling did not fail:")
for board, n in kept.items():
    print(f"{board}  {n / sum(kept.values()):.4f}")
