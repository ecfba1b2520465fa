"""What a passer-by sees of the decks of many events, in one query for them all."""

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
    """Those of these events, by key, whose deck lists a passer-by reads: one query for them all.

    It says what `decks_for_reader` says of each event for nobody.
    """
    return _open_places(events, Q())


def places_with_open_identities(events: Collection[int]) -> QuerySet[Registration]:
    """Those of these events, by key, whose identities a passer-by finds beside the names.

    It says what `identities_for_reader` says of each event for nobody.
    """
    with_identities = [game.id for game in games.GAMES.values() if game.has_identities]
    published = _published_rounds(events).values("stage__tournament")
    by_round = Q(tournament__identities_shown=IdentitiesShown.ROUND_ONE, tournament__in=published)
    return _open_places(events, by_round).filter(tournament__game__in=with_identities)


def _open_places(events: Collection[int], also: Q) -> QuerySet[Registration]:
    """Where the decks are revealed, or a stage shows them to everybody; a cut shows its own."""
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
    """The stages that show their lists to everybody now (StageFacts.counts)."""
    published = _published_rounds(events).values("stage")
    counts = Q(decks_shown_at__lte=timezone.now()) | Q(decks_shown_at=None, pk__in=published)
    to_all = Stage.objects.filter(tournament__in=events, decks_shown_to=DeckAudience.PUBLIC)
    return to_all.filter(counts).order_by()


def _published_rounds(events: Collection[int]) -> QuerySet[Round]:
    return Round.objects.filter(stage__tournament__in=events).exclude(state=RoundState.DRAFT)
