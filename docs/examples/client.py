"""A client of the Datafort API in one file: only Python 3.11 is needed.

    api = Client("http://127.0.0.1:8000", token="...")
    event = api.post("events/", {"name": "Thursday Night", "starts_on": "2026-12-03"})
    api.post(f"events/{event['slug']}/registrations/", {"players": [{"name": "Ada"}]})

Make a token on the page Tokens of your account. Each write has a new idempotency key, so a write
that got no answer can be sent again without being done twice.
"""

import http.client
import json
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from typing import Any

TRIES = 4
WAIT_SECONDS = 0.5
NO_ANSWER = (OSError, http.client.HTTPException)
LATER = (429, 503)
"""Too many requests, or no database at the moment: try again after `Retry-After` seconds."""


class Refused(Exception):
    """The API refused a request: `status` is that of HTTP, `code` is for programs.

    `retry_after` are the seconds to wait before another try.
    """

    def __init__(self, status: int, problem: dict[str, Any], retry_after: str = "") -> None:
        super().__init__(f"{problem.get('detail', 'No reason was given.')} ({status})")
        self.status = status
        self.code = problem.get("code", "")
        self.errors = problem.get("errors", {})
        self.retry_after = float(retry_after) if retry_after.isdecimal() else WAIT_SECONDS


class Client:
    """An account of a site, identified by its token."""

    def __init__(self, site: str, token: str = "") -> None:
        self.root = f"{site.rstrip('/')}/api/v1/"
        self.token = token

    def get(self, path: str) -> Any:
        """Return the answer of a path below /api/v1/. Raises Refused."""
        return self._send("GET", path, None, {})

    def pages(self, path: str) -> Iterator[Any]:
        """Yield every result of a list, page by page."""
        address: str | None = path
        while address:
            page = self.get(address)
            yield from page["results"]
            address = page["next"]

    def post(self, path: str, body: Any = None) -> Any:
        """Send a write, which is done once even if the connection breaks. Raises Refused."""
        return self._write("POST", path, body)

    def put(self, path: str, body: Any) -> Any:
        """Replace an object. Raises Refused."""
        return self._write("PUT", path, body)

    def patch(self, path: str, body: Any) -> Any:
        """Change the fields in the body. Raises Refused."""
        return self._write("PATCH", path, body)

    def delete(self, path: str) -> None:
        """Remove an object. Raises Refused."""
        self._write("DELETE", path, None)

    def job_done(self, path: str) -> Any:
        """Wait for a job, such as a pairing, and return it. Raises Refused if it failed."""
        while True:
            job = self.get(path)
            if job["state"] == "done":
                return job
            if job["state"] in ("failed", "parked"):
                raise Refused(409, {"code": "job_failed", "detail": job["error"]})
            time.sleep(WAIT_SECONDS)

    def standings_done(self, event: str) -> None:
        """Wait until the standings of the event, a path such as "events/x/", are computed."""
        while any(_is_open(job) for job in self.get(f"{event}jobs/")["results"]):
            time.sleep(WAIT_SECONDS)

    def _write(self, method: str, path: str, body: Any) -> Any:
        key = {"Idempotency-Key": str(uuid.uuid4())}
        for left in reversed(range(TRIES)):
            try:
                return self._send(method, path, body, key)
            except NO_ANSWER:
                # The write may be done or not: with the same key it is done at most once.
                if not left:
                    raise
                time.sleep(WAIT_SECONDS)
            except Refused as refused:
                if not left or refused.status not in LATER:
                    raise
                time.sleep(refused.retry_after)
        raise AssertionError("the last try answers or raises")

    def _send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        address = path if path.startswith("http") else self.root + path
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address, data=sent, method=method, headers=headers)
        request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Token {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            again = error.headers.get("Retry-After", "")
            raise Refused(error.code, _problem(error.read()), again) from error
        return json.loads(text) if text else None


def _is_open(job: dict[str, Any]) -> bool:
    return job["kind"] == "recompute_standings" and job["state"] in ("queued", "running")


def _problem(text: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(text)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}
