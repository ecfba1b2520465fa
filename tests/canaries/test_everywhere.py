"""Decks, drafts, judge calls, notes and penalties are shown to their readers only."""

import logging
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import pytest
from django.core import mail
from django.core.cache import caches
from pytest_django import DjangoDbBlocker

from core import jobs
from tests.canaries import places
from tests.canaries.asking import Responses, answers_for, canaries_in
from tests.canaries.nest import DRAFT_TABLE, READERS, CanaryEvent, fill, make_canary_event
from tests.factories.tournaments import get_round, make_user, owner_of
from tests.shared_rows import shared_rows
from tournaments.integrations import announcements
from tournaments.models import Job, JobKind
from tournaments.rounds import services as rounds_services
from tournaments.rounds.pages import pairings_texts

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.check(5, 7),
    pytest.mark.goal("G8"),
]

FURTHER = ("bystander", "stranger", "streamer", "other_organiser")
"""They see what anonymous visitors or opponents see; only the long run requests their pages."""
INSIDERS = ("player", "opponent", "organiser")
FURTHER_INSIDERS = ("judge", "scorekeeper", "owner", "administrator")
"""Only the long run requests their pages."""


@pytest.fixture(scope="module")
def canary_event(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[CanaryEvent]:
    yield from shared_rows(django_db_blocker, make_canary_event)


@pytest.fixture(autouse=True)
def _one_moment(time_machine) -> None:
    """Freeze the time, because printouts show when they were printed."""
    time_machine.move_to(datetime.now(UTC), tick=False)


@pytest.fixture(autouse=True)
def _empty_caches() -> None:
    for name in caches.settings:
        caches[name].clear()


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """All log lines, except those about missing template variables."""
    with caplog.at_level(logging.INFO, "django.template"), caplog.at_level(logging.DEBUG):
        yield caplog


def differing(before: Responses, after: Responses) -> set[str]:
    return {address for address in before if before[address] != after[address]}


def expected(actors: Iterable[str]) -> dict[str, set[str]]:
    return {actor: {canary for canary in READERS if actor in READERS[canary]} for actor in actors}


@pytest.mark.check(8)
@pytest.mark.parametrize(
    "actors", [INSIDERS, pytest.param((*FURTHER_INSIDERS, *FURTHER), marks=pytest.mark.slow)]
)
def test_only_permitted_readers_see_a_canary_and_no_cache_or_log_keeps_it(
    actors: tuple[str, ...], canary_event: CanaryEvent, lines: pytest.LogCaptureFixture
):
    fill(canary_event)
    answers = {actor: answers_for(canary_event.browser(actor), canary_event) for actor in actors}

    assert {actor: canaries_in(answers[actor].values()) for actor in actors} == expected(actors)
    assert canaries_in([*places.cached(), *places.logged(lines.records)]) == set()
    open_to_caches = {
        (actor, address)
        for actor in actors
        for address, text in answers[actor].items()
        if canaries_in([text]) and "private" not in text and "no-store" not in text
    }
    assert open_to_caches == set()


@pytest.mark.check(6)
@pytest.mark.parametrize(
    "actor",
    [
        "anonymous",
        *(pytest.param(further_actor, marks=pytest.mark.slow) for further_actor in FURTHER),
    ],
)
def test_confidential_content_changes_no_byte_shown_to_outsiders(
    actor: str, canary_event: CanaryEvent, lines: pytest.LogCaptureFixture
):
    """Also checks headers, caches, the log and emails."""
    browser = canary_event.browser(actor)
    if actor != "anonymous":
        # The first CSRF cookie changes the ETag of each page.
        browser.cookies["csrftoken"] = "a" * 32
    before = answers_for(browser, canary_event)

    if actor == "anonymous":
        # A browser without a cookie gets the shared page.
        browser = canary_event.browser(actor)
    lines.clear()
    fill(canary_event)
    after = answers_for(browser, canary_event)

    assert differing(before, after) == set()
    assert canaries_in(after.values()) == set()
    texts = [
        *places.cached(),
        *places.logged(lines.records),
        *places.mailed(),
        *places.waiting(),
    ]
    assert len(texts) > 100
    assert canaries_in(texts) == set()


def test_news_shows_tables_but_nothing_of_decks_and_judges(canary_event: CanaryEvent):
    """Emails, push messages, a channel and webhooks, after the draft is published."""
    fill(canary_event)
    event, owner = canary_event.event, owner_of(canary_event.event)
    announcements.change_announcements(
        event,
        owner,
        webhook="https://hooks.example/canary-channel",
        tells_pairings=True,
        tells_standings=True,
        allows_mail=True,
        allows_push=True,
    )
    for registration in (canary_event.player, canary_event.opponent):
        registration.player.user = make_user(email=f"player{registration.number}@example.org")
        registration.player.save()
        announcements.set_mail_wish(registration, wanted=True)
    rounds_services.publish_round(get_round(event, 3), owner)
    round_ = get_round(event, 3)

    jobs.run_aside(Job, event.jobs.get(kind=JobKind.MAIL).pk, announcements.mail_tables)
    pushed = [message.decode() for message in announcements._push_messages(round_).values()]
    chatted = pairings_texts(round_)

    assert len(mail.outbox) == 2
    for news in (pushed, chatted):
        assert any(DRAFT_TABLE in text for text in news)
    texts = [*pushed, *chatted, *places.mailed(), *places.waiting()]
    assert canaries_in(texts) == {DRAFT_TABLE}
