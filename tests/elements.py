"""Elements of a page with their attributes, for tests of markup."""

from html.parser import HTMLParser


class Elements(HTMLParser):
    """The start tags of a page in order; `elements` holds their attributes, including "tag"."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[dict[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append({**{name: value or "" for name, value in attrs}, "tag": tag})

    def all(self, tag: str, class_: str = "") -> list[dict[str, str]]:
        return [
            element
            for element in self.elements
            if element["tag"] == tag and (not class_ or class_ in element.get("class", "").split())
        ]
