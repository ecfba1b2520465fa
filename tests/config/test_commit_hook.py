"""The hook that checks the subjects of commits."""

import subprocess
from pathlib import Path

import pytest
from django.conf import settings


def accepts(message: str, folder: Path) -> bool:
    file = folder / "message"
    file.write_text(message, encoding="utf-8")
    hook = settings.BASE_DIR / "tools" / "hooks" / "commit-msg"
    process = subprocess.run([hook, file], cwd=settings.BASE_DIR, capture_output=True, check=False)
    return process.returncode == 0


@pytest.mark.parametrize(
    "message",
    [
        "results: reject reports for a re-paired table\n",
        "docs: add a tutorial\n\nNew organisers asked for it.\n",
    ],
)
def test_subject_with_area_is_accepted(message: str, tmp_path: Path):
    assert accepts(message, tmp_path)


@pytest.mark.parametrize(
    "message",
    [
        "Say once how many rounds somebody has set\n",
        "pages: Show it\n",
        "docs: add a tutorial.\n",
        f"pages: show {'the page ' * 10}\n",
        "docs: add a tutorial\nwithout a blank line\n",
    ],
)
def test_subject_in_another_form_is_refused(message: str, tmp_path: Path):
    assert not accepts(message, tmp_path)
