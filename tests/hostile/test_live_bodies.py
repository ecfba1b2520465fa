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
    """A web server with an empty database, which these bodies never reach."""

    address: str
    pid: int

    def memory(self) -> int:
        """Resident memory of its processes in bytes."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return sum(_resident(pid) for pid in (str(self.pid), *children))

    def is_free(self) -> bool:
        """Return True if it responds to as many simultaneous requests as it has threads."""
        ask = raw.head(PAGE, method="GET")
        with ThreadPoolExecutor(THREADS) as people:
            responses = [people.submit(raw.send, self.address, ask) for _ in range(THREADS)]
        return all(response.result().status == 200 for response in responses)


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


def test_body_above_the_limit_of_its_address_is_refused_by_its_length(served: Served):
    length = MAX_BYTES + 1
    start = raw.head(JOIN, FORM, f"Content-Length: {length}")

    answer = raw.send(served.address, start, [b"a" * length])

    assert answer.status == 413


def test_endless_body_is_refused_at_the_limit(served: Served, figure: Callable[[str], None]):
    assert served.is_free()
    before = served.memory()
    answers = [
        raw.send(served.address, raw.head(JOIN, FORM, CHUNKED), raw.chunks(32_768))
        for _ in range(8)
    ]
    grown = (served.memory() - before) / 2**20

    # Buffers of both ends hold megabytes more than was read. A client that keeps sending on a
    # closed connection may miss the response.
    assert max(answer.bytes_accepted for answer in answers) < 128 * MAX_BYTES
    assert {answer.status for answer in answers} <= {413, 0}
    assert served.is_free()
    assert grown < MEGABYTES
    figure(f"{len(answers)} endless bodies: {grown:.1f} MB more memory")


@pytest.mark.parametrize("is_chunked", [False, True])
def test_only_forms_with_too_many_fields_are_refused(served: Served, is_chunked: bool):
    statuses = [_form(served, fields, is_chunked) for fields in (1201, 10)]

    # Few fields are read, and then refused for the missing CSRF token.
    assert statuses == [400, 403]


def _form(served: Served, fields: int, is_chunked: bool) -> int:
    body = "&".join(f"f{index}=1" for index in range(fields)).encode()
    if not is_chunked:
        start = raw.head(JOIN, FORM, f"Content-Length: {len(body)}")
        return raw.send(served.address, start, [body]).status
    pieces = [f"{len(body):x}\r\n".encode() + body + b"\r\n", b"0\r\n\r\n"]
    return raw.send(served.address, raw.head(JOIN, FORM, CHUNKED), pieces).status


@pytest.mark.parametrize(
    ("headers", "data"),
    [
        pytest.param((FORM, "Content-Length: 1000"), b"", id="sized and silent"),
        pytest.param((FORM, CHUNKED), b"code=AB", id="chunked and dripping"),
    ],
)
def test_site_responds_during_more_uploads_than_it_has_threads(
    served: Served, headers: tuple[str, ...], data: bytes
):
    with ExitStack() as open_:
        for _ in range(3 * THREADS):
            connection = open_.enter_context(raw.opened(served.address))
            connection.sendall(raw.head(JOIN, *headers) + data)

        assert served.is_free()
