"""The stylesheet of the site is made of its parts, whole and up to date."""

from pathlib import Path

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.finders import get_finder

from core.stylesheet import NAME, PARTS, SiteStylesheet


def test_the_sheet_holds_every_part_in_order(settings):
    made = finders.find(NAME)
    assert isinstance(made, str)
    text = Path(made).read_text()

    places = [
        text.index((settings.BASE_DIR / "static/css" / f"{part}.css").read_text()) for part in PARTS
    ]

    assert places == sorted(places)


def test_a_changed_part_changes_the_sheet(settings, tmp_path):
    settings.BASE_DIR, settings.VAR_DIR = tmp_path, tmp_path / "var"
    for part in PARTS:
        path = tmp_path / "static/css" / f"{part}.css"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"/* {part} */")
    finder = SiteStylesheet()
    assert finder.find(NAME, find_all=True) == [finder.find(NAME)]
    (tmp_path / "static/css/tokens.css").write_text("/* new */")

    assert Path(finder.find(NAME)).read_text().startswith("/* new */\n/* base */")


def test_it_is_collected_and_finds_nothing_else():
    finder = get_finder("core.stylesheet.SiteStylesheet")

    assert [name for name, _ in finder.list([])] == [NAME]
    assert not finder.find("css/other.css")
