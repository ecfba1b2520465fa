"""Queries on rulings and notes."""

from rulings.queries.cards import CardRulings, Inherited, Relation, on_card, relations_to
from rulings.queries.changes import Change, ChangedDay, ChangeKind, changed_days, changes_of
from rulings.queries.codes import (
    find_by_code,
    fresh_short_codes,
    names_a_version,
    nearest_codes,
    random_short_code,
    version_by_code,
)
from rulings.queries.finding import authorities
from rulings.queries.in_force import (
    Standing,
    State,
    effective_from,
    in_force_on,
    standing_on,
)
from rulings.queries.names import cards_named, topics_named
from rulings.queries.notes import (
    citation_counts,
    cited_versions,
    most_cited,
    notes_of,
    times_cited,
    with_citations,
)
from rulings.queries.reading import (
    Subject,
    count_of_published,
    counts_by_game,
    counts_by_kind,
    documents,
    in_order,
    led_to,
    listed,
    neighbours,
    on_subject,
    published,
    referring_to,
    rulings_in_full,
    sending_to,
    sources_of,
    stamp,
    subjects,
)
from rulings.queries.rules_pages import rules_pages, sections_of
