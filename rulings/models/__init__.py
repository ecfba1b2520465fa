"""What do rulebook and judges say? Rulings with versions, notes on matches, judge calls."""

from rulings.models.rulings import (
    CODE_PATTERN,
    Citation,
    LinkKind,
    Ruling,
    RulingDocument,
    RulingKind,
    RulingLink,
    RulingVersion,
    SearchEntry,
    Section,
)
from rulings.models.tables import JudgeCall, MatchNote

__all__ = [
    "CODE_PATTERN",
    "Citation",
    "JudgeCall",
    "LinkKind",
    "MatchNote",
    "Ruling",
    "RulingDocument",
    "RulingKind",
    "RulingLink",
    "RulingVersion",
    "SearchEntry",
    "Section",
]
