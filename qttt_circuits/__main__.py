"""``python -m qttt_circuits`` is ``qttt``."""

from .cli import main

main()
