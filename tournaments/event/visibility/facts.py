"""What the rules of visibility ask of an event, in a constant number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Exists, OuterRef

from matches.models import Seat
from players.models import Player
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.event.visibility.events import can_see
from tournaments.event.visibility.rules import Audience, EventFacts, StageFacts, Viewer
from tournaments.models import (
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

TO_SOME = (Audience.OPPONENT, Audience.CUT)
"""Audiences that depend on who met whom."""


def viewer_of(actor: Actor, tournament: Tournament) -> Viewer:
    """Who asks, as the rules know them."""
    registration = queries.registration_of(actor.player, tournament)
    return Viewer(
        player=_placed(registration),
        reads_event=can_see(actor, tournament),
        judges=permissions.can_judge(actor, tournament),
    )


def reader_of(tournament: Tournament, player: Player | None) -> Viewer:
    """Somebody who has opened a page of the event that everybody may look at.

    Judges see no more there than others: such a page is thrown on a wall, or printed.
    """
    return placed_reader(queries.registration_of(player, tournament))


def placed_reader(registration: Registration | None) -> Viewer:
    """As `reader_of`, where the player's place in the event is known, None for none."""
    return Viewer(player=_placed(registration))


def _placed(registration: Registration | None) -> int | None:
    """The player, if they have a place; who waits for one sees what a stranger sees."""
    if registration is None or registration.state == RegistrationState.WAITING:
        return None
    return registration.player_id


def event_facts(tournament: Tournament, viewer: Viewer) -> EventFacts:
    """The event as it stands to this viewer."""
    stages = _stage_facts(tournament, viewer, _stages(tournament))
    return EventFacts(
        stages=stages,
        is_revealed=tournament.decks_revealed_at is not None,
        has_identities=tournament.game_played.has_identities,
        identities_by_round=tournament.identities_shown == IdentitiesShown.ROUND_ONE,
        is_round_published=any(stage.is_published for stage in stages),
    )


def _stages(tournament: Tournament) -> list[Stage]:
    """The stages in order; `is_published` tells whether players see a round of it."""
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
    """Who has a place in each cut, by stage."""
    cuts = [stage for stage in stages if stage.way.is_elimination]
    players: dict[int, set[int]] = defaultdict(set)
    if cuts:
        entries = StageEntry.objects.filter(stage__in=cuts, declined=False).order_by()
        for stage, player in entries.values_list("stage", "registration__player"):
            players[stage].add(player)
    return players


def _met(tournament: Tournament, viewer: Viewer, stages: Iterable[Stage]) -> Mapping[int, set[int]]:
    """Whom the viewer shares a published table with, by stage; a bye is nobody's table."""
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
