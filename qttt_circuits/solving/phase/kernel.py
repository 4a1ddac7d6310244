"""The search of a phase: alpha-beta over the groups of dice on the free squares.

The functions are compiled where numba is there. Values are those of the player to move; a leaf is
the mean over the boards that an observation can show.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .groups import Groups
from .jit import compiled

INFINITY = 2.0
"""More than any value."""
FEWEST = 2
"""Positions with so many open squares have a memory of their own; with fewer they have none."""


class Memory(NamedTuple):
    """Bounds of positions found before; a later position takes the place of an earlier one.

    Attributes:
        key: The position's key, -1 for none.
        low: A lower bound of its value for the player to move.
        high: An upper bound.
    """

    key: Any
    low: Any
    high: Any


class Phase(NamedTuple):
    """What does not change while the positions of a phase are searched.

    Attributes:
        squares: How many free squares there are.
        groups: The groups.
        keys: By symmetry of the observed board and group what the group adds to the key.
        worth: By player to move (0 is X) and board of the free squares what it is worth for X.
        shallow: Memory for positions with `FEWEST` open squares.
        deep: Memory for positions with more.
        found: Counts positions: with one open square, two, more; and leaves.
    """

    squares: int
    groups: Groups
    keys: Any
    worth: Any
    shallow: Memory
    deep: Memory
    found: Any


class Scratch(NamedTuple):
    """Room to work in, by depth.

    Attributes:
        at: The groups of the position.
        key: Its key in each symmetry.
        slot: By child which group is met, -1 for none.
        made: By child which move it is.
        guess: By child what it seems to be worth.
        offset: Partial boards.
        chance: Their probabilities.
    """

    at: Any
    key: Any
    slot: Any
    made: Any
    guess: Any
    offset: Any
    chance: Any


@compiled
def spread(groups: Groups, at: Any, count: int, skip: int, offset: Any, chance: Any) -> Any:
    """Lists the boards that groups can show together, all but one of them.

    Returns:
        How many there are, and what is to be added to the number of each.
    """
    number, base = 1, 0
    offset[0], chance[0] = 0, 1.0
    for i in range(count):
        if i == skip:
            continue
        start, end = groups.term_start[at[i]], groups.term_start[at[i] + 1]
        if end - start == 1:
            base += groups.offset[start]
            continue
        for j in range(start + 1, end):
            more, p = groups.offset[j], groups.chance[j]
            place = (j - start) * number
            for k in range(number):
                offset[place + k] = offset[k] + more
                chance[place + k] = chance[k] * p
        more, p = groups.offset[start], groups.chance[start]
        for k in range(number):
            offset[k] += more
            chance[k] *= p
        number *= end - start
    return number, base


@compiled
def mean(
    groups: Groups,
    worth: Any,
    first: int,
    second: int,
    number: int,
    base: int,
    offset: Any,
    chance: Any,
) -> float:
    """Returns the mean worth of the boards that were listed, with one or two groups more."""
    total = 0.0
    for i in range(groups.term_start[first], groups.term_start[first + 1]):
        here = base + groups.offset[i]
        if second < 0:
            part = 0.0
            for k in range(number):
                part += chance[k] * worth[here + offset[k]]
            total += groups.chance[i] * part
            continue
        for j in range(groups.term_start[second], groups.term_start[second + 1]):
            there = here + groups.offset[j]
            part = 0.0
            for k in range(number):
                part += chance[k] * worth[there + offset[k]]
            total += groups.chance[i] * groups.chance[j] * part
    return total


@compiled
def last(
    phase: Phase, scratch: Scratch, at: Any, count: int, square: int, player: int, high: float
) -> float:
    """Returns the value of a position with one open square: at most if it is below ``high``."""
    groups, sign = phase.groups, 1 - 2 * player
    worth = phase.worth[1 - player]
    offset, chance = scratch.offset, scratch.chance
    phase.found[0] += 1
    best = -INFINITY
    number, base = spread(groups, at, count, -1, offset, chance)
    i = square * 2 + player
    for m in range(groups.single_start[i], groups.single_start[i + 1]):
        phase.found[3] += 1
        value = sign * mean(groups, worth, groups.made[m, 0], -1, number, base, offset, chance)
        if value > best:
            best = value
            if best >= high:
                return best
    for slot in range(count):
        i = (at[slot] * phase.squares + square) * 2 + player
        start, end = groups.move_start[i], groups.move_start[i + 1]
        if start == end:
            continue
        number, base = spread(groups, at, count, slot, offset, chance)
        for m in range(start, end):
            phase.found[3] += 1
            value = sign * mean(
                groups, worth, groups.made[m, 0], groups.made[m, 1], number, base, offset, chance
            )
            if value > best:
                best = value
                if best >= high:
                    return best
    return best


@compiled
def children(phase: Phase, scratch: Scratch, depth: int, count: int, free: int, player: int) -> int:
    """Lists the moves of a position, each with a guess: as if the board were observed after it.

    Returns:
        How many there are.
    """
    groups, sign = phase.groups, 1 - 2 * player
    worth, at = phase.worth[1 - player], scratch.at[depth]
    offset, chance = scratch.offset, scratch.chance
    slots, made, guess = scratch.slot[depth], scratch.made[depth], scratch.guess[depth]
    found = 0
    number, base = spread(groups, at, count, -1, offset, chance)
    for a in range(phase.squares):
        if not free >> a & 1:
            continue
        i = a * 2 + player
        for m in range(groups.single_start[i], groups.single_start[i + 1]):
            slots[found], made[found] = -1, m
            value = mean(groups, worth, groups.made[m, 0], -1, number, base, offset, chance)
            guess[found] = sign * value
            found += 1
        for b in range(a + 1, phase.squares):
            if not free >> b & 1:
                continue
            i = (a * phase.squares + b) * 2 + player
            for m in range(groups.pair_start[i], groups.pair_start[i + 1]):
                slots[found], made[found] = -1, m
                value = mean(groups, worth, groups.made[m, 0], -1, number, base, offset, chance)
                guess[found] = sign * value
                found += 1
    for slot in range(count):
        listed = False
        for a in range(phase.squares):
            i = (at[slot] * phase.squares + a) * 2 + player
            start, end = groups.move_start[i], groups.move_start[i + 1]
            if start == end or not free >> a & 1:
                continue
            if not listed:
                number, base = spread(groups, at, count, slot, offset, chance)
                listed = True
            for m in range(start, end):
                slots[found], made[found] = slot, m
                value = mean(
                    groups,
                    worth,
                    groups.made[m, 0],
                    groups.made[m, 1],
                    number,
                    base,
                    offset,
                    chance,
                )
                guess[found] = sign * value
                found += 1
    return found


@compiled
def descend(phase: Phase, scratch: Scratch, depth: int, count: int, free: int, child: int) -> Any:
    """Writes the position after a move one level deeper.

    Returns:
        How many groups it has, and its open squares.
    """
    groups = phase.groups
    slot, move = scratch.slot[depth, child], scratch.made[depth, child]
    first, second = groups.made[move, 0], groups.made[move, 1]
    here, there = scratch.at[depth], scratch.at[depth + 1]
    new = 0
    for i in range(count):
        if i != slot:
            there[new] = here[i]
            new += 1
    there[new] = first
    new += 1
    free &= ~groups.mask[first]
    if second >= 0:
        there[new] = second
        new += 1
        free &= ~groups.mask[second]
    for s in range(phase.keys.shape[0]):
        key = scratch.key[depth, s]
        if slot >= 0:  # first, so that no key is larger than 63 bits
            key -= phase.keys[s, here[slot]]
        key += phase.keys[s, first]
        if second >= 0:
            key += phase.keys[s, second]
        scratch.key[depth + 1, s] = key
    return new, free


@compiled
def bits(mask: int) -> int:
    """Returns how many bits of a mask are set."""
    found = 0
    while mask:
        mask &= mask - 1
        found += 1
    return found


@compiled
def canonical(key: Any) -> int:
    """Returns the least key among the symmetries'."""
    least: int = key[0]
    for s in range(1, key.shape[0]):
        least = min(least, key[s])
    return least


@compiled
def bring_best(scratch: Scratch, depth: int, i: int, moves: int) -> None:
    """Brings the move with the best guess, from the i-th on, to place i."""
    slot, made, guess = scratch.slot[depth], scratch.made[depth], scratch.guess[depth]
    best = i
    for j in range(i + 1, moves):
        if guess[j] > guess[best]:
            best = j
    slot[i], slot[best] = slot[best], slot[i]
    made[i], made[best] = made[best], made[i]
    guess[i], guess[best] = guess[best], guess[i]


@compiled
def search(
    phase: Phase,
    scratch: Scratch,
    depth: int,
    count: int,
    free: int,
    player: int,
    low: float,
    high: float,
) -> float:
    """Returns the value of a position for the player to move, with two open squares or more.

    It is exact between ``low`` and ``high``; outside it is a bound.
    """
    number = bits(free)
    key = canonical(scratch.key[depth])
    memory = phase.shallow if number == FEWEST else phase.deep
    place = key % memory.key.shape[0]
    least, most = -INFINITY, INFINITY
    if memory.key[place] == key:
        least, most = float(memory.low[place]), float(memory.high[place])
        if least >= high or least == most:
            return least
        if most <= low:
            return most
    phase.found[1 if number == FEWEST else 2] += 1
    moves = children(phase, scratch, depth, count, free, player)
    best = -INFINITY
    for i in range(moves):
        bring_best(scratch, depth, i, moves)
        value = scratch.guess[depth, i]
        new, left = descend(phase, scratch, depth, count, free, i)
        floor = max(low, best)
        if left & (left - 1):
            value = -search(phase, scratch, depth + 1, new, left, 1 - player, -high, -floor)
        elif left:
            at, square = scratch.at[depth + 1], bits(left - 1)
            value = -last(phase, scratch, at, new, square, 1 - player, -floor)
        best = max(best, value)
        if best >= high:
            break
    if best > low:
        least = max(least, best)
    if best < high:
        most = min(most, best)
    memory.key[place], memory.low[place], memory.high[place] = key, least, most
    return best
