"""D2: a search among 10,000 rulings relative to the same page of rulings read by key."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from unittest.mock import patch

from django.db import connection
from django.test import Client

from decks.importer import import_cards
from rulings import importer
from rulings import views as rulings_views
from rulings.models import Ruling
from rulings.parsing.records import DigestRuling
from rulings.search import RulingSearchResult, SearchHits
from tools.bench.clock import shown, side_by_side
from tools.bench.figures import Figure

RULINGS = 10_000
RUNS = 12
ASKED = {
    "one word that most have": "q=runner",
    "several words": "q=trash+ice+run",
    "a card": "q=lockjaw",
    "a mistyped card": "q=lokjaw",
    "a mistyped word": "q=subrotine+breaking",
    "words with filters": "q=runner&card=Boardwalk&authority=Wylie&since=1996-01-01&kind=ruling",
}


def figures() -> Iterator[Figure]:
    """Each kind of search relative to the page of twenty rulings with known keys."""
    import_cards("onr")
    import_cards("anr")
    importer.load_digest(list(_many()))
    client = Client()
    for name, query in ASKED.items():
        search, read = side_by_side(_asks(client, query), _reads(client), RUNS)
        yield Figure(
            "D2",
            f"search for {name}, {RULINGS:,} rulings, {connection.vendor}, against no search",
            f"{search / read:.2f} times ({shown(search)}, {shown(read)})",
            "<= 5 times",
            search / read <= 5,
        )


def _many() -> Iterator[DigestRuling]:
    """The shipped rulings repeatedly, with new codes each time."""
    shipped = importer.shipped_digest()
    for number in range(RULINGS):
        turn, index = divmod(number, len(shipped))
        ruling = shipped[index]
        code = ruling.code if turn == 0 else f"{ruling.code.rpartition('-')[0]}-{number + 1000}"
        yield replace(ruling, code=code, number=number + 1)


def _asks(client: Client, query: str) -> Callable[[], object]:
    return lambda: client.get(f"/rulings/search/?{query}")


def _reads(client: Client) -> Callable[[], object]:
    """The view with the keys of twenty rulings instead of a search."""
    keys = list(
        Ruling.objects.order_by("pk").values_list("pk", flat=True)[: rulings_views.HITS_ON_A_PAGE]
    )
    answer = RulingSearchResult(SearchHits(keys, full=len(keys)), "runner")

    def read() -> object:
        with patch.object(rulings_views, "_search_or_filter", lambda *args: answer):
            return client.get("/rulings/search/?q=runner")

    return read
