"""Run the engine on a JSON document, without a database."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from engine.documents import commands, json_text
from engine.simulation.events import simulate

ANSWERS = {**commands.COMMANDS, "simulate": simulate}


class Command(BaseCommand):
    """Read and write bytes, so that the locale of the machine has no effect."""

    help = (
        "Read a JSON document from standard input and write one to standard output. Exits with "
        'status 2 and {"error", "path"} for an invalid document. docs/reference/engine.md describes'
        " the documents."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=ANSWERS)
        parser.add_argument("--indent", type=int, choices=range(9), metavar="0-8")

    def handle(self, *args: Any, **options: Any) -> None:
        data = sys.stdin.buffer.read(json_text.MAX_BYTES + 1)
        outcome = commands.run_command(ANSWERS[options["what"]], data, options["indent"])
        sys.stdout.buffer.write(outcome.text)
        sys.stdout.buffer.flush()
        if outcome.status:
            sys.exit(outcome.status)
