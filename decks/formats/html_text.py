"""Extract plain text from HTML in third-party notes."""

import html
import re

TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,15}|!)[^<>]*>")
LONG_NUMBER = re.compile(r"&#[xX]?[0-9a-fA-F]{8,};?")
BREAKING = re.compile(r"p|br|div|li|ul|ol|h[1-6]|blockquote|pre|tr|table|hr")
SILENT = frozenset(["script", "style"])


def words_of(source: str) -> str:
    """Return the text without tags, scripts and entities; block elements end with a newline.

    A text without tags only has its entities resolved. The result is plain text and must be escaped
    for display.
    """
    if not TAG.search(source):
        return _unescaped(source).strip()
    parts: list[str] = []
    at, silent = 0, ""
    for tag in TAG.finditer(source):
        if not silent:
            parts.append(source[at : tag.start()])
        at, name = tag.end(), tag[2].lower()
        if silent or name in SILENT:
            silent = name if not silent and not tag[1] else silent
            silent = "" if tag[1] and name == silent else silent
        elif BREAKING.fullmatch(name):
            parts.append("\n")
    parts.append("" if silent else source[at:])
    return _without_gaps(_unescaped("".join(parts)))


def _without_gaps(text: str) -> str:
    kept: list[str] = []
    for line in (line.rstrip() for line in text.split("\n")):
        if line or (kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).strip()


def _unescaped(text: str) -> str:
    # The standard library raises an error for numbers with thousands of digits.
    return html.unescape(LONG_NUMBER.sub("\ufffd", text))
