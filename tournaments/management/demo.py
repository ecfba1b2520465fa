"""The demo event: in the middle of round 3, with something of everything on the desk."""

import random
from itertools import cycle

from django.conf import settings
from django.core.management.base import CommandError
from django.db import transaction
from django.utils import timezone

from decks import games
from decks.catalogue import card_table
from decks.models import Card, Side
from decks.sample_decks import sample_deck
from engine.simulation import Telling
from players.models import User
from tournaments.decklists.services import decks
from tournaments.event import queries
from tournaments.event.actors import Actor
from tournaments.judging.services import calls
from tournaments.management import demo_decks, demo_judging, demo_others
from tournaments.management.rehearsal import Rehearsal
from tournaments.models import Registration, StaffRole, Tournament
from tournaments.registration.services import registrations, rosters
from tournaments.registration.services.rosters import NewEntry
from tournaments.rounds.services import clock
from tournaments.settings.services import events, staff

NAME = "Datafort Demo Open"
SLUG = "datafort-demo-open"
SEED = 1996
ENTRIES = (
    NewEntry("Ada Lindqvist", "she/her"),
    NewEntry("Bram O'Shea"),
    NewEntry("Chloé Fournier", "she/her"),
    NewEntry("Данило Ковальчук", "he/him"),
    NewEntry("Elif Çelik"),
    NewEntry("渡辺 陽菜"),
    NewEntry("Goran Kovač", "he/him"),
    NewEntry("נועה לוי", "she/her"),
    NewEntry("Ivy Tanner", "they/them"),
    NewEntry("王浩然"),
    NewEntry("Kasia Nowak", "she/her"),
    NewEntry("كريم منصور"),
    NewEntry("Maeve Brennan"),
    NewEntry("Νίκος Παππάς", "he/him"),
    NewEntry("김서연"),
    NewEntry("Quentin Reyes", "they/them"),
    NewEntry("Søren Eriksson", "he/him"),
)
LATE_ENTRY = NewEntry("Thandiwe Almeida", "she/her")
WITH_ILLEGAL_DRAFT = 9
DROPS_AFTER_ROUND_1 = 13
SITS_AT_THE_DOOR = 11
STAYS_OFF_CAMERA = 4
"""Numbers in the event."""
LEFT_OUT = 4
"""Lines that the illegal list lacks."""
SETTLED_TABLES = 4
TABLE_AT_THE_DOOR = 2
MINUTES_LOST = 3
QUESTION = "May I trash a card I have just drawn?"


def find() -> Tournament | None:
    """The demo event, if it has been made."""
    return Tournament.objects.filter(slug=SLUG).first()


@transaction.atomic
def make(organiser: User, judge: User) -> Tournament:
    """Play the demo event into its third round, and the others beside it.

    CommandError while there are no cards.
    """
    if not Card.objects.filter(game=games.ONR.id).exists():
        raise CommandError("There are no cards yet. Load them first: manage.py import_cards")
    tournament = events.create(
        organiser,
        name=NAME,
        starts_on=timezone.localdate(),
        time_zone=settings.TIME_ZONE,
        location="The back room",
        description="A made-up event to look around in. Nothing here can be broken.",
        planned_rounds=5,
        feature_tables="1",
        overtime_minutes=5,
        seed=SEED,
    )
    owner = Actor(user=organiser)
    staff.give_role(tournament, owner, judge, StaffRole.JUDGE)
    rehearsal = Rehearsal(tournament, owner, random.Random(SEED))  # noqa: S311 - told again alike
    _play(rehearsal)
    demo_judging.make(rehearsal, Actor(user=judge))
    # Round 1 closed it; whoever looks around shall be able to join.
    events.set_registration(tournament, owner, is_open=True)
    demo_others.make(organiser)
    demo_decks.make(organiser)
    return queries.listed().get(pk=tournament.pk)


def _play(rehearsal: Rehearsal) -> None:
    for registration in rehearsal.enter(ENTRIES):
        _hand_in_decks(rehearsal, registration)
        if registration.number == SITS_AT_THE_DOOR:
            rosters.set_fixed_table(registration, rehearsal.owner, TABLE_AT_THE_DOOR)
        if registration.number == STAYS_OFF_CAMERA:
            rosters.set_avoids_stream(registration, rehearsal.owner, avoids=True)
    rehearsal.play_round()
    for registration in rehearsal.enter([LATE_ENTRY]):
        _hand_in_decks(rehearsal, registration)
    leaving = rehearsal.tournament.registrations.get(number=DROPS_AFTER_ROUND_1)
    registrations.drop(leaving, rehearsal.owner)
    rehearsal.play_round()
    _begin_round(rehearsal)


def _hand_in_decks(rehearsal: Rehearsal, registration: Registration) -> None:
    if registration.number != WITH_ILLEGAL_DRAFT:
        rehearsal.hand_in_decks(registration)
        return
    rehearsal.hand_in_decks(registration, Side.RUNNER)
    list_ = sample_deck(Side.CORP, rehearsal.chance, card_table(games.ONR.id).cards)
    too_short = "\n".join(list_.splitlines()[:-LEFT_OUT])
    decks.hand_in(registration, Side.CORP, too_short, Actor(player=registration.player))


def _begin_round(rehearsal: Rehearsal) -> None:
    """Some tables settled, one waits, one is disputed; of the others one has called a judge."""
    tables = rehearsal.tables(rehearsal.open_round())
    ways = cycle((Telling.CONFIRMED, Telling.AT_THE_DESK, Telling.AGREED))
    for pairing, how in zip(tables[:SETTLED_TABLES], ways, strict=False):
        rehearsal.tell(pairing, rehearsal.result(pairing), how)
    waiting, disputed = tables[SETTLED_TABLES : SETTLED_TABLES + 2]
    rehearsal.report(waiting, rehearsal.result(waiting))
    rehearsal.report(disputed, rehearsal.result(disputed))
    rehearsal.answer(disputed, is_right=False)
    clock.add_to_table(disputed, MINUTES_LOST, rehearsal.owner, "a deck check")
    assert tables[-1].match is not None
    seat = tables[-1].match.seats.select_related("player").get(position=1)
    calls.raise_call(tables[-1], Actor(player=seat.player), QUESTION)
