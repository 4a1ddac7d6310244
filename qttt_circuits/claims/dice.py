"""What documents 000 and 002 say of positions of the dice games.

Kets name as many squares as they need; the rest are empty. Amplitudes are the documents' sums
before renormalising, so they carry signs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..board import EMPTY, Board
from ..games.dice import DiceRules
from .base import Claim, Split, exact_fidelity
from .row import Row


@dataclass(frozen=True)
class BoardClaim(Claim):
    """What a document says of a position of a dice game.

    Attributes:
        norm: The squared norm before renormalising.
    """

    norm: str = "1"

    def outcome(self, written: str) -> Board:
        """Returns the board of a ket."""
        return Board(written.ljust(9, EMPTY))

    def exact_rows(self) -> Iterator[Row]:
        """Yields what the exact engine finds, norms and amplitudes included."""
        yield from super().exact_rows()
        game, rows = self.game(), self.rows()
        assert isinstance(game.rules, DiceRules)
        state = game.rules.exact_state(game.table)
        yield rows.exact("success", self.success, state.success)
        yield rows.exact("norm", self.norm, state.norm)
        claimed = {str(self.outcome(ket)): text for ket, text in self.amplitudes.items()}
        found = {str(board): a for board, a in state.terms(game.rules.board(game.table))}
        yield rows.exact("amplitudes", "1", exact_fidelity(claimed, found, state.norm))


HALF = "1/2"
ROOT_HALF = "1/sqrt(2)"
LIKELY, UNLIKELY, FAILED = "1/(4-sqrt(2))", "1/(8-sqrt(8))", "(3-sqrt(8))/(8-sqrt(8))"
HC_NORM, HC_SUCCESS = "(4-sqrt(2))/2", "(4-sqrt(2))/(2*(3-sqrt(2)))"
SHRUNK = "(1-sqrt(2))/2"


# fmt: off
CLAIMS: tuple[BoardClaim, ...] = (
    BoardClaim(
        "superposition", "002, Original moves", "tiqtaqtoe", "1,2",
        {"XE": HALF, "EX": HALF},
        {"XE": ROOT_HALF, "EX": ROOT_HALF},
    ),
    BoardClaim(
        "entangling", "002, Original moves", "tiqtaqtoe", "1 1,2",
        {"XO": HALF, "OX": HALF},
        {"XO": ROOT_HALF, "OX": ROOT_HALF},
    ),
    BoardClaim(
        "half-entangling", "002, Original moves", "tiqtaqtoe", "1,2 2,3",
        dict.fromkeys(("XOE", "XEO", "EXO", "EOX"), "1/4"),
        dict.fromkeys(("XOE", "XEO", "EXO", "EOX"), HALF),
    ),
    BoardClaim(
        "cancelling", "000, 4.1", "cancelling", "1 -1,2",
        {"EX": HALF, "EO": HALF},
        {"EX": ROOT_HALF, "EO": ROOT_HALF},
    ),
    BoardClaim(
        "cancelling-other-square", "000, 1.1", "cancelling", "1 1,-2",
        {"XE": HALF, "OE": HALF},
        {"XE": ROOT_HALF, "OE": ROOT_HALF},
    ),
    BoardClaim(
        "half-cancelling", "000, 4.2", "cancelling", "1,2 -2,3",
        {"XEE": LIKELY, "EEO": LIKELY, "EEX": UNLIKELY, "EXE": FAILED},
        {"XEE": ROOT_HALF, "EXE": SHRUNK, "EEX": HALF, "EEO": ROOT_HALF},
        norm=HC_NORM, success=HC_SUCCESS,
        splits=(
            Split(
                "square 2 cancelled", {2: "E"}, {"XEE": "2/5", "EEO": "2/5", "EEX": "1/5"}
            ),
        ),
    ),
    BoardClaim(
        "half-cancelling-other-square", "000, 1.2", "cancelling", "1,2 2,-3",
        {"XEE": LIKELY, "EOE": LIKELY, "EXE": UNLIKELY, "EEX": FAILED},
        {"XEE": ROOT_HALF, "EEX": SHRUNK, "EXE": HALF, "EOE": ROOT_HALF},
        norm=HC_NORM, success=HC_SUCCESS,
        splits=(
            Split(
                "square 3 cancelled", {3: "E"}, {"XEE": "2/5", "EOE": "2/5", "EXE": "1/5"}
            ),
        ),
    ),
    BoardClaim(
        "half-cancelling-exchanged", "000, 1.2", "cancelling", "O:1,2 -2,3",
        {"OEE": LIKELY, "EEX": LIKELY, "EEO": UNLIKELY, "EOE": FAILED},
        {"OEE": ROOT_HALF, "EOE": SHRUNK, "EEO": HALF, "EEX": ROOT_HALF},
        norm=HC_NORM, success=HC_SUCCESS,
    ),
    BoardClaim(
        "both-halves", "000, 4.2", "cancelling", "3,4 -3,1 O:-4,2",
        {
            "OEEE": "1/(2*(3-sqrt(2)))", "EOEE": "1/(2*(3-sqrt(2)))",
            "XEEE": "1/(4*(3-sqrt(2)))", "EXEE": "1/(4*(3-sqrt(2)))",
            "EEXE": "(3-2*sqrt(2))/(4*(3-sqrt(2)))", "EEEX": "(3-2*sqrt(2))/(4*(3-sqrt(2)))",
        },
        {
            "OEEE": ROOT_HALF, "EOEE": ROOT_HALF, "XEEE": HALF, "EXEE": HALF,
            "EEXE": SHRUNK, "EEEX": SHRUNK,
        },
        norm="3-sqrt(2)",
        success="(3-sqrt(2))/(3-sqrt(2))**2",
        splits=(
            Split(
                "squares 3 and 4 cancelled", {3: "E", 4: "E"},
                {"OEEE": "2/6", "EOEE": "2/6", "XEEE": "1/6", "EXEE": "1/6"},
            ),
        ),
    ),
    BoardClaim(
        "half-shiftflip", "002, Half-shiftflip", "shiftflip", "1,2 -2,3",
        {"EXX": "1/3", "XEO": "2/3"},
        {"EXX": "-1/2", "XEO": ROOT_HALF},
        norm="3/4", success="3/4",
    ),
    BoardClaim(
        "half-shiftflip-other-square", "002, Half-shiftflip", "shiftflip", "1,2 2,-3",
        {"EXX": "1/3", "XOE": "2/3"},
        {"EXX": "-1/2", "XOE": ROOT_HALF},
        norm="3/4", success="3/4",
    ),
    BoardClaim(
        "half-shiftflip-upside-down", "002, Half-shiftflip", "shiftflip", "-1,-2 2,-3",
        {"EOO": "1/3", "OEX": "2/3"},
        {"EOO": "-1/2", "OEX": ROOT_HALF},
        norm="3/4", success="3/4",
    ),
    BoardClaim(
        "spreading", "002, Spreading", "shiftflip", "1,2 -2,-3",
        {"XEE": HALF, "EXE": "1/4", "EEX": "1/4"},
        {"XEE": ROOT_HALF, "EXE": "-1/2", "EEX": "-1/2"},
    ),
    BoardClaim(
        "off-board", "002, Cancelling", "shiftflip", "1 -1,-2", {"EE": "1"}, {"EE": "1"}
    ),
    BoardClaim(
        "shiftflip", "002, Shiftflip", "shiftflip", "O:1 1,-2",
        {"OE": HALF, "XE": HALF},
        {"OE": ROOT_HALF, "XE": ROOT_HALF},
    ),
    BoardClaim(
        "shiftflip-upside-down", "002, Shiftflip", "shiftflip", "-1 1,-2",
        {"EO": HALF, "EX": HALF},
        {"EO": "-1/sqrt(2)", "EX": "-1/sqrt(2)"},
    ),
    BoardClaim(
        "upside-down", "002, introduction", "shiftflip", "-5", {"EEEEO": "1"}, {"EEEEO": "-1"}
    ),
    BoardClaim(
        "superposition-of-signs", "002, Physical interpretation", "shiftflip", "1,-2",
        {"XE": HALF, "EO": HALF},
        {"XE": ROOT_HALF, "EO": "-1/sqrt(2)"},
    ),
    BoardClaim(
        "entangling-upside-down", "002, Physical interpretation", "shiftflip", "-1 -1,-2",
        {"XO": HALF, "OX": HALF},
        {"XO": ROOT_HALF, "OX": ROOT_HALF},
    ),
    BoardClaim(
        "half-entangling-of-signs", "002, Physical interpretation", "shiftflip", "1,-2 -2,-3",
        dict.fromkeys(("XXE", "XEX", "EXO", "EOX"), "1/4"),
        {"XXE": "-1/2", "XEX": "-1/2", "EXO": HALF, "EOX": HALF},
    ),
)
# fmt: on
