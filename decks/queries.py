"""Finding cards."""

import datetime
from collections.abc import Iterable, Mapping

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet

from decks.games import GameSystem
from decks.models import Card, CardAlias, CardFaction, CardSet
from decks.titles import folded_title

MOST_WORDS = 8


def cards_matching(
    words: str = "",
    *,
    game: str = GameSystem.ONR,
    side: str = "",
    type_: str = "",
    set_name: str = "",
) -> QuerySet[Card]:
    """Cards whose title, or another spelling of it, holds every word.

    Case, accents and punctuation are compared away. Titles that begin with
    the words come first.
    """
    cards = Card.objects.filter(game=game)
    filters = {"side": side, "type": type_, "set_name": set_name}
    cards = cards.filter(**{field: value for field, value in filters.items() if value})
    folded = folded_title(words)
    if not folded:
        return cards.order_by("folded_title", "pk")
    spellings = CardAlias.objects.filter(card__game=game)
    in_title = Q()
    for word in folded.split()[:MOST_WORDS]:
        in_title &= Q(folded_title__contains=word)
        spellings = spellings.filter(folded_alias__contains=word)
    begins = ExpressionWrapper(Q(folded_title__startswith=folded), BooleanField())
    cards = cards.filter(in_title | Q(pk__in=spellings.values("card_id")))
    return cards.annotate(begins=begins).order_by("-begins", "folded_title", "pk")


def set_names(game: str = GameSystem.ONR) -> list[str]:
    """The sets that have cards, by name."""
    names = Card.objects.filter(game=game).exclude(set_name="").order_by("set_name")
    return list(names.values_list("set_name", flat=True).distinct())


def addresses_of(cards: Iterable[int]) -> Mapping[int, str]:
    """The page of each card, by its primary key; one query."""
    found = Card.objects.filter(pk__in=list(cards)).only("game", "slug")
    return {card.pk: card.get_absolute_url() for card in found}


def sets_by_id(game: str) -> Mapping[str, tuple[str, datetime.date | None]]:
    """(name, day of release) of every set of the game, by its id; one query."""
    sets = CardSet.objects.filter(game=game).values_list("set_id", "name", "released_on")
    return {set_id: (name, released) for set_id, name, released in sets}


def faction_names(game: str) -> Mapping[str, str]:
    """The names of the factions of the game, by their ids; one query."""
    return dict(CardFaction.objects.filter(game=game).values_list("faction_id", "name"))
