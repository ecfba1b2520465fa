"""Staff changes of the roster: add, remove, seed and merge players, set byes and preferences."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import Refusal, StaleVersion
from decks.models import Side
from engine.systems import CUT_SYSTEMS
from players import services as player_services
from players.models import Player
from tournaments.event import history
from tournaments.event import services as event_services
from tournaments.event.permissions import Actor
from tournaments.event.services import ROWS_PER_STATEMENT, request_standings
from tournaments.models import (
    LogAction,
    MailWish,
    PushSubscription,
    Registration,
    RegistrationState,
    StageEntry,
    Standing,
    StatedIdentity,
    Tournament,
    event_log,
)
from tournaments.ratings import queries as rating_queries
from tournaments.registration import services
from tournaments.registration.pasted_roster import RosterLine
from tournaments.registration.services import AlreadyPlayed, fill_places, refuse_fixed_order
from tournaments.rounds import late_entries

# Limits in characters, for the avoid group and for the reason of a late entry.
MAX_GROUP_LENGTH = 40
MAX_REASON_LENGTH = 200


class RosterHasChanged(Refusal):
    pass


@dataclass(frozen=True)
class NewEntry:
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
    is_here: bool = False,
) -> list[Registration]:
    """Add players as staff, even if registration is closed or the event is full.

    `seen` is the newest of `event_log.ROSTER_CHANGES` when the list was compared with the roster;
    RosterHasChanged is raised if the roster changed since. So a repeated click adds no duplicates.
    Raises TooLate after the last round for late entries, unless there is a `late_reason`. Players
    on the roster with numbers in `payers` are marked as paid. `is_here` also checks the new players
    in.
    """
    locked = history.lock_unfinished(tournament)
    if seen is not None and seen != locked.log.newest_id(event_log.ROSTER_CHANGES):
        raise RosterHasChanged(_("The roster has changed. Check the preview again, then add."))
    new = list(entries)
    if new or not payers:
        refuse_fixed_order(locked)
        late_entries.refuse_too_late(locked, late_reason)
    added = _create_registrations(locked, new)
    changes = [history.LoggedChange(registration) for registration in added]
    history.record_all(locked, actor, LogAction.PLAYER_REGISTERED, changes)
    if is_here:
        services.check_in(added, actor, late_reason=late_reason)
    elif late_reason and added:
        late_entries.record_late_entry_override(locked, actor, added, late_reason)
    paying = [place for place, entry in zip(added, new, strict=True) if entry.has_paid]
    known = locked.registrations.filter(number__in=payers) if payers else ()
    set_paid(locked, [*paying, *known], actor, has_paid=True)
    return added


def _create_registrations(tournament: Tournament, entries: list[NewEntry]) -> list[Registration]:
    players = player_services.create_players((entry.name, entry.pronouns) for entry in entries)
    first = tournament.next_player_number()
    joined = tournament.next_round_number()
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


@transaction.atomic
def remove_player(registration: Registration, actor: Actor) -> None:
    """Remove a player who was never paired. Raises AlreadyPlayed, PlayerRemoved."""
    tournament = history.lock_unfinished(registration.tournament)
    history.reload_registration(registration, "state")
    _refuse_to_remove(registration)
    places = StageEntry.objects.filter(registration=registration)
    # The next draft recreates the order of a round robin that is not published yet.
    places.exclude(stage__system__in=CUT_SYSTEMS).delete()
    if places.exists():
        raise AlreadyPlayed(
            _("%(player)s has a place in the cut. Drop the player instead.")
            % {"player": registration.player}
        )
    late_entries.undo_late_entry(tournament, registration, actor)
    before = {"number": registration.number}
    history.record(tournament, actor, LogAction.PLAYER_REMOVED, registration.player, before=before)
    registration.delete()
    fill_places(tournament)


@transaction.atomic
def remove_sign_ups(
    tournament: Tournament, numbers: Collection[int], actor: Actor
) -> list[Registration]:
    locked = history.lock_unfinished(tournament)
    removed = list(locked.removable_sign_ups().filter(number__in=numbers))
    StageEntry.objects.filter(registration__in=removed).delete()
    changes = [history.LoggedChange(row.player, before={"number": row.number}) for row in removed]
    history.record_all(locked, actor, LogAction.PLAYER_REMOVED, changes)
    Registration.objects.filter(pk__in=[row.pk for row in removed]).delete()
    fill_places(locked)
    return removed


def _refuse_to_remove(registration: Registration) -> None:
    player = registration.player
    if registration.has_been_paired():
        raise AlreadyPlayed(
            _("%(player)s has been paired. Drop the player instead.") % {"player": player}
        )
    if Standing.objects.filter(registration=registration).exists():
        raise AlreadyPlayed(
            _("%(player)s is in the standings. Drop the player instead.") % {"player": player}
        )
    if registration.penalties.exists():
        raise AlreadyPlayed(
            _("%(player)s has had a penalty. Drop the player instead.") % {"player": player}
        )
    if registration.deck_submissions.exclude(checks=None).exists():
        raise AlreadyPlayed(
            _("A deck of %(player)s was drawn for a check. Drop the player instead.")
            % {"player": player}
        )


@transaction.atomic
def set_first_round_bye(registration: Registration, actor: Actor, *, has_bye: bool) -> None:
    """Give or take away the bye in round 1, before that round is paired. Idempotent."""
    tournament = history.lock_unfinished(registration.tournament)
    history.reload_registration(registration, "first_round_bye")
    if registration.first_round_bye == has_bye:
        return
    if tournament.rounds.exists():
        raise AlreadyPlayed(_("Round 1 is already paired. Discard its draft to change its byes."))
    registration.first_round_bye = has_bye
    registration.save(update_fields=["first_round_bye"])
    action = LogAction.FIRST_ROUND_BYE_GIVEN if has_bye else LogAction.FIRST_ROUND_BYE_TAKEN
    history.record(tournament, actor, action, registration)


@transaction.atomic
def set_paid(
    tournament: Tournament, registrations: Sequence[Registration], actor: Actor, *, has_paid: bool
) -> int:
    """Mark players as paid, or not paid, and return how many changed."""
    locked = history.lock_unfinished(tournament)
    rows = locked.registrations.select_related("player").filter(paid_at__isnull=has_paid)
    changed = list(rows.filter(pk__in=[row.pk for row in registrations]))
    for row in changed:
        row.paid_at = timezone.now() if has_paid else None
    Registration.objects.bulk_update(changed, ["paid_at"], batch_size=ROWS_PER_STATEMENT)
    action = LogAction.MARKED_AS_PAID if has_paid else LogAction.PAID_MARK_TAKEN_BACK
    changes = [history.LoggedChange(row) for row in changed]
    history.record_all(locked, actor, action, changes, players=[row.player_id for row in changed])
    return len(changed)


@transaction.atomic
def set_fixed_table(registration: Registration, actor: Actor, table: int | None) -> None:
    """Set the player's table from the next draft, or clear it with None."""
    _set_preference(registration, actor, fixed_table=table)


@transaction.atomic
def set_avoids_stream(registration: Registration, actor: Actor, *, avoids: bool) -> None:
    _set_preference(registration, actor, avoids_stream=avoids)


@transaction.atomic
def set_table_preferences(
    registration: Registration,
    actor: Actor,
    *,
    fixed_table: int | None,
    avoids_stream: bool,
    seen: tuple[int | None, bool] | None = None,
) -> None:
    """Set the fixed table and whether the player avoids feature tables.

    `seen` are both values when the form was rendered. Raises StaleVersion if they changed since.
    """
    history.lock_unfinished(registration.tournament)
    history.reload_registration(registration, "fixed_table", "avoids_stream")
    recorded = registration.fixed_table, registration.avoids_stream
    if seen not in (None, recorded):
        raise StaleVersion(
            _(
                "The table preferences of %(player)s have changed since you opened this form. "
                "Check the current values, then save again."
            )
            % {"player": registration.player},
            recorded={"fixed_table": recorded[0], "avoids_stream": recorded[1]},
            entered={"fixed_table": fixed_table, "avoids_stream": avoids_stream},
        )
    set_fixed_table(registration, actor, fixed_table)
    set_avoids_stream(registration, actor, avoids=avoids_stream)


def _set_preference(
    registration: Registration, actor: Actor, **preference: int | bool | None
) -> None:
    tournament = history.lock_unfinished(registration.tournament)
    history.reload_registration(registration, *preference)
    before = {key: getattr(registration, key) for key in preference}
    if before == preference:
        return
    for key, value in preference.items():
        setattr(registration, key, value)
    registration.save(update_fields=list(preference))
    # The reason for a fixed table is private, so public pages do not change. Only the stream page
    # must stop showing a player who avoids it.
    history.record(
        tournament,
        actor,
        LogAction.TABLE_WISH_SET,
        registration,
        before=before,
        after=preference,
        public="avoids_stream" in preference,
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
    history.reload_registration(registration, "seed", "avoid_group")
    if seen not in (None, (registration.seed, registration.avoid_group)):
        raise StaleVersion(
            _(
                "The seed and group of %(player)s have changed since you opened the page. "
                "Now recorded: %(recorded)s. You entered: %(entered)s. Check the current values, "
                "then save again."
            )
            % {
                "player": registration.player,
                "recorded": _seed_in_words(registration.seed, registration.avoid_group),
                "entered": _seed_in_words(seed, avoid_group),
            },
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
    if before["seed"] != seed and tournament.has_standings():
        request_standings(tournament, from_round=1)


def _seed_in_words(seed: int | None, group: str) -> str:
    return f"{f'seed {seed}' if seed else 'no seed'}, {f'group {group}' if group else 'no group'}"


# Seeds by rating


# Seed by player number.
SeedsByNumber = Mapping[int, int | None]


@dataclass(frozen=True)
class SeedingCounts:
    rated: int
    unrated: int

    def __str__(self) -> str:
        return f"{self.rated} by rating, {self.unrated} without"


@transaction.atomic
def seed_by_rating(tournament: Tournament, actor: Actor) -> SeedingCounts:
    """Seed all players by rating: 1 has the highest rating, equal ratings share a seed.

    Unrated players share the last seed, so a random draw decides among them. Includes the waiting
    list, but not dropped players. Raises AlreadyPlayed once round 1 is paired.
    """
    locked = history.lock_unfinished(tournament)
    field = locked.registrations.exclude(state=RegistrationState.DROPPED)
    numbers = set(field.values_list("number", flat=True))
    ratings = rating_queries.current_ratings(locked)
    values = {number: ratings[number] for number in numbers & ratings.keys()}
    best_first = sorted(values.values(), reverse=True)
    by_rating = {number: best_first.index(value) + 1 for number, value in values.items()}
    last = dict.fromkeys(numbers - values.keys(), len(values) + 1)
    done = SeedingCounts(len(by_rating), len(last))
    set_seeds(locked, actor, {**last, **by_rating}, str(done))
    return done


@transaction.atomic
def set_seeds(tournament: Tournament, actor: Actor, seeds: SeedsByNumber, subject: str) -> None:
    """Set seeds by player number, in a single log entry. Raises AlreadyPlayed."""
    locked = history.lock_unfinished(tournament)
    if locked.rounds.exists():
        raise AlreadyPlayed(
            _("Round 1 is already paired. Discard its draft to seed the players again.")
        )
    changed = [
        row
        for row in locked.registrations.filter(number__in=list(seeds))
        if row.seed != seeds[row.number]
    ]
    if not changed:
        return
    before = {str(row.number): row.seed for row in changed}
    for row in changed:
        row.seed = seeds[row.number]
    Registration.objects.bulk_update(changed, ["seed"], batch_size=ROWS_PER_STATEMENT)
    after = {str(row.number): row.seed for row in changed}
    history.record(
        locked,
        actor,
        LogAction.SEEDED_BY_RATING,
        subject,
        before={"seeds": before},
        after={"seeds": after},
    )


# Merging of duplicate entries


# Fields taken from the merged entry if empty in the kept entry, with their empty values.
TRANSFERRED_FIELDS: dict[str, Any] = {
    "seed": None,
    "avoid_group": "",
    "fixed_table": None,
    "avoids_stream": False,
    "meeting_table": None,
    "first_round_bye": False,
    "paid_at": None,
    "day_two_at": None,
}
# Related rows that move to the kept entry.
TRANSFERRED_ROWS = {
    "phones": PushSubscription,
    "mail_wish": MailWish,
    "stated_identities": StatedIdentity,
}
STATES_WITH_PLACE = (RegistrationState.REGISTERED, RegistrationState.CHECKED_IN)


class CannotMerge(Refusal):
    """The entries belong to different players, or the wrong entry would be removed."""


@transaction.atomic
def merge_entries(target: Registration, duplicate: Registration, actor: Actor, reason: str) -> None:
    """Remove `duplicate` from the roster and merge it into `target`, which gets the better place.

    The log stores the values of `duplicate`, and which were transferred, for `undo_entry_merge`.
    Raises CannotMerge, AlreadyPlayed, PlayerRemoved, and the refusals of a check-in.
    """
    tournament = history.lock_unfinished(target.tournament)
    for entry in (target, duplicate):
        history.reload_registration(entry)
        entry.tournament = tournament
    _refuse_two_people(target, duplicate)
    # The entry with rounds, account, phone and decks has to be the one that is kept.
    _refuse_paired(target, duplicate)
    _refuse_account_or_phone(target, duplicate)
    _refuse_decks(target, duplicate)
    _refuse_identities(target, duplicate)
    _refuse_dropped(target, duplicate)
    removed = {
        **_values_for_log(duplicate),
        "rows": _move_rows(target, duplicate),
        "place": _place_for_log(target),
    }
    transferred = {"player": target.player_id, "fields": _copy_missing_fields(target, duplicate)}
    _take_better_place(target, duplicate, actor)
    transferred["place"] = _place_for_log(target)
    player_services.add_former_names(target.player, duplicate.player)
    remove_player(duplicate, actor)
    history.record(
        tournament,
        actor,
        LogAction.ENTRIES_MERGED,
        target,
        before={"number": duplicate.number, "merged": removed},
        after={"number": target.number, "merged": transferred},
        reason=reason,
    )


@transaction.atomic
def undo_entry_merge(
    target: Registration,
    number: int,
    removed: Mapping[str, Any],
    transferred: Mapping[str, Any],
    actor: Actor,
) -> Registration:
    """Restore the entry merged into `target`, without its check-in.

    `removed` and `transferred` are the "merged" values in the log. Both entries get back their
    values, except values changed since. If the event is full, the restored entry is put on the
    waiting list. Raises OrderIsFixed, and CannotMerge if its player was erased or is on the roster.
    """
    tournament = history.lock_unfinished(target.tournament)
    history.reload_registration(target)
    target.tournament = tournament
    services.refuse_fixed_order(tournament)
    records = Player.objects.select_for_update().filter(erased_at=None, merged_into=None)
    player = records.filter(pk=removed["player"]).first()
    taken_up = tournament.registrations.filter(Q(number=number) | Q(player=removed["player"]))
    if player is None or taken_up.exists():
        raise CannotMerge(
            _("Number %(number)s cannot be restored. Add the player again.") % {"number": number}
        )
    keeps_place = not _can_restore_place(target, removed["place"], transferred["place"])
    entry = _recreate_entry(tournament, player, number, removed, keeps_place=keeps_place)
    history.record(tournament, actor, LogAction.PLAYER_REGISTERED, entry)
    _restore_fields(target, entry, removed, transferred)
    _restore_place(target, removed["place"], transferred["place"], actor)
    player_services.remove_former_names(target.player, player)
    services.seat_latecomers(tournament)
    services.fill_places(tournament)
    return entry


def _refuse_two_people(target: Registration, duplicate: Registration) -> None:
    if target.pk == duplicate.pk:
        raise CannotMerge(_("This is the same entry. Choose a different entry."))
    if target.player.erased_at is not None:
        raise CannotMerge(
            _("The data of this player was erased, so no entry can be merged into it.")
        )
    names = _names_of_both(target, duplicate)
    if target.player.user_id and duplicate.player.user_id:
        raise CannotMerge(
            _("%(target)s and %(duplicate)s both have an account, so they are two people.") % names
        )
    tables_of_duplicate = {table.round: table for table in duplicate.pairings()}
    for table in target.pairings():
        if same_round := tables_of_duplicate.get(table.round):
            text = (
                _("%(target)s and %(duplicate)s were paired against each other in round %(round)s.")
                if same_round.pk == table.pk
                else _("%(target)s and %(duplicate)s were both paired in round %(round)s.")
            )
            raise CannotMerge(text % {**names, "round": table.round.number})


def _refuse_paired(target: Registration, duplicate: Registration) -> None:
    if not duplicate.has_been_paired():
        return
    names = _names_of_both(target, duplicate)
    if target.has_been_paired():
        raise CannotMerge(
            _(
                "%(target)s and %(duplicate)s have both been paired, and rounds cannot move to "
                "another entry. Drop the entry that is no longer used."
            )
            % names
        )
    raise CannotMerge(
        _(
            "%(duplicate)s has been paired, so that entry stays. Open %(duplicate)s and merge "
            "%(target)s into it."
        )
        % names
    )


def _refuse_account_or_phone(target: Registration, duplicate: Registration) -> None:
    """Refuse to remove an entry with an account, or the only entry with a known phone."""
    is_paired, names = target.has_been_paired(), _names_of_both(target, duplicate)
    if duplicate.player.user_id and is_paired:
        raise CannotMerge(
            _(
                "%(duplicate)s has an account, but %(target)s has been paired as a guest, and "
                "rounds cannot move to an account. Remove the entry with the account instead."
            )
            % names
        )
    if duplicate.player.user_id:
        raise CannotMerge(
            _(
                "%(duplicate)s has an account, so that entry stays. Open %(duplicate)s and merge "
                "%(target)s into it."
            )
            % names
        )
    known = target.tournament.players_known_on_device()
    if known.filter(pk=target.pk).exists() or not known.filter(pk=duplicate.pk).exists():
        return
    if is_paired:
        raise CannotMerge(
            _(
                "%(duplicate)s is signed in on a phone, and %(target)s has been paired, so "
                "they cannot be merged yet. Give %(target)s a personal link, open it on that "
                "phone, then merge."
            )
            % names
        )
    raise CannotMerge(
        _(
            "%(duplicate)s is signed in on a phone, so that entry stays. Open %(duplicate)s and "
            "merge %(target)s into it."
        )
        % names
    )


def _refuse_decks(target: Registration, duplicate: Registration) -> None:
    sides, own = _deck_sides(duplicate), _deck_sides(target)
    names = _names_of_both(target, duplicate)
    for side in sorted(sides & own):
        raise CannotMerge(
            _(
                "%(target)s and %(duplicate)s have both submitted a %(side)s deck. Remove the "
                "entry whose decks are not needed from the roster instead."
            )
            % {**names, "side": Side(side).label}
        )
    for side in sorted(sides):
        text = (
            _(
                "%(duplicate)s has submitted a %(side)s deck and %(target)s has not. Submit it for "
                "%(target)s, then remove %(duplicate)s from the roster."
            )
            if own
            else _(
                "%(duplicate)s has submitted a %(side)s deck and %(target)s has not. Open "
                "%(duplicate)s and merge %(target)s into it."
            )
        )
        raise CannotMerge(text % {**names, "side": Side(side).label})


def _deck_sides(entry: Registration) -> set[str]:
    return set(entry.deck_submissions.values_list("side", flat=True))


def _refuse_identities(target: Registration, duplicate: Registration) -> None:
    own = dict(target.stated_identities.values_list("side", "title"))
    for side, title in duplicate.stated_identities.values_list("side", "title"):
        if own.get(side, title) != title:
            raise CannotMerge(
                _(
                    "%(target)s and %(duplicate)s played different %(side)s identities, so they "
                    "are two people."
                )
                % {**_names_of_both(target, duplicate), "side": Side(side).label}
            )


def _refuse_dropped(target: Registration, duplicate: Registration) -> None:
    dropped = RegistrationState.DROPPED
    if target.state != dropped or duplicate.state == dropped:
        return
    known = target.tournament.players_known_on_device().filter(pk=target.pk)
    text = _("Number %(target)s has dropped. Merge it into number %(duplicate)s.")
    if target.has_been_paired() or known.exists() or _deck_sides(target):
        text = _("Number %(target)s has dropped. Return that player first.")
    raise CannotMerge(text % {"target": target.number, "duplicate": duplicate.number})


def _names_of_both(target: Registration, duplicate: Registration) -> dict[str, str]:
    return {"target": _name_and_number(target), "duplicate": _name_and_number(duplicate)}


def _values_for_log(entry: Registration) -> dict[str, Any]:
    return {
        "player": entry.player_id,
        **{field: _logged_value(entry, field) for field in TRANSFERRED_FIELDS},
        **_place_for_log(entry),
        "dropped_by": entry.dropped_by,
        "dropped_at": entry.dropped_at and entry.dropped_at.isoformat(),
    }


def _logged_value(entry: Registration, field: str) -> Any:
    value = getattr(entry, field)
    return value.isoformat() if isinstance(value, datetime) else value


def _move_rows(target: Registration, duplicate: Registration) -> dict[str, list[int]]:
    phones = PushSubscription.objects.filter(registration=duplicate).exclude(
        endpoint__in=PushSubscription.objects.filter(registration=target).values("endpoint")
    )
    wishes = MailWish.objects.filter(registration=duplicate)
    if MailWish.objects.filter(registration=target).exists():
        wishes = wishes.none()
    sides = target.stated_identities.values("side")
    identities = duplicate.stated_identities.exclude(side__in=sides)
    moved = {
        "phones": list(phones.values_list("pk", flat=True)),
        "mail_wish": list(wishes.values_list("pk", flat=True)),
        "stated_identities": list(identities.values_list("pk", flat=True)),
    }
    _reassign_rows(moved, duplicate, target)
    return moved


def _reassign_rows(rows: Mapping[str, list[int]], from_: Registration, to: Registration) -> None:
    for name, keys in rows.items():
        TRANSFERRED_ROWS[name]._default_manager.filter(pk__in=keys, registration=from_).update(
            registration=to
        )


def _place_for_log(entry: Registration) -> dict[str, Any]:
    since = entry.created_at.isoformat()
    return {"state": entry.state, "since": since, "rank": entry.waiting_rank}


def _copy_missing_fields(target: Registration, duplicate: Registration) -> list[str]:
    fields = [
        field
        for field in TRANSFERRED_FIELDS
        if getattr(duplicate, field) and not getattr(target, field)
    ]
    if target.has_been_paired() and "first_round_bye" in fields:
        fields.remove("first_round_bye")
    if duplicate.state == RegistrationState.DROPPED:
        # A dropped player's meeting seat may be taken, and their check-in for day 2 is void.
        fields = [field for field in fields if field not in ("meeting_table", "day_two_at")]
    for field in fields:
        setattr(target, field, getattr(duplicate, field))
    target.save(update_fields=fields)
    _request_standings_for_seed(target.tournament, fields)
    return fields


def _request_standings_for_seed(tournament: Tournament, fields: list[str]) -> None:
    """Recompute standings after a new seed, which orders players with equal points."""
    if "seed" in fields and tournament.has_standings():
        request_standings(tournament, from_round=1)


def _take_better_place(target: Registration, duplicate: Registration, actor: Actor) -> None:
    """Give `target` the better place, before the place of `duplicate` goes to the waiting list."""
    waiting = RegistrationState.WAITING
    both_wait = target.state == duplicate.state == waiting
    if both_wait and duplicate.waiting_position() < target.waiting_position():
        target.created_at, target.waiting_rank = duplicate.created_at, duplicate.waiting_rank
        target.save(update_fields=["created_at", "waiting_rank"])
    if target.state == waiting and duplicate.state in STATES_WITH_PLACE:
        event_services.change_states(target.tournament, [target], actor, services.PLACE_MOVE)
    if duplicate.is_active and target.state == RegistrationState.REGISTERED:
        services.check_in([target], actor)
        target.refresh_from_db()


def _recreate_entry(
    tournament: Tournament,
    player: Player,
    number: int,
    removed: Mapping[str, Any],
    *,
    keeps_place: bool,
) -> Registration:
    """Recreate the removed entry without its check-in, waiting if its place is taken."""
    was_its_place = removed["place"]["state"] == RegistrationState.WAITING and not keeps_place
    state = RegistrationState.REGISTERED
    if removed["state"] not in STATES_WITH_PLACE:
        state = RegistrationState(removed["state"])
    elif tournament.is_full() and not was_its_place:
        state = RegistrationState.WAITING
    values = {field: removed.get(field, empty) for field, empty in TRANSFERRED_FIELDS.items()}
    values["paid_at"] = values["paid_at"] and datetime.fromisoformat(values["paid_at"])
    values["day_two_at"] = None
    if state not in STATES_WITH_PLACE or not tournament.meeting_is_on():
        values["meeting_table"] = None
    if tournament.rounds.exists():
        values["first_round_bye"] = False
    entry = Registration.objects.create(
        tournament=tournament,
        player=player,
        number=number,
        state=state,
        dropped_by=removed["dropped_by"],
        dropped_at=removed["dropped_at"] and datetime.fromisoformat(removed["dropped_at"]),
        waiting_rank=removed.get("rank"),
        joined_in_round=tournament.next_round_number(),
        **values,
    )
    entry.created_at = datetime.fromisoformat(removed["since"])
    entry.save(update_fields=["created_at"])
    # Link log entries of the player's own sign-up to the restored entry.
    joined = tournament.log.filter(action__in=event_log.SIGN_UPS, player=player)
    joined.filter(registration=None).update(registration=entry)
    return entry


def _restore_fields(
    target: Registration,
    entry: Registration,
    removed: Mapping[str, Any],
    transferred: Mapping[str, Any],
) -> None:
    _reassign_rows(removed["rows"], target, entry)
    fields = [
        name for name in transferred["fields"] if _logged_value(target, name) == removed.get(name)
    ]
    if target.tournament.rounds.exists() and "first_round_bye" in fields:
        fields.remove("first_round_bye")
    for field in fields:
        setattr(target, field, TRANSFERRED_FIELDS[field])
    target.save(update_fields=fields)
    _request_standings_for_seed(target.tournament, fields)


def _can_restore_place(
    target: Registration, was: Mapping[str, Any], became: Mapping[str, Any]
) -> bool:
    is_same = target.state == became["state"] and was["state"] != became["state"]
    return is_same and not target.has_been_paired()


def _restore_place(
    target: Registration, was: Mapping[str, Any], became: Mapping[str, Any], actor: Actor
) -> None:
    if target.created_at == datetime.fromisoformat(became["since"]):
        target.created_at = datetime.fromisoformat(was["since"])
        if target.waiting_rank == became.get("rank"):
            target.waiting_rank = was.get("rank")
        target.save(update_fields=["created_at", "waiting_rank"])
    if not _can_restore_place(target, was, became):
        return
    if target.is_active:
        services.undo_check_in(target, actor)
        target.refresh_from_db()
    if was["state"] == RegistrationState.WAITING:
        event_services.change_states(target.tournament, [target], actor, services.WAITING_LIST_MOVE)


def _name_and_number(entry: Registration) -> str:
    return f"{entry.player} (number {entry.number})"
