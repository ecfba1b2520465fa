"""The command that creates the demo."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.factories import tournaments as make
from tests.factories.library import load_cards
from tournaments.decklists import queries as deck_queries
from tournaments.management import demo
from tournaments.models import DeckSubmission, Tournament


@pytest.fixture(autouse=True)
def var_dir(settings, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture
def cards() -> None:
    load_cards()


def run(*arguments: str) -> dict[str, str]:
    """Run the command and return the printed values by label."""
    out = StringIO()
    call_command("make_demo", *arguments, stdout=out)
    lines = out.getvalue().splitlines()[1:-1]
    return {line[2:14].strip(): line[14:] for line in lines}


def demo_event() -> Tournament:
    return Tournament.objects.get(slug="datafort-demo-open")


def test_standard_event_of_tomorrow_has_decks_in_all_states():
    load_cards("anr")

    demo.make_standard_event(make.make_user())

    event = Tournament.objects.get(slug="datafort-demo-standard")
    problems = deck_queries.deck_problems_of_event(event, event.roster())
    assert {problem.words for problem in problems} == {
        "no Corp or Runner deck",
        "Runner deck is illegal",
    }
    submitted = DeckSubmission.objects.filter(registration__tournament=event)
    assert submitted.filter(version__is_legal=True, locked_at__isnull=False).count() == 9
    assert submitted.get(registration__number=1, side="corp").receipts.count() == 2


def test_missing_cards_make_no_event():
    demo.make_standard_event(make.make_user())

    assert not Tournament.objects.exists()
    with pytest.raises(CommandError, match="import_cards"):
        run()


@pytest.mark.usefixtures("cards")
def test_account_outside_the_demo_is_not_changed():
    stranger = make.make_user("organiser")

    with pytest.raises(CommandError, match="does not belong to the demo"):
        run()

    stranger.refresh_from_db()
    assert stranger.check_password("a long password")
    assert not Tournament.objects.exists()


@pytest.mark.usefixtures("cards")
def test_home_page_refreshes_while_the_demo_is_created(client, monkeypatch):
    pages = []

    def look(*_):
        for headers in ({}, {"X-Fragment": "1"}):
            pages.append(client.get("/", headers=headers).content.decode())
        raise CommandError("Enough.")

    monkeypatch.setattr(demo, "make_demo", look)
    with pytest.raises(CommandError, match="Enough"):
        run()

    notice = "The demo event is being prepared."
    whole, fragment = pages
    assert notice in whole
    assert 'data-poll="/"' in whole
    assert "No public events yet" not in whole
    assert notice in fragment
    assert "<html" not in fragment
    assert notice not in client.get("/").content.decode()
