"""Writes a deck in every form that decks.formats reads."""

from enum import StrEnum

from decks.formats.writers import documents, octgn, texts
from decks.formats.writers.records import Totals, WrittenCard, WrittenDeck, pips, tidied
from decks.games import GAMES


class ExportForm(StrEnum):
    """The forms a deck is written in; the value stands in addresses."""

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
        """The form as people call it."""
        return _ABOUT[self][0]

    @property
    def suffix(self) -> str:
        """How a file of this form ends."""
        return _ABOUT[self][1]

    @property
    def content_type(self) -> str:
        """The media type of a file of this form."""
        return _ABOUT[self][2]

    @property
    def is_for_people(self) -> bool:
        """Whether it can name a card that no catalogue knows."""
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
    """The forms a deck of this game can be written in; none for a game without decks."""
    known = GAMES.get(game)
    return tuple(map(ExportForm, known.deck_forms)) if known else ()


def write(form: ExportForm, deck: WrittenDeck) -> str:
    """The deck in this form. Name and notes are tidied first, so that every form keeps them."""
    return _WRITERS[form](tidied(deck))
