"""Practice events: copies of an event, played at random and deleted."""

# Players become guests of the same names, so they do not see the practice event among their events.
# Accounts, email addresses and claim links are not copied. The original event is only read.

import random
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext, gettext_noop

from core import jobs
from core.errors import Refusal
from engine.simulation.tables import draw_strength, play_table
from matches import records as matches_records
from matches.models import Game, GameSeat, Match, ReportState, ResultReport, Seat
from players.models import Player
from tournaments.event import history
from tournaments.event import permissions as event_permissions
from tournaments.event import services as event_services
from tournaments.event.permissions import Actor
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
from tournaments.results import cuts
from tournaments.results import services as results_services
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services
from tournaments.series.recurring import unsaved_copy

ModelRow = TypeVar("ModelRow", bound=Model)
RegistrationCopies = dict[int, Registration]
# Limit of practice events per account.
MAX_PRACTICES = 3
RESULT_NOTE = gettext_noop("Random result.")


class TooManyPractices(Refusal):
    """The account has MAX_PRACTICES practice events."""


@transaction.atomic
def create_practice(event: Tournament, actor: Actor, *, with_rounds: bool = False) -> Tournament:
    """Copy this event into a practice event owned by the actor. Raises TooManyPractices."""
    # Without rounds it starts before round 1, and dropped players are on the roster again. With
    # rounds it continues from the current state of the event, without drafts.
    assert actor.user is not None, "a practice event belongs to an account"
    event = history.lock(event)
    if Tournament.objects.practices_of(actor.user).count() >= MAX_PRACTICES:
        raise TooManyPractices(
            gettext("You have %(max_practices)s practice events. Delete one first.")
            % {"max_practices": MAX_PRACTICES}
        )
    practice = save_new(
        unsaved_copy(
            event,
            name=f"Practice: {event.name}"[:120],
            slug=Tournament.objects.free_slug(f"practice {event.name}"),
            join_code=new_join_code(),
            visibility=Visibility.PRIVATE,
            practice_of_id=event.practice_of_id or event.pk,
            registration_is_open=False,
            invitation_only=False,
            series=None,
            finished_at=None,
            version=1,
        )
    )
    Staff.objects.create(tournament=practice, user=actor.user, role=StaffRole.OWNER)
    places = _copy_players(event, practice, with_rounds=with_rounds)
    if event_permissions.can_judge(actor, event):
        _copy_decks(places)
    if with_rounds:
        _copy_rounds(event, practice, places)
    else:
        unsaved_copy(event.stages.get(number=1), tournament=practice).save()
    history.record(practice, actor, LogAction.PRACTICE_BEGUN, event.name)
    return practice


def _copy_players(
    event: Tournament, practice: Tournament, *, with_rounds: bool
) -> RegistrationCopies:
    """Copy the registrations; map the old primary keys to the copies."""
    old = list(event.registrations.select_related("player").order_by("number"))
    guests = []
    for place in old:
        # Skip validation: a name may be older than a naming rule.
        guest = Player(pronouns=place.player.pronouns)
        guest.set_name(place.player.name)
        guests.append(guest)
    Player.objects.bulk_create(guests)
    new = [
        unsaved_copy(place, tournament=practice, player=guest)
        for place, guest in zip(old, guests, strict=True)
    ]
    if not with_rounds:
        for place in new:
            place.joined_in_round = 1
            if place.state == RegistrationState.DROPPED:
                place.state = RegistrationState.REGISTERED
                place.dropped_at, place.dropped_by = None, ""
    made = Registration.objects.bulk_create(new)
    return {place.pk: copy_ for place, copy_ in zip(old, made, strict=True)}


def _copy_decks(places: RegistrationCopies) -> None:
    """Submit the same deck versions again; versions never change and need no copy."""
    submissions = _copy_rows(
        DeckSubmission.objects.filter(registration__in=places),
        lambda row: {"registration": places[row.registration_id]},
    )
    _copy_rows(
        DeckReceipt.objects.filter(submission__in=submissions),
        lambda row: {"submission": submissions[row.submission_id], "received_from": None},
    )


def _copy_rounds(event: Tournament, practice: Tournament, places: RegistrationCopies) -> None:
    """Copy all rounds except drafts; a job computes the standings."""
    # Penalties are not copied. Their effects on results are copied as plain results.
    stages = _copy_rows(event.stages.all(), lambda _: {"tournament": practice})
    _copy_rows(
        StageEntry.objects.filter(stage__in=stages),
        lambda row: {
            "stage": stages[row.stage_id],
            "registration": places[row.registration_id],
        },
    )
    rounds = _copy_rows(event.rounds.published(), lambda row: {"stage": stages[row.stage_id]})
    if not rounds:
        return
    pairings = list(Pairing.objects.filter(round__in=rounds).order_by("pk"))
    matches = _copy_matches([row.match_id for row in pairings if row.match_id], places)
    _copy_rows(
        pairings,
        lambda row: {
            "round": rounds[row.round_id],
            "match": matches.get(row.match_id or 0),
            "bye": places.get(row.bye_id or 0),
            "advances": places.get(row.advances_id or 0),
        },
    )
    request_standings(practice, from_round=1)


def _copy_matches(keys: list[int], places: RegistrationCopies) -> dict[int, Match]:
    old = Registration.objects.filter(pk__in=places).values_list("player", "pk")
    players = {player: places[place].player_id for player, place in old}
    reported = {
        row.pk: matches_records.result_to_document(matches_records.settled_result(row))
        for row in Match.objects.filter(pk__in=keys).exclude(losses=[])
    }
    matches = _copy_rows(Match.objects.filter(pk__in=keys), lambda _: {"losses": []})
    seats = _copy_rows(
        Seat.objects.filter(match__in=keys),
        lambda row: {"match": matches[row.match_id], "player_id": players[row.player_id]},
    )
    games = _copy_rows(
        Game.objects.filter(match__in=matches),
        lambda row: {
            "match": matches[row.match_id],
            "winner": seats.get(row.winner_id or 0),
        },
    )
    _copy_rows(
        GameSeat.objects.filter(game__in=games),
        lambda row: {"game": games[row.game_id], "seat": seats[row.seat_id]},
    )
    _copy_rows(
        ResultReport.objects.filter(match__in=matches).order_by("pk"),
        lambda row: {
            "match": matches[row.match_id],
            "seat": seats.get(row.seat_id or 0),
            "user": None,
        },
    )
    # Losses given by judges are not copied, so add the result as it was reported.
    for key, result in reported.items():
        if matches[key].is_settled:
            matches[key].reports.create(result=result, state=ReportState.CONFIRMED)
    return matches


def _copy_rows(
    rows: Iterable[ModelRow], changes: Callable[[ModelRow], dict[str, Any]]
) -> dict[int, ModelRow]:
    """Store a copy of each row; map the old primary keys to the copies."""
    old = list(rows)
    if not old:
        return {}
    new = (unsaved_copy(row, **changes(row)) for row in old)
    made = type(old[0])._default_manager.bulk_create(new)
    return {row.pk: copy for row, copy in zip(old, made, strict=True)}


class NotAPractice(Refusal):
    """Only practice events can be played at random."""


class NothingToPlay(Refusal):
    pass


def refuse_real_event(event: Tournament) -> None:
    if not event.is_practice:
        raise NotAPractice(
            gettext("This is a real event. Only practice events can have random results.")
        )


@transaction.atomic
def play_open_tables(event: Tournament, actor: Actor) -> int:
    """Give every open table a random result, and return their number. Raises NothingToPlay."""
    refuse_real_event(event)
    # With the lock, a concurrent second call finds no open table.
    event = history.lock(event)
    round_ = event.latest_round()
    if round_ is None or not round_.is_played:
        raise NothingToPlay(gettext("No round is being played. Pair and publish a round first."))
    chance = random.Random(f"{event.seed}:{round_.seed}")  # noqa: S311 - a rehearsal
    tables = list(round_.open_tables())
    for pairing in tables:
        assert pairing.match is not None
        # The strength of a player is the same in every round.
        strengths = [
            draw_strength(random.Random(f"{event.seed}:{seat.player_id}"))  # noqa: S311 - a rehearsal
            for seat in pairing.match.seats.all()
        ]
        result = play_table(pairing.match.rule, strengths, chance)
        results_services.decide_result(
            pairing, result, actor, seen_version=pairing.match.version, note=RESULT_NOTE
        )
    for pairing in rounds_cut.undecided_tables(round_):
        seat = chance.choice(pairing.seats)
        cuts.set_advancing_player(pairing, event.registrations.get(player=seat.player_id), actor)
    return len(tables)


def play_round(event: Tournament, actor: Actor) -> Round:
    """Play a whole round: pair and publish it if needed, play all tables, and close it."""
    # Not a single transaction, because a job does the pairing.
    refuse_real_event(event)
    round_ = event.latest_round()
    if round_ is None or round_.is_closed:
        number = event.next_round_number()
        job = draft_changes.request_pairing(event, number, actor)
        # Run the job here, unless a worker already has it.
        jobs.task_of(job)(job.pk)
        round_ = event.rounds.select_related("stage__tournament").filter(number=number).first()
        if round_ is None:
            raise NothingToPlay(
                gettext("Round %(number)s is being paired. Try again in a moment.")
                % {"number": number}
            )
    if round_.is_draft:
        rounds_services.publish_round(round_, actor, leave_out_latecomers=True)
    if event.rounds.get(pk=round_.pk).state == RoundState.PUBLISHED:
        rounds_services.start_round(round_, actor)
    play_open_tables(event, actor)
    rounds_services.close_round(round_, actor)
    return round_


@transaction.atomic
def delete_practice(event: Tournament) -> None:
    event = history.lock(event)
    refuse_real_event(event)
    event_services.delete_event(event)
