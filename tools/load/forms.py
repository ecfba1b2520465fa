"""Hidden fields of the forms of a page."""

from html.parser import HTMLParser


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str]] = {}
        self._fields: dict[str, str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "form":
            self._fields = self.found.setdefault(attributes.get("action") or "", {})
        elif tag == "input" and attributes.get("type") == "hidden" and self._fields is not None:
            self._fields[attributes.get("name") or ""] = attributes.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._fields = None


def hidden_fields(html: str, action: str) -> dict[str, str]:
    """The hidden fields of the form with this action.

    Raise LookupError without such a form.
    """
    parser = _Forms()
    parser.feed(html)
    if action not in parser.found:
        raise LookupError(f"No form for {action}, only {sorted(parser.found)}")
    return parser.found[action]
