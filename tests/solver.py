"""A slow and obvious solver of the dice games, which shares nothing with the one in the package.

Plain recursion over the exact engine: no groups, no symmetry, no pruning; a position is known by
its dice and its probabilities.
"""

from random import Random

from qttt_circuits import Game, Observation
from qttt_circuits.board import Board
from qttt_circuits.games import rules as rules_named

OTHER = {"X": "O", "O": "X"}
TURNS = [
    [3 * row + column for row, column in squares]
    for squares in (
        [turn(row, column) for row in range(3) for column in range(3)]
        for turn in (
            lambda r, c: (r, c),
            lambda r, c: (c, r),
            lambda r, c: (2 - r, c),
            lambda r, c: (r, 2 - c),
            lambda r, c: (2 - r, 2 - c),
            lambda r, c: (c, 2 - r),
            lambda r, c: (2 - c, r),
            lambda r, c: (2 - c, 2 - r),
        )
    )
]
"""Where the turns and reflections of the board take each square, from 0 on."""
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


def observed(rules, board, turn):
    """Returns the table after observing a board."""
    rules = rules_named(rules, first=turn)
    return rules.play(rules.start(), Observation(Board(board)))


def winner(board):
    """Returns the score of X on a board that ends the game, None if it does not."""
    lined = {m for m in "XO" for line in LINES if all(board[int(i)] == m for i in line)}
    if not lined and "E" in board:
        return None
    return 0 if len(lined) != 1 else 1 if lined == {"X"} else -1


class Slow:
    """What positions of a rule set are worth for X.

    Args:
        rules: The rule set's name.
        known: What boards are worth, by board and side to move, if they need not be worked out.
        again: What a board is worth that comes back as it was; by default it counts as a draw, as
            an endless game does.
    """

    def __init__(self, rules, known=None, again=lambda board, turn: 0):
        self.rules = rules_named(rules)
        self.known, self.again = known, again
        self.positions = {}

    def board(self, board, turn):
        """Returns what an observed board is worth; an endless game is a draw."""
        score = winner(board)
        if score is not None:
            return score
        if self.known is not None:
            return self.known(board, turn)
        return self.table(observed(self.rules.name, board, turn))

    def table(self, table):
        """Returns what a table is worth."""
        key = table.marks, table.turn, table.dice, tuple(self.rules.distribution(table).items())
        if key in self.positions:
            return self.positions[key]
        if not self.rules.observation_due(table):
            better = max if table.turn == "X" else min
            moves = self.rules.legal_moves(table)
            value = better(self.table(self.rules.play(table, move)) for move in moves)
        else:
            value = sum(
                p * (self.again if board == table.marks else self.board)(board, table.turn)
                for board, p in self.rules.distribution(table).items()
            )
        self.positions[key] = value
        return value


def undecided(empty, rng):
    """Returns a random board with so many empty squares on which the game goes on."""
    while True:
        letters = ["E"] * empty + [rng.choice("XO") for _ in range(9 - empty)]
        rng.shuffle(letters)
        if winner("".join(letters)) is None:
            return "".join(letters)


def game_from(rules, board, turn, moves=()):
    """Returns a game that begins with an observed board."""
    start = observed(rules, board, turn)
    rules = rules_named(rules, first=turn)
    rules.start = lambda: start
    game = Game(rules)
    for move in moves:
        game.push(move)
    return game


def positions(rules, empty, number, seed):
    """Yields random positions of every length with so many empty squares when last observed."""
    rng = Random(f"{rules} {empty} {seed}")
    for _ in range(number):
        game = game_from(rules, undecided(empty, rng), rng.choice("XO"))
        for _ in range(rng.randrange(empty + 1)):
            if not game.observation_due:
                game.push(rng.choice(list(game.legal_moves)))
        yield game
