"""A second start does not collect again; a changed file does."""

import os
from pathlib import Path

from core.static_files import collect_if_changed


def test_files_are_collected_again_only_when_one_has_changed(settings, tmp_path: Path):
    source = tmp_path / "source"
    source.mkdir()
    sheet = source / "site.css"
    sheet.write_text("a {}")
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "collected"

    assert [collect_if_changed(), collect_if_changed()] == [True, False]
    sheet.write_text("a { color: red }")
    later = sheet.stat().st_mtime + 60
    os.utime(sheet, (later, later))

    assert collect_if_changed()
    assert (tmp_path / "collected" / "site.css").read_text() == "a { color: red }"
