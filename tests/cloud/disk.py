"""Writing files so that they are there in whole or not at all."""

import os
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """Writes a file, such that a process killed in between leaves the old one.

    Two threads must not write the same file at once.

    Args:
        path: The file.
        text: All that it is to hold.
    """
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text)
    os.replace(fresh, path)
