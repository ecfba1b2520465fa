"""Practice events: copies of an event, played at random and deleted.

Players become guests of the same names: accounts, email addresses and claim links are not copied.
So players do not see the practice event among their events. The rows of the original event are only
read.
"""

import random
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Model

from core import jobs
from core.errors import Refusal
from engine import simulation
from matches import records
from matches.models import Game, GameSeat, Match, ReportState, ResultReport, Seat
from players.models import Player
from tournaments.event import history, permissions, queries, removing
from tournaments.event.actors import Actor
from tournaments.event.services import request_standings, save_new
from tournaments.models import (
    DeckReceipt,
    DeckSubmission,
    LogAction,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    RoundState,
    Staff,
    StaffRole,
    StageEntry,
    Tournament,
    Visibility,
)
from tournaments.models.codes import new_join_code
from tournaments.results.services import cuts, results
from tournaments.rounds import elimination
from tournaments.rounds.services import drafting, rounds
from tournaments.series.services.copying import copied

Row = TypeVar("Row", bound=Model)
Places = dict[int, Registration]
# Limit of practice events per account.
MOST = 3
NOTE = "Played at random."


def copy_rounds(event: Tournament, practice: Tournament, places: Places) -> None:
    """Copy all rounds except drafts; a job computes the standings.

    Penalties are not copied. Their effects on results are copied as plain results.
    """
    stages = _made(event.stages.all(), lambda _: {"tournament": practice})
    _made(
        StageEntry.objects.filter(stage__in=stages),
        lambda one: {
            "stage": stages[one.stage_id],
            "registration": places[one.registration_id],
        },
    )
    visible = queries.visible_rounds(event)
    rounds = _made(visible, lambda one: {"stage": stages[one.stage_id]})
    if rounds:
        _tables(rounds, places)
        request_standings(practice, from_round=1)


def _tables(rounds: dict[int, Round], places: Places) -> None:
    pairings = list(Pairing.objects.filter(round__in=rounds).order_by("pk"))
    matches = _matches([one.match_id for one in pairings if one.match_id], places)
    _made(
        pairings,
        lambda one: {
            "round": rounds[one.round_id],
            "match": matches.get(one.match_id or 0),
            "bye": places.get(one.bye_id or 0),
            "advances": places.get(one.advances_id or 0),
        },
    )


def _matches(keys: list[int], places: Places) -> dict[int, Match]:
    """Copy the matches for the copies of their players."""
    old = Registration.objects.filter(pk__in=places).values_list("player", "pk")
    players = {player: places[place].player_id for player, place in old}
    lost = Match.objects.filter(pk__in=keys).exclude(losses=[])
    reported = {one.pk: records.to_document(records.settled_result(one)) for one in lost}
    matches = _made(Match.objects.filter(pk__in=keys), lambda _: {"losses": []})
    seats = _made(
        Seat.objects.filter(match__in=keys),
        lambda one: {"match": matches[one.match_id], "player_id": players[one.player_id]},
    )
    games = _made(
        Game.objects.filter(match__in=matches),
        lambda one: {
            "match": matches[one.match_id],
            "winner": seats.get(one.winner_id or 0),
        },
    )
    _made(
        GameSeat.objects.filter(game__in=games),
        lambda one: {"game": games[one.game_id], "seat": seats[one.seat_id]},
    )
    _made(
        ResultReport.objects.filter(match__in=matches).order_by("pk"),
        lambda one: {
            "match": matches[one.match_id],
            "seat": seats.get(one.seat_id or 0),
            "user": None,
        },
    )
    # Losses given by judges are not copied, so add the result as it was reported.
    for key, result in reported.items():
        if matches[key].is_settled:
            matches[key].reports.create(result=result, state=ReportState.CONFIRMED)
    return matches


def _made(rows: Iterable[Row], changes: Callable[[Row], dict[str, Any]]) -> dict[int, Row]:
    """Store a copy of each row; map the old primary keys to the copies."""
    old = list(rows)
    if not old:
        return {}
    new = (copied(one, **changes(one)) for one in old)
    made = type(old[0])._default_manager.bulk_create(new)
    return {one.pk: copy for one, copy in zip(old, made, strict=True)}


class TooManyPractices(Refusal):
    """The account has as many practice events as it may have."""


@transaction.atomic
def copy(event: Tournament, actor: Actor, *, with_rounds: bool = False) -> Tournament:
    """Copy this event into a practice event owned by the actor. Raises TooManyPractices.

    Without rounds it starts before round 1, and dropped players are on the roster again. With
    rounds it continues from the current state of the event, without drafts.
    """
    assert actor.user is not None, "a sandbox belongs to an account"
    event = history.lock(event)
    if queries.practices_of(actor.user).count() >= MOST:
        raise TooManyPractices(f"You have {MOST} practice events. Delete one first.")
    practice = _event(event)
    Staff.objects.create(tournament=practice, user=actor.user, role=StaffRole.OWNER)
    places = _players(event, practice, with_rounds=with_rounds)
    if permissions.can_judge(actor, event):
        _decks(places)
    if with_rounds:
        copy_rounds(event, practice, places)
    else:
        copied(event.stages.get(number=1), tournament=practice).save()
    history.record(practice, actor, LogAction.PRACTICE_BEGUN, event.name)
    return practice


def _event(event: Tournament) -> Tournament:
    practice = copied(
        event,
        name=f"Practice: {event.name}"[:120],
        slug=queries.free_slug(f"practice {event.name}"),
        join_code=new_join_code(),
        visibility=Visibility.PRIVATE,
        practice_of_id=event.practice_of_id or event.pk,
        registration_is_open=False,
        invitation_only=False,
        series=None,
        finished_at=None,
        version=1,
    )
    return save_new(practice)


def _players(
    event: Tournament, practice: Tournament, *, with_rounds: bool
) -> dict[int, Registration]:
    """Map the old registrations' primary keys to the copies."""
    old = list(event.registrations.select_related("player").order_by("number"))
    guests = []
    for place in old:
        # Skip validation: a name may be older than a naming rule.
        guest = Player(pronouns=place.player.pronouns)
        guest.set_name(place.player.name)
        guests.append(guest)
    Player.objects.bulk_create(guests)
    new = [
        copied(place, tournament=practice, player=guest)
        for place, guest in zip(old, guests, strict=True)
    ]
    if not with_rounds:
        for place in new:
            _from_the_start(place)
    made = Registration.objects.bulk_create(new)
    return {place.pk: copy_ for place, copy_ in zip(old, made, strict=True)}


def _from_the_start(place: Registration) -> None:
    place.joined_in_round = 1
    if place.state == RegistrationState.DROPPED:
        place.state, place.dropped_at, place.dropped_by = RegistrationState.REGISTERED, None, ""


def _decks(places: dict[int, Registration]) -> None:
    """Submit the same deck versions again; versions never change and need no copy."""
    old = list(DeckSubmission.objects.filter(registration__in=places))
    new = DeckSubmission.objects.bulk_create(
        copied(one, registration=places[one.registration_id]) for one in old
    )
    by_old = {one.pk: copy_ for one, copy_ in zip(old, new, strict=True)}
    receipts = DeckReceipt.objects.filter(submission__in=by_old)
    DeckReceipt.objects.bulk_create(
        copied(one, submission=by_old[one.submission_id], received_from=None) for one in receipts
    )


class NotAPractice(Refusal):
    """Only practice events can be played at random."""


class NothingToPlay(Refusal):
    pass


def refuse_real(event: Tournament) -> None:
    if not event.is_practice:
        raise NotAPractice("This is a real event. Only a practice event is played at random.")


@transaction.atomic
def play(event: Tournament, actor: Actor) -> int:
    """Give every open table of the round a random result, and return their number.

    Raises NothingToPlay.
    """
    refuse_real(event)
    # With the lock, a concurrent second call finds no open table.
    event = history.lock(event)
    round_ = queries.latest_round(event)
    if round_ is None or not round_.is_played:
        raise NothingToPlay("No round is under way. Pair one and publish it first.")
    chance = random.Random(f"{event.seed}:{round_.seed}")  # noqa: S311 - a lot of a rehearsal
    tables = list(queries.open_tables(round_))
    for pairing in tables:
        _play(event, pairing, actor, chance)
    _say_who_goes_on(event, round_, actor, chance)
    return len(tables)


def _play(event: Tournament, pairing: Pairing, actor: Actor, chance: random.Random) -> None:
    assert pairing.match is not None
    strengths = [_strength(event, seat.player_id) for seat in pairing.match.seats.all()]
    result = simulation.play(pairing.match.rule, strengths, chance)
    results.decide(pairing, result, actor, seen_version=pairing.match.version, note=NOTE)


def _strength(event: Tournament, player: int) -> int:
    """Strength of the player, the same in every round."""
    return simulation.strength(random.Random(f"{event.seed}:{player}"))  # noqa: S311 - a rehearsal


def _say_who_goes_on(event: Tournament, round_: Round, actor: Actor, chance: random.Random) -> None:
    """Choose at random who advances from tied cut matches."""
    for pairing in elimination.undecided_tables(round_):
        seat = chance.choice(pairing.seats)
        cuts.say_who_goes_on(pairing, event.registrations.get(player=seat.player_id), actor)


def play_round(event: Tournament, actor: Actor) -> Round:
    """Play a whole round: pair and publish it if needed, play all tables, and close it.

    Not a single transaction, because a job does the pairing. Raises NothingToPlay and the refusals
    of pairing, publishing and closing.
    """
    refuse_real(event)
    round_ = queries.latest_round(event)
    if round_ is None or round_.is_closed:
        round_ = _drafted(event, actor)
    if round_.is_draft:
        rounds.publish(round_, actor, leave_out_latecomers=True)
    if queries.rounds(event).get(pk=round_.pk).state == RoundState.PUBLISHED:
        rounds.start(round_, actor)
    play(event, actor)
    rounds.close(round_, actor)
    return round_


def _drafted(event: Tournament, actor: Actor) -> Round:
    number = queries.next_round_number(event)
    job = drafting.request_pairing(event, number, actor)
    # Run the job here, unless a worker already has it.
    jobs.task_of(job)(job.pk)
    drafted = queries.rounds(event).select_related("stage__tournament").filter(number=number)
    round_ = drafted.first()
    if round_ is None:
        raise NothingToPlay(f"Round {number} is being paired. Press again in a moment.")
    return round_


@transaction.atomic
def throw_away(event: Tournament) -> None:
    """Delete the practice event with all its data. Raises NotAPractice."""
    event = history.lock(event)
    refuse_real(event)
    removing.remove(event)
