import pytest

from decks.formats import plain_text
from decks.formats.deck_text import LineKind, canonical_list, list_seal
from tests.factories.decks import shipped_table

TITLE = "Bodyweight Data Crèche"


def only_line(text: str):
    (line,) = plain_text.read_plain_text(text).lines
    return line


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        (f"3 {TITLE}", 3),
        (f"3x {TITLE}", 3),
        (f"3X {TITLE}", 3),
        (f"3 x {TITLE}", 3),
        (f"3\u00d7 {TITLE}", 3),
        (f"x3 {TITLE}", 3),
        (f"(3) {TITLE}", 3),
        (f"3, {TITLE}", 3),
        (f"{TITLE} x3", 3),
        (f"{TITLE} x 3", 3),
        (f"{TITLE} \u00d73", 3),
        (f"{TITLE} - 3", 3),
        (f"{TITLE}, 3", 3),
        (f"{TITLE} (3)", 3),
        (TITLE, 1),
        (f"- 3 {TITLE}", 3),
        (f"\u2022 3 {TITLE}", 3),
        (f"* 3x {TITLE}", 3),
        (f"[ ] 3 {TITLE}", 3),
        (f"**3 x {TITLE}", 3),
        (f"  3\t{TITLE}  ", 3),
        (f"{TITLE}\t3", 3),
        (f"3 {TITLE} (v1.0)", 3),
        (f"3x {TITLE} [Proteus] \u2022\u2022\u2022", 3),
        (f"3x \u2658{TITLE} \u2022\u2022", 3),
        (f"3x \u2658 {TITLE} (Proteus) \u2022\u2022", 3),
        (f"{TITLE} (Classic) x3", 3),
        (f"{TITLE} x3 (Classic)", 3),
        (f"3 {TITLE} # the best", 3),
        (f"3 {TITLE} // the best", 3),
        (f"\ufeff3 {TITLE}", 3),
        (f"12 {TITLE}", 12),
        (f"0 {TITLE}", 0),
        (f"0x {TITLE}", 0),
        (f"-3 {TITLE}", -3),
        (f"\u22123 {TITLE}", -3),
        (f"{TITLE} x-1", -1),
    ],
)
def test_readings_of_a_typed_card(text, quantity):
    line = only_line(text)

    assert (line.kind, line.quantity, line.title) == (LineKind.CARD, quantity, TITLE)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("2 Fang 2.0", "Fang 2.0"),
        ("Fetch 4.0.1", "Fetch 4.0.1"),
        ("3 \u201cArmadillo\u201d Armored Road Home", '"Armadillo" Armored Road Home'),
        ("1 Do the \u2019Drine", "Do the 'Drine"),
        ("2 Core Command: Jettison Ice", "Core Command: Jettison Ice"),
        ("1 If You Want It Done Right...", "If You Want It Done Right..."),
        ("3 Bakdoor [TM]", "Bakdoor"),
        ("1 Deck", "Deck"),
        ("Artemis 2020", "Artemis 2020"),
        ("Artemis 2020 x2", "Artemis 2020"),
        ("Fang 2", "Fang 2"),
    ],
)
def test_odd_titles_stay_whole(text, title):
    assert only_line(text).title == title


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", LineKind.BLANK),
        (" \t ", LineKind.BLANK),
        ("# Stealth", LineKind.COMMENT),
        ("// 3 Fang 2.0", LineKind.COMMENT),
        (";; title: Stealth", LineKind.COMMENT),
        (";; identity:\u200b", LineKind.COMMENT),
        (";; identity-code: \ufeff", LineKind.COMMENT),
        ("Player: Ada", LineKind.COMMENT),
        ("Agenda points: 18", LineKind.COMMENT),
        ("Ice (12)", LineKind.HEADING),
        ("Programs: 9", LineKind.HEADING),
        ("Runner", LineKind.HEADING),
        ("CORP DECK", LineKind.HEADING),
        ("=== Ice ===", LineKind.HEADING),
        ("-----", LineKind.HEADING),
        ("45 cards", LineKind.HEADING),
        ("15/15 influence", LineKind.HEADING),
        ("20 / 21 agenda points", LineKind.HEADING),
        ("15/15 influencers", LineKind.CARD),
        ("```", LineKind.HEADING),
        ("3", LineKind.UNREADABLE),
        ("3x", LineKind.UNREADABLE),
        ("3x (Proteus)", LineKind.UNREADABLE),
        ("1. Fang 2.0", LineKind.UNREADABLE),
        ("1000 Fang 2.0", LineKind.UNREADABLE),
        ("-1000 Fang 2.0", LineKind.UNREADABLE),
        ("3 Fang\x07", LineKind.UNREADABLE),
        ("3 \u202eFang", LineKind.UNREADABLE),
    ],
)
def test_line_without_a_card_is_reported(text, kind):
    assert only_line(text).kind == kind


@pytest.mark.parametrize(
    ("text", "reason_text"),
    [("1000 Fang 2.0", "999"), ("1. Fang 2.0", "place in a list"), ("x" * 201, "201")],
)
def test_unreadable_line_has_a_reason(text, reason_text):
    assert reason_text in str(only_line(text).reason)


@pytest.mark.parametrize("text", ["My ice (12)", "== My ice ==", "My ice:", "**Fang 2.0**"])
def test_unknown_words_may_be_a_heading(text):
    assert only_line(text).maybe_heading


@pytest.mark.parametrize("game", ["onr", "anr"])
def test_no_title_is_a_heading_a_footer_or_a_comment(game):
    for card in shipped_table(game).cards:
        for text in (card.title, f"3 {card.title}", f"{card.title} x3"):
            line = only_line(text)
            assert line.kind == LineKind.CARD, text
            assert game == "anr" or not line.maybe_heading, text


def test_lines_have_the_numbers_of_the_text_box():
    deck = plain_text.read_plain_text("Ice\r\n3 Fang 2.0\r\r# end\n")

    assert [line.number for line in deck.lines] == [1, 2, 3, 4, 5]
    assert [line.number for line in deck.cards] == [2]


def test_limits_of_lists_and_lines():
    assert plain_text.read_plain_text("x" * (32 * 1024)).problem is None
    assert plain_text.read_plain_text("x" * (32 * 1024 + 1)).lines == ()
    assert "32,769" in str(plain_text.read_plain_text("x" * (32 * 1024 + 1)).problem)

    long = plain_text.read_plain_text("\n".join(["1 Fang 2.0"] * 401))
    assert len(long.lines) == 400
    assert "401 lines" in str(long.problem)
    assert len(only_line("3 " + "x" * 500).text) == 200


def test_order_and_split_lines_do_not_change_the_canonical_list():
    assert canonical_list([("b", 1), ("a", 2), ("b", 2)]) == (("a", 2), ("b", 3))


def test_seal_depends_on_game_side_and_cards():
    entries = [("fang 2.0", 3), ("bakdoor", 1)]
    first = list_seal("onr", "corp", entries)

    assert first == list_seal("onr", "corp", reversed(entries))
    assert first == "1bc62f13714e0d7d134464839665bdfdcba54348b899666ac9070cab233ef3c6"
    other_seals = {
        list_seal("onr", "runner", entries),
        list_seal("anr", "corp", entries),
        list_seal("onr", "corp", entries[:1]),
        list_seal("onr", "corp", [("fang 2.0", 2), ("bakdoor", 1)]),
    }
    assert len(other_seals) == 4
    assert first not in other_seals
