"""What do I need? The last round as it stands in, for each player in, out, or what it takes out.

`engine.clinch.answering.needs` answers; it loads scipy, so import it where an answer is wanted.
"""

from engine.clinch.endings import endings_of, least_in_words, ordinary_endings_of
from engine.clinch.records import (
    Ending,
    Example,
    LastRound,
    Need,
    OpenTable,
    Results,
    Verdict,
)
