"""Whether anything has changed since somebody last asked."""

from django.db.models import Count, Window

from decks.models import Catalogue
from rulings.models import RulingStamp


def stamp() -> str:
    """Another text after any change of a ruling, version, link, document or card; two queries.

    Committed changes only: what two transactions write at once are two changes.
    """
    newest = RulingStamp.objects.order_by("-pk").annotate(count=Window(Count("pk")))
    ruled = newest.values_list("count", "pk", "value").first()
    cards = Catalogue.objects.order_by("pk").values_list("stamp", flat=True)
    return " ".join(map(str, (*(ruled or ()), *cards)))
