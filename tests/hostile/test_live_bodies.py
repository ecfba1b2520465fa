"""Bodies that are too long, too slow or endless, sent to the web server itself."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.bodies import MOST_BYTES
from tests.hostile import raw
from tests.live_site import BIN, free_port, process, wait_for

pytestmark = [pytest.mark.check(14), pytest.mark.goal("G15")]
FORM = "Content-Type: application/x-www-form-urlencoded"
CHUNKED = "Transfer-Encoding: chunked"
PAGE, JOIN = "/offline/", "/join/ABCDEF/"
THREADS = 2
SECONDS = 1
MEGABYTES = 40


@dataclass(frozen=True)
class Served:
    """A web server without anything in its database: these bodies never get that far."""

    address: str
    pid: int

    def memory(self) -> int:
        """Bytes that its processes hold."""
        own = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return sum(_resident(pid) for pid in (str(self.pid), *own))

    def is_free(self) -> bool:
        """Whether it answers as many at once as it has threads."""
        ask = raw.head(PAGE, method="GET")
        with ThreadPoolExecutor(THREADS) as people:
            asked = [people.submit(raw.send, self.address, ask) for _ in range(THREADS)]
        return all(one.result().status == 200 for one in asked)


def _resident(pid: str) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One worker with two threads, that waits a second for a body."""
    port = str(free_port())
    command = [str(BIN / "granian"), "--interface", "wsgi", "--port", port, "--workers", "1"]
    command += ["--blocking-threads", str(THREADS), "--log-level", "warning"]
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "DATAFORT_VAR": str(tmp_path_factory.mktemp("var")),
        "DATAFORT_BODY_SECONDS": str(SECONDS),
    }
    with process([*command, "config.wsgi:application"], environment) as pid:
        address = f"http://127.0.0.1:{port}"
        wait_for(f"{address}{PAGE}")
        yield Served(address, pid)


def test_a_body_longer_than_its_address_takes_is_refused_by_its_length(served: Served):
    answer = raw.send(served.address, raw.head(JOIN, FORM, f"Content-Length: {MOST_BYTES + 1}"))

    assert answer.status == 413


def test_an_endless_body_is_refused_where_it_gets_too_long(
    served: Served, figure: Callable[[str], None]
):
    assert served.is_free()
    before = served.memory()
    answers = [
        raw.send(served.address, raw.head(JOIN, FORM, CHUNKED), raw.chunks(32_768))
        for _ in range(8)
    ]
    grown = (served.memory() - before) / 2**20

    # Besides what was read, some waits in the buffers of both ends.
    assert max(answer.taken for answer in answers) < 32 * MOST_BYTES
    assert {answer.status for answer in answers} <= {413, 0}
    assert 413 in {answer.status for answer in answers}
    assert served.is_free()
    assert grown < MEGABYTES
    figure(f"{len(answers)} endless bodies: {grown:.1f} MB more memory")


@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_thousand_and_one_fields_are_refused_and_fewer_are_read(served: Served, is_chunked: bool):
    statuses = [_form(served, fields, is_chunked) for fields in (1001, 10)]

    # The few are read, and then miss the token of the form.
    assert statuses == [400, 403]


def _form(served: Served, fields: int, is_chunked: bool) -> int:
    body = "&".join(f"f{place}=1" for place in range(fields)).encode()
    if not is_chunked:
        start = raw.head(JOIN, FORM, f"Content-Length: {len(body)}")
        return raw.send(served.address, start, [body]).status
    pieces = [f"{len(body):x}\r\n".encode() + body + b"\r\n", b"0\r\n\r\n"]
    return raw.send(served.address, raw.head(JOIN, FORM, CHUNKED), pieces).status


@pytest.mark.parametrize(
    "headers", [(FORM, "Content-Length: 1000"), (FORM, CHUNKED)], ids=["told", "chunked"]
)
def test_more_slow_bodies_than_threads_are_given_up_and_the_site_goes_on(
    served: Served, headers: tuple[str, ...]
):
    slow = "1\r\na\r\n" if CHUNKED in headers else "a"
    many = 3 * THREADS
    with ThreadPoolExecutor(many) as people:
        sending = [
            people.submit(_one_byte_a_second, served, raw.head(JOIN, *headers), slow.encode())
            for _ in range(many)
        ]
    answers = [one.result() for one in sending]

    assert [answer.status for answer in answers] == [408] * many
    assert "Nothing of it was kept" in answers[0].text
    assert served.is_free()


def _one_byte_a_second(served: Served, start: bytes, piece: bytes) -> raw.Sent:
    pieces = (piece for _ in raw.drip())
    return raw.send(served.address, start, pieces, wait=1)


def test_who_says_nothing_at_all_is_given_up_too(served: Served):
    with ExitStack() as open_:
        silent = [open_.enter_context(raw.opened(served.address)) for _ in range(2 * THREADS)]
        for connection in silent:
            connection.sendall(raw.head("/api/v1/decks/check/", "Content-Length: 10"))
        statuses = [raw.answered(connection).status for connection in silent]
        # Who had no thread yet is closed as well, and then found cut off.
        assert set(statuses) <= {400, 408}
        assert served.is_free()


def test_a_body_that_breaks_off_keeps_no_thread(served: Served):
    with raw.opened(served.address) as connection:
        connection.sendall(raw.head(JOIN, FORM, "Content-Length: 1000") + b"code=AB")

    assert served.is_free()
