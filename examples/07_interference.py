"""Cat and hounds: two branches of a cat meet in one square, in phase and out of phase.

Document 004, interference.
"""

from qttt_circuits import Game

BEFORE = ("c7", "a1-b2", "split:b6,b8,d6", "b2-a3")

for name, meeting in (("in phase", "c7,c7,e5"), ("out of phase", "c7,c7~,e5")):
    game = Game("cat-and-hounds", level=4)
    for move in (*BEFORE, meeting):
        game.push(move)
    print(f"--- {name}: the cats of left and centre go to c7\n{game}\n")

    # In phase their amplitudes add to 2, and 2 : 1 makes 4/5 and 1/5. Out of phase they cancel,
    # and the third cat is all that is left: it is classical again.
    exact = {branch: str(p) for branch, p in game.probabilities(exact=True).items()}
    print("exact:", exact)

    # Which branch a cat came from must be forgotten, and no unitary forgets. The circuit does it in
    # a part of its shots, marked by an ancilla: 5/6 of them in phase, 1/6 out of phase.
    result = game.sample(6000, seed=1)
    print(result, "\n")

# Sizes stand for probabilities and paleness for the phase: a picture of the last position.
print("a picture of", len(game.draw("svg")), "characters of SVG: game.draw('svg')")
