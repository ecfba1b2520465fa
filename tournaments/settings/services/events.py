"""Create, change, finish and reopen an event."""

from dataclasses import asdict
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone

from core.errors import ReasonMissing, Refusal, StaleVersion
from decks import games
from decks.legality.records import deck_rules_of
from engine.standings import DEFAULT_TIE_BREAKERS
from engine.systems import CUTS, first_stage
from matches.scoring import scoring_rule
from players import factors
from players.models import User
from tournaments.decklists import deck_verdicts
from tournaments.event import history, queries
from tournaments.event import services as event_services
from tournaments.event.actors import Actor
from tournaments.event.services import request_standings
from tournaments.judging.services import local_rulings
from tournaments.models import LogAction, Staff, StaffRole, Stage, Tournament, log_actions
from tournaments.operations import services as operation_services
from tournaments.registration.services import second_day, waiting_list
from tournaments.rounds import elimination

# Fixed once a round is paired, because points already awarded depend on them.
FIXED_BY_ROUNDS = ("scoring_rule", "bye_points", "system")


class SettingIsFixed(Refusal):
    pass


class OwnFactorMissing(Refusal):
    """Requiring two-factor authentication would lock out the organiser, who has not set it up."""


class NotOver(Refusal):
    """The last round is not closed, or the cut is undecided."""


@transaction.atomic
def create(
    owner: User,
    *,
    name: str,
    starts_on: date,
    game: str = games.DEFAULT.id,
    system: str = "",
    **settings: Any,
) -> Tournament:
    """Create an event with its first stage; `settings` are fields by name.

    The defaults are the first `scoring_rule` of the game and the first `system` for that rule.
    Raises UnknownScoringRule.
    """
    played = games.GAMES[game]
    rule = scoring_rule(settings.setdefault("scoring_rule", played.scoring_rules[0]))
    settings.setdefault("bye_points", rule.bye_points)
    settings.setdefault("round_minutes", played.minutes_of(rule.id))
    settings.setdefault("decks_required", played.has_decks)
    deck_rules = asdict(deck_rules_of(game, {})) if played.has_decks else {}
    settings.setdefault("deck_rules", deck_rules)
    settings.setdefault("tie_breakers", list(DEFAULT_TIE_BREAKERS))
    facts = {"name": name, "starts_on": starts_on, "game": game, **settings}
    tournament = event_services.save_new(Tournament(slug=queries.free_slug(name), **facts))
    Stage.objects.create(
        tournament=tournament,
        number=1,
        system=system or first_stage(rule)[0].id,
        scoring_rule=tournament.scoring_rule,
    )
    Staff.objects.create(tournament=tournament, user=owner, role=StaffRole.OWNER)
    history.record(tournament, Actor(user=owner), LogAction.EVENT_CREATED, tournament.name)
    return tournament


@transaction.atomic
def change_settings(
    tournament: Tournament, actor: Actor, *, seen_log: int | None = None, **settings: Any
) -> Tournament:
    """Change fields of the event by name. Raises SettingIsFixed, OwnFactorMissing, StaleVersion.

    `system` is that of the first stage. `seen_log` is the newest log entry when the form was made.
    Only settings that differ are written, so edits of different settings never conflict.
    """
    locked = history.lock_unfinished(tournament)
    before, changed = differing(locked, actor, settings, seen_log)
    if changed:
        _write(locked, changed)
        history.record(
            locked, actor, LogAction.SETTINGS_CHANGED, before=_plain(before), after=_plain(changed)
        )
    _follow_up(locked, actor, changed)
    return locked


def differing(
    tournament: Tournament, actor: Actor, settings: dict[str, Any], seen_log: int | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings that would change, with their current and with their new values.

    Raises SettingIsFixed, OwnFactorMissing, StaleVersion.
    """
    first = tournament.stages.get(number=1)
    kept = {key: getattr(first if key == "system" else tournament, key) for key in settings}
    changed = {key: value for key, value in settings.items() if kept[key] != value}
    before = {key: kept[key] for key in changed}
    _refuse_fixed(tournament, changed)
    _refuse_lockout(actor, changed)
    _refuse_stale(tournament, seen_log, before, changed)
    return before, changed


def _write(tournament: Tournament, changed: dict[str, Any]) -> None:
    first = tournament.stages.get(number=1)
    for key, value in changed.items():
        setattr(first if key == "system" else tournament, key, value)
    tournament.save(update_fields=[key for key in changed if key != "system"])
    first.save(update_fields=["system"])
    if "scoring_rule" in changed:
        # A cut has its own scoring rule.
        before_cut = tournament.stages.exclude(system__in=CUTS)
        before_cut.update(scoring_rule=tournament.scoring_rule)


def _follow_up(tournament: Tournament, actor: Actor, changed: dict[str, Any]) -> None:
    """Recompute everything that depends on the changed settings."""
    if {"deck_rules", "starts_on"} & changed.keys() and tournament.has_decks:
        deck_verdicts.judge_again(tournament, actor)
    if "tie_breakers" in changed and queries.has_standings(tournament):
        request_standings(tournament, from_round=1)
    if "max_players" in changed:
        waiting_list.fill_places(tournament)
    if queries.ends_day_two_check_in(tournament, changed):
        second_day.begin_anew(tournament, actor)
    if "visibility" in changed:
        local_rulings.follow_visibility(tournament)


def _refuse_fixed(tournament: Tournament, changed: dict[str, Any]) -> None:
    fixed = [key for key in FIXED_BY_ROUNDS if key in changed]
    if fixed and queries.rounds(tournament).exists():
        names = " and ".join(key.replace("_", " ") for key in fixed)
        raise SettingIsFixed(f"A round is paired already, so the {names} can no longer change.")


def _refuse_lockout(actor: Actor, changed: dict[str, Any]) -> None:
    has_factor = actor.user is not None and factors.has_factor(actor.user)
    if changed.get("staff_need_second_factor") and not has_factor:
        raise OwnFactorMissing(
            "Your own account has no second factor yet, so you would lock yourself out. "
            'Set one up on your page, under "Second factor", then ask the staff for theirs.'
        )


def _refuse_stale(
    tournament: Tournament,
    seen_log: int | None,
    before: dict[str, Any],
    changed: dict[str, Any],
) -> None:
    if _is_changed_since(tournament, seen_log, list(changed)):
        raise stale_settings(before, changed)


def stale_settings(recorded: dict[str, Any], entered: dict[str, Any]) -> StaleVersion:
    """Build the refusal for settings changed by somebody else, with the values of both."""
    return StaleVersion(
        "Somebody changed the same settings while you had them open. Now recorded: "
        f"{_in_words(recorded)}. You entered: {_in_words(entered)}. Look, then save again.",
        recorded=_plain(recorded),
        entered=_plain(entered),
    )


def _in_words(values: dict[str, Any]) -> str:
    """Describe settings for a message; lists and dicts are given by name only."""
    named = {key.replace("_", " "): value for key, value in _plain(values).items()}
    return ", ".join(
        f"other {name}" if isinstance(value, dict | list) else f"{name} {_word_for(value)}"
        for name, value in named.items()
    )


def _word_for(value: Any) -> str:
    words = {None: "not set", "": "empty", True: "yes", False: "no"}
    return words[value] if value in (None, "") or isinstance(value, bool) else str(value)


def _is_changed_since(tournament: Tournament, seen_log: int | None, settings: list[str]) -> bool:
    """Return True if one of these settings changed after this log entry."""
    if seen_log is None or not settings:
        return False
    since = tournament.log.filter(
        action__in=log_actions.SETTING_CHANGES, after__has_any_keys=settings, pk__gt=seen_log
    )
    return since.exists()


def _plain(values: dict[str, Any]) -> dict[str, Any]:
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
            "Somebody set another closing time while you had this page open. Now recorded: "
            f"{_in_words(recorded)}. You entered: {_in_words(entered)}. Look, then choose.",
            recorded=_plain(recorded),
            entered=_plain(entered),
        )
    is_over = is_open and queries.is_past_closing_time(locked)
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
def finish(tournament: Tournament, actor: Actor) -> None:
    """Finish the event and make the standings final. Raises NotOver."""
    locked = history.lock_unfinished(tournament)
    if open_still := why_not_over(locked):
        raise NotOver(open_still)
    locked.finished_at = timezone.now()
    locked.registration_is_open = False
    locked.save(update_fields=["finished_at", "registration_is_open"])
    history.record(locked, actor, LogAction.EVENT_FINISHED)
    event_services.event_finished(locked)
    event_services.request_ratings(locked)
    operation_services.request_backup(locked)


def why_not_over(tournament: Tournament) -> str:
    """Return the reason why the event cannot be finished yet; empty if there is none."""
    latest = queries.latest_round(tournament)
    if latest is None or not latest.is_closed:
        return "Close the last round before you finish the event."
    cut = queries.cut_of_event(tournament)
    if cut is not None and elimination.cut_of(cut).winner is None:
        return "The cut is not decided yet. Play its games, or undo it before it begins."
    return ""


@transaction.atomic
def reopen(tournament: Tournament, actor: Actor, reason: str) -> None:
    """Reopen a finished event with a public reason.

    An event that is not finished stays unchanged. Raises ReasonMissing.
    """
    locked = history.lock(tournament)
    if not locked.is_finished:
        return
    if not reason.strip():
        raise ReasonMissing("Say why the event is opened again. Everybody can read it.")
    locked.finished_at = None
    locked.save(update_fields=["finished_at"])
    history.record_correction(locked, actor, LogAction.EVENT_REOPENED, "", reason)
    event_services.request_ratings(locked)
