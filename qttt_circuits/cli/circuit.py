"""``qttt circuit``: the circuit of a position, drawn or exported."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import MissingExtraError, UnknownNameError
from ..game import Game
from .arguments import HELP, MovesCommand, circuit_arguments
from .files import output_option, write_file

if TYPE_CHECKING:
    from qiskit import QuantumCircuit


def _text(circuit: QuantumCircuit) -> bytes:
    return f"{circuit.draw('text', fold=100)}\n".encode()


def _qasm3(circuit: QuantumCircuit) -> bytes:
    from qiskit import qasm3

    text: str = qasm3.dumps(circuit)
    return text.encode() if text.endswith("\n") else f"{text}\n".encode()


def _qpy(circuit: QuantumCircuit) -> bytes:
    from qiskit import qpy

    buffer = BytesIO()
    qpy.dump(circuit, buffer)  # the moves come back as plain gates with the same bodies
    return buffer.getvalue()


def _picture(circuit: QuantumCircuit, kind: str) -> bytes:
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtraError(f"--format {kind}", "viz") from error
    matplotlib.use("Agg")
    buffer = BytesIO()
    circuit.draw("mpl", fold=30).savefig(buffer, format=kind, bbox_inches="tight")
    return buffer.getvalue()


FORMATS: dict[str, Callable[[QuantumCircuit], bytes]] = {
    "text": _text,
    "qasm3": _qasm3,
    "qpy": _qpy,
    "png": lambda circuit: _picture(circuit, "png"),
    "svg": lambda circuit: _picture(circuit, "svg"),
}
SUFFIXES = {".qasm": "qasm3", ".qpy": "qpy", ".png": "png", ".svg": "svg"}
BINARY = ("qpy", "png")


@click.command(cls=MovesCommand, context_settings=HELP)
@circuit_arguments
@click.option("--format", "form", metavar="|".join(FORMATS),
              help="By default that of FILE's suffix, or text.")  # fmt: skip
@click.option("--decompose", is_flag=True, help="Show what is inside the moves' gates.")
@output_option("-o", "--output", help="Write it here and not to standard output.")
def circuit(
    game: Game,
    compiled: dict[str, Any],
    form: str | None,
    decompose: bool,
    output: Path | None,
) -> None:
    """Draw or export the circuit of a position."""
    if form is None:
        form = SUFFIXES.get(output.suffix.lower(), "text") if output else "text"
    if form not in FORMATS:
        raise UnknownNameError("format", form, FORMATS)
    if form in BINARY and output is None:
        raise click.UsageError(f"--format {form} is not text: name a file with -o FILE")
    drawn = game.circuit(**compiled)
    if not drawn.num_qubits:
        click.echo("qttt: nothing is in superposition here, so the circuit has no qubits", err=True)
    if decompose:
        drawn = drawn.decompose()
    content = FORMATS[form](drawn)
    if output is None:
        click.echo(content, nl=False)
    else:
        write_file(output, content)
