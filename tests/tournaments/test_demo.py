from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from decks.importer import import_cards
from players.models import Player, User
from tests.factories import tournaments as make
from tournaments import queries
from tournaments.management import demo_decks
from tournaments.models import DeckSubmission, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def var_dir(settings, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture
def cards() -> None:
    import_cards()


def run(*arguments: str) -> dict[str, str]:
    """The printed block: the words on the left, and what stands behind them."""
    out = StringIO()
    call_command("make_demo", *arguments, stdout=out)
    lines = out.getvalue().splitlines()[1:-1]
    return {line[2:14].strip(): line[14:] for line in lines}


def demo_event() -> Tournament:
    return Tournament.objects.get(slug="datafort-demo-open")


@pytest.mark.usefixtures("cards")
def test_the_demo_is_in_the_middle_of_its_third_round():
    run()
    tournament = demo_event()
    states = list(queries.rounds(tournament).values_list("state", flat=True))
    tables = make.tables_of(make.get_round(tournament, 3))

    assert states == ["closed", "closed", "running"]
    assert make.get_round(tournament, 3).pairings.exclude(bye=None).count() == 1
    told = [pairing.match.state for pairing in tables if pairing.match]
    assert (
        told
        == ["confirmed", "decided", "confirmed", "confirmed", "proposed", "disputed"] + ["open"] * 2
    )
    snapshot = queries.newest_snapshot(tournament)
    assert snapshot is not None
    assert snapshot.round.number == 2


@pytest.mark.usefixtures("cards")
def test_the_demo_has_something_of_everything():
    run()
    tournament = demo_event()
    registrations = tournament.registrations

    assert registrations.count() == 18
    assert registrations.filter(state="dropped").count() == 1
    assert registrations.get(joined_in_round=2).player.name == "Thandiwe Almeida"
    problems = queries.deck_problems(queries.roster(tournament))
    assert [(str(one.registration.player), one.words) for one in problems] == [
        ("Ivy Tanner", "Corp deck is not legal")
    ]
    (call,) = queries.open_calls(tournament)
    assert call.pairing.match.state == "open"
    assert registrations.get(fixed_table=2).player.name == "Kasia Nowak"
    roles = set(tournament.staff.values_list("user__username", "role"))
    assert roles == {("organiser", "owner"), ("judge", "judge")}


@pytest.mark.usefixtures("cards")
def test_judges_have_answered_and_penalised():
    run()
    tournament = demo_event()

    assert len(queries.past_calls(tournament)) == 2
    given = [(one.infraction, one.kind, one.stands) for one in tournament.penalties.order_by("pk")]
    assert given == [
        ("slow-play", "caution", True),
        ("slow-play", "warning", True),
        ("late", "warning", True),
        ("report-wrong", "caution", False),
        ("illegal-deck", "game_loss", True),
    ]
    (lost,) = tournament.penalties.filter(kind="game_loss")
    assert lost.pairing.match.games.get(number=1).end == "judge"


@pytest.mark.usefixtures("cards")
def test_beside_it_a_cut_and_pods_are_under_way():
    run()
    cup = Tournament.objects.get(slug="datafort-demo-cup")
    evening = Tournament.objects.get(slug="datafort-demo-radicals")

    assert queries.current_stage(cup).system == "double_elimination"
    assert queries.current_stage(cup).entries.count() == 8
    assert list(queries.rounds(cup).values_list("state", flat=True)) == ["closed"] * 4 + ["running"]
    assert [
        len(table.match.seats.all()) for table in make.tables_of(make.get_round(evening, 2))
    ] == [4, 3]


def test_where_cards_of_android_netrunner_are_loaded_decks_come_in_for_tomorrow():
    import_cards("anr")

    demo_decks.make(make.make_user())

    event = Tournament.objects.get(slug="datafort-demo-standard")
    problems = queries.deck_problems(queries.roster(event))
    assert {problem.words for problem in problems} == {
        "no Corp and no Runner deck",
        "Runner deck is not legal",
    }
    handed_in = DeckSubmission.objects.filter(registration__tournament=event)
    assert handed_in.filter(version__is_legal=True, locked_at__isnull=False).count() == 9
    assert handed_in.get(registration__number=1, side="corp").receipts.count() == 2


def test_without_those_cards_there_is_no_event_of_tomorrow():
    demo_decks.make(make.make_user())

    assert not Tournament.objects.exists()


@pytest.mark.usefixtures("cards")
def test_the_printed_logins_and_the_link_work(client: Client):
    told = run("--address", "http://192.0.2.7:9000/")

    for word in ("Organiser", "Judge"):
        username, password = told[word].split(" / ")
        assert client.login(username=username, password=password)
        client.logout()
    assert told["Demo event"] == "http://192.0.2.7:9000/events/datafort-demo-open/"
    client.get(told["Phone link"].removeprefix("http://192.0.2.7:9000"), follow=True)
    client.post("/claim/")
    player = Player.objects.get(name=told["Player"])
    assert player.claimed_at is not None
    pairing = queries.pairing_of(make.get_round(demo_event(), 3), player)
    assert pairing is not None
    assert pairing.match is not None
    assert pairing.match.state == "open"


@pytest.mark.usefixtures("cards")
def test_a_second_run_keeps_everything_but_the_link(var_dir: Path):
    first = run()
    version = demo_event().version
    second = run()

    assert first.pop("Phone link") != second.pop("Phone link")
    assert first == second
    assert demo_event().version == version
    assert (var_dir / "demo_login").stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("cards")
def test_lost_passwords_are_made_anew_and_changed_ones_are_left_alone(var_dir: Path):
    first = run()
    (var_dir / "demo_login").unlink()
    second = run()
    judge = User.objects.get(username="judge")
    judge.set_password("something of my own")
    judge.save()

    assert second["Organiser"] != first["Organiser"]
    assert run()["Judge"] == "judge, with the password you have set"


@pytest.mark.usefixtures("cards")
def test_a_stranger_of_that_name_keeps_the_account():
    stranger = make.make_user("organiser")

    with pytest.raises(CommandError, match="does not belong to the demo"):
        run()

    stranger.refresh_from_db()
    assert stranger.check_password("a long password")
    assert not Tournament.objects.exists()


def test_without_cards_there_is_no_demo():
    with pytest.raises(CommandError, match="import_cards"):
        run()
