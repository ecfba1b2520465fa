"""Events on My page: the next one, results, ratings and decks."""

from collections.abc import Sequence
from dataclasses import dataclass

from django import template
from django.template.context import Context
from django.utils import timezone

from decks.games import GAMES
from players.models import Player
from tournaments.event.permissions import Actor, actor_of
from tournaments.models import DeckSubmission, Rating
from tournaments.my_event.pages import NextEvent, next_event
from tournaments.profiles import queries as profile_queries
from tournaments.profiles.pages import PlayedEventLine, event_lines
from tournaments.ratings.pages import DisplayedRating, rating_today

register = template.Library()

MAX_RESULTS, MAX_DECKS = 5, 6


@dataclass(frozen=True)
class OwnRating:
    game: str
    game_name: str
    rating: DisplayedRating


@dataclass(frozen=True)
class MyPage:
    next_event: NextEvent | None
    results: Sequence[PlayedEventLine] = ()
    ratings: Sequence[OwnRating] = ()
    decks: Sequence[DeckSubmission] = ()


@register.simple_tag(takes_context=True)
def my_page(context: Context) -> MyPage:
    """Return the user's own data across events; a constant number of queries."""
    actor = actor_of(context["request"])
    player = actor.player
    if player is None:
        return MyPage(next_event(actor))
    return MyPage(
        next_event(actor), _latest_results(player, actor), _ratings(player), _latest_decks(player)
    )


def _latest_results(player: Player, actor: Actor) -> list[PlayedEventLine]:
    finished = profile_queries.events_of(player, actor).filter(finished_at__isnull=False)
    keys = list(finished.values_list("pk", flat=True)[:MAX_RESULTS])
    return event_lines(player, keys, own=True) if keys else []


def _ratings(player: Player) -> list[OwnRating]:
    today = timezone.localdate()
    rows = Rating.objects.filter(player=player, is_current=True)
    return [OwnRating(row.game, GAMES[row.game].name, rating_today(row, today)) for row in rows]


def _latest_decks(player: Player) -> list[DeckSubmission]:
    decks = DeckSubmission.objects.filter(registration__player=player).order_by("-received_at")
    return list(decks.select_related("registration__tournament", "version__identity")[:MAX_DECKS])
