"""Collected static files, and the stylesheet joined from its parts."""

import os
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.finders import get_finder
from django.http import HttpResponse
from django.test import RequestFactory

from core.static_files import (
    STYLESHEET_NAME,
    STYLESHEET_PARTS,
    SiteStylesheet,
    StaticFilesMiddleware,
    collect_if_changed,
    minify_css,
)


def test_files_are_collected_again_only_after_a_change(settings, tmp_path: Path):
    source = tmp_path / "source"
    source.mkdir()
    stylesheet = source / "site.css"
    stylesheet.write_text("a {}")
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "collected"

    assert [collect_if_changed(), collect_if_changed()] == [True, False]
    stylesheet.write_text("a { color: red }")
    later_time = stylesheet.stat().st_mtime + 60
    os.utime(stylesheet, (later_time, later_time))

    assert collect_if_changed()
    assert (tmp_path / "collected" / "site.css").read_text() == "a { color: red }"


def test_files_that_a_newer_release_collects_are_served(
    settings, tmp_path: Path, rf: RequestFactory
):
    (tmp_path / "css").mkdir()
    settings.STATIC_ROOT, settings.WHITENOISE_AUTOREFRESH = tmp_path, False
    serve = StaticFilesMiddleware(lambda request: HttpResponse(status=404))
    address = f"{settings.STATIC_URL}css/site.1a2b.css"
    assert serve(rf.get(address)).status_code == 404

    (tmp_path / "css" / "site.1a2b.css").write_text("a{color:red}")

    assert b"".join(serve(rf.get(address))) == b"a{color:red}"
    for missing in ("css", "css/", "css/../css/site.1a2b.css", "css/\0", "../manage.py", "a" * 999):
        assert serve(rf.get(f"{settings.STATIC_URL}{missing}")).status_code == 404, missing


def test_stylesheet_contains_every_part_in_order(settings):
    path = finders.find(STYLESHEET_NAME)
    assert isinstance(path, str)
    text = Path(path).read_text()

    parts = (
        (settings.BASE_DIR / "static/css" / f"{css}.css").read_text() for css in STYLESHEET_PARTS
    )
    positions = [text.index(minify_css(css)) for css in parts]

    assert positions == sorted(positions)


@pytest.mark.parametrize(
    ("css", "packed"),
    [
        ("/* Why. */\na > b,\n.c :hover { color: red; }\n", "a > b,.c :hover{color:red}"),
        ("a {\n  margin: 0 -1px; /* : */\n\n  --x: 1;\n}", "a{margin:0 -1px;--x:1}"),
        ('q::before { content: " ; /* } */ \\" , " }', 'q::before{content:" ; /* } */ \\" , "}'),
        (
            "/* One. */ a { margin: 0 } b { /* Two. */ color: red; /* Three. */ }",
            "a{margin:0}b{color:red}",
        ),
        (
            "@media (min-width: 40rem) and (hover) { a { width: calc(1px + 2px) } }",
            "@media (min-width:40rem) and (hover){a{width:calc(1px + 2px)}}",
        ),
    ],
)
def test_minified_styles_keep_strings_and_selectors(css, packed):
    assert minify_css(css) == packed


def test_changed_part_changes_the_stylesheet(settings, tmp_path):
    settings.BASE_DIR, settings.VAR_DIR = tmp_path, tmp_path / "var"
    for part_name in STYLESHEET_PARTS:
        path = tmp_path / "static/css" / f"{part_name}.css"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f".{path.stem} {{ color: red }}")
    finder = SiteStylesheet()
    assert finder.find(STYLESHEET_NAME, find_all=True) == [finder.find(STYLESHEET_NAME)]
    (tmp_path / "static/css/tokens.css").write_text(".new { color: red }")

    assert (
        Path(finder.find(STYLESHEET_NAME)).read_text().startswith(".new{color:red}.base{color:red}")
    )


def test_finder_collects_the_stylesheet_only():
    finder = get_finder("core.static_files.SiteStylesheet")

    assert [name for name, _ in finder.list([])] == [STYLESHEET_NAME]
    assert not finder.find("css/other.css")


def test_folder_created_for_the_stylesheet_is_private(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"

    assert SiteStylesheet().find(STYLESHEET_NAME)

    assert settings.VAR_DIR.stat().st_mode & 0o077 == 0
