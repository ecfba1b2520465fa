"""An event in its second round with an object of each kind, and a client per actor."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone
from rest_framework.test import APIClient

from decks.models import Side
from players import services as players
from players.models import User
from tests.api.clients import make_token
from tests.api.matrix.rows import SCOPE_OF, is_of_an_event
from tests.api.matrix.table import EXPECTED, parts, template_of
from tests.factories import tournaments as make
from tests.factories.decks import legal_corp_list
from tests.factories.formats import make_card, make_format
from tests.factories.library import load_cards, load_few_rulings
from tests.factories.ratings import give_rating
from tests.factories.series import make_series
from tests.factories.sessions import claim
from tests.factories.submissions import submit_deck
from tests.factories.webhooks import add_webhook
from tournaments.decklists import deck_checks
from tournaments.event.permissions import Actor
from tournaments.integrations import webhooks
from tournaments.judging import calls, local_rulings, penalties
from tournaments.judging.local_rulings import Wording
from tournaments.models import Pairing, Registration, Tournament
from tournaments.results import services as results_services
from tournaments.series import services as series_services

PREFIX = "/api/v1/"
ROLES = ("streamer", "judge", "head_judge", "scorekeeper", "organiser")


@dataclass(frozen=True)
class Scene:
    """`player` and `opponent` sit at table 1 of round 2, `bystander` at table 2."""

    event: Tournament
    player: Registration
    opponent: Registration
    bystander: Registration
    people: Mapping[str, User]
    other_event: Tournament

    def address(self, operation: str, *, slug: str = "") -> str:
        """The address of an operation, optionally under the slug of another event."""
        template = template_of(parts(operation)[1])
        values = {
            "slug": slug or self.event.slug,
            "number": 2 if "rounds/" in template else self.player.number,
            "table": 1,
            "side": "corp",
            **self._own_values(operation),
        }
        if slug and is_of_an_event(template):
            values["slug"] = slug
        return PREFIX + fill_in(template, values)

    def body(self, operation: str) -> Any:
        body = EXPECTED[operation].body
        return body(self) if callable(body) else body

    def client(self, actor: str) -> APIClient:
        """The client of a person, or a program with a token of the organiser."""
        client = APIClient()
        if actor in SCOPE_OF:
            client.credentials(HTTP_AUTHORIZATION=f"Token {self._token(actor)}")
        elif actor == "player":
            claim(client, self.player.player)
        elif actor != "anonymous":
            client.force_login(self.people[actor])
        return client

    def _own_values(self, operation: str) -> dict[str, Any]:
        ids = EXPECTED[operation].ids
        return {name: value(self) if callable(value) else value for name, value in ids.items()}

    def _token(self, actor: str) -> str:
        event = {"unbound_token": None, "token_elsewhere": self.other_event}.get(actor, self.event)
        now = timezone.now()
        return make_token(
            self.people["organiser"],
            SCOPE_OF[actor],
            event,
            expiry=now - timedelta(days=1) if actor == "expired_token" else None,
            revoked_at=now if actor == "revoked_token" else None,
        )


def fill_in(template: str, values: Mapping[str, Any]) -> str:
    for name, value in values.items():
        for kind in ("slug", "int", "str", "uuid"):
            template = template.replace(f"<{kind}:{name}>", str(value))
    assert "<" not in template, f"no value for {template}"
    return template


def make_library() -> None:
    """All cards of `onr`, one of `anr` with a format, and a few rulings."""
    load_cards()
    make_format(make_card("Sure Gamble"))
    load_few_rulings()


def make_scene() -> Scene:
    """Round 1 is closed. In round 2, table 1 has a report by `opponent` and a call by `player`."""
    make_library()
    event = make.make_event(players=4)
    make.play_round(event)
    first, second = make.tables_of(make.start_round(event))
    player, opponent = make.sitting(first)
    bystander = make.sitting(second)[0]
    people = {role: make.add_staff(event, role) for role in ROLES}
    people["owner"] = event.staff.get(role="owner").user
    people["administrator"] = make.make_user(is_superuser=True, is_staff=True)
    people["stranger"] = make.make_user()
    for name, registration in (("opponent", opponent), ("bystander", bystander)):
        people[name] = make.make_user()
        players.link_guest(registration.player, people[name])
    fill(event, first, player, opponent)
    give_rating(player.player)
    other_event = make.make_event(players=2, name="Elsewhere", owner=people["organiser"])
    return Scene(make.fresh(event), player, opponent, bystander, people, other_event)


def fill(event: Tournament, pairing: Pairing, player: Registration, opponent: Registration) -> None:
    """Make an object for every path parameter."""
    owner = make.owner_of(event)
    seat = pairing.match.seats.get(player=opponent.player)
    results_services.report_result(
        pairing, seat, make.games_for(pairing), Actor(player=opponent.player)
    )
    submit_deck(player, Side.CORP, legal_corp_list(), Actor(player=player.player))
    deck_checks.pick_table(make.get_round(event, 2), owner, 1)
    calls.raise_call(pairing, Actor(player=player.player))
    local_rulings.make(event, owner, "Slow play", Wording("Three minutes."))
    penalties.give(event, opponent, owner, infraction="slow-play")
    webhooks.send_webhook_test(add_webhook(event))
    series_services.add_event(make_series(owner.user), event, owner)
