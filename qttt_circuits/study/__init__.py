"""Studies: many games between two players, counted.

    >>> from qttt_circuits.study import Study, run_study
    >>> result = run_study(Study("tiqtaqtoe", ("search", "random"), games=10, seed=7))
    >>> result.played, result.complete
    (10, True)
    >>> sum(share.count for share in (result.wins("X"), result.wins("O"), result.draws))
    10

What happens in a game follows from the study's seed and the game's number alone. So a study comes
out the same whatever runs it, one process, many or a cluster, and wherever it was stopped between.
"""

from ..players import Limit
from .intervals import Mean, Share, wilson
from .log import read_games, read_settings, read_study
from .record import GameRecord
from .result import Ending, StudyResult
from .running import run_study
from .settings import Study

__all__ = [
    "Ending",
    "GameRecord",
    "Limit",
    "Mean",
    "Share",
    "Study",
    "StudyResult",
    "read_games",
    "read_settings",
    "read_study",
    "run_study",
    "wilson",
]
