"""The command line: `manage.py` of a checkout, and `datafort` of an installed package."""

import os
import sys
from pathlib import Path

SHORT = {"import": "import_tournament", "export": "export_tournament", "check-deck": "check_deck"}
"""What `datafort` calls commands, and what manage.py does."""


def main() -> None:
    """Run the command that `sys.argv` names."""
    command = sys.argv[1:2]
    if command == ["engine"]:
        _engine()
        return
    settings = os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
    if command == ["check_deck"] and settings.startswith("config.settings."):
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.cards"
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


def datafort() -> None:
    """The same, with its files in ./datafort-data; `serve` sets the site up first."""
    os.environ.setdefault("DATAFORT_VAR", str(Path.cwd() / "datafort-data"))
    sys.argv[1:2] = [SHORT.get(word, word) for word in sys.argv[1:2]]
    if sys.argv[1:2] == ["serve"]:
        sys.argv.insert(2, "--set-up")
    main()


def _engine() -> None:
    """Documents in and out: no settings, no apps, no database."""
    from tournaments.management.commands.engine import Command

    Command().run_from_argv(sys.argv)
