"""Document 002's open question: is a half-shiftflip ever better than half-entangling or spreading?

In every position that can follow every observed board the kinds of moves are compared, by default
on boards with up to 4 empty squares: 11_open_question.py SQUARES. 6 take a minute or two; of those
with more, 300 positions are drawn at random.
"""

import sys
from math import isclose, sqrt

from qttt_circuits import Game, solve
from qttt_circuits.solving.phase.comparing import compare, sample

most = int(sys.argv[1]) if len(sys.argv) > 1 else 4
SAMPLED = 300
QUESTIONS = (
    ("shiftflip", "half-shiftflip", ("half-entangling", "spreading")),
    ("cancelling", "half-cancelling", ("half-entangling",)),
)


def game_on(rules, board):
    """Returns a game in which a board with three empty squares was observed; X is to move."""
    game = Game(rules)
    squares = {mark: [i + 1 for i in range(9) if board[i] == mark] for mark in "XOE"}
    for number in range(6):
        own, other = (squares[mark] for mark in ("XO" if number % 2 == 0 else "OX"))
        die = own.pop() if own else -other.pop()  # upside-down it shows the opponent's mark
        # the last three are in superposition with a square that is found empty
        game.push(f"{die}" if number < 3 else f"{squares['E'].pop()},{die}")
    game.observe(board=board)
    return game


def show(rules, kind, example):
    """Shows a position after one move on an observed board, and what the next moves are worth."""
    game = game_on(rules, example.board)
    print(f"after {game.text()}")
    value = solve(game, line=False).value
    for move in list(game.legal_moves):
        game.push(move)
        moves = solve(game, line=False).moves
        others = [rated.value for rated in moves if rated.kind != kind]
        if moves[0].kind == kind and isclose(others[0] - moves[0].value, example.advantage):
            break
        game.pop()
    best = isclose(moves[0].value, value)
    print(f"X plays {move}: {'a best move' if best else f'the best would be worth {value:+.4g}'}")
    print(game.draw())
    for rated in moves:
        print(f"  {rated.value:+.4f}  {rated.kind:16} {rated.move}")
    print()


for rules, kind, rivals in QUESTIONS:
    print(f"{rules}: {kind} against {' and '.join(rivals)}\n")
    print("empty  boards  positions    legal   better     best    alone  reached   needed")
    found = [compare(rules, kind, rivals, empty) for empty in range(3, min(most, 6) + 1)]
    for empty, part in enumerate(found, 3):
        total = part.total
        counts = (total.legal, total.better, total.best, total.alone, total.reached, total.needed)
        print(f"{empty:5}{part.boards:8}{part.positions:11}", *(f"{n:8}" for n in counts))
    for empty in range(7, most + 1):
        part = sample(rules, kind, rivals, empty, SAMPLED, seed=1)
        shares = [n / SAMPLED for n in (part.better, part.best, part.alone)]
        texts = [f"{p:.1%} ± {sqrt(p * (1 - p) / SAMPLED):.1%}" for p in shares]
        print(f"{empty:5} sampled: better {texts[0]}, best {texts[1]}, alone {texts[2]}")
    print(f"\nthe smallest position in which {kind} is better than all other moves,")
    show(rules, kind, found[0].alone)
    if found[0].needed != found[0].alone:
        print("the smallest one to which best play leads,")
        show(rules, kind, found[0].needed)

print("""empty: squares on the observed board. positions: how many can follow each. legal: in how
many the move is legal, all boards together; better: in how many it is strictly better than the
others named; best: in how many no other move is better; alone: in how many it is strictly better
than all other kinds of moves; reached: to how many of the legal ones best play of both sides leads
from the observed board; needed: in how many of these it is alone.""")
