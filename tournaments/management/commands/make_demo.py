"""Make the demo event once, and print its logins on every run."""

import os
import secrets
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from matches.models import MatchState
from players import services as player_services
from players.models import Player, User
from tournaments.management import demo
from tournaments.models import Tournament
from tournaments.public import pages as public_pages

PASSWORD_BYTES = 12
ORGANISER, JUDGE = "organiser", "judge"


class DemoLogins:
    """Passwords of demo accounts by username, in a file that only its owner can read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        pairs = (line.split(maxsplit=1) for line in text.splitlines())
        self._passwords = {pair[0]: pair[1] for pair in pairs if len(pair) == 2}

    def knows(self, username: str) -> bool:
        return username in self._passwords

    def password(self, username: str) -> str:
        """Return the stored password; a missing password is generated and stored."""
        if username not in self._passwords:
            self._passwords[username] = secrets.token_urlsafe(PASSWORD_BYTES)
            self._write()
        return self._passwords[username]

    def _write(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(f"{name} {password}\n" for name, password in self._passwords.items())


class Command(BaseCommand):
    """Safe to run again: an existing demo event is not changed."""

    help = (
        "Create the demo event if there is none. Print its addresses, logins and a personal link."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--address", default="http://127.0.0.1:8000", help="of this site")
        parser.add_argument("--staff-address", help="for staff logins, if different")

    def handle(self, *args: Any, **options: Any) -> None:
        address = options["address"].rstrip("/")
        staff_address = (options["staff_address"] or address).rstrip("/")
        logins = DemoLogins(settings.VAR_DIR / "demo_login")
        tournament = Tournament.objects.filter(slug=demo.DEMO_SLUG).first()
        organiser, judge = (_account(name, logins, tournament) for name in (ORGANISER, JUDGE))
        if tournament is None:
            public_pages.demo_in_progress.set()
            try:
                tournament = demo.make_demo(organiser, judge)
            finally:
                public_pages.demo_in_progress.clear()
        lines = [
            ("Datafort", f"{address}/"),
            ("Demo event", f"{address}{tournament.get_absolute_url()}"),
            ("Its desk", f"{staff_address}{reverse('tournaments:desk', args=[tournament.slug])}"),
            ("Log in", f"{staff_address}{reverse('account_login')}"),
            ("Organiser", _login(organiser, logins)),
            ("Judge", _login(judge, logins)),
            *_claim_lines(tournament, address),
        ]
        rule = "-" * 72
        text = [f"  {word:<12}{what}" for word, what in lines]
        self.stdout.write("\n".join([rule, *text, rule]))


def _account(username: str, logins: DemoLogins, tournament: Tournament | None) -> User:
    user = User.objects.filter(username=username).first()
    if user is None:
        return User.objects.create_user(username, password=logins.password(username))
    if not logins.knows(username):
        if tournament is None or tournament.role_of(user) is None:
            raise CommandError(
                f"The account {username} does not belong to the demo. Rename it, or run the site "
                "without the demo."
            )
        # The file was lost. Its owner has access to the database, so a new password is no leak.
        user.set_password(logins.password(username))
        user.save(update_fields=["password"])
    return user


def _login(user: User, logins: DemoLogins) -> str:
    password = logins.password(user.username)
    if not user.check_password(password):
        return f"{user.username}, with the password you have set"
    return f"{user.username} / {password}"


def _claim_lines(tournament: Tournament, address: str) -> list[tuple[str, str]]:
    """Issue a new personal link for a player, preferably with an open table."""
    player = next(_guests(tournament), None)
    if player is None:
        return []
    link = reverse("players:claim", args=[player_services.issue_claim(player)])
    return [("Player", player.name), ("Phone link", f"{address}{link}")]


def _guests(tournament: Tournament) -> Iterator[Player]:
    latest = tournament.latest_round()
    if latest is not None:
        open_ = latest.pairings.with_players().filter(match__state=MatchState.OPEN)
        seats = (seat for pairing in open_ if pairing.match for seat in pairing.match.seats.all())
        yield from (seat.player for seat in seats if seat.player.user_id is None)
    active = tournament.registrations.active().filter(player__user=None)
    yield from (registration.player for registration in active)
