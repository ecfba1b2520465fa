"""The demo events, created once for all tests of this module."""

import shutil
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
import pytest_django
from django.conf import settings as site_settings
from django.db import transaction
from django.test import Client
from django.utils import timezone

from players.models import Player, User
from tests.factories import tournaments as make
from tests.factories.library import load_cards
from tests.tournaments.test_demo import demo_event, run
from tournaments.decklists import queries as deck_queries
from tournaments.judging import queries as judging_queries
from tournaments.models import Tournament

ADDRESS = ("--address", "http://192.0.2.7:9000/")


@pytest.fixture(scope="module")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("var")


@pytest.fixture
def folder(demo_folder: Path, tmp_path: Path, settings) -> Path:
    """Return a copy for a test that runs the command again."""
    shutil.copytree(demo_folder, tmp_path, dirs_exist_ok=True)
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture(scope="module")
def demo_output(
    django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker, demo_folder: Path
) -> Iterator[dict[str, str]]:
    """Run the demo command and return its output."""
    before = site_settings.VAR_DIR
    with django_db_blocker.unblock(), transaction.atomic():
        site_settings.VAR_DIR = demo_folder
        load_cards()
        printed = run(*ADDRESS)
        site_settings.VAR_DIR = before
        yield printed
        transaction.set_rollback(True)


def test_second_run_changes_only_the_link(demo_output: dict[str, str], folder: Path):
    version = demo_event().version

    second = run(*ADDRESS)

    changed = {label for label, value in demo_output.items() if second[label] != value}
    assert changed == {"Phone link"}
    assert demo_output.keys() == second.keys()
    assert demo_event().version == version
    assert (folder / "demo_login").stat().st_mode & 0o777 == 0o600


def test_lost_passwords_are_replaced_and_changed_passwords_are_kept(
    demo_output: dict[str, str], folder: Path
):
    (folder / "demo_login").unlink()
    second = run()
    judge = User.objects.get(username="judge")
    judge.set_password("something of my own")
    judge.save()

    assert second["Organiser"] != demo_output["Organiser"]
    assert run()["Judge"] == "judge, with the password you have set"


@pytest.mark.usefixtures("demo_output")
def test_demo_event_is_in_round_3_and_shows_every_feature():
    tournament = demo_event()
    registrations = tournament.registrations
    states = list(tournament.rounds.values_list("state", flat=True))
    tables = make.tables_of(make.get_round(tournament, 3))

    assert states == ["closed", "closed", "running"]
    assert make.get_round(tournament, 3).pairings.exclude(bye=None).count() == 1
    at_tables = [pairing.match.state for pairing in tables if pairing.match]
    assert (
        at_tables
        == ["confirmed", "decided", "confirmed", "confirmed", "proposed", "disputed"] + ["open"] * 2
    )
    assert tournament.snapshots.newest().round.number == 2
    assert registrations.count() == 18
    assert registrations.filter(state="dropped").count() == 1
    assert registrations.get(joined_in_round=2).player.name == "Thandiwe Almeida"
    problems = deck_queries.deck_problems_of_event(tournament, tournament.roster())
    assert [(str(problem.registration.player), problem.words) for problem in problems] == [
        ("Ivy Tanner", "Corp deck is illegal")
    ]
    (call,) = judging_queries.open_calls(tournament)
    assert call.pairing.match.state == "open"
    assert registrations.get(fixed_table=2).player.name == "Kasia Nowak"
    roles = set(tournament.staff.values_list("user__username", "role"))
    assert roles == {("organiser", "owner"), ("judge", "judge")}


@pytest.mark.usefixtures("demo_output")
def test_demo_event_has_answered_calls_and_penalties():
    tournament = demo_event()

    assert len(judging_queries.past_calls(tournament)) == 2
    penalties = tournament.penalties.order_by("pk")
    penalty_facts = [(row.infraction, row.kind, row.is_in_force) for row in penalties]
    assert penalty_facts == [
        ("slow-play", "caution", True),
        ("slow-play", "warning", True),
        ("late", "warning", True),
        ("report-wrong", "caution", False),
        ("illegal-deck", "game_loss", True),
    ]
    (lost,) = tournament.penalties.filter(kind="game_loss")
    assert lost.pairing.match.games.get(number=1).end == "judge"


@pytest.mark.usefixtures("demo_output")
def test_cut_and_pods_of_the_smaller_events_are_in_progress():
    cup = Tournament.objects.get(slug="datafort-demo-cup")
    evening = Tournament.objects.get(slug="datafort-demo-radicals")

    assert cup.current_stage().system == "double_elimination"
    assert cup.current_stage().entries.count() == 8
    assert list(cup.rounds.values_list("state", flat=True)) == ["closed"] * 4 + ["running"]
    pods = make.tables_of(make.get_round(evening, 2))
    assert sorted(len(table.match.seats.all()) for table in pods) == [3, 4]


def test_printed_logins_and_link_work(client: Client, demo_output: dict[str, str]):
    for word in ("Organiser", "Judge"):
        username, password = demo_output[word].split(" / ")
        assert client.login(username=username, password=password)
        client.logout()
    assert demo_output["Demo event"] == "http://192.0.2.7:9000/events/datafort-demo-open/"
    client.get(demo_output["Phone link"].removeprefix("http://192.0.2.7:9000"), follow=True)
    client.post("/claim/")
    player = Player.objects.get(name=demo_output["Player"])
    assert player.claimed_at is not None
    pairing = make.get_round(demo_event(), 3).pairing_of(player)
    assert pairing.match.state == "open"


@pytest.mark.usefixtures("demo_output")
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/series/", "Datafort Tuesday League"),
        ("/series/datafort-tuesday-league/", "after 3 of 6 events"),
        ("/ratings/onr/", "Guadalupe Ríos"),
        ("/statistics/", "of 24 open decks"),
        ("/archive/", "Datafort Tuesday League 3"),
        ("/people/", "Datafort Tuesday League 1"),
    ],
)
def test_pages_over_several_events_have_content(client: Client, path: str, words: str):
    if path == "/people/":
        path += f"{Player.objects.get(name='Guadalupe Ríos').pk}/"

    assert words in client.get(path).content.decode()


@pytest.mark.usefixtures("demo_output")
def test_events_of_the_series_were_on_past_tuesdays():
    events = Tournament.objects.filter(series__name="Datafort Tuesday League")
    days = [event.starts_on for event in events.order_by("starts_on")]

    assert {day.weekday() for day in days} == {1}
    assert [later - day for day, later in pairwise(days)] == [timedelta(weeks=1)] * (len(days) - 1)
    assert timedelta(0) < timezone.localdate() - days[-1] <= timedelta(weeks=1)
    assert all(event.finished_at.date() <= timezone.localdate() for event in events)
