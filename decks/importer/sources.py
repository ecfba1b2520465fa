"""Where card data can come from, beside the tables shipped with the project."""

from pathlib import Path

from django.utils import timezone

from decks import games
from decks import netrunnerdb as public
from decks.card_data import api_v3, folder, plain
from decks.card_data.records import CardData
from decks.card_data.shipped import shipped, subtype_names
from decks.models import Catalogue


def of_path(path: Path, aliases: Path | None = None) -> CardData:
    """A folder of `anr` card data, or a table of `onr` cards. Raises DamagedSource."""
    if path.is_dir():
        return folder.read(path, subtype_names())
    return plain.read(games.ONR, path, aliases)


def netrunnerdb(pages: api_v3.Pages = public.pages) -> CardData:
    """The `anr` card data NetrunnerDB tells today. Raises DamagedSource, or a Refusal why it
    cannot be asked."""
    return api_v3.read(pages, timezone.localdate(), subtype_names())


def newer_than_shipped(game: str) -> Catalogue | None:
    """The game's catalogue where it came from another source no older than our tables.

    Loading the shipped tables over it would bring old facts and ban lists back.
    """
    catalogue = Catalogue.objects.filter(game=game).first()
    ours = shipped(game)
    if catalogue is None or catalogue.source in ("", ours.source):
        return None
    day = catalogue.source_date or timezone.localdate(catalogue.imported_at)
    return catalogue if ours.source_date is None or day >= ours.source_date else None
