"""Status of a card in the formats, on a day and over time."""

import datetime

import pytest

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
    """A snapshot from a day on, of a pool of sets, with a list that says so of the card."""
    rules = (
        RestrictionFacts(f"list {first}", f"List of {first}", day(first), **restriction)  # type: ignore[arg-type]
        if restriction
        else None
    )
    return SnapshotFacts(first, day(first), PoolFacts(sets, sets, frozenset(sets.split())), rules)


@pytest.mark.parametrize(
    ("said", "status", "text"),
    [
        ({}, "legal", "Legal"),
        ({"banned": frozenset({"another"})}, "legal", "Legal"),
        ({"banned": frozenset({"a_card"})}, "banned", "Banned"),
        ({"banned_subtypes": frozenset({"current"})}, "banned", "Banned"),
        ({"banned_subtypes": frozenset({"curren"})}, "legal", "Legal"),
        (
            {"restricted": frozenset({"a_card"})},
            "restricted",
            "Legal, restricted to one title of the list",
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
def test_each_thing_a_list_may_say_has_words(said, status: str, text: str):
    found = anr_formats.card_status(CARD, snapshot("2020-01-01", **said))

    assert (found.status, found.text) == (status, text)
    assert found.is_legal == (status != "banned")


def test_outside_the_pool_the_list_does_not_matter():
    found = anr_formats.card_status(
        CARD, snapshot("2020-01-01", "other", banned=frozenset({"a_card"}))
    )

    assert (found.status, found.text, found.is_legal) == ("outside", "Not in the card pool", False)


def test_a_reprint_in_a_set_of_the_pool_is_enough():
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


def test_the_history_joins_what_says_the_same():
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


def test_each_period_names_what_says_it():
    assert [period.by for period in anr_formats.status_periods(CARD, HISTORY)] == [
        (),
        ("List of 2020-01-01", "List of 2020-06-01"),
        ("other",),
        (),
    ]


@pytest.mark.parametrize(
    ("date", "status", "since", "next_"),
    [
        ("2017-01-01", "outside", None, "2019-01-01"),
        ("2018-12-31", "outside", None, "2019-01-01"),
        ("2019-01-01", "legal", "2019-01-01", "2020-01-01"),
        ("2020-12-31", "banned", "2020-01-01", "2021-01-01"),
        ("2021-01-01", "outside", "2021-01-01", "2022-01-01"),
        ("2030-01-01", "legal", "2022-01-01", None),
    ],
)
def test_the_standing_of_a_day_says_since_when_and_what_comes(
    date: str, status: str, since: str | None, next_: str | None
):
    (found,) = anr_formats.format_standings(CARD, [HISTORY], day(date))

    assert found.card_status.status == status
    assert (found.period and str(found.period.first)) == since
    assert (found.next and str(found.next.first)) == next_
    assert anr_formats.is_card_legal(CARD, HISTORY, day(date)) == found.card_status.is_legal


def test_a_format_that_never_had_the_card_says_so():
    format_ = FormatFacts("x", "X", (snapshot("2020-01-01", "other"),))

    (found,) = anr_formats.format_standings(CARD, [format_], day("2025-01-01"))
    assert (found.period, found.next, found.card_status.status) == (None, None, "outside")


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
    found = anr_formats.status_periods(CARD, HISTORY, day(released))

    assert [f"{one.first} {one.card_status.status}" for one in found] == [
        *expected,
        "2022-01-01 legal",
    ]


def real(title: str) -> dict[str, tuple[str, str]]:
    """Status of a shipped card by format on 17 September 2025, with its start."""
    found = anr_formats.format_standings(card(title, "anr"), shipped_formats(), day("2025-09-17"))
    return {
        one.format_id: (one.card_status.text, str(one.period and one.period.first)) for one in found
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


def test_what_a_list_said_long_ago_can_be_read():
    standard = shipped_formats().find("standard")
    assert standard is not None
    history = anr_formats.status_periods(card("Mumba Temple", "anr"), standard)

    assert [(str(period.first), period.card_status.text) for period in history] == [
        ("2012-09-06", "Legal"),
        ("2016-08-01", "Legal, each copy lowers the influence limit by 1"),
        ("2017-04-12", "Legal, each copy costs 1 more influence"),
        ("2017-10-01", "Legal, restricted to one title of the list"),
        ("2020-06-26", "Legal"),
        ("2022-08-05", "Not in the card pool"),
    ]
