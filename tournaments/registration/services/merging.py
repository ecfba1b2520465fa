"""Merge duplicate entries of the same player, and undo that."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q

from core.errors import Refusal
from decks.models import Side
from players import services as player_services
from players.models import Player
from tournaments.event import attendance, history, queries
from tournaments.event.actors import Actor
from tournaments.event.services import request_standings
from tournaments.models import (
    LogAction,
    MailWish,
    PushSubscription,
    Registration,
    RegistrationState,
    StatedIdentity,
    Tournament,
    log_actions,
)
from tournaments.registration.services import meeting, registrations, rosters, waiting_list

# Fields taken from the merged entry if empty in the kept entry, with their empty values.
TAKEN_OVER: dict[str, Any] = {
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
ROWS = {"phones": PushSubscription, "mail_wish": MailWish, "stated_identities": StatedIdentity}
HAS_A_PLACE = (RegistrationState.REGISTERED, RegistrationState.CHECKED_IN)


class CannotMerge(Refusal):
    """The entries belong to different players, or the wrong entry would be removed."""


@transaction.atomic
def merge(kept: Registration, other: Registration, actor: Actor, reason: str) -> None:
    """Remove `other` from the roster and merge it into `kept`, which gets the better place.

    The log stores the values of `other`, and which were transferred, for `take_apart`. Raises
    CannotMerge, AlreadyPlayed, PlayerRemoved, and the refusals of a check-in.
    """
    tournament = history.lock_unfinished(kept.tournament)
    for entry in (kept, other):
        history.read_again(entry)
        entry.tournament = tournament
    _refuse_two_people(kept, other)
    _refuse_losing_more(kept, other)
    gone = {**_as_it_is(other), "rows": _move_rows(kept, other), "place": _place(kept)}
    taken = {"player": kept.player_id, "fields": _take_over(kept, other)}
    _take_place(kept, other, actor)
    taken["place"] = _place(kept)
    player_services.add_former_names(kept.player, other.player)
    rosters.remove(other, actor)
    history.record(
        tournament,
        actor,
        LogAction.ENTRIES_MERGED,
        kept,
        before={"number": other.number, "merged": gone},
        after={"number": kept.number, "merged": taken},
        reason=reason,
    )


@transaction.atomic
def take_apart(
    kept: Registration,
    number: int,
    gone: Mapping[str, Any],
    taken: Mapping[str, Any],
    actor: Actor,
) -> Registration:
    """Restore the entry merged into `kept`, without its check-in.

    `gone` and `taken` are the "merged" values in the log, before and after. Both entries get back
    their values, except values changed since. If the event is full, the restored entry is put on
    the waiting list. Raises CannotMerge if its player was erased or is on the roster, and
    OrderIsFixed.
    """
    tournament = history.lock_unfinished(kept.tournament)
    history.read_again(kept)
    kept.tournament = tournament
    registrations.refuse_fixed_order(tournament)
    records = Player.objects.select_for_update().filter(erased_at=None, merged_into=None)
    person = records.filter(pk=gone["player"]).first()
    there = tournament.registrations.filter(Q(number=number) | Q(player=gone["player"]))
    if person is None or there.exists():
        raise CannotMerge(f"Number {number} cannot come back: add the person again.")
    keeps_place = not _can_go_back(kept, gone["place"], taken["place"])
    entry = _made_anew(tournament, person, number, gone, keeps_place=keeps_place)
    history.record(tournament, actor, LogAction.PLAYER_REGISTERED, entry)
    _give_back(kept, entry, gone, taken)
    _give_place_back(kept, gone["place"], taken["place"], actor)
    player_services.take_former_names(kept.player, person)
    meeting.seat_latecomers(tournament)
    waiting_list.fill_places(tournament)
    return entry


def _refuse_two_people(kept: Registration, other: Registration) -> None:
    """Refuse entries with two accounts, or paired in the same round."""
    if kept.pk == other.pk:
        raise CannotMerge("This is the same entry. Choose the other one.")
    if kept.player.erased_at is not None:
        raise CannotMerge("The data of this player was erased, so nobody can be merged into it.")
    both = f"{_named(kept)} and {_named(other)}"
    if kept.player.user_id and other.player.user_id:
        raise CannotMerge(f"{both} both have an account, so they are two people here.")
    theirs = {table.round: table for table in queries.all_pairings_of(other)}
    for table in queries.all_pairings_of(kept):
        if found := theirs.get(table.round):
            where = "against each other" if found.pk == table.pk else "at once"
            raise CannotMerge(f"{both} were paired {where} in round {table.round.number}.")


def _refuse_losing_more(kept: Registration, other: Registration) -> None:
    """Require that the entry with rounds, account, phone and decks is kept."""
    _refuse_paired(kept, other)
    _refuse_known(kept, other)
    _refuse_decks(kept, other)
    _refuse_identities(kept, other)
    _refuse_dropped(kept, other)


def _refuse_paired(kept: Registration, other: Registration) -> None:
    if not queries.has_been_paired(other):
        return
    if queries.has_been_paired(kept):
        raise CannotMerge(
            f"{_named(kept)} and {_named(other)} have both been paired, and rounds cannot "
            "move to another entry. Drop the entry that is no longer used."
        )
    raise CannotMerge(
        f"{_named(other)} has been paired, so that entry stays. {_instead(kept, other)}"
    )


def _refuse_known(kept: Registration, other: Registration) -> None:
    """Refuse to remove an entry with an account, or the only entry with a known phone."""
    is_paired = queries.has_been_paired(kept)
    if other.player.user_id and is_paired:
        raise CannotMerge(
            f"{_named(other)} has an account, and {_named(kept)} has been paired as a guest: "
            "rounds cannot move to an account. Remove the entry with the account instead."
        )
    if other.player.user_id:
        raise CannotMerge(
            f"{_named(other)} has an account, so that entry stays. {_instead(kept, other)}"
        )
    known = queries.known_on_a_device(kept.tournament)
    if known.filter(pk=kept.pk).exists() or not known.filter(pk=other.pk).exists():
        return
    if is_paired:
        raise CannotMerge(
            f"{_named(other)} is on a phone, and {_named(kept)} has been paired: rounds cannot "
            f"move. Give {_named(kept)} a personal link, open it on that phone, then merge."
        )
    raise CannotMerge(
        f"The phone of {_named(other)} is known, so that entry stays. {_instead(kept, other)}"
    )


def _refuse_decks(kept: Registration, other: Registration) -> None:
    theirs, own = _sides(other), _sides(kept)
    for side in sorted(theirs & own):
        raise CannotMerge(
            f"{_named(kept)} and {_named(other)} have both handed in a {Side(side).label} deck. "
            "Remove the entry whose decks are not needed from the roster instead."
        )
    for side in sorted(theirs):
        advice = _instead(kept, other)
        if own:
            advice = f"Hand it in for {_named(kept)}, then remove {_named(other)} from the roster."
        raise CannotMerge(
            f"{_named(other)} has handed in a {Side(side).label} deck that {_named(kept)} has "
            f"not. {advice}"
        )


def _sides(entry: Registration) -> set[str]:
    return set(entry.deck_submissions.values_list("side", flat=True))


def _refuse_identities(kept: Registration, other: Registration) -> None:
    own = dict(kept.stated_identities.values_list("side", "title"))
    for side, title in other.stated_identities.values_list("side", "title"):
        if own.get(side, title) != title:
            raise CannotMerge(
                f"{_named(kept)} and {_named(other)} played different {Side(side).label} "
                "identities, so they are two people here."
            )


def _refuse_dropped(kept: Registration, other: Registration) -> None:
    """Refuse to merge an entry that has not dropped into a dropped entry."""
    dropped = RegistrationState.DROPPED
    if kept.state != dropped or other.state == dropped:
        return
    known = queries.known_on_a_device(kept.tournament).filter(pk=kept.pk)
    if queries.has_been_paired(kept) or known.exists() or _sides(kept):
        raise CannotMerge(f"Number {kept.number} has dropped. Return that player first.")
    raise CannotMerge(f"Number {kept.number} has dropped. Merge it into number {other.number}.")


def _instead(kept: Registration, other: Registration) -> str:
    return f"Open {_named(other)} and merge {_named(kept)} into it."


def _as_it_is(entry: Registration) -> dict[str, Any]:
    """The values of the removed entry for the log."""
    return {
        "player": entry.player_id,
        **{field: _kept(entry, field) for field in TAKEN_OVER},
        **_place(entry),
        "dropped_by": entry.dropped_by,
        "dropped_at": entry.dropped_at and entry.dropped_at.isoformat(),
    }


def _kept(entry: Registration, field: str) -> Any:
    """The field as stored in the log."""
    value = getattr(entry, field)
    return value.isoformat() if isinstance(value, datetime) else value


def _move_rows(kept: Registration, other: Registration) -> dict[str, list[int]]:
    """Move phones, email preference and identities that `kept` lacks; return their pks."""
    phones = PushSubscription.objects.filter(registration=other).exclude(
        endpoint__in=PushSubscription.objects.filter(registration=kept).values("endpoint")
    )
    wishes = MailWish.objects.filter(registration=other)
    if MailWish.objects.filter(registration=kept).exists():
        wishes = wishes.none()
    identities = other.stated_identities.exclude(side__in=kept.stated_identities.values("side"))
    moved = {
        "phones": list(phones.values_list("pk", flat=True)),
        "mail_wish": list(wishes.values_list("pk", flat=True)),
        "stated_identities": list(identities.values_list("pk", flat=True)),
    }
    _hang(moved, other, kept)
    return moved


def _hang(rows: Mapping[str, list[int]], from_: Registration, to: Registration) -> None:
    for name, keys in rows.items():
        ROWS[name]._default_manager.filter(pk__in=keys, registration=from_).update(registration=to)


def _place(entry: Registration) -> dict[str, Any]:
    since = entry.created_at.isoformat()
    return {"state": entry.state, "since": since, "rank": entry.waiting_rank}


def _take_over(kept: Registration, other: Registration) -> list[str]:
    """Copy fields that `kept` lacks from `other`; return their names."""
    fields = [one for one in TAKEN_OVER if getattr(other, one) and not getattr(kept, one)]
    if queries.has_been_paired(kept) and "first_round_bye" in fields:
        fields.remove("first_round_bye")
    if other.state == RegistrationState.DROPPED:
        # A dropped player's meeting seat may be taken, and their check-in for day 2 is void.
        fields = [one for one in fields if one not in ("meeting_table", "day_two_at")]
    for field in fields:
        setattr(kept, field, getattr(other, field))
    kept.save(update_fields=fields)
    _renew_standings(kept.tournament, fields)
    return fields


def _renew_standings(tournament: Tournament, fields: list[str]) -> None:
    """Recompute standings after a new seed, which orders players with equal points."""
    if "seed" in fields and queries.has_standings(tournament):
        request_standings(tournament, from_round=1)


def _take_place(kept: Registration, other: Registration, actor: Actor) -> None:
    """Give `kept` the better place, before the place of `other` goes to the waiting list."""
    waiting = RegistrationState.WAITING
    places = [queries.place_on_waiting_list(one) for one in (kept, other)]
    if kept.state == other.state == waiting and places[1] < places[0]:
        kept.created_at, kept.waiting_rank = other.created_at, other.waiting_rank
        kept.save(update_fields=["created_at", "waiting_rank"])
    if kept.state == waiting and other.state in HAS_A_PLACE:
        attendance.move(kept.tournament, [kept], actor, waiting_list.UP)
    if other.is_active and kept.state == RegistrationState.REGISTERED:
        registrations.check_in([kept], actor)
        kept.refresh_from_db()


def _made_anew(
    tournament: Tournament,
    person: Player,
    number: int,
    gone: Mapping[str, Any],
    *,
    keeps_place: bool,
) -> Registration:
    """Recreate the removed entry without its check-in.

    It is put on the waiting list if its place is taken.
    """
    was_its_place = gone["place"]["state"] == RegistrationState.WAITING and not keeps_place
    state = RegistrationState.REGISTERED
    if gone["state"] not in HAS_A_PLACE:
        state = RegistrationState(gone["state"])
    elif queries.is_full(tournament) and not was_its_place:
        state = RegistrationState.WAITING
    had = {field: gone.get(field, none) for field, none in TAKEN_OVER.items()}
    had["paid_at"] = had["paid_at"] and datetime.fromisoformat(had["paid_at"])
    had["day_two_at"] = None
    if state not in HAS_A_PLACE or not queries.meeting_is_on(tournament):
        had["meeting_table"] = None
    if queries.rounds(tournament).exists():
        had["first_round_bye"] = False
    entry = Registration.objects.create(
        tournament=tournament,
        player=person,
        number=number,
        state=state,
        dropped_by=gone["dropped_by"],
        dropped_at=gone["dropped_at"] and datetime.fromisoformat(gone["dropped_at"]),
        waiting_rank=gone.get("rank"),
        joined_in_round=queries.next_round_number(tournament),
        **had,
    )
    entry.created_at = datetime.fromisoformat(gone["since"])
    entry.save(update_fields=["created_at"])
    # Link log entries of the player's own sign-up to the restored entry.
    joined = tournament.log.filter(action__in=log_actions.JOINED, player=person)
    joined.filter(registration=None).update(registration=entry)
    return entry


def _give_back(
    kept: Registration, entry: Registration, gone: Mapping[str, Any], taken: Mapping[str, Any]
) -> None:
    _hang(gone["rows"], kept, entry)
    fields = [one for one in taken["fields"] if _kept(kept, one) == gone.get(one)]
    if queries.rounds(kept.tournament).exists() and "first_round_bye" in fields:
        fields.remove("first_round_bye")
    for field in fields:
        setattr(kept, field, TAKEN_OVER[field])
    kept.save(update_fields=fields)
    _renew_standings(kept.tournament, fields)


def _can_go_back(kept: Registration, was: Mapping[str, Any], became: Mapping[str, Any]) -> bool:
    """Return True if `kept` still has the place it took over, and was not paired."""
    is_same = kept.state == became["state"] and was["state"] != became["state"]
    return is_same and not queries.has_been_paired(kept)


def _give_place_back(
    kept: Registration, was: Mapping[str, Any], became: Mapping[str, Any], actor: Actor
) -> None:
    if kept.created_at == datetime.fromisoformat(became["since"]):
        kept.created_at = datetime.fromisoformat(was["since"])
        if kept.waiting_rank == became.get("rank"):
            kept.waiting_rank = was.get("rank")
        kept.save(update_fields=["created_at", "waiting_rank"])
    if not _can_go_back(kept, was, became):
        return
    if kept.is_active:
        registrations.undo_check_in(kept, actor)
        kept.refresh_from_db()
    if was["state"] == RegistrationState.WAITING:
        attendance.move(kept.tournament, [kept], actor, waiting_list.ON_THE_LIST)


def _named(entry: Registration) -> str:
    return f"{entry.player} (number {entry.number})"
