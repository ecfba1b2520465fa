"""Sources of card data other than the shipped tables."""

from pathlib import Path

from django.utils import timezone

from decks import games
from decks import netrunnerdb as public
from decks.card_data import api_v3, folder, plain
from decks.card_data.records import CardData
from decks.card_data.shipped import shipped, subtype_names
from decks.models import Catalogue


def of_path(path: Path, aliases: Path | None = None) -> CardData:
    """Read a folder of `anr` card data or a table of `onr` cards. Raises DamagedSource."""
    if path.is_dir():
        return folder.read(path, subtype_names())
    return plain.read(games.ONR, path, aliases)


def netrunnerdb(pages: api_v3.Pages = public.pages) -> CardData:
    """Fetch the current `anr` card data from NetrunnerDB.

    Raises DamagedSource, or another Refusal if the request fails.
    """
    return api_v3.read(pages, timezone.localdate(), subtype_names())


def newer_than_shipped(game: str) -> Catalogue | None:
    """Return a catalogue from another source, or None if the shipped tables are newer.

    Loading the shipped tables over it would restore outdated facts and ban lists.
    """
    catalogue = Catalogue.objects.filter(game=game).first()
    ours = shipped(game)
    if catalogue is None or catalogue.source in ("", ours.source):
        return None
    day = catalogue.source_date or timezone.localdate(catalogue.imported_at)
    return catalogue if ours.source_date is None or day >= ours.source_date else None
