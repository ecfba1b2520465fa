"""Parse JSON decklists: NetrunnerDB v2 and v3, and meteor.

Source: INTEROP sections 4, 5 and 7. A deck is recognised by its keys, alone or inside any of the
wrappers used by common programs.
"""

from collections.abc import Iterator, Sequence

from decks.formats import entries, html_text
from decks.formats.deck_text import DeckLine, DeckText, ListForm
from decks.formats.json_source import BrokenJson, Node, parse

NO_DECK = (
    "The JSON is not an Android: Netrunner deck: it has none of the keys cards, card_slots and"
    " entries."
)
ONE_DECK = "Export the one deck you play, and hand in that file."
MOST_NAMED = 5


def read(source: str) -> DeckText:
    """Parse the deck in the JSON. Never raises; `problem` explains a failure."""
    try:
        document = parse(source)
    except BrokenJson as broken:
        return entries.problem(source, _form_by_words(source), str(broken))
    if failure := _failure(document):
        return entries.problem(source, ListForm.NETRUNNERDB_V2, failure)
    decks = list(_decks(document))
    if len(decks) == 1:
        return _READERS[_form_of(decks[0])](source, decks[0])
    if decks:
        return entries.problem(source, _form_of(decks[0]), _several(decks), ONE_DECK)
    return entries.problem(source, _form_by_words(source), NO_DECK)


def _decks(node: Node, wrappings: int = 4) -> Iterator[Node]:
    """Yield every deck in the document. A wrapper is a list, or an object without deck keys."""
    if any(key in node.members for key in ("cards", "card_slots", "entries")):
        yield node
    elif wrappings:
        inner = (node.members.get(key) for key in ("data", "attributes", "decks"))
        for one in (*node.elements, *(one for one in inner if one is not None)):
            yield from _decks(one, wrappings - 1)


def _form_of(deck: Node) -> ListForm:
    if "card_slots" in deck.members:
        return ListForm.NETRUNNERDB_V3
    if "cards" in deck.members:
        is_third = "identity_card_id" in deck.members
        return ListForm.NETRUNNERDB_V3 if is_third else ListForm.NETRUNNERDB_V2
    return ListForm.METEOR


def _form_by_words(source: str) -> ListForm:
    if '"card_slots"' in source or '"identity_card_id"' in source:
        return ListForm.NETRUNNERDB_V3
    return ListForm.METEOR if '"entries"' in source else ListForm.NETRUNNERDB_V2


def _failure(document: Node) -> str:
    """Return a NetrunnerDB error: v2 {success: false, msg}, v3 {errors: [...]}."""
    success, errors = document.members.get("success"), document.members.get("errors")
    if success is not None and success.value is not True:
        said = _text(document, "msg") or _text(document, "message")
    elif errors is not None and errors.elements:
        said = _text(errors.elements[0], "detail") or _text(errors.elements[0], "title")
    else:
        return ""
    reason = f": {said[:200].rstrip('.')}." if said else ", without a reason."
    return f"This is not a deck but an error from NetrunnerDB{reason}"


def _several(decks: Sequence[Node]) -> str:
    names = [_text(deck, "name")[:60] or "one without a name" for deck in decks[:MOST_NAMED]]
    more = len(decks) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more else "")
    return f"The file holds {len(decks)} decks: {listed}."


def _netrunnerdb_v2(source: str, deck: Node) -> DeckText:
    cards = deck.members["cards"]
    if not _is_object(cards):
        return _no_object(source, ListForm.NETRUNNERDB_V2, cards, "cards")
    lines = [
        entries.entry(node.line, node.source, node.value, printing=code)
        for code, node in cards.members.items()
    ]
    notes = html_text.words_of(_text(deck, "description"))
    name = _text(deck, "name")
    return entries.deck_text(source, ListForm.NETRUNNERDB_V2, lines, name=name, notes=notes)


def _netrunnerdb_v3(source: str, deck: Node) -> DeckText:
    key = "card_slots" if "card_slots" in deck.members else "cards"
    if not _is_object(deck.members[key]):
        return _no_object(source, ListForm.NETRUNNERDB_V3, deck.members[key], key)
    lines = _by_card_id(deck, "identity_card_id", key)
    name, notes = _text(deck, "name"), _text(deck, "notes")
    return entries.deck_text(source, ListForm.NETRUNNERDB_V3, lines, name=name, notes=notes)


def _meteor(source: str, deck: Node) -> DeckText:
    if not _is_object(deck.members["entries"]):
        return _no_object(source, ListForm.METEOR, deck.members["entries"], "entries")
    lines = _by_card_id(deck, "identity", "entries")
    return entries.deck_text(source, ListForm.METEOR, lines, name=_text(deck, "name"))


_READERS = {
    ListForm.NETRUNNERDB_V2: _netrunnerdb_v2,
    ListForm.NETRUNNERDB_V3: _netrunnerdb_v3,
    ListForm.METEOR: _meteor,
}


def _by_card_id(deck: Node, identity_key: str, cards_key: str) -> list[DeckLine]:
    """Return the identity, if given, and the cards; the identity among the cards is a remark."""
    lines = []
    identity = _text(deck, identity_key)
    if identity:
        node = deck.members[identity_key]
        made = entries.entry(node.line, node.source, 1, card_id=identity, is_identity=True)
        lines.append(made)
    for card_id, node in deck.members[cards_key].members.items():
        if identity and card_id == identity:
            lines.append(entries.remark(node.line, node.source))
        else:
            lines.append(entries.entry(node.line, node.source, node.value, card_id=card_id))
    return lines


def _is_object(cards: Node) -> bool:
    # PHP serialises an empty object as an empty list.
    return isinstance(cards.value, dict) or cards.value in ([], None)


def _no_object(source: str, form: ListForm, cards: Node, key: str) -> DeckText:
    reason = f"In line {cards.line}, {key} is no object of cards with their numbers of copies."
    return entries.problem(source, form, reason)


def _text(node: Node, key: str) -> str:
    found = node.members.get(key)
    return found.text if found is not None else ""
