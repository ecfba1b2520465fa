"""The language of a response: account, browser, and languages that have only some pages."""

from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import get_language, override

from core import jobs
from core.languages import choose_language, in_words, languages_of_events
from core.text import Message, ngettext_lazy
from tests.factories.sessions import logged_in
from tests.factories.tournaments import make_event, make_user
from tests.tournaments.pages import url
from tournaments.models import Job, JobKind, Tournament

pytestmark = pytest.mark.django_db

GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}


@pytest.mark.parametrize(
    ("preferred", "chosen"),
    [
        ((), "en-gb"),
        (("",), "en-gb"),
        (("de",), "de"),
        (("fr", "de"), "fr"),
        (("", "de"), "de"),
        (("pl", "de"), "de"),
        (("de-at",), "en-gb"),
    ],
)
def test_first_preferred_language_that_is_available_is_chosen(
    preferred: tuple[str, ...], chosen: str
):
    assert choose_language(["en-gb", "de", "fr"], *preferred) == chosen


def test_events_have_only_languages_with_all_displays(settings):
    settings.PAGES_IN_LANGUAGE = {"de": {"home", *settings.EVENT_PAGES}, "fr": {"home"}}

    assert languages_of_events() == [("en-gb", "English"), ("de", "Deutsch")]


def test_page_is_in_the_language_of_the_browser():
    answer = Client().get(reverse("tournaments:join"), headers=GERMAN)

    assert answer["Content-Language"] == "de"
    assert "Accept-Language" in answer["Vary"]
    assert '<html lang="de">' in answer.content.decode()


def test_thread_is_in_english_after_a_page():
    Client().get(reverse("tournaments:join"), headers=GERMAN)

    assert get_language() == settings.LANGUAGE_CODE


def test_unknown_language_gets_english():
    answer = Client().get(reverse("tournaments:join"), headers={"Accept-Language": "xx"})

    assert '<html lang="en-gb">' in answer.content.decode()


def test_page_without_translation_is_english():
    answer = Client().get(reverse("rulings:index"), headers=GERMAN)

    assert answer["Content-Language"] == "en-gb"
    assert '<html lang="en-gb">' in answer.content.decode()


def test_account_overrides_the_browser():
    user = make_user()
    user.language = "fr"
    user.save()

    answer = logged_in(user).get(reverse("tournaments:mine"), headers=GERMAN)

    assert '<html lang="fr">' in answer.content.decode()


def test_language_of_an_account_is_set_on_its_page():
    user = make_user()

    logged_in(user).post(reverse("players:me"), {"language": "de"})

    user.refresh_from_db()
    assert user.language == "de"


def test_unknown_language_of_an_account_is_refused():
    user = make_user()

    logged_in(user).post(reverse("players:me"), {"language": "xx"})

    user.refresh_from_db()
    assert user.language == ""


def test_api_is_english_and_does_not_vary():
    answer = Client().get(reverse("api:events"), headers=GERMAN)

    assert "Accept-Language" not in answer.get("Vary", "")


def test_cached_pages_differ_by_language(settings):
    settings.STRANGERS_PAGES_SECONDS = 60
    event = make_event(players=2)
    browser = Client()
    for address in (reverse("home"), url("event", event)):
        english, german = browser.get(address), browser.get(address, headers=GERMAN)
        assert '<html lang="en-gb">' in english.content.decode()
        assert '<html lang="de">' in german.content.decode()
        assert english["ETag"] != german["ETag"]


def test_job_in_a_request_runs_in_the_language_of_the_site():
    event: Tournament = make_event(players=0)
    job = Job.objects.create(tournament=event, kind=JobKind.PAIR_ROUND)
    seen = list[str | None]()

    def handler(_job: Job) -> None:
        seen.append(get_language())

    with override("de"):
        jobs.run_aside(Job, job.pk, handler)

    assert seen == [settings.LANGUAGE_CODE]


def test_message_of_a_module_without_django_is_translated():
    message = ngettext_lazy(
        "at least %(number)s agenda point", "at least %(number)s agenda points", number=1
    )

    assert str(message) == "at least 1 agenda point"
    with override("de"):
        assert in_words(message) == "mindestens 1 Agendapunkt"


def test_values_of_a_message_are_translated_too():
    message = Message("come %(place)s", {"place": Message("first")})

    assert str(message) == "come first"
    with override("fr"):
        assert in_words(message) == "finir premier"


def test_every_language_has_the_same_formats_of_our_own():
    folder = Path(import_module(settings.FORMAT_MODULE_PATH).__file__ or "").parent
    own = {
        language: {
            name
            for name in vars(import_module(f"{settings.FORMAT_MODULE_PATH}.{language}.formats"))
            if name.endswith("_FORMAT")
        }
        - {"DATE_FORMAT", "TIME_FORMAT", "DATETIME_FORMAT", "SHORT_DATETIME_FORMAT"}
        for language in (code.split("-")[0] for code, _ in settings.LANGUAGES)
    }

    assert {path.name for path in folder.iterdir() if (path / "formats.py").exists()} == own.keys()
    assert len({frozenset(names) for names in own.values()}) == 1
