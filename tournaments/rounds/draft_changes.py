"""Request, discard and edit drafts, and re-pair parts of a round."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import Case, Value, When
from django.utils.translation import gettext as _

from core import jobs
from core.errors import ReasonMissing, Refusal
from engine.pairing.records import PairedBye
from engine.pairing.round_robin import RoundRobinOver
from engine.systems import SystemKind
from matches import services as matches_services
from matches.scoring.rules import scoring_rule
from tournaments.event import history
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import Actor
from tournaments.event.services import requester_payload
from tournaments.models import (
    Job,
    JobKind,
    LogAction,
    Pairing,
    Registration,
    Round,
    Tournament,
)
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds import services
from tournaments.rounds.drafting import (
    DraftedRound,
    NewTable,
    RoundStillOpen,
    clear_pairings,
    is_kept,
    refuse_open_round,
    write_pairings,
)

MINIMUM_PLAYERS = 2
# The largest number of names in a refusal; the rest are counted.
MAX_NAMES_IN_REFUSAL = 10


class NotEnoughPlayers(Refusal):
    pass


class EventTooLarge(Refusal):
    pass


class NothingToPair(Refusal):
    """All players are at tables that are kept, or the stage is paired by hand."""


class MissingOnDayTwo(NotEnoughPlayers):
    pass


class NotBySeats(Refusal):
    """Invalid tables or byes in a draft made by hand."""


# The refusals of each action that the API declares; pages show any refusal.
PAIRING_REFUSALS = (
    history.EventIsFinished,
    RoundStillOpen,
    services.ResultsMissing,
    EventTooLarge,
    NotEnoughPlayers,
    rounds_cut.NoGameToPlay,
    RoundRobinOver,
)
DISCARD_REFUSALS = (history.EventIsFinished, services.NotADraft)
SWAP_REFUSALS = (history.EventIsFinished, services.NotADraft, services.DraftHasChanged)
REST_REFUSALS = (*services.STEP_REFUSALS, NothingToPair, ReasonMissing)
BY_HAND_REFUSALS = (*SWAP_REFUSALS, NotBySeats, history.PlayerRemoved)


@dataclass(frozen=True)
class ManualTable:
    """A table made by hand; the first seat is Corp in game 1."""

    number: int
    seats: tuple[Registration, ...]


@transaction.atomic
def request_pairing(
    tournament: Tournament,
    number: int,
    actor: Actor,
    *,
    force_reason: str = "",
    is_limited: bool = True,
) -> Job:
    """Queue the draft of round `number`. Return the same job when called again.

    With `force_reason`, first close the previous round although results are missing. Its open
    tables do not count until a result is reported, but their players have met.

    Errors of the job are stored on it. Commands have no size limit (`is_limited`).
    """
    locked = history.lock_unfinished(tournament)
    job = locked.pairing_job(number)
    exists = locked.rounds.filter(number=number).exists()
    if job is not None and (exists or (job.is_live and not job.payload.get("again"))):
        # Queue it again in case the first message was lost; only one worker can take the job.
        jobs.enqueue(job)
        return job
    if is_limited and actor.user is not None:
        players = locked.registrations.not_waiting().count()
        if reason := event_permissions.why_too_large(actor.user, players, number):
            raise EventTooLarge(reason)
    if force_reason:
        services.close_round_by_force(locked, number, actor, force_reason)
    refuse_open_round(locked, number)
    _refuse_missing_on_day_two(locked)
    _refuse_unpairable_field(locked)
    job = create_or_requeue_job(locked, actor, job, number)
    subject = f"round {number}"
    history.record(locked, actor, LogAction.PAIRING_ASKED_FOR, subject)
    jobs.enqueue(job)
    return job


@transaction.atomic
def close_and_pair(round_: Round, actor: Actor) -> Job:
    """Close the round and queue the draft of the next one, or do neither.

    Return the same job when called again.
    """
    services.close_round(round_, actor)
    return request_pairing(round_.stage.tournament, round_.number + 1, actor)


def _refuse_missing_on_day_two(tournament: Tournament) -> None:
    # Once check-in for day 2 is open, players must be checked in to be paired.
    if not tournament.day_two_check_in_is_open():
        return
    names = [str(entry.player) for entry in tournament.missing_on_day_two()]
    if names:
        more = len(names) - MAX_NAMES_IN_REFUSAL
        text = (
            _("Not checked in for day 2: %(names)s and %(more)s more. Check them in, or drop them.")
            if more > 0
            else _("Not checked in for day 2: %(names)s. Check them in, or drop them.")
        )
        named = ", ".join(names[:MAX_NAMES_IN_REFUSAL])
        raise MissingOnDayTwo(text % {"names": named, "more": more})


def _refuse_unpairable_field(tournament: Tournament) -> None:
    stage = tournament.current_stage()
    if len(stage.players_to_pair()) < MINIMUM_PLAYERS:
        raise NotEnoughPlayers(_("A round needs two players. Check players in first."))
    if stage.is_cut:
        rounds_cut.games_to_play(stage)
    if stage.is_played_out():
        raise RoundRobinOver(
            _("Every player has played every opponent. Make a cut, or finish the event.")
        )


def create_or_requeue_job(
    tournament: Tournament, actor: Actor, old: Job | None, number: int, again: int | None = None
) -> Job:
    """Create or requeue the job of this round; `again` is the key of a round to re-pair in part."""
    request = {"again": again, **requester_payload(actor)}
    if old is None:
        return Job.objects.create(
            tournament=tournament,
            kind=JobKind.PAIR_ROUND,
            key=tournament.pairing_job_key(number),
            payload={"number": number, "attempt": 0, **request},
        )
    if not old.has_failed:
        # A draft existed before: a new attempt number changes the random draw.
        old.payload["attempt"] += 1
    old.payload |= request
    jobs.requeue(old)
    return old


@transaction.atomic
def discard_draft(round_: Round, actor: Actor) -> None:
    """Delete an unpublished draft. Does nothing if it is deleted already."""
    tournament = history.lock_unfinished(round_.stage.tournament)
    if not tournament.rounds.filter(pk=round_.pk).exists():
        return
    tournament, round_ = services.lock_round(round_)
    services.refuse_unless_draft(round_)
    matches = round_.pairings.exclude(match=None).values_list("match", flat=True)
    used = list(matches)
    before = {"pairings": round_.pairings_for_log()}
    history.record(tournament, actor, LogAction.DRAFT_THROWN_AWAY, round_, before=before)
    round_.delete()
    matches_services.delete_matches(used)


@transaction.atomic
def swap_seats(
    round_: Round,
    first: Registration,
    second: Registration,
    actor: Actor,
    *,
    seen: int | None = None,
) -> None:
    """Swap the places of two players of a draft; one of them may have the bye.

    At the same table they swap roles. `seen` is the `log.newest_draft_change()` of the page.
    """
    tournament, round_ = services.lock_round(round_)
    services.refuse_unless_draft(round_)
    _refuse_cut(round_)
    services.refuse_unseen_changes(tournament, seen)
    pairings = {
        registration.pk: round_.pairing_of(registration.player) for registration in (first, second)
    }
    if first.pk == second.pk or None in pairings.values():
        raise services.NotADraft(_("Choose two different players of this draft."))
    changed = {pairing.pk: pairing for pairing in pairings.values() if pairing is not None}
    if all(pairing.bye for pairing in changed.values()):
        raise services.NotADraft(_("Both players have a bye, so there is nothing to swap."))
    replacements = {first.player_id: second, second.player_id: first}
    # The swap clears reasons and cost; its undo restores them.
    before = {
        "accounts": {
            pk: {key: getattr(pairing, key) for key in ("made_by_hand", "cost", "reasons")}
            for pk, pairing in changed.items()
        }
    }
    for pairing in changed.values():
        if pairing.bye is not None:
            pairing.bye = replacements[pairing.bye.player_id]
        else:
            assert pairing.match is not None
            players = [seat.player_id for seat in pairing.match.seats.order_by("position")]
            matches_services.reseat_match(
                pairing.match,
                tuple(
                    replacements[player].player_id if player in replacements else player
                    for player in players
                ),
            )
        pairing.made_by_hand, pairing.cost, pairing.reasons = True, {}, []
        pairing.save()
    after = {"players": [first.number, second.number], "pairings": round_.pairings_for_log()}
    history.record(
        tournament,
        actor,
        LogAction.SEATS_SWAPPED,
        f"{first.player} and {second.player}",
        before=before,
        after=after,
        about=round_,
    )


def _refuse_cut(round_: Round) -> None:
    if round_.is_in_cut:
        raise services.NotADraft(
            _("The bracket decides the pairings of a cut, so they cannot be changed.")
        )


@transaction.atomic
def set_lock(pairing: Pairing, actor: Actor, *, locked: bool) -> None:
    """Lock a table or bye against re-pairing, or unlock it."""
    tournament, round_ = services.lock_round(pairing.round)
    if round_.is_closed:
        raise services.WrongState(_("This round is closed; its tables stay as they are."))
    if not round_.pairings.filter(pk=pairing.pk).exists():
        raise services.WrongState(_("This table was re-paired. Review the draft again."))
    if not round_.pairings.filter(pk=pairing.pk).exclude(is_locked=locked).update(is_locked=locked):
        return
    action = LogAction.LOCKED if locked else LogAction.UNLOCKED
    history.record(tournament, actor, action, pairing)


@transaction.atomic
def pair_the_rest(
    round_: Round, actor: Actor, *, reason: str = "", keep: Collection[int] | None = None
) -> Job:
    """Queue new pairings for all players who are not at a kept table (see `is_kept`).

    `keep` locks these pairings, by primary key, and unlocks all others. A published round requires
    a `reason`.
    """
    tournament, round_ = services.lock_round(round_)
    _refuse_cut(round_)
    if keep is not None:
        kept = When(pk__in=keep, then=Value(True))
        round_.pairings.update(is_locked=Case(kept, default=Value(False)))
    if round_.stage.way.kind is SystemKind.MANUAL:
        raise NothingToPair(_("This round is paired by hand. Change its pairings by hand."))
    if round_.is_closed:
        raise services.WrongState(_("This round is closed. Reopen it before you re-pair tables."))
    if not round_.is_draft and not reason.strip():
        raise ReasonMissing(_("Give the reason for re-pairing published tables."))
    _gone, arrived = round_.changes_since_draft()
    if not arrived and all(map(is_kept, round_.pairings.with_players())):
        raise NothingToPair(_("Every table is locked, so there is nothing to re-pair."))
    job = tournament.pairing_job(round_.number)
    if job is None or not job.is_live:
        job = create_or_requeue_job(tournament, actor, job, round_.number, again=round_.pk)
        history.record(
            tournament,
            actor,
            LogAction.REST_TO_BE_PAIRED_ANEW,
            round_,
            reason=reason,
            public=not round_.is_draft,
        )
    jobs.enqueue(job)
    return job


@transaction.atomic
def pair_by_hand(
    round_: Round,
    tables: Sequence[ManualTable],
    byes: Sequence[Registration],
    actor: Actor,
    *,
    seen: int | None = None,
) -> None:
    """Set the tables and byes of a draft, beside the locked ones.

    `seen` is the `log.newest_draft_change()` of the page.
    """
    tournament, round_ = services.lock_round(round_)
    services.refuse_unless_draft(round_)
    _refuse_cut(round_)
    services.refuse_unseen_changes(tournament, seen)
    seated = [entry for table in tables for entry in table.seats]
    current = history.reload_registrations([*byes, *seated])
    tables = [
        replace(table, seats=tuple(current[entry.pk] for entry in table.seats)) for table in tables
    ]
    byes = [current[entry.pk] for entry in byes]
    pairings = list(round_.pairings.with_players())
    locked = [pairing for pairing in pairings if pairing.is_locked]
    _refuse_invalid_seats(round_, tables, byes, locked)
    # An unchanged table keeps its reasons.
    stay = [pairing for pairing in pairings if _is_unchanged(pairing, tables, byes)]
    clear_pairings([pairing for pairing in pairings if pairing not in [*locked, *stay]])
    _write_manual_pairings(round_, tables, byes, [*locked, *stay])
    after = {"pairings": round_.pairings_for_log()}
    history.record(tournament, actor, LogAction.PAIRED_BY_HAND, round_, after=after)


def _is_unchanged(
    pairing: Pairing, tables: Sequence[ManualTable], byes: Sequence[Registration]
) -> bool:
    if pairing.bye is not None:
        return pairing.bye in byes
    return any(
        table.number == pairing.table_number and _player_ids(table.seats) == pairing.players
        for table in tables
    )


def _refuse_invalid_seats(
    round_: Round,
    tables: Sequence[ManualTable],
    byes: Sequence[Registration],
    locked: Sequence[Pairing],
) -> None:
    rule = scoring_rule(round_.stage.scoring_rule)
    least, most = rule.min_seats, rule.max_seats
    taken = [player for pairing in locked for player in pairing.players]
    entries = [entry for table in tables for entry in table.seats] + list(byes)
    numbers = [table.number for table in tables] + [pairing.table_number for pairing in locked]
    for table in tables:
        if not least <= len(table.seats) <= most:
            text = (
                _("Table %(table)s needs %(least)s players, but has %(seats)s.")
                if least == most
                else _("Table %(table)s needs %(least)s to %(most)s players, but has %(seats)s.")
            )
            values = {"table": table.number, "seats": len(table.seats)}
            raise NotBySeats(text % {**values, "least": least, "most": most})
        if table.number < 1 or numbers.count(table.number) > 1:
            raise NotBySeats(
                _("Table %(table)s is used twice or is not a valid number.")
                % {"table": table.number}
            )
    for entry in entries:
        if [*taken, *_player_ids(entries)].count(entry.player_id) > 1:
            raise NotBySeats(
                _("%(player)s has two places in this round. Choose one.") % {"player": entry.player}
            )
        if not entry.is_active:
            raise NotBySeats(
                _("%(player)s is not checked in and cannot be paired.") % {"player": entry.player}
            )


def _write_manual_pairings(
    round_: Round,
    tables: Sequence[ManualTable],
    byes: Sequence[Registration],
    kept: Sequence[Pairing],
) -> None:
    seated = {player for pairing in kept for player in pairing.players}
    new_tables = [table for table in tables if not seated.intersection(_player_ids(table.seats))]
    new_byes = [entry for entry in byes if entry.player_id not in seated]
    drafted = DraftedRound(
        tables=tuple(
            NewTable(table.number, tuple(entry.number for entry in table.seats))
            for table in new_tables
        ),
        byes=tuple(PairedBye(entry.number, {}, ()) for entry in new_byes),
    )
    entries = [entry for table in new_tables for entry in table.seats] + new_byes
    write_pairings(round_, drafted, {entry.number: entry for entry in entries})
    round_.pairings.exclude(pk__in=[pairing.pk for pairing in kept]).update(made_by_hand=True)


def _player_ids(entries: Iterable[Registration]) -> list[int]:
    return [entry.player_id for entry in entries]
