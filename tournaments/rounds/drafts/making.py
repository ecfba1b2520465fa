"""Make the draft of a round, or re-pair part of a round, for a job."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from django.utils import timezone

from core.errors import Refusal
from core.pause_points import pause_point
from engine import table_plan
from engine.pairing import LockedBye, LockedPod, PairedBye, Reason
from engine.standings import PlayerId
from engine.table_plan import Clash, Wish
from matches import services as matches
from players.models import User
from tournaments.event import history, penalising, permissions, queries
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import Job, LogAction, Pairing, Registration, Round, RoundState, Tournament
from tournaments.rounds.drafts import systems
from tournaments.rounds.drafts.systems import Drafted, Kept, NewTable, Wanted

FIXED_TABLE_TAKEN = "fixed_table_taken"


class RoundStillOpen(Refusal):
    """The previous round must be closed first: its results decide the pairings."""


class RightsEnded(Refusal):
    pass


class LockedPlayerLeft(Refusal):
    pass


def draft_round(job: Job) -> None:
    """Make the draft that the job requests. Does nothing if the round exists already.

    payload: {"number": the round, "attempt": number of earlier drafts, "again": the primary key of
    a round to re-pair in part, or None, "by": the primary key of the account that requested it}.
    Raises RightsEnded if that account no longer runs the event.
    """
    tournament = history.lock_unfinished(job.tournament)
    _refuse_ended(job, tournament)
    pause_point("pair:locked")
    number, attempt = job.payload["number"], job.payload.get("attempt", 0)
    seed = round_seed(tournament.seed, number, attempt)
    there = queries.rounds(tournament).filter(number=number).first()
    if again := job.payload.get("again"):
        if there is not None and there.pk == again and not there.is_closed:
            draft_the_rest(there, seed)
    elif there is None:
        _draft(tournament, number, seed)


def _refuse_ended(job: Job, tournament: Tournament) -> None:
    by = job.payload.get("by")
    if by is None:
        return
    user = User.objects.filter(pk=by, is_active=True).first()
    if not permissions.can_run(Actor(user=user), tournament):
        raise RightsEnded("Whoever asked for this runs the event no longer. Pair the round again.")


def _draft(tournament: Tournament, number: int, seed: int) -> None:
    refuse_open_round(tournament, number)
    stage = queries.current_stage(tournament)
    registrations = tuple(queries.players_of(stage))
    wanted = Wanted(stage=stage, number=number, seed=seed, registrations=registrations)
    drafted = numbered(wanted, systems.make(wanted))
    pause_point("pair:drafted")
    round_ = _write_round(wanted, drafted)
    pause_point("pair:begun")
    write_pairings(round_, drafted, {entry.number: entry for entry in wanted.registrations})
    pause_point("pair:written")
    after = {"pairings": queries.logged_pairings(round_)}
    history.record(tournament, NOBODY, LogAction.ROUND_DRAFTED, round_, after=after)
    pause_point("pair:recorded")


def refuse_open_round(tournament: Tournament, number: int) -> None:
    """Raise RoundStillOpen unless `number` follows the last closed round."""
    latest = queries.latest_round(tournament)
    if latest is not None and not latest.is_closed:
        raise RoundStillOpen(f"Close round {latest.number} before you pair round {number}.")
    if number != queries.next_round_number(tournament):
        raise RoundStillOpen(
            f"Round {queries.next_round_number(tournament)} is next, not round {number}. "
            "Load the page again."
        )


def round_seed(event_seed: int, number: int, attempt: int) -> int:
    """Return the seed of a draft, 0 <= seed < 2**31, derived from event seed, round and attempt."""
    digest = sha256(f"{event_seed}:{number}:{attempt}".encode()).digest()
    return int.from_bytes(digest[:4]) >> 1


def _write_round(wanted: Wanted, drafted: Drafted) -> Round:
    return Round.objects.create(
        stage=wanted.stage,
        number=wanted.number,
        state=RoundState.DRAFT,
        seed=wanted.seed,
        certificate=dict(drafted.certificate),
        relaxations=stored_reasons(drafted.relaxations),
    )


def is_kept(pairing: Pairing) -> bool:
    """Return True if this table or bye is kept when the round is re-paired.

    Tables with a reported result are always kept, so that no result is lost.
    """
    return pairing.is_locked or queries.is_reported(pairing)


def draft_the_rest(round_: Round, seed: int) -> None:
    """Re-pair all players who are not at a kept table; the state of the round is unchanged.

    Raises LockedPlayerLeft, or a refusal of the pairing system.
    """
    tournament = round_.stage.tournament
    pairings = list(queries.pairings_by_table(round_))
    kept = [pairing for pairing in pairings if is_kept(pairing)]
    wanted = _wanted(round_, seed, kept)
    drafted = numbered(wanted, systems.make(wanted))
    clear_pairings([pairing for pairing in pairings if not is_kept(pairing)])
    write_pairings(round_, drafted, {entry.number: entry for entry in wanted.registrations})
    round_.seed, round_.certificate = seed, dict(drafted.certificate)
    round_.relaxations = stored_reasons(drafted.relaxations)
    # Changes before this moment are part of the draft.
    round_.created_at = timezone.now()
    round_.save(update_fields=["seed", "certificate", "relaxations", "created_at"])
    stay = sorted(pairing.table_number for pairing in kept if pairing.table_number)
    after = {"kept_tables": stay, "pairings": queries.logged_pairings(round_)}
    public = not round_.is_draft
    history.record(
        tournament, NOBODY, LogAction.REST_PAIRED_ANEW, round_, after=after, public=public
    )
    if public:
        penalising.take_effect(round_)


def _wanted(round_: Round, seed: int, kept: Sequence[Pairing]) -> Wanted:
    tournament = round_.stage.tournament
    everybody = {entry.player_id: entry for entry in queries.roster(tournament)}
    wanted = {entry.number: entry for entry in queries.players_of(round_.stage)}
    wanted |= {entry.number: entry for pairing in kept for entry in _seated(pairing, everybody)}
    return Wanted(
        stage=round_.stage,
        number=round_.number,
        seed=seed,
        registrations=tuple(wanted[number] for number in sorted(wanted)),
        kept=tuple(_as_kept(pairing, everybody) for pairing in kept),
    )


def _seated(pairing: Pairing, everybody: dict[int, Registration]) -> list[Registration]:
    """Return the players of this table; raise LockedPlayerLeft if one has left before a report."""
    players = [everybody[player] for player in pairing.players]
    gone = [entry for entry in players if not queries.is_reported(pairing) and not entry.is_active]
    if gone:
        raise LockedPlayerLeft(
            f"{gone[0].player} has left the event, but {pairing} is locked. Unlock it first."
        )
    return players


def _as_kept(pairing: Pairing, everybody: dict[int, Registration]) -> Kept:
    numbers = tuple(entry.number for entry in _seated(pairing, everybody))
    if pairing.table_number is None:
        return LockedBye(numbers[0])
    return LockedPod(pairing.table_number, numbers)


def numbered(wanted: Wanted, drafted: Drafted) -> Drafted:
    """Assign the table numbers of this room; locked tables keep theirs.

    A fixed table that a player could not get is added to the relaxations.
    """
    tournament = wanted.stage.tournament
    entries = {entry.number: entry for entry in wanted.registrations}
    numbers, clashes = table_plan.seated(
        [_wish(table, entries) for table in drafted.tables],
        room=table_plan.numbers_of(tournament.table_numbers),
        feature=table_plan.numbers_of(tournament.feature_tables),
        reserved=queries.fixed_tables(tournament),
    )
    tables = [
        replace(table, number=number) for table, number in zip(drafted.tables, numbers, strict=True)
    ]
    not_given = [_clash_reason(drafted.tables[clash.place], clash, entries) for clash in clashes]
    return replace(
        drafted,
        tables=tuple(sorted(tables, key=lambda table: table.number)),
        relaxations=(*drafted.relaxations, *not_given),
    )


def _wish(table: NewTable, entries: dict[int, Registration]) -> Wish:
    players = [entries[int(player)] for player in table.players]
    return Wish(
        fixed=tuple(entry.fixed_table for entry in players if entry.fixed_table is not None),
        avoids_stream=any(entry.is_off_stream for entry in players),
        kept=table.number if table.locked else None,
    )


def _clash_reason(table: NewTable, clash: Clash, entries: dict[int, Registration]) -> Reason:
    wants_it = [
        player for player in table.players if entries[int(player)].fixed_table == clash.number
    ]
    text = f"{{0}} has table {clash.number} as a fixed table, but somebody else needs it too."
    return Reason(FIXED_TABLE_TAKEN, tuple(wants_it[:1]), text)


def write_pairings(
    round_: Round, drafted: Drafted, registrations: Mapping[PlayerId, Registration]
) -> None:
    """Create tables with their matches, then byes; locked ones exist already."""
    new_tables = [table for table in drafted.tables if not table.locked]
    made = matches.create_matches(
        [_new_match(round_, table, registrations) for table in new_tables]
    )
    tables = [
        Pairing(
            round=round_,
            table_number=table.number,
            match=match,
            bracket_game=table.bracket_game,
            **_cost_and_reasons(table),
        )
        for table, match in zip(new_tables, made, strict=True)
    ]
    byes = [
        Pairing(
            round=round_,
            bye=registrations[bye.player],
            bye_points=round_.stage.tournament.bye_points,
            **_cost_and_reasons(bye),
        )
        for bye in drafted.byes
        if not bye.locked
    ]
    Pairing.objects.bulk_create([*tables, *byes])


def clear_pairings(pairings: Iterable[Pairing]) -> None:
    """Delete tables and byes of a round, with their unreported matches."""
    used = {pairing.pk: pairing.match_id for pairing in pairings}
    Pairing.objects.filter(pk__in=used).delete()
    matches.delete_matches(match for match in used.values() if match is not None)


def _new_match(
    round_: Round, table: NewTable, registrations: Mapping[PlayerId, Registration]
) -> matches.NewMatch:
    return matches.NewMatch(
        players=tuple(registrations[player].player_id for player in table.players),
        scoring_rule=round_.stage.scoring_rule,
        game_system=round_.stage.tournament.game,
    )


def stored_reasons(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    """Return reasons as stored on a row: {"kind", "players", "text"} each."""
    return [
        {"kind": reason.kind, "players": list(reason.players), "text": reason.text}
        for reason in reasons
    ]


def _cost_and_reasons(entry: NewTable | PairedBye) -> dict[str, Any]:
    return {"cost": dict(entry.cost), "reasons": stored_reasons(entry.reasons)}
