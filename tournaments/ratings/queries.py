"""Queries for rated events, their games and the stored ratings."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, TypeAlias

from django.db.models import Exists, Min, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from core.text import sort_key
from decks import games
from matches.models import SETTLED_STATES, Game, GameSeat, Seat
from matches.scoring.results import Flag, GameEnd
from matches.scoring.rules import ranks, scoring_rule
from players import queries as player_queries
from players.models import Player
from tournaments.models import (
    Absence,
    Pairing,
    RatedEvent,
    Rating,
    RatingRun,
    Registration,
    RoundState,
    Tournament,
    Visibility,
)
from tournaments.ratings import rules
from tournaments.ratings.rules import PODS, TWO, RatedDay, RatedGame, RatingMethod, Strength

# Dates of an event; games count on the latest, like Tournament.last_day.
DATE_FIELDS = ("starts_on", "ends_on", "day_two_on")
# Tournament.last_day in SQL.
LAST_DAY = Greatest("starts_on", *(Coalesce(day, "starts_on") for day in DATE_FIELDS[1:]))
# Maximum length of a searched name.
LONGEST_NAME = 80
# Keys of matches, for a subquery.
MatchKeys: TypeAlias = QuerySet[Pairing, Any]


def rating_method(game: str) -> RatingMethod:
    return TWO if is_for_two(game) else PODS


def is_for_two(game: str) -> bool:
    return scoring_rule(games.GAMES[game].scoring_rules[0]).has_roles


def rated_events(game: str) -> QuerySet[Tournament]:
    """Return events whose games count: public, finished, rated, no practice; also imports."""
    return Tournament.objects.filter(
        game=game,
        rated=True,
        finished_at__isnull=False,
        visibility=Visibility.PUBLIC,
        practice_of=None,
    )


@dataclass(frozen=True, slots=True)
class _RatedTable:
    day: date
    event: int
    rule: str
    flags: Collection[str]


def first_day_to_compute(game: str) -> date | None:
    """Return the day to continue from: None if up to date, date.min for all days."""
    first = _first_changed_day(game)
    # Games of erased players count, but erased players have no stored rating to continue from.
    if first and players_since(game, first).exclude(erased_at=None).exists():
        return date.min
    return first


def _first_changed_day(game: str) -> date | None:
    events = rated_events(game).annotate(day=LAST_DAY)
    rated = RatedEvent.objects.filter(game=game)
    as_rated = {"day": OuterRef("day"), "version": OuterRef("version")}
    unrated = events.filter(~Exists(rated.filter(event=OuterRef("pk"), **as_rated)))
    outdated = rated.filter(~Exists(events.filter(pk=OuterRef("event"), **as_rated)))
    days: list[date | None] = [
        unrated.aggregate(first=Min("day"))["first"],
        outdated.aggregate(first=Min("day"))["first"],
    ]
    return min(filter(None, days), default=None)


def versions_of_events_since(game: str, since: date) -> dict[int, tuple[date, int]]:
    """Return day and version of each rated event from this day on, by id."""
    # An event that was moved from an earlier day during the run is left to the next run.
    earlier = RatedEvent.objects.filter(game=game, event=OuterRef("pk"), day__lt=since)
    events = rated_events(game).annotate(day=LAST_DAY).filter(~Exists(earlier), day__gte=since)
    return {pk: (day, version) for pk, day, version in events.values_list("pk", "day", "version")}


def players_since(game: str, since: date) -> QuerySet[Player]:
    seats = Seat.objects.filter(match__in=_match_keys(_tables_since(game, since)))
    return Player.objects.filter(pk__in=seats.values("player"))


def rated_days_before(game: str, day: date) -> dict[int, RatedDay]:
    """Return the newest row before this day for each player who plays from that day on."""
    later = Rating.objects.filter(
        game=game, player=OuterRef("player"), day__gt=OuterRef("day"), day__lt=day
    )
    rows = Rating.objects.filter(~Exists(later), game=game, day__lt=day)
    return {
        row.player_id: RatedDay(row.player_id, row.day, strength_of(row), row.games, row.events)
        for row in rows.filter(player__in=players_since(game, day)).order_by()
    }


def strength_of(row: Rating) -> Strength:
    return Strength(row.value, row.deviation, row.volatility)


def rated_games(game: str, since: date = date.min) -> Iterator[RatedGame]:
    """Yield every game that counts from this day on, unordered; four queries."""
    tables = _tables_since(game, since)
    by_match = _rated_tables(tables)
    keys = _match_keys(tables)
    return _games_of_two(by_match, keys) if is_for_two(game) else _games_of_pods(by_match, keys)


def _tables_since(game: str, since: date) -> QuerySet[Pairing]:
    events = rated_events(game).annotate(day=LAST_DAY).filter(day__gte=since)
    return Pairing.objects.filter(
        round__stage__tournament__in=events.values("pk"),
        round__state=RoundState.CLOSED,
        match__state__in=SETTLED_STATES,
    )


def _match_keys(tables: QuerySet[Pairing]) -> MatchKeys:
    return tables.order_by().values("match")


def _rated_tables(tables: QuerySet[Pairing]) -> dict[int, _RatedTable]:
    event = "round__stage__tournament"
    rows = tables.order_by().values_list(
        *("match", event, *(f"{event}__{day}" for day in DATE_FIELDS)),
        *("match__scoring_rule", "match__flags"),
    )
    return {
        match: _RatedTable(max(filter(None, days)), event, rule, flags)
        for match, event, *days, rule, flags in rows
    }


def _games_of_two(tables: Mapping[int, _RatedTable], keys: MatchKeys) -> Iterator[RatedGame]:
    seats: dict[int, dict[int, int]] = defaultdict(dict)
    totals: dict[int, dict[int, int | None]] = defaultdict(dict)
    rows = Seat.objects.filter(match__in=keys).order_by()
    for match, position, player, total in rows.values_list(
        "match", "position", "player", "typed_points"
    ):
        seats[match][position], totals[match][position] = player, total
    ended: dict[int, list[rules.GameEnding]] = defaultdict(list)
    of_games = Game.objects.filter(match__in=keys).exclude(end="").order_by()
    for match, end, winner in of_games.values_list("match", "end", "winner__position"):
        ended[match].append((GameEnd(end), winner))
    for match, table in tables.items():
        typed = [total for _, total in sorted(totals[match].items()) if total is not None]
        flags, most = frozenset(map(Flag, table.flags)), scoring_rule(table.rule).games_per_match
        players = tuple(player for _, player in sorted(seats[match].items()))
        if len(players) == len(rules.DRAWN_PLACES):
            for places in rules.places_in_games(ended[match], typed, flags, most):
                yield RatedGame(table.day, table.event, players, places)


def _games_of_pods(tables: Mapping[int, _RatedTable], keys: MatchKeys) -> Iterator[RatedGame]:
    counted_out = Absence.objects.filter(pairing__match__in=keys, applied_at__isnull=False)
    absent = set(counted_out.values_list("pairing__match", "registration__player"))
    played: dict[int, dict[int, int]] = defaultdict(dict)
    rows = GameSeat.objects.filter(game__match__in=keys, victory_points__isnull=False).order_by()
    for match, player, points in rows.values_list("game__match", "seat__player", "victory_points"):
        if points is not None and (match, player) not in absent:
            played[match][player] = points
    for match, table in tables.items():
        points_of = played[match]
        if len(points_of) > 1:
            places = tuple(ranks(list(points_of.values())))
            yield RatedGame(table.day, table.event, tuple(points_of), places)


def listed_ratings(game: str) -> QuerySet[Rating]:
    """Return the ratings in the list, strongest first.

    Players are left out if they have too few games or no game in the last year. Players who hide
    their history or were erased are also left out.
    """
    since = timezone.localdate() - timedelta(rules.LISTED_DAYS)
    enough = Rating.objects.filter(games__gte=rating_method(game).least_games, day__gte=since)
    rows = enough.filter(game=game, is_current=True, player__in=player_queries.listable_players())
    return rows.select_related("player").order_by("-value", "player")


def listed_values(game: str) -> list[float]:
    """Return the ratings of the whole list, lowest first, from which places are computed."""
    return sorted(listed_ratings(game).order_by().values_list("value", flat=True))


def filter_by_name(rows: QuerySet[Rating], name: str) -> QuerySet[Rating]:
    key = sort_key(name.strip())
    if not key:
        return rows
    by_own = Q(player__shown_name="", player__sort_key__contains=key)
    shown = player_queries.find_by_shown_name(lambda shown: key in sort_key(shown))
    return rows.filter(by_own | Q(player__in=shown))


def ratings_over_time(player: Player, game: str) -> QuerySet[Rating]:
    return Rating.objects.filter(player=player, game=game).order_by("day")


def games_with_rating(player: Player) -> list[str]:
    rated = set(Rating.objects.filter(player=player).values_list("game", flat=True))
    return [id_ for id_ in games.GAMES if id_ in rated]


def rated_events_of(player: Player, game: str) -> list[Tournament]:
    mine = Registration.objects.filter(player=player).values("tournament")
    events = rated_events(game).filter(pk__in=mine).only("name", "slug", *DATE_FIELDS)
    return list(events.order_by("starts_on", "pk"))


def latest_run(game: str) -> RatingRun:
    """Return the latest rating run of a game, or an unsaved row if there was none."""
    return RatingRun.objects.filter(game=game).first() or RatingRun(game=game)


def current_ratings(tournament: Tournament) -> dict[int, float]:
    """Return the current ratings of this event's players, by number in the event."""
    places = dict(tournament.registrations.values_list("player", "number"))
    rows = Rating.objects.filter(game=tournament.game, is_current=True)
    values = rows.filter(player__in=tournament.registrations.values("player"))
    return {places[player]: value for player, value in values.values_list("player", "value")}


def players_with_visible_rating(reader: Player | None = None) -> QuerySet[Player]:
    """Return the players whose ratings this reader may see: listed players and the reader."""
    listed = player_queries.listable_players()
    return listed | Player.objects.filter(pk=reader.pk, erased_at=None) if reader else listed
