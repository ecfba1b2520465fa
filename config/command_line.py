"""The command line: `manage.py` of a checkout, and `datafort` of an installed package."""

import os
import sys


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


def _engine() -> None:
    """Documents in and out: no settings, no apps, no database."""
    from tournaments.management.commands.engine import Command

    Command().run_from_argv(sys.argv)
