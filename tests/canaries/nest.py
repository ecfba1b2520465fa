"""An event of three rounds, the last a draft, and everything in it that is not for everybody."""

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
"""Of the owner; where the event posts its chat; what its pairings are drawn by."""
DRAFT_TABLE = "29173"
"""Where the first table of the draft stands: no other number of the event looks like it, and it is
a smallint."""

RUN = frozenset({"organiser", "owner", "administrator"})
JUDGES = RUN | {"judge"}
HEARD_BY = {
    CARD: JUDGES | {"player"},
    ODD_LINE: JUDGES | {"player"},
    ASKED: JUDGES | {"player"},
    ANSWERED: JUDGES,
    NOTED: JUDGES,
    GIVEN: JUDGES | {"player"},
    TAKEN_BACK: JUDGES,
    GROUP: JUDGES | {"scorekeeper", "player"},
    DRAFT_TABLE: RUN,
    LOT: RUN,
    MAIL: frozenset({"owner"}),
    CHANNEL: frozenset(),
    ADDRESS: frozenset({"owner"}),
}
"""By canary who finds it somewhere. The player has the deck, and reads what is kept of them; the
opponent sat at their table, where an answer is read until the round is closed. The owner has added
the webhook of a program, and reads its address in the copy of their own data alone; that of a
channel nobody reads again."""


@dataclass(frozen=True)
class Nest:
    """`player` and `opponent` sat at `table` of round 2, the bystander at another."""

    event: Tournament
    table: Pairing
    player: Registration
    opponent: Registration
    bystander: Registration

    def browser(self, actor: str) -> Client:
        """The browser of this person; who plays has a personal link."""
        place = {"opponent": self.opponent, "bystander": self.bystander}.get(actor)
        if place is not None:
            return browser_of("player", self.event, place)
        return browser_of(actor, self.event, self.player)


def empty_nest() -> Nest:
    """Two rounds are played, and a program hears of the event. Of the secrets calls alone are
    there: they are raised while a round is played.
    """
    plain_card(CARD)
    event = make_event(players=6)
    add_webhook(event)
    play_round(event)
    round_ = play_round(event, tables=[1, 2, 3])
    table, other, *_ = tables_of(round_)
    mine, theirs = (_place(event, seat.player_id) for seat in table.match.seats.all())
    bystander = _place(event, other.match.seats.get(position=1).player_id)
    call = calls.raise_call(table, Actor(player=mine.player), ASKED)
    calls.answer(event, call, owner_of(event), CallAnswer(ANSWERED))
    close_round(round_)
    Tournament.objects.filter(pk=event.pk).update(seed=int(LOT))
    Announcing.objects.create(tournament=event, webhook=f"https://hooks.example/{CHANNEL}")
    User.objects.filter(pk=owner_of(event).user.pk).update(email=MAIL)
    return Nest(fresh(event), table, mine, theirs, bystander)


def _place(event: Tournament, player: int) -> Registration:
    return player_number(event, event.registrations.get(player=player).number)


def fill(nest: Nest) -> None:
    """The rest is written: the deck, a note, penalties, a wish, and the draft."""
    event, owner = nest.event, owner_of(nest.event)
    asking = Actor(player=nest.player.player)
    submit_deck(nest.player, Side.CORP, f"44 {CARD}\n1 {ODD_LINE}", asking)
    write_note(nest.table.match, owner.user, NOTED)
    give = partial(penalties.give, event, nest.player, owner, text=GIVEN)
    penalties.withdraw(give(infraction="slow-play"), owner, TAKEN_BACK)
    give(infraction="late")
    Registration.objects.filter(pk=nest.player.pk).update(avoid_group=GROUP)
    draft_round(fresh(event))
    first = get_round(event, 3).pairings.exclude(match=None).order_by("table_number")[0]
    Pairing.objects.filter(pk=first.pk).update(table_number=int(DRAFT_TABLE))
