"""Links of README.md and docs resolve, and named commands exist."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands

from config.command_line import SHORT_NAMES
from core.version import VERSION
from tests.live_site import ROOT
from tools import plan
from tools.screenshots import LARGEST_FILE

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
CHECK_JSONSCHEMA = Path(sys.executable).with_name("check-jsonschema")
LINK = re.compile(r"""\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)\"""")


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def prose(page: Path) -> str:
    # Links in code are examples.
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`]*`", "", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_resolve(page: Path):
    links = [match[1] or match[2] for match in LINK.finditer(prose(page))]

    for link in links:
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not link.startswith("https://"):
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


def test_every_picture_is_shown():
    text = "".join(page.read_text() for page in PAGES)

    assert not [path.name for path in (ROOT / "docs/images").iterdir() if path.name not in text]


def test_pictures_are_small():
    sizes = {path.name: path.stat().st_size for path in (ROOT / "docs/images").iterdir()}

    assert not {name: size for name, size in sizes.items() if size > LARGEST_FILE}


def test_every_named_command_exists():
    text = "\n".join(page.read_text() for page in PAGES)
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)

    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE)) <= {*targets}
    assert set(re.findall(r"manage\.py ([a-z_]+)", text)) <= {*get_commands()}
    assert set(re.findall(r"`datafort ([a-z][a-z-]+)", text)) <= {*SHORT_NAMES, *get_commands()}


def test_every_setting_is_documented():
    sources = "\n".join(path.read_text() for path in (ROOT / "config" / "settings").glob("*.py"))
    pages = [ROOT / "docs" / "admin" / "settings.md", ROOT / "docs" / "api" / "README.md"]
    named = set(re.findall(r'"(DATAFORT_[A-Z_]+|SECRET_KEY\w*|DATABASE_URL|REDIS_URL)"', sources))

    assert named <= set(re.findall(r"`([A-Z_]+)`", "\n".join(page.read_text() for page in pages)))


def test_changelog_has_a_section_for_this_release():
    assert f"\n## [{VERSION}] - 20" in (ROOT / "CHANGELOG.md").read_text()


def test_workflow_is_valid_and_covers_every_supported_python():
    workflow = ROOT / ".github" / "workflows" / "ci.yml"
    schema = ["--builtin-schema", "vendor.github-workflows"]

    subprocess.run([CHECK_JSONSCHEMA, *schema, workflow], check=True, capture_output=True)
    versions = re.findall(r'"(3\.\d+)"', workflow.read_text())
    assert versions == ["3.11", "3.12", "3.13", "3.14"]


def test_plan_of_tournaments_matches_the_code():
    assert plan.PICTURE.read_text() == plan.picture(), "python -m tools.plan"
