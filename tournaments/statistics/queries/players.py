"""Counts of a player's games in a set of events."""

from collections import Counter
from collections.abc import Sequence

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery

from matches.models import GameSeat, Seat
from matches.scoring import GameEnd, Role
from players.models import Player
from tournaments.statistics.queries.decks import (
    Identities,
    Titles,
    factions,
    identities_of,
    identities_seen,
)
from tournaments.statistics.queries.scope import (
    Scope,
    events_with_cut,
    in_cut,
    tables_played,
    who_played,
)
from tournaments.statistics.rules.tallies import CutCount, Entry, Opponent, OwnGames, OwnTallies


def opponents(player: Player, scope: Scope) -> list[Opponent]:
    """Return opponents at settled tables with results by match points, most frequent first."""
    mine = Seat.objects.filter(player=player, match__in=tables_played(scope.events).values("match"))
    own = mine.filter(match=OuterRef("match")).order_by().values("points")[:1]
    others = Seat.objects.filter(match__in=mine.order_by().values("match")).exclude(player=player)
    rows = (
        others.order_by()
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
    return [Opponent(*row) for row in ordered]


def tallies(player: Player, scope: Scope, *, own: bool) -> OwnTallies:
    """Count everything about this player in games between Corp and Runner.

    Identities count where the public sees them and the event is over. With `own` all of the
    player's identities count.
    """
    titles = _titles(player, scope)
    if own:
        titles.update(identities_of(player, scope.events).titles())
    cuts = _cuts(player, scope)
    return OwnTallies(
        games=_games(player, scope, titles),
        entries=_entries(player, cuts, titles),
        cut=_counted(cuts),
        factions=factions(scope.game, set(titles.values())),
    )


def cut(player: Player, scope: Scope) -> CutCount:
    """Count the player's events with a cut, and those where the player was in it."""
    return _counted(_cuts(player, scope))


def _titles(player: Player, scope: Scope) -> Titles:
    """Return the publicly visible identities of the player and their opponents."""
    # During an event, a single player would be the smallest possible group.
    events = () if scope.hides_small else scope.with_decks
    tables = Seat.objects.filter(match__in=tables_played(events).values("match"), player=player)
    sat = Seat.objects.filter(match__in=tables.order_by().values("match")).order_by()
    seen, players = identities_seen(events), sat.values("player")
    them = Q(registration__player=player) | Q(registration__player__in=players)
    return Identities(seen.decks.filter(them), seen.stated.filter(them)).titles()


def _games(player: Player, scope: Scope, titles: Titles) -> list[OwnGames]:
    """Count the player's games on each side, including games without a winner."""
    tables = tables_played(scope.events).filter(match=OuterRef("game__match"))
    other = GameSeat.objects.filter(game=OuterRef("game")).exclude(pk=OuterRef("pk")).order_by()
    mine = GameSeat.objects.filter(seat__player=player, role__in=list(Role)).order_by()
    rows = mine.exclude(game__end="").annotate(
        event=Subquery(tables.values("round__stage__tournament")[:1]),
        other=Subquery(other.values("seat__player")[:1]),
    )
    named = ("event", "other", "role", "game__end", "seat", "game__winner")
    played: Counter[tuple[Role, str, str, GameEnd, Role | None]] = Counter()
    for event, opponent, kept, end, seat, winner in rows.exclude(event=None).values_list(*named):
        side = Role(kept)
        identity = titles.get((event, player.pk, side), "")
        against = titles.get((event, opponent, side.other), "")
        won = None if winner is None else side if seat == winner else side.other
        played[side, identity, against, GameEnd(end), won] += 1
    return [OwnGames(*one, count) for one, count in played.items()]


def _cuts(player: Player, scope: Scope) -> list[tuple[int, bool]]:
    """Return the player's events with a cut, each with True if the player was in it."""
    came = who_played(scope.events).filter(
        player=player, tournament__in=events_with_cut(scope.events)
    )
    made_it = Exists(in_cut(scope.events).filter(registration=OuterRef("pk")))
    return list(came.annotate(made_it=made_it).values_list("tournament", "made_it"))


def _counted(cuts: Sequence[tuple[int, bool]]) -> CutCount:
    return CutCount(len(cuts), sum(made_it for _, made_it in cuts))


def _entries(player: Player, cuts: Sequence[tuple[int, bool]], titles: Titles) -> list[Entry]:
    counted = Counter(
        (side, title, made_it)
        for event, made_it in cuts
        for side in Role
        if (title := titles.get((event, player.pk, side)))
    )
    return [
        Entry(side, title, True, made_it, events)
        for (side, title, made_it), events in counted.items()
    ]
