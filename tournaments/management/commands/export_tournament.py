"""Export an event to a file."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from core.errors import Refusal
from tournaments.event.permissions import NOBODY, Actor
from tournaments.files import exports as files_exports
from tournaments.files.exports import FORMATS, ExportFormat, ExportRequest
from tournaments.models import StaffRole, Tournament

WHOLE = ("nrtm", "datafort", "html", "csv", "trf", "ics", "markdown")
TABLES = tuple(id_.removeprefix("csv-") for id_ in FORMATS if id_.startswith("csv-"))


class Command(BaseCommand):
    """Write bytes, so that the locale of the machine has no effect."""

    help = (
        "Write an event as a file. Without --private it is what everybody may read who has the "
        "address of the event. Exit status 2 with a sentence where there is no such file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the last part of the event's address")
        parser.add_argument("--format", choices=WHOLE, default="datafort")
        parser.add_argument("--table", choices=TABLES, help="with csv; the standings unless given")
        parser.add_argument("--private", action="store_true", help="what only organisers see too")
        parser.add_argument("--output", metavar="FILE", type=Path, help="not standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = Tournament.objects.filter(slug=options["slug"]).first()
        if tournament is None:
            raise _refused(f'There is no event "{options["slug"]}".')
        format_ = _format(options)
        asked = _asked(tournament, format_, private=options["private"])
        try:
            data = files_exports.build_file(format_, asked)
        except Refusal as refusal:
            raise _refused(str(refusal)) from refusal
        _write(data, options["output"])


def _format(options: dict[str, Any]) -> ExportFormat:
    if options["format"] != "csv":
        if options["table"]:
            raise _refused("A table is chosen with --format csv alone.")
        return FORMATS[options["format"]]
    return FORMATS[f"csv-{options['table'] or 'standings'}"]


def _asked(tournament: Tournament, format_: ExportFormat, *, private: bool) -> ExportRequest:
    if not private and not format_.is_for_all:
        raise _refused(f"{format_.label}: {format_.for_whom.lower()} alone. Add --private.")
    owner = tournament.staff.filter(role=StaffRole.OWNER).select_related("user").first()
    actor = Actor(user=owner.user) if private and owner else NOBODY
    page = f"{getattr(settings, 'SITE_ADDRESS', '')}{tournament.get_absolute_url()}"
    return ExportRequest(tournament, actor, page, private)


def _write(data: bytes, output: Path | None) -> None:
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        raise _refused(f"{output} cannot be written: {error.strerror}.") from error


def _refused(words: str) -> CommandError:
    return CommandError(words, returncode=2)
