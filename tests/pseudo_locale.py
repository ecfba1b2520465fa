"""A language in which every translated text is in brackets, to find texts that are not marked."""

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser

import pytest
from django.utils import translation
from django.utils.translation import trans_real

BEGIN, END = "⟦", "⟧"
# Elements with names, codes and texts that people typed.
DATA_ELEMENTS = frozenset({"bdi", "code", "kbd", "pre", "script", "style", "textarea", "svg", "q"})
VOID_ELEMENTS = frozenset({"br", "hr", "img", "input", "link", "meta", "source", "wbr", "col"})
READ_ALOUD = ("alt", "aria-label", "placeholder", "title", "data-label")
WORD = re.compile(r"[A-Za-z]{2,}")
# A hash, an address, a path or a join code.
CODE = re.compile(r"\b[0-9a-f]{16,}\b|https?://\S+|[\w.-]+\.example\b|/[\w.-]+|\b[A-Z0-9]{6}\b")


@contextmanager
def pseudo_locale(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        for name in ("gettext", "ngettext", "pgettext", "npgettext"):
            patch.setattr(vars(translation)["_trans"], name, _bracketed(getattr(trans_real, name)))
        yield


def _bracketed(translate: Callable[..., str]) -> Callable[..., str]:
    def bracketed(*args: object) -> str:
        text = translate(*args)
        return f"{BEGIN}{text}{END}" if text.strip() else text

    return bracketed


def unmarked_texts(html: str, data: Collection[str] = ()) -> list[str]:
    """Return the texts of a page that are neither bracketed nor data."""
    page = _Page(sorted(data, key=len, reverse=True))
    page.feed(html)
    return page.found


class _Page(HTMLParser):
    def __init__(self, data: list[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.data = data
        self.found: list[str] = []
        self.brackets = 0
        self.inside_data: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.inside_data or (tag in DATA_ELEMENTS and tag not in VOID_ELEMENTS):
            if tag not in VOID_ELEMENTS:
                self.inside_data.append(tag)
            return
        for name, value in attrs:
            if name in READ_ALOUD and value and self.brackets == 0:
                self._check(value, f"{tag}[{name}]: ", 0)

    def handle_endtag(self, tag: str) -> None:
        if self.inside_data and tag in self.inside_data:
            while self.inside_data.pop() != tag:
                pass

    def handle_data(self, text: str) -> None:
        depth = self.brackets
        self.brackets += text.count(BEGIN) - text.count(END)
        if not self.inside_data:
            self._check(text, "", depth)

    def _check(self, text: str, where: str, depth: int) -> None:
        outside = []
        for part in re.split(f"([{BEGIN}{END}])", text):
            depth += (part == BEGIN) - (part == END)
            if depth == 0 and part != END:
                outside.append(part)
        left = CODE.sub("", " ".join("".join(outside).split()))
        for name in self.data:
            left = left.replace(name, "")
        if WORD.search(left):
            self.found.append(where + left.strip())
