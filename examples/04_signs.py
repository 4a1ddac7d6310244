"""Counts do not show the signs of amplitudes; a circuit that undoes the state does.

Document 002, the spreading move: its dice, upside-down, give two of three boards a minus sign.
"""

from qiskit.circuit.library import StatePreparation
from qiskit.primitives import StatevectorSampler

from qttt_circuits import Game, sample_many

SHOTS = 10_000
game = Game("shiftflip")
game.push("1,2")
game.push("-2,-3")
experiment = game.experiment()
print(game, "\n")

# Signed is the state of the game. Unsigned is another state, with every minus made a plus.
signed = game.amplitudes()
unsigned = {board: abs(amplitude) for board, amplitude in signed.items()}

# A circuit that makes the unsigned state on the same qubits, run by one of Qiskit's own samplers.
# An experiment's decoder knows each outcome's code, and reads bits wherever they were measured.
state = experiment.decoder.state(unsigned)
other = experiment.circuit.copy_empty_like()
other.append(StatePreparation(state.vector), list(state.qubits))
other.measure(other.qubits, other.clbits)
measured = StatevectorSampler(seed=1).run([other], shots=SHOTS).result()[0]

# Counting boards squares amplitudes, and a sign does not survive that.
counts = game.sample(SHOTS, seed=1).counts
unsigned_counts = experiment.decode(measured).counts
print("board      signed: amplitude  counts  unsigned: amplitude  counts")
for board in signed:
    print(
        f"{board}  {signed[board]:+17.4f} {counts[board]:7} "
        f"{unsigned[board]:+20.4f} {unsigned_counts[board]:7}"
    )

# The overlap circuit plays the moves, then undoes a preparation of the state they are compared
# with, and reads whether all qubits are back at zero. That happens with probability |<a|b>|^2:
# 1 for the right signs, and (1/2 - 1/4 - 1/4)^2 = 0 for the wrong ones.
right, wrong = sample_many(
    [experiment.overlap(signed), experiment.overlap(unsigned)], shots=SHOTS, seed=1
)
print("\ncompared with  same  other")
for name, result in ("signed", right), ("unsigned", wrong):
    print(f"{name:13} {result.counts.get('same', 0):5} {result.counts.get('other', 0):6}")
