"""Visibility of decks and identities. Every page and API response checks here."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from matches.models import Seat
from players.models import Player
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.event.visibility import rules
from tournaments.event.visibility.events import can_see
from tournaments.event.visibility.rules import Audience, EventFacts, StageFacts, Viewer
from tournaments.models import (
    DeckSubmission,
    IdentitiesShown,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    RoundState,
    Stage,
    StageEntry,
    Tournament,
)

# Audiences that depend on past opponents.
TO_SOME = (Audience.OPPONENT, Audience.CUT)


def can_see_deck(actor: Actor, submission: DeckSubmission) -> bool:
    """Return True if the actor can read the current version of this deck."""
    registration = submission.registration
    viewer = viewer_of(actor, registration.tournament)
    if registration.state == RegistrationState.WAITING:
        return _sees_waiting(actor, viewer, registration)
    event = event_facts(registration.tournament, viewer)
    return rules.sees_deck(registration.player_id, viewer, event, timezone.now())


def _sees_waiting(actor: Actor, viewer: rules.Viewer, registration: Registration) -> bool:
    """Return True for judges and the owner, who alone see decks of waiting players."""
    return viewer.judges or (actor.player is not None and actor.player.pk == registration.player_id)


def visible_decks(actor: Actor, tournament: Tournament) -> QuerySet[DeckSubmission]:
    """Decks of the event that the actor can read, including their own; a few queries."""
    return _decks_seen(tournament, viewer_of(actor, tournament))


def decks_for_reader(tournament: Tournament, player: Player | None) -> QuerySet[DeckSubmission]:
    """Decks on a shared page, as visible to this player, or to everybody if None."""
    return _decks_seen(tournament, reader_of(tournament, player))


def has_decks_page(tournament: Tournament, player: Player | None) -> bool:
    """Return True if this player, or everybody if None, can see decks of other players."""
    reader = reader_of(tournament, player)
    return rules.opens_decks(reader, event_facts(tournament, reader), timezone.now())


def others_see_decks(tournament: Tournament) -> bool:
    """Return True if a deck change may be visible to more than its player and judges.

    Such a change increments the version of the event.
    """
    nobody = reader_of(tournament, None)
    return rules.others_see_something(event_facts(tournament, nobody), timezone.now())


def can_see_identities(actor: Actor, tournament: Tournament) -> bool:
    """Return True if the actor sees all identities beside names, apart from deck visibility."""
    viewer = viewer_of(actor, tournament)
    return rules.sees_identities(viewer, event_facts(tournament, viewer))


def can_see_identity(actor: Actor, submission: DeckSubmission) -> bool:
    registration = submission.registration
    viewer = viewer_of(actor, registration.tournament)
    if registration.state == RegistrationState.WAITING:
        return _sees_waiting(actor, viewer, registration)
    event = event_facts(registration.tournament, viewer)
    return rules.sees_identity(registration.player_id, viewer, event, timezone.now())


def visible_identities(actor: Actor, tournament: Tournament) -> QuerySet[DeckSubmission]:
    """Decks whose identity the actor can see; a few queries."""
    return _identities_seen(tournament, viewer_of(actor, tournament))


def identities_for_reader(
    tournament: Tournament, player: Player | None
) -> QuerySet[DeckSubmission]:
    """Decks whose identity is shown beside names to this player, or to everybody if None."""
    return _identities_seen(tournament, reader_of(tournament, player))


def identities_seen_of(
    tournament: Tournament, player: Player | None, owners: Iterable[int]
) -> frozenset[int]:
    """The owners among these whose identity this player, or everybody if None, can see."""
    viewer, now = reader_of(tournament, player), timezone.now()
    event = event_facts(tournament, viewer)
    return frozenset(one for one in owners if rules.sees_identity(one, viewer, event, now))


def decks_of_opponents(
    registration: Registration, opponents: frozenset[int]
) -> tuple[QuerySet[DeckSubmission], QuerySet[DeckSubmission]]:
    """Decks of these opponents that the player can read, and those whose identity is visible.

    Same rules as `decks_for_reader` and `identities_for_reader`, for these opponents only.
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
    """Primary keys of players with a deck and a place in the event."""
    decks = DeckSubmission.objects.filter(registration__tournament=tournament).order_by()
    placed = decks.exclude(registration__state=RegistrationState.WAITING)
    return placed.values_list("registration__player", flat=True)


def _submissions(tournament: Tournament, owners: frozenset[int] | None) -> QuerySet[DeckSubmission]:
    """Decks of these players, without waiting ones; None for all players."""
    decks = DeckSubmission.objects.filter(registration__tournament=tournament)
    decks = decks.exclude(registration__state=RegistrationState.WAITING)
    if owners is not None:
        decks = decks.filter(registration__player__in=owners)
    return decks.order_by("registration__player__sort_key", "registration", "side")


def viewer_of(actor: Actor, tournament: Tournament) -> Viewer:
    """The actor as a viewer in `rules`."""
    registration = queries.registration_of(actor.player, tournament)
    return Viewer(
        player=_placed(registration),
        reads_event=can_see(actor, tournament),
        judges=permissions.can_judge(actor, tournament),
    )


def reader_of(tournament: Tournament, player: Player | None) -> Viewer:
    """A viewer of a shared page of the event.

    Judges see no more there than anybody else: such a page is projected or printed.
    """
    return placed_reader(queries.registration_of(player, tournament))


def placed_reader(registration: Registration | None) -> Viewer:
    """Like `reader_of`, with a known registration, or None."""
    return Viewer(player=_placed(registration))


def _placed(registration: Registration | None) -> int | None:
    """The player's key if they have a place. Waiting players see as much as strangers."""
    if registration is None or registration.state == RegistrationState.WAITING:
        return None
    return registration.player_id


def event_facts(tournament: Tournament, viewer: Viewer) -> EventFacts:
    """The facts about the event for this viewer."""
    stages = _stage_facts(tournament, viewer, _stages(tournament))
    return EventFacts(
        stages=stages,
        is_revealed=tournament.decks_revealed_at is not None,
        has_identities=tournament.game_played.has_identities,
        identities_by_round=tournament.identities_shown == IdentitiesShown.ROUND_ONE,
        is_round_published=any(stage.is_published for stage in stages),
    )


def _stages(tournament: Tournament) -> list[Stage]:
    """The stages in order, annotated with `is_published`."""
    seen = Round.objects.filter(stage=OuterRef("pk")).exclude(state=RoundState.DRAFT)
    return list(tournament.stages.annotate(is_published=Exists(seen)).order_by("number"))


def _stage_facts(
    tournament: Tournament, viewer: Viewer, stages: list[Any]
) -> tuple[StageFacts, ...]:
    players, met = _players_of_cuts(stages), _met(tournament, viewer, stages)
    return tuple(
        StageFacts(
            audience=Audience(stage.decks_shown_to),
            shown_at=stage.decks_shown_at,
            is_published=stage.is_published,
            players=frozenset(players[stage.pk]) if stage.way.is_elimination else None,
            met=frozenset(met[stage.pk]),
        )
        for stage in stages
    )


def _players_of_cuts(stages: Iterable[Stage]) -> Mapping[int, set[int]]:
    """The players with a place in each cut, by stage."""
    cuts = [stage for stage in stages if stage.way.is_elimination]
    players: dict[int, set[int]] = defaultdict(set)
    if cuts:
        entries = StageEntry.objects.filter(stage__in=cuts, declined=False).order_by()
        for stage, player in entries.values_list("stage", "registration__player"):
            players[stage].add(player)
    return players


def _met(tournament: Tournament, viewer: Viewer, stages: Iterable[Stage]) -> Mapping[int, set[int]]:
    """Players at the viewer's published tables, by stage."""
    met: dict[int, set[int]] = defaultdict(set)
    if viewer.player is None or all(stage.decks_shown_to not in TO_SOME for stage in stages):
        return met
    tables = Pairing.objects.filter(
        round__stage__tournament=tournament, match__seats__player=viewer.player
    ).exclude(round__state=RoundState.DRAFT)
    stage_of = dict(tables.order_by().values_list("match", "round__stage"))
    for match, player in Seat.objects.filter(match__in=stage_of).values_list("match", "player"):
        met[stage_of[match]].add(player)
    return met
