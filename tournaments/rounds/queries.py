"""Published rounds and pairings for the API."""

from django.db.models import Count, Prefetch, Q, QuerySet

from tournaments.models import Pairing, Round, Tournament
from tournaments.models.rounds import PAIRING_RELATED

GAME_PREFETCH = "match__games__seats"


def published_rounds(tournament: Tournament) -> QuerySet[Round]:
    """Published rounds, annotated with the numbers of `tables` and `byes`."""
    rounds = tournament.rounds.published().select_related("stage")
    return rounds.annotate(
        tables=Count("pairings", filter=Q(pairings__bye=None)),
        byes=Count("pairings", filter=Q(pairings__match=None)),
    )


def with_pairings(rounds: QuerySet[Round]) -> QuerySet[Round]:
    return rounds.prefetch_related(
        Prefetch("pairings", queryset=_with_games(Pairing.objects.all()))
    )


def published_pairings(round_: Round) -> QuerySet[Pairing]:
    """Tables in order, byes last, with seats and games."""
    return _with_games(round_.pairings.all())


def _with_games(pairings: QuerySet[Pairing]) -> QuerySet[Pairing]:
    found = pairings.select_related(*PAIRING_RELATED)
    return found.prefetch_related("match__seats", GAME_PREFETCH)
