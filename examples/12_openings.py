"""First moves of the dice games, drawn as boards, with what they are worth for X with best play.

4 is a die worth 4, 2 one worth 2; with a minus it lies upside-down. Of moves that turning and
reflecting make of each other one is shown. Values are X's wins less O's, on average.
"""

from qttt_circuits import Game, solve
from qttt_circuits.solving.tables import move_images

PER_ROW = 8


def drawn(move):
    """Returns the rows of a board with a move on it."""
    value = 4 if len(move.squares) == 1 else 2
    dice = {
        square: f"{sign * value:2}" for square, sign in zip(move.squares, move.signs, strict=True)
    }
    return ["".join(dice.get(3 * row + i, " ·") for i in (1, 2, 3)) for row in range(3)]


for rules in ("tiqtaqtoe", "cancelling", "shiftflip"):
    found = solve(Game(rules), line=False)
    openings = [rated for rated in found.moves if str(rated.move) == min(move_images(rated.move))]
    print(f"{rules}: {float(found.value):+.5f} for X, {len(openings)} different first moves\n")
    for start in range(0, len(openings), PER_ROW):
        part = openings[start : start + PER_ROW]
        boards = [drawn(rated.move) for rated in part]
        for row in zip(*boards, strict=True):
            print("   ".join(f"{squares:8}" for squares in row).rstrip())
        print("   ".join(f"{float(rated.value):+8.4f}" for rated in part) + "\n")
