"""Cross-references, reversals and families of cards in the shipped list."""

import json

import pytest

from decks.models import Card
from rulings import importer
from rulings.models import LinkKind, Ruling, RulingLink
from rulings.parsing.digest import read_reversals
from rulings.queries import families_of

VIRUS_PROGRAMS = 19


def test_exactly_the_250_card_headings_are_cards(shipped):
    headings = Ruling.objects.exclude(section="general")
    nowhere = headings.filter(card=None).values_list("subject", flat=True)

    assert list(nowhere) == []
    assert len(set(headings.values_list("subject", flat=True))) == 250
    assert len(set(headings.values_list("card", flat=True))) == 250
    assert not Ruling.objects.filter(section="general").exclude(card=None).exists()


def test_all_55_cross_references_lead_to_rulings(shipped):
    references = Ruling.objects.filter(kind="cross-reference").prefetch_related("links")
    leading = {
        reference.code: [link for link in reference.links.all() if link.kind == LinkKind.SEE_ALSO]
        for reference in references
    }
    answered = set(
        Ruling.objects.exclude(kind="cross-reference").values_list("subject_slug", flat=True)
    )

    assert len(leading) == 55
    nowhere = [
        code
        for code, links in leading.items()
        if not links or any(link.subject_slug not in answered for link in links)
    ]
    assert nowhere == []


def test_the_references_on_virus_programs_lead_to_boardwalk(shipped):
    boardwalk = Card.objects.get(game="onr", title="Boardwalk")
    sent = RulingLink.objects.filter(kind=LinkKind.SEE_ALSO, name="Boardwalk")

    assert sent.count() == 18
    assert {(link.card_id, link.subject_slug) for link in sent} == {(boardwalk.pk, "boardwalk")}


def test_every_virus_program_inherits_from_boardwalk_and_no_card_of_the_corp(shipped):
    cards = Card.objects.filter(game="onr", subtypes__contains="Virus")
    inheriting = [card for card in cards if families_of(card)]

    assert {card.side for card in cards} == {"corp", "runner"}
    assert len(inheriting) == VIRUS_PROGRAMS
    assert {card.side for card in inheriting} == {"runner"}
    for card in inheriting:
        assert [family.subject_slug for family in families_of(card)] == ["boardwalk"]


def test_families_contain_every_card_the_list_refers_there(shipped):
    sent: dict[str, set[int | None]] = {}
    for link in RulingLink.objects.filter(ruling__kind="cross-reference", kind=LinkKind.SEE_ALSO):
        sent.setdefault(link.subject_slug, set()).add(link.ruling.card_id)
    for family in {one for card in Card.objects.filter(game="onr") for one in families_of(card)}:
        holding = {card.pk for card in Card.objects.filter(game="onr") if family.contains(card)}

        assert sent[family.subject_slug] <= holding, family.name


def test_unlisted_noisy_card_inherits_too(cards):
    card = Card.objects.get(game="onr", title="MS-todon")

    assert [family.name for family in families_of(card)] == ["Noisy cards"]


def test_all_seven_reversals_name_the_overturned_decision(shipped):
    reversing = Ruling.objects.filter(reverses=True).order_by("number")

    assert [ruling.code for ruling in reversing] == [
        "ice-transmutation-2",
        "joan-of-arc-4",
        "lockjaw-1",
        "microtech-backup-drive-2",
        "startup-immolator-3",
        "time-to-collect-2",
        "total-genetic-retrofit-1",
    ]
    assert all(ruling.overturned or ruling.supersedes.exists() for ruling in reversing)
    assert Ruling.objects.get(code="lockjaw-1").overturned.startswith("Netrunner FAQ v1.0")


def test_reversal_can_supersede_a_ruling_of_the_list(cards, monkeypatch):
    text = json.dumps([{"ruling": "lockjaw-1", "supersedes": ["cloak-2"], "overturned": ""}])
    codes = {ruling.code for ruling in importer.shipped_digest()}
    monkeypatch.setattr(importer, "shipped_reversals", lambda: read_reversals(text, codes))

    importer.load_digest()
    importer.load_digest()

    reversal = Ruling.objects.get(code="lockjaw-1")
    assert [one.code for one in reversal.supersedes.all()] == ["cloak-2"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"ruling": "a-9", "supersedes": [], "overturned": "x"}, "not in the list: a-9"),
        ({"ruling": "a-1", "supersedes": ["a-9"], "overturned": ""}, "not in the list: a-9"),
        ({"ruling": "a-1", "supersedes": ["a-1"], "overturned": ""}, "reverses itself"),
        ({"ruling": "a-1", "supersedes": [], "overturned": ""}, "what it reverses"),
        ({"ruling": "a-1", "supersedes": [], "overturned": "x" * 201}, "in 200 characters"),
        ({"ruling": "a-1", "supersedes": "a-2", "overturned": ""}, "of the wrong kind"),
        ({"ruling": "a-1"}, "a reversal has"),
    ],
)
def test_dangling_reversal_is_an_error(row, reason):
    with pytest.raises(ValueError, match=reason):
        read_reversals(json.dumps([row]), {"a-1", "a-2"})


def test_duplicate_reversal_is_an_error():
    row = {"ruling": "a-1", "supersedes": ["a-2"], "overturned": ""}

    with pytest.raises(ValueError, match="appears twice"):
        read_reversals(json.dumps([row, row]), {"a-1", "a-2"})
