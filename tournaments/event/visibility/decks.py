"""Who sees which decks and identities of an event now. Every page and answer asks here."""

from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils import timezone

from players.models import Player
from tournaments.event.actors import Actor
from tournaments.event.visibility import rules
from tournaments.event.visibility.facts import event_facts, placed_reader, reader_of, viewer_of
from tournaments.models import DeckSubmission, Registration, RegistrationState, Tournament


def can_see_deck(actor: Actor, submission: DeckSubmission) -> bool:
    """Read this list, in the version that is handed in now."""
    registration = submission.registration
    viewer = viewer_of(actor, registration.tournament)
    if registration.state == RegistrationState.WAITING:
        return _sees_waiting(actor, viewer, registration)
    event = event_facts(registration.tournament, viewer)
    return rules.sees_deck(registration.player_id, viewer, event, timezone.now())


def _sees_waiting(actor: Actor, viewer: rules.Viewer, registration: Registration) -> bool:
    """What somebody on the waiting list hands in is shown to nobody else yet but the judges."""
    return viewer.judges or (actor.player is not None and actor.player.pk == registration.player_id)


def visible_decks(actor: Actor, tournament: Tournament) -> QuerySet[DeckSubmission]:
    """The decks of the event this person may read, their own among them; a few queries."""
    return _decks_seen(tournament, viewer_of(actor, tournament))


def decks_for_reader(tournament: Tournament, player: Player | None) -> QuerySet[DeckSubmission]:
    """The decks on a page everybody may open, as this player finds it; None is a passer-by."""
    return _decks_seen(tournament, reader_of(tournament, player))


def has_decks_page(tournament: Tournament, player: Player | None) -> bool:
    """Whether this player, or with None a passer-by, sees decks of others."""
    reader = reader_of(tournament, player)
    return rules.opens_decks(reader, event_facts(tournament, reader), timezone.now())


def others_see_decks(tournament: Tournament) -> bool:
    """Whether a change of a deck or its identity may show to more than its player and judges.

    Such a change moves the version of the event, so that pages are new.
    """
    nobody = reader_of(tournament, None)
    return rules.others_see_something(event_facts(tournament, nobody), timezone.now())


def can_see_identities(actor: Actor, tournament: Tournament) -> bool:
    """Read the identities of all players beside their names, whoever sees the lists."""
    viewer = viewer_of(actor, tournament)
    return rules.sees_identities(viewer, event_facts(tournament, viewer))


def can_see_identity(actor: Actor, submission: DeckSubmission) -> bool:
    """Read which identity this deck has."""
    registration = submission.registration
    viewer = viewer_of(actor, registration.tournament)
    if registration.state == RegistrationState.WAITING:
        return _sees_waiting(actor, viewer, registration)
    event = event_facts(registration.tournament, viewer)
    return rules.sees_identity(registration.player_id, viewer, event, timezone.now())


def visible_identities(actor: Actor, tournament: Tournament) -> QuerySet[DeckSubmission]:
    """The decks of the event whose identity this person may read; a few queries."""
    return _identities_seen(tournament, viewer_of(actor, tournament))


def identities_for_reader(
    tournament: Tournament, player: Player | None
) -> QuerySet[DeckSubmission]:
    """The decks whose identity stands beside the name, as this player or passer-by finds it."""
    return _identities_seen(tournament, reader_of(tournament, player))


def identities_seen_of(
    tournament: Tournament, player: Player | None, owners: Iterable[int]
) -> frozenset[int]:
    """Those of these players whose identity this player or passer-by finds beside the name."""
    viewer, now = reader_of(tournament, player), timezone.now()
    event = event_facts(tournament, viewer)
    return frozenset(one for one in owners if rules.sees_identity(one, viewer, event, now))


def decks_of_opponents(
    registration: Registration, opponents: frozenset[int]
) -> tuple[QuerySet[DeckSubmission], QuerySet[DeckSubmission]]:
    """The decks of these players that this player may read, and those whose identity they see.

    Of these alone it is what `decks_for_reader` and `identities_for_reader` tell a player.
    """
    tournament, now = registration.tournament, timezone.now()
    viewer = placed_reader(registration)
    event = event_facts(tournament, viewer)
    read = rules.decks_seen(opponents, viewer, event, now)
    known = frozenset(one for one in opponents if rules.sees_identity(one, viewer, event, now))
    return _submissions(tournament, read), _submissions(tournament, known)


def _decks_seen(tournament: Tournament, viewer: rules.Viewer) -> QuerySet[DeckSubmission]:
    everybody = frozenset(_owners(tournament))
    event = event_facts(tournament, viewer)
    seen = rules.decks_seen(everybody, viewer, event, timezone.now())
    return _submissions(tournament, None if seen == everybody else seen)


def _identities_seen(tournament: Tournament, viewer: rules.Viewer) -> QuerySet[DeckSubmission]:
    everybody = frozenset(_owners(tournament))
    event, now = event_facts(tournament, viewer), timezone.now()
    seen = frozenset(one for one in everybody if rules.sees_identity(one, viewer, event, now))
    return _submissions(tournament, None if seen == everybody else seen)


def _owners(tournament: Tournament) -> Iterable[int]:
    """Who has handed in a deck and has a place in the event, by player."""
    decks = DeckSubmission.objects.filter(registration__tournament=tournament).order_by()
    placed = decks.exclude(registration__state=RegistrationState.WAITING)
    return placed.values_list("registration__player", flat=True)


def _submissions(tournament: Tournament, owners: frozenset[int] | None) -> QuerySet[DeckSubmission]:
    """The decks of these players who have a place, None for all; nothing is asked for nobody."""
    decks = DeckSubmission.objects.filter(registration__tournament=tournament)
    decks = decks.exclude(registration__state=RegistrationState.WAITING)
    if owners is not None:
        decks = decks.filter(registration__player__in=owners)
    return decks.order_by("registration__player__sort_key", "registration", "side")
