import pytest

from decks.legality import anr_formats
from tests.decks.legality.anr.listed import (
    CORE_LEADER,
    CORE_RUNNER,
    day,
    deck_of,
    format_of,
)

STANDARD = format_of("standard")
TAO = "Tao Salonga: Telepresence Magician"
RESTORING = deck_of("Jinteki: Restoring Humanity", {"Hedge Fund": 3, "Sting!": 2})


def notices_for(deck, today, date, format_=STANDARD):
    return list(anr_formats.deck_notices(deck, format_, today=day(today), date=day(date)))


def test_a_ban_before_the_event_is_shown_with_list_and_days():
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


def test_a_list_of_the_very_day_of_the_event_holds():
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
def test_lists_after_the_event_and_lists_in_force_are_no_concern(today, date):
    assert notices_for(RESTORING, today, date) == []


def test_a_deck_the_list_does_not_touch_is_shown_nothing():
    assert notices_for(deck_of(TAO, {"Sure Gamble": 3}), "2025-09-17", "2025-10-10") == []


def test_a_card_that_comes_back_is_shown_as_well():
    back, change = notices_for(deck_of(TAO, {"Creative Commission": 3}), "2025-09-17", "2025-10-10")

    assert back.message.endswith(": Creative Commission will no longer be banned.")
    assert "is not legal today, 17 September 2025, and legal on" in change.message


def test_a_change_that_leaves_the_deck_legal_is_shown_without_a_change_of_the_verdict():
    eternal = format_of("eternal")
    deck = deck_of("Chaos Theory: Wünderkind", {"Rumor Mill": 1})
    codes = [one.code for one in notices_for(deck, "2025-04-03", "2025-04-04", eternal)]
    messages = [one.message for one in notices_for(deck, "2025-04-03", "2025-04-04", eternal)]

    assert codes == ["list_takes_effect"]
    assert messages[0].endswith("Rumor Mill will cost 4 points instead of 3.")


def test_a_rotation_is_shown_by_the_name_of_the_pool():
    deck = deck_of(TAO, {"Corroder": 3})
    found = notices_for(deck, "2025-04-23", "2025-05-01")

    assert found[0].message == (
        "Card pool Seventh Rotation takes effect on 24 April 2025, before the event on"
        " 1 May 2025: Corroder will no longer be in the pool."
    )
    assert found[-1].code == "verdict_changes"


def test_charges_of_influence_are_reported_in_figures():
    messages = [
        one.message
        for one in notices_for(deck_of(CORE_LEADER, CORE_RUNNER), "2016-01-31", "2017-04-12")
    ]

    assert any("Yog.0 will lower the influence limit by 1 a copy" in one for one in messages)
    assert any(
        "NAPD MWL 1.2" in one and "Yog.0 will cost 1 more influence a copy" in one
        for one in messages
    )


def test_a_restricted_card_is_reported():
    (notice,) = notices_for(deck_of(TAO, {"Magnum Opus": 1}), "2017-09-30", "2017-10-01")

    assert "NAPD MWL 2.0" in notice.message
    assert "Magnum Opus will be restricted" in notice.message


def test_each_card_is_reported_once_a_list_whatever_the_lists_between():
    messages = [
        (one.message, one.card)
        for one in notices_for(deck_of(CORE_LEADER, CORE_RUNNER), "2012-09-06", "2026-01-01")
    ]

    assert len(messages) == len(set(messages)) > 10
