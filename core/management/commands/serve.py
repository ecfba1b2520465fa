"""Serve the site from this process with waitress."""

import errno
import logging
import os
import socket
from argparse import ArgumentParser
from threading import Thread

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.utils.module_loading import import_string

from core import addresses, bounded_server
from core.addresses import ANY_HOST, served_address, staff_address, with_port
from core.http import is_loopback

# One more than may run, or wait for, expensive answers of an address (core.rate_limits). Python
# runs on one core: more threads make all of them late.
THREADS = 6
SILENT_SECONDS = 60
NO_DEMO_MESSAGE = "The demo event could not be created, so the site runs without it."
WRONG_HOST_MESSAGE = (
    "{host} is not an address of this computer. Use 127.0.0.1 for this computer alone, or 0.0.0.0 "
    "for the local network."
)

logger = logging.getLogger(__name__)


def listened_hosts(host: str) -> list[str]:
    # Also 127.0.0.1: over plain http, staff can log in only there.
    if host in ANY_HOST:
        return ["0.0.0.0"] if host == "0.0.0.0" else ["*"]  # noqa: S104 - asked for by the operator
    return [host] if is_loopback(host) else [host, "127.0.0.1"]


def refuse_unusable_address(host: str, port: int) -> None:
    """Raise CommandError if a server cannot listen at this host and port.

    It binds the port before the set-up, which takes a minute. The name resolver would reduce a port
    above 65535 to another port.
    """
    if not 1 <= port <= 65535:
        raise CommandError(f"Port {port} does not exist. Choose one from 1024 to 65535.")
    # waitress opens "*" for both families; IPv4 is enough to find a port in use.
    for listened in listened_hosts(host):
        try:
            found = socket.getaddrinfo(
                "0.0.0.0" if listened == "*" else listened,  # noqa: S104 - released below
                port,
                type=socket.SOCK_STREAM,
            )
        except (socket.gaierror, UnicodeError) as error:
            raise CommandError(WRONG_HOST_MESSAGE.format(host=host)) from error
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":
                # As waitress does; on Windows it would share a port that is in use.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError as error:
                raise CommandError(_unusable_address(error, host, port)) from error


def _unusable_address(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is in use, perhaps by another Datafort. Stop that program, or choose "
            "another port with make run PORT= (or datafort serve --port)."
        )
    if error.errno == errno.EACCES:
        return f"This account may not open port {port}. Choose a port above 1023."
    if error.errno == errno.EADDRNOTAVAIL:
        return WRONG_HOST_MESSAGE.format(host=host)
    return f"The site cannot be served at {with_port(host, port)}: {error.strerror}."


class Command(BaseCommand):
    help = "Serve the site on one machine; a public server has several processes behind nginx."
    # config.wsgi runs the start checks under any server.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--threads", type=int, default=THREADS)
        parser.add_argument("--set-up", action="store_true", help="first run set_up")
        parser.add_argument("--demo", action="store_true", help="create the demo event")

    def handle(self, *, host: str, port: int, threads: int, **options: object) -> None:
        refuse_unusable_address(host, port)
        if options["set_up"]:
            where = {"host": host, "port": str(port)}
            call_command("set_up", **where, no_demo=True, stdout=self.stdout)
        addresses.listener = addresses.Listener(host, port)
        # Refuses unsafe settings, before the demo is begun.
        application = import_string(settings.WSGI_APPLICATION)
        if options["demo"]:
            self.stdout.write("The demo event is being prepared. Its addresses follow.")
            Thread(target=self._make_demo, args=(host, port), daemon=True).start()
        # Short waits for a thread are normal.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        server = bounded_server.create_server(
            application,
            listen=" ".join(with_port(each, port) for each in listened_hosts(host)),
            threads=threads,
            channel_timeout=SILENT_SECONDS,
            # A request waits here until it is complete; core.body_limits limits each page.
            max_request_body_size=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
            # DATAFORT_PROXIES decides whether these headers are trusted.
            clear_untrusted_proxy_headers=False,
            # select() fails with more than 1024 open files.
            asyncore_use_poll=True,
            ident=None,
        )
        server.run()

    def _make_demo(self, host: str, port: int) -> None:
        # In a thread: the site already answers, and a failure does not stop it.
        shared = settings.SITE_ADDRESS or served_address(host, port)
        local = staff_address(host, port)
        try:
            call_command("make_demo", address=shared, staff_address=local, stdout=self.stdout)
        except CommandError as error:
            self.stderr.write(f"{NO_DEMO_MESSAGE} {error}")
        except Exception:
            logger.exception("demo_failed")
            self.stderr.write(
                f"{NO_DEMO_MESSAGE} The error is above. To try again: manage.py make_demo"
            )
        finally:
            connections.close_all()
