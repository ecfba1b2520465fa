"""The rulings of NetrunnerDB, in each of its formats."""

import json
from datetime import date

import pytest

from decks.models import Card
from rulings.house_rulings import FileRefused, RulingsImportReport, import_file
from rulings.models import Ruling, RulingDocument, RulingVersion

ANSWER = {
    "card_id": "sure_gamble",
    "nsg_rules_team_verified": True,
    "question": "May I play it with four credits?",
    "answer": "No, *not* <b>so</b>. See [Dirty Laundry](https://example.org/).",
    "text_ruling": None,
    "updated_at": "2024-03-01T00:00:00+00:00",
}
TEXT = {
    "card_id": "film_critic",
    "nsg_rules_team_verified": False,
    "question": None,
    "answer": None,
    "text_ruling": "The critic hosts one agenda.\n\nIt is not in the score area.",
    "updated_at": "2023-01-02",
}


@pytest.fixture
def cards(db: None) -> None:
    for title in ("Sure Gamble", "Film Critic"):
        Card.objects.create(
            game="anr",
            title=title,
            title_key=title.lower(),
            folded_title=title.lower(),
            slug=title.lower().replace(" ", "-"),
            card_id=title.lower().replace(" ", "_"),
            side="runner",
            type="event",
        )


def v3(*rows: dict[str, object], **keys: object) -> bytes:
    data = [{"id": str(n), "type": "rulings", "attributes": row} for n, row in enumerate(rows)]
    return json.dumps({"data": data, **keys}).encode()


def v2(*rows: dict[str, object]) -> bytes:
    data = [
        {
            "title": str(row["card_id"]).replace("_", " ").title(),
            "ruling": row["text_ruling"] or "Just so.",
            "date_update": str(row["updated_at"])[:10],
            "nsg_rules_team_verified": row["nsg_rules_team_verified"],
        }
        for row in rows
    ]
    return json.dumps({"data": data, "total": len(data), "success": True}).encode()


def load(data: bytes) -> RulingsImportReport:
    return import_file(data)


def refusal(data: bytes) -> str:
    with pytest.raises(FileRefused) as caught:
        import_file(data)
    return str(caught.value)


def test_answers_and_texts_become_rulings_of_their_cards(cards):
    report = load(v3(ANSWER, TEXT))

    assert report.counts["created"] == 2
    document = RulingDocument.objects.get()
    assert (document.kind, document.game, document.slug) == ("netrunnerdb", "anr", "netrunnerdb")
    assert document.published_on == date(2024, 3, 1)
    answer, text = document.rulings.order_by("number")
    assert (answer.code, answer.card.title) == ("netrunnerdb-sure-gamble-1", "Sure Gamble")
    assert (
        answer.current.text == "Question: May I play it with four credits?\n\n"
        "Answer: No, *not* <b>so</b>. See [Dirty Laundry](https://example.org/)."
    )
    assert [source.authority for source in answer.current.citations.all()] == ["NSG Rules Team"]
    assert [source.authority for source in text.current.citations.all()] == ["NetrunnerDB"]
    assert text.current.in_force_from == date(2023, 1, 2)


@pytest.mark.parametrize(
    "data",
    [json.dumps([TEXT]).encode(), v2(TEXT), v3(TEXT, meta={"stats": {"total": {"count": 1}}})],
)
def test_all_formats_give_the_same_rulings(cards, data):
    load(data)

    ruling = Ruling.objects.get()
    assert ruling.card.title == "Film Critic"
    assert ruling.current.text == TEXT["text_ruling"]


def test_import_in_another_format_changes_nothing(cards):
    load(v2(TEXT))

    assert load(v3(TEXT)).is_empty


def test_new_answer_makes_a_new_version_but_a_new_date_does_not(cards):
    load(v3(ANSWER))
    with_later_date = {**ANSWER, "updated_at": "2024-05-05T10:00:00Z"}
    assert load(v3(with_later_date)).is_empty

    report = load(v3({**with_later_date, "answer": "Yes, since the errata of the card."}))

    assert report.counts["new versions"] == 1
    versions = RulingVersion.objects.order_by("number")
    assert [version.in_force_from for version in versions] == [date(2024, 3, 1), date(2024, 5, 5)]


def test_removed_ruling_is_withdrawn(cards):
    load(v3(ANSWER, TEXT))

    assert load(v3(ANSWER)).counts["withdrawn"] == 1
    assert Ruling.objects.exclude(withdrawn_on=None).get().card.title == "Film Critic"


def test_duplicate_rulings_are_merged(cards):
    assert load(v3(TEXT, {**TEXT, "updated_at": "2024-01-01"})).counts["created"] == 1
    assert Ruling.objects.get().current.in_force_from == date(2024, 1, 1)


def test_rulings_of_unknown_cards_are_left_out_and_reported(cards):
    report = load(v3(TEXT, {**TEXT, "card_id": "new_card"}))

    assert report.unknown_cards == ("new_card",)
    assert report.counts["created"] == 1


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"[", "This is not JSON"),
        (b"[]", "there is no ruling in the file"),
        (b"[3]", "a ruling is a JSON object"),
        (b'{"data": 3}', 'no list of rulings under "data"'),
        (b'{"success": false, "data": []}', "answered with an error"),
        (b'{"data": [], "data": []}', "appears twice"),
        (b"[" * 50 + b"]" * 50, "nested deeper than"),
        (v3(TEXT, links={"next": "https://example.org/?page"}), "one page of several"),
        (v3(TEXT, links={"self": "https://example.org/?filter%5Bcard_id"}), "some cards only"),
        (v3(TEXT, meta={"stats": {"total": {"count": 2}}}), "the file has 1 of 2 rulings"),
        (v3({**TEXT, "card_id": None}), "line 1: it names no card"),
        (v3(ANSWER, {**TEXT, "text_ruling": ""}), "line 2: it has no text"),
        (v3({**ANSWER, "answer": None}), "a question without an answer"),
        (v3({**TEXT, "text_ruling": "so\u0000"}), "unreadable characters"),
        (v3({**TEXT, "text_ruling": 3}), '"text_ruling" is not a text'),
        (v3({**TEXT, "updated_at": "soon"}), '"soon" is not a day'),
        (v3({**TEXT, "updated_at": None}), "no ruling has a day"),
        (v3({**TEXT, "nsg_rules_team_verified": "yes"}), "neither true nor false"),
        (v3({**TEXT, "text_ruling": "x" * 20_001}), "more than 20,000 characters"),
        (json.dumps([{"attributes": 3}]).encode(), '"attributes" is not a JSON object'),
    ],
)
def test_damaged_file_is_refused_with_a_reason_and_not_imported(cards, data, expected):
    message = refusal(data)

    assert expected in message
    assert "Fetch all rulings again" in message
    assert not RulingDocument.objects.exists()
