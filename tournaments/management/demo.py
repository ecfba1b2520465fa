"""The demo events: the main one is in round 3 and shows every feature of the desk."""

import random
from dataclasses import dataclass
from datetime import time, timedelta
from itertools import cycle
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import transaction
from django.utils import timezone

from decks import games
from decks.catalogue import card_table
from decks.models import Card, Side
from decks.sample_decks import sample_deck
from engine.simulation import Reporting, player_names
from players.models import User
from rulings.models import RulingVersion
from rulings.queries import version_by_code
from tournaments.decklists.services import decks
from tournaments.event import queries
from tournaments.event.actors import Actor
from tournaments.judging.services import calls, penalties
from tournaments.judging.services.calls import Answer
from tournaments.management import season
from tournaments.management.rehearsal import Rehearsal
from tournaments.models import Pairing, Penalty, Registration, StaffRole, Tournament
from tournaments.registration.services import registrations, rosters
from tournaments.registration.services.rosters import NewEntry
from tournaments.results.services import cuts
from tournaments.rounds.services import clock
from tournaments.settings.services import events, staff

NAME = "Datafort Demo Open"
SLUG = "datafort-demo-open"
SEED = 1996
# Details shared by all demo events.
FACTS: dict[str, Any] = {
    "start_time": time(11),
    "end_time": time(18),
    "location": "The back room",
    "address": "12 Harbour Street, Exampleton",
    "entry_fee": "5 euros at the door, students 3",
    "contact": "organiser@datafort.example",
    "links": "House rules https://datafort.example/house-rules",
    "description": "A made-up event to look around in. Nothing here can be broken.",
}
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
# Numbers of players in the event.
WITH_ILLEGAL_DRAFT = 9
DROPS_AFTER_ROUND_1 = 13
SITS_AT_THE_DOOR = 11
STAYS_OFF_CAMERA = 4
# Number of lines missing from the illegal deck.
LEFT_OUT = 4
SETTLED_TABLES = 4
TABLE_AT_THE_DOOR = 2
MINUTES_LOST = 3
QUESTION = "May I trash a card I have just drawn?"
SLOW_PLAY, TARDY, MISREPORTED, ILLEGAL_DECK = "slow-play", "late", "report-wrong", "illegal-deck"
# Tables of round 3 at which the player in seat 2 gets the penalty.
SPOKEN_TO, CAME_LATE, ALL_A_MISTAKE, LOSES_A_GAME = 1, 2, 3, 4
CUP, EVENING = "Datafort Demo Cup", "Datafort Demo Radicals"
OTHERS_SEED = 1999
CUP_PLAYERS, CUP_ROUNDS, CUT = 10, 3, 8
EVENING_PLAYERS = 7
STANDARD = "Datafort Demo Standard"
STANDARD_SEED = 2012
STANDARD_PLAYERS = 6
# Numbers of players with a deck problem; the others have locked both decks.
DECK_CHANGED, DECK_ILLEGAL, DECK_MISSING = 1, 2, 3
DECK_DEADLINE = timedelta(hours=20)
# Number of lines missing from the illegal deck.
STANDARD_LEFT_OUT = 3


def find() -> Tournament | None:
    return Tournament.objects.filter(slug=SLUG).first()


@transaction.atomic
def make(organiser: User, judge: User) -> Tournament:
    """Make the demo events; the main one is played into its third round.

    Raises CommandError if no cards are loaded.
    """
    if not Card.objects.filter(game=games.ONR.id).exists():
        raise CommandError("There are no cards yet. Load them first: manage.py import_cards")
    tournament = events.create(
        organiser,
        name=NAME,
        starts_on=timezone.localdate(),
        time_zone=settings.TIME_ZONE,
        **FACTS,
        planned_rounds=5,
        feature_tables="1",
        overtime_minutes=5,
        seed=SEED,
    )
    owner = Actor(user=organiser)
    staff.give_role(tournament, owner, judge, StaffRole.JUDGE)
    rehearsal = Rehearsal(tournament, owner, random.Random(SEED))  # noqa: S311 - the same each time
    _play(rehearsal)
    _judge_round(rehearsal, Actor(user=judge))
    # Round 1 closed registration. Reopen it, so that visitors of the demo can join.
    events.set_registration(tournament, owner, is_open=True)
    _make_cup(organiser)
    _make_evening(organiser)
    make_standard(organiser)
    season.make(organiser, FACTS)
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
    """Start a round with settled, reported, disputed and open tables, and a judge call."""
    tables = rehearsal.tables(rehearsal.open_round())
    ways = cycle((Reporting.CONFIRMED, Reporting.AT_THE_DESK, Reporting.AGREED))
    for pairing, how in zip(tables[:SETTLED_TABLES], ways, strict=False):
        rehearsal.settle(pairing, rehearsal.result(pairing), how)
    waiting, disputed = tables[SETTLED_TABLES : SETTLED_TABLES + 2]
    rehearsal.report(waiting, rehearsal.result(waiting))
    rehearsal.report(disputed, rehearsal.result(disputed))
    rehearsal.answer(disputed, is_right=False)
    clock.add_to_table(disputed, MINUTES_LOST, rehearsal.owner, "a deck check")
    assert tables[-1].match is not None
    seat = tables[-1].match.seats.select_related("player").get(position=1)
    calls.raise_call(tables[-1], Actor(player=seat.player), QUESTION)


@dataclass(frozen=True)
class Question:
    """A judge call by the player in seat 1, and its answer."""

    table: int
    about: str
    answer: str
    cited: tuple[str, ...] = ()
    minutes: int = 0


QUESTIONS = (
    Question(
        1,
        "Can a trace with no bits in it succeed?",
        "It can. We looked it up together, and the run went on from there.",
        ("tracing-1", "tracing-2"),
        2,
    ),
    Question(3, "The Corp drew one card too many", "Put back at random; both agreed which turn."),
)


def _judge_round(rehearsal: Rehearsal, judge: Actor) -> None:
    """Answer calls and give penalties in the current round."""
    round_ = queries.latest_round(rehearsal.tournament)
    assert round_ is not None
    tables = {one.table_number: one for one in rehearsal.tables(round_)}
    for question in QUESTIONS:
        _answer_call(rehearsal.tournament, tables[question.table], question, judge)
    for _ in range(2):
        _give_penalty(
            rehearsal.tournament, tables[SPOKEN_TO], judge, SLOW_PLAY, "Four minutes over one turn."
        )
    _give_penalty(
        rehearsal.tournament, tables[CAME_LATE], judge, TARDY, "Six minutes after the start."
    )
    wrong = _give_penalty(
        rehearsal.tournament, tables[ALL_A_MISTAKE], judge, MISREPORTED, "Reported a 7 as a 1."
    )
    penalties.withdraw(wrong, judge, "It was the opponent who reported it.")
    found = "One card more than the list; it was put right before game 2."
    _give_penalty(rehearsal.tournament, tables[LOSES_A_GAME], judge, ILLEGAL_DECK, found, game=1)


def _answer_call(
    tournament: Tournament, pairing: Pairing, question: Question, judge: Actor
) -> None:
    assert pairing.match is not None
    seat = pairing.match.seats.select_related("player").get(position=1)
    call = calls.raise_call(pairing, Actor(player=seat.player), question.about)
    calls.take(tournament, call, judge)
    said = Answer(question.answer, _versions(question.cited), question.minutes)
    calls.answer(tournament, call, judge, said)


def _versions(codes: tuple[str, ...]) -> list[RulingVersion]:
    """The cited rulings that are loaded. The demo can be made before rulings are imported."""
    found = (version_by_code(code) for code in codes)
    return [version for version in found if version is not None]


def _give_penalty(
    tournament: Tournament,
    pairing: Pairing,
    judge: Actor,
    infraction: str,
    text: str,
    game: int | None = None,
) -> Penalty:
    place = _on_second_seat(tournament, pairing)
    return penalties.give(
        tournament, place, judge, infraction=infraction, pairing=pairing, game=game, text=text
    )


def _on_second_seat(tournament: Tournament, pairing: Pairing) -> Registration:
    assert pairing.match is not None
    player = pairing.match.seats.get(position=2).player_id
    return tournament.registrations.select_related("player", "tournament").get(player=player)


def _make_cup(organiser: User) -> None:
    """Make an event in the second round of its cut."""
    rehearsal = _prepared(organiser, CUP, CUP_ROUNDS, CUP_PLAYERS, games.ONR.id)
    for _ in range(CUP_ROUNDS):
        rehearsal.play_round()
    best = queries.cut_candidates(rehearsal.tournament)[:CUT]
    cuts.make_cut(rehearsal.tournament, best, rehearsal.owner, system="double_elimination")
    rehearsal.play_round()
    _settle_some(rehearsal)


def _make_evening(organiser: User) -> None:
    """Make a Free Radicals event with pods in their second round."""
    rehearsal = _prepared(organiser, EVENING, 3, EVENING_PLAYERS, games.FREE_RADICALS.id)
    rehearsal.play_round()
    rehearsal.open_round()


def _prepared(organiser: User, name: str, rounds: int, players: int, game: str) -> Rehearsal:
    chance = random.Random(f"{OTHERS_SEED}/{name}")  # noqa: S311 - the same each time
    tournament = events.create(
        organiser,
        name=name,
        starts_on=timezone.localdate(),
        time_zone=settings.TIME_ZONE,
        **FACTS,
        game=game,
        planned_rounds=rounds,
        decks_required=False,
        seed=OTHERS_SEED,
    )
    rehearsal = Rehearsal(tournament, Actor(user=organiser), chance)
    rehearsal.enter([NewEntry(one) for one in player_names(players, chance)])
    return rehearsal


def _settle_some(rehearsal: Rehearsal) -> None:
    """Settle the first half of the tables, and decide drawn matches."""
    round_ = rehearsal.open_round()
    tables = rehearsal.tables(round_)
    for pairing in tables[: len(tables) // 2]:
        rehearsal.settle(pairing, rehearsal.result(pairing), Reporting.AT_THE_DESK)
    rehearsal.say_who_goes_on(round_)


def make_standard(organiser: User) -> None:
    """Make a Standard (Android: Netrunner) event for tomorrow, with decks being submitted.

    Does nothing if no cards of the game are loaded.
    """
    if not card_table(games.ANR.id).cards:
        return
    chance = random.Random(STANDARD_SEED)  # noqa: S311 - the same each time
    tournament = events.create(
        organiser,
        name=STANDARD,
        starts_on=timezone.localdate() + timedelta(days=1),
        time_zone=settings.TIME_ZONE,
        **FACTS,
        game=games.ANR.id,
        deck_rules={"format_id": "standard"},
        decks_close_at=timezone.now() + DECK_DEADLINE,
        seed=STANDARD_SEED,
    )
    rehearsal = Rehearsal(tournament, Actor(user=organiser), chance)
    for registration in rehearsal.enter(
        [NewEntry(one) for one in player_names(STANDARD_PLAYERS, chance)]
    ):
        _hand_in_standard(rehearsal, registration)


def _hand_in_standard(rehearsal: Rehearsal, registration: Registration) -> None:
    if registration.number == DECK_MISSING:
        return
    if registration.number == DECK_CHANGED:
        _keep_unlocked(rehearsal, registration, Side.CORP)
    if registration.number != DECK_ILLEGAL:
        rehearsal.hand_in_decks(registration)
        return
    rehearsal.hand_in_decks(registration, Side.CORP)
    _keep_unlocked(rehearsal, registration, Side.RUNNER, left_out=STANDARD_LEFT_OUT)


def _keep_unlocked(
    rehearsal: Rehearsal, registration: Registration, side: Side, *, left_out: int = 0
) -> None:
    """Submit a deck without locking it, and without its last `left_out` lines."""
    cards = card_table(games.ANR.id).cards
    lines = sample_deck(side, rehearsal.chance, cards, rehearsal.snapshot()).splitlines()
    text = "\n".join(lines[: len(lines) - left_out])
    decks.hand_in(registration, side, text, Actor(player=registration.player))
