"""A referee of cat and hounds, written from the specification alone, and what the tests share.

It imports nothing of the package. Amplitudes are whole numbers over a common root. Legality is
asked of every text that might be a move; nothing is listed that was not asked.
"""

import re
from collections import Counter
from copy import copy
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from random import Random
from typing import NamedTuple

LEVELS = range(1, 6)
NAMES = {2: ["left", "right"], 3: ["left", "centre", "right"]}
PARTS = {2: 2, 3: 2, 4: 3, 5: 3}
"""How many cats a split makes, by level."""
MEASURED = {3: 3, 4: 5, 5: 5}
"""The cat's turn after the split turn at the end of which it is measured, by level."""
KINDS = {
    "the cat has passed every hound": "passed",
    "the hounds have no move": "no move",
    "the cat is trapped": "trapped",
}
"""What the reason of an outcome says, without the names of branches."""


class Part(NamedTuple):
    """One branch: its cat, its hounds, its amplitude."""

    cat: str
    hounds: frozenset
    amplitude: int


def row(square):
    return int(square[1:])


@cache
def squares(size):
    """Returns the dark squares; a1 is one."""
    files = "abcdefghijklmnopqrstuvwxyz"[:size]
    return [f"{f}{r}" for r in range(1, size + 1) for f in files if (ord(f) + r) % 2 == 0]


@cache
def diagonal(square, size, rises=(1, -1)):
    """Returns the squares diagonally next to one, above or below."""
    found = {f"{chr(ord(square[0]) + c)}{row(square) + r}" for r in rises for c in (1, -1)}
    return sorted(found & {*squares(size)})


class Referee:
    """A game of the referee.

    Attributes:
        parts: The branches by name, in order.
        turn: The side to move, or to move after the measurement.
        count: The cat's turns since the split turn, None while it is classical.
        due: Whether the cat is to be measured.
        success: The product over the merges since the split.
        merges: The names and amplitudes of each merge since the split.
        split: The names that the last split gave, if the cat was not measured since.
    """

    def __init__(self, level=1, size=8, start=None, first="cat"):
        self.level, self.size, self.turn = level, size, first
        top = [square for square in squares(size) if row(square) == size]
        middle = min(top, key=lambda s: abs(ord(s[0]) - ord("a") - (size - 1) / 2))
        hounds = frozenset(square for square in squares(size) if row(square) == 1)
        self.parts = {"cat": Part(start or middle, hounds, 1)}
        self.count, self.due = None, False
        self.forget()

    def forget(self):
        self.success, self.merges, self.split = Fraction(1), (), ()

    # --- one branch

    def free(self, part):
        return [s for s in diagonal(part.cat, self.size) if s not in part.hounds]

    def passed(self, part):
        return row(part.cat) <= min(map(row, part.hounds))

    def acts(self, part, a, b):
        """Whether a hound moves in a branch."""
        return a in part.hounds and b not in part.hounds and b != part.cat

    # --- how it stands

    @property
    def quantum(self):
        return len(self.parts) > 1

    def weights(self):
        """Returns the probability of each branch."""
        total = sum(p.amplitude**2 for p in self.parts.values())
        return {name: Fraction(p.amplitude**2, total) for name, p in self.parts.items()}

    def trapped(self):
        """Returns the names of the branches in which the cat is trapped."""
        return [n for n, p in self.parts.items() if not self.passed(p) and not self.free(p)]

    def verdicts(self):
        """Returns every rule by which the game has ended, and the cat's score by it."""
        found = []
        if all(map(self.passed, self.parts.values())):
            found.append(("passed", Fraction(1)))
        if not self.due and self.turn == "hounds" and not any(map(self.allowed, self.asked())):
            found.append(("no move", Fraction(1)))
        if not self.due and self.turn == "cat" and self.trapped():
            lost = sum(self.weights()[name] for name in self.trapped())
            found.append(("trapped", 1 - lost))
        return found

    @property
    def over(self):
        return bool(self.verdicts())

    def shown(self):
        """Returns each branch with its sign, relative to the first, and its probability."""
        first, weights = next(iter(self.parts.values())).amplitude, self.weights()
        return {
            n: (p.cat, p.hounds, 1 if p.amplitude * first > 0 else -1, weights[n])
            for n, p in self.parts.items()
        }

    def result(self):
        """Returns what tells positions apart, in a form that can be hashed."""
        return (*self.shown().items(), self.turn, self.count, self.due, *self.verdicts())

    # --- what is legal

    def allows(self, text):
        """Whether a text is a legal move or measured branch."""
        return not self.over and self.allowed(text)

    def allowed(self, text):
        """The same while the game goes on."""
        if text[:1] == "@":
            return self.due and text[1:] in self.parts
        if self.due:
            return False
        if hound := re.fullmatch(r"([a-z]\d+)-([a-z]\d+)", text):
            a, b = hound[1], hound[2]
            if self.turn != "hounds" or b not in diagonal(a, self.size, (1,)):
                return False
            acting = [self.acts(part, a, b) for part in self.parts.values()]
            return any(acting) if self.level == 5 else all(acting)
        if self.turn != "cat":
            return False
        if text[:6] == "split:":
            to, [part, *others] = text[6:].split(","), self.parts.values()
            number = PARTS.get(self.level)
            return not others and len({*to}) == len(to) == number and {*to} <= {*self.free(part)}
        return self.cats_allowed(text.split(","))

    def cats_allowed(self, steps):
        if len(steps) != len(self.parts):
            return False
        may_flip = self.quantum and self.level >= 4
        ends = []
        for step, part in zip(steps, self.parts.values(), strict=True):
            to = step.removesuffix("~") if may_flip else step
            if step == ".":
                if not (self.passed(part) and not self.free(part)) and not self.in_the_way():
                    return False
                to = part.cat
            elif to not in self.free(part):
                return False
            ends.append(to)
        if self.level >= 4 or not self.quantum:
            return True
        # with two cats, both move where that can be; otherwise exactly one does
        return ends[0] != ends[1] and steps.count(".") == self.in_the_way()

    def in_the_way(self):
        """Whether no joint move moves both of the two cats of levels 2 and 3."""
        if self.level not in (2, 3) or not self.quantum:
            return False
        one, other = (self.free(part) for part in self.parts.values())
        return all(a == b for a, b in product(one, other))

    def asked(self):
        """Returns texts that might be legal, and many that are not."""
        if self.due:
            return [f"@{name}" for name in ("left", "centre", "right", "cat")]
        if self.turn == "hounds":
            hounds = sorted({h for part in self.parts.values() for h in part.hounds})
            return [f"{a}-{b}" for a in hounds for b in (*diagonal(a, self.size), a)]
        near = [[*diagonal(p.cat, self.size), p.cat, "."] for p in self.parts.values()]
        steps = [[step + flip for step in to for flip in ("", "~")] for to in near]
        found = [",".join(several) for several in product(*steps)]
        for number in (1, 2, 3):
            found += [f"split:{','.join(to)}" for to in permutations(near[0][:-2], number)]
        return found

    def texts(self):
        """Returns the legal ones of all texts that are asked."""
        return [] if self.over else [text for text in self.asked() if self.allowed(text)]

    def draw(self, rng):
        """Returns a legal text, drawn so that cats split and meet often."""
        if self.due:
            names, weights = zip(*self.weights().items(), strict=True)
            return f"@{rng.choices(names, weights)[0]}"
        if self.turn == "hounds" or self.level < 4 or not self.quantum:
            texts = self.texts()
            splits = [text for text in texts if "split" in text]
            return rng.choice(splits if splits and rng.random() < 0.7 else texts)
        near = [[*diagonal(part.cat, self.size), "."] for part in self.parts.values()]
        found = []
        while len(found) < 3:
            steps = [rng.choice(to) + "~" * (rng.random() < 0.3) for to in near]
            if self.cats_allowed(steps):
                found.append(steps)
        if rng.random() < 0.5:
            found.sort(key=lambda steps: len({step.removesuffix("~") for step in steps}))
        return ",".join(found[0])

    # --- what a move does

    def after(self, text):
        """Returns the game after a legal text."""
        then = copy(self)
        then.play(text)
        return then

    def play(self, text):
        """Plays a legal text."""
        if text[0] == "@":
            self.parts = {"cat": self.parts[text[1:]]._replace(amplitude=1)}
            self.count, self.due = None, False
            self.forget()
            return
        if "-" in text:
            a, b = text.split("-")
            acting = {n: part for n, part in self.parts.items() if self.acts(part, a, b)}
            moved = {n: p._replace(hounds=p.hounds - {a} | {b}) for n, p in acting.items()}
            self.parts = self.parts | moved
            self.turn = "cat"
            self.interfere()
            return
        self.turn = "hounds"
        if text.startswith("split:"):
            to, [part] = text[6:].split(","), self.parts.values()
            self.parts = {
                name: Part(square, part.hounds, 1)
                for name, square in zip(NAMES[len(to)], to, strict=True)
            }
            self.forget()
            self.split, self.count = tuple(self.parts), 0
            return
        steps = text.split(",")
        for (name, part), step in zip([*self.parts.items()], steps, strict=True):
            to = part.cat if step == "." else step.removesuffix("~")
            sign = -1 if step.endswith("~") else 1
            self.parts = {**self.parts, name: Part(to, part.hounds, sign * part.amplitude)}
        if self.count is not None:
            self.count += 1
        self.interfere()
        whole = all(map(self.passed, self.parts.values()))
        self.due = self.quantum and self.count == MEASURED.get(self.level) and not whole

    def interfere(self):
        """Merges branches that agree; what becomes classical has no countdown."""
        if self.level >= 4:
            for (cat, hounds), n in Counter(p[:2] for p in self.parts.values()).items():
                if n > 1:
                    same = [k for k, p in self.parts.items() if p[:2] == (cat, hounds)]
                    total = sum(self.parts[k].amplitude for k in same)
                    before = sum(p.amplitude**2 for p in self.parts.values())
                    self.merges = (*self.merges, (n, abs(total)))
                    self.parts = {
                        k: p._replace(amplitude=total if k == same[0] else p.amplitude)
                        for k, p in self.parts.items()
                        if k not in same[total != 0 :]
                    }
                    left = sum(p.amplitude**2 for p in self.parts.values())
                    self.success *= Fraction(left, before * n)
        if not self.quantum:
            [(name, part)] = self.parts.items()
            self.parts, self.count = {name: part._replace(amplitude=1)}, None


# --- what the package shows


def branches(board):
    """Returns the branches of a board of the package as the referee has them."""
    found = {}
    for text in board.split():
        name, weight, pieces = text.split(":")
        cat, hounds = pieces.split("/")
        sign = -1 if weight.startswith("-") else 1
        found[name] = (cat, frozenset(hounds.split(",")), sign, Fraction(weight.lstrip("-")))
    return found


def agrees(game, referee):
    """Checks everything that can be seen of a game against the referee."""
    verdicts, weights = referee.verdicts(), referee.weights()
    assert len({score for _, score in verdicts}) <= 1, game.text()
    assert game.turn == (None if verdicts else referee.turn), game.text()
    assert game.observation_due is referee.due, game.text()
    assert branches(game.observed) == referee.shown(), game.text()
    assert game.probabilities(exact=True) == weights, game.text()
    assert game.probabilities() == {name: float(p) for name, p in weights.items()}, game.text()
    roots = game.amplitudes()
    turned = 1 if next(iter(roots.values())) > 0 else -1
    assert [*roots] == [*weights], game.text()
    for name, (_, _, sign, weight) in referee.shown().items():
        assert abs(turned * roots[name] - sign * float(weight) ** 0.5) < 1e-12, game.text()
    assert abs(game.success - float(referee.success)) < 1e-12, game.text()
    if not verdicts and referee.quantum and not referee.due and referee.level in MEASURED:
        left = MEASURED[referee.level] - referee.count
        assert f"measured {left} more turn" in game.rules.not_due(game.table), game.text()
    outcome = game.outcome()
    assert (outcome is not None) is bool(verdicts), game.text()
    if verdicts:
        kind, score = verdicts[0]
        assert outcome.scores == {"cat": float(score), "hounds": float(1 - score)}, game.text()
        half = score == Fraction(1, 2)
        assert outcome.winner == (None if half else "cat" if score > 0.5 else "hounds")
        reason, _, names = outcome.reason.partition(" in ")
        assert KINDS[reason] in {kind for kind, _ in verdicts}, game.text()
        trapped = referee.trapped() if kind == "trapped" and score else []
        assert names == " and ".join(trapped), game.text()


def ended(referee):
    """Returns by what a finished game of the referee ended."""
    [(kind, score), *_] = referee.verdicts()
    return kind if kind != "trapped" or score == 0 else "partly trapped"


def walk(level, size, seed, plies=200, **options):
    """Yields the referee and the text that led to it, of a random game up to its end."""
    rng = Random(f"hounds {level} {size} {seed}")
    referee = Referee(level, size, **options)
    yield referee, None
    for _ in range(plies):
        if referee.over:
            return
        text = referee.draw(rng)
        referee = referee.after(text)
        yield referee, text
