"""Export an event to a file."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from core.errors import Refusal
from tournaments.event.permissions import NOBODY, Actor
from tournaments.files.exports import FORMATS, ExportFormat, ExportRequest, build_file
from tournaments.models import StaffRole, Tournament

WHOLE = ("nrtm", "datafort", "html", "csv", "trf", "ics", "markdown")
TABLES = tuple(id_.removeprefix("csv-") for id_ in FORMATS if id_.startswith("csv-"))


class Command(BaseCommand):
    """Write bytes, so that the locale of the machine has no effect."""

    help = (
        "Export an event to a file. Without --private the file contains only what anyone with the "
        "address of the event may see. Exits with status 2 and an error message if the file cannot "
        "be made."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the last part of the event's address")
        parser.add_argument("--format", choices=WHOLE, default="datafort")
        parser.add_argument("--table", choices=TABLES, help="for csv; by default the standings")
        parser.add_argument("--private", action="store_true", help="include data for organisers")
        parser.add_argument(
            "--output",
            metavar="FILE",
            type=Path,
            help="write to this file instead of standard output",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = Tournament.objects.filter(slug=options["slug"]).first()
        if tournament is None:
            raise _refusal(f'There is no event "{options["slug"]}".')
        format_ = _export_format(options)
        private = options["private"]
        if not private and not format_.is_for_all:
            raise _refusal(f"{format_.label}: {str(format_.for_whom).lower()} only. Add --private.")
        owner = tournament.staff.filter(role=StaffRole.OWNER).select_related("user").first()
        actor = Actor(user=owner.user) if private and owner else NOBODY
        page = f"{settings.SITE_ADDRESS}{tournament.get_absolute_url()}"
        try:
            data = build_file(format_, ExportRequest(tournament, actor, page, private))
        except Refusal as refusal:
            raise _refusal(str(refusal)) from refusal
        output: Path | None = options["output"]
        if output is None:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            return
        try:
            output.write_bytes(data)
        except OSError as error:
            raise _refusal(f"{output} cannot be written: {error.strerror}.") from error


def _export_format(options: dict[str, Any]) -> ExportFormat:
    if options["format"] == "csv":
        return FORMATS[f"csv-{options['table'] or 'standings'}"]
    if options["table"]:
        raise _refusal("--table requires --format csv.")
    return FORMATS[options["format"]]


def _refusal(message: str) -> CommandError:
    return CommandError(message, returncode=2)
