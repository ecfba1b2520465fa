"""Forbidden source code: unescaped output, scripts in pages, readers of archives."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPS = ("config", "core", "players", "decks", "matches", "engine", "rulings", "tournaments")
UNESCAPED = re.compile(
    r"mark_safe|SafeString\(|SafeText|\|\s*safe\b|autoescape off|safeseq|__html__"
)
MAY_BE_UNESCAPED = {
    "templates/components/field_notes.html": "help texts, which are ours",
    "templates/tournaments/files/static_pages.html": "our stylesheet in a file of its own",
    "tournaments/rounds/reasons.py": "our sentences, with every value escaped",
}
INTO_THE_PAGE = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"
    r"|createContextualFragment|setTimeout\(\s*[\"'`]"
)
MAY_WRITE = {
    "static/js/result_cards.js": "a table as the site answered it",
    "static/js/result_fresh.js": "tables as the site answered them",
    "static/js/scan.js": "what the site answered to a code",
    "static/js/poll.js": "the part of a page as the site answered it",
    "static/js/swap.js": "what the same page held before",
}
INLINE = re.compile(
    r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>|<style\b|\sstyle=|\son[a-z]+=|javascript:",
    re.IGNORECASE,
)
MAY_BE_INLINE = {
    "templates/tournaments/files/static_pages.html": "a file that opens without a server",
}
READERS = re.compile(
    r"^\s*(?:import|from)\s+(zipfile|tarfile|bz2|lzma|zlib|lxml|PIL|pickle|marshal|shelve|yaml"
    r"|xml\.etree|xml\.dom|xml\.sax\.(?:expatreader|saxutils\.XMLFilterBase))\b"
    r"|unpack_archive|\bmake_parser\b",
    re.MULTILINE,
)
MAY_READ = {
    "core/backups.py": "says which backup is damaged; only files of the site's own folder",
    "core/openapi.py": "the API's description, a file of ours, by YAML's safe loader",
    "decks/formats/readers.py": "OCTGN decks are XML: read by defusedxml",
}


def files(pattern: str, *folders: str) -> Iterator[tuple[str, str]]:
    """Path from the root, and text, of each file."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob(pattern)):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def files_with(pattern: re.Pattern[str], *where: Iterator[tuple[str, str]]) -> set[str]:
    return {name for texts in where for name, text in texts if pattern.search(text)}


@pytest.mark.check(10)
def test_templates_escape_everything():
    assert files_with(UNESCAPED, files("*.py", *APPS), files("*.html", "templates")) == set(
        MAY_BE_UNESCAPED
    )


@pytest.mark.check(10)
def test_no_script_writes_markup_into_a_page():
    assert files_with(INTO_THE_PAGE, files("*.js", "static/js")) == set(MAY_WRITE)


@pytest.mark.check(10)
def test_no_page_has_a_script_or_a_style_of_its_own():
    assert files_with(INLINE, files("*.html", "templates")) == set(MAY_BE_INLINE)


@pytest.mark.check(16)
def test_no_code_reads_archives_pictures_or_xml():
    assert files_with(READERS, files("*.py", *APPS)) == set(MAY_READ)


@pytest.mark.check(16)
def test_libraries_that_read_them_are_not_installed():
    names = (ROOT / "requirements" / "base.txt").read_text(encoding="utf-8")

    assert not re.search(r"^(lxml|pillow|py7zr|openpyxl|xlrd)==", names, re.MULTILINE)


@pytest.mark.check(10, 16)
@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (UNESCAPED, "{{ name|safe }}"),
        (UNESCAPED, "return mark_safe(name)"),
        (INTO_THE_PAGE, "row.innerHTML = name;"),
        (INLINE, "<script>go()</script>"),
        (INLINE, '<p style="color: red">'),
        (INLINE, '<p onclick="go()">'),
        (READERS, "import zipfile"),
        (READERS, "from lxml import etree"),
    ],
)
def test_patterns_find_forbidden_code(pattern: re.Pattern[str], text: str):
    assert pattern.search(text)
