"""Bodies that are too long, too slow or endless, sent to the web server itself."""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.body_limits import MAX_BYTES
from tests.hostile import raw
from tests.live_site import free_port, process, wait_for

pytestmark = [pytest.mark.check(14), pytest.mark.goal("G15")]
FORM = "Content-Type: application/x-www-form-urlencoded"
CHUNKED = "Transfer-Encoding: chunked"
PAGE, JOIN = "/offline/", "/join/ABCDEF/"
THREADS = 2
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
    """The server of a shop, with two threads."""
    port = str(free_port())
    command = [sys.executable, "manage.py", "serve", "--port", port, "--threads", str(THREADS)]
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "DATAFORT_VAR": str(tmp_path_factory.mktemp("var")),
    }
    with process(command, environment) as pid:
        address = f"http://127.0.0.1:{port}"
        wait_for(f"{address}{PAGE}")
        yield Served(address, pid)


def test_a_body_longer_than_its_address_takes_is_refused_by_its_length(served: Served):
    length = MAX_BYTES + 1
    start = raw.head(JOIN, FORM, f"Content-Length: {length}")

    answer = raw.send(served.address, start, [b"a" * length])

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

    # Besides what was read, megabytes wait in the buffers of both ends; who goes on sending into a
    # closed connection may miss the answer.
    assert max(answer.taken for answer in answers) < 128 * MAX_BYTES
    assert {answer.status for answer in answers} <= {413, 0}
    assert served.is_free()
    assert grown < MEGABYTES
    figure(f"{len(answers)} endless bodies: {grown:.1f} MB more memory")


@pytest.mark.parametrize("is_chunked", [False, True])
def test_too_many_fields_are_refused_and_fewer_are_read(served: Served, is_chunked: bool):
    statuses = [_form(served, fields, is_chunked) for fields in (1201, 10)]

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
    ("headers", "sent"),
    [
        pytest.param((FORM, "Content-Length: 1000"), b"", id="sized and silent"),
        pytest.param((FORM, CHUNKED), b"code=AB", id="chunked and dripping"),
    ],
)
def test_the_site_answers_while_more_bodies_are_on_their_way_than_it_has_threads(
    served: Served, headers: tuple[str, ...], sent: bytes
):
    with ExitStack() as open_:
        for _ in range(3 * THREADS):
            connection = open_.enter_context(raw.opened(served.address))
            connection.sendall(raw.head(JOIN, *headers) + sent)

        assert served.is_free()
