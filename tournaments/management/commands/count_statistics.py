"""Store the counts for the statistics, for example after an upgrade."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.models import EventTallies
from tournaments.statistics import services, stored_counts


class Command(BaseCommand):
    help = "Count all finished events that are new or changed, for the statistics pages."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--again",
            action="store_true",
            help="Count every event again, for example after cards were renamed.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["again"]:
            EventTallies.objects.update(version=0)
        total = 0
        while counted := services.count_finished_events():
            total += counted
            self.stdout.write(f"{total} events counted")
        services.store_sums()
        if left := stored_counts.events_to_count().count():
            raise CommandError(f"{left} events could not be counted. The log says why.")
        self.stdout.write("The statistics are up to date.")
