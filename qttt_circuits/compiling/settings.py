"""What an experiment is of and how it was compiled, as text."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..games.base import as_text

if TYPE_CHECKING:
    from ..position import Position


def settings_of(position: Position, options: Any) -> dict[str, str]:
    """Returns the position, the options of its rules, and how it is compiled, by name.

    Args:
        position: The position.
        options: A dataclass of texts and truth values.
    """
    chosen = {f.name: as_text(getattr(options, f.name)) or "" for f in fields(options)}
    return {"position": position.text(), "options": position.rules.options_text, **chosen}
