"""Set up a site from an empty folder."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from core import private_files
from core.addresses import ANY_HOST, is_local_only, served_address, staff_address
from core.static_files import collect_if_changed
from tournaments.event import services as event_services
from tournaments.models import Job

ONLY_HERE = """\
Only this computer can open the site. To let phones in the room join, stop it and start it with
make run HOST=0.0.0.0 (or datafort serve --host 0.0.0.0).
"""
NO_NETWORK = """\
This computer has no address in a local network, so phones cannot open the site yet. Connect it to
the network that the phones use: links and QR codes then show its address.
"""
IN_NETWORK = """\
Phones open {shared}/ (posters, links and QR codes show this address).
If the phones use another network, name this computer's address in it: make run HOST=192.168.1.20
"""
PLAIN = """\
Over plain http others in the network can read what is typed. Players need no password: they join
by code or by link. Staff log in on this computer, at {local}/account/login/
Staff on other devices need https, or DATAFORT_PLAIN_LOGINS=yes. See docs/admin/laptop-in-a-shop.md.
"""


class Command(BaseCommand):
    help = (
        "Migrate the database, load cards and rulings, collect static files and create "
        "the demo event."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address that the server binds to")
        parser.add_argument("--port", default="8000")
        parser.add_argument("--no-demo", action="store_true", help="do not create the demo event")

    def handle(self, *args: Any, **options: Any) -> None:
        """Safe to run again: each step changes only what is missing."""
        private_files.protect_folder()
        call_command("migrate", verbosity=0)
        collect_if_changed()
        call_command("import_cards", keep_newer=True, stdout=self.stdout)
        call_command("import_rulings", stdout=self.stdout)
        # Jobs left unfinished by a stopped server.
        event_services.enqueue_stalled_jobs()
        self.stdout.write(f"Jobs waiting: {Job.objects.filter(state='queued').count()}")
        host, port = options["host"], int(options["port"])
        shared = settings.SITE_ADDRESS or served_address(host, port)
        local = staff_address(host, port)
        self.stdout.write(f"Administration: {local}/{settings.ADMIN_PATH}/")
        if not options["no_demo"]:
            call_command("make_demo", address=shared, staff_address=local, stdout=self.stdout)
        self.stdout.write(f"Open {local}/")
        self.stdout.write(advice(host, shared, local))


def advice(host: str, shared: str, local: str) -> str:
    """Return advice for the operator about phones and logins."""
    if is_local_only(shared):
        return NO_NETWORK if host in ANY_HOST else ONLY_HERE
    if shared.startswith("https://"):
        return ""
    text = IN_NETWORK.format(shared=shared)
    return text if settings.ALLOW_PLAIN_LOGINS else text + PLAIN.format(local=local)
