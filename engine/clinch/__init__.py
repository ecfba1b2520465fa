"""Clinch scenarios of the last round: players who are in, out, or need a certain result.

Entry point: `engine.clinch.answering.needs`. It loads scipy, so import it only where it is used.
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
