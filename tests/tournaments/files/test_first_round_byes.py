"""Byes in round 1 that a file counts but does not list."""

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from tests.api.clients import make_token, with_token
from tests.factories import files
from tests.factories.tournaments import make_user
from tests.tournaments.files.fixtures import document
from tournaments.files import services as files_services
from tournaments.files.reading import read_file
from tournaments.files.records import FileBye, unlisted_byes
from tournaments.models import Pairing, Tournament

# The player with the bye in round 1 of the file.
EMILE = 15


def without_bye(**stated: Any) -> bytes:
    """The file without its bye in round 1, which the stated points still include."""
    content = document("cobra_double")
    content["rounds"][0].pop()
    for player in content["players"]:
        if player["id"] == EMILE:
            player.update(stated)
    return files.as_bytes(content)


def byes_of(data: bytes) -> tuple[FileBye, ...]:
    return unlisted_byes(read_file(data).event, usual_points=6)


def test_points_that_include_one_bye_are_an_unlisted_bye():
    assert byes_of(without_bye()) == (FileBye(EMILE, 6),)


@pytest.mark.parametrize("points", [0, 5, 12, None])
def test_different_points_are_no_bye(points: int | None):
    assert byes_of(without_bye(matchPoints=points)) == ()


def test_listed_bye_is_not_added_again():
    assert byes_of(files.as_bytes(document("cobra_double"))) == ()


def test_higher_points_of_a_player_in_round_1_are_no_bye():
    content = document("cobra_double")
    for player in content["players"]:
        player["matchPoints"] += 6

    assert byes_of(files.as_bytes(content)) == ()


def test_bye_may_be_worth_as_much_as_other_byes_of_the_file():
    content = document("cobra_double")
    content["rounds"][0].pop()
    for round_ in content["rounds"][1:]:
        round_[-1]["player1"]["combinedScore"] = 7
    for player in content["players"]:
        player["matchPoints"] += 1 if player["id"] in (11, 16, EMILE) else 0

    assert byes_of(files.as_bytes(content)) == (FileBye(EMILE, 7),)


@pytest.mark.django_db
class TestImport:
    def test_preview_offers_the_bye_and_keeps_the_difference(self):
        preview = files_services.import_file(without_bye(), preview=True)

        assert preview.answer["first_round_byes"] == {"players": [EMILE], "are_added": False}
        assert EMILE in {row["id"] for row in preview.answer["differences"]}

    def test_added_bye_removes_every_difference(self):
        for preview in (True, False):
            imported = files_services.import_file(
                without_bye(), preview=preview, first_round_byes=True
            )
            assert imported.answer["first_round_byes"] == {"players": [EMILE], "are_added": True}
            assert imported.answer["differences"] == []

        bye = Pairing.objects.get(round__number=1, match=None)
        assert (str(bye.bye.player), bye.bye_points) == ("Émile 5", 6)

    def test_bye_is_added_only_on_request(self):
        files_services.import_file(without_bye())

        assert not Pairing.objects.filter(round__number=1, match=None).exists()

    def test_page_adds_an_offered_bye_when_ticked(self, client: Client):
        client.force_login(make_user())
        text = without_bye().decode()

        preview = client.post("/events/import/", {"text": text})
        assert preview.context["offered_byes"] == [("Émile 5", 6)]
        assert "Add these byes to round 1" in preview.content.decode()

        client.post("/events/import/", {"text": text, "import": "1", "first_round_byes": "true"})
        assert Pairing.objects.filter(round__number=1, match=None).count() == 1

    def test_page_offers_nothing_for_a_file_that_agrees(self, client: Client):
        client.force_login(make_user())

        preview = client.post("/events/import/", {"text": json.dumps(document("cobra_double"))})

        assert "Add these byes" not in preview.content.decode()

    @pytest.mark.parametrize(("query", "byes"), [("", 0), ("?first_round_byes=true", 1)])
    def test_api_adds_the_bye_on_request(self, query: str, byes: int):
        program = with_token(make_token(make_user()))

        answer = program.post(f"/api/v1/imports/{query}", json.loads(without_bye()), format="json")

        assert answer.status_code == 201
        assert answer.json()["first_round_byes"] == {"players": [EMILE], "are_added": bool(byes)}
        assert Pairing.objects.filter(round__number=1, match=None).count() == byes

    def test_command_adds_an_offered_bye_on_request(self, tmp_path, capsys):
        path = tmp_path / "event.json"
        path.write_bytes(without_bye())

        call_command("import_tournament", str(path), "--preview")
        assert "round 1 for: Émile 5. To add these byes" in capsys.readouterr().out

        call_command("import_tournament", str(path), "--first-round-byes")
        assert "--first-round-byes" not in capsys.readouterr().out
        assert Tournament.objects.count() == 1
        assert Pairing.objects.filter(round__number=1, match=None).count() == 1
