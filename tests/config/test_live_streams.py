"""The stream of versions, in its own process."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any, TypeVar
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from asgiref.sync import sync_to_async
from django.db import connection, connections
from django.test import Client

from config import live as live_process
from tests.factories.tournaments import make_event, make_user
from tests.live_site import BIN, ROOT, Site, free_port, process, running_site, wait_for
from tools.load.__main__ import make_scene
from tournaments.web import polling

LIVE = [str(BIN / "granian"), "--interface", "asgi", "--workers", "1", "--log-level", "warning"]
Answer = TypeVar("Answer")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose pages name the stream."""
    with running_site(tmp_path_factory.mktemp("live"), DATAFORT_LIVE_URL="/live") as site:
        yield site


@pytest.fixture(scope="module")
def scene(site: Site) -> dict[str, Any]:
    return make_scene(site, 4)


@pytest.fixture(scope="module")
def live(site: Site) -> Iterator[str]:
    """The address of the stream process."""
    port = str(free_port())
    with process([*LIVE, "--port", port, "config.live:application"], site.environment):
        wait_for(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"


def apart(coroutine: Coroutine[Any, Any, Answer]) -> Answer:
    # The thread of a browser test already has an event loop, so use another thread.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


# New personal links end the sessions that older links opened.
RENEW_LINKS = (
    "from django.db.models import F; from players.models import Player; "
    "mine = Player.objects.filter(pk__in=event.get().registrations.values('player')); "
    "mine.update(claim_generation=F('claim_generation') + 1)"
)


class Listener:
    """A minimal EventSource."""

    def __init__(self, live: str, slug: str, session: str = "", **headers: str) -> None:
        self.parts, self.path = urlsplit(live), f"/events/{slug}/"
        self.headers = {"Host": self.parts.netloc, **headers}
        if session:
            self.headers["Cookie"] = f"sessionid={session}"

    async def __aenter__(self) -> "Listener":
        self.reader, self.writer = await asyncio.open_connection(
            self.parts.hostname, self.parts.port
        )
        lines = "".join(f"{name}: {value}\r\n" for name, value in self.headers.items())
        self.writer.write(f"GET {self.path} HTTP/1.1\r\n{lines}\r\n".encode())
        self.head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()

    @property
    def status(self) -> int:
        return int(self.head.split(" ")[1])

    async def hear(self, event_type: str) -> str:
        """Return the data of the next event of this kind, within ten seconds."""
        async with asyncio.timeout(10):
            await self.reader.readuntil(f"event: {event_type}\n".encode())
            return (await self.reader.readline()).decode().removeprefix("data:").strip()


def inside(site: Site, statement: str, scene: dict[str, Any]) -> None:
    """Change the database of the running site."""
    start = "import django; django.setup(); from tournaments.models import Tournament"
    event = f"event = Tournament.objects.filter(slug='{scene['slug']}')"
    command = [sys.executable, "-c", f"{start}; {event}; {statement}"]
    subprocess.run(command, cwd=ROOT, env=site.environment, check=True)


def test_page_names_the_stream(site: Site, scene: dict[str, Any]):
    page = f"{site.address}/events/{scene['slug']}/pairings/"

    with urlopen(Request(page, headers={"X-Fragment": "1"}), timeout=30) as answer:
        assert answer.headers["Datafort-Live"] == f"/live/events/{scene['slug']}/"


def test_change_sends_the_version_only(site: Site, scene: dict[str, Any], live: str):
    async def heard() -> tuple[int, int]:
        async with Listener(live, scene["slug"]) as listener:
            first = int(await listener.hear("version"))
            inside(site, "event.update(version=4711)", scene)
            return first, int(await listener.hear("version"))

    first, second = apart(heard())

    assert 0 < first < second == 4711


OWN_PAGES_MOVE = (
    "from django.db.models import F; "
    "event.get().registrations.filter(number=1).update(version=F('version') + 1)"
)


def test_change_of_a_players_page_is_sent_to_that_player_only(
    site: Site, scene: dict[str, Any], live: str
):
    async def heard() -> tuple[str, str, str]:
        async with (
            Listener(live, scene["slug"]) as stranger,
            Listener(live, scene["slug"], scene["players"][0]) as player,
        ):
            first, before = await stranger.hear("version"), await player.hear("version")
            inside(site, OWN_PAGES_MOVE, scene)
            after = await player.hear("version")
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(2):
                    await stranger.hear("version")
            return first, before, after

    public, before, after = apart(heard())

    assert before.split(".")[0] == after.split(".")[0] == public
    assert int(after.split(".")[1]) == int(before.split(".")[1]) + 1


def test_unreadable_event_cannot_be_followed(scene: dict[str, Any], live: str):
    async def statuses() -> list[int]:
        results = []
        for slug in ("no-such-event", "x" * 300):
            async with Listener(live, slug) as listener:
                results.append(listener.status)
        return results

    assert apart(statuses()) == [404, 404]


def test_only_pages_of_the_same_host_may_read_the_stream(live: str, scene: dict[str, Any]):
    host = urlsplit(live).hostname
    evil = ("http://evil.example", f"http://{host}.evil.example", "http://[")
    origins = (f"http://{host}:8000", *evil)

    async def shared(origin: str) -> bool:
        async with Listener(live, scene["slug"], Origin=origin) as listener:
            assert listener.status == 200
            return "access-control-allow-origin" in listener.head

    assert [apart(shared(origin)) for origin in origins] == [True, False, False, False]


@pytest.mark.check(9)
def test_lost_permission_closes_the_stream_within_five_seconds(
    site: Site, scene: dict[str, Any], live: str
):
    # The event becomes private: strangers lose access, players keep it until they leave.
    async def get_response() -> tuple[str, int, str]:
        player = scene["players"][0]
        async with Listener(live, scene["slug"]) as stranger:
            await stranger.hear("version")
            inside(site, "event.update(visibility='private')", scene)
            async with asyncio.timeout(5):
                goodbye = await stranger.hear("gone")
        async with (
            Listener(live, scene["slug"]) as stranger_again,
            Listener(live, scene["slug"], player) as player_again,
        ):
            await player_again.hear("version")
            inside(site, RENEW_LINKS, scene)
            async with asyncio.timeout(5):
                return goodbye, stranger_again.status, await player_again.hear("gone")

    assert apart(get_response()) == ("", 404, "")


@pytest.mark.django_db
def test_stream_after_a_secret_key_change_keeps_sessions(settings):
    owner, browser = make_user(), Client()
    event = make_event(players=0, owner=owner, visibility="private")
    browser.force_login(owner)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "newer", [settings.SECRET_KEY]

    follows = polling.can_follow(event.slug, browser.cookies.output(header="", sep=";"))

    assert follows
    assert browser.get(event.get_absolute_url()).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_address_has_a_limit_of_streams(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(live_process, "MAX_STREAMS_OF_ADDRESS", 2)

    async def request_from(address: str) -> int:
        messages: list[MutableMapping[str, Any]] = []

        async def send(message: MutableMapping[str, Any]) -> None:
            messages.append(message)

        scope = {"type": "http", "method": "GET", "path": "/events/none/", "headers": []}
        receive = asyncio.Queue[MutableMapping[str, Any]]().get
        await live_process.application({**scope, "client": (address, 1)}, receive, send)
        return int(messages[0]["status"])

    async def statuses() -> list[list[int]]:
        try:
            burst = ["198.51.100.7"] * 4 + ["198.51.100.8"]
            return [await asyncio.gather(*map(request_from, burst)) for _ in range(2)]
        finally:
            await sync_to_async(connections.close_all)()

    # The refused browser leaves its place free.
    assert apart(statuses()) == [[404, 404, 503, 503, 404]] * 2


@pytest.mark.django_db(transaction=True)
def test_subscriber_who_joins_during_a_poll_is_kept():
    streams = live_process.Streams()
    first, late = (live_process.Stream(make_event(players=2).slug, "", "") for _ in range(2))

    def look(execute: Callable[..., object], *args: object) -> object:
        streams.add(late)
        return execute(*args)

    async def heard() -> str:
        with ExitStack() as stack:
            await sync_to_async(lambda: stack.enter_context(connection.execute_wrapper(look)))()
            streams.add(first)
            async with asyncio.timeout(10):
                while (message := await late.waiting.get()).startswith(": "):
                    pass
            for stream in (first, late):
                streams.remove(stream)
        await sync_to_async(connections.close_all)()
        return message

    assert apart(heard()).startswith("event: version")
