"""The hidden fields of the forms of a page."""

from html.parser import HTMLParser


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str]] = {}
        self._fields: dict[str, str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self._fields = self.found.setdefault(given.get("action") or "", {})
        elif tag == "input" and given.get("type") == "hidden" and self._fields is not None:
            self._fields[given.get("name") or ""] = given.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._fields = None


def hidden_fields(html: str, action: str) -> dict[str, str]:
    """What the form with this action sends along. Raises LookupError without such a form."""
    parser = _Forms()
    parser.feed(html)
    if action not in parser.found:
        raise LookupError(f"No form for {action}, only {sorted(parser.found)}")
    return parser.found[action]
