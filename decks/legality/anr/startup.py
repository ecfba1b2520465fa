"""The Startup rule on big agendas, which card lists cannot express."""

import datetime
from collections.abc import Iterator

from decks.legality import wording
from decks.legality.anr.deck import AnrDeck
from decks.legality.anr.restrictions import list_rule
from decks.legality.formats import SnapshotFacts
from decks.legality.records import Breach

FORMAT = "startup"
SINCE_LISTS_OF = datetime.date(2026, 5, 1)
BIG_AGENDA = 3
MOST_BIG_AGENDAS = 4


def breaches(deck: AnrDeck, snapshot: SnapshotFacts) -> Iterator[Breach]:
    """Check for more than four agendas worth 3 or more points, since list 26.05 (DECK_RULES 12).

    The rule counts cards, so every copy counts: two titles with two copies each are four.
    """
    restriction = snapshot.restriction
    if snapshot.format_id != FORMAT or restriction is None:
        return
    if restriction.effective_from < SINCE_LISTS_OF:
        return
    big = [one for one in deck.of_type("agenda") if one.card.agenda_points >= BIG_AGENDA]
    count = sum(one.quantity for one in big)
    if count <= MOST_BIG_AGENDAS:
        return
    big.sort(key=lambda one: one.card.title_key)
    names = wording.listing([f"{one.quantity} {one.card.title}" for one in big])
    yield Breach(
        "big_agendas",
        f"{count} agendas worth {BIG_AGENDA} or more points: {names};"
        f" at most {MOST_BIG_AGENDAS} are allowed.",
        f"Take out {count - MOST_BIG_AGENDAS} of them, or put smaller agendas in their place.",
        rule=f"Startup, at most four agendas worth 3 or more points; {list_rule(restriction)}",
        concerns=tuple(one.card.title for one in big),
    )
