"""An event in round 2, and the address of every row in it."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.models import Side
from players import services as players
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.ratings import give_rating
from tests.factories.series import fill_series
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import (
    fresh,
    games_for,
    get_round,
    make_event,
    owner_of,
    play_round,
    sitting,
    start_round,
    table,
)
from tests.factories.webhooks import add_webhook
from tests.tournaments.cast import browser_of
from tournaments import urls
from tournaments.decklists import deck_checks
from tournaments.event.permissions import Actor
from tournaments.integrations import tokens, webhooks
from tournaments.integrations.tokens import TokenRequest
from tournaments.judging import calls, local_rulings, penalties
from tournaments.judging import queries as judging_queries
from tournaments.judging.local_rulings import Wording
from tournaments.models import (
    ApiToken,
    DeckCheck,
    EveningPlan,
    PlayerMerge,
    Registration,
    Series,
    Tournament,
)
from tournaments.profiles import services as people
from tournaments.results import services as results_services
from tournaments.settings import services as settings_services

ROUTES = {route.name or "": route.pattern.converters.keys() for route in urls.urlpatterns}
EVENT_ROUTES = {name: ids for name, ids in ROUTES.items() if "slug" in ids}
ROW_ROUTES = {name: ids for name, ids in EVENT_ROUTES.items() if len(ids) > 1}


@dataclass(frozen=True)
class Scene:
    """An event in round 2, and the two players at its table 1."""

    event: Tournament
    player: Registration
    opponent: Registration

    def browser(self, actor: str) -> Client:
        """Return the browser of one of ACTORS or of the player's opponent."""
        if actor == "opponent":
            return browser_of("player", self.event, self.opponent)
        return browser_of(actor, self.event, self.player)

    def address(self, name: str, *, slug: str = "") -> str:
        """Return an address below the event, or below the event with this slug."""
        ids: dict[str, Any] = {
            "slug": slug or self.event.slug,
            "code": self.event.join_code,
            "number": self._number(name),
            "table": 1,
            "side": "corp",
            "receipt": 1,
            "form": "plain_text",
            "game": self.event.game,
            "secret": "a-guess",
            "public_id": self._token(),
            "infraction": "own",
            "section": "rounds",
            "pk": "pk" in ROUTES[name] and (self._person(name) or self._key(name)),
            "uid": self._message(),
            "series": Series.objects.get().slug,
        }
        return reverse(f"tournaments:{name}", kwargs={id_: ids[id_] for id_ in ROUTES[name]})

    def _pattern(self, name: str) -> str:
        return next(str(route.pattern) for route in urls.urlpatterns if route.name == name)

    def _number(self, name: str) -> int:
        if name == "deck_check_print":
            return self.event.deck_check_draws.get().number
        if name == "overlay_table":
            return 1
        return 2 if "rounds" in self._pattern(name) else self.player.number

    def _message(self) -> UUID:
        return self.event.webhooks.get().deliveries.latest("pk").uid

    def _token(self) -> UUID:
        return ApiToken.objects.all()[0].public_id

    def _person(self, name: str) -> int | None:
        if name in ("person", "opponents", "person_csv", "rating_history"):
            return self.player.player_id
        return PlayerMerge.objects.get().pk if name == "undo_merge" else None

    def _key(self, name: str) -> int:
        """Return the key of the row that the named page shows."""
        event = self.event
        if name.startswith(("plan", "series", "invited")):
            return self._key_of_series(name)
        if name.startswith("call_") or name in ("call", "appeal_answer"):
            return judging_queries.open_calls(event)[0].call.pk
        if name.startswith("local_ruling") or name == "event_ruling_adopt":
            local = event.local_rulings.get()
            return local.ruling.pk if name == "local_ruling_use" else local.pk
        rows: dict[str, QuerySet[Any]] = {
            "webhook": event.webhooks.all(),
            "deck_check_of": DeckCheck.objects.filter(draw__tournament=event),
            "penalty_withdraw": event.penalties.all(),
            "log_": event.log.filter(action="player checked in"),
            "standings_then": event.snapshots.all(),
            "invitation_withdraw": event.invitations.all(),
            "job_retry": event.jobs.all(),
            "operations_": event.jobs.all(),
            "staff": event.staff.all(),
        }
        (keyed_rows,) = (found for prefix, found in rows.items() if name.startswith(prefix))
        key: int = keyed_rows.order_by("pk")[0].pk
        return key

    def _key_of_series(self, name: str) -> int:
        if name == "invited_change":
            return self.event.invited.get().pk
        if name.startswith("plan"):
            return EveningPlan.objects.get().pk
        return Series.objects.get().staff.get().pk


def make_scene() -> Scene:
    """Return an event in round 2 with one row for everything that an address can name."""
    load_cards()
    event = make_event(players=4)
    play_round(event)
    start_round(event)
    pairing = table(get_round(event, 2), 1)
    player, opponent = sitting(pairing)
    seat = pairing.match.seats.get(player=opponent.player)
    results_services.report_result(pairing, seat, games_for(pairing), Actor(player=opponent.player))
    submit_deck(player, Side.CORP, legal_corp_list(), Actor(player=player.player))
    deck_checks.pick_table(get_round(event, 2), owner_of(event), 1)
    settings_services.invite_staff(event, owner_of(event), "judge", timezone.now())
    calls.raise_call(pairing, Actor(player=player.player))
    local_rulings.make(event, owner_of(event), "Slow play", Wording("Three minutes."))
    penalties.give(event, opponent, owner_of(event), infraction="slow-play")
    penalties.change_infraction(event, owner_of(event), "own", name="Own", ladder=["caution"])
    former = players.create_player("Former")
    people.merge_players(players.create_player("Same"), former, owner_of(event))
    tokens.create_token(event.staff.get(role="owner").user, TokenRequest("Bot", "read"))
    webhooks.send_webhook_test(add_webhook(event))
    give_rating(player.player)
    fill_series(event)
    return Scene(fresh(event), *sitting(pairing))


def checksums() -> dict[str, str]:
    """Return a digest of every table of the project, except cards, sessions and users."""
    return {model._meta.label: _digest(model) for model in _models()}


def _models() -> Iterator[Any]:
    for app in ("players", "matches", "rulings", "tournaments", "decks"):
        for model in apps.get_app_config(app).get_models():
            if model._meta.model_name not in ("card", "cardalias", "session", "user"):
                yield model


def _digest(model: Any) -> str:
    return hashlib.sha256(repr(list(model.objects.order_by("pk").values())).encode()).hexdigest()


RANDOM_COLUMNS = (
    *("secret", "digest", "token_key", "uid", "public_id"),
    *("join_code", "seed", "password", "key", "hash"),
)
"""Endings of columns with random values."""


def stable_rows() -> dict[str, list[Any]]:
    """Return all rows of people and events by table, without random values and sessions.

    Rows are sorted by their values, because some primary keys are random.
    """
    return {
        model._meta.label: sorted(
            (
                {name: value for name, value in row.items() if not name.endswith(RANDOM_COLUMNS)}
                for row in model._default_manager.values()
            ),
            key=repr,
        )
        for app in ("players", "matches", "tournaments")
        for model in apps.get_app_config(app).get_models()
        if model._meta.model_name != "session"
    }
