"""Imports of files of other programs by page, API and command."""

import html
import json
import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from core.rate_limits import exclusive_work
from tests.factories.library import load_cards
from tests.factories.tournaments import make_event, make_user, play_round
from tests.moments import after
from tests.tournaments.files.fixtures import NAMES, data
from tests.tournaments.pages import url
from tournaments.files import services as files_services
from tournaments.files import whole_event
from tournaments.files.reading import read_file
from tournaments.files.records import TournamentFileRefused
from tournaments.models import IdempotencyRecord, LogAction, StaffRole, Tournament

PAGE = "/events/import/"
API = "/api/v1/imports/"
# Files of each program, with oddities.
VARIED_FILES = ("aesops_cut_places", "cobra_mixture", "cobra_single_cut", "nrtm_texts", "sass")


def import_fields(preview):
    """Fields of the form that imports the previewed file."""
    form = preview.content.decode().partition('enctype="multipart/form-data"')[2]
    text = form.partition('<textarea name="text" hidden>\n')[2].partition("</textarea>")[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form.partition("</form>")[0]))
    return {**fields, "text": html.unescape(text)}


def test_file_is_previewed_and_then_imported(client):
    user = make_user()
    client.force_login(user)
    upload = SimpleUploadedFile("cut.json", data("cobra_cut"))

    preview = client.post(PAGE, {"file": upload})

    assert not Tournament.objects.exists()
    answer = client.post(PAGE, {**import_fields(preview), "import": "1"})
    event = Tournament.objects.get()
    assert answer.url == event.get_absolute_url()
    assert event.staff.get().role == StaffRole.OWNER
    assert event.imported_file.file_name == "cut.json"
    again = client.post(PAGE, {"text": data("cobra_cut").decode()}).content.decode()
    assert "This file was imported before" in again


def test_email_addresses_in_names_are_not_imported(client):
    client.force_login(make_user())
    document = json.loads(data("cobra_cut"))
    document["players"][0]["name"] = "gus@x.org"
    document["players"][1]["name"] = "Bo Lind <bo@x.org>"

    preview = client.post(PAGE, {"text": json.dumps(document)})
    client.post(PAGE, {**import_fields(preview), "import": "1"})

    event = Tournament.objects.get()
    players = event.registrations.order_by("number").values_list("player__name", flat=True)
    assert list(players[:2]) == ["Player 1", "Bo Lind"]
    for notice in (
        "Player 1 has only an email address for a name.",
        "The name of Bo Lind holds an email address.",
    ):
        assert notice in preview.text
    assert "@x.org" not in json.dumps(event.imported_file.notices)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"datafort": 1, "event": {"settings": {}}}', "$.event.settings.name"),
        (b"rank,name", "Choose the JSON file"),
        (b"", "The file is empty."),
        (b"{}", "(at $.players in the file)"),
    ],
)
def test_invalid_file_is_refused_with_advice(client, content, message):
    client.force_login(make_user())

    page = client.post(PAGE, {"file": SimpleUploadedFile("event.json", content)})

    assert page.status_code == 422
    assert message in page.content.decode()


def test_second_submission_redirects_to_the_same_event(client):
    client.force_login(make_user())
    fields = {
        **import_fields(client.post(PAGE, {"text": data("cobra_cut").decode()})),
        "import": "1",
    }

    answers = [client.post(PAGE, fields) for _ in range(2)]

    event = Tournament.objects.get()
    assert {answer.url for answer in answers} == {event.get_absolute_url()}


def test_one_import_runs_at_a_time(client):
    client.force_login(make_user())

    with exclusive_work("import"):
        page = client.post(PAGE, {"text": data("cobra_cut").decode()})
        answer = client.post(API, data("cobra_cut"), content_type="application/json")

    assert "Another import is running" in page.content.decode()
    assert (answer.status_code, answer.json()["code"]) == (409, "busy")
    assert client.post(PAGE, {"text": data("cobra_cut").decode()}).status_code == 200


def test_imports_are_limited_per_account(client, settings, time_machine):
    settings.API_LIMITS = {**settings.API_LIMITS, "imports": 1}
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    text = {"text": data("cobra_cut").decode()}
    statuses = {}
    for name in ("first", "second"):
        client.force_login(make_user(name))
        statuses[name] = [client.post(PAGE, text).status_code for _ in range(2)]

    assert statuses == {"first": [200, 422], "second": [200, 422]}


@pytest.mark.django_db(transaction=True)
def test_file_is_read_outside_and_stored_inside_a_transaction(client):
    client.force_login(make_user())
    read, stored = [], []
    body = {"text": data("cobra_cut").decode(), "import": "1", "idempotency_key": "of-the-form"}
    key = {"Idempotency-Key": "of-a-program"}

    reading = after(
        "tournaments.files.services.read_event_file",
        lambda: read.append(connection.in_atomic_block),
    )
    storing = after(
        "tournaments.event.history.record",
        lambda: stored.append(connection.in_atomic_block),
        given=LogAction.EVENT_IMPORTED,
    )
    with reading, storing:
        page = client.post(PAGE, body)
        answer = client.post(API, data("cobra_open_round"), "application/json", headers=key)

    assert (page.status_code, answer.status_code) == (302, 201)
    assert read == [False, False]
    assert stored == [True, True]


def test_preview_stores_no_answer_for_its_key(client):
    user = make_user(is_staff=True)
    client.force_login(user)
    event = make_event(0, owner=user)
    load_cards()
    key = {"idempotency-key": "preview-twice"}
    previews = {
        f"{API}?preview=true": data("cobra_cut"),
        f"/api/v1/events/{event.slug}/decks/check/": {"side": "runner", "text": "3 Fang"},
    }

    statuses = [client.post(PAGE, {"text": data("cobra_cut").decode()}, headers=key).status_code]
    for address, body in previews.items():
        statuses.append(client.post(address, body, "application/json", headers=key).status_code)

    assert statuses == [200] * 3
    assert not IdempotencyRecord.objects.exists()


def test_event_page_shows_differences_with_player_names(client):
    document = json.loads(data("cobra_cut"))
    odd = document["players"][0]
    odd["matchPoints"] = 77
    event = files_services.import_file(json.dumps(document).encode(), owner=make_user()).tournament

    page = client.get(event.get_absolute_url()).content.decode()

    assert f"<bdi>{odd['name']}</bdi>, match points: 77 in the file" in page


def test_import_requires_a_login(client):
    assert client.get(PAGE).status_code == 302
    assert client.post(API, b"{}", content_type="application/json").status_code == 401


def test_api_previews_imports_and_refuses(client):
    client.force_login(make_user())

    def post(body, query=""):
        return client.post(f"{API}{query}", body, content_type="application/json")

    preview = post(data("cobra_cut"), "?preview=true")
    made = post(data("cobra_cut"))

    assert preview.status_code == 200
    assert preview.json()["url"] is None
    assert made.status_code == 201
    assert made.json()["standings"] == preview.json()["standings"]
    assert made.json()["url"].endswith(f"/events/{made.json()['event']}/")
    refused = post(b'{"players": 3}')
    assert refused.status_code == 400
    assert refused.json()["code"] == "file_refused"
    assert list(refused.json()["errors"]) == ["$.players"]
    assert post(b"{}", "?preview=perhaps").status_code == 400


def test_refused_file_leaves_its_key_free(client):
    client.force_login(make_user())
    sent = {"content_type": "application/json", "headers": {"Idempotency-Key": "one-file"}}

    refused, corrected, repeated = (
        client.post(API, body, **sent)
        for body in (b'{"players": 3}', data("cobra_cut"), data("cobra_cut"))
    )

    assert [answer.status_code for answer in (refused, corrected, repeated)] == [400, 201, 201]
    assert repeated["Idempotency-Replayed"] == "true"
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize(
    "name",
    [
        *("aesops_cut_unknown", "cobra_odd_scores"),
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("cobra_cut", "cobra_open_round")),
    ],
)
def test_pages_of_an_imported_event_open(client, name):
    owner = make_user()
    event = files_services.import_file(data(name), owner=owner).tournament
    client.force_login(owner)
    slug = event.slug

    pages = [
        reverse(f"tournaments:{page}", args=[slug])
        for page in ("event", "standings", "bracket", "pairings", "desk", "roster", "log")
    ]
    pages += [f"/events/{slug}/players/1/"]
    pages += [f"/events/{slug}/rounds/{number}/" for number in (1, 2)]
    for page in pages:
        answer = client.get(page)
        assert answer.status_code in (200, 302), page


def test_identities_of_the_file_are_shown_beside_the_names(client):
    document = json.loads(data("cobra_double"))
    titles = [player["corpIdentity"] for player in document["players"] if player["corpIdentity"]]
    files_services.import_file(data("cobra_double"))

    page = client.get(url("standings", Tournament.objects.get())).content.decode()

    assert titles[0].partition(":")[0] in page


@pytest.mark.parametrize(
    "name",
    [
        name if name in VARIED_FILES else pytest.param(name, marks=pytest.mark.slow)
        for name in NAMES
    ],
)
def test_preview_equals_the_import_and_writes_nothing(name):
    with CaptureQueriesContext(connection) as captured:
        preview = files_services.import_file(data(name), preview=True)

    assert all(query["sql"].startswith("SELECT") for query in captured)
    imported = files_services.import_file(data(name))
    assert preview.answer == imported.answer
    assert preview.unresolved == imported.unresolved
    assert [(line["id"], line["rank"]) for line in imported.answer["standings"]] == [
        (row.id, row.rank) for row in read_file(data(name)).standings
    ]


def test_refused_file_writes_nothing():
    with pytest.raises(TournamentFileRefused) as refused:
        files_services.import_file(b'{"datafort": 1, "event": {"settings": {}}}')

    assert refused.value.path == "$.event.settings.name"
    assert not Tournament.objects.exists()


def test_number_of_standings_rows_is_limited():
    players, rounds = 1_000, files_services.MAX_STANDINGS_LINES // 1_000 + 1
    document = {
        "datafort": 1,
        "event": {
            "settings": {
                "name": "Spring Run",
                "game": "anr",
                "starts_on": "2026-05-02",
                "scoring_rule": "anr_single",
                "bye_points": 3,
            },
            "players": [{"id": number, "name": "Ada"} for number in range(1, players + 1)],
            "stages": [
                {
                    "number": 1,
                    "system": "single",
                    "scoring_rule": "anr_single",
                    "rounds": [{"number": number} for number in range(1, rounds + 1)],
                }
            ],
        },
    }

    with pytest.raises(TournamentFileRefused, match="lines of standings"):
        files_services.import_file(json.dumps(document).encode(), preview=True)


def test_same_file_imported_twice_creates_two_events():
    first, second = (files_services.import_file(data("nrtm")) for _ in range(2))

    assert first.answer["event"] != second.answer["event"]
    assert files_services.earlier_imports(first.digest).count() == 2


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The document of an event with one round."""
    event = make_event(4)
    play_round(event)
    path = tmp_path / "event.json"
    path.write_text(json.dumps(whole_event.event_document(event)))
    return path


def test_command_prints_one_json_object(file, capfdbinary):
    call_command("import_tournament", str(file), "--json")

    answer = json.loads(capfdbinary.readouterr().out)
    assert Tournament.objects.filter(slug=answer["event"]).exists()
    assert (answer["players"], answer["rounds"], answer["differences"]) == (4, 1, [])


def test_command_previews_without_an_event(file, capsys):
    call_command("import_tournament", str(file), "--preview")

    assert "Spring Run would become" in capsys.readouterr().out
    assert Tournament.objects.count() == 1


def test_command_refuses_a_file_with_status_2(tmp_path, capfdbinary):
    file = tmp_path / "broken.json"
    file.write_text("[]")

    with pytest.raises(CommandError) as refused:
        call_command("import_tournament", str(file))
    with pytest.raises(SystemExit) as ended:
        call_command("import_tournament", str(file), "--json")

    assert refused.value.returncode == ended.value.code == 2
    assert json.loads(capfdbinary.readouterr().out)["path"] == "$"
