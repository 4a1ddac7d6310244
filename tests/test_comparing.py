"""Which kind of move is better: counted anew with the exact engine and plain recursion."""

from random import Random

import pytest
from solver import Slow, game_from, observed, undecided

from qttt_circuits import solve
from qttt_circuits.solving.phase import comparing
from qttt_circuits.solving.phase.comparing import compare
from qttt_circuits.solving.phase.graph import Graph
from qttt_circuits.solving.phase.search import numbering
from qttt_circuits.solving.tables import values

CASES = {
    "shiftflip": ("half-shiftflip", ("half-entangling", "spreading")),
    "cancelling": ("half-cancelling", ("half-entangling",)),
}
NEAR = 1e-9


def future(slow, table):
    """Returns what is equal for two tables if all that can follow is the same."""
    meetable = tuple(
        (dice[0].owner, dice[0].value, dice[0].symbol) if len(dice) == 1 else len(dice) > 1
        for dice in table.dice
    )
    chances = slow.rules.distribution(table).items()
    return table.turn, meetable, tuple((b, round(p, 9)) for b, p in chances)


def best_play(slow, board):
    """Returns the futures to which best moves of both sides lead from a board."""
    pending, seen = [observed(slow.rules.name, board, "X")], set()
    while pending:
        table = pending.pop()
        key = future(slow, table)
        if key not in seen:
            seen.add(key)
            for move in slow.rules.legal_moves(table):
                after = slow.rules.play(table, move)
                if abs(slow.table(after) - slow.table(table)) < NEAR:
                    pending.append(after)
    return seen


def all_positions(slow, board):
    """Yields all tables until the next observation, one of those with the same future."""
    pending, seen = [observed(slow.rules.name, board, "X")], set()
    while pending:
        table = pending.pop()
        key = future(slow, table)
        if key not in seen:
            seen.add(key)
            yield table
            pending += [slow.rules.play(table, move) for move in slow.rules.legal_moves(table)]


@pytest.mark.parametrize(("rules", "empty", "boards"), [
    ("shiftflip", 3, 5), ("cancelling", 3, 5), ("cancelling", 4, 2), ("shiftflip", 4, 1),
])  # fmt: skip
def test_counts_are_those_of_plain_recursion(rules, empty, boards):
    kind, rivals = CASES[rules]
    chosen = [undecided(empty, Random(f"{rules} {empty} {i}")) for i in range(boards)]
    found = compare(rules, kind, rivals, empty, chosen)
    legal = better = best = alone = reached = needed = positions = 0
    smallest = []
    for board in chosen:
        slow = Slow(rules, values(rules).value, values(rules).value)
        sound = best_play(slow, board)
        for table in all_positions(slow, board):
            positions += 1
            sign, by_kind = (1 if table.turn == "X" else -1), {}
            for move in slow.rules.legal_moves(table):
                after = slow.rules.play(table, move)
                worth, name = sign * slow.table(after), after.maps[-1].kind
                by_kind[name] = max(by_kind.get(name, -2), worth)
            if kind not in by_kind:
                continue
            legal += 1
            mine = by_kind.pop(kind)
            better += mine > max(by_kind[r] for r in rivals) + NEAR
            best += mine > max(by_kind.values()) - NEAR
            alone += mine > max(by_kind.values()) + NEAR
            if future(slow, table) in sound:
                reached += 1
                needed += mine > max(by_kind.values()) + NEAR
            if mine > max(by_kind.values()) + NEAR:
                left = sum(table.open_empty(s) for s in range(1, 10))
                smallest.append((left, len(table.maps), mine - max(by_kind.values())))
    assert found.boards == boards
    assert found.positions * boards == positions
    total = found.total
    assert (total.legal, total.better, total.best, total.alone) == (legal, better, best, alone)
    assert (total.reached, total.needed) == (reached, needed)
    if not smallest:
        assert found.alone is None
        return
    left, moves = min(smallest)[:2]
    assert (found.alone.open, found.alone.moves) == (left, moves)
    advantages = [a for o, m, a in smallest if (o, m) == (left, moves)]
    assert found.alone.advantage == pytest.approx(max(advantages), abs=NEAR)


def test_counts_do_not_depend_on_how_many_boards_are_worked_on_at_once(monkeypatch):
    kind, rivals = CASES["cancelling"]
    told = []
    whole = compare("cancelling", kind, rivals, 3)
    monkeypatch.setattr(comparing, "CHUNK", 1)
    chosen = list(comparing.undecided(3))
    one = compare("cancelling", kind, rivals, 3, chosen, lambda done, of: told.append((done, of)))
    assert one == whole
    assert told == [(i + 1, len(chosen)) for i in range(len(chosen))]


@pytest.mark.parametrize("rules", ["tiqtaqtoe", "cancelling", "shiftflip"])
def test_the_graph_of_a_phase_finds_the_values_of_the_boards(rules):
    known, boards = values(rules), [undecided(4, Random(i)) for i in range(10)]
    worth = Graph(numbering(rules, 4)).worth(boards, known)
    for board, value in zip(boards, worth[0], strict=True):
        assert value == pytest.approx(known.value(board, "X"), abs=1e-12)


def test_the_smallest_example_is_what_it_is_said_to_be():
    kind, rivals = CASES["shiftflip"]
    example = compare("shiftflip", kind, rivals, 3).alone
    assert (example.open, example.moves) == (1, 1)
    games = []
    for move in game_from("shiftflip", example.board, "X").legal_moves:
        game = game_from("shiftflip", example.board, "X", (move,))
        rated = solve(game, line=False).moves
        second = next(r.value for r in rated if r.kind != kind)
        if rated[0].kind == kind and second - rated[0].value > NEAR:
            games.append((second - rated[0].value, str(move)))
    assert max(games)[0] == pytest.approx(example.advantage, abs=NEAR)
