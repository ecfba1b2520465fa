"""What answers of the API are read from: a constant number of queries for each."""

from django.db.models import Count, Prefetch, Q, QuerySet

from tournaments.event import queries
from tournaments.event.queries.events import PLAYER_COUNT
from tournaments.models import ApiToken, Pairing, Registration, Round, RoundState, Tournament

GAMES = "match__games__seats"


def found_with(token: object, events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Those of these events that a token of one event finds; all without such a token."""
    if isinstance(token, ApiToken) and token.is_bound:
        return events.filter(pk=token.tournament_id)
    return events


def with_figures(tournament: Tournament) -> Tournament:
    """The event with `player_count` and `current_number`, the newest published round or None."""
    figures = Tournament.objects.annotate(player_count=PLAYER_COUNT)
    event: Tournament = figures.get(pk=tournament.pk)
    newest = queries.visible_rounds(tournament).last()
    event.__dict__["current_number"] = newest.number if newest else None
    return event


def roster_by_player(tournament: Tournament) -> dict[int, Registration]:
    """Registrations by player id, with their players."""
    roster = tournament.registrations.select_related("player")
    return {entry.player_id: entry for entry in roster}


def published_rounds(tournament: Tournament) -> QuerySet[Round]:
    """Rounds everybody may see, with the number of their `tables` and `byes`."""
    rounds = queries.visible_rounds(tournament).select_related("stage")
    return rounds.annotate(
        tables=Count("pairings", filter=Q(pairings__bye=None)),
        byes=Count("pairings", filter=Q(pairings__match=None)),
    )


def with_pairings(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """Rounds with all that their pairings show."""
    return rounds.prefetch_related(
        Prefetch("pairings", queryset=_with_games(Pairing.objects.all()))
    )


def pairings_of(round_: Round) -> QuerySet[Pairing]:
    """Tables in order, byes last, with seats and games."""
    return _with_games(round_.pairings.all())


def _with_games(pairings: QuerySet[Pairing]) -> QuerySet[Pairing]:
    found = pairings.select_related(*queries.PAIRING_RELATED)
    return found.prefetch_related("match__seats", GAMES)


def ranked_rounds(tournament: Tournament) -> list[int]:
    """The numbers of the closed rounds whose standings are stored, first to last."""
    ranked = queries.rounds(tournament).filter(state=RoundState.CLOSED, snapshots__isnull=False)
    return list(ranked.values_list("number", flat=True).distinct())
