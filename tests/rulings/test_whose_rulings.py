"""Rulings of a house or of one event are never taken for those of the list."""

import pytest
from django.test import Client
from django.utils import timezone

from rulings import services
from rulings.importer import files

pytestmark = pytest.mark.usefixtures("small")

HOUSE = """---
title: House rulings of the league
date: 2026-05-01
---

## Topic: Table talk

- Nobody helps a player.
"""


def test_a_house_ruling_says_that_it_is_one(client: Client):
    files.import_file(HOUSE.encode())

    house = client.get("/rulings/subject/table-talk/").content.decode()

    assert "House ruling</span>" in house
    assert "House ruling</span>" not in client.get("/rulings/tracing-1/").content.decode()


def test_the_index_leaves_local_rulings_to_their_document(client: Client):
    document = services.local_document("onr")
    ruling = services.new_ruling(document, subject="Coin flips", text="Nobody flips a coin.")
    services.adopt(ruling, timezone.now())

    index = client.get("/rulings/").content.decode()

    assert "Coin flips" not in index
    assert document.get_absolute_url() in index
    assert "Coin flips" in client.get(document.get_absolute_url()).content.decode()
