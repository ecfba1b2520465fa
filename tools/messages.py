"""Write the catalogues: locale/*/LC_MESSAGES/django.po and, for translations, django.mo.

python -m tools.messages

Needs GNU gettext. English is the language of the sources, so its catalogue has no translations.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
SOURCES = (
    *("config", "core", "decks", "engine", "matches", "players", "rulings", "tournaments"),
    *("templates", "locale"),
)
COMMANDS = "xgettext", "msgmerge", "msgfmt", "msguniq"
OPTIONS = "--no-wrap", "--no-obsolete", "--add-location=file"
# A translation of a similar text would only look right.
COMMAND = """
import sys
from django.core.management import execute_from_command_line
from django.core.management.commands.makemessages import Command

Command.msgmerge_options = [*Command.msgmerge_options, "--no-fuzzy-matching"]
execute_from_command_line(["", "makemessages", *sys.argv[1:]])
"""
# Changes at each run.
CREATION_DATE = re.compile(r'^"POT-Creation-Date: .*\n', re.MULTILINE)


def missing_commands() -> list[str]:
    return [command for command in COMMANDS if not shutil.which(command)]


def languages() -> list[str]:
    return sorted(folder.name for folder in (ROOT / "locale").iterdir() if folder.is_dir())


def catalogue(root: Path, language: str) -> Path:
    return root / "locale" / language / "LC_MESSAGES" / "django.po"


def update_in(folder: Path) -> None:
    """Copy the sources into the folder and update the catalogues there.

    Django writes a Python file beside each template, which other processes must not see.
    """
    for name in SOURCES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    chosen = [option for language in languages() for option in ("--locale", language)]
    subprocess.run(
        [sys.executable, "-c", COMMAND, *chosen, *OPTIONS],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": "", "DJANGO_SETTINGS_MODULE": ""},
        check=True,
        capture_output=True,
    )


def messages_of(path: Path) -> str:
    """Return a catalogue without the moment of its creation."""
    return CREATION_DATE.sub("", path.read_text(encoding="utf-8"))


def compile_catalogue(path: Path, compiled: Path) -> None:
    # Without --check-header, which requires names of people.
    checks = "--check-format", "--check-domain"
    command = shutil.which("msgfmt") or "msgfmt"
    subprocess.run([command, *checks, "--output-file", compiled, path], check=True)


def main() -> None:
    with TemporaryDirectory() as folder:
        update_in(Path(folder))
        for language in languages():
            path, updated = catalogue(ROOT, language), catalogue(Path(folder), language)
            if messages_of(path) != messages_of(updated):
                shutil.copyfile(updated, path)
            if language != "en":
                compile_catalogue(path, path.with_suffix(".mo"))


if __name__ == "__main__":
    main()
