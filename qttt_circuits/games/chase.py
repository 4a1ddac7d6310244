"""How a cat stands against hounds: a guess for players that look ahead."""

from __future__ import annotations

from .branches import Branch
from .checkerboard import Checkerboard


def prospect(board: Checkerboard, branch: Branch) -> float:
    """Returns a guess of the cat's score minus the hounds' in one branch.

    The hounds are taken to stand still. If the cat can then walk to the row of the rearmost hound,
    it is better off the shorter the way is. If it cannot, it is worse off the fewer squares it can
    reach at all, and the closer the hounds stay together: a hound that ran ahead leaves a gap that
    the others can close only by moves that they will miss.

    Args:
        board: The board.
        branch: The branch.
    """
    rows = [board.row[hound] for hound in branch.hounds]
    rear = min(rows)
    reached, edge, steps = {branch.cat, *branch.hounds}, [branch.cat], 0
    while edge:
        if any(board.row[square] <= rear for square in edge):
            return 1.0 if steps == 0 else max(0.1, 0.9 - 0.1 * steps)
        around = {near for square in edge for near in board.around[square]}
        edge, steps = [near for near in around if near not in reached], steps + 1
        reached.update(edge)
    free = (len(reached) - len(rows)) / len(board.row)
    apart = (max(rows) - rear) / board.size
    return max(-0.95, -0.7 + 0.4 * free + 0.2 * apart)
