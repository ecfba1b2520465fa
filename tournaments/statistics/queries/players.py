"""What one player did in a set of events, counted by the database."""

from collections.abc import Collection, Mapping

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from matches.models import Seat
from matches.scoring import Role
from players.models import Player
from tournaments.models import Tournament
from tournaments.statistics.queries.decks import (
    Identities,
    Titles,
    identities_seen,
    meetings_of,
    won_games,
)
from tournaments.statistics.queries.scope import Scope, tables_played
from tournaments.statistics.rules.tallies import Meeting, Opponent


def games_played(player: Player, events: QuerySet[Tournament]) -> list[str]:
    """The games this player has played in these events, the most played first; one query."""
    mine = Tournament.objects.filter(pk__in=events.values("pk"), registrations__player=player)
    rows = mine.order_by().values_list("game").annotate(events=Count("pk", distinct=True))
    return [game for game, _ in rows.order_by("-events", "game")]


def opponents(player: Player, scope: Scope) -> list[Opponent]:
    """Whom the player sat with at settled tables, most often first, by match points."""
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


def meetings(player: Player, scope: Scope, *, own: bool) -> Mapping[Role, list[Meeting]]:
    """The games of this player on each side that somebody won; a few queries."""
    # What one person plays tonight is the smallest of groups.
    shown = scope.events if own else () if scope.hides_small else scope.with_decks
    titles = identities_seen(shown, player).titles() if own else _seen_of(player, shown)
    games = won_games(scope.events)
    return {
        role: meetings_of(games.filter(**{f"{role}__seat__player": player}), titles)
        for role in Role
    }


def _seen_of(player: Player, events: Collection[int]) -> Titles:
    """The identities of this player that a passer-by sees."""
    seen, mine = identities_seen(events), {"registration__player": player}
    return Identities(seen.decks.filter(**mine), seen.stated.filter(**mine)).titles()
