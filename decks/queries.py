"""Queries on cards, sets and formats."""

import datetime
from collections.abc import Collection, Iterable, Mapping

from django.db.models import BooleanField, ExpressionWrapper, F, Prefetch, Q, QuerySet

from decks import games
from decks.models import (
    Card,
    CardAlias,
    CardFaction,
    CardSet,
    Catalogue,
    Format,
    Printing,
    Side,
    Snapshot,
)
from decks.titles import folded_title

MAX_WORDS = 8


def find_cards(
    words: str = "",
    *,
    game: str = games.DEFAULT.id,
    side: str = "",
    type_: str = "",
    faction: str = "",
    set_: str = "",
    among: Collection[int] | None = None,
) -> QuerySet[Card]:
    """Find cards whose title or alias contains every word; titles that start with them first.

    `set_` is the name or id of a set, `faction` an id; `among` limits the result to these primary
    keys.
    """
    cards = Card.objects.filter(game=game)
    filters = {"side": side, "type": type_, "faction": faction}
    cards = cards.filter(**{field: value for field, value in filters.items() if value})
    if set_:
        is_in_set = Q(card_set__set_id=set_) | Q(card_set__name=set_)
        printed = Printing.objects.filter(is_in_set).values("card")
        cards = cards.filter(Q(set_name=set_) | Q(pk__in=printed))
    if among is not None:
        cards = cards.filter(pk__in=among)
    folded = folded_title(words)
    if not folded:
        return cards.order_by("folded_title", "pk")
    spellings = CardAlias.objects.filter(card__game=game)
    in_title = Q()
    for word in folded.split()[:MAX_WORDS]:
        in_title &= Q(folded_title__contains=word)
        spellings = spellings.filter(folded_alias__contains=word)
    begins = ExpressionWrapper(Q(folded_title__startswith=folded), BooleanField())
    cards = cards.filter(in_title | Q(pk__in=spellings.values("card_id")))
    return cards.annotate(begins=begins).order_by("-begins", "folded_title", "pk")


def with_printings(cards: QuerySet[Card]) -> QuerySet[Card]:
    """Prefetch aliases and printings, the oldest printing first."""
    printings = Printing.objects.select_related("card_set__cycle")
    printings = printings.order_by("card_set__released_on", "code")
    return cards.prefetch_related("aliases", Prefetch("printings", printings))


def set_choices(game: str) -> list[tuple[str, str]]:
    """Return (value of `set_` for `find_cards`, name) of each set, newest first."""
    if games.GAMES[game].has_formats:
        sets = CardSet.objects.filter(game=game).order_by(F("released_on").desc(), "name")
        return list(sets.values_list("set_id", "name"))
    names = Card.objects.filter(game=game).exclude(set_name="").order_by("set_name")
    return [(name, name) for name in names.values_list("set_name", flat=True).distinct()]


def faction_choices(game: str) -> list[tuple[str, list[tuple[str, str]]]]:
    factions = list(CardFaction.objects.filter(game=game).order_by("is_mini", "name"))
    return [
        (
            str(side.label),
            [(faction.faction_id, faction.name) for faction in factions if faction.side == side],
        )
        for side in Side
    ]


def format_choices(game: str) -> list[tuple[str, str]]:
    formats = Format.objects.filter(game=game).order_by("position", "name")
    return list(formats.values_list("format_id", "name"))


def get_catalogue(game: str) -> Catalogue | None:
    return Catalogue.objects.filter(game=game).first()


def formats_with_snapshots() -> QuerySet[Format]:
    snapshots = Snapshot.objects.select_related("pool", "restriction")
    snapshots = snapshots.order_by("effective_from", "position").prefetch_related("pool__sets")
    return Format.objects.order_by("game", "position", "pk").prefetch_related(
        Prefetch("snapshots", snapshots)
    )


def card_addresses(cards: Iterable[int]) -> Mapping[int, str]:
    rows = Card.objects.filter(pk__in=list(cards)).only("game", "slug")
    return {card.pk: card.get_absolute_url() for card in rows}


def sets_by_id(game: str) -> Mapping[str, tuple[str, datetime.date | None]]:
    """Return (name, release date) by id."""
    sets = CardSet.objects.filter(game=game).values_list("set_id", "name", "released_on")
    return {set_id: (name, released) for set_id, name, released in sets}


def faction_names(game: str) -> Mapping[str, str]:
    return dict(CardFaction.objects.filter(game=game).values_list("faction_id", "name"))
