"""A deck, a draft, calls, notes and penalties: heard by those who may, and found nowhere else."""

import logging
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import pytest
from django.core import mail
from django.core.cache import caches
from pytest_django import DjangoDbBlocker

from core import jobs
from tests.canaries import places
from tests.canaries.asking import Answers, answers_for, heard
from tests.canaries.nest import DRAFT_TABLE, HEARD_BY, Nest, empty_nest, fill
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
"""They see what the anonymous or the opponent see; the long run asks."""
INSIDERS = ("player", "opponent", "organiser")
FURTHER_INSIDERS = ("judge", "scorekeeper", "owner", "administrator")
"""The long run asks."""


@pytest.fixture(scope="module")
def nest(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Nest]:
    yield from shared_rows(django_db_blocker, empty_nest)


@pytest.fixture(autouse=True)
def _one_moment(time_machine) -> None:
    """Paper says when it was printed."""
    time_machine.move_to(datetime.now(UTC), tick=False)


@pytest.fixture(autouse=True)
def _empty_caches() -> None:
    for name in caches.settings:
        caches[name].clear()


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """All that is logged, but that a template asks for a variable that is not there."""
    with caplog.at_level(logging.INFO, "django.template"), caplog.at_level(logging.DEBUG):
        yield caplog


def differing(before: Answers, after: Answers) -> set[str]:
    return {address for address in before if before[address] != after[address]}


def expected(actors: Iterable[str]) -> dict[str, set[str]]:
    return {actor: {one for one in HEARD_BY if actor in HEARD_BY[one]} for actor in actors}


@pytest.mark.check(8)
@pytest.mark.parametrize(
    "actors", [INSIDERS, pytest.param((*FURTHER_INSIDERS, *FURTHER), marks=pytest.mark.slow)]
)
def test_each_canary_is_heard_by_those_who_may_and_stays_in_no_cache_and_no_log(
    actors: tuple[str, ...], nest: Nest, lines: pytest.LogCaptureFixture
):
    fill(nest)
    answers = {actor: answers_for(nest.browser(actor), nest) for actor in actors}

    assert {actor: heard(answers[actor].values()) for actor in actors} == expected(actors)
    assert heard([*places.cached(), *places.logged(lines.records)]) == set()
    open_to_caches = {
        (actor, address)
        for actor in actors
        for address, text in answers[actor].items()
        if heard([text]) and "private" not in text and "no-store" not in text
    }
    assert open_to_caches == set()


@pytest.mark.check(6)
@pytest.mark.parametrize(
    "actor", ["anonymous", *(pytest.param(one, marks=pytest.mark.slow) for one in FURTHER)]
)
def test_nothing_of_it_changes_a_byte_an_outsider_is_shown(
    actor: str, nest: Nest, lines: pytest.LogCaptureFixture
):
    """Neither in a page nor a header; and nothing of it stays in a cache, a log, or a mail."""
    browser = nest.browser(actor)
    if actor != "anonymous":
        # With its first one each page has another mark.
        browser.cookies["csrftoken"] = "a" * 32
    before = answers_for(browser, nest)

    if actor == "anonymous":
        # Until the site gives it a cookie a browser is answered what all are.
        browser = nest.browser(actor)
    lines.clear()
    fill(nest)
    after = answers_for(browser, nest)

    assert differing(before, after) == set()
    assert heard(after.values()) == set()
    found = [*places.cached(), *places.logged(lines.records), *places.mailed(), *places.waiting()]
    assert len(found) > 100
    assert heard(found) == set()


def test_news_outside_the_site_shows_tables_and_nothing_of_decks_and_judges(nest: Nest):
    """Mails, messages to phones, a channel, and programs, once the draft is published."""
    fill(nest)
    event, owner = nest.event, owner_of(nest.event)
    announcements.change_announcements(
        event,
        owner,
        webhook="https://hooks.example/canary-channel",
        tells_pairings=True,
        tells_standings=True,
        allows_mail=True,
        allows_push=True,
    )
    for place in (nest.player, nest.opponent):
        place.player.user = make_user(email=f"player{place.number}@example.org")
        place.player.save()
        announcements.set_mail_wish(place, wanted=True)
    rounds_services.publish_round(get_round(event, 3), owner)
    round_ = get_round(event, 3)

    jobs.run_aside(Job, event.jobs.get(kind=JobKind.MAIL).pk, announcements.mail_tables)
    pushed = [message.decode() for message in announcements._push_messages(round_).values()]
    chatted = pairings_texts(round_)

    assert len(mail.outbox) == 2
    for news in (pushed, chatted):
        assert any(DRAFT_TABLE in text for text in news)
    sent = [*pushed, *chatted, *places.mailed(), *places.waiting()]
    assert heard(sent) == {DRAFT_TABLE}
