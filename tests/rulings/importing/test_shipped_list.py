"""The shipped list: digest, cross-references, reversals and families of cards."""

import json

from decks.models import Card
from rulings import importer
from rulings.models import LinkKind, Ruling, RulingKind, RulingLink, RulingSection
from rulings.parsing.digest import read_reversals
from rulings.parsing.records import RULING_CODE
from rulings.queries import families_of

VIRUS_PROGRAMS = 19


def test_digest_is_complete_and_valid():
    digest = importer.shipped_digest()

    assert [ruling.number for ruling in digest] == list(range(1, 499))
    assert len({ruling.code for ruling in digest}) == 498
    for ruling in digest:
        assert RULING_CODE.fullmatch(ruling.code)
        assert ruling.section in RulingSection.values
        assert ruling.kind in RulingKind.values
        assert ruling.kind != RulingKind.REFERENCE
        assert ruling.subject.strip()
        assert ruling.text.strip()


def test_reversals_are_complete_and_valid():
    codes = {ruling.code for ruling in importer.shipped_digest()}
    reversals = importer.shipped_reversals()

    assert len({reversal.ruling for reversal in reversals}) == len(reversals)
    for reversal in reversals:
        assert {reversal.ruling, *reversal.supersedes} <= codes
        assert reversal.ruling not in reversal.supersedes
        assert reversal.supersedes or reversal.overturned.strip()
        assert len(reversal.overturned) <= 200


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


def test_references_on_virus_programs_lead_to_boardwalk(shipped):
    boardwalk = Card.objects.get(game="onr", title="Boardwalk")
    references = RulingLink.objects.filter(kind=LinkKind.SEE_ALSO, name="Boardwalk")

    assert references.count() == 18
    assert {(link.card_id, link.subject_slug) for link in references} == {
        (boardwalk.pk, "boardwalk")
    }


def test_every_virus_program_inherits_from_boardwalk_and_no_card_of_the_corp(shipped):
    cards = Card.objects.filter(game="onr", subtypes__contains="Virus")
    inheriting = [card for card in cards if families_of(card)]

    assert {card.side for card in cards} == {"corp", "runner"}
    assert len(inheriting) == VIRUS_PROGRAMS
    assert {card.side for card in inheriting} == {"runner"}
    for card in inheriting:
        assert [family.subject_slug for family in families_of(card)] == ["boardwalk"]


def test_families_contain_every_card_referred_to_them(shipped):
    cards_by_subject: dict[str, set[int | None]] = {}
    for link in RulingLink.objects.filter(ruling__kind="cross-reference", kind=LinkKind.SEE_ALSO):
        cards_by_subject.setdefault(link.subject_slug, set()).add(link.ruling.card_id)
    for family in {row for card in Card.objects.filter(game="onr") for row in families_of(card)}:
        holding = {card.pk for card in Card.objects.filter(game="onr") if family.contains(card)}

        assert cards_by_subject[family.subject_slug] <= holding, family.name


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
    monkeypatch.setattr(importer, "shipped_reversals", lambda: read_reversals(text))

    importer.load_digest()
    importer.load_digest()

    reversal = Ruling.objects.get(code="lockjaw-1")
    assert [ruling.code for ruling in reversal.supersedes.all()] == ["cloak-2"]
