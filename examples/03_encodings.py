"""One position in every encoding: the same boards at different cost.

An encoding says how a square, empty, X or O, is held in qubits: `qttt_circuits/encodings`.
"""

from itertools import product

from qiskit import generate_preset_pass_manager

from qttt_circuits import Game
from qttt_circuits.encodings import encodings

# O half-cancels on square 2 (document 000, 1.2). On squares 4 and 5, X plays a superposition and O
# a half-entangling move onto square 5.
game = Game("cancelling")
for move in "1,2", "-2,3", "4,5", "5,6":
    game.push(move)
print(game, "\n")

print("encoding  a square's qubits  E   X   O    (· is free)")
for name, encoding in encodings().items():
    codes = ["".join("·" if bit is None else str(bit) for bit in encoding.codes[s]) for s in "EXO"]
    print(f"{name:8}  {' '.join(encoding.bits):17}  {'  '.join(codes)}")

# On hardware two-qubit gates cost most, so they are counted, after Qiskit has optimised. A circuit
# follows the game move by move; where a move can fail it has an ancilla ("needed"), or every move
# has one that holds its piece while it is off the board ("all"; document 002, Physical
# interpretation). Or it prepares the position's state directly ("state"): nothing is rejected then,
# but it takes the exact amplitudes to build it.
builds = {"needed": {}, "all": {"ancillas": "all"}, "state": {"synthesis": "state"}}
optimise = generate_preset_pass_manager(3, basis_gates=["cx", "rz", "sx", "x"], seed_transpiler=1)
found = {}
print("\nencoding  build   qubits  CX gates  acceptance  predicted  p-value of the fit")
for seed, (name, (build, options)) in enumerate(product(encodings(), builds.items())):
    result = game.sample(20_000, seed=seed, encoding=name, **options)
    circuit = result.experiment.circuit
    print(
        f"{name:8}  {build:6}  {circuit.num_qubits:6}  "
        f"{optimise.run(circuit).count_ops()['cx']:8}  {result.acceptance:10.4f}  "
        f"{result.predicted_acceptance:9.4f}  {result.fit().p_value:.3f}"
    )
    found[name] = result.frequencies

print("\nfrequencies, state prepared directly")
print("board      exact  ", *(f"{name:>7}" for name in found))
for board, p in game.probabilities().items():
    print(f"{board}  {p:.4f} ", *(f"{seen.get(board, 0):7.4f}" for seen in found.values()))
