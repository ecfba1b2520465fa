import json

import pytest

from decks.formats import readers
from decks.formats.deck_text import list_seal
from decks.legality import deck_lines
from decks.legality.card_tables import CardTable
from decks.legality.records import CardFacts, PrintingFacts
from tests.decks.lists import resolved
from tests.factories.decks import shipped_table

NOISE = "Noise: Hacker Extraordinaire"
KATE = 'Kate "Mac" McCaffrey: Digital Tinker'


def breaches(text):
    deck, lines = resolved(text)
    return [*deck_lines.reading_breaches(deck, lines), *deck_lines.identity_breaches(lines)]


def only_breach(text):
    (breach,) = breaches(text)
    return breach


def test_known_title_without_a_number_is_not_reported_as_the_identity():
    (breach,) = (
        breach for breach in breaches("Sure Gamble\nNoise: Haker\n3 Diesel") if breach.line
    )

    assert (breach.code, breach.line) == ("unknown_identity", 2)


@pytest.mark.parametrize("line", [NOISE, f"1 {NOISE}", f"1x {NOISE} (Core Set)", f"{NOISE} x1"])
def test_identity_is_found_by_its_type_and_is_no_card_of_the_deck(line):
    for text in (f"{line}\n3 Sure Gamble", f"3 Sure Gamble\n{line}"):
        _, lines = resolved(text)

        assert deck_lines.listed_identity(lines).card.title == NOISE
        assert [slot.card.title for slot in deck_lines.card_slots(lines)] == ["Sure Gamble"]
        assert breaches(text) == []


def test_each_identity_fault_has_its_breach():
    rule = "Reading of lists: a deck has one identity, named by its full title"

    assert only_breach(f"3 Sure Gamble\n1 {NOISE}\n1 {KATE}").as_document() == {
        "code": "several_identities",
        "line": 2,
        "card": None,
        "rule": rule,
        "message": f"The list names 2 identities: {NOISE} (line 2); {KATE} (line 3).",
        "remedy": "Keep the line of the identity you play.",
    }
    assert only_breach(f"{NOISE}\n2 Diesel\n2 {NOISE}").as_document() == {
        "code": "quantity",
        "line": 3,
        "card": NOISE,
        "rule": rule,
        "message": f"3 copies of {NOISE}: a deck has its identity once.",
        "remedy": "Write it on one line, without a number of copies.",
    }
    assert only_breach("3 Sure Gamble").as_document() == {
        "code": "no_identity",
        "line": None,
        "card": None,
        "rule": rule,
        "message": "The list names no identity.",
        "remedy": "Write the full title of the identity on a line of its own.",
    }


def test_identity_that_differs_from_the_list_is_a_breach_of_its_line():
    identity = deck_lines.choose_identity(resolved(NOISE)[1], shipped_table("anr"), KATE)

    (breach,) = identity.breaches
    assert identity.card.title == KATE
    assert (breach.code, breach.line, breach.card) == ("other_identity", 1, NOISE)


@pytest.mark.parametrize("text", ["3 Sure Gamble", f"{NOISE}\n3 Sure Gamble\n1 {KATE}"])
def test_without_a_single_identity_the_deck_has_none(text):
    assert deck_lines.listed_identity(resolved(text)[1]) is None


@pytest.mark.parametrize("text", [f"0 {NOISE}\n3 Sure Gamble", f"3 {NOISE}"])
def test_copies_of_the_identity_are_a_single_breach(text):
    assert (only_breach(text).code, only_breach(text).card) == ("quantity", NOISE)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("Identity: Noise\n3 Sure Gamble", NOISE),
        (";; identity: Kate\n3 Sure Gamble", KATE),
        ("Noise\n3 Sure Gamble", NOISE),
        ("My deck\nKate Mac McCafrey: Digital Tinkerer (Core)\n\n3 Sure Gamble", KATE),
        ("my-deck\nNoyse: Hacker Extraordinary (Core Set)\n\n3 Sure Gamble", NOISE),
        (json.dumps({"identity_card_id": "noise", "card_slots": {"diesel": 1}}), NOISE),
        (";; identity-code: 99999\n3 Sure Gamble", ""),
        ("Identity: Sure Gamble\n3 Diesel", ""),
    ],
)
def test_unknown_identity_is_a_breach_with_the_nearest_identities(text, nearest):
    (breach,) = [breach for breach in breaches(text) if breach.code == "unknown_identity"]

    assert breach.line is not None
    titles = breach.remedy.removeprefix("Nearest titles: ").split(". ")[0].split("; ")
    assert len(titles) == 3
    assert {shipped_table("anr").find(title).type for title in titles} == {"identity"}
    assert not nearest or titles[0] == nearest
    assert not any(breach.code == "no_identity" for breach in breaches(text))


def test_misspelled_card_above_the_list_is_not_taken_for_the_identity():
    assert [breach.code for breach in breaches("Sure Gambel\n3 Diesel")] == [
        "unknown_card",
        "no_identity",
    ]


def test_game_without_identities_has_none():
    (breach,) = deck_lines.reading_breaches(*resolved("Identity: Fang\n2 Fang", "onr"))

    assert (breach.code, breach.line) == ("unknown_identity", 1)
    assert "no identities" in breach.remedy


@pytest.mark.parametrize(
    ("source", "code", "breach_text"),
    [
        ('{"cards": {\n"01001": 1,\n"99999": 3}}', "unknown_printing", '"99999"'),
        (
            '{"identity_card_id": "x",\n"card_slots": {\n"sure_gambel": 3}}',
            "unknown_card",
            "gambel",
        ),
        (
            '<deck>\n<section>\n<card qty="3" id="99999">Sure Gambel</card></section></deck>',
            "unknown_printing",
            "Sure Gambel",
        ),
    ],
)
def test_unknown_code_is_named_with_its_line(source, code, breach_text):
    deck, lines = resolved(source)
    (breach,) = [
        breach for breach in deck_lines.reading_breaches(deck, lines) if breach.code == code
    ]

    assert breach.line == 3
    assert breach_text in breach.message
    assert deck_lines.unread_copies(lines) == 3


@pytest.mark.parametrize(
    ("code", "title", "printing"), [("99999", "Sure Gamble", ""), ("01050", "Diesel", "01050")]
)
def test_known_code_takes_precedence_over_the_title_in_a_file(code, title, printing):
    source = f'<deck><section><card qty="3" id="{code}">{title}</card></section></deck>'
    _, lines = resolved(source)

    (slot,) = deck_lines.card_slots(lines)
    assert (slot.card.title, slot.printing) == ("Sure Gamble", printing)


def test_every_printing_leads_to_its_card():
    table = shipped_table("anr")
    for card in table.cards:
        assert table.by_card_id(card.card_id) is card
        assert table.by_card_id(card.card_id.replace("_", "-")) is card
        assert {table.by_code(printing.code) for printing in card.printings} == {card}


def test_seal_includes_the_identity_but_not_format_order_or_printing():
    v2 = '{"cards": {"01001": 1, "01050": 2, "20056": 1}}'
    v3 = '{"identity_card_id": "noise_hacker_extraordinaire", "card_slots": {"sure_gamble": 3}}'
    texts = [v2, v3, f"{NOISE}\n3 Sure Gamble", f"1 sure gamble\n1x {NOISE}\n2 Sure Gamble"]

    def sealed(text):
        _, lines = resolved(text)
        identity = deck_lines.listed_identity(lines).card.title_key
        return list_seal("anr", "runner", deck_lines.canonical_entries(lines), identity)

    assert len({sealed(text) for text in texts}) == 1
    assert sealed(f"{KATE}\n3 Sure Gamble") != sealed(texts[0])


def test_cards_of_the_same_folded_title_are_kept_apart_or_not_found():
    cards = [
        CardFacts(number, title, title.casefold(), "corp", "ice")
        for number, title in enumerate(["Foo", "Foo (v2)", "Foo 3"], start=1)
    ]
    table = CardTable(cards)

    def find_title(text):
        (line,) = deck_lines.resolve_lines(readers.read_deck(text), table)
        return line

    assert find_title("2 Foo (v2)").card is cards[1]
    assert find_title("2 Foo (Some Set)").card is cards[0]
    assert find_title("2 Foo 3").card is cards[2]
    assert find_title("Foo 3").fault.code == "unreadable_line"
    assert find_title("Foo 4").line.quantity == 4


def test_ambiguous_number_after_a_short_title_is_a_fault():
    printing = PrintingFacts("00001", "a_set", 3)
    card = CardFacts(1, "Foo 3", "foo 3", "corp", "ice", printings=(printing,))
    table = CardTable([card], aliases=[("Foo", card)])

    for text in ("Foo 3", "Foo 3 [id: 00001]"):
        (resolved_line,) = deck_lines.resolve_lines(readers.read_deck(text), table)
        assert resolved_line.fault.code == "unreadable_line"
        assert "numbers of copies" in resolved_line.fault.message
    (resolved_line,) = deck_lines.resolve_lines(readers.read_deck("2 Foo [id: 00001]"), table)
    assert (resolved_line.card, resolved_line.line.quantity, resolved_line.fault) == (card, 2, None)
