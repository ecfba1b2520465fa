"""Export decks in every format that decks.formats can parse."""

import html
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from core.text import clean, plain_newlines
from decks.formats.deck_text import OCTGN_CARD, OCTGN_GAME
from decks.games import GAMES
from decks.titles import folded_title

OTHER_ICE = "Ice"
# Headings of both games. Ice and programs are grouped by subtype; "Ice" is all other ice.
SECTIONS = (
    "Event",
    "Prep",
    "Hardware",
    "Resource",
    "Icebreaker",
    "Program",
    "Agenda",
    "Asset",
    "Node",
    "Upgrade",
    "Operation",
    "Barrier",
    "Wall",
    "Code Gate",
    "Sentry",
    OTHER_ICE,
)

ICE_KINDS = ("Barrier", "Wall", "Code Gate", "Sentry")


def section_of(type_: str, subtypes: str) -> str:
    """`subtypes` are joined with " - "."""
    has = subtypes.split(" - ")
    # Ice with several subtypes goes under the last that applies: INTEROP section 7.
    if type_ == "ice":
        return next((name for name in reversed(ICE_KINDS) if name in has), OTHER_ICE)
    if type_ == "program" and "Icebreaker" in has:
        return "Icebreaker"
    return type_.capitalize()


def section_rank(section: str) -> int:
    return SECTIONS.index(section) if section in SECTIONS else len(SECTIONS)


@dataclass(frozen=True)
class WrittenCard:
    title: str
    quantity: int = 1
    type: str = ""
    subtypes: str = ""
    # Id in other programs, such as "sure_gamble".
    card_id: str = ""
    # Code of the printing the player chose; empty if the list names only the title.
    chosen: str = ""
    # Code of the newest printing, the fallback where a format requires a code.
    latest: str = ""
    # Set of the chosen printing, otherwise of the newest.
    set_name: str = ""
    faction: str = ""
    # Total of all copies.
    influence: int = 0
    is_restricted: bool = False

    @property
    def code(self) -> str:
        """Printing code for formats that require one; empty for games without codes."""
        return self.chosen or self.latest


@dataclass(frozen=True)
class DeckTotals:
    """Totals below a list; None if the deck has no such figure."""

    influence_spent: int | None = None
    # None for an identity without a limit.
    influence_limit: int | None = None
    # Only of Corp decks.
    agenda_points: int | None = None
    agenda_minimum: int | None = None
    agenda_maximum: int | None = None
    minimum_size: int | None = None
    newest_set: str = ""


@dataclass(frozen=True)
class WrittenDeck:
    side: str
    # In the order of the player's list, without the identity.
    cards: tuple[WrittenCard, ...]
    identity: WrittenCard | None = None
    # One line.
    name: str = ""
    # Lines separated by LF.
    notes: str = ""
    # The first problem of the deck.
    warning: str = ""
    totals: DeckTotals = DeckTotals()
    # Lines without a known card, such as "3 Title", which only text formats can include.
    unread: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return sum(card.quantity for card in self.cards)

    def sections(self) -> Iterator[tuple[str, tuple[WrittenCard, ...]]]:
        """Yield (heading, cards) in the usual order of headings; cards in the player's order."""

        def heading(card: WrittenCard) -> str:
            return section_of(card.type, card.subtypes)

        def place(card: WrittenCard) -> tuple[int, str]:
            return section_rank(heading(card)), heading(card)

        for section, cards in groupby(sorted(self.cards, key=place), key=heading):
            yield section, tuple(cards)


def influence_pips(influence: int) -> str:
    """Return a bullet per point of influence, in groups of five: INTEROP section 7."""
    full, rest = divmod(influence, 5)
    return " ".join(["\u2022" * 5] * full + ["\u2022" * rest] * bool(rest))


# Text


STRAIGHT_QUOTES = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
CARD_PAGE = "https://netrunnerdb.com/en/card/"
# Mark of a restricted card.
KNIGHT = "\u2658"


def netrunnerdb_text(deck: WrittenDeck) -> str:
    """Return the list with CR LF line endings."""
    # Without an identity below it, the first line could be mistaken for a card.
    name = _name_slug(deck.name) if deck.identity else f"# {_name_slug(deck.name)}"
    lines = [name]
    if deck.identity:
        lines.append(f"{deck.identity.title}{_set_of(deck.identity)}")
    if deck.warning:
        lines.append(f"Warning: {deck.warning}")
    for heading, cards in deck.sections():
        lines += ["", _heading(heading, cards)]
        for card in cards:
            knight = f" {KNIGHT}" if card.is_restricted else ""
            line = f"{card.quantity}x {card.title}{_set_of(card)}{knight}{_influence_of(card)}"
            lines.append(line)
    lines += ["", *deck.unread, *([""] if deck.unread else []), *_summary(deck)]
    return "\r\n".join(lines)


def jinteki(deck: WrittenDeck) -> str:
    lines = [f";; title: {deck.name}"] if deck.name else []
    if deck.identity:
        if deck.identity.chosen:
            lines.append(f";; identity-code: {deck.identity.chosen}")
        lines.append(f";; identity: {deck.identity.title.translate(STRAIGHT_QUOTES)}")
    lines += [f";; notes: {line}".rstrip() for line in deck.notes.split("\n") if deck.notes]
    lines.append("")
    for card in deck.cards:
        chosen = f" [id: {card.chosen}]" if card.chosen else ""
        lines.append(f"{card.quantity} {card.title.translate(STRAIGHT_QUOTES)}{chosen}")
    return _joined([*lines, *deck.unread])


def markdown(deck: WrittenDeck) -> str:
    """Each card links to the code of its printing."""
    lines = [f"## {deck.name}", ""] if deck.name else []
    lines += [_markdown_card(deck.identity)] if deck.identity else []
    for heading, cards in deck.sections():
        lines += ["", f"### {_heading(heading, cards)}"]
        lines += [
            f"* {card.quantity}x {_markdown_card(card)}{_influence_of(card)}" for card in cards
        ]
    lines += ["", *(f"* {line}" for line in deck.unread)] if deck.unread else []
    # Two trailing spaces are a line break in Markdown.
    return _joined([*lines, "", *(f"{line}  " for line in _summary(deck))])


def bbcode(deck: WrittenDeck) -> str:
    """Links as in `markdown`."""
    lines: list[str] = []
    if deck.name:
        # Without an identity below it, the first line could be mistaken for a card.
        lines = [f"[b]{deck.name}[/b]" if deck.identity else f"# {deck.name}", ""]
    lines += [_bbcode_card(deck.identity)] if deck.identity else []
    for heading, cards in deck.sections():
        lines += ["", f"[b]{_heading(heading, cards)}[/b]"]
        lines += [f"{card.quantity}x {_bbcode_card(card)}{_influence_of(card)}" for card in cards]
    lines += ["", *deck.unread] if deck.unread else []
    return _joined([*lines, "", *_summary(deck)])


def plain_text(deck: WrittenDeck) -> str:
    lines = [f"# {deck.name}"] if deck.name else []
    lines += [deck.identity.title] if deck.identity else []
    for heading, cards in deck.sections():
        lines += ["", _heading(heading, cards)]
        lines += [f"{card.quantity} {card.title}" for card in cards]
    lines += ["", *deck.unread] if deck.unread else []
    return _joined(lines)


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(lines).lstrip("\n") + "\n"


def _name_slug(name: str) -> str:
    return re.sub(r"[^a-z0-9_]+", "-", name.lower()) or "deck"


def _heading(heading: str, cards: Iterable[WrittenCard]) -> str:
    return f"{heading} ({sum(card.quantity for card in cards)})"


def _set_of(card: WrittenCard) -> str:
    return f" ({card.set_name})" if card.set_name else ""


def _markdown_card(card: WrittenCard) -> str:
    set_name = f" _({card.set_name})_" if card.set_name else ""
    return f"[{card.title}]({CARD_PAGE}{card.code}){set_name}"


def _bbcode_card(card: WrittenCard) -> str:
    set_name = f" [i]({card.set_name})[/i]" if card.set_name else ""
    return f"[url={CARD_PAGE}{card.code}]{card.title}[/url]{set_name}"


def _influence_of(card: WrittenCard) -> str:
    return f" {influence_pips(card.influence)}" if card.influence else ""


def _summary(deck: WrittenDeck) -> Iterator[str]:
    totals = deck.totals
    spent, limit = totals.influence_spent, totals.influence_limit
    if spent is not None and limit is None:
        yield f"{spent} influence spent (max infinite, available infinite)"
    elif spent is not None and limit is not None:
        yield f"{spent} influence spent (max {limit}, available {limit - spent})"
    if totals.agenda_points is not None:
        least, most = totals.agenda_minimum, totals.agenda_maximum
        bounds = f" (at least {least})" if most is None else f" (between {least} and {most})"
        yield f"{totals.agenda_points} agenda points{'' if least is None else bounds}"
    minimum = "" if totals.minimum_size is None else f" (min {totals.minimum_size})"
    yield f"{deck.size} cards{minimum}"
    if totals.newest_set:
        yield f"Cards up to {totals.newest_set}"


# JSON


def netrunnerdb_v2(deck: WrittenDeck) -> str:
    """Response of the v2 API: copies by printing code, including the identity."""
    cards = [*([deck.identity] if deck.identity else []), *deck.cards]
    decklist = {
        "name": deck.name,
        # NetrunnerDB stores HTML in this field.
        "description": html.escape(deck.notes, quote=False),
        "mwl_code": None,
        "cards": _copies_by_key(cards, lambda card: card.code),
    }
    answer = {"data": [decklist], "total": 1, "success": True, "version_number": "2.0"}
    return _write_json(answer)


def netrunnerdb_v3(deck: WrittenDeck) -> str:
    """Response of the v3 API: copies by card id, without printings."""
    identity = deck.identity
    attributes = {
        "name": deck.name,
        "notes": deck.notes,
        "side_id": deck.side,
        "identity_card_id": identity.card_id if identity else None,
        "faction_id": identity.faction if identity else None,
        "card_slots": _copies_by_key(deck.cards, lambda card: card.card_id),
        "num_cards": deck.size,
        "influence_spent": deck.totals.influence_spent,
    }
    return _write_json({"data": {"type": "decklists", "attributes": attributes}})


def meteor(deck: WrittenDeck) -> str:
    """Format of jinteki.net's predecessor: copies by slug."""
    entry = {
        "name": deck.name,
        "identity": _card_slug(deck.identity) if deck.identity else None,
        "entries": _copies_by_key(deck.cards, _card_slug),
    }
    return _write_json({"decks": [entry]})


def _copies_by_key(
    cards: Iterable[WrittenCard], key: Callable[[WrittenCard], str]
) -> dict[str, int]:
    copies: dict[str, int] = defaultdict(int)
    for card in cards:
        copies[key(card)] += card.quantity
    return dict(copies)


def _card_slug(card: WrittenCard) -> str:
    name = card.card_id.replace("_", " ") or folded_title(card.title)
    return name.replace(" ", "-")


def _write_json(answer: dict[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False, indent=2) + "\n"


# OCTGN (.o8d)


def octgn(deck: WrittenDeck) -> str:
    """Return the deck as XML, without its name: OCTGN shows the file name."""
    identity = [deck.identity] if deck.identity else []
    # "]]>" ends a CDATA section, so split it across two sections.
    notes = deck.notes.replace("]]>", "]]]]><![CDATA[>")
    lines = [
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
        f"<deck game={quoteattr(OCTGN_GAME)}>",
        *_section("Identity", identity),
        *_section("R&D / Stack", deck.cards),
        f"  <notes><![CDATA[{notes}]]></notes>",
        "</deck>",
    ]
    return "".join(f"{line}\n" for line in lines)


def _section(name: str, cards: Iterable[WrittenCard]) -> Iterator[str]:
    yield f"  <section name={quoteattr(name)}>"
    for card in cards:
        guid = quoteattr(f"{OCTGN_CARD}{card.code}")
        yield f'    <card qty="{card.quantity}" id={guid}>{escape(card.title)}</card>'
    yield "  </section>"


# All formats


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
        return _FORM_FACTS[self].label

    @property
    def suffix(self) -> str:
        return _FORM_FACTS[self].suffix

    @property
    def content_type(self) -> str:
        return _FORM_FACTS[self].content_type

    @property
    def is_for_people(self) -> bool:
        """The format can include cards that are not in the catalogue."""
        return self.suffix == ".txt"


class _FormFacts(NamedTuple):
    label: str
    write: Callable[[WrittenDeck], str]
    suffix: str
    content_type: str


_TEXT = (".txt", "text/plain; charset=utf-8")
_JSON = (".json", "application/json")
_FORM_FACTS = {
    ExportForm.NETRUNNERDB_TEXT: _FormFacts("NetrunnerDB text", netrunnerdb_text, *_TEXT),
    ExportForm.MARKDOWN: _FormFacts("Markdown", markdown, *_TEXT),
    ExportForm.BBCODE: _FormFacts("BBCode", bbcode, *_TEXT),
    ExportForm.JINTEKI: _FormFacts("jinteki.net", jinteki, *_TEXT),
    ExportForm.PLAIN_TEXT: _FormFacts("plain text", plain_text, *_TEXT),
    ExportForm.NETRUNNERDB_V2: _FormFacts("NetrunnerDB JSON (v2)", netrunnerdb_v2, *_JSON),
    ExportForm.NETRUNNERDB_V3: _FormFacts("NetrunnerDB JSON (v3)", netrunnerdb_v3, *_JSON),
    ExportForm.OCTGN: _FormFacts("OCTGN (.o8d)", octgn, ".o8d", "application/octgn"),
    ExportForm.METEOR: _FormFacts("Meteor JSON", meteor, *_JSON),
}


def export_forms_of(game: str) -> tuple[ExportForm, ...]:
    """Empty for a game without decks."""
    known = GAMES.get(game)
    return tuple(map(ExportForm, known.deck_forms)) if known else ()


def write_deck(form: ExportForm, deck: WrittenDeck) -> str:
    """Write the deck, with name and notes normalised so that all formats preserve them."""
    lines = plain_newlines(deck.notes).split("\n")
    notes = "\n".join(line.rstrip() for line in lines).strip()
    # XML forbids control characters, even escaped, and U+FFFE and U+FFFF.
    notes = re.sub(r"[\x00-\x08\x0b-\x1f\ufffe\uffff]", "\ufffd", notes)
    return _FORM_FACTS[form].write(replace(deck, name=clean(deck.name), notes=notes))
