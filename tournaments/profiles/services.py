"""Merge two player records of one person across the site, and undo a merge.

A merge moves the rows of every table with a foreign key to `Player`, except `UNMOVED_KEYS`. The
primary keys of moved rows are stored, so that undoing restores each row.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import Refusal
from decks.models import Decklist
from matches.models import Seat
from players import factors
from players import services as player_services
from players.models import Player, User
from rulings.models import JudgeCall
from tournaments.event import history, visibility
from tournaments.event.permissions import Actor
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

# Foreign keys to a player that a merge does not move, as "app.Model.field".
UNMOVED_KEYS = frozenset(
    {
        # Sessions of the merged record have no player until the merge is undone.
        "players.Session.player",
        "players.Player.merged_into",
        "tournaments.PlayerMerge.kept",
        "tournaments.PlayerMerge.merged",
        # Recomputed from the games.
        "tournaments.Rating.player",
    }
)
MAX_EVENTS_NAMED = 3
# Public reason of the correction at a finished event.
CORRECTION_REASONS = {
    LogAction.PLAYERS_MERGED: "Two records of one person were merged.",
    LogAction.PLAYERS_SEPARATED: "The merge of two records was undone.",
}
# Key in `PlayerMerge.moved` for titles of decks renamed because the title was taken.
TITLES_KEY = "titles"


class CannotMergePlayers(Refusal):
    pass


class CannotUndoMerge(Refusal):
    """The merge was undone before, or a later merge or erasure depends on it."""


def can_merge_any(actor: Actor) -> bool:
    """Return True for administrators, who may merge any two records."""
    return actor.user is not None and factors.is_administrator(actor.user, at=actor.token_made_at)


@transaction.atomic
def merge_players(kept: Player, merged: Player, actor: Actor, reason: str = "") -> PlayerMerge:
    """Move everything of `merged` to `kept`. The caller checks permissions.

    Raises CannotMergePlayers.
    """
    events = _lock_events(merged)
    kept, merged = _lock_players(kept, merged)
    refuse_two_people(kept, merged, actor)
    before = _names_and_privacy(kept)
    _combine_names_and_privacy(kept, merged)
    made = PlayerMerge(kept=kept, merged=merged, user=actor.user, reason=reason[:200])
    made.before, made.after = before, _names_and_privacy(kept)
    places = {event.pk: place for event, place in _registrations_at(events, merged)}
    titles = _retitle_decks(merged, kept)
    made.moved = _move_rows(merged, kept)
    if titles:
        made.moved[TITLES_KEY] = titles
    made.save()
    Player.objects.filter(pk=merged.pk).update(merged_into=kept)
    merged.merged_into = kept
    names = (merged.name, kept.name)
    _record_at_events(events, places, actor, LogAction.PLAYERS_MERGED, names, reason)
    return made


@transaction.atomic
def undo_merge(made: PlayerMerge, actor: Actor) -> None:
    """Restore the merged record with its rows, and with later rows from its events.

    The caller checks `can_undo_merge`. Raises CannotUndoMerge.
    """
    events = _lock_events(made.kept)
    kept, merged = _lock_players(made.kept, made.merged)
    made = PlayerMerge.objects.select_for_update().get(pk=made.pk)
    _refuse_undo(made, kept, merged)
    moved_places = made.moved.get("tournaments.Registration.player", [])
    back = Registration.objects.filter(pk__in=moved_places, player=kept)
    keys_back = set(back.order_by().values_list("tournament", flat=True))
    events_back = [event for event in events if event.pk in keys_back]
    places = {event.pk: place for event, place in _registrations_at(events_back, kept)}
    _move_rows_back(made, kept, merged, [event.pk for event in events_back])
    for deck, title in made.moved.get(TITLES_KEY, {}).items():
        Decklist.objects.filter(pk=deck, player=merged).update(title=title)
    _restore_names_and_privacy(made, kept, merged)
    Player.objects.filter(pk=merged.pk).update(merged_into=None)
    made.undone_at, made.undone_by = timezone.now(), actor.user
    made.save(update_fields=["undone_at", "undone_by"])
    names = (kept.name, merged.name)
    _record_at_events(events_back, places, actor, LogAction.PLAYERS_SEPARATED, names)


def can_undo_merge(actor: Actor, made: PlayerMerge) -> bool:
    """Return True for the player with an account, and for administrators."""
    is_own = actor.player is not None and actor.player.pk == made.kept_id
    return (is_own and actor.user is not None) or can_merge_any(actor)


@transaction.atomic
def add_guest_record(guest: Player, user: User, actor: Actor) -> Player:
    """Link the guest's record to the account, or merge it into the account's player.

    Raises CannotMergePlayers. If the account has no player yet, raises the refusals of
    `players.services.link_guest`.
    """
    own = Player.objects.filter(user=user).first()
    if own is None:
        return player_services.link_guest(guest, user)
    merge_players(own, guest, actor, "Added by the player")
    own.refresh_from_db()
    return own


@transaction.atomic
def add_record_by_link(digest: str, user: User, actor: Actor) -> Player:
    """Add the record of a personal link, given by the digest of its secret; use the link up.

    Raises the refusals of `add_guest_record` and of `players.services.use_claim`. Any refusal
    leaves the link unused.
    """
    return add_guest_record(player_services.use_claim(digest), user, actor)


def refuse_two_people(kept: Player, merged: Player, actor: Actor) -> None:
    """Raise CannotMergePlayers if these are two people, or if `merged` has to be kept instead."""
    if kept.pk == merged.pk:
        raise CannotMergePlayers(
            _("You chose the same record twice. Choose two different records.")
        )
    if kept.erased_at or merged.erased_at:
        raise CannotMergePlayers(_("One of these records has been erased, so it cannot be merged."))
    for player in (kept, merged):
        if player.merged_into_id is not None:
            raise CannotMergePlayers(
                _("%(player)s has already been merged. Undo that merge first.")
                % {"player": player.name}
            )
    if kept.user_id and merged.user_id:
        raise CannotMergePlayers(
            _("%(merged)s and %(kept)s both have an account. One of them must be erased first.")
            % {"merged": merged.name, "kept": kept.name}
        )
    if merged.user_id:
        raise CannotMergePlayers(
            _("%(merged)s has an account, so that record stays: merge %(kept)s into it.")
            % {"merged": merged.name, "kept": kept.name}
        )
    _refuse_same_event(kept, merged, actor)


def _refuse_same_event(kept: Player, merged: Player, actor: Actor) -> None:
    events = Registration.objects.filter(player=merged).values("tournament")
    shared = Tournament.objects.filter(registrations__player=kept, pk__in=events)
    found = list(shared.order_by("starts_on", "pk"))
    if not found:
        return
    known = [f"“{event}”" for event in found if visibility.can_know_of(actor, event)]
    names = known[:MAX_EVENTS_NAMED]
    if len(names) < len(found):
        names.append(_("more events"))
    raise CannotMergePlayers(
        _(
            "%(merged)s and %(kept)s both play at %(names)s, so they are two people there. "
            "If one person is listed twice, first merge the two entries on the event's "
            "roster."
        )
        % {"merged": merged.name, "kept": kept.name, "names": ", ".join(names)}
    )


def _refuse_undo(made: PlayerMerge, kept: Player, merged: Player) -> None:
    if made.undone_at is not None:
        raise CannotUndoMerge(_("This merge has already been undone."))
    if kept.erased_at or merged.erased_at:
        raise CannotUndoMerge(
            _("One of the records has been erased, so the merge cannot be undone.")
        )
    if kept.merged_into_id is not None:
        raise CannotUndoMerge(
            _("%(kept)s was later merged into another record. Undo that merge first.")
            % {"kept": kept.name}
        )


def keys_to_players() -> Iterator[tuple[str, type[models.Model], str]]:
    """Yield label, model and field name of each foreign key to `Player`, sorted by label."""
    found = {}
    for relation in Player._meta.get_fields(include_hidden=True):
        if isinstance(relation, models.ManyToOneRel):
            model: Any = relation.related_model
            label = f"{model._meta.label}.{relation.field.name}"
            found[label] = (model, relation.field.name)
    for label in sorted(found):
        yield (label, *found[label])


def _move_rows(from_: Player, to: Player) -> dict[str, Any]:
    moved = {}
    for label, model, field in keys_to_players():
        if label in UNMOVED_KEYS:
            continue
        rows = model._base_manager.filter(**{field: from_})
        keys = [row.pk for row in rows.order_by("pk") if not _clashes(row, field, to)]
        model._base_manager.filter(pk__in=keys).update(**{field: to})
        if keys:
            moved[label] = keys
    return moved


def _retitle_decks(from_: Player, to: Player) -> dict[str, str]:
    """Rename decks whose title `to` uses already; return the old titles by deck key.

    Titles are unique among a player's decks of one game and side.
    """
    taken = set(Decklist.objects.filter(player=to).values_list("game", "side", "title"))
    before = {}
    for deck in Decklist.objects.filter(player=from_).order_by("pk"):
        if (deck.game, deck.side, deck.title) in taken:
            before[str(deck.pk)] = deck.title
            deck.title = f"{deck.title[:80] or 'Earlier deck'} ({deck.pk})"
            deck.save(update_fields=["title"])
    return before


def _clashes(row: models.Model, field: str, to: Player) -> bool:
    for constraint in row._meta.constraints:
        if isinstance(constraint, models.UniqueConstraint) and field in constraint.fields:
            same = {name: getattr(row, name) for name in constraint.fields if name != field}
            if type(row)._base_manager.filter(**same, **{field: to}).exists():
                return True
    return False


def _lock_events(player: Player) -> list[Tournament]:
    """Lock the player's events by primary key, the lock order for several events."""
    events = Registration.objects.filter(player=player).order_by().values("tournament")
    found = Tournament.objects.filter(pk__in=events).order_by("pk")
    return [history.lock(event) for event in found]


def _lock_players(*players: Player) -> tuple[Player, ...]:
    rows = Player.objects.select_for_update().order_by("pk")
    locked = {row.pk: row for row in rows.filter(pk__in=[player.pk for player in players])}
    return tuple(locked[player.pk] for player in players)


def _registrations_at(
    events: list[Tournament], player: Player
) -> Iterator[tuple[Tournament, Registration]]:
    places = Registration.objects.filter(player=player, tournament__in=events)
    by_event = {place.tournament_id: place for place in places}
    for event in events:
        if event.pk in by_event:
            yield event, by_event[event.pk]


def _record_at_events(
    events: list[Tournament],
    places: dict[int, Registration],
    actor: Actor,
    action: LogAction,
    names: tuple[str, str],
    reason: str = "",
) -> None:
    """Log the old and new name at each event.

    A finished event also gets a public correction and new ratings. Only staff see the `reason`.
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
                event, actor, LogAction.EVENT_CORRECTED, "A name", CORRECTION_REASONS[action]
            )
        if event.is_finished:
            request_ratings(event)


def _names_and_privacy(player: Player) -> dict[str, Any]:
    return {
        name: getattr(player, name) for name in ("former_names", *player_services.PRIVACY_FIELDS)
    }


def _combine_names_and_privacy(kept: Player, merged: Player) -> None:
    """Combine names and privacy settings.

    Erasure must find all former names, and anything one record hides stays hidden.
    """
    known = [*kept.former_names, merged.name, *merged.former_names]
    kept.former_names = list(dict.fromkeys(name for name in known if name != kept.name))
    kept.shown_name = kept.shown_name or merged.shown_name
    kept.hides_history |= merged.hides_history
    kept.hides_from_streams |= merged.hides_from_streams
    kept.save(update_fields=[*_names_and_privacy(kept)])


def _restore_names_and_privacy(made: PlayerMerge, kept: Player, merged: Player) -> None:
    current = _names_and_privacy(kept)
    for name, value in made.before.items():
        if current[name] == made.after[name]:
            setattr(kept, name, value)
        elif name == "former_names":
            gone = {merged.name, *merged.former_names} - {*value}
            kept.former_names = [old for old in kept.former_names if old not in gone]
    kept.save(update_fields=[*current])


def _move_rows_back(made: PlayerMerge, kept: Player, merged: Player, events: list[int]) -> None:
    """Move back the rows of the merge, and rows that were added at these events since."""
    for label, model, field in keys_to_players():
        rows = model._base_manager.filter(**{field: kept})
        back = Q(pk__in=made.moved.get(label, []))
        if of_events := _rows_of_events(model, events, made.at):
            back |= of_events
        if label not in UNMOVED_KEYS:
            rows.filter(back).update(**{field: merged})


def _rows_of_events(model: type[models.Model], events: list[int], since: datetime) -> Q | None:
    tables = Pairing.objects.filter(round__stage__tournament__in=events, match__isnull=False)
    at_tables = Q(match__in=tables.order_by().values("match"))
    submitted = DeckSubmission.objects.filter(registration__tournament__in=events).order_by()
    rows: dict[type[models.Model], Q] = {
        Seat: at_tables,
        JudgeCall: at_tables,
        Absence: Q(pairing__round__stage__tournament__in=events),
        LogEntry: Q(tournament__in=events, at__gt=since),
        Decklist: Q(versions__in=submitted.values("version")),
    }
    return rows.get(model)
