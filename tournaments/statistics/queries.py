"""Selection of the events, tables and players to count."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    FilteredRelation,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from core.model_fields import ExactField
from decks.games import DEFAULT, GAMES
from decks.models import Card, CardFaction, Side
from engine.systems import CUT_SYSTEMS
from matches import records as matches_records
from matches.models import SETTLED_STATES, Game, GameSeat, Seat
from matches.scoring.results import GameEnd, Role
from matches.scoring.rules import scoring_rule
from players.models import Player
from tournaments.event import visibility
from tournaments.models import (
    DeckSubmission,
    DroppedBy,
    Pairing,
    Registration,
    Round,
    RoundState,
    Stage,
    StageEntry,
    StatedIdentity,
    Tournament,
    Visibility,
)
from tournaments.models.event_lists import TournamentQuerySet
from tournaments.models.registrations import NEVER_CAME
from tournaments.statistics import tallies
from tournaments.statistics.tallies import (
    CardCount,
    CutCount,
    EndingCount,
    IdentityCount,
    MatchUpCount,
    OpponentCount,
    OwnGameCount,
    OwnTallies,
    PodSeatCount,
    RoundLengthCount,
    Tallies,
)

# Events counted within a request; more would take too long.
COUNTED_LIVE = 100


@dataclass(frozen=True)
class Scope:
    """The events to count, by key."""

    game: str
    # May be a subquery: a player with a thousand events does not need a thousand parameters.
    events: Collection[int]
    # Finished events: otherwise readers could compare two pages to learn a current player's deck.
    # The page of a single event counts its own decks, without small groups.
    with_decks: Collection[int]
    number: int
    hides_small: bool
    # The state of the events, as a key of the cache.
    mark: str
    # Events with counts to add up.
    stored: frozenset[int] = frozenset()
    # Number of events that changed since they were counted, so that older counts or none are used.
    late: int = 0
    # The age of the figures, if late events or totals make them older than the events.
    counted_at: datetime | None = None
    # Stored sums of further events.
    totals: QuerySet[Any] | None = None


class EventState(NamedTuple):
    key: int
    version: int
    finished_at: datetime | None
    # The state of the stored counts; None without counts.
    counted_version: int | None
    counted_until: datetime | None
    counted_at: datetime | None

    @property
    def has_counts(self) -> bool:
        return self.counted_version is not None and self.finished_at is not None

    def is_current(self, now: datetime) -> bool:
        has_expired = self.counted_until is not None and self.counted_until <= now
        return self.has_counts and self.counted_version == self.version and not has_expired


def scope_of(events: QuerySet[Tournament], game: str) -> Scope:
    """Select the events of this game; two queries.

    Several events use stored counts. Up to `COUNTED_LIVE` events without current counts are counted
    in the request. Of more, the older events retain their last figures or have none yet.
    """
    # By key: annotations of `events` would be computed again.
    chosen = Tournament.objects.filter(pk__in=events.values("pk"), game=game).order_by("pk")
    columns = ("tallies__version", "tallies__until", "tallies__counted_at")
    rows = chosen.values_list("pk", "version", "finished_at", *columns)
    states = [EventState(*row) for row in rows]
    is_one_evening = len(states) == 1 and states[0].finished_at is None
    now = timezone.now()
    current = [event for event in states if event.is_current(now)] if len(states) > 1 else []
    known = {event.key for event in current}
    late = [event for event in states if event.key not in known][:-COUNTED_LIVE]
    stored = [*current, *(event for event in late if event.has_counts)]
    uncounted = {event.key for event in late if not event.has_counts}
    counted = [event for event in states if event.key not in uncounted]
    keys = [event.key for event in counted]
    over = [event.key for event in counted if event.finished_at is not None]
    moments = _passed_publication_times(chosen.order_by().values("pk"))
    versions = [state[:3] for state in states]
    last_figures = [(event.key, event.counted_at) for event in late]
    moments_counted = [event.counted_at for event in stored if late and event.counted_at]
    return Scope(
        game=game,
        events=keys,
        with_decks=keys if is_one_evening else over,
        number=len(keys),
        hides_small=is_one_evening,
        mark=repr((game, versions, moments, last_figures)),
        stored=frozenset(event.key for event in stored),
        late=len(late),
        counted_at=max(moments_counted, default=None),
    )


def scopes_by_game(events: QuerySet[Tournament]) -> list[Scope]:
    """Return a scope for each game of these events, most played first; a single query.

    The events stay a subquery. Without a mark the figures cannot be cached.
    """
    rows = events.order_by().values_list("game")
    counted = rows.annotate(number=Count("pk"), over=Count("finished_at"))
    return [_scope_of_game(events, *row) for row in counted.order_by("-number", "game")]


def _scope_of_game(events: QuerySet[Tournament], game: str, number: int, over: int) -> Scope:
    keys: Any = events.filter(game=game).order_by().values("pk")
    is_one_evening = number == 1 and not over
    return Scope(
        game=game,
        events=keys,
        with_decks=keys if is_one_evening else keys.filter(finished_at__isnull=False),
        number=number,
        hides_small=is_one_evening,
        mark="",
    )


def _passed_publication_times(events: QuerySet[Any, Any]) -> int:
    stages = Stage.objects.filter(tournament__in=events)
    return stages.filter(decks_shown_at__lte=timezone.now()).count()


def finished_public_events() -> TournamentQuerySet:
    """Return the events of the site-wide page: finished and public."""
    public = Tournament.objects.filter(visibility=Visibility.PUBLIC, practice_of=None)
    return public.filter(finished_at__isnull=False).order_by()


def event_counts_by_game(events: QuerySet[Tournament]) -> dict[str, int]:
    chosen = Tournament.objects.filter(pk__in=events.values("pk")).order_by()
    rows = chosen.values_list("game").annotate(events=Count("pk"))
    return dict(rows.order_by("-events", "game"))


def usual_game(by_game: dict[str, int]) -> str:
    """Return the first game of `event_counts_by_game`; the default game if there are no events."""
    return next(iter(by_game), DEFAULT.id)


def settled_tables(events: Collection[int]) -> QuerySet[Pairing]:
    tables = Pairing.objects.filter(
        round__stage__tournament__in=events, match__state__in=SETTLED_STATES
    ).exclude(round__state=RoundState.DRAFT)
    return tables.order_by()


def registrations_that_played(events: Collection[int]) -> QuerySet[Registration]:
    return Registration.objects.filter(tournament__in=events).exclude(NEVER_CAME).order_by()


def events_with_cut(events: Collection[int]) -> QuerySet[Any, Any]:
    rounds = Round.objects.filter(stage__tournament__in=events, stage__system__in=CUT_SYSTEMS)
    return rounds.exclude(state=RoundState.DRAFT).order_by().values("stage__tournament")


def registrations_in_cut(events: Collection[int]) -> QuerySet[Any, Any]:
    entries = StageEntry.objects.filter(
        stage__tournament__in=events_with_cut(events), stage__system__in=CUT_SYSTEMS, declined=False
    )
    return entries.order_by().values("registration")


# Counts of games, rounds and cuts.


# In minutes. The clock of a shorter round was started after the results were in.
SHORTEST_ROUND_MINUTES = 5
# In minutes. A longer round was not closed in time.
LONGEST_ROUND_MINUTES = 12 * 60


def play_count(scope: Scope) -> tallies.PlayCount:
    players = registrations_that_played(scope.events).aggregate(
        entries=Count("pk"), players=Count("player", distinct=True)
    )
    tables = settled_tables(scope.events)
    ended = Game.objects.filter(match=OuterRef("match")).exclude(end="")
    seated = GameSeat.objects.filter(game__match=OuterRef("match"), points__isnull=False)
    known = tables.annotate(is_known=Exists(ended) | Exists(seated))
    matches = known.aggregate(matches=Count("pk"), untold=Count("pk", filter=Q(is_known=False)))
    games = finished_games(scope.events).count()
    return tallies.PlayCount(scope.number, games=games, **players, **matches)


def finished_games(events: Collection[int]) -> QuerySet[Game]:
    """Return the games with a known result; `corp` and `runner` are their seats."""
    known = Game.objects.filter(match__in=settled_tables(events).values("match")).exclude(end="")
    return known.order_by().annotate(
        corp=FilteredRelation("seats", condition=Q(seats__role=Role.CORP)),
        runner=FilteredRelation("seats", condition=Q(seats__role=Role.RUNNER)),
    )


WINNING_SIDE = Case(
    When(winner=None, then=Value("")),
    When(winner=F("corp__seat"), then=Value(Role.CORP.value)),
    default=Value(Role.RUNNER.value),
    output_field=CharField(),
)


def ending_counts(scope: Scope) -> Iterable[EndingCount]:
    games = (
        finished_games(scope.events).values("end", side=WINNING_SIDE).annotate(games=Count("pk"))
    )
    for row in games.order_by("end", "side"):
        yield EndingCount(
            GameEnd(row["end"]), Role(row["side"]) if row["side"] else None, row["games"]
        )


def cut_count(scope: Scope) -> CutCount:
    of_cuts = registrations_that_played(scope.events).filter(
        tournament__in=events_with_cut(scope.events)
    )
    counts = of_cuts.aggregate(
        players=Count("pk"), in_cut=Count("pk", filter=Q(pk__in=registrations_in_cut(scope.events)))
    )
    return CutCount(**counts)


def pod_seat_counts(scope: Scope, player: Player | None = None) -> Iterable[PodSeatCount]:
    matches = settled_tables(scope.events).values("match")
    seats = GameSeat.objects.filter(game__match__in=matches, points__isnull=False, role="")
    if player is not None:
        seats = seats.filter(seat__player=player)
    better = GameSeat.objects.filter(
        game=OuterRef("game"), victory_points__gt=OuterRef("victory_points")
    )
    named = ("faction", "seat__position", "was_first")
    rows = (
        seats.annotate(was_first=~Exists(better))
        .values(*named)
        .annotate(seats=Count("pk"), sum=Sum("points", output_field=ExactField()))
    )
    for row in rows.order_by(*named):
        place = (row["faction"], row["seat__position"], row["was_first"])
        yield PodSeatCount(*place, row["seats"], Fraction(row["sum"]))


def round_length_counts(scope: Scope) -> Iterable[RoundLengthCount]:
    """Yield the lengths of closed rounds: from clock start to last result, without pauses."""
    closed = Round.objects.filter(
        stage__tournament__in=scope.events, state=RoundState.CLOSED, started_at__isnull=False
    )
    rows = closed.order_by("number", "pk").annotate(last=Max("pairings__match__settled_at"))
    columns = ("number", "started_at", "last", "closed_at", "paused_seconds")
    for number, started, last, closed_at, paused in rows.values_list(*columns):
        # A later correction of a result does not extend the round.
        ends = [moment for moment in (last, closed_at) if moment is not None]
        if ends:
            length = (min(ends) - started - timedelta(seconds=paused)) // timedelta(minutes=1)
            if SHORTEST_ROUND_MINUTES <= length <= LONGEST_ROUND_MINUTES:
                yield RoundLengthCount(number, length)


# Counts of identities and cards that the public can see.


NOT_PLAYED_VALUES = [end.value for end in tallies.NOT_PLAYED]
STATED_TITLE = Coalesce("card__title", "title")


# The identity by (event, player, side).
IdentityTitles = dict[tuple[int, int, str], str]


def match_up_counts(scope: Scope) -> list[MatchUpCount]:
    """Count games by the identities of both players; unplayed and undecided games are left out."""
    # A match has no reference to its event, and a subquery per side of each game took a hundred
    # times as long. All rows are therefore read once.
    titles = public_identities(scope.with_decks).titles()
    played = finished_games({event for event, *_ in titles})
    games = played.exclude(winner=None).exclude(end__in=NOT_PLAYED_VALUES)
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
        MatchUpCount(corp, runner, Role(side), count)
        for (corp, runner, side), count in sorted(met.items())
    ]


@dataclass(frozen=True)
class CountableIdentities:
    """Identities that may be counted: of submitted decks, and of imported files."""

    decks: QuerySet[DeckSubmission]
    stated: QuerySet[StatedIdentity]

    def titles(self) -> IdentityTitles:
        """Return the identities played; a deck takes precedence over a file. A single query."""
        columns = ("registration__tournament", "registration__player", "side", "named", "is_deck")
        stated = self.stated.annotate(named=STATED_TITLE, is_deck=Value(0))
        decks = self.decks.annotate(named=F("version__identity__title"), is_deck=Value(1))
        rows = stated.values_list(*columns).union(decks.values_list(*columns), all=True)
        titles: IdentityTitles = {}
        for event, player, side, name, is_deck in rows:
            key = (event, player, side)
            if is_deck or key not in titles:
                titles[key] = name
        return titles


def public_identities(events: Collection[int]) -> CountableIdentities:
    return _identities_of_registrations(visibility.registrations_with_public_identities(events))


def identities_of_player(player: Player, events: Collection[int]) -> CountableIdentities:
    return _identities_of_registrations(
        Registration.objects.filter(tournament__in=events, player=player)
    )


def _identities_of_registrations(places: QuerySet[Registration]) -> CountableIdentities:
    keys = places.order_by().values("pk")
    decks = DeckSubmission.objects.filter(registration__in=keys)
    stated = StatedIdentity.objects.filter(registration__in=keys)
    return CountableIdentities(decks.exclude(version__identity=None).order_by(), stated.order_by())


def identity_counts(scope: Scope) -> Iterable[IdentityCount]:
    events = scope.with_decks
    public, played = public_identities(events), registrations_that_played(events)
    with_cut, in_cut = events_with_cut(events), registrations_in_cut(events)
    for side in Side:
        deck = public.decks.filter(side=side, registration=OuterRef("pk"))
        stated = public.stated.filter(side=side, registration=OuterRef("pk"))
        rows = (
            played.annotate(
                identity=Coalesce(
                    Subquery(deck.values("version__identity__title")[:1]),
                    Subquery(stated.values(shown=STATED_TITLE)[:1]),
                ),
                had_cut=_case_in("tournament", with_cut),
                made_cut=_case_in("pk", in_cut),
            )
            .exclude(identity=None)
            .values_list("identity", "had_cut", "made_cut")
            .annotate(players=Count("pk"))
        )
        for row in rows.order_by("identity", "had_cut", "made_cut"):
            yield IdentityCount(side.value, *row)


def _case_in(field: str, keys: QuerySet[Any, Any]) -> Case:
    return Case(When(Q(**{f"{field}__in": keys}), then=Value(True)), default=Value(False))


def _public_decklists(scope: Scope) -> QuerySet[DeckSubmission]:
    """Return the decklists of actual players that the public can read."""
    places = visibility.registrations_with_public_decks(scope.with_decks)
    decks = DeckSubmission.objects.filter(registration__in=places.values("pk")).order_by()
    return decks.exclude(registration__dropped_by=DroppedBy.ABSENT)


def public_deck_counts(scope: Scope) -> Mapping[str, int]:
    return dict(_public_decklists(scope).values_list("side").annotate(Count("pk")))


def card_counts(scope: Scope) -> Iterable[CardCount]:
    slots = _public_decklists(scope).exclude(version__slots=None)
    rows = slots.values_list("side", "version__slots__card__title").annotate(
        decks=Count("pk", distinct=True), copies=Sum("version__slots__quantity")
    )
    for row in rows.order_by("side", "-decks", "-copies", "version__slots__card__title"):
        yield CardCount(*row)


def faction_names(game: str, titles: Collection[str]) -> Mapping[str, str]:
    """Return the faction name of each identity; unknown cards are left out."""
    if not titles:
        return {}
    known = CardFaction.objects.filter(game=game, faction_id=OuterRef("faction"))
    cards = Card.objects.filter(game=game, title__in=titles).order_by()
    named = cards.annotate(name=Subquery(known.values("name")[:1])).exclude(name=None)
    return dict(named.values_list("title", "name"))


def pod_faction_names() -> Mapping[str, str]:
    return {id_: faction.name for id_, faction in matches_records.factions_by_id().items()}


# All counts of a set of events, depending on the kind of game.


def has_sides(game: str) -> bool:
    return scoring_rule(GAMES[game].scoring_rules[0]).has_roles


def count_scope(scope: Scope) -> Tallies:
    """Count the games of the scope by side, or by seat for tables of more than two players."""
    return _count_by_side(scope) if has_sides(scope.game) else _count_by_seat(scope)


def _count_by_side(scope: Scope) -> Tallies:
    entries = list(identity_counts(scope))
    titles = {entry.identity for entry in entries}
    cards = list(card_counts(scope))
    return Tallies(
        count=play_count(scope),
        endings=list(ending_counts(scope)),
        meetings=match_up_counts(scope) if titles else [],
        entries=entries,
        cards=cards,
        decks=public_deck_counts(scope) if cards else {},
        rounds=list(round_length_counts(scope)),
        cut=cut_count(scope),
        factions=faction_names(scope.game, titles),
        hides_small=scope.hides_small,
    )


def _count_by_seat(scope: Scope) -> Tallies:
    return Tallies(
        count=play_count(scope),
        factions=pod_faction_names(),
        sittings=list(pod_seat_counts(scope)),
        rounds=list(round_length_counts(scope)),
        cut=cut_count(scope),
        hides_small=scope.hides_small,
    )


# Counts of a player's games in a set of events.


def opponent_counts(player: Player, scope: Scope) -> list[OpponentCount]:
    """Return opponents at settled tables with results by match points, most frequent first."""
    seats = Seat.objects.filter(
        player=player, match__in=settled_tables(scope.events).values("match")
    ).order_by()
    own = seats.filter(match=OuterRef("match")).values("points")[:1]
    opponents = Seat.objects.filter(match__in=seats.values("match")).exclude(player=player)
    rows = (
        opponents.order_by()
        .annotate(own=Subquery(own))
        .values_list("player", "player__name")
        .annotate(
            tables=Count("pk"),
            won=Count("pk", filter=Q(points__lt=F("own"))),
            drawn=Count("pk", filter=Q(points=F("own"))),
            lost=Count("pk", filter=Q(points__gt=F("own"))),
        )
    )
    ordered = rows.order_by("-tables", "player__sort_key", "player")
    return [OpponentCount(*row) for row in ordered]


def player_tallies(player: Player, scope: Scope, *, own: bool) -> OwnTallies:
    """Count everything about this player in games between Corp and Runner.

    Identities count where the public sees them and the event is over. With `own` all of the
    player's identities count.
    """
    titles = _titles_at_tables(player, scope)
    if own:
        titles.update(identities_of_player(player, scope.events).titles())
    cuts = _player_cuts(player, scope)
    return OwnTallies(
        games=_player_game_counts(player, scope, titles),
        entries=_player_identity_counts(player, cuts, titles),
        cut=_count_cuts(cuts),
        factions=faction_names(scope.game, set(titles.values())),
    )


def player_cut_count(player: Player, scope: Scope) -> CutCount:
    return _count_cuts(_player_cuts(player, scope))


def _titles_at_tables(player: Player, scope: Scope) -> IdentityTitles:
    """Return the publicly visible identities of the player and their opponents."""
    # During an event, a single player would be the smallest possible group.
    events = () if scope.hides_small else scope.with_decks
    tables = Seat.objects.filter(match__in=settled_tables(events).values("match"), player=player)
    sat = Seat.objects.filter(match__in=tables.order_by().values("match")).order_by()
    public, players = public_identities(events), sat.values("player")
    at_tables = Q(registration__player=player) | Q(registration__player__in=players)
    return CountableIdentities(
        public.decks.filter(at_tables), public.stated.filter(at_tables)
    ).titles()


def _player_game_counts(player: Player, scope: Scope, titles: IdentityTitles) -> list[OwnGameCount]:
    tables = settled_tables(scope.events).filter(match=OuterRef("game__match"))
    opposite = GameSeat.objects.filter(game=OuterRef("game")).exclude(pk=OuterRef("pk"))
    own = GameSeat.objects.filter(seat__player=player, role__in=list(Role)).order_by()
    rows = own.exclude(game__end="").annotate(
        event=Subquery(tables.values("round__stage__tournament")[:1]),
        opponent=Subquery(opposite.order_by().values("seat__player")[:1]),
    )
    columns = ("event", "opponent", "role", "game__end", "seat", "game__winner")
    played: Counter[tuple[Role, str, str, GameEnd, Role | None]] = Counter()
    for event, opponent, role, end, seat, winner in rows.exclude(event=None).values_list(*columns):
        side = Role(role)
        identity = titles.get((event, player.pk, side), "")
        against = titles.get((event, opponent, side.other), "")
        won = None if winner is None else side if seat == winner else side.other
        played[side, identity, against, GameEnd(end), won] += 1
    return [OwnGameCount(*key, count) for key, count in played.items()]


def _player_cuts(player: Player, scope: Scope) -> list[tuple[int, bool]]:
    came = registrations_that_played(scope.events).filter(
        player=player, tournament__in=events_with_cut(scope.events)
    )
    made_it = Exists(registrations_in_cut(scope.events).filter(registration=OuterRef("pk")))
    return list(came.annotate(made_it=made_it).values_list("tournament", "made_it"))


def _count_cuts(cuts: Sequence[tuple[int, bool]]) -> CutCount:
    return CutCount(len(cuts), sum(made_it for _, made_it in cuts))


def _player_identity_counts(
    player: Player, cuts: Sequence[tuple[int, bool]], titles: IdentityTitles
) -> list[IdentityCount]:
    counted = Counter(
        (side, title, made_it)
        for event, made_it in cuts
        for side in Role
        if (title := titles.get((event, player.pk, side)))
    )
    return [
        IdentityCount(side, title, True, made_it, events)
        for (side, title, made_it), events in counted.items()
    ]
