"""Create, change, finish, reopen and delete an event, and manage its staff."""

import logging
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext

from core import secret_links
from core.errors import ReasonMissing, Refusal, StaleVersion
from decks import games
from decks.legality.records import deck_rules_of
from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS
from engine.systems import CUT_SYSTEMS, first_stage_systems
from matches.scoring.rules import scoring_rule
from players import factors
from players.models import User
from tournaments.decklists import services as decklists_services
from tournaments.event import history
from tournaments.event import services as event_services
from tournaments.event.permissions import Actor
from tournaments.judging import local_rulings
from tournaments.models import (
    DeckSubmission,
    LogAction,
    Staff,
    StaffInvitation,
    StaffRole,
    Stage,
    Tournament,
    Visibility,
    event_log,
)
from tournaments.ops import services as operation_services
from tournaments.registration import services as registration_services
from tournaments.rounds import cut as rounds_cut

logger = logging.getLogger(__name__)

# Fixed once a round is paired, because points already awarded depend on them.
FIXED_BY_ROUNDS = {
    "scoring_rule": gettext_lazy("A round is already paired, so the scoring can no longer change."),
    "bye_points": gettext_lazy(
        "A round is already paired, so the bye points can no longer change."
    ),
    "system": gettext_lazy("A round is already paired, so the system can no longer change."),
}


class SettingIsFixed(Refusal):
    pass


class OwnFactorMissing(Refusal):
    """Requiring two-factor authentication would lock out the organiser, who has not set it up."""


class NotOver(Refusal):
    """The last round is not closed, or the cut is undecided."""


@transaction.atomic
def create_event(
    owner: User,
    *,
    name: str,
    starts_on: date,
    game: str = games.DEFAULT.id,
    system: str = "",
    **settings: Any,
) -> Tournament:
    """Create an event with its first stage; `settings` are fields by name.

    The default `scoring_rule` is the first of the game that `system` supports, and the default
    `system` is the first that supports the rule.
    """
    played = games.GAMES[game]
    rule = scoring_rule(settings.setdefault("scoring_rule", default_scoring_rule(game, system)))
    settings.setdefault("bye_points", rule.bye_points)
    settings.setdefault("round_minutes", played.minutes_of(rule.id))
    settings.setdefault("decks_required", played.has_decks)
    deck_rules = asdict(deck_rules_of(game, {})) if played.has_decks else {}
    settings.setdefault("deck_rules", deck_rules)
    settings.setdefault("tie_breakers", list(DEFAULT_TIE_BREAKERS))
    facts = {"name": name, "starts_on": starts_on, "game": game, **settings}
    tournament = event_services.save_new(
        Tournament(slug=Tournament.objects.free_slug(name), **facts)
    )
    Stage.objects.create(
        tournament=tournament,
        number=1,
        system=system or first_stage_systems(rule)[0].id,
        scoring_rule=tournament.scoring_rule,
    )
    Staff.objects.create(tournament=tournament, user=owner, role=StaffRole.OWNER)
    history.record(tournament, Actor(user=owner), LogAction.EVENT_CREATED, tournament.name)
    return tournament


def default_scoring_rule(game: str, system: str) -> str:
    """Return the first rule of the game that the system supports, or else its first rule."""
    rules = games.GAMES[game].scoring_rules
    for rule in rules:
        if system in [supported.id for supported in first_stage_systems(scoring_rule(rule))]:
            return rule
    return rules[0]


@transaction.atomic
def change_settings(
    tournament: Tournament, actor: Actor, *, seen_log: int | None = None, **settings: Any
) -> Tournament:
    """Change fields of the event by name. Raises SettingIsFixed, OwnFactorMissing, StaleVersion.

    `system` is that of the first stage. `seen_log` is the newest log entry when the form was made.
    Only settings that differ are written, so edits of different settings never conflict.
    """
    locked = history.lock_unfinished(tournament)
    before, changed = changed_settings(locked, actor, settings, seen_log)
    if changed:
        _write_settings(locked, changed)
        history.record(
            locked,
            actor,
            LogAction.SETTINGS_CHANGED,
            before=_loggable(before),
            after=_loggable(changed),
        )
    _recompute_dependents(locked, actor, changed)
    return locked


def changed_settings(
    tournament: Tournament, actor: Actor, settings: dict[str, Any], seen_log: int | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings that would change, with their current and with their new values."""
    first = tournament.stages.get(number=1)
    stored = {key: getattr(first if key == "system" else tournament, key) for key in settings}
    changed = {key: value for key, value in settings.items() if stored[key] != value}
    before = {key: stored[key] for key in changed}
    fixed = [key for key in FIXED_BY_ROUNDS if key in changed]
    if fixed and tournament.rounds.exists():
        raise SettingIsFixed(" ".join(str(FIXED_BY_ROUNDS[key]) for key in fixed))
    has_factor = actor.user is not None and factors.has_factor(actor.user)
    if changed.get("staff_need_second_factor") and not has_factor:
        raise OwnFactorMissing(
            gettext(
                "Your own account has no two-factor authentication yet, so you would lock yourself "
                "out. Set it up under My page first."
            )
        )
    if _is_changed_since(tournament, seen_log, list(changed)):
        raise stale_settings(before, changed)
    return before, changed


def _write_settings(tournament: Tournament, changed: dict[str, Any]) -> None:
    first = tournament.stages.get(number=1)
    for key, value in changed.items():
        setattr(first if key == "system" else tournament, key, value)
    tournament.save(update_fields=[key for key in changed if key != "system"])
    first.save(update_fields=["system"])
    if "scoring_rule" in changed:
        # A cut has its own scoring rule.
        before_cut = tournament.stages.exclude(system__in=CUT_SYSTEMS)
        before_cut.update(scoring_rule=tournament.scoring_rule)


def _recompute_dependents(tournament: Tournament, actor: Actor, changed: dict[str, Any]) -> None:
    if {"deck_rules", "starts_on"} & changed.keys() and tournament.has_decks:
        decklists_services.judge_all_decks(tournament, actor)
    if "tie_breakers" in changed and tournament.has_standings():
        event_services.request_standings(tournament, from_round=1)
    if "max_players" in changed:
        registration_services.fill_places(tournament)
    if tournament.ends_day_two_check_in(changed):
        registration_services.discard_day_two_check_ins(tournament, actor)
    if "visibility" in changed:
        local_rulings.apply_visibility(tournament)


def stale_settings(recorded: dict[str, Any], entered: dict[str, Any]) -> StaleVersion:
    return StaleVersion(
        gettext(
            "The same settings were changed while you had them open. Now recorded: %(recorded)s. "
            "You entered: %(entered)s. Check them, then save again."
        )
        % {"recorded": _in_words(recorded), "entered": _in_words(entered)},
        recorded=_loggable(recorded),
        entered=_loggable(entered),
    )


def _in_words(values: dict[str, Any]) -> str:
    words = {None: "not set", "": "empty", True: "yes", False: "no"}
    parts = []
    for key, value in _loggable(values).items():
        name = key.replace("_", " ")
        if isinstance(value, dict | list):
            parts.append(f"other {name}")
        elif value in (None, "") or isinstance(value, bool):
            parts.append(f"{name} {words[value]}")
        else:
            parts.append(f"{name} {value}")
    return ", ".join(parts)


def _is_changed_since(tournament: Tournament, seen_log: int | None, settings: list[str]) -> bool:
    if seen_log is None or not settings:
        return False
    since = tournament.log.filter(
        action__in=event_log.SETTING_CHANGES, after__has_any_keys=settings, pk__gt=seen_log
    )
    return since.exists()


def _loggable(values: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value if isinstance(value, int | bool | list | dict | None) else str(value)
        for key, value in values.items()
    }


@transaction.atomic
def set_registration(
    tournament: Tournament, actor: Actor, *, is_open: bool, seen_log: int | None = None
) -> None:
    """Open or close registration manually. Opening clears a closing time in the past.

    `seen_log` is the newest log entry when the page was made. Raises StaleVersion if the closing
    time was changed since. An unchanged state is not logged.
    """
    locked = history.lock_unfinished(tournament)
    if _is_changed_since(locked, seen_log, ["registration_closes_at"]):
        recorded = {"registration_closes_at": locked.registration_closes_at}
        entered = {"registration_is_open": is_open}
        raise StaleVersion(
            gettext(
                "The closing time was changed while you had this page open. Now recorded: "
                "%(recorded)s. You entered: %(entered)s. Check it, then choose."
            )
            % {"recorded": _in_words(recorded), "entered": _in_words(entered)},
            recorded=_loggable(recorded),
            entered=_loggable(entered),
        )
    is_over = is_open and locked.is_past_closing_time
    if locked.registration_is_open == is_open and not is_over:
        return
    locked.registration_is_open = is_open
    if is_over:
        locked.registration_closes_at = None
    locked.save(update_fields=["registration_is_open", "registration_closes_at"])
    history.record(
        locked, actor, LogAction.REGISTRATION_OPENED if is_open else LogAction.REGISTRATION_CLOSED
    )


@transaction.atomic
def finish_event(tournament: Tournament, actor: Actor) -> None:
    """Finish the event and make the standings final. Raises NotOver."""
    locked = history.lock_unfinished(tournament)
    if reason := why_not_finishable(locked):
        raise NotOver(reason)
    locked.finished_at = timezone.now()
    locked.registration_is_open = False
    locked.save(update_fields=["finished_at", "registration_is_open"])
    history.record(locked, actor, LogAction.EVENT_FINISHED)
    event_services.notify_event_finished(locked)
    event_services.request_ratings(locked)
    operation_services.request_backup(locked)


def why_not_finishable(tournament: Tournament) -> str:
    """Return the reason why the event cannot be finished yet; empty if there is none."""
    latest = tournament.latest_round()
    if latest is None or not latest.is_closed:
        return gettext("Close the last round before you finish the event.")
    cut = tournament.get_cut()
    if cut is not None and rounds_cut.get_cut(cut).winner is None:
        return gettext(
            "The cut is not decided yet. Play its remaining games, or undo it if it has not begun."
        )
    return ""


@transaction.atomic
def reopen_event(tournament: Tournament, actor: Actor, reason: str) -> None:
    """Reopen a finished event with a public reason. Raises ReasonMissing."""
    locked = history.lock(tournament)
    if not locked.is_finished:
        return
    if not reason.strip():
        raise ReasonMissing(
            gettext("Give the reason for reopening the event. Everyone can read it.")
        )
    locked.finished_at = None
    locked.save(update_fields=["finished_at"])
    history.record_correction(locked, actor, LogAction.EVENT_REOPENED, "", reason)
    event_services.request_ratings(locked)


# Side effects of changed settings


PLACE_AND_TIME_FIELDS = ("starts_on", "start_time", "location", "address")
VISIBILITY_EFFECTS = {
    Visibility.PUBLIC: gettext_lazy("The event is listed, and anyone can see it."),
    Visibility.UNLISTED: gettext_lazy("The event is not listed. Anyone with the link can see it."),
    Visibility.PRIVATE: gettext_lazy(
        "Only its players and staff can see the event. Shared links stop working."
    ),
}


def side_effects(
    tournament: Tournament, actor: Actor, settings: dict[str, Any], seen_log: int | None = None
) -> list[str]:
    """Return a sentence for each side effect. Raises the refusals of `change_settings`."""
    before, changed = changed_settings(tournament, actor, settings, seen_log)
    if not changed:
        return []
    return [
        *_player_effects(tournament, before, changed),
        *_deck_effects(tournament, changed),
        *_play_effects(tournament, changed),
    ]


def _player_effects(
    tournament: Tournament, before: dict[str, Any], changed: dict[str, Any]
) -> Iterator[str]:
    joined = tournament.registrations.count()
    if not joined:
        return
    if any(before.get(name) for name in PLACE_AND_TIME_FIELDS):
        yield ngettext(
            "%(number)s player joined for the old date or place. Let them know.",
            "%(number)s players joined for the old date or place. Let them know.",
            joined,
        ) % {"number": joined}
    if "visibility" in changed:
        yield str(VISIBILITY_EFFECTS[Visibility(changed["visibility"])])
    if "max_players" in changed:
        yield from _place_effects(tournament, changed["max_players"])
    closes_at = changed.get("registration_closes_at")
    if closes_at and closes_at <= timezone.now():
        yield gettext("Registration closes immediately.")
    if tournament.ends_day_two_check_in(changed):
        has_day_two = changed.get("day_two_on", 1) is not None
        checked_in = tournament.registrations.exclude(day_two_at=None).count()
        yield (
            gettext("Check-in for day 2 restarts.")
            if has_day_two
            else gettext("Check-in for day 2 ends.")
        )
        if checked_in:
            yield ngettext(
                "%(number)s check-in for day 2 will be lost.",
                "%(number)s check-ins for day 2 will be lost.",
                checked_in,
            ) % {"number": checked_in}


def _place_effects(tournament: Tournament, limit: int | None) -> Iterator[str]:
    taken, waiting = tournament.places_taken(), tournament.registrations.waiting_list().count()
    free = waiting if limit is None else max(0, limit - taken)
    if limit is not None and limit < taken:
        yield ngettext(
            "%(number)s player has already joined and stays. No more can join.",
            "%(number)s players have already joined and stay. No more can join.",
            taken,
        ) % {"number": taken}
    elif (moving := min(free, waiting)) and tournament.waiting_list_moves():
        yield ngettext(
            "%(number)s player will move up from the waiting list.",
            "%(number)s players will move up from the waiting list.",
            moving,
        ) % {"number": moving}


def _deck_effects(tournament: Tournament, changed: dict[str, Any]) -> Iterator[str]:
    submitted = DeckSubmission.objects.filter(registration__tournament=tournament).count()
    if not submitted or not tournament.has_decks:
        return
    if {"deck_rules", "starts_on"} & changed.keys():
        yield ngettext(
            "%(number)s deck will be checked again and may become illegal.",
            "%(number)s decks will be checked again and may become illegal.",
            submitted,
        ) % {"number": submitted}
    closes_at = changed.get("decks_close_at")
    if closes_at and closes_at <= timezone.now():
        yield gettext("All decks lock immediately.")


def _play_effects(tournament: Tournament, changed: dict[str, Any]) -> Iterator[str]:
    latest = tournament.latest_round()
    if "round_minutes" in changed and latest and latest.started_at and not latest.is_closed:
        yield gettext("The clock of round %(round)s changes to %(minutes)s minutes.") % {
            "round": latest.number,
            "minutes": changed["round_minutes"],
        }
    if "tie_breakers" in changed and tournament.snapshots.newest() is not None:
        yield gettext("The standings of all rounds are recomputed.")
    if changed.get("staff_need_second_factor"):
        staff = [*tournament.staff.values_list("user_id", flat=True)]
        if lacking := len(staff) - len(factors.accounts_with_factor(staff)):
            yield ngettext(
                "%(number)s account must set up two-factor authentication first.",
                "%(number)s accounts must set up two-factor authentication first.",
                lacking,
            ) % {"number": lacking}


# Deletion


class CannotDelete(Refusal):
    """The event has a published round, or rulings that must be kept."""


@transaction.atomic
def delete_event(tournament: Tournament, actor: Actor) -> None:
    """Delete an event without published rounds, and its sandboxes. Raises CannotDelete.

    Guests who play nowhere else are deleted too. Players with an account keep their decklists.
    """
    event = history.lock(tournament)
    published = event.rounds.published().order_by("number").first()
    if published is not None:
        raise CannotDelete(
            gettext(
                "Round %(published)s is published, so the event cannot be deleted. Make it "
                "private under Settings, or unpublish the round first."
            )
            % {"published": published.number}
        )
    if event.local_rulings.filter(made_here=True).exists():
        raise CannotDelete(
            gettext(
                "Rulings were made at this event, and rulings are never deleted. Make the event "
                "private under Settings instead."
            )
        )
    for practice in event.practices.order_by("pk"):
        event_services.delete_event(history.lock(practice))
    event_services.delete_event(event)
    # The log of the event was deleted too, so record the deletion here.
    logger.info("event_deleted", extra={"event": event.slug, "by": actor.user and actor.user.pk})


# Staff roles and invitations


ASSIGNABLE_ROLES = [choice for choice in StaffRole.choices if choice[0] != StaffRole.OWNER]
# Lifetime of an invitation link, by hours.
INVITATION_LIFETIMES = {
    1: gettext_lazy("1 hour"),
    8: gettext_lazy("8 hours"),
    24: gettext_lazy("1 day"),
    72: gettext_lazy("3 days"),
    168: gettext_lazy("a week"),
}


class StaffRefused(Refusal):
    """The change is not possible for this account or role."""


@transaction.atomic
def give_role(tournament: Tournament, actor: Actor, user: User, role: str) -> Staff:
    """Give an account a role, or change its role. Raises StaffRefused for the owner."""
    locked = history.lock(tournament)
    if role == StaffRole.OWNER:
        raise StaffRefused(gettext("An event has one owner. Hand the event over instead."))
    current = locked.staff.filter(user=user).first()
    if current is not None and current.role == StaffRole.OWNER:
        raise StaffRefused(
            gettext("%(user)s owns this event and keeps that role.") % {"user": user}
        )
    # Jobs that erase inactive accounts wait for this lock, then find the account on the staff.
    account = User.objects.select_for_update().filter(pk=user.pk).first()
    if account is None:
        raise StaffRefused(gettext("This account no longer exists."))
    staff, _ = Staff.objects.update_or_create(
        tournament=locked, user=account, defaults={"role": role}
    )
    before = {"role": current.role} if current else {}
    after = {"role": role, "account": account.pk}
    history.record(locked, actor, LogAction.ROLE_GIVEN, account, before=before, after=after)
    return staff


@transaction.atomic
def remove_role(tournament: Tournament, actor: Actor, staff: Staff) -> None:
    """Remove a role. Raises StaffRefused for the owner and for an account without a role."""
    locked = history.lock(tournament)
    staff = _reload_staff(locked, staff)
    if staff.role == StaffRole.OWNER:
        raise StaffRefused(gettext("The owner cannot be removed."))
    before = {"role": staff.role, "account": staff.user_id}
    history.record(locked, actor, LogAction.ROLE_TAKEN, staff.user, before=before)
    staff.delete()


@transaction.atomic
def hand_over_event(tournament: Tournament, actor: Actor, staff: Staff) -> None:
    """Make a staff member the owner; the previous owner becomes an organiser."""
    locked = history.lock(tournament)
    heir = _reload_staff(locked, staff)
    owner = locked.staff.select_related("user").get(role=StaffRole.OWNER)
    if heir == owner:
        raise StaffRefused(gettext("%(user)s already owns this event.") % {"user": owner.user})
    owner.role, heir.role = StaffRole.ORGANISER, StaffRole.OWNER
    # Demote the old owner first: there is never more than one owner.
    owner.save(update_fields=["role"])
    heir.save(update_fields=["role"])
    before, after = {"owner": str(owner.user)}, {"owner": str(heir.user)}
    history.record(
        locked, actor, LogAction.EVENT_HANDED_OVER, heir.user, before=before, after=after
    )


def _reload_staff(locked: Tournament, staff: Staff) -> Staff:
    """Re-read the role under the lock. Raises StaffRefused if it was removed."""
    reloaded = locked.staff.select_related("user").filter(pk=staff.pk).first()
    if reloaded is None:
        raise StaffRefused(gettext("This account no longer has a role at this event."))
    return reloaded


class InvitationRefused(Refusal):
    """Base class for invitation links that give no role."""


class InvitationUnknown(InvitationRefused):
    pass


class InvitationOver(InvitationRefused):
    """The invitation was used, withdrawn or has expired."""


@transaction.atomic
def invite_staff(
    tournament: Tournament, actor: Actor, role: str, ends_at: datetime, note: str = ""
) -> str:
    """Create an invitation and return its secret, stored only as a hash. Raises StaffRefused."""
    locked = history.lock(tournament)
    if role == StaffRole.OWNER:
        raise StaffRefused(
            gettext("An invitation cannot make an owner. Hand the event over instead.")
        )
    secret = secret_links.new_secret()
    StaffInvitation.objects.create(
        tournament=locked,
        role=role,
        secret_hash=secret_links.digest(secret),
        note=note,
        made_by=actor.user,
        ends_at=ends_at,
    )
    after = {"role": role, "ends_at": str(ends_at)}
    history.record(locked, actor, LogAction.INVITATION_MADE, note, after=after)
    return secret


@transaction.atomic
def withdraw_invitation(invitation: StaffInvitation, actor: Actor) -> None:
    """Withdraw an open invitation. A used or withdrawn invitation stays unchanged."""
    locked = history.lock(invitation.tournament)
    open_ = StaffInvitation.objects.filter(pk=invitation.pk, used_at=None, withdrawn_at=None)
    if open_.update(withdrawn_at=timezone.now()):
        before = {"role": invitation.role}
        history.record(
            locked, actor, LogAction.INVITATION_WITHDRAWN, invitation.note, before=before
        )


def get_open_invitation(digest: str) -> StaffInvitation:
    """Return the open invitation of a link without using it up. Raises InvitationRefused."""
    rows = StaffInvitation.objects.select_related("tournament")
    invitation = rows.filter(secret_hash=digest).first()
    if invitation is None:
        raise InvitationUnknown(
            gettext("This link is incomplete or does not exist. Ask for a new link.")
        )
    if invitation.used_at:
        raise InvitationOver(gettext("This invitation was already used. Each link works once."))
    if invitation.withdrawn_at:
        raise InvitationOver(gettext("This invitation was withdrawn. Ask the owner of the event."))
    if invitation.ends_at <= timezone.now():
        raise InvitationOver(gettext("This invitation has expired. Ask the owner for a new one."))
    return invitation


@transaction.atomic
def accept_invitation(digest: str, user: User) -> Staff:
    """Use the invitation up and give the account its role. A refusal leaves the link unused."""
    invitation = get_open_invitation(digest)
    tournament = history.lock(invitation.tournament)
    # Check again under the lock: two people may open the link at the same time.
    invitation = get_open_invitation(digest)
    current = tournament.staff.filter(user=user).first()
    if current is not None:
        raise StaffRefused(
            gettext("You are already %(role)s here. The owner can give you another role.")
            % {"role": current.get_role_display()}
        )
    invitation.used_by, invitation.used_at = user, timezone.now()
    invitation.save(update_fields=["used_by", "used_at"])
    return give_role(tournament, Actor(user=user), user, invitation.role)
