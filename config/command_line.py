"""Entry points of the command line: `manage.py` and the installed `datafort`."""

import os
import sys
from pathlib import Path

from core.version import VERSION

# Short `datafort` names of management commands.
SHORT_NAMES = {
    "import": "import_tournament",
    "export": "export_tournament",
    "check-deck": "check_deck",
    "move-site": "move_site",
}
COMMAND_HELP = {
    "serve": "Serve the site on this machine.",
    "import": "Import an event from a file.",
    "export": "Export an event to a file.",
    "check-deck": "Check decklists against the rules of a format.",
    "backup": "Back up the whole site while it runs.",
    "restore": "Restore a backup into an empty database.",
    "move-site": "Move the whole site from SQLite to PostgreSQL.",
    "engine": "Pair rounds and compute standings without a site.",
}
# Commands that need an existing site, unlike `serve`, `set_up` and `restore`.
COMMANDS_WITH_SITE = frozenset(
    {
        "backup",
        "changepassword",
        "createsuperuser",
        "export_rulings",
        "export_tournament",
        "import_cards",
        "import_rulings",
        "import_tournament",
        "make_demo",
        "move_site",
        "recompute_ratings",
        "rotate_secrets",
    }
)
HELP_OPTIONS = frozenset({"--help", "-h"})


def main() -> None:
    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    if command == "engine":
        from tournaments.management.commands.engine import Command

        Command().run_from_argv(sys.argv)
    elif command in {"version", "--version"}:
        sys.stdout.write(f"Datafort {VERSION}\n")
    else:
        _run_with_site(command)


def datafort() -> None:
    """Run `datafort` with its files in ./datafort-data; `serve` sets the site up first."""
    os.environ.setdefault("DATAFORT_VAR", str(Path.cwd() / "datafort-data"))
    at = 2 if sys.argv[1:2] == ["help"] else 1
    sys.argv[at : at + 1] = [SHORT_NAMES.get(word, word) for word in sys.argv[at : at + 1]]
    if sys.argv[1:2] == ["serve"]:
        sys.argv.insert(2, "--set-up")
    main()


def _run_with_site(command: str) -> None:
    settings = os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
    if command == "check_deck" and settings.startswith("config.settings."):
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.cards"
    if command == "help" or HELP_OPTIONS & set(sys.argv[1:]):
        # Help needs no secret key and must not create one.
        os.environ.setdefault("SECRET_KEY", "signs nothing: help serves no page")
        if command in {"help", *HELP_OPTIONS} and len(sys.argv) <= 2:
            sys.stdout.write(_help_text())
        command = ""
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    from config.settings.environment import VAR_DIR

    if command in COMMANDS_WITH_SITE and not (
        "DATABASE_URL" in os.environ or (VAR_DIR / "datafort.sqlite3").exists()
    ):
        # The settings would create keys in a folder without a site.
        sys.exit(
            f"There is no Datafort site in {VAR_DIR}. Run the command in the folder of the site, "
            "or set DATAFORT_VAR to its data folder."
        )
    try:
        execute_from_command_line(sys.argv)
    except OSError as error:
        path = (
            Path(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else None
        )
        if path is None or not (path.is_relative_to(VAR_DIR) or VAR_DIR.is_relative_to(path)):
            raise
        sys.exit(_not_writable_message(path, error.strerror))
    except OperationalError as error:
        # SQLite errors do not name the file.
        if not any(words in str(error) for words in ("readonly database", "unable to open")):
            raise
        sys.exit(_not_writable_message(VAR_DIR, str(error)))


def _help_text() -> str:
    program = Path(sys.argv[0]).name
    names, width = (SHORT_NAMES, 20) if program == "manage.py" else ({}, 12)
    lines = [f"  {names.get(name, name):<{width}}{text}\n" for name, text in COMMAND_HELP.items()]
    return "".join([f"Datafort {VERSION}\n\nUsage: {program} COMMAND [OPTIONS]\n\n", *lines])


def _not_writable_message(path: Path, reason: str | None) -> str:
    return (
        f"Datafort cannot use {path}: {reason}. Make the folder writable for this account, or set "
        "DATAFORT_VAR to another folder."
    )
