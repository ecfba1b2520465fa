"""The demo data: a finished series, the main event, and smaller events in progress."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import cycle
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.management.base import CommandError
from django.db import transaction
from django.utils import timezone

from decks import games
from decks.catalogue import card_table
from decks.models import Card, Side
from engine.simulation.tables import ReportingStyle, draw_player_names
from matches.models import Match
from players.models import User
from rulings.queries import version_by_code
from tournaments.decklists import services as decklists_services
from tournaments.decklists.services import StageAudience
from tournaments.event.permissions import Actor
from tournaments.judging import calls, penalties
from tournaments.judging.calls import CallAnswer
from tournaments.management.rehearsal import Rehearsal
from tournaments.models import (
    DeckAudience,
    Pairing,
    Penalty,
    Registration,
    Series,
    StaffRole,
    Tournament,
)
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.registration.roster_changes import NewEntry
from tournaments.results import cuts
from tournaments.rounds import services as rounds_services
from tournaments.series import recurring
from tournaments.series import services as series_services
from tournaments.series.recurring import EventCopyOptions
from tournaments.settings import services as settings_services

LEAGUE_NAME = "Datafort Tuesday League"
LEAGUE_SEED = 1997
LEAGUE_PLAYERS = (
    NewEntry("Amira Haddad", "she/her"),
    NewEntry("Bastian Vogt", "he/him"),
    NewEntry("Céline Marchand"),
    NewEntry("Dmytro Savchenko", "he/him"),
    NewEntry("Esi Boateng", "she/her"),
    NewEntry("Finn O'Malley", "they/them"),
    NewEntry("Guadalupe Ríos"),
    NewEntry("Hiroshi Endo", "he/him"),
)
LEAGUE_EVENTS, LEAGUE_ROUNDS, PLANNED_EVENTS, BEST_EVENTS = 3, 3, 6, 4
TUESDAY = 1
LEAGUE_START_TIME = time(18, 30)
BETWEEN_ROUNDS = timedelta(minutes=75)
# Shortest and longest duration of a table, in minutes.
SHORTEST_MATCH, LONGEST_MATCH = 40, 64
LEAGUE_DESCRIPTION = "A made-up season of Tuesday evenings in the back room."


def make_demo_series(organiser: User, facts: dict[str, Any]) -> None:
    """Play the events with the same players, and compute their ratings."""
    owner = Actor(user=organiser)
    league = series_services.create_series(
        organiser,
        name=LEAGUE_NAME,
        description=LEAGUE_DESCRIPTION,
        planned_events=PLANNED_EVENTS,
        best_of=BEST_EVENTS,
    )
    first = _first_league_event(organiser, facts)
    series_services.add_event(league, first.tournament, owner)
    _play_league_event(first, first.enter(LEAGUE_PLAYERS))
    others = [_repeat_league_event(first, league, number) for number in range(2, LEAGUE_EVENTS + 1)]
    # Last, so that the single ratings job includes all events.
    for rehearsal in (*others, first):
        rehearsal.run_jobs()


def _league_day(number: int) -> date:
    """Return the Tuesday of an event; the last Tuesday was within the past week."""
    today = timezone.localdate()
    latest = today - timedelta(days=(today.weekday() - TUESDAY) % 7 or 7)
    return latest - timedelta(weeks=LEAGUE_EVENTS - number)


def _first_league_event(organiser: User, facts: dict[str, Any]) -> Rehearsal:
    """Create the event that the others are copied from. Its decks become public once it starts."""
    event = settings_services.create_event(
        organiser,
        name=f"{LEAGUE_NAME} 1",
        starts_on=_league_day(1),
        time_zone=settings.TIME_ZONE,
        **{**facts, "start_time": LEAGUE_START_TIME, "end_time": time(22, 30)},
        planned_rounds=LEAGUE_ROUNDS,
        seed=LEAGUE_SEED,
    )
    owner = Actor(user=organiser)
    decklists_services.set_audiences(event, owner, {1: StageAudience(DeckAudience.PUBLIC)})
    return Rehearsal(event, owner, random.Random(LEAGUE_SEED))  # noqa: S311 - the same each time


def _repeat_league_event(first: Rehearsal, league: Series, number: int) -> Rehearsal:
    owner = first.owner
    options = EventCopyOptions(f"{LEAGUE_NAME} {number}", _league_day(number), with_roster=True)
    event = recurring.copy_event(first.tournament, owner, options, series=league)
    settings_services.change_settings(event, owner, seed=LEAGUE_SEED + number)
    rehearsal = Rehearsal(event, owner, first.chance, first.strengths)
    places = list(event.registrations.select_related("player", "tournament"))
    registration_services.check_in(places, owner)
    _play_league_event(rehearsal, places)
    return rehearsal


def _play_league_event(rehearsal: Rehearsal, places: Sequence[Registration]) -> None:
    for place in places:
        rehearsal.submit_decks(place)
    for _ in range(LEAGUE_ROUNDS):
        rehearsal.play_round(ReportingStyle.AT_THE_DESK)
    settings_services.finish_event(rehearsal.tournament, rehearsal.owner)
    _backdate_event(rehearsal)


def _backdate_event(rehearsal: Rehearsal) -> None:
    """Set times as if the event had been played on its day."""
    event = rehearsal.tournament
    began = datetime.combine(event.starts_on, LEAGUE_START_TIME, ZoneInfo(event.time_zone))
    for round_ in event.rounds:
        at = began + (round_.number - 1) * BETWEEN_ROUNDS
        tables = Match.objects.filter(pk__in=round_.pairings.exclude(match=None).values("match"))
        for match in tables:
            match.settled_at = at + timedelta(
                minutes=rehearsal.chance.randint(SHORTEST_MATCH, LONGEST_MATCH)
            )
        Match.objects.bulk_update(tables, ["settled_at"])
        round_.published_at = round_.started_at = at
        round_.closed_at = at + BETWEEN_ROUNDS
        round_.save(update_fields=["published_at", "started_at", "closed_at"])
    ended = began + LEAGUE_ROUNDS * BETWEEN_ROUNDS
    Tournament.objects.filter(pk=event.pk).update(finished_at=ended)


# The demo events. The main event is in round 3 and shows every feature of the desk.


DEMO_NAME = "Datafort Demo Open"
DEMO_SLUG = "datafort-demo-open"
DEMO_SEED = 1996
# Details shared by all demo events.
EVENT_FACTS: dict[str, Any] = {
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
OPEN_QUESTION = "May I trash a card I have just drawn?"
SLOW_PLAY, TARDY, MISREPORTED, ILLEGAL_DECK = "slow-play", "late", "report-wrong", "illegal-deck"
# Tables of round 3 at which the player in seat 2 gets the penalty.
SPOKEN_TO, CAME_LATE, ALL_A_MISTAKE, LOSES_A_GAME = 1, 2, 3, 4
CUP_NAME, EVENING_NAME = "Datafort Demo Cup", "Datafort Demo Radicals"
OTHERS_SEED = 1999
CUP_PLAYERS, CUP_ROUNDS, CUT = 10, 3, 8
EVENING_PLAYERS = 7
STANDARD_NAME = "Datafort Demo Standard"
STANDARD_SEED = 2012
STANDARD_PLAYERS = 6
# Numbers of players with a deck problem; the others have locked both decks.
DECK_CHANGED, DECK_ILLEGAL, DECK_MISSING = 1, 2, 3
DECK_DEADLINE = timedelta(hours=20)
# Number of lines missing from the illegal deck.
STANDARD_LEFT_OUT = 3


@transaction.atomic
def make_demo(organiser: User, judge: User) -> Tournament:
    """Make the demo events, and play the main event into its third round. Raises CommandError."""
    if not Card.objects.filter(game=games.ONR.id).exists():
        raise CommandError("There are no cards yet. Load them first: manage.py import_cards")
    tournament = settings_services.create_event(
        organiser,
        name=DEMO_NAME,
        starts_on=timezone.localdate(),
        time_zone=settings.TIME_ZONE,
        **EVENT_FACTS,
        planned_rounds=5,
        feature_tables="1",
        overtime_minutes=5,
        seed=DEMO_SEED,
    )
    owner = Actor(user=organiser)
    settings_services.give_role(tournament, owner, judge, StaffRole.JUDGE)
    rehearsal = Rehearsal(tournament, owner, random.Random(DEMO_SEED))  # noqa: S311 - the same each time
    _play_demo(rehearsal)
    _judge_round(rehearsal, Actor(user=judge))
    # Round 1 closed registration. Reopen it, so that visitors of the demo can join.
    settings_services.set_registration(tournament, owner, is_open=True)
    _make_cup(organiser)
    _make_evening(organiser)
    make_standard_event(organiser)
    make_demo_series(organiser, EVENT_FACTS)
    return Tournament.objects.listed().get(pk=tournament.pk)


def _play_demo(rehearsal: Rehearsal) -> None:
    for registration in rehearsal.enter(ENTRIES):
        _submit_decks(rehearsal, registration)
        if registration.number == SITS_AT_THE_DOOR:
            roster_changes.set_fixed_table(registration, rehearsal.owner, TABLE_AT_THE_DOOR)
        if registration.number == STAYS_OFF_CAMERA:
            roster_changes.set_avoids_stream(registration, rehearsal.owner, avoids=True)
    rehearsal.play_round()
    for registration in rehearsal.enter([LATE_ENTRY]):
        _submit_decks(rehearsal, registration)
    leaving = rehearsal.tournament.registrations.get(number=DROPS_AFTER_ROUND_1)
    registration_services.drop_player(leaving, rehearsal.owner)
    rehearsal.play_round()
    _begin_third_round(rehearsal)


def _submit_decks(rehearsal: Rehearsal, registration: Registration) -> None:
    if registration.number != WITH_ILLEGAL_DRAFT:
        rehearsal.submit_decks(registration)
        return
    rehearsal.submit_decks(registration, Side.RUNNER)
    rehearsal.submit_unlocked_deck(registration, Side.CORP, missing_lines=LEFT_OUT)


def _begin_third_round(rehearsal: Rehearsal) -> None:
    """Start a round with settled, reported, disputed and open tables, and a judge call."""
    tables = rehearsal.tables(rehearsal.open_round())
    ways = cycle((ReportingStyle.CONFIRMED, ReportingStyle.AT_THE_DESK, ReportingStyle.AGREED))
    for pairing, how in zip(tables[:SETTLED_TABLES], ways, strict=False):
        rehearsal.settle(pairing, rehearsal.result(pairing), how)
    waiting, disputed = tables[SETTLED_TABLES : SETTLED_TABLES + 2]
    rehearsal.report(waiting, rehearsal.result(waiting))
    rehearsal.report(disputed, rehearsal.result(disputed))
    rehearsal.answer(disputed, is_right=False)
    rounds_services.add_table_minutes(disputed, MINUTES_LOST, rehearsal.owner, "a deck check")
    assert tables[-1].match is not None
    seat = tables[-1].match.seats.select_related("player").get(position=1)
    calls.raise_call(tables[-1], Actor(player=seat.player), OPEN_QUESTION)


@dataclass(frozen=True)
class DemoQuestion:
    """A judge call by the player in seat 1, and its answer."""

    table: int
    about: str
    answer: str
    cited: tuple[str, ...] = ()
    minutes: int = 0


QUESTIONS = (
    DemoQuestion(
        1,
        "Can a trace with no bits in it succeed?",
        "It can. We looked it up together, and the run went on from there.",
        ("tracing-1", "tracing-2"),
        2,
    ),
    DemoQuestion(
        3, "The Corp drew one card too many", "Put back at random; both agreed which turn."
    ),
)


def _judge_round(rehearsal: Rehearsal, judge: Actor) -> None:
    """Answer calls and give penalties in the current round."""
    round_ = rehearsal.tournament.latest_round()
    assert round_ is not None
    tables = {pairing.table_number: pairing for pairing in rehearsal.tables(round_)}
    for question in QUESTIONS:
        pairing = tables[question.table]
        assert pairing.match is not None
        seat = pairing.match.seats.select_related("player").get(position=1)
        call = calls.raise_call(pairing, Actor(player=seat.player), question.about)
        calls.take(rehearsal.tournament, call, judge)
        # The demo can be made before rulings are imported.
        rulings = [ruling for code in question.cited if (ruling := version_by_code(code))]
        answer = CallAnswer(question.answer, rulings, question.minutes)
        calls.answer(rehearsal.tournament, call, judge, answer)
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
    text = "One card more than on the list; corrected before game 2."
    _give_penalty(rehearsal.tournament, tables[LOSES_A_GAME], judge, ILLEGAL_DECK, text, game=1)


def _give_penalty(
    tournament: Tournament,
    pairing: Pairing,
    judge: Actor,
    infraction: str,
    text: str,
    game: int | None = None,
) -> Penalty:
    """Give the penalty to the player in seat 2."""
    assert pairing.match is not None
    player = pairing.match.seats.get(position=2).player_id
    place = tournament.registrations.select_related("player", "tournament").get(player=player)
    return penalties.give(
        tournament, place, judge, infraction=infraction, pairing=pairing, game=game, text=text
    )


def _make_cup(organiser: User) -> None:
    """Make an event in the second round of its cut."""
    rehearsal = _small_event(organiser, CUP_NAME, CUP_ROUNDS, CUP_PLAYERS, games.ONR.id)
    for _ in range(CUP_ROUNDS):
        rehearsal.play_round()
    best = rehearsal.tournament.cut_candidates()[:CUT]
    cuts.make_cut(rehearsal.tournament, best, rehearsal.owner, system="double_elimination")
    rehearsal.play_round()
    # Settle the first half of the tables.
    round_ = rehearsal.open_round()
    tables = rehearsal.tables(round_)
    for pairing in tables[: len(tables) // 2]:
        rehearsal.settle(pairing, rehearsal.result(pairing), ReportingStyle.AT_THE_DESK)
    rehearsal.choose_advancing_players(round_)


def _make_evening(organiser: User) -> None:
    """Make a Free Radicals event with pods in their second round."""
    rehearsal = _small_event(organiser, EVENING_NAME, 3, EVENING_PLAYERS, games.FREE_RADICALS.id)
    rehearsal.play_round()
    rehearsal.open_round()


def _small_event(organiser: User, name: str, rounds: int, players: int, game: str) -> Rehearsal:
    chance = random.Random(f"{OTHERS_SEED}/{name}")  # noqa: S311 - the same each time
    tournament = settings_services.create_event(
        organiser,
        name=name,
        starts_on=timezone.localdate(),
        time_zone=settings.TIME_ZONE,
        **EVENT_FACTS,
        game=game,
        planned_rounds=rounds,
        decks_required=False,
        seed=OTHERS_SEED,
    )
    rehearsal = Rehearsal(tournament, Actor(user=organiser), chance)
    rehearsal.enter([NewEntry(name) for name in draw_player_names(players, chance)])
    return rehearsal


def make_standard_event(organiser: User) -> None:
    """Make an Android: Netrunner event for tomorrow with submitted decks, if cards are loaded."""
    if not card_table(games.ANR.id).cards:
        return
    chance = random.Random(STANDARD_SEED)  # noqa: S311 - the same each time
    tournament = settings_services.create_event(
        organiser,
        name=STANDARD_NAME,
        starts_on=timezone.localdate() + timedelta(days=1),
        time_zone=settings.TIME_ZONE,
        **EVENT_FACTS,
        game=games.ANR.id,
        deck_rules={"format_id": "standard"},
        decks_close_at=timezone.now() + DECK_DEADLINE,
        seed=STANDARD_SEED,
    )
    rehearsal = Rehearsal(tournament, Actor(user=organiser), chance)
    names = draw_player_names(STANDARD_PLAYERS, chance)
    for registration in rehearsal.enter([NewEntry(name) for name in names]):
        if registration.number == DECK_MISSING:
            continue
        if registration.number == DECK_CHANGED:
            rehearsal.submit_unlocked_deck(registration, Side.CORP)
        if registration.number == DECK_ILLEGAL:
            rehearsal.submit_decks(registration, Side.CORP)
            rehearsal.submit_unlocked_deck(
                registration, Side.RUNNER, missing_lines=STANDARD_LEFT_OUT
            )
        else:
            rehearsal.submit_decks(registration)
