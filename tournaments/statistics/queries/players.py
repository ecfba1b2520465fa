"""What one player did in a set of events, counted by the database."""

from collections import Counter
from collections.abc import Collection, Mapping

from django.db.models import Count, F, OuterRef, Q, Subquery

from matches.models import GameSeat, Seat
from matches.scoring import Role
from players.models import Player
from tournaments.statistics.queries.decks import NOT_PLAYED, Identities, Titles, identities_seen
from tournaments.statistics.queries.scope import Scope, tables_played
from tournaments.statistics.rules.tallies import Meeting, Opponent


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
    """The games of this player on each side that somebody won; two queries."""
    # What one person plays tonight is the smallest of groups.
    shown = scope.events if own else () if scope.hides_small else scope.with_decks
    titles = identities_seen(shown, player).titles() if own else _seen_of(player, shown)
    tables = tables_played(scope.events).filter(match=OuterRef("game__match"))
    mine = GameSeat.objects.filter(
        seat__player=player, role__in=list(Role), game__winner__isnull=False
    )
    rows = mine.exclude(game__end__in=["", *NOT_PLAYED]).order_by()
    played = rows.annotate(event=Subquery(tables.values("round__stage__tournament")[:1]))
    met: Counter[tuple[Role, str, Role]] = Counter()
    for event, kept, seat, winner in played.exclude(event=None).values_list(
        "event", "role", "seat", "game__winner"
    ):
        role = Role(kept)
        title = titles.get((event, player.pk, role), "")
        met[role, title, role if seat == winner else _other(role)] += 1
    return {
        side: [
            Meeting(*((title, "") if side is Role.CORP else ("", title)), winner, count)
            for (role, title, winner), count in sorted(met.items())
            if role is side
        ]
        for side in Role
    }


def _other(role: Role) -> Role:
    return Role.RUNNER if role is Role.CORP else Role.CORP


def _seen_of(player: Player, events: Collection[int]) -> Titles:
    """The identities of this player that a passer-by sees."""
    seen, mine = identities_seen(events), {"registration__player": player}
    return Identities(seen.decks.filter(**mine), seen.stated.filter(**mine)).titles()
