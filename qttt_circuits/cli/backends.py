"""``qttt backends``: what can be run on, and whether the IBM account can be used."""

from __future__ import annotations

from typing import Any

import click

from ..errors import QtttError
from .arguments import HELP, json_option, print_json
from .tables import print_table


@click.command(context_settings=HELP)
@click.option("--no-account", is_flag=True, help="Do not ask IBM.")
@json_option
def backends(no_account: bool, as_json: bool) -> None:
    """List the backends: Aer, IBM's noise snapshots, and the devices of the IBM account."""
    from .. import ibm
    from ..backends import AER_METHODS

    found: list[dict[str, Any]] = [
        {"name": "aer", "kind": "simulator", "qubits": None},
        *({"name": f"aer:{m}", "kind": "simulator", "qubits": None} for m in AER_METHODS),
    ]
    account = "not asked"
    try:
        found += [
            {"name": name, "kind": "noise snapshot", "qubits": ibm.fake_backend(name).num_qubits}
            for name in ibm.fake_names()
        ]
        if not no_account:
            found += [
                {"name": device.name, "kind": "device", "qubits": device.num_qubits}
                for device in ibm.devices()
            ]
            account = "the IBM account can be used"
    except QtttError as error:
        account = str(error)
    if as_json:
        print_json({"backends": found, "account": account})
        return
    rows = [[b["name"], b["kind"], str(b["qubits"] or "")] for b in found]
    print_table("backends", ["name", "kind", "qubits"], rows)
    click.echo(f"IBM account: {account}")
