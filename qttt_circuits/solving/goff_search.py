"""The search behind the solver of Goff's game: alpha-beta with symmetries and a table.

It rests on these facts:

* Between moves the spooky marks form a forest on the squares without a classical mark (a lone
  square is a tree, too).  A move joins two trees or closes one; either way the number of trees c
  drops by one, so the move made with c trees is always number 10 - c.
* Closing a tree between its squares u and v and choosing u for the closing mark roots the tree at
  u: each other square gets the mark of the edge on its way to u, whatever v was.  So a tree of k
  squares has only k outcomes, and the opponent's choice between two of them leaves the mover with
  the second best of all: a closing move serves the mover if at least two outcomes do.
* Only yes/no questions are asked: is the first player's lead at least -1/2, 0, 1/2, 1? (t = 0, 1,
  2, 3)
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ..games.goff import Table

# A packed board: bits 0-8 squares of X, bits 9-17 squares of O, above 4 bits of weight a square.
# A tree: (root -> packed marks of all its other squares, its edges (pair of squares, subscript)).
_Tree = tuple[dict[int, int], tuple[tuple[int, int], ...]]
# A classical board: (images, squares in live lines, X alive, O alive, subscripts matter).
_Info = tuple[int, int, bool, bool, bool]

_ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_LINES = tuple(sum(1 << q for q in row) for row in _ROWS)
_MASK = (1 << 18) - 1
_PAIRS = tuple((a, b) for a in range(9) for b in range(a, 9))  # also single squares, as (a, a)
_PAIR = {ends: i for i, (a, b) in enumerate(_PAIRS) for ends in ((a, b), (b, a))}
_SYMMETRIES = [[divmod(q, 3) for q in range(9)]]
for _flip in range(7):  # alternately transpose the board and turn its rows upside down
    _SYMMETRIES.append([(c, r) if _flip % 2 else (2 - r, c) for r, c in _SYMMETRIES[-1]])
_PERMS = [[3 * r + c for r, c in cells] for cells in _SYMMETRIES]
_HAS_LINE = bytes(any(m & line == line for line in _LINES) for m in range(512))
# Who has a line on a packed board: 0 nobody, 1 X, 2 O, 3 both.
_WHO = b"".join(bytes(x + 2 * o for x in _HAS_LINE) for o in _HAS_LINE)
# Does a finished board pass question t?  0 no, 1 yes, 2 see the tie-break.
_PASS = [
    _WHO.translate(codes + bytes(252))
    for codes in (b"\1\1\0\1", b"\1\1\0\2", b"\0\1\0\2", b"\0\1\0\0")
]
_YES = (1, 3, 7, 15)  # bits in the table: yes to t is yes to all lower questions,
_NO = (240, 224, 192, 128)  # no to t is no to all higher ones
# All 8 images of a mark (label, pair) in one integer, 17 bytes for each: 45 pairs of 3 bits.
_IMAGE = [
    [
        sum(label << 3 * _PAIR[perm[a], perm[b]] + 136 * i for i, perm in enumerate(_PERMS))
        for a, b in _PAIRS
    ]
    for label in range(8)
]


def _canonical(image: int) -> bytes:
    """Returns the least of the 8 images of a position: its key in the table."""
    b = image.to_bytes(136, "little")
    return min(b[:17], b[17:34], b[34:51], b[51:68], b[68:85], b[85:102], b[102:119], b[119:])


class Solver:
    """Solves positions of one variant; its table serves all calls.

    The methods raise ValueError if a position is of another variant or not possible.

    Attributes:
        nodes: Number of positions searched so far (those with at least two trees).
        progress: Called with the node count now and then, if given.
    """

    def __init__(
        self,
        tie_break: str = "max",
        single_square: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """Makes a solver with an empty table.

        Args:
            tie_break: "max" or "sum".
            single_square: Whether a move may put both halves in one untouched square.
            progress: Called with the node count about every 1000 positions stored.

        Raises:
            ValueError: If there is no such tie-break.
        """
        if tie_break not in ("max", "sum"):
            raise ValueError(f"unknown tie-break {tie_break!r}")
        self.tie_break, self.single_square, self.progress = tie_break, single_square, progress
        self.nodes = 0
        self._table: dict[bytes, int] = {}
        self._infos: dict[int, _Info] = {}
        self._history = [[0] * 45 for _ in range(10)]
        # "max": three marks of X have a largest subscript of at least 5, three of O of at least
        # 6, so subscripts 1..6 need no weight: X wins a tie iff its weight is not larger.
        weights = [max(0, s - 6) for s in range(10)] if tie_break == "max" else list(range(10))
        self._mark = [
            [(1 << q + 9 * (s % 2 == 0)) + (w << 18 + 4 * q) for q in range(9)]
            for s, w in enumerate(weights)
        ]

    def _x_first(self, board: int) -> bool:
        """Says whether X wins the tie-break of a board where both have a line."""
        measure: Callable[[list[int]], int] = max if self.tie_break == "max" else sum
        x, o = (
            min(
                measure([board >> 18 + 4 * q & 15 for q in row])
                for row, line in zip(_ROWS, _LINES, strict=True)
                if line & side == line
            )
            for side in (board, board >> 9)
        )
        return x <= o

    def _one(self, base: int, roots: dict[int, int], t: int) -> bool:
        """Answers question t with one tree left: X closes it, or takes the last square."""
        table, mark = _PASS[t], self._mark[9]
        need = 2 if len(roots) > 1 else 1
        for r, rest in roots.items():
            code = table[base + rest + mark[r] & _MASK]
            need -= code == 1 or (code == 2 and self._x_first(base + rest + mark[r]))
            if not need:
                return True
        return False

    def _least(self, heads: list[int], tails: list[int], t: int) -> int:
        """Returns how many tails (at most 2) pass with the worst of the heads."""
        table, least = _PASS[t], 2
        for head in heads:
            if not least:
                break
            count = 0
            for tail in tails:
                code = table[head + tail & _MASK]
                if code and (code == 1 or self._x_first(head + tail)):
                    count += 1
                    if count == least:
                        break
            least = count
        return least

    def _two(self, base: int, a: _Tree, b: _Tree, t: int) -> bool:
        """Answers question t with two trees left (O makes move 8): every move must pass."""
        self.nodes += 1
        eight, nine = self._mark[8], self._mark[9]
        # O joins u in a and v in b, X closes at r.  If r is in a, then tree a is rooted at r, b
        # at v, and v gets O8: u has no part in it.  So X passes against all joins iff the least
        # counts of passing r on both sides add up to two.
        least = self._least(
            [base + m + eight[v] for v, m in b[0].items()],
            [m + nine[r] for r, m in a[0].items()],
            t,
        )
        if (
            least < 2
            and least
            + self._least(
                [base + m + eight[u] for u, m in a[0].items()],
                [m + nine[r] for r, m in b[0].items()],
                t,
            )
            < 2
        ):
            return False
        for one, other in ((a, [b]), (b, [a])):  # O closes one tree
            if len(one[0]) > 1 or self.single_square:
                spare = 1 if len(one[0]) > 1 else 0  # outcomes that may fail
                for u, m in one[0].items():
                    spare -= not self._ask(base + m + eight[u], other, t)
                    if spare < 0:
                        return False
        return True

    def _label(self, pair: int, sub: int, squares: int, exact: bool) -> int:
        """Returns the images of a mark: its subscript or owner if it touches squares, else 7."""
        a, b = _PAIRS[pair]
        label = 7 if not (1 << a | 1 << b) & squares else sub if exact else 2 - sub % 2
        return _IMAGE[label][pair]

    def _classical(self, base: int) -> _Info:
        """Describes the classical marks of a board without a line."""
        if base in self._infos:
            return self._infos[base]
        # A line is live for a side while the other has no classical mark in it.  A classical mark
        # in no live line of its owner is a mere obstacle, a spooky one touching no live line too.
        live = [[line for line in _LINES if not line & board] for board in (base >> 9, base)]
        # Lines of both sides cannot meet; without two such live ones there will be no tie-break.
        # With "max" subscripts up to 6 have no weight, and later ones are not in the table.
        exact = self.tie_break == "sum" and any(not x & o for x in live[0] for o in live[1])
        reach = [
            sum(1 << q for q in range(9) if any(line >> q & 1 for line in lines)) for lines in live
        ]
        image = 0
        for q in range(9):
            for side in (0, 1):
                if base >> q + 9 * side & 1:
                    sub = base >> 18 + 4 * q & 15 if exact else 1 + side
                    image += self._label(_PAIR[q, q], sub, reach[side], exact)
        info = (image, reach[0] | reach[1], bool(live[0]), bool(live[1]), exact)
        self._infos[base] = info
        return info

    def _join(self, a: _Tree, b: _Tree, u: int, v: int, sub: int) -> _Tree:
        """Returns the tree made by a spooky mark between u in tree a and v in tree b."""
        far_a, far_b = a[0][u] + self._mark[sub][u], b[0][v] + self._mark[sub][v]
        roots = {r: m + far_b for r, m in a[0].items()}
        roots.update({r: m + far_a for r, m in b[0].items()})
        return roots, (*a[1], *b[1], (_PAIR[u, v], sub))

    def _ask(self, base: int, trees: list[_Tree], t: int) -> bool:
        """Answers question t about a board and the trees on its free squares."""
        if not trees or _WHO[base & _MASK]:
            code = _PASS[t][base & _MASK]
            return code == 1 or (code == 2 and self._x_first(base))
        if len(trees) == 1:
            return self._one(base, trees[0][0], t)
        if len(trees) == 2:
            return self._two(base, trees[0], trees[1], t)
        info = self._classical(base)
        edges = sum(self._label(*edge, info[1], info[4]) for tree in trees for edge in tree[1])
        return self._search(base, trees, t, info, info[0] + edges)

    def _search(self, base: int, trees: list[_Tree], t: int, info: _Info, image: int) -> bool:
        """Answers question t with three or more trees left, by the table if possible."""
        if not info[2 if t > 1 else 3]:
            return t < 2  # X (or O) can get no line any more
        key = _canonical(image)
        known = self._table.get(key, 0)
        if known & 17 << t:
            return known & 1 << t > 0
        self.nodes += 1
        if self.progress and len(self._table) % 1000 == 999:
            self.progress(self.nodes)
        answer = self._expand(base, trees, t, info, image)
        self._table[key] = known | (_YES[t] if answer else _NO[t])
        return answer

    def _expand(self, base: int, trees: list[_Tree], t: int, info: _Info, image: int) -> bool:
        """Answers question t with three or more trees left, by trying all moves."""
        count = len(trees)
        sub, good = 10 - count, count % 2 == 1  # the move's number, the answer the mover wants
        history, table, seen = self._history[sub], self._table, {b""}
        joins: list[tuple[int, int, int, int, int, int]] = []
        for j, b in enumerate(trees):
            for i, a in enumerate(trees[:j]):
                for u in a[0]:
                    for v in b[0]:
                        pair, edge = _PAIR[u, v], 0
                        if count > 3:  # look the child up at once; equal ones are tried once
                            edge = self._label(pair, sub, info[1], info[4])
                            key = _canonical(image + edge)
                            known = table.get(key, 0) >> t & 17
                            if known and (known == 1) == good:
                                return good
                            if known or key in seen:
                                continue
                            seen.add(key)
                        joins.append((-history[pair], i, j, u, v, edge))
        for i, (roots, _) in enumerate(trees):  # closings
            left, need = len(roots), 1 if len(roots) == 1 else 2
            others = trees[:i] + trees[i + 1 :]
            if need == 2 or self.single_square:
                for u, m in roots.items():
                    left -= 1
                    need -= self._ask(base + m + self._mark[sub][u], others, t) == good
                    if not need:
                        return good
                    if left < need:
                        break
        for _, i, j, u, v, edge in sorted(joins):
            rest = trees[:i] + trees[i + 1 : j] + trees[j + 1 :]
            rest.append(self._join(trees[i], trees[j], u, v, sub))
            if good == (
                self._two(base, rest[0], rest[1], t)
                if count == 3
                else self._search(base, rest, t, info, image + edge)
            ):
                history[_PAIR[u, v]] += 1
                return good
        return not good

    def at_least(self, table: Table, halves: int) -> bool:
        """Returns whether the first player's score minus the other's is at least so many halves.

        Args:
            table: A position of the solver's variant; subscripts of the first player are odd.
            halves: From -2 to 2.
        """
        pieces = enumerate(table.classical)
        base = sum(self._mark[p.number][q] for q, p in pieces if p is not None)
        trees: list[_Tree] = [({s - 1: 0}, ()) for s in table.open]
        boards = [] if table.due else [base]
        for spooky in table.spooky:
            number, (u, v) = spooky.piece.number, (s - 1 for s in spooky.squares)
            a, b = (next(tree for tree in trees if q in tree[0]) for q in (u, v))
            if a is b:  # the closing move of the group that must collapse
                trees.remove(a)
                boards = [base + a[0][q] + self._mark[number][q] for q in (u, v)]
            else:
                trees = [tree for tree in trees if tree is not a and tree is not b]
                trees.append(self._join(a, b, u, v, number))
        answers = [halves < -1 or self._ask(board, trees, halves + 1) for board in boards]
        # whoever chooses has the next move, which is odd where the first player does
        return any(answers) if table.number % 2 else all(answers)

    def value(self, table: Table) -> Fraction:
        """Returns the first player's score minus the other's with best play of both."""
        if self.at_least(table, 1):
            return Fraction(1 + self.at_least(table, 2), 2)
        if self.at_least(table, 0):
            return Fraction(0)
        return Fraction(self.at_least(table, -1) - 2, 2)
