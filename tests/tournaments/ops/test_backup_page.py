"""The desk shows the state of backups and processes to administrators of the site only."""

from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.test import Client
from django.utils import timezone

from core import processes
from core.backups import NAME_FORMAT
from tests.factories.tournaments import make_event, make_user
from tests.tournaments.pages import FRAGMENT, url
from tournaments.event.permissions import Actor
from tournaments.models import Tournament
from tournaments.settings import services as settings_services

pytestmark = pytest.mark.check(38)


@pytest.fixture
def event(settings, tmp_path: Path) -> Tournament:
    settings.BACKUP_FOLDER = str(tmp_path)
    return make_event(players=2, owner=make_user("owner", is_staff=True))


def desk_page(event: Tournament, username: str, **headers: str):
    browser = Client()
    assert browser.login(username=username, password="a long password")
    return browser.get(url("desk", event), headers=headers)


def add_backup(age: timedelta) -> None:
    name = (timezone.now() - age).strftime(NAME_FORMAT)
    (Path(settings.BACKUP_FOLDER) / f"{name}.sqlite3.gz").touch()


def test_administrator_sees_the_age_of_the_backup_and_a_warning_if_late(event):
    assert "The site has no backup yet" in desk_page(event, "owner").text

    add_backup(timedelta(days=3))
    late = desk_page(event, "owner").text
    assert "Last site backup" in late
    assert "Backup is late" in late

    add_backup(timedelta(minutes=3))
    assert "Backup is late" not in desk_page(event, "owner").text


def test_desk_refreshes_after_a_new_backup(event):
    etag = desk_page(event, "owner", **FRAGMENT)["ETag"]
    headers = {**FRAGMENT, "If-None-Match": etag}
    assert desk_page(event, "owner", **headers).status_code == 304

    add_backup(timedelta(0))

    assert desk_page(event, "owner", **headers).status_code == 200


def test_administrator_sees_which_process_does_not_run(event, settings):
    settings.CELERY_TASK_ALWAYS_EAGER = False
    for process in processes.PROCESSES:
        processes.record_heartbeat(process)
    shown = desk_page(event, "owner", **FRAGMENT)
    assert "is not running" not in shown.text

    with time_machine.travel(timezone.now() + timedelta(minutes=1)):
        processes.record_heartbeat("default")
        processes.record_heartbeat("slow")
        headers = {**FRAGMENT, "If-None-Match": shown["ETag"]}
        text = desk_page(event, "owner", **headers).text
    assert "Beat is not running: nothing happens automatically." in text
    assert "The worker of the" not in text


def test_organiser_and_site_without_backups_show_nothing(event, settings):
    user = make_user("organiser")
    settings_services.give_role(event, Actor(user=event.staff.get().user), user, "organiser")
    assert "backup" not in desk_page(event, "organiser").text

    settings.BACKUP_FOLDER = ""
    assert "backup" not in desk_page(event, "owner").text
