import datetime
import hashlib
from functools import partial
from unittest.mock import patch

import pytest

from decks import services
from decks.catalogue import card_table
from decks.formats import plain_text
from decks.legality import anr_construction, anr_formats
from decks.legality.records import AnrRules, OnrRules
from decks.models import Card, Catalogue, Decklist
from players.models import Player
from tests.decks.lists import RESTORING_TEXT
from tests.factories.decks import legal_corp_list, legal_runner_list

pytestmark = pytest.mark.usefixtures("cards")


@pytest.fixture
def store(cards):
    """A function that checks a list and stores it for a player."""
    player = Player.objects.create(name="Ada")

    def store_list(text, side="corp", rules=None):
        verdict = services.check_deck(text, side=side, rules=rules)
        return services.store_checked_list(player, verdict)

    return store_list


@pytest.mark.parametrize(
    ("text", "side"), [(legal_corp_list(), "corp"), (legal_runner_list(), "runner")]
)
def test_cards_determine_the_side(text, side):
    verdict = services.check_deck(text)

    assert (verdict.side, verdict.legal) == (side, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "contains no known cards"),
        (" \n# My deck\n", "contains no known cards"),
        ("2 Fang\n2 Bodyweight Data Creche", r"as many Corp cards as Runner cards \(2\)"),
    ],
)
def test_without_a_majority_the_side_must_be_given(text, message):
    with pytest.raises(services.SideUnclear, match=message):
        services.check_deck(text)


@pytest.mark.parametrize("text", ["1 Nonsense", "0 Fang", "45 Tycho Extention\n1 Nonsense"])
def test_list_with_only_faulty_lines_is_judged_without_a_side(text):
    verdict = services.check_deck(text)
    breaches = [(breach.code, breach.line) for breach in verdict.breaches]

    assert (verdict.legal, verdict.as_document()["side"]) == (False, None)
    assert breaches[-1] == ("side_unclear", None)
    assert [line for _, line in breaches[:-1]] == list(range(1, len(text.splitlines()) + 1))


def test_game_without_deck_rules_is_refused():
    with pytest.raises(services.GameNotJudged, match="free_radicals"):
        services.check_deck("", game="free_radicals", side="corp")


def test_without_cards_no_deck_is_checked():
    Card.objects.all().delete()
    Catalogue.objects.all().delete()

    with pytest.raises(services.NoCards, match="import_cards"):
        services.check_deck("3 Fang", side="corp")


@pytest.mark.parametrize("lines", [1, 400])
def test_longer_list_needs_no_more_queries(lines, django_assert_num_queries):
    services.check_deck("1 Fang", side="corp")

    with django_assert_num_queries(1):
        services.check_deck("\n".join(["1 Fang"] * lines), side="corp")


@pytest.mark.usefixtures("anr_cards")
def test_list_of_a_format_needs_one_query_and_computes_its_span_on_demand(
    django_assert_num_queries,
):
    judged = partial(services.check_deck, RESTORING_TEXT, game="anr", rules=AnrRules("standard"))
    judged()

    with (
        patch.object(
            anr_construction, "influence_charges", wraps=anr_construction.influence_charges
        ) as counted,
        patch.object(anr_formats, "legal_span", wraps=anr_formats.legal_span) as found,
    ):
        with django_assert_num_queries(1):
            verdict = judged(date=datetime.date(2025, 9, 17))
        # One query for the breach, one for the figure.
        assert (counted.call_count, found.call_count) == (2, 0)
        assert verdict.span is not None
        assert verdict.span is verdict.span
        assert (counted.call_count, found.call_count) == (3, 1)


def title_of(typed):
    card_ = card_table("onr").find(typed)
    return card_ and card_.title


def test_cards_created_without_an_import_are_found():
    Catalogue.objects.all().delete()
    card = Card.objects.get(title="Fang 2.0")
    assert title_of("Fang 2.0") == "Fang 2.0"

    card.title = "Fang 3.0"
    card.save()
    assert title_of("Fang 2.0") is None
    assert title_of("Fang 3.0") == "Fang 3.0"


def test_list_is_stored_with_its_cards(store):
    text = legal_runner_list()
    version = store(text, side="runner")

    assert (version.number, version.size, version.is_legal, version.breaches) == (1, 45, True, [])
    assert version.text == text
    assert version.decklist.player.name == "Ada"
    assert sum(slot.quantity for slot in version.slots.all()) == 45


def test_seal_can_be_computed_by_hand(store):
    version = store("2 Fang 2.0\n1 fang\n1 Fang 2.0")

    document = '["onr","corp",[["fang",1],["fang 2.0",3]]]'
    assert version.seal == hashlib.sha256(document.encode()).hexdigest()


def test_illegal_list_is_stored_as_a_draft_with_its_breaches(store):
    version = store("3 Fang\n3 Fangg\n0 Fang 2.0\n1 Bodyweight Data Creche")

    codes = [breach["code"] for breach in version.breaches]
    assert codes == ["unknown_card", "quantity", "wrong_side", "agenda_points", "deck_size"]
    assert not version.is_legal
    assert {slot.card.title: slot.quantity for slot in version.slots.all()} == {
        "Fang": 3,
        "Bodyweight Data Cr\u00e8che": 1,
    }


def test_only_a_changed_list_or_verdict_is_a_new_version(store):
    lists = [
        ("3 Tycho Extension", None, 1),
        ("3 Tycho Extension", None, 1),
        ("3x Tycho Extension", None, 2),
        ("4 Tycho Extension", None, 3),
        ("4 Tycho Extension", OnrRules(ban_list=True), 4),
    ]
    versions = [store(text, rules=rules) for text, rules, _ in lists]

    assert [version.number for version in versions] == [number for *_, number in lists]
    assert versions[0].seal == versions[2].seal
    assert Decklist.objects.get().versions.count() == 4


def test_each_side_has_its_own_deck(store):
    for side in ("corp", "runner"):
        store("3 Fang", side=side)

    assert Decklist.objects.count() == 2


def test_any_pasted_character_and_any_number_of_copies_can_be_stored(store):
    version = store("\n".join(["999 Fang"] * plain_text.MAX_LINES) + "\0\ud800")
    version.refresh_from_db()

    assert version.size == 400 * 999
    assert version.text.endswith("\ufffd\ufffd")
