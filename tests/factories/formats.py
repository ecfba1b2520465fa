"""A few cards and one format of `anr` in the database, for tests that need no real cards."""

import datetime

from decks.games import ANR
from decks.models import (
    Card,
    CardCycle,
    CardFaction,
    CardPool,
    CardSet,
    Format,
    Printing,
    Restriction,
    Snapshot,
)

FIRST_DAY = datetime.date(2020, 1, 1)
GAME = {"game": ANR.id}


def make_set(name: str = "First Box") -> CardSet:
    """A set released on the first day, in its own cycle."""
    set_id = name.lower().replace(" ", "_")
    cycle = CardCycle.objects.create(cycle_id=set_id, name=f"{name} Cycle", position=1, **GAME)
    return CardSet.objects.create(
        set_id=set_id, name=name, cycle=cycle, type="core", released_on=FIRST_DAY, **GAME
    )


def make_card(title: str, side: str = "runner", **facts: object) -> Card:
    """A card with one printing in the first box."""
    card_set = CardSet.objects.filter(set_id="first_box").first() or make_set()
    faction = f"neutral_{side}"
    CardFaction.objects.get_or_create(
        faction_id=faction, defaults={"name": f"Neutral {side.title()}", "side": side}, **GAME
    )
    slug = title.lower().replace(" ", "-")
    number = Printing.objects.count() + 1
    values = {"type": "event", "faction": faction, "set_name": card_set.name, "deck_limit": 3}
    card = Card.objects.create(
        title=title,
        side=side,
        slug=slug,
        card_id=slug.replace("-", "_"),
        **GAME,
        **(values | facts),
    )
    Printing.objects.create(
        card=card, card_set=card_set, code=f"{number:05}", position=number, quantity=3
    )
    return card


def make_format(card: Card, format_id: str = "standard") -> Format:
    """A format of the card's set from the first day, with a list that bans nothing."""
    format_ = Format.objects.create(format_id=format_id, name=format_id.title(), **GAME)
    pool = CardPool.objects.create(format=format_, pool_id=f"{format_id}_pool", name="The Pool")
    pool.sets.set(CardSet.objects.filter(printings__card=card))
    restriction = Restriction.objects.create(
        format=format_,
        restriction_id=f"{format_id}_list",
        name="The List",
        effective_from=FIRST_DAY,
    )
    Snapshot.objects.create(
        format=format_,
        snapshot_id=f"{format_id}_0",
        position=0,
        effective_from=FIRST_DAY,
        pool=pool,
        restriction=restriction,
    )
    return format_
