"""Files of other programs become events that say what the files say."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.interchange.fixtures import NAMES, data
from tournaments.interchange import FileRefused, read
from tournaments.models import ImportedFile, Tournament
from tournaments.services import importing

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", NAMES)
def test_a_preview_says_what_the_import_makes_of_the_file_and_writes_nothing(name):
    with CaptureQueriesContext(connection) as asked:
        preview = importing.import_file(data(name), preview=True)

    assert all(query["sql"].startswith("SELECT") for query in asked)
    made = importing.import_file(data(name))
    assert preview.answer == made.answer
    assert preview.unresolved == made.unresolved
    assert [(line["id"], line["rank"]) for line in made.answer["standings"]] == [
        (row.id, row.rank) for row in read(data(name)).standings
    ]


def test_a_broken_file_is_refused_with_its_path_and_nothing_is_written():
    with pytest.raises(FileRefused) as refused:
        importing.import_file(b'{"datafort": 1, "event": {"settings": {}}}')

    assert refused.value.path == "$.event.settings.name"
    assert not Tournament.objects.exists()


def test_few_letters_do_not_become_rows_without_number():
    players, rounds = 1_000, importing.reading.MOST_LINES // 1_000 + 1
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

    with pytest.raises(FileRefused, match="lines of standings"):
        importing.import_file(json.dumps(document).encode(), preview=True)


def test_the_same_file_twice_makes_two_events_and_both_are_known():
    first, second = (importing.import_file(data("nrtm")) for _ in range(2))

    assert first.answer["event"] != second.answer["event"]
    assert importing.earlier_imports(first.digest).count() == 2
    assert json.dumps(ImportedFile.objects.first().differences)
