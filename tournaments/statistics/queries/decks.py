"""Counts of identities and cards that the public can see."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce

from decks.models import Card, CardFaction, Side
from matches.scoring import Role
from players.models import Player
from tournaments.event import visibility
from tournaments.models import DeckSubmission, DroppedBy, Pairing, Registration, StatedIdentity
from tournaments.statistics.queries.games import WINNING_SIDE, games_of
from tournaments.statistics.queries.scope import Scope, events_with_cut, in_cut, who_played
from tournaments.statistics.rules import tallies
from tournaments.statistics.rules.tallies import CardUse, Entry, Meeting

NOT_PLAYED = [end.value for end in tallies.NOT_PLAYED]
STATED_TITLE = Coalesce("card__title", "title")


# The identity by (event, player, side).
Titles = dict[tuple[int, int, str], str]


def meetings(scope: Scope) -> list[Meeting]:
    """Count games by the identities of both players; unplayed and undecided games are left out.

    A match has no reference to its event, and a subquery per side of each game took a hundred times
    as long. All rows are therefore read once; `figures` caches the result.
    """
    titles = identities_seen(scope.with_decks).titles()
    played = games_of({event for event, *_ in titles})
    games = played.exclude(winner=None).exclude(end__in=NOT_PLAYED)
    rows = games.annotate(side=WINNING_SIDE).values_list(
        "match", "corp__seat__player", "runner__seat__player", "side"
    )
    tables = Pairing.objects.filter(match__in=games.values("match")).order_by()
    event_of = dict(tables.values_list("match", "round__stage__tournament"))
    met: Counter[tuple[str, str, str]] = Counter()
    for match, corp, runner, side in rows.iterator():
        event = event_of[match]
        corps = titles.get((event, corp, Side.CORP), "")
        met[corps, titles.get((event, runner, Side.RUNNER), ""), side] += 1
    return [
        Meeting(corp, runner, Role(side), count)
        for (corp, runner, side), count in sorted(met.items())
    ]


@dataclass(frozen=True)
class Identities:
    """Identities that may be counted: of submitted decks, and of imported files."""

    decks: QuerySet[DeckSubmission]
    stated: QuerySet[StatedIdentity]

    def titles(self) -> Titles:
        """Return the identities played; a deck takes precedence over a file. A single query."""
        columns = ("registration__tournament", "registration__player", "side", "named", "is_deck")
        stated = self.stated.annotate(named=STATED_TITLE, is_deck=Value(0))
        decks = self.decks.annotate(named=F("version__identity__title"), is_deck=Value(1))
        rows = stated.values_list(*columns).union(decks.values_list(*columns), all=True)
        titles: Titles = {}
        for event, player, side, name, is_deck in rows:
            key = (event, player, side)
            if is_deck or key not in titles:
                titles[key] = name
        return titles


def identities_seen(events: Collection[int]) -> Identities:
    """Return the identities that the public sees in these events."""
    return _identities_at(visibility.places_with_open_identities(events))


def identities_of(player: Player, events: Collection[int]) -> Identities:
    """Return all identities of this player, for the player's own page."""
    return _identities_at(Registration.objects.filter(tournament__in=events, player=player))


def _identities_at(places: QuerySet[Registration]) -> Identities:
    keys = places.order_by().values("pk")
    decks = DeckSubmission.objects.filter(registration__in=keys)
    stated = StatedIdentity.objects.filter(registration__in=keys)
    return Identities(decks.exclude(version__identity=None).order_by(), stated.order_by())


def entries(scope: Scope) -> Iterable[Entry]:
    seen, places = identities_seen(scope.with_decks), who_played(scope.with_decks)
    with_cut, going_on = events_with_cut(scope.with_decks), in_cut(scope.with_decks)
    for side in Side:
        deck = seen.decks.filter(side=side, registration=OuterRef("pk"))
        stated = seen.stated.filter(side=side, registration=OuterRef("pk"))
        rows = (
            places.annotate(
                identity=Coalesce(
                    Subquery(deck.values("version__identity__title")[:1]),
                    Subquery(stated.values(shown=STATED_TITLE)[:1]),
                ),
                had_cut=_is_in("tournament", with_cut),
                made_cut=_is_in("pk", going_on),
            )
            .exclude(identity=None)
            .values_list("identity", "had_cut", "made_cut")
            .annotate(players=Count("pk"))
        )
        for row in rows.order_by("identity", "had_cut", "made_cut"):
            yield Entry(side.value, *row)


def _is_in(field: str, found: QuerySet[Any, Any]) -> Case:
    return Case(When(Q(**{f"{field}__in": found}), then=Value(True)), default=Value(False))


def _open_lists(scope: Scope) -> QuerySet[DeckSubmission]:
    """Return the decklists of actual players that the public can read."""
    places = visibility.places_with_open_decks(scope.with_decks)
    found = DeckSubmission.objects.filter(registration__in=places.values("pk")).order_by()
    return found.exclude(registration__dropped_by=DroppedBy.ABSENT)


def open_decks(scope: Scope) -> Mapping[str, int]:
    return dict(_open_lists(scope).values_list("side").annotate(Count("pk")))


def cards(scope: Scope) -> Iterable[CardUse]:
    slots = _open_lists(scope).exclude(version__slots=None)
    rows = slots.values_list("side", "version__slots__card__title").annotate(
        decks=Count("pk", distinct=True), copies=Sum("version__slots__quantity")
    )
    for row in rows.order_by("side", "-decks", "-copies", "version__slots__card__title"):
        yield CardUse(*row)


def factions(game: str, titles: Collection[str]) -> Mapping[str, str]:
    """Return the faction name of each identity; unknown cards are left out."""
    if not titles:
        return {}
    known = CardFaction.objects.filter(game=game, faction_id=OuterRef("faction"))
    cards = Card.objects.filter(game=game, title__in=titles).order_by()
    named = cards.annotate(name=Subquery(known.values("name")[:1])).exclude(name=None)
    return dict(named.values_list("title", "name"))
