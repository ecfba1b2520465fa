"""Two entries of one person made one: the same player typed twice, or typed and joined."""

from django.db import transaction
from django.db.models import Q

from core.errors import Refusal
from players.models import Player
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.models import LogAction, Registration, RegistrationState
from tournaments.registration.services import registrations, rosters

TAKEN_OVER = ("seed", "avoid_group", "fixed_table")
"""What the entry that stays has from the other one where it has none itself."""


class CannotMerge(Refusal):
    """These entries are two people, or the wrong one of them would go."""


@transaction.atomic
def merge(kept: Registration, other: Registration, actor: Actor, reason: str) -> None:
    """Take `other` off the roster: it is the person of `kept`, who is here if either was.

    Raises CannotMerge, AlreadyPlayed, and the refusals of a check-in.
    """
    tournament = history.lock_unfinished(kept.tournament)
    for entry in (kept, other):
        entry.refresh_from_db()
        entry.tournament = tournament
    _refuse_two_people(kept, other)
    _refuse_losing_more(kept, other)
    _take_over(kept, other)
    gone = {"number": other.number, "player": other.player_id}
    was_here = other.is_active
    rosters.remove(other, actor)
    if was_here and kept.state == RegistrationState.REGISTERED:
        registrations.check_in([kept], actor)
    history.record(
        tournament,
        actor,
        LogAction.ENTRIES_MERGED,
        kept,
        before=gone,
        after={"number": kept.number},
        reason=reason,
    )


@transaction.atomic
def take_apart(kept: Registration, number: int, player: int, actor: Actor) -> Registration:
    """Put the entry that was merged into `kept` back on the roster, not checked in.

    Raises CannotMerge when its player was erased or is on the roster, and OrderIsFixed.
    """
    tournament = history.lock_unfinished(kept.tournament)
    registrations.refuse_fixed_order(tournament)
    person = Player.objects.select_for_update().filter(pk=player, erased_at=None).first()
    there = tournament.registrations.filter(Q(number=number) | Q(player=player))
    if person is None or there.exists():
        raise CannotMerge(f"Number {number} cannot come back: add the person anew.")
    entry = Registration.objects.create(
        tournament=tournament,
        player=person,
        number=number,
        joined_in_round=queries.next_round_number(tournament),
    )
    history.record(tournament, actor, LogAction.PLAYER_REGISTERED, entry)
    return entry


def _refuse_two_people(kept: Registration, other: Registration) -> None:
    """Nobody sits at two tables at once, and nobody has two accounts."""
    if kept.pk == other.pk:
        raise CannotMerge("This is the same entry. Choose the other one.")
    both = f"{_named(kept)} and {_named(other)}"
    if kept.player.user_id and other.player.user_id:
        raise CannotMerge(f"{both} both have an account, so they are two people here.")
    theirs = {table.round: table for table in queries.all_pairings_of(other)}
    for table in queries.all_pairings_of(kept):
        if found := theirs.get(table.round):
            where = "against each other" if found.pk == table.pk else "at once"
            raise CannotMerge(f"{both} were paired {where} in round {table.round.number}.")


def _refuse_losing_more(kept: Registration, other: Registration) -> None:
    """The entry with the rounds, the account and the decks stays."""
    instead = f"Open {_named(other)} and merge {_named(kept)} into it."
    is_paired = queries.has_been_paired(kept)
    if queries.has_been_paired(other):
        if is_paired:
            raise CannotMerge(
                f"{_named(kept)} and {_named(other)} have both been paired, and rounds cannot "
                "move to another entry. Drop the entry that is no longer used."
            )
        raise CannotMerge(f"{_named(other)} has been paired, so that entry stays. {instead}")
    if other.player.user_id and is_paired:
        raise CannotMerge(
            f"{_named(other)} has an account, and {_named(kept)} has been paired as a guest: "
            "rounds cannot move to an account. Remove the entry with the account instead."
        )
    if other.player.user_id:
        raise CannotMerge(f"{_named(other)} has an account, so that entry stays. {instead}")
    if other.player.claimed_at and not is_paired and not _is_known(kept):
        raise CannotMerge(f"The phone of {_named(other)} is known, so that entry stays. {instead}")
    sides = set(other.deck_submissions.values_list("side", flat=True))
    if sides - set(kept.deck_submissions.values_list("side", flat=True)):
        raise CannotMerge(
            f"{_named(other)} has handed in a deck that {_named(kept)} has not. {instead}"
        )


def _is_known(entry: Registration) -> bool:
    return bool(entry.player.user_id or entry.player.claimed_at)


def _take_over(kept: Registration, other: Registration) -> None:
    for field in TAKEN_OVER:
        if not getattr(kept, field):
            setattr(kept, field, getattr(other, field))
    if not queries.has_been_paired(kept):
        kept.first_round_bye = kept.first_round_bye or other.first_round_bye
    kept.save(update_fields=[*TAKEN_OVER, "first_round_bye"])


def _named(entry: Registration) -> str:
    return f"{entry.player} (number {entry.number})"
