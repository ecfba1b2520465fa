"""What pages and notes ask about rulings."""

from rulings.queries.cards import CardRulings, on_card
from rulings.queries.codes import find_by_code, fresh_short_codes, nearest_codes, version_by_code
from rulings.queries.names import cards_named, topics_named
from rulings.queries.notes import notes_of, times_cited, with_citations
from rulings.queries.reading import (
    Subject,
    counts_by_kind,
    in_order,
    neighbours,
    on_subject,
    referring_to,
    rulings_in_full,
    sending_to,
    subjects,
)

__all__ = [
    "CardRulings",
    "Subject",
    "cards_named",
    "counts_by_kind",
    "find_by_code",
    "fresh_short_codes",
    "in_order",
    "nearest_codes",
    "neighbours",
    "notes_of",
    "on_card",
    "on_subject",
    "referring_to",
    "rulings_in_full",
    "sending_to",
    "subjects",
    "times_cited",
    "topics_named",
    "version_by_code",
    "with_citations",
]
