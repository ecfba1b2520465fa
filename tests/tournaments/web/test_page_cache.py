"""The page cache: one request renders a page for all readers."""

import gzip
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from threading import Event, get_ident

import pytest
from django.core.cache import caches
from django.http import Http404, HttpResponse
from django.middleware.csrf import get_token
from django.template import Context, Template
from django.test import Client, RequestFactory
from django.utils import translation

from core import page_cache
from core.page_cache import render_once
from tournaments.models import Tournament
from tournaments.web.access import EventRequest
from tournaments.web.polling import polled_page

REQUEST = RequestFactory().get("/")


def page(version: int, text: str = "page") -> Callable[[], tuple[int, HttpResponse]]:
    return lambda: (version, HttpResponse(text))


def test_simultaneous_requests_render_a_page_once(monkeypatch: pytest.MonkeyPatch):
    begun, may_end, rendered = Event(), Event(), count()
    waiting = set[int]()

    def render_slowly() -> tuple[int, HttpResponse]:
        begun.set()
        may_end.wait(10)
        return 1, HttpResponse(f"page {next(rendered)}")

    def wait(seconds: float) -> None:
        waiting.add(get_ident())
        if len(waiting) == 3:
            may_end.set()
        may_end.wait(seconds)

    monkeypatch.setattr(page_cache, "sleep", wait)
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(render_once, REQUEST, "place", 1, render_slowly)
        begun.wait(10)
        waiting_requests = [
            pool.submit(render_once, REQUEST, "place", 1, render_slowly) for _ in range(3)
        ]
        answers = [request.result() for request in (first, *waiting_requests)]

    assert [answer.content for answer in answers] == [b"page 0"] * 4
    assert not any(page_cache.OUTDATED_HEADER in answer for answer in answers)


def test_page_of_a_newer_version_is_returned_for_an_older_request():
    render_once(REQUEST, "place", 3, page(3, "newest"))

    assert render_once(REQUEST, "place", 2, page(2, "old")).content == b"newest"


def test_page_that_was_outdated_at_the_request_is_not_returned():
    render_once(REQUEST, "place", 1, page(1, "old"))

    assert render_once(REQUEST, "place", 2, page(2, "new")).content == b"new"
    assert render_once(REQUEST, "place", 2, page(2, "again")).content == b"new"


@contextmanager
def rendering_elsewhere() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_cache, "_is_my_turn", lambda *_: False)
        yield


class TestPageThatAnotherRequestRenders:
    @pytest.fixture(autouse=True)
    def rendered_elsewhere(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Mark every page as being rendered by another request."""
        monkeypatch.setattr(page_cache, "STALE_AFTER_SECONDS", 0.05)
        monkeypatch.setattr(page_cache, "WAIT_SECONDS", 0.1)
        render_once(REQUEST, "stored", 1, page(1, "before"))
        for place in ("stored", "new"):
            caches["pages"].set(f"page:{place}:lock", "another's")

    def test_older_page_is_returned_after_the_wait(self):
        response = render_once(REQUEST, "stored", 2, page(2, "now"))

        assert (response.content, response[page_cache.OUTDATED_HEADER]) == (b"before", "1")

    def test_page_is_rendered_if_none_is_stored(self):
        assert render_once(REQUEST, "new", 1, page(1, "mine")).content == b"mine"
        assert caches["pages"].get("page:new:lock") == "another's"

    def test_next_request_renders_if_the_rendering_request_has_died(self):
        caches["pages"].delete("page:stored:lock")

        response = render_once(REQUEST, "stored", 2, page(2, "now"))

        assert response.content == b"now"
        assert page_cache.OUTDATED_HEADER not in response

    def test_older_page_is_not_returned_once_the_new_page_is_refused(self):
        caches["pages"].delete("page:stored:lock")
        render_once(REQUEST, "stored", 2, lambda: (2, HttpResponse(status=302)))
        caches["pages"].set("page:stored:lock", "another's")

        assert render_once(REQUEST, "stored", 2, page(2, "now")).content == b"now"

    def test_older_page_is_not_cached(self, event: Tournament):
        address = event.get_absolute_url()
        before = Client().get(address)
        Tournament.objects.filter(pk=event.pk).update(version=event.version + 1)
        with rendering_elsewhere():
            response = Client().get(address)

        assert response.content == before.content
        assert response["ETag"] == before["ETag"]
        assert (response[page_cache.OUTDATED_HEADER], response["Cache-Control"]) == (
            "1",
            "private, no-cache",
        )


def test_failed_rendering_does_not_block_the_next_request():
    def fail_to_render() -> tuple[int, HttpResponse]:
        raise Http404

    with pytest.raises(Http404):
        render_once(REQUEST, "place", 1, fail_to_render)

    assert render_once(REQUEST, "place", 1, page(1, "there")).content == b"there"


def test_refusal_is_not_cached():
    render_once(REQUEST, "place", 1, lambda: (1, HttpResponse(status=302)))

    assert render_once(REQUEST, "place", 1, page(1)).content == b"page"


def test_page_with_a_csrf_token_is_not_shared(event: Tournament):
    def with_a_form(request: EventRequest) -> HttpResponse:
        return HttpResponse(get_token(request))

    for_two = [polled_page(with_a_form)(RequestFactory().get("/"), event.slug) for _ in range(2)]

    assert for_two[0].content != for_two[1].content
    for page in for_two:
        assert page["Cache-Control"] == "private, no-cache"
        assert "csrftoken" in page.cookies


def test_cached_page_is_compressed_for_browsers_that_accept_gzip():
    render_once(REQUEST, "place", 1, page(1, "long " * 100))
    asking = RequestFactory().get("/", headers={"Accept-Encoding": "br, gzip"})

    packed = render_once(asking, "place", 1, page(1))
    plain = render_once(REQUEST, "place", 1, page(1))

    assert packed["Content-Encoding"] == "gzip"
    assert len(packed.content) < 50
    assert gzip.decompress(packed.content) == plain.content == b"long " * 100
    assert packed["Vary"] == plain["Vary"] == "Accept-Encoding"


def test_cached_rows_differ_by_language():
    row = Template(
        '{% load cache %}{% cache 600 row using="public_rows" %}'
        "{% get_current_language as language %}{{ language }}{% endcache %}"
    )

    rows = []
    for language in ("en", "de", "en"):
        with translation.override(language):
            rows.append(row.render(Context()))

    assert rows == ["en", "de", "en"]
