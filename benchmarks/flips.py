"""Which bit flips post-selection detects, by encoding and ancilla mode.

Each qubit in turn is flipped before it is measured. Of the shots that would have been accepted,
part is rejected (detected), part keeps its board, part shows another legal board. Means over the
qubits of a circuit, for the documents' positions; exact, from state vectors.

    python benchmarks/flips.py            a table
    python benchmarks/flips.py --qubits   every qubit of every circuit
    python benchmarks/flips.py --json     everything as one JSON document
"""

from __future__ import annotations

import json
from dataclasses import asdict
from statistics import fmean
from typing import Any

from positions import DOCUMENTS, play
from report import Parser, script
from rich.console import Console
from rich.table import Table

from qttt_circuits.encodings import encodings
from qttt_circuits.flips import flips


def measure() -> list[dict[str, Any]]:
    """Returns the flips of every qubit of every circuit."""
    return [
        {
            "position": name,
            "encoding": encoding,
            "ancillas": ancillas,
            "check_pieces": check_pieces,
            "flips": [
                asdict(flip)
                for flip in flips(
                    play(rules, moves).experiment(
                        encoding=encoding, ancillas=ancillas, check_pieces=check_pieces
                    )
                )
            ],
        }
        for name, rules, moves in DOCUMENTS
        for encoding in encodings()
        for ancillas in ("needed", "all")
        for check_pieces in (True, False)
    ]


def main() -> None:
    """Reads the arguments and measures."""
    parser = Parser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--qubits", action="store_true")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = measure()
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    console = Console(width=max(110, Console().width))
    if arguments.qubits:
        table = Table("position", "encoding", "ancillas", "pieces checked", "qubit",
                      "detected", "same board", "other board", "admitted")  # fmt: skip
        for row in found:
            for flip in row["flips"]:
                table.add_row(
                    row["position"], row["encoding"], row["ancillas"],
                    "yes" if row["check_pieces"] else "no", flip["qubit"],
                    *(f"{flip[k]:.3f}" for k in ("detected", "same", "other", "admitted")),
                )  # fmt: skip
        console.print(table)
        return
    table = Table("encoding", "ancillas", "pieces checked", "detected", "same board", "other board",
                  title="mean over the qubits of the documents' positions")  # fmt: skip
    for way in dict.fromkeys((r["encoding"], r["ancillas"], r["check_pieces"]) for r in found):
        rows = [
            flip
            for r in found
            if (r["encoding"], r["ancillas"], r["check_pieces"]) == way
            for flip in r["flips"]
        ]
        means = [f"{fmean(flip[k] for flip in rows):.3f}" for k in ("detected", "same", "other")]
        table.add_row(way[0], way[1], "yes" if way[2] else "no", *means)
    console.print(table)


if __name__ == "__main__":
    script(main)
