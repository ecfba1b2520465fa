"""A file of any program on the command line."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.factories.tournaments import make_event, play_round
from tournaments.interchange.exports import whole_event
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The document of an event of one round."""
    event = make_event(4)
    play_round(event)
    path = tmp_path / "event.json"
    path.write_text(json.dumps(whole_event.document(event)))
    return path


def test_an_import_answers_with_one_json_object(file, capfdbinary):
    call_command("import_tournament", str(file), "--json")

    told = json.loads(capfdbinary.readouterr().out)
    assert Tournament.objects.filter(slug=told["event"]).exists()
    assert (told["players"], told["rounds"], told["differences"]) == (4, 1, [])


def test_a_preview_makes_no_event(file, capsys):
    call_command("import_tournament", str(file), "--preview")

    assert "Spring Run would become" in capsys.readouterr().out
    assert Tournament.objects.count() == 1


def test_a_broken_file_is_refused_with_status_2(tmp_path, capfdbinary):
    file = tmp_path / "broken.json"
    file.write_text("[]")

    with pytest.raises(CommandError) as refused:
        call_command("import_tournament", str(file))
    with pytest.raises(SystemExit) as ended:
        call_command("import_tournament", str(file), "--json")

    assert refused.value.returncode == ended.value.code == 2
    assert json.loads(capfdbinary.readouterr().out)["path"] == "$"
