"""Noise: what post-selection and readout mitigation are worth on a snapshot of a real device.

Needs the extras ibm and m3: pip install '.[ibm,m3]'. Runs offline.
"""

from qttt_circuits import Game
from qttt_circuits.backends import resolve
from qttt_circuits.device import run_on_device

SHOTS = 10_000
game = Game("cancelling")
game.push("1,2")
game.push("-2,3")
backend = resolve("fake_torino")  # IBM's published noise of a device with 133 qubits
print(f"{game.text()} on {backend.name}, {SHOTS} shots: distance from the exact distribution\n")

print("encoding  raw     post-selected  and mitigated  accepted")
names = ("spin", "pair", "gray", "one-hot")
experiments = [game.experiment(encoding=name) for name in names]
for name, found in zip(
    names, run_on_device(experiments, backend, shots=SHOTS, seed=1, readout=True), strict=True
):
    # Raw: every shot read as the board it seems to show. Post-selected: the shots in which all
    # checks agree. Mitigated: readout errors undone first, by a calibration in the same job.
    print(
        f"{name:8}  {found.raw_tvd:.4f}  {found.tvd:13.4f}  {found.mitigated.tvd:13.4f}  "
        f"{found.result.acceptance:8.3f}"
    )

# Where the lost shots went: the failed branch is physics, the rest are errors that were caught.
print("\nrejected in the last one:", found.result.rejected)
print(f"acceptance without noise: {experiments[0].predicted_acceptance:.4f}")
