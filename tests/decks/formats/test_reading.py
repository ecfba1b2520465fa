import pytest

from decks.formats import readers
from decks.formats.deck_text import DeckTextFormat, LineKind

V2 = '{"cards": {"01001": 1, "01050": 3}}'
OCTGN = '<deck><section name="R"><card qty="3" id="">Fang</card></section></deck>'


@pytest.mark.parametrize(
    ("source", "form"),
    [
        ("3 Sure Gamble", DeckTextFormat.PLAIN_TEXT),
        ("[ ] 3 Sure Gamble", DeckTextFormat.PLAIN_TEXT),
        ("[x] 3 Sure Gamble", DeckTextFormat.PLAIN_TEXT),
        ("[3] Sure Gamble", DeckTextFormat.PLAIN_TEXT),
        ("", DeckTextFormat.PLAIN_TEXT),
        (V2, DeckTextFormat.NETRUNNERDB_V2),
        (f"\ufeff\r\n {V2}", DeckTextFormat.NETRUNNERDB_V2),
        (f"[{V2}]", DeckTextFormat.NETRUNNERDB_V2),
        ('{"card_slots": {"sure_gamble": 3}}', DeckTextFormat.NETRUNNERDB_V3),
        ('{"decks": [{"entries": {"sure-gamble": 3}}]}', DeckTextFormat.METEOR),
        (OCTGN, DeckTextFormat.OCTGN),
        (f'\ufeff\n<?xml version="1.0" encoding="UTF-8"?>{OCTGN}', DeckTextFormat.OCTGN),
    ],
)
def test_format_is_detected_by_content(source, form):
    deck = readers.read_deck(source)

    assert (deck.form, deck.problem) == (form, None)


@pytest.mark.parametrize(
    ("source", "problem_text"),
    [
        ('{"cards": {"01001": 1,}}', "line 1, column 23: a name in quotation marks is missing"),
        ('{"cards": {\n"01001": 1\n"01050": 3}}', "line 3, column 1: a comma or } is missing"),
        ('{"cards": {"01001" 1}}', 'column 20: a colon behind "01001" is missing'),
        ('{"cards": {"01001": NaN}}', "a value is missing"),
        ('{"cards": {"01001": 1', "a comma or } is missing"),
        ('{"cards', "a text is not closed"),
        ('{"cards": {"01001": 1, "01001": 2}}', '"01001" appears twice'),
        (f'{{"cards": {{"01001": {"9" * 5000}}}}}', "a number has more than 18"),
        (f"{V2} 3 Sure Gamble", "there is text after the end"),
        ("[" * 100_000, "more than 20 deep"),
        ('{"a":' * 21 + "1" + "}" * 21, "more than 20 deep"),
        ('{"a": [' + "1," * 400_000 + "1]}", "800,010 characters"),
        ('{"a": [' + "1," * 200_000 + "1]}", "more than 10,000 values"),
        ("{}", "not an Android: Netrunner deck"),
        ("[]", "not an Android: Netrunner deck"),
        ('{"data": [], "success": true}', "not an Android: Netrunner deck"),
        ('{"cards": {}}', "no cards"),
        ('{"cards": []}', "no cards"),
        ('{"cards": ["01001"]}', "no object of cards"),
        ('{"card_slots": 3}', "no object of cards"),
        ('{"entries": "x"}', "no object of cards"),
        ('{"success": false, "msg": "No such deck."}', "an error from NetrunnerDB: No such deck."),
        ('{"success": false}', "without a reason"),
        ('{"errors": [{"title": "Record not found"}]}', "from NetrunnerDB: Record not found."),
        ("<deck>", "broken in line 1"),
        ("\n\n<deck><card></deck>", "broken in line 3"),
        ("<html><body>Not found</body></html>", "not an OCTGN deck"),
        ("<deck/>", "no cards"),
        ('<!DOCTYPE deck [<!ENTITY a "b">]><deck>&a;</deck>', "declares entities"),
        ('<!DOCTYPE deck SYSTEM "file:///etc/passwd"><deck/>', "declares entities"),
        ("<deck>&nbsp;</deck>", "broken"),
        ("<deck>" * 21, "more than 20 deep"),
        ("<deck>" + "<a/>" * 10_001 + "</deck>", "more than 10,000 elements"),
        ("<deck>" + " " * 600_000 + "</deck>", "at most 524,288 are allowed"),
        ("x" * 600_000, "600,000"),
    ],
)
def test_unreadable_file_has_a_problem_and_no_lines(source, problem_text):
    deck = readers.read_deck(source)

    assert problem_text in str(deck.problem)
    assert str(deck.problem).endswith(".")
    assert (deck.lines, bool(deck.remedy)) == ((), True)


def test_several_decks_in_one_file_are_named():
    deck = readers.read_deck('{"data": [{"name": "A", "cards": {}}, {"name": "", "cards": {}}]}')

    assert str(deck.problem) == "The file holds 2 decks: A, one without a name."
    assert "the one deck you play" in str(deck.remedy)
    decks = ",".join(f'{{"name": "Deck {number}", "entries": {{}}}}' for number in range(9))
    assert str(readers.read_deck(f'{{"decks": [{decks}]}}').problem).endswith("Deck 4 and 4 more.")


def test_file_with_too_many_entries_is_not_read_to_the_end():
    cards = ",".join(f'"{number:05}": 1' for number in range(401))
    deck = readers.read_deck(f'{{"cards": {{{cards}}}}}')

    assert len(deck.lines) == 400
    assert "401 entries" in str(deck.problem)


@pytest.mark.parametrize("quantity", ['"3"', "2.5", "true", "null", "[]", "{}", "1e999", "1000"])
def test_entry_without_a_whole_number_of_copies_is_unreadable(quantity):
    deck = readers.read_deck(f'{{"cards": {{\n"01001": 1,\n"01050": {quantity}}}}}')

    assert [line.kind for line in deck.lines] == [LineKind.CARD, LineKind.UNREADABLE]
    assert (deck.lines[1].number, deck.problem) == (3, None)
    assert '"01050"' in str(deck.lines[1].reason)


@pytest.mark.parametrize(("written", "expected"), [("0", 0), ("-2", -2), ("3.0", 3)])
def test_zero_copies_are_read_and_left_to_the_deck_check(written, expected):
    (line,) = readers.read_deck(f'{{"cards": {{"01050": {written}}}}}').lines

    assert line.quantity == expected


def test_entry_with_an_unprintable_name_is_unreadable():
    names = ["\\u0007", "\\u202e", "", "x" * 300]
    cards = ",".join(f'"{name}": 1' for name in names)

    lines = readers.read_deck(f'{{"cards": {{{cards}}}}}').lines

    assert {line.kind for line in lines} == {LineKind.UNREADABLE}


def test_result_has_no_characters_that_databases_reject():
    source = '{"name": "a\\u0000b\\ud800", "notes": "\\ud800", "card_slots": {"x\\ud800": 1}}\0'
    deck = readers.read_deck(source.removesuffix("\0"))

    for text in (deck.name, deck.notes, deck.lines[0].card_id):
        assert text.encode()
        assert "\0" not in text
