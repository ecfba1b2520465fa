"""Visibility of an event's data. Call as `visibility.name()`."""

from tournaments.event.visibility.decks import (
    can_see_deck,
    can_see_identities,
    can_see_identity,
    decks_for_reader,
    decks_of_opponents,
    has_decks_page,
    identities_for_reader,
    identities_seen_of,
    others_see_decks,
    visible_decks,
    visible_identities,
)
from tournaments.event.visibility.events import (
    VERSION_COLUMNS,
    can_know,
    can_see,
    can_see_drafts,
    can_see_notes,
    can_see_round,
    events_of_reader,
    is_open,
    leads_to_person,
    local_rulings_for,
    moments_passed,
    rulings_for,
)
from tournaments.event.visibility.passers_by import (
    places_with_open_decks,
    places_with_open_identities,
)
