"""Exports of checked decks, and decks on pages."""

import datetime
import json
from typing import Any

import pytest

from decks import services
from decks.legality.records import AnrRules
from decks.legality.verdicts import DeckVerdict
from decks.models import Card
from decks.services import deck_for_export
from tests.queries import queries_of

pytestmark = pytest.mark.usefixtures("anr_cards")

DATE = datetime.date(2025, 9, 20)
STANDARD = AnrRules("standard")
PHOENIX = """;; title: Ninja looter
;; identity: Ryō "Phoenix" Ōno: Out of the Ashes
;; notes: Steal it all.
3 Sure Gamble [id: 20056]
3 Corroder
2 Docklands Pass
1 Hermes
"""
SHADOW_OF_1_2 = "Noise: Hacker Extraordinaire\n3 Desperado\n3 Parasite\n1 Clone Chip"


def check_text(text: str, rules: AnrRules = STANDARD, date: datetime.date = DATE) -> DeckVerdict:
    return services.check_deck(text, game="anr", rules=rules, date=date)


def export_text(text: str, form: str, **options: Any) -> str:
    file = services.export_deck(text, game="anr", form=form, rules=STANDARD, date=DATE, **options)
    return file.body.decode()


def test_netrunnerdb_text_shows_sets_influence_and_the_first_breach():
    lines = export_text(PHOENIX, "netrunnerdb_text").split("\r\n")

    verdict = check_text(PHOENIX)
    assert lines[0] == "ninja-looter"
    assert lines[1] == "Ryō “Phoenix” Ōno: Out of the Ashes (Elevation)"
    assert lines[2] == f"Warning: {verdict.breaches[0].message}"
    assert "3x Sure Gamble (Revised Core Set)" in lines
    assert lines[-4:] == [
        "",
        f"{verdict.influence_spent} influence spent "
        f"(max 17, available {17 - (verdict.influence_spent or 0)})",
        "9 cards (min 45)",
        "Cards up to Elevation",
    ]


def test_chosen_printing_is_exported_and_the_newest_by_default():
    (decklist,) = json.loads(export_text(PHOENIX, "netrunnerdb_v2"))["data"]

    assert decklist["cards"] == {
        "35001": 1,
        "20056": 3,
        "31006": 3,
        "30013": 2,
        "34014": 1,
    }
    assert (decklist["name"], decklist["description"]) == ("Ninja looter", "Steal it all.")


def test_exports_have_the_seal_of_the_deck():
    sealed = check_text(PHOENIX).seal

    for form, _ in services.export_form_choices("anr"):
        assert check_text(export_text(PHOENIX, form)).seal == sealed, form


def test_given_title_takes_precedence_over_the_name_in_the_list():
    file = services.export_deck(PHOENIX, game="anr", form="jinteki", title="Mine now")

    assert file.filename == "mine-now.txt"
    assert file.body.decode().startswith(";; title: Mine now\n")


def test_influence_of_two_printings_of_a_title_adds_up():
    text = f"{PHOENIX}1 Corroder [id: 01007]"

    deck = deck_for_export(check_text(text))

    shares = [card.influence for card in deck.cards if card.title == "Corroder"]
    assert shares == [0, 0]
    criminal = [card for card in deck.cards if card.title in ("Docklands Pass", "Hermes")]
    assert sum(card.influence for card in criminal) == check_text(text).influence_spent


def test_restricted_cards_are_marked_by_the_list_of_the_day():
    date = datetime.date(2018, 1, 1)
    verdict = check_text(SHADOW_OF_1_2, date=date)

    restricted = {card.title for card in deck_for_export(verdict).cards if card.is_restricted}

    text = services.export_verdict(verdict, "netrunnerdb_text").body.decode()
    marked = {line.split(" (")[0][3:] for line in text.split("\r\n") if "\u2658" in line}
    assert marked == restricted != set()


def test_unknown_format_is_refused_with_the_known_formats():
    with pytest.raises(
        services.FormNotOffered, match="Choose one of these formats: netrunnerdb_text"
    ):
        services.export_deck(PHOENIX, game="anr", form="pdf")
    with pytest.raises(services.FormNotOffered, match="formats: none"):
        services.export_deck("", game="free_radicals", form="jinteki")


def test_formats_with_codes_refuse_unknown_cards():
    text = f"{PHOENIX}2 No Such Card At All"

    with pytest.raises(services.CardsNotKnown, match="2 No Such Card At All"):
        export_text(text, "octgn")
    assert "2 No Such Card At All" in export_text(text, "jinteki").splitlines()


@pytest.mark.parametrize(
    "line", ["2 Diesel [id: 01050]", "0 Diesel", "Chaos Theory: Wünderkind", "3 [id: 99999]"]
)
def test_faulty_lines_are_exported(line: str):
    text = f"{PHOENIX}{line}"

    with pytest.raises(services.CardsNotKnown, match="some lines of this list name no known card"):
        export_text(text, "netrunnerdb_v3")
    for form in ("netrunnerdb_text", "jinteki", "plain_text"):
        assert check_text(export_text(text, form)).seal == check_text(text).seal


def test_unknown_entry_of_a_file_is_written_as_a_typed_line():
    document = json.loads(export_text(PHOENIX, "netrunnerdb_v2"))
    document["data"][0]["cards"]["99999"] = 2

    assert "2 [id: 99999]" in export_text(json.dumps(document), "plain_text").splitlines()


def test_unknown_code_beside_a_title_is_omitted():
    text = f"{PHOENIX}2 Diesel [id: 99999]"

    (decklist,) = json.loads(export_text(text, "netrunnerdb_v2"))["data"]

    assert "99999" not in decklist["cards"]
    assert sum(decklist["cards"].values()) == 12


def test_page_shows_faction_and_use_of_influence():
    deck = services.deck_view(check_text(PHOENIX))

    assert (deck.title, deck.faction) == ("Ninja looter", "Anarch")
    assert dict(deck.influence) == {"Criminal": check_text(PHOENIX).influence_spent}
    assert all(entry.address for group in deck.composition.groups for entry in group.entries)


def test_page_of_many_cards_costs_no_more_queries(anr_titles: list[str]):
    small_deck = check_text(PHOENIX)
    large_deck = check_text(PHOENIX + "\n".join(f"1 {title}" for title in anr_titles))
    services.deck_view(small_deck)

    def queries(verdict: DeckVerdict) -> int:
        return queries_of(services.deck_view, verdict)

    assert len(large_deck.slots) > 100
    assert queries(small_deck) == queries(large_deck) <= 3


@pytest.fixture
def anr_titles(anr_cards: None) -> list[str]:
    """150 titles of Runner cards."""
    cards = Card.objects.filter(game="anr", side="runner").exclude(type="identity")
    return list(cards.values_list("title", flat=True)[:150])
