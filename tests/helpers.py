"""A second, dense engine of the dice games, written from the rules alone, and what tests share.

It imports nothing of the package. States are full vectors of nine qutrits, maps are matrices built
from the table below, legality is a refusal of each of all candidate moves.
"""

import json
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import sqrt
from pathlib import Path
from random import Random

import numpy as np

RULE_SETS = ("tiqtaqtoe", "cancelling", "shiftflip")
SQUARES = range(1, 10)
LETTERS = "EXO"
OTHER = {"X": "O", "O": "X"}
LINES = ("123", "456", "789", "147", "258", "369", "159", "357")
NOTHING = "E" * 9

GOLDEN = json.loads((Path(__file__).parent / "golden" / "dice.json").read_text())["positions"]

# --- the table of what a move does; a number a + b√2 is typed as the pair (a, b) ---------------

ROOT_HALF = (Fraction(0), Fraction(1, 2))
ONE = (Fraction(1), Fraction(0))
ROOT_HALF_LESS_ONE = (Fraction(-1), Fraction(1, 2))


def times(sign, number):
    """Returns a typed number times 1 or -1."""
    return (sign * number[0], sign * number[1])


def value(number):
    """Returns a typed number in floating point."""
    return float(number[0]) + float(number[1]) * sqrt(2)


def swapped(column):
    """Returns a column with the two squares of the result swapped."""
    return {image[::-1]: number for image, number in column.items()}


def table_classical(new, n):
    return {"E": {new: times(n, ONE)}}


def table_superposition(first, n1, second, n2):
    return {"EE": {first + "E": times(n1, ROOT_HALF), "E" + second: times(n2, ROOT_HALF)}}


def table_entangling(met, n):
    new = OTHER[met]
    return {met + "E": {new + met: times(n, ROOT_HALF), met + new: times(n, ROOT_HALF)}}


def table_half_entangling(met, n):
    new = OTHER[met]
    return {
        "EE": {new + "E": times(n, ROOT_HALF), "E" + new: times(n, ROOT_HALF)},
        met + "E": {new + met: times(n, ROOT_HALF), met + new: times(n, ROOT_HALF)},
    }


def table_cancelling(met, s, n, at_t):
    new = OTHER[met]
    if at_t:
        return {met + "E": {"E" + met: ROOT_HALF, "E" + new: times(s * n, ROOT_HALF)}}
    return {met + "E": {met + "E": ROOT_HALF, new + "E": times(s * n, ROOT_HALF)}}


def table_half_cancelling(met, at_t):
    column = {met + "E": ROOT_HALF_LESS_ONE, "E" + met: ROOT_HALF, "E" + OTHER[met]: ONE}
    return {"EE": {"EE": ONE}, met + "E": column if at_t else swapped(column)}


def table_half_shiftflip(met, n, c, at_t):
    new = OTHER[met]
    kept = "E" + new if at_t else new + "E"
    return {"EE": {kept: times(n, ONE)}, met + "E": {met + met: times(c, ROOT_HALF)}}


def table_spreading(met):
    return {
        "EE": {"EE": ONE},
        met + "E": {met + "E": times(-1, ROOT_HALF), "E" + met: times(-1, ROOT_HALF)},
    }


def table_off_board(met):
    return {met + "E": {"EE": ONE}}


def matrix(columns):
    """Returns a map as a matrix on its qutrits, zero where the table says nothing."""
    width = len(next(iter(columns)))
    full = np.zeros((3**width, 3**width))
    for source, column in columns.items():
        for image, number in column.items():
            full[index(image), index(source)] = value(number)
    return full


def index(configuration):
    """Returns the place of a configuration in a vector."""
    return int("".join(str(LETTERS.index(letter)) for letter in configuration), 3)


# --- the rules and the dense state --------------------------------------------------------------


@dataclass(frozen=True)
class RefDie:
    """A die of the reference engine."""

    owner: str
    sign: int
    value: int

    @property
    def symbol(self):
        return self.owner if self.sign == 1 else OTHER[self.owner]


def notation(dice, player=None):
    """Writes dice, given as (square, sign) pairs, as a move."""
    text = ",".join(f"{'-' if sign < 0 else ''}{square}" for square, sign in dice)
    return f"{player}:{text}" if player else text


CANDIDATES = [((square, sign),) for square in SQUARES for sign in (1, -1)] + [
    ((p, sign_p), (q, sign_q))
    for p, q in combinations(SQUARES, 2)
    for sign_p, sign_q in product((1, -1), repeat=2)
]
"""Every set of one or two dice on different squares, squares ascending."""


class Reference:
    """A game of the reference engine."""

    def __init__(self, rules):
        self.rules = rules
        self.marks = NOTHING
        self.turn = "X"
        self._clear()

    def _clear(self):
        self.dice = {square: [] for square in SQUARES}
        self.vector = np.zeros((3,) * 9)
        self.vector[(0,) * 9] = 1.0
        self.success = 1.0
        self.pieces = 0
        self.last_kind = None
        self.last_map = None

    def open_empty(self, square):
        return self.marks[square - 1] == "E" and not self.dice[square]

    @property
    def full(self):
        return not any(self.open_empty(square) for square in SQUARES)

    def allows(self, dice, player):
        """Whether dice may be placed, by the text of the rules; the game is taken to go on."""
        squares = [square for square, _ in dice]
        if not any(self.open_empty(square) for square in squares):
            return False
        if any(self.marks[square - 1] != "E" for square in squares):
            return False
        if any(die.owner == player for square in squares for die in self.dice[square]):
            return False
        if any(len(self.dice[square]) >= 2 for square in squares):
            return False
        downs = [sign for _, sign in dice].count(-1)
        meets = any(self.dice[square] for square in squares)
        if self.rules == "tiqtaqtoe":
            return downs == 0
        if self.rules == "cancelling":
            return downs == 0 or (downs == 1 and meets)
        return True

    def legal(self):
        """Returns the legal ones of all candidate moves."""
        return [dice for dice in CANDIDATES if self.allows(dice, self.turn)]

    def play(self, dice, player=None):
        """Places dice; returns the kind of the move."""
        player = player or self.turn
        new = {square: RefDie(player, sign, 4 if len(dice) == 1 else 2) for square, sign in dice}
        met_squares = [square for square in new if self.dice[square]]
        if met_squares:
            [t] = met_squares
            [e] = [square for square in new if square != t]
            [met] = self.dice[t]
            kind, columns = self._meeting(met, new[t], new[e])
            squares = (t, e)
            half = RefDie(met.owner, met.sign, met.value // 2)
            self.dice[t] = [half, new[t]]
            self.dice[e] = [half, new[e]]
        else:
            squares = tuple(new)
            first, *others = new.values()
            if others:
                [second] = others
                kind = "superposition"
                columns = table_superposition(first.symbol, first.sign, second.symbol, second.sign)
            else:
                kind, columns = "classical", table_classical(first.symbol, first.sign)
            for square, die in new.items():
                self.dice[square] = [die]
        self._apply(columns, squares)
        adds = ("classical", "superposition", "entangling", "half-entangling", "half-shiftflip")
        self.pieces += (kind in adds) - (kind == "off-board")
        self.turn = OTHER[player]
        self.last_kind = kind
        return kind

    def _meeting(self, met, at_t, at_e):
        cancels_t, cancels_e = at_t.symbol == met.symbol, at_e.symbol == met.symbol
        whole = met.value == 4
        if not cancels_t and not cancels_e:
            if whole:
                return "entangling", table_entangling(met.symbol, at_t.sign)
            return "half-entangling", table_half_entangling(met.symbol, at_t.sign)
        if cancels_t and cancels_e:
            if whole:
                return "off-board", table_off_board(met.symbol)
            return "spreading", table_spreading(met.symbol)
        cancelling, kept = (at_t, at_e) if cancels_t else (at_e, at_t)
        if whole:
            columns = table_cancelling(met.symbol, met.sign, kept.sign, cancels_t)
            return "cancelling", columns
        if self.rules == "cancelling":
            return "half-cancelling", table_half_cancelling(met.symbol, cancels_t)
        columns = table_half_shiftflip(met.symbol, kept.sign, cancelling.sign, cancels_t)
        return "half-shiftflip", columns

    def _apply(self, columns, squares):
        self.last_map = squares, columns
        full = matrix(columns)
        axes = [square - 1 for square in squares]
        width = len(axes)
        front = np.moveaxis(self.vector, axes, range(width)).reshape(3**width, -1)
        silent = [i for i in range(3**width) if not full[:, i].any()]
        assert not front[silent].any(), "the table says nothing of a branch"
        image = full @ front
        sigma_squared = np.linalg.svd(full, compute_uv=False)[0] ** 2
        self.success *= (image**2).sum() / (sigma_squared * (front**2).sum())
        shaped = image.reshape((3,) * 9)
        self.vector = np.moveaxis(shaped, range(width), axes)

    def amplitudes(self):
        """Returns the normalised amplitude of every board that can occur."""
        norm = sqrt((self.vector**2).sum())
        found = {}
        for place in np.argwhere(np.abs(self.vector) > 1e-12 * norm):
            board = "".join(
                LETTERS[letter] if mark == "E" else mark
                for letter, mark in zip(place, self.marks, strict=True)
            )
            found[board] = float(self.vector[tuple(place)]) / norm
        return found

    def distribution(self):
        """Returns the probability of every board that an observation could show."""
        return {board: a * a for board, a in self.amplitudes().items()}

    def observe(self, board):
        """Replaces dice by observed marks; the turn has already passed on."""
        self.marks = board
        self._clear()

    def over(self):
        """Whether a game that has just been observed is over, lines ending it."""
        lined = any(has_line(self.marks, mark) for mark in "XO")
        return lined or "E" not in self.marks


def has_line(board, mark):
    """Whether a mark fills a line of a board."""
    return any(all(board[int(square) - 1] == mark for square in line) for line in LINES)


def draw(distribution, rng):
    """Draws a board from a distribution."""
    boards = sorted(distribution)
    return rng.choices(boards, [distribution[board] for board in boards])[0]


def reference_game(rules, seed, plies=30, name_players=0.0):
    """Plays a random game on the reference engine.

    Yields the reference and the text of the move or observation that led to it, from the empty
    board (with None) on, until the game is over or so many plies have passed.
    """
    rng = Random(f"{rules} {seed}")
    reference = Reference(rules)
    yield reference, None
    for _ in range(plies):
        if reference.full:
            board = draw(reference.distribution(), rng)
            reference.observe(board)
            yield reference, f"@{board}"
            if reference.over():
                return
            continue
        player = rng.choice("XO") if rng.random() < name_players else None
        options = [d for d in CANDIDATES if reference.allows(d, player or reference.turn)]
        # moves that meet a die are fewer than those that do not: choose the sort first
        meeting = [d for d in options if any(reference.dice[square] for square, _ in d)]
        dice = list(rng.choice(meeting if meeting and rng.random() < 0.6 else options))
        rng.shuffle(dice)
        reference.play(tuple(dice), player)
        yield reference, notation(dice, player)


def whole_game(game, rng, plies=40):
    """Plays a game of the package to its end by its own legal moves; returns it."""
    for _ in range(plies):
        if game.outcome() is not None:
            break
        if game.observation_due:
            game.observe(seed=rng)
        else:
            game.push(rng.choice(list(game.legal_moves)))
    return game


def snapshot(game):
    """Returns everything that can be seen of a game, to compare before and after."""
    return {
        "text": game.text(),
        "history": [str(move) for move in game.history],
        "record": game.record(),
        "turn": game.turn,
        "due": game.observation_due,
        "outcome": game.outcome(),
        "observed": game.observed,
        "dice": game.table.dice,
        "legal": [str(move) for move in game.legal_moves],
        "probabilities": game.probabilities(),
        "exact": game.rules.exact_state(game.table).distribution(game.observed),
        "amplitudes": game.amplitudes(),
        "success": game.success,
        "drawing": str(game),
    }
