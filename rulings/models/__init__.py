"""Models for rulings, their versions, judge notes and judge calls."""

from rulings.models.judging import JudgeCall, JudgeNote, NoteCitation, NoteKind
from rulings.models.rulings import (
    CODE_PATTERN,
    SHORT_CODE_PATTERN,
    Citation,
    DocumentKind,
    LinkKind,
    Ruling,
    RulingDocument,
    RulingKind,
    RulingLink,
    RulingVersion,
    SearchEntry,
    Section,
    card_url,
    subject_url,
)
from rulings.models.stamps import RulingStamp
