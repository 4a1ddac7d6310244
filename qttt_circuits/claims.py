"""What the documents say of positions, typed from them and not computed.

Numbers are text in sympy's notation. Kets name as many squares as they need; the rest are empty.
Amplitudes are the documents' sums before renormalising, so they carry signs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Split:
    """A conditional distribution: what is left if a square holds one of some symbols.

    Attributes:
        condition: The condition in words.
        given: Square and the symbols it may hold, one entry a square.
        probabilities: The probability of each ket then.
    """

    condition: str
    given: Mapping[int, str]
    probabilities: Mapping[str, str]


@dataclass(frozen=True)
class Claim:
    """What a document says of one position.

    Attributes:
        id: A short name.
        source: Document and section.
        rules: The rule set.
        moves: The moves.
        probabilities: The probability of each ket.
        amplitudes: The amplitude of each ket before renormalising.
        success: The probability that the post-selections succeed.
        norm: The squared norm before renormalising.
        splits: Conditional distributions.
    """

    id: str
    source: str
    rules: str
    moves: str
    probabilities: Mapping[str, str]
    amplitudes: Mapping[str, str]
    success: str = "1"
    norm: str = "1"
    splits: tuple[Split, ...] = field(default=())


HALF = "1/2"
ROOT_HALF = "1/sqrt(2)"
LIKELY, UNLIKELY, FAILED = "1/(4-sqrt(2))", "1/(8-sqrt(8))", "(3-sqrt(8))/(8-sqrt(8))"
HC_NORM, HC_SUCCESS = "(4-sqrt(2))/2", "(4-sqrt(2))/(2*(3-sqrt(2)))"
SHRUNK = "(1-sqrt(2))/2"


# fmt: off
CLAIMS: tuple[Claim, ...] = (
    Claim(
        "superposition", "002, Original moves", "tiqtaqtoe", "1,2",
        {"XE": HALF, "EX": HALF},
        {"XE": ROOT_HALF, "EX": ROOT_HALF},
    ),
    Claim(
        "entangling", "002, Original moves", "tiqtaqtoe", "1 1,2",
        {"XO": HALF, "OX": HALF},
        {"XO": ROOT_HALF, "OX": ROOT_HALF},
    ),
    Claim(
        "half-entangling", "002, Original moves", "tiqtaqtoe", "1,2 2,3",
        dict.fromkeys(("XOE", "XEO", "EXO", "EOX"), "1/4"),
        dict.fromkeys(("XOE", "XEO", "EXO", "EOX"), HALF),
    ),
    Claim(
        "cancelling", "000, 4.1", "cancelling", "1 -1,2",
        {"EX": HALF, "EO": HALF},
        {"EX": ROOT_HALF, "EO": ROOT_HALF},
    ),
    Claim(
        "cancelling-other-square", "000, 1.1", "cancelling", "1 1,-2",
        {"XE": HALF, "OE": HALF},
        {"XE": ROOT_HALF, "OE": ROOT_HALF},
    ),
    Claim(
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
    Claim(
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
    Claim(
        "half-cancelling-exchanged", "000, 1.2", "cancelling", "O:1,2 -2,3",
        {"OEE": LIKELY, "EEX": LIKELY, "EEO": UNLIKELY, "EOE": FAILED},
        {"OEE": ROOT_HALF, "EOE": SHRUNK, "EEO": HALF, "EEX": ROOT_HALF},
        norm=HC_NORM, success=HC_SUCCESS,
    ),
    Claim(
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
    Claim(
        "half-shiftflip", "002, Half-shiftflip", "shiftflip", "1,2 -2,3",
        {"EXX": "1/3", "XEO": "2/3"},
        {"EXX": "-1/2", "XEO": ROOT_HALF},
        norm="3/4", success="3/4",
    ),
    Claim(
        "half-shiftflip-other-square", "002, Half-shiftflip", "shiftflip", "1,2 2,-3",
        {"EXX": "1/3", "XOE": "2/3"},
        {"EXX": "-1/2", "XOE": ROOT_HALF},
        norm="3/4", success="3/4",
    ),
    Claim(
        "half-shiftflip-upside-down", "002, Half-shiftflip", "shiftflip", "-1,-2 2,-3",
        {"EOO": "1/3", "OEX": "2/3"},
        {"EOO": "-1/2", "OEX": ROOT_HALF},
        norm="3/4", success="3/4",
    ),
    Claim(
        "spreading", "002, Spreading", "shiftflip", "1,2 -2,-3",
        {"XEE": HALF, "EXE": "1/4", "EEX": "1/4"},
        {"XEE": ROOT_HALF, "EXE": "-1/2", "EEX": "-1/2"},
    ),
    Claim(
        "off-board", "002, Cancelling", "shiftflip", "1 -1,-2", {"EE": "1"}, {"EE": "1"}
    ),
    Claim(
        "shiftflip", "002, Shiftflip", "shiftflip", "O:1 1,-2",
        {"OE": HALF, "XE": HALF},
        {"OE": ROOT_HALF, "XE": ROOT_HALF},
    ),
    Claim(
        "shiftflip-upside-down", "002, Shiftflip", "shiftflip", "-1 1,-2",
        {"EO": HALF, "EX": HALF},
        {"EO": "-1/sqrt(2)", "EX": "-1/sqrt(2)"},
    ),
    Claim(
        "upside-down", "002, introduction", "shiftflip", "-5", {"EEEEO": "1"}, {"EEEEO": "-1"}
    ),
    Claim(
        "superposition-of-signs", "002, Physical interpretation", "shiftflip", "1,-2",
        {"XE": HALF, "EO": HALF},
        {"XE": ROOT_HALF, "EO": "-1/sqrt(2)"},
    ),
    Claim(
        "entangling-upside-down", "002, Physical interpretation", "shiftflip", "-1 -1,-2",
        {"XO": HALF, "OX": HALF},
        {"XO": ROOT_HALF, "OX": ROOT_HALF},
    ),
    Claim(
        "half-entangling-of-signs", "002, Physical interpretation", "shiftflip", "1,-2 -2,-3",
        dict.fromkeys(("XXE", "XEX", "EXO", "EOX"), "1/4"),
        {"XXE": "-1/2", "XEX": "-1/2", "EXO": HALF, "EOX": HALF},
    ),
)
# fmt: on
