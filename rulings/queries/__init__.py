"""What pages and notes ask about rulings."""

from rulings.queries.cards import CardRulings, Inherited, on_card
from rulings.queries.changes import Change, ChangedDay, ChangeKind, changed_days, changes_of
from rulings.queries.codes import (
    find_by_code,
    fresh_short_codes,
    names_a_version,
    nearest_codes,
    version_by_code,
)
from rulings.queries.finding import authorities
from rulings.queries.in_force import (
    Standing,
    State,
    begins_on,
    effective_from,
    in_force_on,
    standing_on,
    version_on,
)
from rulings.queries.names import cards_named, topics_named
from rulings.queries.notes import (
    CitedRuling,
    citation_counts,
    cited_versions,
    most_cited,
    notes_of,
    times_cited,
    with_citations,
)
from rulings.queries.reading import (
    Subject,
    counts_by_game,
    counts_by_kind,
    documents,
    in_order,
    led_to,
    listed,
    neighbours,
    on_subject,
    referring_to,
    rulings_in_full,
    sending_to,
    sources_of,
    subjects,
)
from rulings.queries.relations import Relation, relations_to
from rulings.queries.rules_pages import RulesPage, rules_pages, sections_of
from rulings.queries.stamps import stamp

__all__ = [
    "CardRulings",
    "Change",
    "ChangeKind",
    "ChangedDay",
    "CitedRuling",
    "Inherited",
    "Relation",
    "RulesPage",
    "Standing",
    "State",
    "Subject",
    "authorities",
    "begins_on",
    "cards_named",
    "changed_days",
    "changes_of",
    "citation_counts",
    "cited_versions",
    "counts_by_game",
    "counts_by_kind",
    "documents",
    "effective_from",
    "find_by_code",
    "fresh_short_codes",
    "in_force_on",
    "in_order",
    "led_to",
    "listed",
    "most_cited",
    "names_a_version",
    "nearest_codes",
    "neighbours",
    "notes_of",
    "on_card",
    "on_subject",
    "referring_to",
    "relations_to",
    "rules_pages",
    "rulings_in_full",
    "sections_of",
    "sending_to",
    "sources_of",
    "stamp",
    "standing_on",
    "subjects",
    "times_cited",
    "topics_named",
    "version_by_code",
    "version_on",
    "with_citations",
]
