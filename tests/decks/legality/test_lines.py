import pytest

from decks.formats.deck_text import DeckLine, DeckText, LineKind, LineReading
from decks.legality import deck_lines, onr
from decks.legality.records import OnrRules
from decks.legality.verdicts import line_verdicts
from tests.decks.lists import resolved
from tests.factories.decks import shipped_table


def faults(text):
    return list(deck_lines.reading_breaches(*resolved(text, "onr")))


def test_unknown_title_is_a_breach_with_its_line_and_three_titles():
    (breach,) = faults("1 Fang\n3 Bodywait Data Creche")

    assert (breach.code, breach.line) == ("unknown_card", 2)
    assert breach.message == 'No card is called "Bodywait Data Creche".'
    assert breach.remedy.startswith("Nearest titles: Bodyweight Data Cr\u00e8che; ")
    assert breach.remedy.count(";") == 2


def test_zero_copies_are_a_breach_and_add_no_card():
    deck, lines = resolved("0 Fang\n-2 Tycho Extension\n1 Bakdoor\n0 Nonsense", "onr")

    breaches = [(breach.code, breach.line) for breach in deck_lines.reading_breaches(deck, lines)]
    assert breaches == [("quantity", 1), ("quantity", 2), ("quantity", 4)]
    assert [slot.card.title for slot in deck_lines.card_slots(lines)] == ["Bakdoor"]


def test_identity_repeated_among_the_cards_counts_once():
    title = "Jinteki: Restoring Humanity"
    identity_line = DeckLine(1, title, LineKind.CARD, 1, title, is_identity=True)
    card_line = DeckLine(2, f"1 {title}", LineKind.CARD, 1, title)
    lines = deck_lines.resolve_lines(DeckText("", (identity_line, card_line)), shipped_table("anr"))

    assert [line.is_identity for line in lines] == [True, False]
    assert lines[1].fault is None


def test_first_of_two_equally_long_readings_applies():
    line = DeckLine(1, "3 Fang", LineKind.CARD, 3, "Fang", others=(LineReading(3, "FANG"),))
    (resolved_line,) = deck_lines.resolve_lines(DeckText("", (line,)), shipped_table())

    assert resolved_line.card is not None
    assert (resolved_line.line.quantity, resolved_line.line.title) == (3, "Fang")


def test_unreadable_line_is_a_breach():
    (breach,) = faults("1. Fang")

    assert (breach.code, breach.line) == ("unreadable_line", 1)


@pytest.mark.parametrize("line", ["3 Fnag {}", "Identity: Nois {}", "Identity: Sure Gamble"])
def test_nearest_titles_are_looked_up_for_the_first_forty_faulty_lines(line):
    text = "\n".join(line.format(number) for number in range(50))
    _, lines = resolved(text)
    remedies = [line.fault.remedy for line in lines]

    assert [remedy.startswith("Nearest titles: ") for remedy in remedies] == [True] * 40 + [
        False
    ] * 10
    assert "first 40 faulty lines only" in remedies[40]


def test_list_too_long_is_a_breach():
    (breach,) = faults("\n" * 400)

    assert (breach.code, breach.line) == ("list_too_long", None)


def test_title_with_a_count_is_a_card_and_other_words_are_a_heading():
    _, lines = resolved("Tycho Extension (3)\nMy stuff (4)\n**Fang**\nMy ice:", "onr")

    slots = [(slot.card.title, slot.quantity) for slot in deck_lines.card_slots(lines)]
    assert slots == [("Tycho Extension", 3), ("Fang", 1)]
    assert [line.fault for line in lines] == [None] * 4


def test_misspelled_title_with_a_count_is_not_taken_for_a_heading():
    assert [breach.code for breach in faults("Tycho Extention (3)")] == ["unknown_card"]


def test_every_line_has_its_verdict():
    text = "Runner\n3 Bakdoor\n2 Tycho Extension\n1 Nonsense here\n0 Bakdoor\n\n1. Fang"
    _, lines = resolved(text, "onr")
    slots = deck_lines.card_slots(lines)
    verdicts = line_verdicts(lines, list(onr.onr_breaches("runner", slots, OnrRules())))

    assert [line.verdict for line in verdicts] == [
        *("note", "ok", "breach", "unknown", "breach", "note", "unknown")
    ]
    assert verdicts[1].texts == ()
    assert "Corp card" in verdicts[2].as_document()["message"]
    assert verdicts[3].card is None
    assert verdicts[3].quantity == 1
    assert verdicts[6].quantity is None
