"""Pages in a pseudo-locale show every text in brackets; some pages are translated."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import trans_real
from pytest_django import DjangoDbBlocker

from decks.models import Card
from players.models import Player, User
from tests.pseudo_locale import pseudo_locale, unmarked_texts
from tests.shared_rows import shared_rows
from tests.tournaments.matrix.rows import EXPECTED
from tests.tournaments.matrix.scene import Scene, make_scene
from tournaments.models import Series, Tournament

pytestmark = pytest.mark.usefixtures("quiet_requests")

READERS = ("owner", "player", "administrator")
# Names that are the same in every language.
NAMES = {
    *("Datafort", "AlwaysBeRunning", "NetrunnerDB", "Netrunner", "Free Radicals", "Android: "),
    *("CSV", "JSON", "HTML", "ICS", "MD", "QR", "SHA-256", "Python", "SQLite", "PostgreSQL"),
    *(name for _, name in settings.LANGUAGES),
    *("robots.txt", "security.txt", "testserver", "spring-run", "UTC", "Europe/Berlin"),
}
# Pages that still show texts of the rules or of the database, which are stored in English.
ENGLISH_TEXTS = {
    # Names of cards and their types.
    *("deck", "deck_of", "deck_page", "decks", "deck_change", "print_decks", "deck_difference"),
    *("deck_difference_of", "deck_receipt", "deck_receipt_of", "deck_check", "deck_checks"),
    *("deck_check_of", "deck_check_print", "preview", "export_html"),
    # The infraction guide and rulings.
    *("event_guide", "guide_desk", "infraction_new", "infraction_change", "penalty_new"),
    *("penalties", "penalty_withdraw", "conduct", "judged", "rulings_booklet", "judges_booklet"),
    *("event_rulings", "local_rulings", "local_ruling_edit", "local_ruling_new", "call"),
    # The log, which is stored in the language of the site, and former results as in the log.
    *("log", "log_entry", "log_undo", "versions", "desk", "decide"),
    # Columns of the data of a person, named as in the file.
    "my_data",
    # Charts and factions, which rules without Django put into words.
    *("statistics", "person", "help_scoring"),
}


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    yield from shared_rows(django_db_blocker, make_scene)


def pages(scene: Scene, reader: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the HTML of every page that the reader can open."""
    browser = scene.browser(reader)
    for name, row in EXPECTED.items():
        if "GET" in row.methods:
            answer = browser.get(scene.address(name))
            if answer.status_code == 200 and "html" in answer["Content-Type"]:
                yield name, answer.content.decode()


def test_every_text_is_marked_for_translation(scene: Scene, monkeypatch: pytest.MonkeyPatch):
    rows = (
        (Player, "name"),
        (User, "username"),
        (Card, "title"),
        (Tournament, "name"),
        (Tournament, "join_code"),
        (Series, "name"),
    )
    data = {*NAMES}
    for model, field in rows:
        data.update(model._default_manager.values_list(field, flat=True))
    unmarked = dict[str, str]()

    with pseudo_locale(monkeypatch):
        for reader in READERS:
            for name, html in pages(scene, reader):
                if name not in ENGLISH_TEXTS:
                    for text in unmarked_texts(html, data):
                        unmarked.setdefault(text, name)

    assert not unmarked


@pytest.mark.parametrize("language", settings.PAGES_IN_LANGUAGE)
@pytest.mark.parametrize("reader", ["player", "owner"])
def test_pages_in_a_language_are_translated(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, language: str, reader: str
):
    """A few new texts may lack a translation for a while.

    Players read pages in their own language, the owner displays and printouts in the event's.
    """
    names = settings.EVENT_PAGES
    if reader == "player":
        names = settings.PAGES_IN_LANGUAGE[language] - names
    Tournament.objects.filter(pk=scene.event.pk).update(language=language)
    catalogue = vars(trans_real.translation(language))["_catalog"]
    shown, missing = set[str](), set[str]()

    def gettext(text: str) -> str:
        if text and translation.get_language() == language:
            shown.add(text)
            if text not in catalogue:
                missing.add(text)
        return trans_real.gettext(text)

    monkeypatch.setattr(vars(translation)["_trans"], "gettext", gettext)
    browser = scene.browser(reader)
    headers = {"Accept-Language": language} if reader == "player" else {}
    for name in sorted(names):
        space, _, own = name.rpartition(":")
        if space == "tournaments" and "GET" in EXPECTED[own].methods:
            browser.get(scene.address(own), headers=headers)

    assert len(shown) > 200
    assert len(missing) <= 0.03 * len(shown), sorted(missing)
