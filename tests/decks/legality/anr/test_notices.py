import re

import pytest

from decks.legality import anr_formats
from tests.decks.legality.anr.listed import CORE_LEADER, CORE_RUNNER, day, deck_of, format_of

STANDARD = format_of("standard")
TAO = "Tao Salonga: Telepresence Magician"
RESTORING = deck_of("Jinteki: Restoring Humanity", {"Hedge Fund": 3, "Sting!": 2})


def notices_for(deck, today, date, format_=STANDARD):
    return list(anr_formats.deck_notices(deck, format_, today=day(today), date=day(date)))


def test_ban_before_the_event_is_shown_with_list_and_days():
    ban, change = notices_for(RESTORING, "2025-09-17", "2025-10-10")

    assert (ban.code, ban.card) == ("list_takes_effect", "Sting!")
    assert ban.message == (
        "Standard Ban List 25.10 takes effect on 3 October 2025, before the event on"
        " 10 October 2025: Sting! will be banned."
    )
    assert (change.code, change.card) == ("verdict_changes", None)
    assert change.message == (
        "By the lists of Standard this deck is legal today, 17 September 2025,"
        " and not legal on 10 October 2025."
    )


def test_list_of_the_day_of_the_event_applies():
    ban, _ = notices_for(RESTORING, "2025-10-02", "2025-10-03")

    assert "takes effect on 3 October 2025, the day of the event: Sting!" in ban.message


@pytest.mark.parametrize(
    ("today", "date"),
    [
        ("2025-09-17", "2025-10-02"),
        ("2025-10-03", "2025-10-10"),
        ("2025-09-17", "2025-09-17"),
        ("2025-12-01", "2025-09-17"),
    ],
)
def test_lists_after_the_event_and_lists_in_force_have_no_notice(today, date):
    assert notices_for(RESTORING, today, date) == []


def test_deck_without_a_card_of_the_list_has_no_notice():
    assert notices_for(deck_of(TAO, {"Sure Gamble": 3}), "2025-09-17", "2025-10-10") == []


CORE = deck_of(CORE_LEADER, CORE_RUNNER)


@pytest.mark.parametrize(
    ("deck", "format_id", "today", "date", "messages_expected"),
    [
        (
            deck_of(TAO, {"Creative Commission": 3}),
            *("standard", "2025-09-17", "2025-10-10"),
            [
                ": Creative Commission will no longer be banned.",
                "is not legal today, 17 September 2025, and legal on",
            ],
        ),
        # The deck stays legal, so the verdict does not change.
        (
            deck_of("Chaos Theory: Wünderkind", {"Rumor Mill": 1}),
            *("eternal", "2025-04-03", "2025-04-04"),
            ["Rumor Mill will cost 4 points instead of 3."],
        ),
        (
            deck_of(TAO, {"Magnum Opus": 1}),
            *("standard", "2017-09-30", "2017-10-01"),
            ["NAPD MWL 2.0 takes effect on 1 October 2017, the day of the event: Magnum Opus will"],
        ),
        (
            deck_of(TAO, {"Corroder": 3}),
            *("standard", "2025-04-23", "2025-05-01"),
            [
                "Card pool Seventh Rotation takes effect on 24 April 2025, before the event on"
                " 1 May 2025: Corroder will no longer be in the pool.",
                "this deck is legal today",
            ],
        ),
        # Startup had no ban list then.
        (
            deck_of(TAO, {"Cezve": 1}),
            *("startup", "2022-07-01", "2022-07-22"),
            [
                "Card pool Startup (Ashes + Midnight Sun) takes effect on 22 July 2022, the day of"
                " the event: Cezve will be in the pool.",
                "is not legal today, 1 July 2022, and legal on",
            ],
        ),
    ],
)
def test_notices_of_each_change(deck, format_id, today, date, messages_expected):
    notices = notices_for(deck, today, date, format_of(format_id))

    assert len(notices) == len(messages_expected)
    for notice, expected in zip(notices, messages_expected, strict=True):
        assert expected in notice.message


def test_charges_of_influence_are_reported_in_figures():
    messages = "\n".join(notice.message for notice in notices_for(CORE, "2016-01-31", "2017-04-12"))

    assert "Yog.0 will lower the influence limit by 1 a copy" in messages
    assert re.search(r"NAPD MWL 1\.2 .*Yog\.0 will cost 1 more influence a copy", messages)


def test_each_card_is_reported_once_per_list():
    notices = notices_for(CORE, "2012-09-06", "2026-01-01")
    messages = [(notice.message, notice.card) for notice in notices]

    assert len(messages) == len(set(messages)) > 10
