"""Status of a card in the formats, on a day and over time."""

import datetime

import pytest

from decks.check_sentences import card_status_text
from decks.legality import anr_formats
from decks.legality.records import (
    CardFacts,
    FormatFacts,
    PoolFacts,
    PrintingFacts,
    RestrictionFacts,
    SnapshotFacts,
)
from tests.factories.decks import card, shipped_formats

CARD = CardFacts(
    1, "A Card", "a card", "corp", "operation", card_id="a_card", subtypes="Black Ops - Current",
    printings=(PrintingFacts("01001", "first", 3), PrintingFacts("09001", "later", 3)),
)  # fmt: skip


def day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


def snapshot(first: str, sets: str = "first", **restriction: object) -> SnapshotFacts:
    """A snapshot from a day on, with a pool of sets and a list entry for the card."""
    rules = (
        RestrictionFacts(f"list {first}", f"List of {first}", day(first), **restriction)  # type: ignore[arg-type]
        if restriction
        else None
    )
    return SnapshotFacts(first, day(first), PoolFacts(sets, sets, frozenset(sets.split())), rules)


@pytest.mark.parametrize(
    ("list_entry", "status", "text"),
    [
        ({}, "legal", "Legal"),
        ({"banned": frozenset({"another"})}, "legal", "Legal"),
        ({"banned": frozenset({"a_card"})}, "banned", "Banned"),
        ({"banned_subtypes": frozenset({"current"})}, "banned", "Banned"),
        ({"banned_subtypes": frozenset({"curren"})}, "legal", "Legal"),
        (
            {"restricted": frozenset({"a_card"})},
            "restricted",
            "Legal, restricted to one card of the list",
        ),
        ({"points": {"a_card": 1}, "point_limit": 7}, "restricted", "Legal, costs 1 point"),
        ({"points": {"a_card": 3}, "point_limit": 7}, "restricted", "Legal, costs 3 points"),
        (
            {"universal_influence": {"a_card": 2}},
            "restricted",
            "Legal, each copy costs 2 more influence",
        ),
        (
            {"global_penalty": {"a_card": 1}},
            "restricted",
            "Legal, each copy lowers the influence limit by 1",
        ),
    ],
)
def test_each_list_entry_has_a_status_text(list_entry, status: str, text: str):
    status_ = anr_formats.card_status(CARD, snapshot("2020-01-01", **list_entry))

    assert (status_.status, card_status_text(status_)) == (status, text)
    assert status_.is_legal == (status != "banned")


def test_outside_the_pool_the_list_does_not_matter():
    status_ = anr_formats.card_status(
        CARD, snapshot("2020-01-01", "other", banned=frozenset({"a_card"}))
    )

    assert (status_.status, card_status_text(status_), status_.is_legal) == (
        "outside",
        "Not in the card pool",
        False,
    )


def test_reprint_in_a_set_of_the_pool_is_enough():
    assert anr_formats.card_status(CARD, snapshot("2020-01-01", "later")).is_legal


HISTORY = FormatFacts(
    "standard",
    "Standard",
    (
        snapshot("2018-01-01", "other"),
        snapshot("2019-01-01", "first other"),
        snapshot("2019-07-01", "first other", banned=frozenset({"another"})),
        snapshot("2020-01-01", "first other", banned=frozenset({"a_card"})),
        snapshot("2020-06-01", "first", banned=frozenset({"a_card"})),
        snapshot("2021-01-01", "other"),
        snapshot("2022-01-01", "later"),
    ),
)


def test_history_joins_periods_of_equal_status():
    spans = [
        (str(period.first), str(period.last), period.card_status.status, period.lists, period.pools)
        for period in anr_formats.status_periods(CARD, HISTORY)
    ]

    assert spans == [
        ("2019-01-01", "2019-12-31", "legal", ("List of 2019-07-01",), ("first other",)),
        (
            "2020-01-01",
            "2020-12-31",
            "banned",
            ("List of 2020-01-01", "List of 2020-06-01"),
            ("first other", "first"),
        ),
        ("2021-01-01", "2021-12-31", "outside", (), ("other",)),
        ("2022-01-01", "None", "legal", (), ("later",)),
    ]


def test_each_period_names_its_list_or_pool():
    assert [period.by for period in anr_formats.status_periods(CARD, HISTORY)] == [
        (),
        ("List of 2020-01-01", "List of 2020-06-01"),
        ("other",),
        (),
    ]


@pytest.mark.parametrize(
    ("date", "status", "start", "next_"),
    [
        ("2017-01-01", "outside", None, "2019-01-01"),
        ("2018-12-31", "outside", None, "2019-01-01"),
        ("2019-01-01", "legal", "2019-01-01", "2020-01-01"),
        ("2020-12-31", "banned", "2020-01-01", "2021-01-01"),
        ("2021-01-01", "outside", "2021-01-01", "2022-01-01"),
        ("2030-01-01", "legal", "2022-01-01", None),
    ],
)
def test_standing_on_a_day_has_its_start_and_the_next_change(
    date: str, status: str, start: str | None, next_: str | None
):
    (standing,) = anr_formats.format_standings(CARD, [HISTORY], day(date))

    assert standing.card_status.status == status
    assert (standing.period and str(standing.period.first)) == start
    assert (standing.next and str(standing.next.first)) == next_
    assert anr_formats.is_card_legal(CARD, HISTORY, day(date)) == standing.card_status.is_legal


def test_format_without_the_card_has_a_status():
    format_ = FormatFacts("x", "X", (snapshot("2020-01-01", "other"),))

    (standing,) = anr_formats.format_standings(CARD, [format_], day("2025-01-01"))
    assert (standing.period, standing.next, standing.card_status.status) == (None, None, "outside")


@pytest.mark.parametrize(
    ("released", "expected"),
    [
        ("2019-03-01", ["2019-03-01 legal", "2020-01-01 banned", "2021-01-01 outside"]),
        ("2020-01-01", ["2020-01-01 banned", "2021-01-01 outside"]),
        ("2020-12-31", ["2020-12-31 banned", "2021-01-01 outside"]),
        ("2021-06-01", []),
    ],
)
def test_no_day_before_the_first_printing_is_shown(released: str, expected: list[str]):
    periods = anr_formats.status_periods(CARD, HISTORY, day(released))

    assert [f"{period.first} {period.card_status.status}" for period in periods] == [
        *expected,
        "2022-01-01 legal",
    ]


def real(title: str) -> dict[str, tuple[str, str]]:
    """Status of a shipped card by format on 17 September 2025, with the start of that status."""
    standings = anr_formats.format_standings(
        card(title, "anr"), shipped_formats(), day("2025-09-17")
    )
    return {
        standing.format_id: (
            card_status_text(standing.card_status),
            str(standing.period and standing.period.first),
        )
        for standing in standings
    }


def test_standing_of_shipped_cards_in_september_2025():
    assert real("Rezeki")["standard"] == ("Banned", "2022-09-23")
    assert real("Rezeki")["eternal"] == ("Legal", "2017-10-01")
    assert real("Rezeki")["startup"] == ("Not in the card pool", "2022-12-09")
    assert real("Rezeki")["snapshot"] == ("Not in the card pool", "None")
    assert real("Film Critic")["eternal"] == ("Legal, costs 1 point", "2021-11-12")
    assert real("Watch the World Burn")["eternal"] == ("Banned", "2021-11-12")
    assert real("The Catalyst: Convention Breaker")["system_gateway"] == ("Legal", "2021-04-09")
    assert real("The Catalyst: Convention Breaker")["standard"] == ("Not in the card pool", "None")


def test_old_list_entries_are_in_the_history():
    standard = shipped_formats().find("standard")
    assert standard is not None
    history = anr_formats.status_periods(card("Mumba Temple", "anr"), standard)

    assert [(str(period.first), card_status_text(period.card_status)) for period in history] == [
        ("2012-09-06", "Legal"),
        ("2016-08-01", "Legal, each copy lowers the influence limit by 1"),
        ("2017-04-12", "Legal, each copy costs 1 more influence"),
        ("2017-10-01", "Legal, restricted to one card of the list"),
        ("2020-06-26", "Legal"),
        ("2022-08-05", "Not in the card pool"),
    ]
