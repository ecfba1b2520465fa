"""What the check of a deck list takes for a body."""

import json

import pytest
from rest_framework.test import APIClient

ADDRESS = "/api/v1/decks/check/"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"text": "3 Fang", "text": "4 Fang", "game": "onr"}', "twice"),
        (b"[" * 5000 + b"]" * 5000, "deeper"),
        (b'{"text": "3 Fang", "game": NaN}', "no number"),
        (b'{"text": "\\ud800", "game": "onr"}', "surrogate"),
        (b"{", "not JSON"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_a_body_that_is_no_good_json_is_a_400(api: APIClient, body, words):
    answer = api.post(ADDRESS, body, content_type="application/json")

    assert answer.status_code == 400
    assert words in answer.json()["detail"]


@pytest.mark.parametrize("body", [b"[]", b'"text"', b"null", b"3"])
def test_a_body_that_is_no_object_is_a_400(api: APIClient, body):
    answer = api.post(ADDRESS, body, content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_a_body_over_two_megabytes_is_a_413(api: APIClient):
    body = json.dumps({"text": "x" * 2_200_000, "game": "onr"})

    assert api.post(ADDRESS, body, content_type="application/json").status_code == 413


def test_without_cards_it_says_what_is_missing(api: APIClient):
    answer = api.post(ADDRESS, {"text": "3 Fang", "game": "onr"}, format="json")

    assert (answer.status_code, answer.json()["code"]) == (409, "no_cards")


def test_it_is_asked_with_post_only(api: APIClient):
    for method in ("get", "put", "patch", "delete"):
        answer = getattr(api, method)(ADDRESS)
        assert answer.status_code == 405
        assert set(answer.json()) == {"code", "detail", "errors"}
