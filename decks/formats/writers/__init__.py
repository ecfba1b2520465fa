"""Export a deck in every format that decks.formats can parse."""

from enum import StrEnum

from decks.formats.writers import documents, octgn, texts
from decks.formats.writers.records import Totals, WrittenCard, WrittenDeck, pips, tidied
from decks.games import GAMES


class ExportForm(StrEnum):
    """Export formats; the values appear in URLs."""

    NETRUNNERDB_TEXT = "netrunnerdb_text"
    MARKDOWN = "markdown"
    BBCODE = "bbcode"
    JINTEKI = "jinteki"
    PLAIN_TEXT = "plain_text"
    NETRUNNERDB_V2 = "netrunnerdb_v2"
    NETRUNNERDB_V3 = "netrunnerdb_v3"
    OCTGN = "octgn"
    METEOR = "meteor"

    @property
    def label(self) -> str:
        return _ABOUT[self][0]

    @property
    def suffix(self) -> str:
        """File extension with a leading dot."""
        return _ABOUT[self][1]

    @property
    def content_type(self) -> str:
        return _ABOUT[self][2]

    @property
    def is_for_people(self) -> bool:
        """True if the format can include cards that are not in the catalogue."""
        return self.suffix == ".txt"


TEXT, JSON = "text/plain; charset=utf-8", "application/json"
_ABOUT = {
    ExportForm.NETRUNNERDB_TEXT: ("NetrunnerDB text", ".txt", TEXT),
    ExportForm.MARKDOWN: ("Markdown", ".txt", TEXT),
    ExportForm.BBCODE: ("BBCode", ".txt", TEXT),
    ExportForm.JINTEKI: ("jinteki.net", ".txt", TEXT),
    ExportForm.PLAIN_TEXT: ("plain text", ".txt", TEXT),
    ExportForm.NETRUNNERDB_V2: ("NetrunnerDB JSON (v2)", ".json", JSON),
    ExportForm.NETRUNNERDB_V3: ("NetrunnerDB JSON (v3)", ".json", JSON),
    ExportForm.OCTGN: ("OCTGN (.o8d)", ".o8d", "application/octgn"),
    ExportForm.METEOR: ("Meteor JSON", ".json", JSON),
}
_WRITERS = {
    ExportForm.NETRUNNERDB_TEXT: texts.netrunnerdb_text,
    ExportForm.MARKDOWN: texts.markdown,
    ExportForm.BBCODE: texts.bbcode,
    ExportForm.JINTEKI: texts.jinteki,
    ExportForm.PLAIN_TEXT: texts.plain,
    ExportForm.NETRUNNERDB_V2: documents.netrunnerdb_v2,
    ExportForm.NETRUNNERDB_V3: documents.netrunnerdb_v3,
    ExportForm.OCTGN: octgn.octgn,
    ExportForm.METEOR: documents.meteor,
}


def forms_of(game: str) -> tuple[ExportForm, ...]:
    """Return the export formats of a game; empty for a game without decks."""
    known = GAMES.get(game)
    return tuple(map(ExportForm, known.deck_forms)) if known else ()


def write(form: ExportForm, deck: WrittenDeck) -> str:
    """Render the deck after normalising its name and notes, which all formats then preserve."""
    return _WRITERS[form](tidied(deck))
