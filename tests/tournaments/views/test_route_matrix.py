"""Every address of the events app, asked by everybody who might come along."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import pytest
from django.apps import apps
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.models import Side
from decks.services import import_cards
from tests.factories.decks import legal_corp_list
from tests.factories.tournaments import (
    fresh,
    games_for,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    table,
)
from tests.tournaments.views.cast import ACTORS, WITHOUT_ACCOUNT, browser_of
from tournaments import queries, urls
from tournaments.actors import Actor
from tournaments.models import DeckCheck, Registration, Tournament
from tournaments.services import calls, deck_checks, decks, local_rulings, penalties, results, staff
from tournaments.services.local_rulings import Wording

pytestmark = pytest.mark.django_db

NOBODY: frozenset[str] = frozenset()
ALL = frozenset(ACTORS)
RUN = frozenset({"organiser", "owner"})
SCORE = RUN | {"scorekeeper", "head_judge"}
JUDGE = RUN | {"judge", "head_judge"}
HEAD = RUN | {"head_judge"}
DESK = SCORE | JUDGE
OWNER = frozenset({"owner"})
PLAYER = frozenset({"player"})
ACCOUNTS = ALL - WITHOUT_ACCOUNT

READ, WRITE, BOTH = ("GET",), ("POST",), ("GET", "POST")
# How the others are refused: sent to the log-in page or 403, 403 alone, or a 404.
DOOR, FORBIDDEN, HIDDEN = "door", "forbidden", "hidden"


@dataclass(frozen=True)
class Row:
    """Who may use an address, and how the others are refused."""

    methods: tuple[str, ...]
    may: frozenset[str] = ALL
    refusal: str = HIDDEN


EXPECTED = {
    "help": Row(READ),
    "help_pairing": Row(READ),
    "help_scoring": Row(READ),
    "help_tie_breakers": Row(READ),
    "manifest": Row(READ),
    "service_worker": Row(READ),
    "offline": Row(READ),
    "list": Row(READ),
    "event": Row(READ),
    "pairings": Row(READ),
    "bracket": Row(READ),
    "standings": Row(READ),
    "schedule": Row(READ),
    "standings_csv": Row(READ),
    "print_standings": Row(READ),
    "player": Row(READ),
    "projector": Row(READ),
    # Not revealed: there is no such page, for anybody.
    "decks": Row(READ, NOBODY),
    # Not shown to others: its player's and the judges'.
    "deck_page": Row(READ, JUDGE | PLAYER),
    "deck_export": Row(READ, JUDGE | PLAYER),
    "round": Row(READ),
    "print_pairings": Row(READ),
    "table": Row(READ),
    "qr": Row(READ),
    "join": Row(READ),
    "join_code": Row(BOTH),
    "mine": Row(READ),
    "my_event": Row(READ),
    "my_check_in": Row(WRITE, PLAYER),
    "my_drop": Row(WRITE, PLAYER),
    "my_return": Row(WRITE, PLAYER),
    "deck": Row(BOTH, PLAYER),
    "deck_lock": Row(WRITE, PLAYER),
    "deck_receipt": Row(READ, PLAYER),
    "deck_difference": Row(READ, PLAYER),
    "report": Row(BOTH, PLAYER, FORBIDDEN),
    "confirm": Row(BOTH, PLAYER, FORBIDDEN),
    "dispute": Row(WRITE, PLAYER, FORBIDDEN),
    "choose_faction": Row(WRITE, PLAYER, FORBIDDEN),
    "factions": Row(BOTH, SCORE, DOOR),
    "create": Row(BOTH, ACCOUNTS, DOOR),
    "desk": Row(READ, DESK, DOOR),
    "settings": Row(BOTH, RUN, DOOR),
    "day_settings": Row(BOTH, RUN, DOOR),
    "registration_toggle": Row(WRITE, RUN, DOOR),
    "stages": Row(READ, DESK, DOOR),
    "cut": Row(BOTH, RUN, DOOR),
    "cut_decline": Row(WRITE, RUN, DOOR),
    "cut_undo": Row(WRITE, RUN, DOOR),
    "staff": Row(READ, RUN, DOOR),
    "staff_add": Row(WRITE, OWNER, DOOR),
    "staff_remove": Row(WRITE, OWNER, DOOR),
    "staff_hand_over": Row(WRITE, OWNER, DOOR),
    "invite": Row(WRITE, OWNER, DOOR),
    "invitation_withdraw": Row(WRITE, OWNER, DOOR),
    # Whoever has the link: without one it is gone, and only an account accepts.
    "invitation_link": Row(READ),
    "invitation": Row(BOTH),
    "job_retry": Row(WRITE, RUN, DOOR),
    "finish": Row(WRITE, RUN, DOOR),
    "reopen": Row(WRITE, OWNER, DOOR),
    "stream": Row(READ),
    "practice": Row(BOTH, RUN, DOOR),
    "practice_play": Row(WRITE, RUN, DOOR),
    "practice_end": Row(WRITE, OWNER, DOOR),
    "log": Row(READ, DESK, DOOR),
    "log_entry": Row(READ, DESK, DOOR),
    # Here of a check-in: taken back by whoever may check in.
    "log_undo": Row(BOTH, RUN, DOOR),
    "versions": Row(READ, DESK, DOOR),
    "standings_then": Row(READ, DESK, DOOR),
    "deck_check": Row(READ, JUDGE, DOOR),
    "audiences": Row(BOTH, RUN, DOOR),
    "preview": Row(READ, RUN, DOOR),
    "reveal": Row(WRITE, RUN, DOOR),
    "decks_lock": Row(WRITE, RUN, DOOR),
    "decks_reopen": Row(WRITE, RUN, DOOR),
    "deck_of": Row(READ, JUDGE, DOOR),
    "deck_change": Row(BOTH, JUDGE, DOOR),
    "deck_difference_of": Row(READ, JUDGE, DOOR),
    "deck_receipt_of": Row(READ, JUDGE, DOOR),
    "deck_lock_of": Row(WRITE, JUDGE, DOOR),
    "deck_unlock": Row(WRITE, JUDGE, DOOR),
    "deck_checks": Row(READ, JUDGE, DOOR),
    "deck_checks_draw": Row(WRITE, JUDGE, DOOR),
    "deck_check_of": Row(BOTH, JUDGE, DOOR),
    "deck_check_print": Row(READ, JUDGE, DOOR),
    "roster": Row(READ, DESK, DOOR),
    "roster_export": Row(READ, RUN, DOOR),
    "roster_add": Row(WRITE, RUN, DOOR),
    "roster_paste": Row(BOTH, RUN, DOOR),
    "roster_csv": Row(BOTH, RUN, DOOR),
    "roster_apply": Row(WRITE, RUN, DOOR),
    "check_in_all": Row(WRITE, RUN, DOOR),
    "check_in": Row(WRITE, DESK, DOOR),
    "undo_check_in": Row(WRITE, DESK, DOOR),
    "drop": Row(WRITE, RUN, DOOR),
    "return": Row(WRITE, RUN, DOOR),
    "remove": Row(WRITE, RUN, DOOR),
    "first_round_bye": Row(WRITE, RUN, DOOR),
    "seed": Row(WRITE, RUN, DOOR),
    "claim_link": Row(BOTH, RUN, DOOR),
    "pair": Row(WRITE, RUN, DOOR),
    "draft": Row(READ, RUN, DOOR),
    "swap": Row(WRITE, RUN, DOOR),
    "swap_preview": Row(READ, RUN, DOOR),
    "lock": Row(WRITE, RUN, DOOR),
    "rest": Row(WRITE, RUN, DOOR),
    "by_hand": Row(BOTH, RUN, DOOR),
    "desk_step": Row(READ, DESK, DOOR),
    "without_results": Row(READ, RUN, DOOR),
    "change": Row(READ, RUN, DOOR),
    "unpublish": Row(WRITE, RUN, DOOR),
    "discard": Row(WRITE, RUN, DOOR),
    "publish": Row(WRITE, RUN, DOOR),
    "start": Row(WRITE, RUN, DOOR),
    "time": Row(READ),
    "clock_pause": Row(WRITE, RUN, DOOR),
    "clock_resume": Row(WRITE, RUN, DOOR),
    "clock_add": Row(WRITE, RUN, DOOR),
    "clock_add_table": Row(BOTH, JUDGE, DOOR),
    "close": Row(WRITE, RUN, DOOR),
    "reopen_round": Row(WRITE, RUN, DOOR),
    "results": Row(READ, SCORE, DOOR),
    "slips": Row(READ, DESK, DOOR),
    "enter": Row(WRITE, SCORE, DOOR),
    "take_back": Row(WRITE, SCORE, DOOR),
    "advance": Row(WRITE, SCORE, DOOR),
    # The higher seed of a first cut game may as well; here nobody chooses.
    "choose_role": Row(WRITE, SCORE, FORBIDDEN),
    # A judge may read here, and is told in words that only others enter results.
    "decide": Row(BOTH, DESK, DOOR),
    "note": Row(WRITE, JUDGE, DOOR),
    "poster": Row(READ, DESK, DOOR),
    "announcing": Row(READ, RUN, DOOR),
    "announcing_save": Row(WRITE, RUN, DOOR),
    "announcing_test": Row(WRITE, RUN, DOOR),
    "my_news": Row(READ, PLAYER),
    "my_mail": Row(WRITE, PLAYER),
    "my_phone": Row(WRITE, PLAYER),
    "paper": Row(READ, DESK, DOOR),
    "print_roster": Row(READ, DESK, DOOR),
    "print_open": Row(READ, DESK, DOOR),
    "print_decks": Row(READ, JUDGE, DOOR),
    "blank_slips": Row(READ, DESK, DOOR),
    "meeting": Row(READ),
    "meeting_desk": Row(READ, RUN, DOOR),
    "meeting_paper": Row(READ, DESK, DOOR),
    "meeting_seat": Row(WRITE, RUN, DOOR),
    "meeting_clear": Row(WRITE, RUN, DOOR),
    "wishes": Row(WRITE, RUN, DOOR),
    # The join code is no check-in code.
    "check_in_code": Row(BOTH, NOBODY),
    "my_check_in_qr": Row(READ, PLAYER),
    "tick": Row(BOTH, DESK, DOOR),
    "scan": Row(BOTH, DESK, DOOR),
    "badges": Row(READ, DESK, DOOR),
    "move_up": Row(WRITE, RUN, DOOR),
    "let_in": Row(WRITE, RUN, DOOR),
    "absences": Row(READ, DESK, DOOR),
    "missing": Row(WRITE, DESK | PLAYER, FORBIDDEN),
    "came": Row(WRITE, DESK | PLAYER, FORBIDDEN),
    "no_show": Row(WRITE, SCORE, DOOR),
    "my_stream": Row(WRITE, PLAYER),
    "call_judge": Row(WRITE, PLAYER, FORBIDDEN),
    "withdraw_call": Row(WRITE, PLAYER, FORBIDDEN),
    "event_guide": Row(READ),
    "guide_desk": Row(READ, JUDGE, DOOR),
    "infraction_new": Row(BOTH, HEAD, DOOR),
    "infraction_change": Row(BOTH, HEAD, DOOR),
    "infraction_reset": Row(WRITE, HEAD, DOOR),
    "penalties": Row(READ, JUDGE, DOOR),
    "penalty_new": Row(BOTH, JUDGE, DOOR),
    "penalty_withdraw": Row(BOTH, JUDGE, DOOR),
    "conduct": Row(READ, JUDGE, DOOR),
    "judged": Row(READ, HEAD, DOOR),
    "judged_csv": Row(READ, HEAD, DOOR),
    "judged_json": Row(READ, HEAD, DOOR),
    "calls": Row(READ, DESK, DOOR),
    "event_cited": Row(READ, JUDGE, DOOR),
    "call_new": Row(WRITE, DESK, DOOR),
    "call_take": Row(WRITE, JUDGE, DOOR),
    "call": Row(BOTH, JUDGE, DOOR),
    "call_give_back": Row(WRITE, JUDGE, DOOR),
    "call_escalate": Row(WRITE, JUDGE, DOOR),
    "call_appeal": Row(WRITE, JUDGE, DOOR),
    "calls_past": Row(READ, JUDGE, DOOR),
    "judge_statistics": Row(READ, HEAD, DOOR),
    # The call is not answered yet: told as a message.
    "appeal_answer": Row(WRITE, PLAYER, FORBIDDEN),
    "event_rulings": Row(READ),
    "rulings_booklet": Row(READ),
    "judges_booklet": Row(READ, JUDGE, DOOR),
    "local_rulings": Row(READ, JUDGE, DOOR),
    "local_ruling_new": Row(BOTH, HEAD, DOOR),
    "local_ruling_edit": Row(BOTH, HEAD, DOOR),
    "local_ruling_withdraw": Row(WRITE, HEAD, DOOR),
    "local_ruling_leave": Row(WRITE, HEAD, DOOR),
    "local_ruling_use": Row(WRITE, HEAD, DOOR),
}
ROUTES = {route.name or "": route.pattern.converters.keys() for route in urls.urlpatterns}
OF_AN_EVENT = {name: ids for name, ids in ROUTES.items() if "slug" in ids}
OF_ITS_ROWS = {name: ids for name, ids in OF_AN_EVENT.items() if len(ids) > 1}


def test_every_address_has_a_row_in_the_table():
    assert ROUTES.keys() == EXPECTED.keys()


@dataclass(frozen=True)
class Scene:
    """An event in its second round, and somebody at table 1 of it."""

    event: Tournament
    player: Registration

    def address(self, name: str, *, slug: str = "") -> str:
        """An address below the event, or the same rows under the slug of another."""
        ids: dict[str, Any] = {
            "slug": slug or self.event.slug,
            "code": self.event.join_code,
            "number": self._number(name),
            "table": 1,
            "side": "corp",
            "receipt": 1,
            "form": "plain_text",
            "secret": "a-guess",
            "infraction": "own",
            "pk": self._key(name),
        }
        return reverse(f"tournaments:{name}", kwargs={id_: ids[id_] for id_ in ROUTES[name]})

    def _pattern(self, name: str) -> str:
        return next(str(route.pattern) for route in urls.urlpatterns if route.name == name)

    def _number(self, name: str) -> int:
        if name == "deck_check_print":
            return self.event.deck_check_draws.get().number
        return 2 if "rounds" in self._pattern(name) else self.player.number

    def _key(self, name: str) -> int:
        if name == "deck_check_of":
            return DeckCheck.objects.get(draw__tournament=self.event).pk
        if name.startswith("call_") or name in ("call", "appeal_answer"):
            return queries.open_calls(self.event)[0].call.pk
        if name == "local_ruling_use":
            return self.event.local_rulings.get().ruling.pk
        if name.startswith("local_ruling"):
            return self.event.local_rulings.get().pk
        if name == "penalty_withdraw":
            return self.event.penalties.get().pk
        if name in ("log_entry", "log_undo"):
            return self.event.log.filter(action="player checked in").first().pk
        if name == "standings_then":
            return self.event.snapshots.first().pk
        if name == "invitation_withdraw":
            return self.event.invitations.get().pk
        rows = self.event.jobs if name == "job_retry" else self.event.staff
        return rows.order_by("pk").values_list("pk", flat=True)[0]


@pytest.fixture
def scene() -> Scene:
    import_cards()
    event = make_event(players=4)
    play_round(event)
    start_round(event)
    pairing = table(get_round(event, 2), 1)
    assert pairing.match is not None
    mine, theirs = (
        event.registrations.select_related("player", "tournament").get(player=seat.player)
        for seat in pairing.match.seats.all()
    )
    pairing = table(get_round(event, 2), 1)
    seat = pairing.match.seats.get(player=theirs.player)
    results.report(pairing, seat, games_for(pairing), Actor(player=theirs.player))
    decks.hand_in(mine, Side.CORP, legal_corp_list(), Actor(player=mine.player))
    deck_checks.pick(get_round(event, 2), owner_of(event), 1)
    staff.invite(event, owner_of(event), "judge", timezone.now())
    calls.raise_call(pairing, Actor(player=mine.player))
    local_rulings.make(event, owner_of(event), "Slow play", Wording("Three minutes."))
    penalties.give(event, theirs, owner_of(event), infraction="slow-play")
    penalties.change_infraction(event, owner_of(event), "own", name="Own", ladder=["caution"])
    return Scene(fresh(event), player_number(event, mine.number))


REASON = {"reason": "Why not"}


def answer_to(
    browser: Client, method: str, address: str, fields: dict[str, str] = REASON
) -> HttpResponse:
    """What is answered; whatever the request changed is taken back."""
    with transaction.atomic():
        send = browser.post if method == "POST" else browser.get
        answer = cast(HttpResponse, send(address, fields))
        if method != "GET":
            transaction.set_rollback(True)
    return answer


def outcome(answer: HttpResponse) -> str:
    """The answer as one word."""
    if answer.status_code == 302:
        return "log in" if answer["Location"].startswith("/account/login/") else "ok"
    words = {
        200: "ok",
        204: "ok",
        409: "ok",
        422: "ok",
        410: "ok",
        403: "403",
        404: "404",
        405: "405",
    }
    return words.get(answer.status_code, f"unexpected {answer.status_code}")


def expected(actor: str, method: str, row: Row) -> str:
    if method not in row.methods:
        return "405"
    if actor in row.may:
        return "ok"
    if row.refusal == DOOR:
        return "log in" if actor in WITHOUT_ACCOUNT else "403"
    return "403" if row.refusal == FORBIDDEN else "404"


@pytest.mark.parametrize("actor", ACTORS)
def test_everybody_is_answered_as_the_table_says_and_looking_changes_nothing(
    actor: str, scene: Scene
):
    browser = browser_of(actor, scene.event, scene.player)
    wanted = {
        (name, method): expected(actor, method, row)
        for name, row in EXPECTED.items()
        for method in BOTH
    }

    before = checksums()

    found = {
        (name, method): outcome(answer_to(browser, method, scene.address(name)))
        for name, method in wanted
    }

    assert found == wanted
    # Whatever was posted has been taken back: so looking has changed nothing.
    assert checksums() == before


@pytest.mark.parametrize("actor", ["anonymous", "stranger", "other_organiser"])
def test_a_private_event_does_not_exist_for_outsiders(actor: str, scene: Scene):
    Tournament.objects.filter(pk=scene.event.pk).update(visibility="private")
    browser = browser_of(actor, scene.event, scene.player)

    for name in OF_AN_EVENT:
        row = EXPECTED[name]
        at_the_door = row.refusal == DOOR and actor in WITHOUT_ACCOUNT
        for method in row.methods:
            answer = outcome(answer_to(browser, method, scene.address(name)))
            assert answer == ("log in" if at_the_door else "404"), (name, method)


def test_rows_of_another_event_do_not_exist_under_this_one(scene: Scene):
    mine = make_event(players=0, name="Mine")
    browser = browser_of("owner", mine, scene.player)

    for name in OF_ITS_ROWS:
        for method in EXPECTED[name].methods:
            answer = outcome(answer_to(browser, method, scene.address(name, slug=mine.slug)))
            # A draft somebody else has thrown away already is no error.
            assert answer == ("ok" if name == "discard" else "404"), (name, method)


def checksums() -> dict[str, str]:
    """What every table of the project holds, as one digest each; sessions may move."""
    return {model._meta.label: _digest(model) for model in _models()}


def _models() -> Iterator[Any]:
    for app in ("players", "matches", "rulings", "tournaments", "decks"):
        for model in apps.get_app_config(app).get_models():
            if model._meta.model_name not in ("card", "cardalias", "user"):
                yield model


def _digest(model: Any) -> str:
    return hashlib.sha256(repr(list(model.objects.order_by("pk").values())).encode()).hexdigest()
