"""A person with a unique name who leaves traces in every column that can hold one."""

from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import CHANGE
from django.contrib.admin.models import LogEntry as AdminEntry
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.utils import timezone

from core.jobs import JobState
from matches.models import ResultReport
from players import services as players
from players.models import Player, Session, User
from rulings.guide import PenaltyKind
from rulings.services import write_note
from tests.factories.penalties import penalise
from tests.factories.ratings import compute_ratings
from tests.factories.series import make_series, owner_of_series
from tests.factories.submissions import identity_card, plain_card, submit
from tests.factories.tournaments import (
    add_staff,
    close_round,
    enter_result,
    fresh,
    games_for,
    make_event,
    make_user,
    owner_of,
    play_round,
    start_round,
    tables_of,
)
from tests.factories.webhooks import add_webhook
from tournaments.decklists import deck_checks
from tournaments.event.permissions import Actor
from tournaments.integrations import tokens
from tournaments.integrations.tokens import TokenRequest
from tournaments.judging import calls, local_rulings
from tournaments.judging.local_rulings import Wording
from tournaments.models import (
    DeckAudience,
    DeckReceipt,
    IdempotencyRecord,
    ImportedFile,
    InvitedPlayer,
    Job,
    JobKind,
    LogEntry,
    MailWish,
    Pairing,
    PushSubscription,
    Registration,
    Stage,
    Tournament,
    Upload,
    WebhookDelivery,
)
from tournaments.practice import services as practice_services
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.series import services as series_services
from tournaments.settings import services as settings_services

# Name, former name, username, email address, token, and words about her health.
WORDS = ("zanarić", "zanna", "qaphela", "z@canary.example", "zy-plays", "secret lozenge")


@dataclass(frozen=True)
class Canary:
    """Account and player; an event with public decks, and one with private decks."""

    user: User
    player: Player
    shown: Tournament
    hidden: Tournament

    def place(self, event: Tournament) -> Registration:
        return event.registrations.select_related("player", "tournament").get(player=self.player)

    def table(self, event: Tournament) -> Pairing:
        tables = tables_of_last(event)
        return next(pairing for pairing in tables if pairing.match.seats.filter(player=self.player))


def make_canary() -> Canary:
    """Create two finished events, a practice event, one she was removed from and one she judged."""
    user = make_user("qaphela", email="z@canary.example", first_name="Zanna", last_name="Zanarić")
    player = players.create_player("Zanna Old", "zan/zar", user=user)
    shown, hidden = _play_event(player, "Shown"), _play_event(player, "Hidden")
    players.rename_player(player, "Zanarić Q.")
    canary = Canary(user, player, shown, hidden)
    _add_account_rows(canary)
    for event in (shown, hidden):
        _leave_texts(canary, event)
    _submit_decks(canary)
    practice_services.create_practice(shown, owner_of(shown), with_rounds=True)
    for event in (shown, hidden):
        close_round(tables_of_last(event)[0].round)
        settings_services.finish_event(fresh(event), owner_of(event))
    compute_ratings("anr")
    _remove_from_roster(canary)
    _judge_event(canary)
    _join_series(canary)
    return canary


def _join_series(canary: Canary) -> None:
    own = make_series(canary.user, description="Run by Zanarić Q.")
    foreign = make_series(name="Other")
    series_services.add_organiser(foreign, owner_of_series(foreign), canary.user)
    final = make_event(0, name="The Final")
    InvitedPlayer.objects.create(tournament=final, player=canary.player, series=own)


def tables_of_last(event: Tournament) -> list[Pairing]:
    last = event.stages.get().rounds.order_by("number").last()
    assert last is not None
    last.stage.tournament = event
    return tables_of(last)


def _play_event(player: Player, name: str) -> Tournament:
    event = make_event(players=3, name=name, game="anr")
    place = registration_services.register_player(event, player, owner_of(event))
    registration_services.check_in([place], owner_of(event))
    add_webhook(event)
    play_round(event)
    start_round(event)
    return fresh(event)


def _add_account_rows(canary: Canary) -> None:
    user = canary.user
    EmailAddress.objects.create(user=user, email=user.email, primary=True)
    Authenticator.objects.create(user=user, type="totp", data={"secret": "secret lozenge"})
    tokens.create_token(
        user, TokenRequest(name="zy-plays", scope="manage", tournament=canary.shown)
    )
    Client().force_login(user)
    Session.objects.filter(user=user).update(user_agent="Browser of Zanarić Q.")
    administrator = owner_of(canary.shown).user
    assert administrator is not None
    AdminEntry.objects.create(
        user=administrator,
        content_type=ContentType.objects.get_for_model(Player),
        object_id=str(canary.player.pk),
        object_repr=canary.player.name,
        action_flag=CHANGE,
        change_message='[{"changed": {"name": "player", "object": "Zanarić Q."}}]',
    )
    IdempotencyRecord.objects.create(
        who=f"player:{canary.player.pk}", key="a", digest="d", status=200
    )
    body = {"told": [{"level": "info", "text": "Zanarić Q. is here."}], "next": "/"}
    IdempotencyRecord.objects.create(who="user:1", key="b", digest="d", status=200, answer=body)


def _leave_texts(canary: Canary, event: Tournament) -> None:
    place, owner = canary.place(event), owner_of(event)
    table = canary.table(event)
    assert table.match is not None
    caller = Actor(player=canary.player, user=canary.user)
    call = calls.raise_call(table, caller, "I need my secret lozenge.")
    calls.escalate(event, call, owner, "Zanarić Q. has a secret lozenge.")
    write_note(table.match, owner.user, "ZANARIĆ Q. shouted.")
    penalise(place, PenaltyKind.WARNING, text="A secret lozenge on the table.")
    seat = table.match.seats.get(player=canary.player)
    ResultReport.objects.create(
        match=table.match, seat=seat, result={}, state="superseded", note="My secret lozenge fell."
    )
    for pairing in tables_of_last(event):
        enter_result(pairing, games_for(pairing))
    PushSubscription.objects.create(
        registration=place, endpoint="https://push.example/zy-plays", p256dh="k", auth="a"
    )
    MailWish.objects.create(registration=place)
    Registration.objects.filter(pk=place.pk).update(avoid_group="zanna", fixed_table=9)
    LogEntry.objects.create(
        tournament=event,
        user=owner.user,
        registration=place,
        action="a wish",
        subject=str(place.player),
        reason="Has a secret lozenge.",
        before={"name": "Zanna Old"},
        after={"who": ["Zanarić Q.", "Ada"]},
    )
    Job.objects.create(
        tournament=event,
        kind=JobKind.MAIL,
        key=f"mail:{event.pk}",
        state=JobState.PARKED,
        payload={"to": "z@canary.example"},
        error="z@canary.example does not exist.",
    )
    hook = event.webhooks.get()
    payload = {"result": {"seats": [{"name": "Zanna Old"}]}}
    WebhookDelivery.objects.create(
        webhook=hook, event="result.settled", payload=payload, last_error="No Zanna Old there."
    )
    Upload.objects.create(tournament=event, state="failed", error="No player Zanarić Q. there.")
    ImportedFile.objects.create(
        tournament=event,
        dialect="own",
        digest="d",
        file_name="Zanna Old.json",
        notices=["Zanna Old has no identity."],
        differences=[{"id": "Zanarić Q.", "number": 4, "field": "rank", "file": 1, "computed": 2}],
    )
    settings_services.invite_staff(
        event, owner, "judge", note="for Zanarić Q.", ends_at=timezone.now()
    )
    Tournament.objects.filter(pk=event.pk).update(description="Ask z@canary.example.")
    table.reasons = [{"kind": "note", "players": [], "text": "Zanarić Q. has not met Ada."}]
    table.save()


def _submit_decks(canary: Canary) -> None:
    """Create a public deck, and a private one with a public identity and a deck check."""
    identity, card = identity_card("Precision Design"), plain_card("Hedge Fund", "anr")
    Stage.objects.filter(tournament=canary.shown).update(decks_shown_to=DeckAudience.PUBLIC)
    for event, title in ((canary.hidden, "Secret Lozenge"), (canary.shown, "Zanarić Q.'s Glacier")):
        submission = submit(canary.place(event), identity=identity, cards=(card,))
        deck = submission.version.decklist
        deck.title, submission.version.text = title, f"// by Zanarić Q.\n{submission.version.text}"
        deck.save()
        submission.version.save()
        DeckReceipt.objects.create(
            submission=submission,
            number=1,
            version=submission.version,
            received_at=timezone.now(),
            reason="Forgot her secret lozenge.",
        )
    table = canary.table(canary.hidden)
    assert table.table_number is not None
    drawn = deck_checks.pick_table(table.round, owner_of(canary.hidden), table.table_number)
    deck_checks.record_outcome(
        drawn.checks.get(), owner_of(canary.hidden), "fine", "Zanarić Q. was nervous."
    )


def _remove_from_roster(canary: Canary) -> None:
    event = make_event(players=2, name="Elsewhere")
    place = registration_services.register_player(event, canary.player, owner_of(event))
    roster_changes.remove_player(place, owner_of(event))


def _judge_event(canary: Canary) -> None:
    event = make_event(players=0, name="Judged")
    settings_services.give_role(event, owner_of(event), canary.user, "head_judge")
    head = Actor(user=canary.user, player=canary.player)
    local_rulings.make(event, head, "Bits", Wording("Three minutes a turn.", reason="Long game"))
    add_staff(event, "judge")
