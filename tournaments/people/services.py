"""Two records of one person made one across the whole site, and taken apart again.

Everything that names the player goes over: whatever table has a key to a player, now or later,
but for what `STAYS` names. The keys of the rows are kept, so that undoing puts each back.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from core.errors import Refusal
from decks.models import Decklist
from matches.models import Seat
from players import factors
from players import services as player_services
from players.models import Player, User
from rulings.models import JudgeCall
from tournaments.event import history, visibility
from tournaments.event.actors import Actor
from tournaments.event.services import request_ratings
from tournaments.models import (
    Absence,
    DeckSubmission,
    LogAction,
    LogEntry,
    Pairing,
    PlayerMerge,
    Registration,
    Tournament,
)

STAYS = frozenset(
    {
        # A phone that has opened the link of the merged record is nobody until it is undone.
        "players.Session.player",
        "players.Player.merged_into",
        "tournaments.PlayerMerge.kept",
        "tournaments.PlayerMerge.merged",
        # Computed anew from the games.
        "tournaments.Rating.player",
    }
)
"""Keys to a player that do not go over, as "app.Model.field"."""
MOST_NAMED = 3
WHY = {
    LogAction.PLAYERS_MERGED: "Two records of one person were merged.",
    LogAction.PLAYERS_SEPARATED: "The merge of two records was undone.",
}
"""What everybody reads of it at a finished event."""
TITLES = "titles"
"""In `PlayerMerge.moved`: what decks were called before they stood beside another of that name."""


class CannotMergePlayers(Refusal):
    """These records are two people, or the wrong one of them would go."""


class CannotUndoMerge(Refusal):
    """The merge was undone before, or something later stands on it."""


def can_merge_any(actor: Actor) -> bool:
    """Whether this person may merge records of others: who administers the site."""
    return actor.user is not None and factors.is_administrator(actor.user, at=actor.token_made_at)


@transaction.atomic
def merge(kept: Player, merged: Player, actor: Actor, reason: str = "") -> PlayerMerge:
    """Everything of `merged` is `kept`'s from now on. Whether the actor may is asked before.

    Raises CannotMergePlayers.
    """
    events = _lock_events(merged)
    kept, merged = _locked(kept, merged)
    refuse_two_people(kept, merged, actor)
    before = _privacy_of(kept)
    _take_over(kept, merged)
    made = PlayerMerge(kept=kept, merged=merged, user=actor.user, reason=reason[:200])
    made.before, made.after = before, _privacy_of(kept)
    places = {event.pk: place for event, place in _places(events, merged)}
    titles = _retitle(merged, kept)
    made.moved = {label: keys for label, keys in _move_all(merged, kept) if keys}
    made.moved |= {TITLES: titles} if titles else {}
    made.save()
    Player.objects.filter(pk=merged.pk).update(merged_into=kept)
    merged.merged_into = kept
    _record(events, places, actor, LogAction.PLAYERS_MERGED, (merged.name, kept.name), reason)
    _renew_ratings(events)
    return made


@transaction.atomic
def undo(made: PlayerMerge, actor: Actor) -> None:
    """Give the merged record back what it had, and what its events have had since.

    Whether the actor may is asked before (`can_undo`). Raises CannotUndoMerge.
    """
    events = _lock_events(made.kept)
    kept, merged = _locked(made.kept, made.merged)
    made = PlayerMerge.objects.select_for_update().get(pk=made.pk)
    _refuse_undoing(made, kept, merged)
    moved_places = made.moved.get("tournaments.Registration.player", [])
    back = Registration.objects.filter(pk__in=moved_places, player=kept)
    events_back = [event for event in events if event.pk in set(_events_of(back))]
    places = {event.pk: place for event, place in _places(events_back, kept)}
    _move_back(made, kept, merged, [event.pk for event in events_back])
    for deck, title in made.moved.get(TITLES, {}).items():
        Decklist.objects.filter(pk=deck, player=merged).update(title=title)
    _give_back(made, kept, merged)
    Player.objects.filter(pk=merged.pk).update(merged_into=None)
    made.undone_at, made.undone_by = timezone.now(), actor.user
    made.save(update_fields=["undone_at", "undone_by"])
    names = (kept.name, merged.name)
    _record(events_back, places, actor, LogAction.PLAYERS_SEPARATED, names)
    _renew_ratings(events_back)


def can_undo(actor: Actor, made: PlayerMerge) -> bool:
    """Whether this person may take the merge back."""
    is_own = actor.player is not None and actor.player.pk == made.kept_id
    return (is_own and actor.user is not None) or can_merge_any(actor)


@transaction.atomic
def add_guest(guest: Player, user: User, actor: Actor) -> Player:
    """The record of a guest becomes the account's: its own player, or merged into it.

    Raises CannotMergePlayers, and where the account plays as nobody yet the refusals of
    `players.services.link_guest`.
    """
    own = Player.objects.filter(user=user).first()
    if own is None:
        return player_services.link_guest(guest, user)
    merge(own, guest, actor, "Added by the player")
    own.refresh_from_db()
    return own


@transaction.atomic
def add_claimed(digest: str, user: User, actor: Actor) -> Player:
    """As `add_guest`, with a personal link whose secret has this digest; it is used up.

    Raises the refusals of `players.services.claim` too, and leaves the link unused then.
    """
    return add_guest(player_services.claim(digest), user, actor)


def refuse_two_people(kept: Player, merged: Player, actor: Actor) -> None:
    """Raise CannotMergePlayers where these are two people, or the other one has to stay."""
    both = f"{merged.name} and {kept.name}"
    if kept.pk == merged.pk:
        raise CannotMergePlayers("This is the same record. Choose the other one.")
    if kept.erased_at or merged.erased_at:
        raise CannotMergePlayers("One of them was erased, and nobody is merged with that record.")
    for one in (kept, merged):
        if one.merged_into_id is not None:
            raise CannotMergePlayers(f"{one.name} was merged already. Undo that merge first.")
    if kept.user_id and merged.user_id:
        raise CannotMergePlayers(
            f"{both} both have an account. The person erases one account first, or goes on with "
            "two."
        )
    if merged.user_id:
        raise CannotMergePlayers(
            f"{merged.name} has an account, so that record stays: merge {kept.name} into it."
        )
    _refuse_same_event(kept, merged, actor)


def _refuse_same_event(kept: Player, merged: Player, actor: Actor) -> None:
    theirs = Registration.objects.filter(player=merged).values("tournament")
    shared = Tournament.objects.filter(registrations__player=kept, pk__in=theirs)
    found = list(shared.order_by("starts_on", "pk"))
    if not found:
        return
    known = [f"“{event}”" for event in found if visibility.can_know(actor, event)]
    names = known[:MOST_NAMED] + ([] if len(known[:MOST_NAMED]) == len(found) else ["more events"])
    raise CannotMergePlayers(
        f"{merged.name} and {kept.name} both play at {', '.join(names)}, so they are two people "
        "there. If it is one person listed twice, merge the two entries on the roster of the "
        "event first."
    )


def keys_to_players() -> Iterator[tuple[str, type[models.Model], str]]:
    """Every column that names a player: its label, model and field, in the order of labels."""
    found = {}
    for relation in Player._meta.get_fields(include_hidden=True):
        if isinstance(relation, models.ManyToOneRel):
            model: Any = relation.related_model
            label = f"{model._meta.label}.{relation.field.name}"
            found[label] = (model, relation.field.name)
    for label in sorted(found):
        yield (label, *found[label])


def _move_all(from_: Player, to: Player) -> Iterator[tuple[str, list[Any]]]:
    """Move every row; the keys of those that went, by label."""
    for label, model, field in keys_to_players():
        if label not in STAYS:
            yield label, _move(model, field, from_, to)


def _move(model: type[models.Model], field: str, from_: Player, to: Player) -> list[Any]:
    rows = model._base_manager.filter(**{field: from_})
    keys = [row.pk for row in rows.order_by("pk") if not _clashes(row, field, to)]
    model._base_manager.filter(pk__in=keys).update(**{field: to})
    return keys


def _retitle(from_: Player, to: Player) -> dict[str, str]:
    """A deck has a title of its own among the decks of a player; the titles before, by its key."""
    taken = set(Decklist.objects.filter(player=to).values_list("game", "side", "title"))
    before = {}
    for deck in Decklist.objects.filter(player=from_).order_by("pk"):
        if (deck.game, deck.side, deck.title) in taken:
            before[str(deck.pk)] = deck.title
            deck.title = f"{deck.title[:80] or 'Earlier deck'} ({deck.pk})"
            deck.save(update_fields=["title"])
    return before


def _clashes(row: models.Model, field: str, to: Player) -> bool:
    """Whether the other record has such a row already, and may have one only."""
    for constraint in row._meta.constraints:
        if isinstance(constraint, models.UniqueConstraint) and field in constraint.fields:
            same = {name: getattr(row, name) for name in constraint.fields if name != field}
            if type(row)._base_manager.filter(**same, **{field: to}).exists():
                return True
    return False


def _lock_events(player: Player) -> list[Tournament]:
    """The events of this player, in the order of all who lock many."""
    events = Registration.objects.filter(player=player).order_by().values("tournament")
    found = Tournament.objects.filter(pk__in=events).order_by("pk")
    return [history.lock(event) for event in found]


def _locked(*players: Player) -> tuple[Player, ...]:
    rows = Player.objects.select_for_update().order_by("pk")
    found = {one.pk: one for one in rows.filter(pk__in=[player.pk for player in players])}
    return tuple(found[player.pk] for player in players)


def _places(events: list[Tournament], player: Player) -> Iterator[tuple[Tournament, Registration]]:
    places = Registration.objects.filter(player=player, tournament__in=events)
    by_event = {place.tournament_id: place for place in places}
    for event in events:
        if event.pk in by_event:
            yield event, by_event[event.pk]


def _events_of(places: QuerySet[Registration]) -> QuerySet[Any, int]:
    return places.order_by().values_list("tournament", flat=True)


def _record(
    events: list[Tournament],
    places: dict[int, Registration],
    actor: Actor,
    action: LogAction,
    names: tuple[str, str],
    reason: str = "",
) -> None:
    """In the log of each event: under which name the results stood, and stand now.

    To a finished one that is a correction; the reason that was given is for the staff alone.
    """
    before, after = names
    for event in events:
        history.record(
            event,
            actor,
            action,
            after,
            before={"name": before},
            after={"name": after},
            reason=reason,
            about=places.get(event.pk),
        )
        if event.is_finished and before != after:
            history.record_correction(
                event, actor, LogAction.EVENT_CORRECTED, "A name", WHY[action]
            )


def _renew_ratings(events: list[Tournament]) -> None:
    """One job for each game that counts at these events."""
    for event in events:
        if event.is_finished:
            request_ratings(event)


def _privacy_of(player: Player) -> dict[str, Any]:
    return {name: getattr(player, name) for name in ("former_names", *player_services.PRIVACY)}


def _take_over(kept: Player, merged: Player) -> None:
    """Erasing has to find the other name too, and what one of them hides stays hidden."""
    known = [*kept.former_names, merged.name, *merged.former_names]
    kept.former_names = list(dict.fromkeys(name for name in known if name != kept.name))
    kept.shown_name = kept.shown_name or merged.shown_name
    kept.hides_history |= merged.hides_history
    kept.hides_from_streams |= merged.hides_from_streams
    kept.save(update_fields=[*_privacy_of(kept)])


def _give_back(made: PlayerMerge, kept: Player, merged: Player) -> None:
    """What was changed since stays as it was chosen."""
    now = _privacy_of(kept)
    for name, value in made.before.items():
        if now[name] == made.after[name]:
            setattr(kept, name, value)
        elif name == "former_names":
            gone = {merged.name, *merged.former_names} - {*value}
            kept.former_names = [one for one in kept.former_names if one not in gone]
    kept.save(update_fields=[*now])


def _refuse_undoing(made: PlayerMerge, kept: Player, merged: Player) -> None:
    if made.undone_at is not None:
        raise CannotUndoMerge("This merge was undone before.")
    if kept.erased_at or merged.erased_at:
        raise CannotUndoMerge("The person was erased: there is nothing to give back.")
    if kept.merged_into_id is not None:
        raise CannotUndoMerge(f"{kept.name} was merged itself. Undo that merge first.")


def _move_back(made: PlayerMerge, kept: Player, merged: Player, events: list[int]) -> None:
    """What went over goes back, and what came at those events since goes along."""
    for label, model, field in keys_to_players():
        rows = model._base_manager.filter(**{field: kept})
        back = Q(pk__in=made.moved.get(label, []))
        if of_events := _of_events(model, events, made.at):
            back |= of_events
        if label not in STAYS:
            rows.filter(back).update(**{field: merged})


def _of_events(model: type[models.Model], events: list[int], since: datetime) -> Q | None:
    """Which rows of a table belong to these events, as far as a row may have come later."""
    tables = Pairing.objects.filter(round__stage__tournament__in=events, match__isnull=False)
    at_tables = Q(match__in=tables.order_by().values("match"))
    handed_in = DeckSubmission.objects.filter(registration__tournament__in=events).order_by()
    rows: dict[type[models.Model], Q] = {
        Seat: at_tables,
        JudgeCall: at_tables,
        Absence: Q(pairing__round__stage__tournament__in=events),
        LogEntry: Q(tournament__in=events, at__gt=since),
        Decklist: Q(versions__in=handed_in.values("version")),
    }
    return rows.get(model)
