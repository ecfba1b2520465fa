"""Visibility of events, rounds, decks, identities, local rulings and staff notes."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from django.core.cache import caches
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from decks import games
from engine.systems import CUT_SYSTEMS
from matches.models import Seat
from players import factors
from players.models import Player, User
from rulings import permissions as ruling_permissions
from rulings.models import Ruling
from tournaments.event import permissions, visibility_rules
from tournaments.event.permissions import Actor
from tournaments.event.visibility_rules import Audience, EventFacts, StageFacts, Viewer
from tournaments.models import (
    DeckAudience,
    DeckSubmission,
    IdentitiesShown,
    InvitedPlayer,
    LocalRuling,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    Staff,
    Stage,
    StageEntry,
    Tournament,
    Visibility,
)

# Format of old local ruling codes, which were numbered and can be guessed.
NUMBERED_RULING_CODE = "^L-[0-9]+$"

CACHED_SECONDS = 60

# Columns that decide whether a cached page is current, and which readers may see it.
VERSION_COLUMNS = (
    "version",
    "shared_version",
    "visibility",
    "practice_of",
    "language",
    "registration_closes_at",
    "import_touched_at",
)


def is_open_to_all(tournament: Tournament) -> bool:
    return tournament.visibility != Visibility.PRIVATE and tournament.practice_of_id is None


def can_see(actor: Actor, tournament: Tournament) -> bool:
    """Return True if the actor can read the event."""
    # A private event is for its staff, players and invited players.
    if is_open_to_all(tournament):
        return True
    if tournament.import_touched_at is not None:
        return False
    if permissions.is_staff(actor, tournament):
        return True
    is_playing = tournament.registration_of(actor.player) is not None
    return is_playing or tournament.is_invited(actor.player)


def can_know_of(actor: Actor, tournament: Tournament) -> bool:
    """Return True if the actor may learn that the event exists."""
    # An unlisted event is known only by its address.
    is_public = tournament.visibility == Visibility.PUBLIC and tournament.practice_of_id is None
    return is_public or events_of_reader(actor).filter(pk=tournament.pk).exists()


def can_link_to_profile(tournament: Tournament, player: Player) -> bool:
    """Return True if the event links to the player's profile, which lists this event."""
    # Never from an unlisted event, which is known only by its address.
    is_shown = not player.hides_history and player.erased_at is None
    is_known = tournament.visibility != Visibility.UNLISTED and tournament.practice_of_id is None
    return is_shown and is_known


def events_of_reader(actor: Actor) -> QuerySet[Tournament]:
    """Return the private side of `can_see` as a filter; administrators see all events."""
    if actor.user and factors.is_administrator(actor.user, at=actor.token_made_at):
        return Tournament.objects.filter(import_touched_at=None)
    registrations = Registration.objects.filter(player=actor.player)
    invitations = InvitedPlayer.objects.filter(player=actor.player, declined_at=None)
    is_readable = Q(pk__in=registrations.values("tournament"))
    is_readable |= Q(pk__in=invitations.values("tournament"))
    if actor.user is not None:
        roles = Staff.objects.filter(user=actor.user)
        if not factors.has_factor(actor.user, at=actor.token_made_at):
            roles = roles.filter(tournament__staff_need_second_factor=False)
        is_readable |= Q(pk__in=roles.values("tournament"))
    return Tournament.objects.filter(is_readable, import_touched_at=None)


def local_rulings_for(
    user: User | None, player: Player | None, at: datetime | None, by_code: bool
) -> QuerySet[Ruling]:
    """Local rulings of events this person can read; set as `settings.LOCAL_RULINGS_FOR`.

    With `by_code`, includes unlisted events unless the code can be guessed. Searches never find
    these.
    """
    public = Q(tournament__visibility=Visibility.PUBLIC)
    unlisted = Q(tournament__visibility=Visibility.UNLISTED) & ~Q(
        ruling__short_code__regex=NUMBERED_RULING_CODE
    )
    is_readable = Q(tournament__practice_of=None) & (public | unlisted if by_code else public)
    if user is not None or player is not None:
        is_readable |= Q(tournament__in=events_of_reader(Actor(user, player, at)))
    readable = LocalRuling.objects.filter(is_readable)
    return Ruling.objects.filter(pk__in=readable.values("ruling"))


def rulings_for(actor: Actor) -> QuerySet[Ruling]:
    return ruling_permissions.readable_rulings(actor.user, actor.player, at=actor.token_made_at)


def can_see_drafts(actor: Actor, tournament: Tournament) -> bool:
    """Return True if the actor can see unpublished rounds and their log entries."""
    return permissions.can_run(actor, tournament)


def can_see_round(actor: Actor, tournament: Tournament, round_: Round) -> bool:
    if round_.is_draft:
        return can_see_drafts(actor, tournament)
    return can_see(actor, tournament)


def can_see_notes(actor: Actor, tournament: Tournament) -> bool:
    """Return True if the actor can read judges' notes on matches and answers to calls."""
    return permissions.can_judge(actor, tournament)


def count_passed_times(tournament: Tournament) -> int:
    """Return the number of scheduled times in the past. They change pages without a new version."""
    now = timezone.now()
    return sum(moment <= now for moment in _scheduled_times(tournament))


def _scheduled_times(tournament: Tournament) -> list[datetime]:
    """When the stages show their decks, as of this `shared_version` or a newer one."""
    # Read after the event row, so the cached times are never older than the version.
    key = f"moments:{tournament.pk}:{tournament.shared_version}"
    times: list[datetime] | None = caches["pages"].get(key)
    if times is None:
        rows = tournament.stages.values_list("decks_shown_at", flat=True).order_by()
        times = [moment for moment in rows if moment is not None]
        caches["pages"].set(key, times, CACHED_SECONDS)
    return times


# Visibility of decks and identities.


# A rule for the decks or the identities of an owner.
VisibilityRule = Callable[[int, Viewer, EventFacts, datetime], bool]
# Audiences that depend on past opponents.
OPPONENT_AUDIENCES = (Audience.OPPONENT, Audience.CUT)


def can_see_deck(actor: Actor, submission: DeckSubmission) -> bool:
    """Return True if the actor can read the current version of this deck."""
    return _is_visible(actor, submission, visibility_rules.can_see_deck)


def can_see_identity(actor: Actor, submission: DeckSubmission) -> bool:
    return _is_visible(actor, submission, visibility_rules.can_see_identity)


def _is_visible(actor: Actor, submission: DeckSubmission, rule: VisibilityRule) -> bool:
    registration = submission.registration
    viewer = viewer_of(actor, registration.tournament)
    if registration.state == RegistrationState.WAITING:
        # Only judges and the owner can see decks of waiting players.
        is_owner = actor.player is not None and actor.player.pk == registration.player_id
        return viewer.judges or is_owner
    event = event_facts(registration.tournament, viewer)
    return rule(registration.player_id, viewer, event, timezone.now())


def visible_decks(actor: Actor, tournament: Tournament) -> QuerySet[DeckSubmission]:
    viewer = viewer_of(actor, tournament)
    return _visible_submissions(tournament, viewer, visibility_rules.can_see_deck)


def decks_for_reader(tournament: Tournament, player: Player | None) -> QuerySet[DeckSubmission]:
    """Decks on a shared page, as visible to this player, or to everybody if None."""
    viewer = reader_of(tournament, player)
    return _visible_submissions(tournament, viewer, visibility_rules.can_see_deck)


def has_decks_page(tournament: Tournament, player: Player | None) -> bool:
    """Return True if this player, or everybody if None, can see decks of other players."""
    reader = reader_of(tournament, player)
    return visibility_rules.has_decks_page(reader, event_facts(tournament, reader), timezone.now())


def can_others_see_decks(tournament: Tournament) -> bool:
    """Return True if a deck change may be visible to more than its player and judges."""
    # Such a change increments the version of the event.
    stranger = reader_of(tournament, None)
    return visibility_rules.can_others_see_decks(event_facts(tournament, stranger), timezone.now())


def can_see_identities(actor: Actor, tournament: Tournament) -> bool:
    """Return True if the actor sees all identities beside names, apart from deck visibility."""
    viewer = viewer_of(actor, tournament)
    return visibility_rules.can_see_identities(viewer, event_facts(tournament, viewer))


def visible_identities(actor: Actor, tournament: Tournament) -> QuerySet[DeckSubmission]:
    """Decks whose identity the actor can see; a few queries."""
    viewer = viewer_of(actor, tournament)
    return _visible_submissions(tournament, viewer, visibility_rules.can_see_identity)


def identities_for_reader(
    tournament: Tournament, player: Player | None
) -> QuerySet[DeckSubmission]:
    """Decks whose identity is shown beside names to this player, or to everybody if None."""
    viewer = reader_of(tournament, player)
    return _visible_submissions(tournament, viewer, visibility_rules.can_see_identity)


def visible_identity_owners(
    tournament: Tournament, player: Player | None, owners: Iterable[int]
) -> frozenset[int]:
    """Return the owners among these whose identity this player, or everybody if None, can see."""
    viewer = reader_of(tournament, player)
    event = event_facts(tournament, viewer)
    return _visible_owners(owners, viewer, event, visibility_rules.can_see_identity)


def decks_of_opponents(
    registration: Registration, opponents: frozenset[int]
) -> tuple[QuerySet[DeckSubmission], QuerySet[DeckSubmission]]:
    """Decks of these opponents that the player can read, and those whose identity is visible.

    Same rules as `decks_for_reader` and `identities_for_reader`, for these opponents only.
    """
    tournament = registration.tournament
    viewer = reader_of_registration(registration)
    event = event_facts(tournament, viewer)
    decks, identities = (
        _decks_with_place(tournament).filter(
            registration__player__in=_visible_owners(opponents, viewer, event, rule)
        )
        for rule in (visibility_rules.can_see_deck, visibility_rules.can_see_identity)
    )
    return decks, identities


def _visible_submissions(
    tournament: Tournament, viewer: Viewer, rule: VisibilityRule
) -> QuerySet[DeckSubmission]:
    decks = _decks_with_place(tournament)
    owners = frozenset(decks.order_by().values_list("registration__player", flat=True))
    visible = _visible_owners(owners, viewer, event_facts(tournament, viewer), rule)
    return decks if visible == owners else decks.filter(registration__player__in=visible)


def _visible_owners(
    owners: Iterable[int], viewer: Viewer, event: EventFacts, rule: VisibilityRule
) -> frozenset[int]:
    now = timezone.now()
    return frozenset(owner for owner in owners if rule(owner, viewer, event, now))


def _decks_with_place(tournament: Tournament) -> QuerySet[DeckSubmission]:
    """Decks of the event, without those of waiting players."""
    decks = DeckSubmission.objects.filter(registration__tournament=tournament)
    placed = decks.exclude(registration__state=RegistrationState.WAITING)
    return placed.order_by("registration__player__sort_key", "registration", "side")


def viewer_of(actor: Actor, tournament: Tournament) -> Viewer:
    """Return the actor as a viewer in `visibility_rules`."""
    registration = tournament.registration_of(actor.player)
    return Viewer(
        player=_player_with_place(registration),
        reads_event=can_see(actor, tournament),
        judges=permissions.can_judge(actor, tournament),
    )


def reader_of(tournament: Tournament, player: Player | None) -> Viewer:
    """Return a viewer of a shared page of the event."""
    # Judges see no more there than other users: such a page is projected or printed.
    return reader_of_registration(tournament.registration_of(player))


def reader_of_registration(registration: Registration | None) -> Viewer:
    """Like `reader_of`, with a known registration, or None."""
    return Viewer(player=_player_with_place(registration))


def _player_with_place(registration: Registration | None) -> int | None:
    """Return the player's key if they have a place. Waiting players see as much as strangers."""
    if registration is None or registration.state == RegistrationState.WAITING:
        return None
    return registration.player_id


def event_facts(tournament: Tournament, viewer: Viewer) -> EventFacts:
    """Return the facts about the event for this viewer."""
    stages = _stage_facts(tournament, viewer, _stages_with_publication(tournament))
    return EventFacts(
        stages=stages,
        is_revealed=tournament.decks_revealed_at is not None,
        has_identities=tournament.game_played.has_identities,
        identities_by_round=tournament.identities_shown == IdentitiesShown.ROUND_ONE,
        is_round_published=any(stage.is_published for stage in stages),
    )


def _stages_with_publication(tournament: Tournament) -> list[Stage]:
    """Return the stages in order, annotated with `is_published`."""
    published = Round.objects.filter(stage=OuterRef("pk")).published()
    return list(tournament.stages.annotate(is_published=Exists(published)).order_by("number"))


def _stage_facts(
    tournament: Tournament, viewer: Viewer, stages: list[Any]
) -> tuple[StageFacts, ...]:
    players, met = _cut_players(stages), _players_met(tournament, viewer, stages)
    return tuple(
        StageFacts(
            audience=Audience(stage.decks_shown_to),
            shown_at=stage.decks_shown_at,
            is_published=stage.is_published,
            players=frozenset(players[stage.pk]) if stage.is_cut else None,
            met=frozenset(met[stage.pk]),
        )
        for stage in stages
    )


def _cut_players(stages: Iterable[Stage]) -> Mapping[int, set[int]]:
    """Return the players with a place in each cut, by stage."""
    cuts = [stage for stage in stages if stage.is_cut]
    players: dict[int, set[int]] = defaultdict(set)
    if cuts:
        entries = StageEntry.objects.filter(stage__in=cuts, declined=False).order_by()
        for stage, player in entries.values_list("stage", "registration__player"):
            players[stage].add(player)
    return players


def _players_met(
    tournament: Tournament, viewer: Viewer, stages: Iterable[Stage]
) -> Mapping[int, set[int]]:
    """Players at the viewer's published tables, by stage."""
    met: dict[int, set[int]] = defaultdict(set)
    if viewer.player is None or all(
        stage.decks_shown_to not in OPPONENT_AUDIENCES for stage in stages
    ):
        return met
    tables = Pairing.objects.of_event(tournament).published()
    tables = tables.filter(match__seats__player=viewer.player)
    stage_of = dict(tables.order_by().values_list("match", "round__stage"))
    for match, player in Seat.objects.filter(match__in=stage_of).values_list("match", "player"):
        met[stage_of[match]].add(player)
    return met


# Publicly visible decks of many events, in one query.


def registrations_with_public_decks(events: Collection[int]) -> QuerySet[Registration]:
    """Registrations in these events whose decks are public; one query.

    Equivalent to `decks_for_reader` of each event with no player.
    """
    return _public_registrations(events, Q())


def registrations_with_public_identities(events: Collection[int]) -> QuerySet[Registration]:
    """Registrations in these events whose identities are public.

    Equivalent to `identities_for_reader` of each event with no player.
    """
    with_identities = [game.id for game in games.GAMES.values() if game.has_identities]
    published = _published_rounds(events).values("stage__tournament")
    by_round = Q(tournament__identities_shown=IdentitiesShown.ROUND_ONE, tournament__in=published)
    return _public_registrations(events, by_round).filter(tournament__game__in=with_identities)


def _public_registrations(events: Collection[int], also: Q) -> QuerySet[Registration]:
    """Registrations with public decks: revealed, or shown by a stage (a cut shows its own)."""
    shown = _public_stages(events)
    of_cuts = StageEntry.objects.filter(
        stage__in=shown.filter(system__in=CUT_SYSTEMS).values("pk"), declined=False
    )
    is_open = (
        Q(tournament__decks_revealed_at__isnull=False)
        | Q(tournament__in=shown.exclude(system__in=CUT_SYSTEMS).values("tournament"))
        | Q(pk__in=of_cuts.values("registration"))
        | also
    )
    places = Registration.objects.filter(is_open, tournament__in=events).order_by()
    return places.exclude(state=RegistrationState.WAITING)


def _public_stages(events: Collection[int]) -> QuerySet[Stage]:
    """Stages that show their decks to everybody now (StageFacts.counts)."""
    published = _published_rounds(events).values("stage")
    counts = Q(decks_shown_at__lte=timezone.now()) | Q(decks_shown_at=None, pk__in=published)
    to_all = Stage.objects.filter(tournament__in=events, decks_shown_to=DeckAudience.PUBLIC)
    return to_all.filter(counts).order_by()


def _published_rounds(events: Collection[int]) -> QuerySet[Round]:
    return Round.objects.filter(stage__tournament__in=events).published()
