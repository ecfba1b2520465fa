"""Lists are judged before anything is migrated or imported."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from decks.catalogue import SHIPPED, STORED, tables_at_hand
from decks.models import Card
from tests.decks.asking import check_deck, standard
from tests.decks.lists import RESTORING_TEXT
from tests.factories.decks import legal_corp_list

ROOT = Path(settings.BASE_DIR)


@pytest.mark.django_db
def test_before_any_import_the_shipped_tables_judge(written):
    assert not Card.objects.filter(game="onr").exists()
    assert tables_at_hand("onr") is SHIPPED
    assert check_deck(written(legal_corp_list()), "--game", "onr")[1]["size"] == 45


@pytest.mark.usefixtures("anr_cards")
def test_the_tables_of_the_database_judge_once_there_are_cards(written):
    assert tables_at_hand("anr") is STORED
    path = written(RESTORING_TEXT)
    stored = check_deck(path, "--game", "anr", *standard("2025-10-03"))
    Card.objects.update(game="onr")

    assert tables_at_hand("anr") is SHIPPED
    assert check_deck(path, "--game", "anr", *standard("2025-10-03")) == stored


def test_a_fresh_copy_without_a_database_judges(written, tmp_path):
    path = str(written(RESTORING_TEXT))
    done = subprocess.run(
        [sys.executable, "manage.py", "check_deck", path, "--game", "anr", "--json"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATAFORT_VAR": str(tmp_path / "var")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["legal"] is True
