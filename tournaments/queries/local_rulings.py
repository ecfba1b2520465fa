"""Local rulings: those that hold at an event, and those its head judge may use again."""

from django.db.models import Prefetch, Q, QuerySet

from core.text import comparison_key
from decks.models import Card
from players.models import User
from rulings import queries as ruling_queries
from rulings.models import JudgeNote, Ruling
from tournaments.models import LocalRuling, Tournament


def of_event(tournament: Tournament) -> QuerySet[LocalRuling]:
    """The local rulings of an event in the order they were made, with all a page prints."""
    basis = ruling_queries.with_citations(JudgeNote.objects.all())
    rulings = ruling_queries.rulings_in_full(Ruling.objects.all())
    return tournament.local_rulings.prefetch_related(
        Prefetch("ruling", rulings), Prefetch("basis", basis)
    )


def has_local_rulings(tournament: Tournament) -> bool:
    """Whether there is anything to read on the page of local rulings."""
    return tournament.local_rulings.exists()


def usable(user: User | None, tournament: Tournament) -> QuerySet[Ruling]:
    """Local rulings that hold here, or that stand since an event where the account had a role."""
    made = LocalRuling.objects.filter(
        made_here=True, tournament__staff__user=user, tournament__game=tournament.game
    )
    here = tournament.local_rulings.values("ruling")
    earlier = Q(pk__in=made.values("ruling"), withdrawn_on=None)
    return Ruling.objects.filter(Q(pk__in=here) | earlier)


def from_elsewhere(user: User | None, tournament: Tournament) -> list[Ruling]:
    """Those of `usable` that do not hold here yet, the newest first."""
    here = tournament.local_rulings.values("ruling")
    offered = usable(user, tournament).exclude(pk__in=here)
    return list(ruling_queries.rulings_in_full(offered).order_by("-pk"))


def card_titled(title: str, game: str) -> Card | None:
    """The card of this title, or known by this other spelling."""
    key = comparison_key(title)
    named = Q(title_key=key) | Q(aliases__alias_key=key)
    return Card.objects.filter(named, game=game).distinct().first() if key else None
