"""A browser without scripts: pages, forms, cookies, and the API with its session."""

import json
import re
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode, urljoin


@dataclass
class Visitor:
    site: str
    cookies: CookieJar = field(default_factory=CookieJar)

    def page(self, path: str) -> str:
        return self._send("GET", path)[1]

    def submit(self, path: str, fields: dict[str, Any], action: str = "") -> str:
        """Send the form of the page at `path` and return the text of the response."""
        self.page(path)
        form = urlencode({**fields, "csrfmiddlewaretoken": self._csrf()}, doseq=True)
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._send("POST", action or path, form.encode(), kind)[1]

    def api(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and body of an API response, with the session of the browser."""
        headers = {"Content-Type": "application/json", "X-CSRFToken": self._csrf()}
        data = None if body is None else json.dumps(body).encode()
        status, text = self._send(method, f"/api/v1/{path}", data, headers)
        return status, json.loads(text) if text else None

    def _csrf(self) -> str:
        names = ("csrftoken", "__Host-csrf")
        return next((cookie.value or "" for cookie in self.cookies if cookie.name in names), "")

    def _send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, str]:
        address = urljoin(self.site, path)
        headers = {"Referer": address, **(headers or {})}
        request = urllib.request.Request(address, body, headers, method=method)
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        try:
            with opener.open(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


def with_token(site: str, username: str) -> tuple[Visitor, str]:
    """Sign up and make a token with the scope "manage"."""
    visitor = Visitor(site)
    account = {"username": username, "password1": "a few words to keep"}
    visitor.submit("/account/signup/", account)
    fields = {"name": "Desk", "scope": "manage", "event": "", "lasts": "1"}
    return visitor, token_on(visitor.submit("/me/tokens/", fields))


def token_on(page: str) -> str:
    match = re.search(r"Token ([0-9a-f]{64})", page)
    assert match, "no token on the page"
    return match[1]
