"""One old deck against every ban list and every snapshot.

The two tables beside this file were generated from the data by other code than that under test.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from decks.card_data.readers import shipped_card_data
from decks.legality import anr_construction, anr_formats, card_tables
from decks.legality.records import RestrictionFacts
from tests.decks.legality.anr.listed import (
    CORE_LEADER,
    CORE_RUNNER,
    deck_of,
    format_of,
    snapshot_on,
)
from tests.factories.anr_decks import anr_deck
from tests.factories.decks import shipped_formats

# Noise as played before the first ban list, 45 cards and 15 influence.
OLD_DECK = deck_of(
    "Noise: Hacker Extraordinaire",
    {
        "Aesop's Pawnshop": 3,
        "Clone Chip": 2,
        "Levy AR Lab Access": 1,
        "False Echo": 1,
        "Scrubbed": 2,
        "Deja Vu": 3,
        "Blackmail": 3,
        "Data Leak Reversal": 2,
        "Parasite": 3,
        "Yog.0": 1,
        "Wyldside": 3,
        "Vamp": 2,
        "Daily Casts": 3,
        "Dirty Laundry": 3,
        "Sure Gamble": 3,
        "Medium": 3,
        "Datasucker": 3,
        "Corroder": 2,
        "Mimic": 2,
    },
)
BUILDING = "Weyland Consortium: Building a Better World"
HERE = Path(__file__).parent


def rows(name: str) -> list[list[str]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line.split(" | ") for line in lines]


def titles(cell: str) -> list[str]:
    return [] if cell == "-" else cell.split(", ")


def all_lists() -> dict[str, RestrictionFacts]:
    return {
        restriction.id: card_tables.restriction_facts(restriction)
        for restriction in shipped_card_data("anr").restrictions
    }


BY_LIST = rows("old_deck_by_list.txt")
BY_SNAPSHOT = rows("old_deck_by_snapshot.txt")


def test_tables_contain_every_list_and_every_snapshot():
    snapshots = [snapshot for format_ in shipped_formats() for snapshot in format_.snapshots]

    assert {row[0] for row in BY_LIST} == set(all_lists())
    assert {row[2] for row in BY_SNAPSHOT} == {snapshot.id for snapshot in snapshots}
    assert (len(BY_LIST), len(BY_SNAPSHOT)) == (45, 60)


def expected_codes(row: list[str]) -> Iterator[tuple[str, str | None]]:
    _, banned, subtype, restricted, points, _ = row
    yield from (("banned_card", title) for title in titles(banned))
    yield from (("banned_subtype", title) for title in titles(subtype))
    if len(titles(restricted)) > 1:
        yield "restricted", None
    if int(points) > 7:
        yield "points", None


@pytest.mark.parametrize("row", BY_LIST, ids=lambda row: row[0])
def test_every_list_gives_the_breaches_of_the_table(row):
    list_ = all_lists()[row[0]]
    breaches = list(anr_formats.ban_list_breaches(OLD_DECK, list_))

    assert sorted((breach.code, breach.card) for breach in breaches if breach.card) == [
        pair for pair in sorted(expected_codes(row), key=str) if pair[1]
    ]
    assert {breach.code for breach in breaches} == {code for code, _ in expected_codes(row)}
    assert sum(anr_formats.points_by_title(OLD_DECK, list_).values()) == int(row[4])
    spent, limit = row[5].split(" of ")
    assert anr_construction.influence_spent(OLD_DECK, list_) == int(spent)
    assert anr_construction.influence_limit(OLD_DECK, list_) == int(limit)
    assert bool(list(anr_construction.influence_breaches(OLD_DECK, list_))) == (
        int(spent) > int(limit)
    )


@pytest.mark.parametrize("row", BY_SNAPSHOT, ids=lambda row: row[2])
def test_every_snapshot_has_the_date_list_and_pool_of_the_table(row):
    format_id, first_day, snapshot_id, list_id, outside_cards = row
    snapshot = next(
        snapshot for snapshot in format_of(format_id).snapshots if snapshot.id == snapshot_id
    )

    assert snapshot.effective_from.isoformat() == first_day
    assert (snapshot.restriction.id if snapshot.restriction else "-") == list_id
    cards = [breach.card for breach in anr_formats.pool_breaches(OLD_DECK, snapshot)]
    assert sorted(title for title in cards if title) == titles(outside_cards)


def test_old_deck_is_legal_by_the_basic_rules_and_illegal_in_standard_today():
    assert list(anr_formats.anr_breaches(OLD_DECK)) == []
    codes = {
        breach.code
        for breach in anr_formats.anr_breaches(OLD_DECK, format_of("standard").timeline[-1])
    }
    assert codes == {"not_in_pool", "banned_card"}


def test_construction_agendas_influence_and_format_are_checked_together():
    core = deck_of(CORE_LEADER, CORE_RUNNER)
    wrong = anr_deck(BUILDING, (4, "Ice Wall"), (1, "Nisei MK II"), size=40, points=10)

    charged = anr_formats.anr_breaches(core, snapshot_on("standard", "2016-02-01"))
    assert [charge.code for charge in charged] == ["influence"]
    assert [breach.code for breach in anr_formats.anr_breaches(wrong)] == [
        *("deck_size", "too_many_copies", "agenda_points", "agenda_faction"),
    ]


def test_every_breach_of_a_list_names_the_list_and_its_date():
    for list_ in all_lists().values():
        for breach in anr_formats.ban_list_breaches(OLD_DECK, list_):
            assert list_.name in breach.rule
            assert f"{list_.effective_from.year}" in breach.rule
