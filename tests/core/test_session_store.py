"""Sessions: what is kept under a key, for as long as it holds."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from core.session_store import SessionStore

pytestmark = pytest.mark.django_db


@pytest.fixture
def key() -> str:
    """That of a session that knows a colour."""
    store = SessionStore()
    store["colour"] = "red"
    store.create()
    assert store.session_key is not None
    return store.session_key


def test_sites_keep_their_sessions_so() -> None:
    assert settings.SESSION_ENGINE == "core.session_store"


def test_what_was_kept_is_found_by_its_key_in_one_query(
    key: str, django_assert_num_queries: Any
) -> None:
    store = SessionStore(key)

    with django_assert_num_queries(1):
        assert dict(store.items()) == {"colour": "red"}
    assert store.session_key == key


def test_what_is_written_anew_is_found(key: str) -> None:
    store = SessionStore(key)
    store["colour"] = "blue"
    store.save()

    assert SessionStore(key)["colour"] == "blue"


def test_what_has_ended_is_found_no_more_and_its_key_is_forgotten(key: str) -> None:
    Session.objects.filter(pk=key).update(expire_date=timezone.now() - timedelta(seconds=1))
    store = SessionStore(key)

    assert dict(store.items()) == {}
    assert store.session_key is None


def test_a_key_that_no_database_takes_opens_nothing() -> None:
    assert dict(SessionStore("a" * 8 + "\0").items()) == {}


def test_a_key_of_nobody_opens_nothing_and_is_not_taken_over() -> None:
    store = SessionStore("a" * 32)
    store["colour"] = "red"
    store.save()

    assert store.session_key not in (None, "a" * 32)
