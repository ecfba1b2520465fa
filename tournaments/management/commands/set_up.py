"""Everything between a fresh folder and a site that can be opened."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from core import private_files
from core.checks import is_loopback
from core.client_addresses import reachable_host
from core.static_files import collect_if_changed
from tournaments.event import services as event_services
from tournaments.models import Job

PLAIN = """\
Over plain http others in the network can read along. Players join by code and by link from any
phone; whoever runs the event logs in on this computer, at http://127.0.0.1:{port}/account/login/
Staff on other devices need https before the site, or DATAFORT_PLAIN_LOGINS=yes: see
docs/operations.md, "A shop".
"""


class Command(BaseCommand):
    help = "Migrate, load cards and rulings, collect static files, make the demo event."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="what the server binds to")
        parser.add_argument("--port", default="8000")
        parser.add_argument("--no-demo", action="store_true", help="leave the demo event out")

    def handle(self, *args: Any, **options: Any) -> None:
        """Safe to run again: each step changes only what is missing."""
        private_files.close_folder()
        call_command("migrate", verbosity=0)
        collect_if_changed()
        call_command("import_cards", keep_newer=True, stdout=self.stdout)
        call_command("import_rulings", stdout=self.stdout)
        # What a stopped server left undone.
        event_services.sweep()
        self.stdout.write(f"Jobs waiting: {Job.objects.filter(state='queued').count()}")
        address = f"http://{reachable_host(options['host'])}:{options['port']}"
        where = settings.SITE_ADDRESS or address
        self.stdout.write(f"Administration: {where}/{settings.ADMIN_PATH}/")
        if not options["no_demo"]:
            call_command("make_demo", address=address, stdout=self.stdout)
        if not is_loopback(options["host"]) and not settings.ALLOW_PLAIN_LOGINS:
            self.stdout.write(PLAIN.format(port=options["port"]))
