"""Sentences of reasons on pages, their stored form, and their texts in documents."""

import json
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.pairing.costs import PROFILES
from engine.pairing.pods import seat_pods
from engine.pairing.reason_texts import TEXTS
from engine.pairing.records import Entrant
from engine.pairing.swiss import pair_round
from tests.engine.pairing import documents
from tests.engine.pairing.pods import fields as pods
from tests.engine.pairing.test_reason_texts import reasons_of
from tests.factories.tournaments import make_event, start_round, table
from tests.tournaments.pages import text_of
from tournaments.files import whole_event
from tournaments.models import Pairing
from tournaments.rounds.reasons import (
    OWN_SENTENCES,
    SENTENCES,
    document_reason,
    reason_html,
    reason_text,
    stored_reason,
)

NAMES: dict[int | str, str] = dict(enumerate(("Ann", "Bo", "Cy", "Di", "Eve"), start=1))
# A line per sentence, with its text on pages and in documents. Warnings are in no document.
TABLE = json.loads((Path(__file__).parent / "reasons.json").read_text())
IN_DOCUMENTS = [row for row in TABLE if row["document"]]


def test_table_has_every_sentence():
    shown = {code for row in TABLE for code in (row["code"], *row["params"].get("details", ()))}

    assert shown == SENTENCES.keys()
    assert {code.removesuffix("_third") for code in shown} >= TEXTS.keys()
    assert not OWN_SENTENCES.keys() & TEXTS.keys()


@pytest.mark.parametrize("row", TABLE, ids=itemgetter("code"))
def test_page_has_its_sentence(row: dict[str, Any]):
    assert reason_text(row, NAMES) == row["page"]


@pytest.mark.parametrize("row", IN_DOCUMENTS, ids=itemgetter("code"))
def test_document_has_its_text(row: dict[str, Any]):
    with override("de"):
        written = document_reason(row)

    assert written == {"kind": row["kind"], "players": row["players"], "text": row["document"]}


@pytest.mark.parametrize("row", TABLE, ids=itemgetter("code"))
def test_names_on_a_page_are_isolated_and_escaped(row: dict[str, Any]):
    hostile = {number: f"<{name}>%s{{0}}" for number, name in NAMES.items()}

    page = reason_html(row, hostile)

    assert page.count("<bdi>&lt;") == page.count("&lt;")
    assert page.replace("<bdi>", "").replace("</bdi>", "").count("<") == 0


def test_group_is_escaped():
    params = {"group": "<b>%(player1)s</b>", "details": ["no_better_round"]}
    row = {"kind": "avoid_group", "players": [1, 2], "code": "same_group", "params": params}

    assert "&lt;b&gt;%(player1)s&lt;/b&gt;" in reason_html(row, NAMES)
    assert '"<b>%(player1)s</b>"' in reason_text(row, NAMES)


def test_player_without_a_name_is_shown_by_number():
    row = {"kind": "left", "players": [7], "code": "player_left", "params": {}}

    assert reason_text(row, {}).startswith("player 7 has left the event.")


def assert_all_have_a_sentence(round_: Any) -> None:
    for reason in reasons_of(round_):
        stored = json.loads(json.dumps(stored_reason(reason)))
        sentence = reason_text(stored, {})
        assert sentence.endswith(".")
        assert not {"%", "{", "["} & set(sentence)
        assert document_reason(stored)["text"]


@settings(max_examples=30)
@given(documents.fields(max_players=10), st.sampled_from(list(PROFILES)), st.integers(0, 3))
def test_every_reason_of_a_swiss_round_has_a_sentence(
    field: list[Entrant], profile: str, left: int
):
    assert_all_have_a_sentence(
        pair_round(
            field, round_number=3, seed=1, profile=PROFILES[profile], planned_rounds=3 + left
        )
    )


@settings(max_examples=20)
@given(pods.fields(max_players=10), st.sampled_from([1, 60]))
def test_every_reason_of_pods_has_a_sentence(field: list[Entrant], unit: int):
    assert_all_have_a_sentence(seat_pods(field, round_number=3, seed=1, point_unit=unit))


OLD = {"kind": "same_score", "players": [1, 2], "text": "{0} and {1} both have 3 points."}


def test_text_of_an_older_round_is_shown_and_exported(client: Client, db: None):
    event = make_event(players=4)
    pairing = table(start_round(event), 1)
    Pairing.objects.filter(pk=pairing.pk).update(reasons=[OLD])

    page = client.get(f"/events/{event.slug}/rounds/1/tables/1/")
    exported = whole_event.event_document(event, private=True)["event"]["stages"][0]["rounds"][0]

    names = dict(event.registrations.values_list("number", "player__name"))
    assert f"{names[1]} and {names[2]} both have 3 points." in text_of(page)
    assert exported["pairings"][0]["reasons"] == [OLD]


def test_rows_store_codes_and_documents_have_texts(db: None):
    event = make_event(players=4)
    pairing = table(start_round(event), 1)

    exported = whole_event.event_document(event, private=True)["event"]["stages"][0]["rounds"][0]

    assert all("text" not in reason for reason in pairing.reasons)
    assert [set(reason) for reason in exported["pairings"][0]["reasons"]] == [
        {"kind", "players", "text"}
    ] * len(pairing.reasons)
    assert exported["pairings"][0]["reasons"][0]["text"] == (
        "{0} and {1} are drawn at random for the first round."
    )
