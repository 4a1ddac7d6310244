"""The command line, ``qttt``: one file a group of commands."""

from .main import main

__all__ = ["main"]
