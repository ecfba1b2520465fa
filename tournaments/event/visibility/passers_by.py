"""Publicly visible decks of many events, in one query."""

from collections.abc import Collection

from django.db.models import Q, QuerySet
from django.utils import timezone

from decks import games
from engine.systems import CUTS
from tournaments.models import (
    DeckAudience,
    IdentitiesShown,
    Registration,
    RegistrationState,
    Round,
    RoundState,
    Stage,
    StageEntry,
)


def places_with_open_decks(events: Collection[int]) -> QuerySet[Registration]:
    """Registrations in these events whose decks are public; one query.

    Equivalent to `decks_for_reader` of each event with no player.
    """
    return _open_places(events, Q())


def places_with_open_identities(events: Collection[int]) -> QuerySet[Registration]:
    """Registrations in these events whose identities are public.

    Equivalent to `identities_for_reader` of each event with no player.
    """
    with_identities = [game.id for game in games.GAMES.values() if game.has_identities]
    published = _published_rounds(events).values("stage__tournament")
    by_round = Q(tournament__identities_shown=IdentitiesShown.ROUND_ONE, tournament__in=published)
    return _open_places(events, by_round).filter(tournament__game__in=with_identities)


def _open_places(events: Collection[int], also: Q) -> QuerySet[Registration]:
    """Registrations with public decks: revealed, or shown by a stage (a cut shows its own)."""
    shown = _stages_for_all(events)
    of_cuts = StageEntry.objects.filter(
        stage__in=shown.filter(system__in=CUTS).values("pk"), declined=False
    )
    is_open = (
        Q(tournament__decks_revealed_at__isnull=False)
        | Q(tournament__in=shown.exclude(system__in=CUTS).values("tournament"))
        | Q(pk__in=of_cuts.values("registration"))
        | also
    )
    places = Registration.objects.filter(is_open, tournament__in=events).order_by()
    return places.exclude(state=RegistrationState.WAITING)


def _stages_for_all(events: Collection[int]) -> QuerySet[Stage]:
    """Stages that show their decks to everybody now (StageFacts.counts)."""
    published = _published_rounds(events).values("stage")
    counts = Q(decks_shown_at__lte=timezone.now()) | Q(decks_shown_at=None, pk__in=published)
    to_all = Stage.objects.filter(tournament__in=events, decks_shown_to=DeckAudience.PUBLIC)
    return to_all.filter(counts).order_by()


def _published_rounds(events: Collection[int]) -> QuerySet[Round]:
    return Round.objects.filter(stage__tournament__in=events).exclude(state=RoundState.DRAFT)
