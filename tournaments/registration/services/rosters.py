"""Staff changes of the roster: add and remove players, set byes, seeds and preferences."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal, StaleVersion
from engine.systems import CUTS
from players import services as player_services
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.event.attendance import BATCH
from tournaments.event.services import request_standings
from tournaments.models import (
    LogAction,
    Registration,
    StageEntry,
    Standing,
    Tournament,
    log_actions,
)
from tournaments.registration.pasted_roster import RosterLine
from tournaments.registration.services.registrations import AlreadyPlayed, refuse_fixed_order
from tournaments.registration.services.waiting_list import fill_places
from tournaments.rounds.services import late_entries

# Limits in characters, for the avoid group and for the reason of a late entry.
LONGEST_GROUP = 40
LONGEST_REASON = 200


class RosterHasChanged(Refusal):
    """The roster changed since the list was compared with it."""


@dataclass(frozen=True)
class NewEntry:
    """A player to add to the roster."""

    name: str
    pronouns: str = ""
    seed: int | None = None
    first_round_bye: bool = False
    avoid_group: str = ""
    has_paid: bool = False

    @classmethod
    def of_line(cls, line: RosterLine) -> Self:
        return cls(
            line.name,
            line.pronouns,
            line.seed,
            first_round_bye=line.first_round_bye,
            has_paid=line.has_paid,
        )


@transaction.atomic
def add_entries(
    tournament: Tournament,
    entries: Iterable[NewEntry],
    actor: Actor,
    *,
    seen: int | None = None,
    late_reason: str = "",
    payers: Collection[int | str] = (),
) -> list[Registration]:
    """Add players as staff, even if registration is closed or the event is full.

    `seen` is the newest of `log_actions.ROSTER_CHANGES` when the list was compared with the roster;
    RosterHasChanged is raised if the roster changed since. So a repeated click adds no duplicates.
    Raises TooLate after the last round for late entries, unless there is a `late_reason`. Players
    on the roster with numbers in `payers` are marked as paid.
    """
    locked = history.lock_unfinished(tournament)
    if seen is not None and seen != queries.newest_log_id(locked, log_actions.ROSTER_CHANGES):
        raise RosterHasChanged("The roster has changed. Check the preview again, then add.")
    wanted = list(entries)
    if wanted or not payers:
        refuse_fixed_order(locked)
        late_entries.refuse_too_late(locked, late_reason)
    added = _made(locked, wanted)
    _record(locked, actor, added, late_reason)
    paying = [place for place, entry in zip(added, wanted, strict=True) if entry.has_paid]
    known = locked.registrations.filter(number__in=payers) if payers else ()
    set_paid(locked, [*paying, *known], actor, has_paid=True)
    return added


def _made(tournament: Tournament, entries: list[NewEntry]) -> list[Registration]:
    players = player_services.create_players((entry.name, entry.pronouns) for entry in entries)
    first = queries.next_entrant_number(tournament)
    joined = queries.next_round_number(tournament)
    return Registration.objects.bulk_create(
        Registration(
            tournament=tournament,
            player=player,
            number=first + place,
            seed=entry.seed,
            first_round_bye=entry.first_round_bye,
            avoid_group=entry.avoid_group,
            joined_in_round=joined,
        )
        for place, (entry, player) in enumerate(zip(entries, players, strict=True))
    )


def _record(
    tournament: Tournament, actor: Actor, added: list[Registration], late_reason: str
) -> None:
    changes = [history.Change(registration) for registration in added]
    history.record_all(tournament, actor, LogAction.PLAYER_REGISTERED, changes)
    if late_reason and added:
        late_entries.record_override(tournament, actor, added, late_reason)


@transaction.atomic
def remove(registration: Registration, actor: Actor) -> None:
    """Remove a player who was never paired from the roster.

    Raises AlreadyPlayed, PlayerRemoved.
    """
    tournament = history.lock_unfinished(registration.tournament)
    history.read_again(registration, "state")
    _refuse_to_remove(registration)
    places = StageEntry.objects.filter(registration=registration)
    # The next draft recreates the order of a round robin that is not published yet.
    places.exclude(stage__system__in=CUTS).delete()
    if places.exists():
        raise AlreadyPlayed(
            f"{registration.player} has a place in the cut. Drop the player instead."
        )
    late_entries.take_back(tournament, registration, actor)
    before = {"number": registration.number}
    history.record(tournament, actor, LogAction.PLAYER_REMOVED, registration.player, before=before)
    registration.delete()
    fill_places(tournament)


@transaction.atomic
def remove_sign_ups(
    tournament: Tournament, numbers: Collection[int], actor: Actor
) -> list[Registration]:
    """Remove players with these numbers who signed up themselves, and return them.

    Players who were paired, or left any other trace, are not removed.
    """
    locked = history.lock_unfinished(tournament)
    going = list(queries.removable_sign_ups(locked).filter(number__in=numbers))
    StageEntry.objects.filter(registration__in=going).delete()
    changes = [history.Change(one.player, before={"number": one.number}) for one in going]
    history.record_all(locked, actor, LogAction.PLAYER_REMOVED, changes)
    Registration.objects.filter(pk__in=[one.pk for one in going]).delete()
    fill_places(locked)
    return going


def _refuse_to_remove(registration: Registration) -> None:
    player = registration.player
    if queries.has_been_paired(registration):
        raise AlreadyPlayed(f"{player} has been paired. Drop the player instead.")
    if Standing.objects.filter(registration=registration).exists():
        raise AlreadyPlayed(f"{player} is in standings. Drop the player instead.")
    if registration.penalties.exists():
        raise AlreadyPlayed(f"{player} has had a penalty. Drop the player instead.")
    if registration.deck_submissions.exclude(checks=None).exists():
        raise AlreadyPlayed(f"A deck of {player} was drawn for a check. Drop the player instead.")


@transaction.atomic
def set_first_round_bye(registration: Registration, actor: Actor, *, has_bye: bool) -> None:
    """Give or take away the bye in round 1, before that round is paired. Idempotent."""
    tournament = history.lock_unfinished(registration.tournament)
    history.read_again(registration, "first_round_bye")
    if registration.first_round_bye == has_bye:
        return
    _refuse_round_one(tournament)
    registration.first_round_bye = has_bye
    registration.save(update_fields=["first_round_bye"])
    action = LogAction.FIRST_ROUND_BYE_GIVEN if has_bye else LogAction.FIRST_ROUND_BYE_TAKEN
    history.record(tournament, actor, action, registration)


def _refuse_round_one(tournament: Tournament) -> None:
    if queries.rounds(tournament).exists():
        raise AlreadyPlayed("Round 1 is paired already. Undo its draft to change its byes.")


@transaction.atomic
def set_paid(
    tournament: Tournament, places: Sequence[Registration], actor: Actor, *, has_paid: bool
) -> int:
    """Mark players as paid, or not paid, and return how many changed.

    Only a note for the door: no money is handled, and nothing else depends on it.
    """
    locked = history.lock_unfinished(tournament)
    rows = locked.registrations.select_related("player").filter(paid_at__isnull=has_paid)
    moved = list(rows.filter(pk__in=[one.pk for one in places]))
    for one in moved:
        one.paid_at = timezone.now() if has_paid else None
    Registration.objects.bulk_update(moved, ["paid_at"], batch_size=BATCH)
    action = LogAction.MARKED_AS_PAID if has_paid else LogAction.PAID_MARK_TAKEN_BACK
    changes = [history.Change(one) for one in moved]
    history.record_all(locked, actor, action, changes, players=[one.player_id for one in moved])
    return len(moved)


@transaction.atomic
def set_fixed_table(registration: Registration, actor: Actor, table: int | None) -> None:
    """Set the player's table from the next draft, or clear it with None."""
    _set(registration, actor, fixed_table=table)


@transaction.atomic
def set_avoids_stream(registration: Registration, actor: Actor, *, avoids: bool) -> None:
    """Set whether the player avoids feature tables, from the next draft."""
    _set(registration, actor, avoids_stream=avoids)


def _set(registration: Registration, actor: Actor, **wish: int | bool | None) -> None:
    tournament = history.lock_unfinished(registration.tournament)
    history.read_again(registration, *wish)
    before = {key: getattr(registration, key) for key in wish}
    if before == wish:
        return
    for key, value in wish.items():
        setattr(registration, key, value)
    registration.save(update_fields=list(wish))
    # The reason for a fixed table is private, so public pages do not change. Only the stream page
    # must stop showing a player who avoids it.
    history.record(
        tournament,
        actor,
        LogAction.TABLE_WISH_SET,
        registration,
        before=before,
        after=wish,
        public="avoids_stream" in wish,
    )


@transaction.atomic
def set_seed_and_group(
    registration: Registration,
    actor: Actor,
    *,
    seed: int | None,
    avoid_group: str,
    seen: tuple[int | None, str] | None = None,
) -> None:
    """Set a player's seed, 1 being the best, and avoid group; None and "" clear them.

    Existing standings are recomputed, because a seed orders players with equal points. `seen` are
    seed and group when the form was rendered. Raises StaleVersion if they changed since.
    """
    tournament = history.lock_unfinished(registration.tournament)
    history.read_again(registration, "seed", "avoid_group")
    if seen not in (None, (registration.seed, registration.avoid_group)):
        raise StaleVersion(
            f"Somebody else changed the seed and group of {registration.player} meanwhile. Now "
            f"recorded: {_seed_in_words(registration.seed, registration.avoid_group)}. You "
            f"entered: {_seed_in_words(seed, avoid_group)}. Check them as they are now, then "
            "save again.",
            recorded={"seed": registration.seed, "avoid_group": registration.avoid_group},
            entered={"seed": seed, "avoid_group": avoid_group},
        )
    before = {"seed": registration.seed, "avoid_group": registration.avoid_group}
    after = {"seed": seed, "avoid_group": avoid_group}
    if before == after:
        return
    registration.seed, registration.avoid_group = seed, avoid_group
    registration.save(update_fields=["seed", "avoid_group"])
    history.record(
        tournament, actor, LogAction.SEED_AND_GROUP_SET, registration, before=before, after=after
    )
    if before["seed"] != seed and queries.has_standings(tournament):
        request_standings(tournament, from_round=1)


def _seed_in_words(seed: int | None, group: str) -> str:
    return f"{f'seed {seed}' if seed else 'no seed'}, {f'group {group}' if group else 'no group'}"
