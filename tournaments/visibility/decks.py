"""Who sees which decks and identities of an event now. Every page and answer asks here."""

from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils import timezone

from tournaments.actors import Actor
from tournaments.models import DeckSubmission, Tournament
from tournaments.visibility import rules
from tournaments.visibility.facts import event_facts, viewer_of


def can_see_deck(actor: Actor, submission: DeckSubmission) -> bool:
    """Read this list, in the version that is handed in now."""
    registration = submission.registration
    viewer = viewer_of(actor, registration.tournament)
    event = event_facts(registration.tournament, viewer)
    return rules.sees_deck(registration.player_id, viewer, event, timezone.now())


def visible_decks(actor: Actor, tournament: Tournament) -> QuerySet[DeckSubmission]:
    """The decks of the event this person may read, their own among them; a few queries."""
    viewer = viewer_of(actor, tournament)
    event = event_facts(tournament, viewer)
    everybody = frozenset(_owners(tournament))
    seen = rules.decks_seen(everybody, viewer, event, timezone.now())
    return _submissions(tournament, everybody, seen)


def shows_all_decks(tournament: Tournament) -> bool:
    """Whether everybody who reads the event reads all lists, revealed by hand."""
    return tournament.decks_revealed_at is not None


def can_see_identities(actor: Actor, tournament: Tournament) -> bool:
    """Read the identities of all players beside their names, whoever sees the lists."""
    viewer = viewer_of(actor, tournament)
    return rules.sees_identities(viewer, event_facts(tournament, viewer))


def can_see_identity(actor: Actor, submission: DeckSubmission) -> bool:
    """Read which identity this deck has."""
    registration = submission.registration
    viewer = viewer_of(actor, registration.tournament)
    event = event_facts(registration.tournament, viewer)
    return rules.sees_identity(registration.player_id, viewer, event, timezone.now())


def visible_identities(actor: Actor, tournament: Tournament) -> QuerySet[DeckSubmission]:
    """The decks of the event whose identity this person may read; a few queries."""
    viewer = viewer_of(actor, tournament)
    event, now = event_facts(tournament, viewer), timezone.now()
    everybody = frozenset(_owners(tournament))
    seen = frozenset(owner for owner in everybody if rules.sees_identity(owner, viewer, event, now))
    return _submissions(tournament, everybody, seen)


def _owners(tournament: Tournament) -> Iterable[int]:
    """Who has handed in a deck, by player."""
    decks = DeckSubmission.objects.filter(registration__tournament=tournament).order_by()
    return decks.values_list("registration__player", flat=True)


def _submissions(
    tournament: Tournament, everybody: frozenset[int], seen: frozenset[int]
) -> QuerySet[DeckSubmission]:
    decks = DeckSubmission.objects.filter(registration__tournament=tournament)
    if seen != everybody:
        decks = decks.filter(registration__player__in=seen)
    return decks.order_by("registration__player__sort_key", "registration", "side")
