"""Pages of the rules reference."""

from dataclasses import dataclass

from django.db.models import Count, Min, Q, QuerySet

from decks.games import GAMES, Game
from rulings.models import DocumentKind, Ruling, RulingDocument
from rulings.queries.reading import rulings_in_full


@dataclass(frozen=True)
class RulesPage:
    document: RulingDocument
    sections: int


def rules_pages() -> list[tuple[Game, list[RulesPage]]]:
    """Return the games with their pages, in order of code."""
    documents = (
        RulingDocument.objects.filter(kind=DocumentKind.REFERENCE)
        .annotate(
            sections=Count("rulings", filter=Q(rulings__withdrawn_on=None)),
            first=Min("rulings__short_code"),
        )
        .order_by("first")
    )
    pages = [RulesPage(document, document.sections) for document in documents]
    of_game = {id_: [one for one in pages if one.document.game == id_] for id_ in GAMES}
    return [(GAMES[id_], found) for id_, found in of_game.items() if found]


def sections_of(document: RulingDocument) -> QuerySet[Ruling]:
    return rulings_in_full().filter(document=document)
