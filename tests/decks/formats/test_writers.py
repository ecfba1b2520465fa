"""Exact text of exports; test_round_trips.py parses them again."""

import json
import xml.etree.ElementTree as ElementTree

import pytest

from decks.formats.writers import (
    DeckTotals,
    ExportForm,
    WrittenCard,
    WrittenDeck,
    export_forms_of,
    influence_pips,
    write_deck,
)

IDENTITY = WrittenCard(
    "Noise: Hacker Extraordinaire",
    type="identity",
    card_id="noise_hacker_extraordinaire",
    latest="01001",
    set_name="Core Set",
    faction="anarch",
)
SURE_GAMBLE = WrittenCard(
    "Sure Gamble", 3, "event", card_id="sure_gamble", latest="30029", set_name="System Gateway"
)
DJINN = WrittenCard(
    "Djinn", 2, "program", "Daemon", "djinn", "01009", "20010", "Core Set", "anarch"
)
CORRODER = WrittenCard(
    "Corroder",
    2,
    "program",
    "Icebreaker - Fracter",
    "corroder",
    latest="33009",
    set_name="Core 2019",
    influence=4,
)
INSIDE_JOB = WrittenCard(
    "Inside Job",
    3,
    "event",
    "Run",
    "inside_job",
    latest="30004",
    set_name="System Gateway",
    influence=9,
    is_restricted=True,
)
DECK = WrittenDeck(
    side="runner",
    cards=(DJINN, SURE_GAMBLE, CORRODER, INSIDE_JOB),
    identity=IDENTITY,
    name="My  first deck: Noise!",
    notes="Mill them.\r\nOr not ]]> <b>& so on</b>",
    totals=DeckTotals(
        influence_spent=13, influence_limit=15, minimum_size=45, newest_set="System Gateway"
    ),
)
CORP = WrittenDeck(side="corp", cards=(), totals=DeckTotals(0, None, 18, 20, 21, 45))


def ice(title: str, subtypes: str) -> WrittenCard:
    return WrittenCard(title, 1, "ice", subtypes)


def test_netrunnerdb_text_is_written_line_by_line():
    text = write_deck(ExportForm.NETRUNNERDB_TEXT, DECK)

    assert text.split("\r\n") == [
        "my-first-deck-noise-",
        "Noise: Hacker Extraordinaire (Core Set)",
        "",
        "Event (6)",
        "3x Sure Gamble (System Gateway)",
        "3x Inside Job (System Gateway) ♘ ••••• ••••",
        "",
        "Icebreaker (2)",
        "2x Corroder (Core 2019) ••••",
        "",
        "Program (2)",
        "2x Djinn (Core Set)",
        "",
        "13 influence spent (max 15, available 2)",
        "10 cards (min 45)",
        "Cards up to System Gateway",
    ]


def test_warning_follows_the_identity():
    warned = WrittenDeck("runner", (), IDENTITY, warning="10 cards are too few.")

    lines = write_deck(ExportForm.NETRUNNERDB_TEXT, warned).split("\r\n")

    identity = "Noise: Hacker Extraordinaire (Core Set)"
    assert lines[:3] == ["deck", identity, "Warning: 10 cards are too few."]


def test_corp_deck_without_an_identity_or_a_limit():
    lines = write_deck(ExportForm.NETRUNNERDB_TEXT, CORP).split("\r\n")

    assert lines[0] == "# deck"
    assert "0 influence spent (max infinite, available infinite)" in lines
    assert "18 agenda points (between 20 and 21)" in lines


@pytest.mark.parametrize(
    ("subtypes", "heading"),
    [
        ("Barrier - Bioroid", "Barrier"),
        ("Code Gate - AP", "Code Gate"),
        ("Sentry - Code Gate - Barrier", "Sentry"),
        ("Barrier - Code Gate", "Code Gate"),
        ("Trap", "Ice"),
        ("", "Ice"),
    ],
)
def test_ice_is_grouped_by_the_last_subtype_that_applies(subtypes: str, heading: str):
    deck = WrittenDeck("corp", (ice("Wall of Something", subtypes),))

    assert f"{heading} (1)" in write_deck(ExportForm.NETRUNNERDB_TEXT, deck).split("\r\n")


def test_headings_are_in_the_usual_order():
    corp = ("operation", "upgrade", "asset", "agenda")
    cards = (
        ice("A", "Trap"),
        ice("B", "Sentry"),
        ice("C", "Code Gate"),
        ice("D", "Barrier"),
        *(WrittenCard(type_, 1, type_) for type_ in corp),
    )

    lines = write_deck(ExportForm.PLAIN_TEXT, WrittenDeck("corp", cards)).splitlines()

    headings = [line.removesuffix(" (1)") for line in lines if line.endswith(")")]
    assert ", ".join(headings) == (
        "Agenda, Asset, Upgrade, Operation, Barrier, Code Gate, Sentry, Ice"
    )


@pytest.mark.parametrize(
    ("influence", "marks"),
    [(0, ""), (1, "•"), (5, "•••••"), (6, "••••• •"), (10, "••••• •••••"), (12, "••••• ••••• ••")],
)
def test_influence_is_written_as_bullets_in_fives(influence: int, marks: str):
    assert influence_pips(influence) == marks


def test_jinteki_export_has_metadata_and_the_chosen_printings():
    assert write_deck(ExportForm.JINTEKI, DECK).splitlines() == [
        ";; title: My first deck: Noise!",
        ";; identity: Noise: Hacker Extraordinaire",
        ";; notes: Mill them.",
        ";; notes: Or not ]]> <b>& so on</b>",
        "",
        "2 Djinn [id: 01009]",
        "3 Sure Gamble",
        "2 Corroder",
        "3 Inside Job",
    ]


def test_jinteki_export_has_straight_quotes_and_the_code_of_a_chosen_identity_first():
    loup = WrittenCard("René “Loup” Arcemont: Party Animal", chosen="33028", type="identity")
    chest = WrittenCard("The Wizard’s Chest", 1)

    text = write_deck(ExportForm.JINTEKI, WrittenDeck("runner", (chest,), loup))

    assert text.splitlines() == [
        ";; identity-code: 33028",
        ';; identity: René "Loup" Arcemont: Party Animal',
        "",
        "1 The Wizard's Chest",
    ]


def test_plain_list_has_the_name_as_a_comment():
    assert write_deck(ExportForm.PLAIN_TEXT, DECK).splitlines() == [
        "# My first deck: Noise!",
        "Noise: Hacker Extraordinaire",
        "",
        "Event (6)",
        "3 Sure Gamble",
        "3 Inside Job",
        "",
        "Icebreaker (2)",
        "2 Corroder",
        "",
        "Program (2)",
        "2 Djinn",
    ]


def test_markdown_links_each_card_to_its_printing():
    assert write_deck(ExportForm.MARKDOWN, DECK).splitlines() == [
        "## My first deck: Noise!",
        "",
        "[Noise: Hacker Extraordinaire](https://netrunnerdb.com/en/card/01001) _(Core Set)_",
        "",
        "### Event (6)",
        "* 3x [Sure Gamble](https://netrunnerdb.com/en/card/30029) _(System Gateway)_",
        "* 3x [Inside Job](https://netrunnerdb.com/en/card/30004) _(System Gateway)_ ••••• ••••",
        "",
        "### Icebreaker (2)",
        "* 2x [Corroder](https://netrunnerdb.com/en/card/33009) _(Core 2019)_ ••••",
        "",
        "### Program (2)",
        "* 2x [Djinn](https://netrunnerdb.com/en/card/01009) _(Core Set)_",
        "",
        "13 influence spent (max 15, available 2)  ",
        "10 cards (min 45)  ",
        "Cards up to System Gateway  ",
    ]


def test_bbcode_links_each_card_to_its_printing():
    lines = write_deck(ExportForm.BBCODE, DECK).splitlines()

    assert lines[0] == "[b]My first deck: Noise![/b]"
    assert "[b]Event (6)[/b]" in lines
    assert (
        "3x [url=https://netrunnerdb.com/en/card/30004]Inside Job[/url] [i](System Gateway)[/i]"
        " ••••• ••••" in lines
    )


def test_version_2_names_printings_and_includes_the_identity():
    answer = json.loads(write_deck(ExportForm.NETRUNNERDB_V2, DECK))

    (decklist,) = answer["data"]
    assert answer["success"] is True
    assert decklist["cards"] == {"01001": 1, "01009": 2, "30029": 3, "33009": 2, "30004": 3}
    assert decklist["description"] == "Mill them.\nOr not ]]&gt; &lt;b&gt;&amp; so on&lt;/b&gt;"
    twice = WrittenDeck("runner", (SURE_GAMBLE, SURE_GAMBLE))
    (decklist,) = json.loads(write_deck(ExportForm.NETRUNNERDB_V2, twice))["data"]
    assert decklist["cards"] == {"30029": 6}


def test_version_3_names_cards_and_has_a_separate_identity():
    attributes = json.loads(write_deck(ExportForm.NETRUNNERDB_V3, DECK))["data"]["attributes"]

    assert attributes["identity_card_id"] == "noise_hacker_extraordinaire"
    assert attributes["card_slots"] == {
        "djinn": 2,
        "sure_gamble": 3,
        "corroder": 2,
        "inside_job": 3,
    }
    assert (attributes["num_cards"], attributes["influence_spent"]) == (10, 13)
    assert (attributes["side_id"], attributes["faction_id"]) == ("runner", "anarch")


def test_octgn_file_is_valid_xml_whatever_the_notes_contain():
    root = ElementTree.fromstring(write_deck(ExportForm.OCTGN, DECK))  # noqa: S314 - our own

    identity, stack = root.findall("section")
    assert root.attrib["game"] == "0f38e453-26df-4c04-9d67-6d43de939c77"
    assert (identity.attrib["name"], stack.attrib["name"]) == ("Identity", "R&D / Stack")
    (card,) = identity
    assert card.attrib == {"qty": "1", "id": "bc0f047c-01b1-427f-a439-d451eda01001"}
    assert [(card.text, card.attrib["qty"]) for card in stack] == [
        ("Djinn", "2"),
        ("Sure Gamble", "3"),
        ("Corroder", "2"),
        ("Inside Job", "3"),
    ]
    assert root.findtext("notes") == "Mill them.\nOr not ]]> <b>& so on</b>"


def test_meteor_names_cards_by_slug():
    (deck,) = json.loads(write_deck(ExportForm.METEOR, DECK))["decks"]

    assert deck["identity"] == "noise-hacker-extraordinaire"
    assert deck["entries"]["sure-gamble"] == 3


def test_forbidden_characters_are_replaced():
    deck = WrittenDeck("runner", (), name="a\nb", notes="ring \x07 the bell\x00")

    root = ElementTree.fromstring(write_deck(ExportForm.OCTGN, deck))  # noqa: S314 - our own

    assert root.findtext("notes") == "ring \ufffd the bell\ufffd"
    assert write_deck(ExportForm.PLAIN_TEXT, deck) == "# a b\n"


def test_unknown_lines_stay_in_text_formats():
    deck = WrittenDeck("runner", (SURE_GAMBLE,), unread=("2 Sure Gambel",))

    for form in filter(lambda form: form.is_for_people, ExportForm):
        assert "2 Sure Gambel" in write_deck(form, deck)


def test_cards_without_codes_have_formats_without_codes():
    assert set(export_forms_of("anr")) == set(ExportForm)
    assert set(export_forms_of("onr")) == {ExportForm.PLAIN_TEXT, ExportForm.METEOR}
    assert export_forms_of("free_radicals") == ()
