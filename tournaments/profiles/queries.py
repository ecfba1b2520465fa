"""Queries on a player across events, limited to the events the reader may see."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import BooleanField, Case, Count, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from core.text import comparison_key
from decks.models import CardFaction
from matches.models import SETTLED_STATES, Seat
from matches.scoring.results import Points
from players.models import Player
from tournaments.event import visibility
from tournaments.event.permissions import Actor
from tournaments.models import (
    DeckSubmission,
    Pairing,
    PlayerMerge,
    Registration,
    RoundState,
    Standing,
    StatedIdentity,
    Tournament,
    Visibility,
)
from tournaments.models.registrations import NEVER_CAME
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds.cut import Cut


def player_with_events(actor: Actor, pk: int) -> tuple[Player, QuerySet[Tournament]] | None:
    """Return the player and the events that the reader may see, latest first.

    None if the reader may not open the page of this player.

    Only the player can open a page with hidden history. Erased players have no page. Other readers
    must share at least one visible event, because page addresses are sequential numbers.
    """
    player = Player.objects.filter(pk=pk, erased_at=None).select_related("merged_into").first()
    while player is not None and player.merged_into is not None:
        player = player.merged_into
    if player is None or player.erased_at is not None:
        return None
    own = is_self(actor, player)
    if player.hides_history and not own:
        return None
    # Pages need all keys anyway, so one query serves this check and the list.
    events = events_of(player, actor).only("pk")
    return (player, events) if own or len(events) else None


def is_self(actor: Actor, player: Player) -> bool:
    return actor.player is not None and actor.player.pk == player.pk


def events_of(player: Player, actor: Actor) -> QuerySet[Tournament]:
    """Return the player's events that the reader may see, latest first.

    These are public events, and events the reader plays at or helps to run. Sandboxes are excluded.
    Unlisted events are excluded because only people with the address may know of them.
    """
    is_visible = Q(visibility=Visibility.PUBLIC)
    if actor.user is not None or actor.player is not None:
        is_visible |= Q(pk__in=visibility.events_of_reader(actor).values("pk"))
    played = registrations_of_player(player).values("tournament")
    return Tournament.objects.filter(is_visible, practice_of=None, pk__in=played).order_by(
        "-starts_on", "-pk"
    )


def registrations_of_player(player: Player) -> QuerySet[Registration]:
    return Registration.objects.filter(player=player).exclude(NEVER_CAME).order_by()


def registrations_at(player: Player, events: Collection[int]) -> dict[int, Registration]:
    """Return the player's registration at each event, by event key, in one query.

    Each has its tournament, `came` (number of players who came) and `byes_had` in published rounds.
    """
    came = Registration.objects.filter(tournament=OuterRef("tournament")).exclude(NEVER_CAME)
    byes = Pairing.objects.filter(bye=OuterRef("pk")).exclude(round__state=RoundState.DRAFT)
    counted = Count("pk")
    rows = (
        registrations_of_player(player)
        .filter(tournament__in=events)
        .annotate(
            came=Subquery(came.order_by().values("tournament").values(number=counted)),
            byes_had=Coalesce(Subquery(byes.order_by().values("bye").values(number=counted)), 0),
        )
    )
    return {row.tournament_id: row for row in rows.select_related("tournament")}


@dataclass(frozen=True)
class EventResults:
    tables: dict[int, list[tuple[Points, Points]]]
    points: dict[int, Points]
    ranks: dict[int, int]
    cuts: Mapping[int, Cut | None]

    def place_in_cut(self, event: int, number: int) -> int | None:
        """Return the place in the cut: 0 while undecided, None if the player is not in the cut."""
        cut = self.cuts.get(event)
        if cut is None or number not in cut.registrations:
            return None
        placed = [entrant.id for entrant in cut.state.placings]
        return placed.index(number) + 1 if number in placed else 0


def results_at(player: Player, events: Collection[Tournament]) -> EventResults:
    keys = [event.pk for event in events]
    ranks, points = _standings(player, keys)
    return EventResults(
        tables=_settled_tables(player, keys),
        points=points,
        ranks=ranks,
        cuts=rounds_cut.public_cuts(events),
    )


def _settled_tables(
    player: Player, events: Collection[int]
) -> dict[int, list[tuple[Points, Points]]]:
    """Return (own points, opponent's points) of settled two-player tables in published rounds."""
    shown = Pairing.objects.filter(
        round__stage__tournament__in=events, match__state__in=SETTLED_STATES
    )
    shown = shown.exclude(round__state=RoundState.DRAFT).order_by()
    opponents = Seat.objects.filter(match=OuterRef("match")).exclude(player=player).order_by()
    own_seats = Seat.objects.filter(player=player, match__in=shown.values("match")).order_by()
    rows = own_seats.annotate(
        event=Subquery(
            shown.filter(match=OuterRef("match")).values("round__stage__tournament")[:1]
        ),
        opponents=Subquery(opponents.values("match").annotate(number=Count("pk")).values("number")),
        opponent_points=Subquery(opponents.values("points")[:1]),
    )
    tables: dict[int, list[tuple[Points, Points]]] = defaultdict(list)
    rows = rows.filter(opponents=1)
    for event, own, opponent in rows.values_list("event", "points", "opponent_points"):
        tables[event].append((own or 0, opponent or 0))
    return tables


def _standings(player: Player, events: Collection[int]) -> tuple[dict[int, int], dict[int, Points]]:
    """Return rank and points by event; events whose standings are being recomputed are left out."""
    in_force = Tournament.objects.filter(
        pk__in=Tournament.objects.with_current_standings(events)
    ).newest_snapshots()
    rows = Standing.objects.filter(snapshot__in=in_force, registration__player=player)
    ranks, points = {}, {}
    for event, rank, own in rows.values_list("snapshot__tournament", "rank", "match_points"):
        ranks[event], points[event] = rank, own
    return ranks, points


def decks_of(
    player: Player, events: Collection[int], *, own: bool
) -> tuple[QuerySet[DeckSubmission], QuerySet[StatedIdentity]]:
    """Return submitted decks and imported identities that are public; all of them if `own`.

    Decks have `is_open`, True if the decklist is public too. Rows have `faction`, the name of the
    identity's faction.
    """
    registrations = Registration.objects.filter(player=player, tournament__in=events)
    lists: QuerySet[Registration] = registrations.order_by()
    identities = lists
    if not own:
        lists = visibility.registrations_with_public_decks(events).filter(player=player)
        identities = visibility.registrations_with_public_identities(events).filter(player=player)
    is_open = Q(registration__in=lists.values("pk"))
    decks = (
        DeckSubmission.objects.filter(is_open | Q(registration__in=identities.values("pk")))
        .annotate(
            is_open=Case(When(is_open, then=True), default=False, output_field=BooleanField()),
            faction=_faction_name("version__identity"),
        )
        .select_related("version__identity")
    )
    stated = StatedIdentity.objects.filter(registration__in=identities.values("pk"))
    return (
        decks.order_by("side"),
        stated.annotate(faction=_faction_name("card")).select_related("card").order_by("side"),
    )


def _faction_name(card: str) -> Subquery:
    known = CardFaction.objects.filter(
        game=OuterRef(f"{card}__game"), faction_id=OuterRef(f"{card}__faction")
    )
    return Subquery(known.values("name")[:1])


def nameable_players(players: Collection[int], wanted: str) -> dict[int, Player]:
    """Return the players that pages across events may name, by key, with `wanted` in their name.

    The search uses the public name, so the event name of a player who hides it finds nothing.
    """
    found = Player.objects.filter(hides_history=False, erased_at=None, pk__in=players)
    key = comparison_key(wanted.strip())
    return {
        player.pk: player
        for player in found
        if not key or key in comparison_key(player.public_name)
    }


def records_by_name(wanted: str) -> QuerySet[Player]:
    """Find records by part of their name, with their number of `events`. For administrators."""
    key = comparison_key(wanted.strip())
    records = Player.objects.filter(erased_at=None, merged_into=None, name_key__contains=key)
    places = Registration.objects.filter(player=OuterRef("pk")).order_by().values("player")
    number = Subquery(places.annotate(number=Count("pk")).values("number"))
    return records.annotate(events=Coalesce(number, 0)).select_related("user")


def merges_into(player: Player) -> QuerySet[PlayerMerge]:
    merges = PlayerMerge.objects.filter(kept=player, undone_at=None)
    return merges.select_related("kept", "merged")


def all_merges() -> QuerySet[PlayerMerge]:
    return PlayerMerge.objects.select_related("kept", "merged", "user")


def events_of_guest(guest: Player) -> list[Tournament]:
    events = Tournament.objects.filter(registrations__player=guest, practice_of=None)
    return list(events.order_by("-starts_on", "-pk"))
