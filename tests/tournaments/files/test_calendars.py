"""Calendar files of events and the feed, parsed by the same library."""

from datetime import UTC, date, datetime, time

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from tests.factories.tournaments import make_event, start_round
from tests.queries import queries_of
from tournaments.models import Round, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.check(18)]

FEED = "/events/calendar.ics"


def read(address: str) -> list[dict[str, object]]:
    answer = Client().get(address)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return [
        {name: event.decoded(name) for name in ("uid", "summary", "dtstart", "dtend", "url")}
        for event in Calendar.from_ical(answer.content).walk("VEVENT")
    ]


def calendar_address(event: Tournament) -> str:
    return f"/events/{event.slug}/calendar.ics"


def test_event_without_hours_is_a_whole_day():
    event = make_event(players=0, starts_on=date(2026, 5, 2), location="Hall 3; north, left")

    (entry,) = read(calendar_address(event))

    assert (entry["dtstart"], entry["dtend"]) == (date(2026, 5, 2), date(2026, 5, 3))
    assert entry["summary"] == "Spring Run"
    assert str(entry["url"]).endswith(event.get_absolute_url())
    text = Client().get(calendar_address(event)).text
    assert "DTSTART;VALUE=DATE:20260502" in text
    assert r"LOCATION:Hall 3\; north\, left" in text


@pytest.mark.parametrize(
    ("time_zone", "last"),
    [("Pacific/Auckland", date(2026, 5, 4)), ("America/Los_Angeles", date(2026, 5, 3))],
)
def test_last_day_is_in_the_time_zone_of_the_event(time_zone, last):
    event = make_event(players=2, time_zone=time_zone, decks_required=False)
    start_round(event)
    noon = datetime(2026, 5, 3, 13, 0, tzinfo=UTC)
    Round.objects.filter(stage__tournament=event).update(published_at=noon)

    (entry,) = read(calendar_address(event))

    assert entry["dtstart"] == date(2026, 5, 2)
    assert entry["dtend"] == date.fromordinal(last.toordinal() + 1)


def test_hours_are_in_the_time_zone_of_the_event():
    event = make_event(
        players=0,
        starts_on=date(2026, 5, 2),
        start_time=time(10, 30),
        end_time=time(18),
        time_zone="Europe/Vienna",
        location="The shop",
        address="Main Street 1, Graz",
        entry_fee="10 EUR",
        links="Prizes https://example.org/prizes",
    )

    (entry,) = read(calendar_address(event))

    assert entry["dtstart"] == datetime(2026, 5, 2, 8, 30, tzinfo=UTC)
    assert entry["dtend"] == datetime(2026, 5, 2, 16, 0, tzinfo=UTC)
    (whole,) = Calendar.from_ical(Client().get(calendar_address(event)).content).walk("VEVENT")
    assert whole["location"] == "The shop, Main Street 1, Graz"
    assert "Entry fee: 10 EUR\nPrizes: https://example.org/prizes" in str(whole["description"])


def test_several_days_without_an_end_time_are_whole_days():
    event = make_event(
        players=0, starts_on=date(2026, 5, 2), ends_on=date(2026, 5, 3), start_time=time(10)
    )

    (entry,) = read(calendar_address(event))

    assert (entry["dtstart"], entry["dtend"]) == (date(2026, 5, 2), date(2026, 5, 4))


def test_texts_cannot_add_lines():
    event = make_event(players=0)
    Tournament.objects.filter(pk=event.pk).update(
        description="One\r\nBEGIN:VALARM\r\nEND:VALARM", name="A\\nB"
    )

    (entry,) = read(calendar_address(event))

    assert entry["summary"] == "A\\nB"
    assert "\r\nBEGIN:VALARM" not in Client().get(calendar_address(event)).text


def test_feed_has_only_public_events():
    today = timezone.localdate()
    for name in ("public", "unlisted", "private"):
        make_event(players=0, name=f"The {name} one", visibility=name, starts_on=today)
    public = Tournament.objects.get(visibility="public")
    make_event(players=0, name="A rehearsal", practice_of=public, starts_on=today)
    make_event(players=0, name="Long ago", starts_on=date(1997, 5, 2))

    assert [event["summary"] for event in read(FEED)] == ["The public one"]


def test_feed_is_filtered_like_the_list():
    make_event(players=0, starts_on=timezone.localdate(), name="Berlin open", location="Berlin")
    make_event(players=0, starts_on=timezone.localdate(), name="Oslo open", location="Oslo")

    page = Client().get("/events/", {"place": "berlin", "page": "2"}).text

    assert f'href="{FEED}?place=berlin"' in page
    assert [entry["summary"] for entry in read(f"{FEED}?place=berlin")] == ["Berlin open"]
    assert [entry["summary"] for entry in read(f"{FEED}?game=free_radicals")] == []


def test_event_has_the_same_uid_alone_and_in_the_feed():
    event = make_event(players=0, starts_on=timezone.localdate())

    assert read(FEED) == read(calendar_address(event))


def test_unchanged_feed_answers_304():
    event = make_event(players=0, starts_on=timezone.localdate())
    etag = Client().get(FEED)["ETag"]

    assert Client().get(FEED, headers={"If-None-Match": etag}).status_code == 304

    Tournament.objects.filter(pk=event.pk).update(name="Another name")
    assert Client().get(FEED, headers={"If-None-Match": etag}).status_code == 200


def test_number_of_queries_does_not_depend_on_the_feed_length():
    counts = []
    for _ in range(2):
        make_event(players=0, starts_on=timezone.localdate())
        counts.append(queries_of(Client().get, FEED))

    assert counts[0] == counts[1]


def test_event_of_two_days_has_two_entries():
    event = make_event(
        players=0,
        starts_on=date(2026, 5, 2),
        start_time=time(10),
        end_time=time(18),
        day_two_on=date(2026, 5, 3),
        day_two_time=time(9, 30),
        time_zone="Europe/Vienna",
    )

    file = Client().get(calendar_address(event)).content
    first, second = Calendar.from_ical(file).walk("VEVENT")

    assert [entry["summary"] for entry in (first, second)] == [
        "Spring Run, day 1",
        "Spring Run, day 2",
    ]
    assert first.decoded("dtstart") == datetime(2026, 5, 2, 8, 0, tzinfo=UTC)
    assert second.decoded("dtstart") == datetime(2026, 5, 3, 7, 30, tzinfo=UTC)
    assert second.decoded("dtend") == datetime(2026, 5, 3, 16, 0, tzinfo=UTC)


def test_two_days_without_hours_are_two_whole_days():
    event = make_event(players=0, starts_on=date(2026, 5, 2), day_two_on=date(2026, 5, 9))

    spans = [(entry["dtstart"], entry["dtend"]) for entry in read(calendar_address(event))]

    assert spans == [(date(2026, 5, 2), date(2026, 5, 3)), (date(2026, 5, 9), date(2026, 5, 10))]
