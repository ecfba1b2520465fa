"""A player across events: which events a reader may connect them with, and what they did there."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from core.text import comparison_key
from decks.models import CardFaction
from matches.models import SETTLED, Seat
from matches.scoring import Points
from players.models import Player
from tournaments.event import queries, visibility
from tournaments.event.actors import Actor
from tournaments.event.queries.registrations import NEVER_CAME
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
from tournaments.rounds import elimination
from tournaments.rounds.elimination import Cut


def player_for(actor: Actor, pk: int) -> Player | None:
    """The player whose page this person may open; None for none, whatever the reason.

    Whoever hides their history has a page for themselves alone, who was erased has none. There
    has to be an event the reader may know of: the address can be counted up.
    """
    player = Player.objects.filter(pk=pk, erased_at=None).select_related("merged_into").first()
    while player is not None and player.merged_into is not None:
        player = player.merged_into
    if player is None or player.erased_at is not None:
        return None
    if is_self(actor, player):
        return player
    if player.hides_history or not events_of(player, actor).exists():
        return None
    return player


def is_self(actor: Actor, player: Player) -> bool:
    """Whether this person is the player."""
    return actor.player is not None and actor.player.pk == player.pk


def events_of(player: Player, actor: Actor) -> QuerySet[Tournament]:
    """The events this player had a place at that the reader may know of, the latest first.

    Public ones, and what the reader plays at or helps to run; no sandbox is among them, and no
    unlisted event: only who has its address knows of it.
    """
    known = Q(visibility=Visibility.PUBLIC)
    if actor.user is not None or actor.player is not None:
        known |= Q(pk__in=visibility.events_of_reader(actor).values("pk"))
    mine = places_of(player).values("tournament")
    return Tournament.objects.filter(known, practice_of=None, pk__in=mine).order_by(
        "-starts_on", "-pk"
    )


def places_of(player: Player) -> QuerySet[Registration]:
    """Where the player had a place, and came."""
    return Registration.objects.filter(player=player).exclude(NEVER_CAME).order_by()


@dataclass(frozen=True)
class Played:
    """What a player did at some events, by the key of each."""

    tables: dict[int, list[tuple[Points, Points]]]
    byes: dict[int, int]
    points: dict[int, Points]
    ranks: dict[int, int]
    sizes: dict[int, int]
    cuts: Mapping[int, Cut | None]

    def place_in_cut(self, event: int, number: int) -> int | None:
        """Where the player with this number came in the cut; 0 while open, None not in it."""
        cut = self.cuts.get(event)
        if cut is None or number not in cut.registrations:
            return None
        placed = [one.id for one in cut.state.placings]
        return placed.index(number) + 1 if number in placed else 0


def played_at(player: Player, events: Collection[Tournament]) -> Played:
    """All of it in a constant number of queries."""
    keys = [event.pk for event in events]
    ranks, points = _standings(player, keys)
    return Played(
        tables=_tables(player, keys),
        byes=_byes(player, keys),
        points=points,
        ranks=ranks,
        sizes=_sizes(keys),
        cuts=elimination.public_cuts(events),
    )


def _tables(player: Player, events: Collection[int]) -> dict[int, list[tuple[Points, Points]]]:
    """Settled tables of two in rounds everybody sees."""
    shown = Pairing.objects.filter(round__stage__tournament__in=events, match__state__in=SETTLED)
    shown = shown.exclude(round__state=RoundState.DRAFT).order_by()
    others = Seat.objects.filter(match=OuterRef("match")).exclude(player=player).order_by()
    mine = Seat.objects.filter(player=player, match__in=shown.values("match")).order_by()
    rows = mine.annotate(
        event=Subquery(
            shown.filter(match=OuterRef("match")).values("round__stage__tournament")[:1]
        ),
        seats=Subquery(others.values("match").annotate(number=Count("pk")).values("number")),
        theirs=Subquery(others.values("points")[:1]),
    )
    found: dict[int, list[tuple[Points, Points]]] = defaultdict(list)
    for event, own, theirs in rows.filter(seats=1).values_list("event", "points", "theirs"):
        found[event].append((own or 0, theirs or 0))
    return found


def _byes(player: Player, events: Collection[int]) -> dict[int, int]:
    byes = Pairing.objects.filter(bye__player=player, round__stage__tournament__in=events)
    shown = byes.exclude(round__state=RoundState.DRAFT).order_by()
    rows = shown.values_list("round__stage__tournament").annotate(number=Count("pk"))
    return dict(rows)


def _standings(player: Player, events: Collection[int]) -> tuple[dict[int, int], dict[int, Points]]:
    """Rank and points in the standings in force."""
    in_force = queries.snapshots_of_events(events)
    rows = Standing.objects.filter(snapshot__in=in_force, registration__player=player)
    ranks, points = {}, {}
    for event, rank, own in rows.values_list("snapshot__tournament", "rank", "match_points"):
        ranks[event], points[event] = rank, own
    return ranks, points


def _sizes(events: Collection[int]) -> dict[int, int]:
    came = Registration.objects.filter(tournament__in=events).exclude(NEVER_CAME).order_by()
    return dict(came.values_list("tournament").annotate(number=Count("pk")))


def decks_of(
    player: Player, events: Collection[int], *, own: bool
) -> tuple[QuerySet[DeckSubmission], QuerySet[DeckSubmission], QuerySet[StatedIdentity]]:
    """The decks a passer-by reads, those whose identity they see, and identities from files.

    All of their own for the player themselves.
    """
    mine = Registration.objects.filter(player=player, tournament__in=events).order_by()
    lists = identities = mine
    if not own:
        lists = visibility.places_with_open_decks(events).filter(player=player)
        identities = visibility.places_with_open_identities(events).filter(player=player)
    decks = DeckSubmission.objects.select_related("version__identity").order_by("side")
    stated = StatedIdentity.objects.select_related("card").order_by("side")
    return (
        decks.filter(registration__in=lists.values("pk")),
        decks.filter(registration__in=identities.values("pk")),
        stated.filter(registration__in=identities.values("pk")),
    )


def faction_names() -> dict[tuple[str, str], str]:
    """The name of each faction of identities, by game and key."""
    rows = CardFaction.objects.order_by().values_list("game", "faction_id", "name")
    return {(game, key): name for game, key, name in rows}


def named(players: Collection[int], wanted: str = "") -> dict[int, Player]:
    """Those of the players, by key, that pages over several events may name; by name where asked.

    A letter of the name inside events finds nobody who shows another one.
    """
    found = Player.objects.filter(hides_history=False, erased_at=None).in_bulk(list(players))
    key = comparison_key(wanted.strip())
    return {
        pk: player
        for pk, player in found.items()
        if not key or key in comparison_key(player.public_name)
    }


def found_by_name(wanted: str) -> QuerySet[Player]:
    """Records whose name has these letters, with how many `events` each has; for administrators."""
    key = comparison_key(wanted.strip())
    records = Player.objects.filter(erased_at=None, merged_into=None, name_key__contains=key)
    places = Registration.objects.filter(player=OuterRef("pk")).order_by().values("player")
    number = Subquery(places.annotate(number=Count("pk")).values("number"))
    return records.annotate(events=Coalesce(number, 0)).select_related("user")


def merges_into(player: Player) -> QuerySet[PlayerMerge]:
    """The records that are part of this one now, the newest first."""
    made = PlayerMerge.objects.filter(kept=player, undone_at=None)
    return made.select_related("kept", "merged")


def merges() -> QuerySet[PlayerMerge]:
    """Every merge of the site, undone or not, the newest first."""
    return PlayerMerge.objects.select_related("kept", "merged", "user")


def events_of_guest(guest: Player) -> list[Tournament]:
    """What the record of a guest brings along, the latest first."""
    mine = Tournament.objects.filter(registrations__player=guest, practice_of=None)
    return list(mine.order_by("-starts_on", "-pk"))
