"""Text exports: NetrunnerDB, jinteki.net and plain text.

Source of the text export and of jinteki.net: INTEROP section 7.
"""

import re
from collections.abc import Iterable, Iterator

from decks.formats.writers.records import Totals, WrittenCard, WrittenDeck, pips

STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
CARD_PAGE = "https://netrunnerdb.com/en/card/"
# Mark of a restricted card.
KNIGHT = "\u2658"


def netrunnerdb_text(deck: WrittenDeck) -> str:
    """Render the text export of NetrunnerDB with CR LF line endings."""
    # Without an identity below it, the first line could be mistaken for a card.
    name = _slug(deck.name) if deck.identity else f"# {_slug(deck.name)}"
    lines = [name, *_identity_lines(deck)]
    for heading, cards in deck.sections():
        lines += ["", _heading(heading, cards), *map(_full_line, cards)]
    lines += ["", *deck.unread, *([""] if deck.unread else []), *_summary(deck)]
    return "\r\n".join(lines)


def jinteki(deck: WrittenDeck) -> str:
    """Render the jinteki.net export: metadata lines, then the cards with chosen printings.

    The notes have one metadata line for each line of text.
    """
    lines = [f";; title: {deck.name}"] if deck.name else []
    if deck.identity:
        if deck.identity.chosen:
            lines.append(f";; identity-code: {deck.identity.chosen}")
        lines.append(f";; identity: {deck.identity.title.translate(STRAIGHT)}")
    lines += [f";; notes: {line}".rstrip() for line in deck.notes.split("\n") if deck.notes]
    lines += ["", *map(_jinteki_line, deck.cards), *deck.unread]
    return _joined(lines)


def markdown(deck: WrittenDeck) -> str:
    """Render the Markdown export of NetrunnerDB. Each card links to the code of its printing."""
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
    """Render the BBCode export of NetrunnerDB for forums; links as in `markdown`."""
    lines: list[str] = []
    if deck.name:
        # Without an identity below it, the first line could be mistaken for a card.
        lines = [f"[b]{deck.name}[/b]" if deck.identity else f"# {deck.name}", ""]
    lines += [_bbcode_card(deck.identity)] if deck.identity else []
    for heading, cards in deck.sections():
        lines += ["", f"[b]{_heading(heading, cards)}[/b]"]
        lines += [f"{one.quantity}x {_bbcode_card(one)}{_influence_of(one)}" for one in cards]
    lines += ["", *deck.unread] if deck.unread else []
    return _joined([*lines, "", *_summary(deck)])


def plain(deck: WrittenDeck) -> str:
    """Render plain text: the name as a comment, the identity, and the cards under headings."""
    lines = [f"# {deck.name}"] if deck.name else []
    lines += [deck.identity.title] if deck.identity else []
    for heading, cards in deck.sections():
        lines += ["", _heading(heading, cards)]
        lines += [f"{card.quantity} {card.title}" for card in cards]
    lines += ["", *deck.unread] if deck.unread else []
    return _joined(lines)


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(lines).lstrip("\n") + "\n"


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9_]+", "-", name.lower()) or "deck"


def _heading(heading: str, cards: Iterable[WrittenCard]) -> str:
    return f"{heading} ({sum(card.quantity for card in cards)})"


def _identity_lines(deck: WrittenDeck) -> Iterator[str]:
    if deck.identity:
        yield f"{deck.identity.title}{_set_of(deck.identity)}"
    if deck.warning:
        yield f"Warning: {deck.warning}"


def _full_line(card: WrittenCard) -> str:
    knight = f" {KNIGHT}" if card.is_restricted else ""
    return f"{card.quantity}x {card.title}{_set_of(card)}{knight}{_influence_of(card)}"


def _set_of(card: WrittenCard) -> str:
    return f" ({card.set_name})" if card.set_name else ""


def _markdown_card(card: WrittenCard) -> str:
    set_name = f" _({card.set_name})_" if card.set_name else ""
    return f"[{card.title}]({CARD_PAGE}{card.code}){set_name}"


def _bbcode_card(card: WrittenCard) -> str:
    set_name = f" [i]({card.set_name})[/i]" if card.set_name else ""
    return f"[url={CARD_PAGE}{card.code}]{card.title}[/url]{set_name}"


def _influence_of(card: WrittenCard) -> str:
    return f" {pips(card.influence)}" if card.influence else ""


def _jinteki_line(card: WrittenCard) -> str:
    chosen = f" [id: {card.chosen}]" if card.chosen else ""
    return f"{card.quantity} {card.title.translate(STRAIGHT)}{chosen}"


def _summary(deck: WrittenDeck) -> Iterator[str]:
    totals = deck.totals
    if totals.influence_spent is not None:
        yield _influence_line(totals.influence_spent, totals.influence_limit)
    if totals.agenda_points is not None:
        yield f"{totals.agenda_points} agenda points{_agenda_range(totals)}"
    minimum = "" if totals.minimum_size is None else f" (min {totals.minimum_size})"
    yield f"{deck.size} cards{minimum}"
    if totals.newest_set:
        yield f"Cards up to {totals.newest_set}"


def _influence_line(spent: int, limit: int | None) -> str:
    if limit is None:
        return f"{spent} influence spent (max infinite, available infinite)"
    return f"{spent} influence spent (max {limit}, available {limit - spent})"


def _agenda_range(totals: Totals) -> str:
    if totals.agenda_minimum is None:
        return ""
    if totals.agenda_maximum is None:
        return f" (at least {totals.agenda_minimum})"
    return f" (between {totals.agenda_minimum} and {totals.agenda_maximum})"
