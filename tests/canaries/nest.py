"""An event of three rounds with confidential content; the last round is a draft."""

from dataclasses import dataclass
from functools import partial

from django.test import Client

from decks.models import Side
from players.models import User
from rulings.services import write_note
from tests.factories.submissions import plain_card, submit_deck
from tests.factories.tournaments import (
    close_round,
    draft_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    tables_of,
)
from tests.factories.webhooks import ADDRESS, add_webhook
from tests.tournaments.cast import browser_of
from tournaments.event.permissions import Actor
from tournaments.judging import calls, penalties
from tournaments.judging.calls import CallAnswer
from tournaments.models import Announcing, Pairing, Registration, Tournament

CARD, ODD_LINE = "Canary Protocol", "Canary of No Such Card"
ASKED, ANSWERED, NOTED = "Canary asked", "Canary answered", "Canary noted"
GIVEN, TAKEN_BACK, GROUP = "Canary given", "Canary taken back", "Canary nest"
MAIL, CHANNEL, LOT = "canary@example.org", "canary-channel", "7654321987654"
"""The owner's email address, the event's chat channel, and the seed of its pairings."""
DRAFT_TABLE = "29173"
"""Number of the draft's first table, unlike any other number in the event; it fits a smallint."""

ORGANISERS = frozenset({"organiser", "owner", "administrator"})
JUDGES = ORGANISERS | {"judge"}
READERS = {
    CARD: JUDGES | {"player"},
    ODD_LINE: JUDGES | {"player"},
    ASKED: JUDGES | {"player"},
    ANSWERED: JUDGES,
    NOTED: JUDGES,
    GIVEN: JUDGES | {"player"},
    TAKEN_BACK: JUDGES,
    GROUP: JUDGES | {"scorekeeper", "player"},
    DRAFT_TABLE: ORGANISERS,
    LOT: ORGANISERS,
    MAIL: frozenset({"owner"}),
    CHANNEL: frozenset(),
    ADDRESS: frozenset({"owner"}),
}
"""The readers of each canary.

The player sees the deck and their own data. The opponent sees an answer at their table until the
round is closed. The owner has added the webhook and sees its address only in the copy of their own
data. The channel is never shown again."""


@dataclass(frozen=True)
class CanaryEvent:
    """`player` and `opponent` sat at `table` of round 2, `bystander` at another table."""

    event: Tournament
    table: Pairing
    player: Registration
    opponent: Registration
    bystander: Registration

    def browser(self, actor: str) -> Client:
        """The browser of this person; players have a personal link."""
        registration = {"opponent": self.opponent, "bystander": self.bystander}.get(actor)
        if registration is not None:
            return browser_of("player", self.event, registration)
        return browser_of(actor, self.event, self.player)


def make_canary_event() -> CanaryEvent:
    """Play two rounds of an event with a webhook.

    Of the canaries, only the judge call exists, because calls are raised during a round.
    """
    plain_card(CARD)
    event = make_event(players=6)
    add_webhook(event)
    play_round(event)
    round_ = play_round(event, tables=[1, 2, 3])
    table, other_table, *_ = tables_of(round_)
    player, opponent = (_registration(event, seat.player_id) for seat in table.match.seats.all())
    bystander = _registration(event, other_table.match.seats.get(position=1).player_id)
    call = calls.raise_call(table, Actor(player=player.player), ASKED)
    calls.answer(event, call, owner_of(event), CallAnswer(ANSWERED))
    close_round(round_)
    Tournament.objects.filter(pk=event.pk).update(seed=int(LOT))
    Announcing.objects.create(tournament=event, webhook=f"https://hooks.example/{CHANNEL}")
    User.objects.filter(pk=owner_of(event).user.pk).update(email=MAIL)
    return CanaryEvent(fresh(event), table, player, opponent, bystander)


def _registration(event: Tournament, player: int) -> Registration:
    return player_number(event, event.registrations.get(player=player).number)


def fill(canary_event: CanaryEvent) -> None:
    """Add the other canaries: deck, note, penalties, preference and draft."""
    event, owner = canary_event.event, owner_of(canary_event.event)
    asking = Actor(player=canary_event.player.player)
    submit_deck(canary_event.player, Side.CORP, f"44 {CARD}\n1 {ODD_LINE}", asking)
    write_note(canary_event.table.match, owner.user, NOTED)
    give = partial(penalties.give, event, canary_event.player, owner, text=GIVEN)
    penalties.withdraw(give(infraction="slow-play"), owner, TAKEN_BACK)
    give(infraction="late")
    Registration.objects.filter(pk=canary_event.player.pk).update(avoid_group=GROUP)
    draft_round(fresh(event))
    first = get_round(event, 3).pairings.exclude(match=None).order_by("table_number")[0]
    Pairing.objects.filter(pk=first.pk).update(table_number=int(DRAFT_TABLE))
