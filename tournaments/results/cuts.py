"""Make, change, publish and undo a cut; decide drawn matches and sides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import Refusal
from core.languages import in_words
from engine.pairing.records import PairingReason
from engine.systems import ELIMINATION_SYSTEMS, STORED_SYSTEMS
from matches import services as matches_services
from matches.scoring import rules as scoring_rules
from tournaments.event import history
from tournaments.event.permissions import Actor
from tournaments.models import (
    DeckAudience,
    LogAction,
    Pairing,
    Registration,
    RegistrationState,
    Stage,
    StageEntry,
    Tournament,
)
from tournaments.models.event_log import cut_change_in_words
from tournaments.models.rounds import MADE_CHOICE, OPEN_CHOICE
from tournaments.results import services
from tournaments.results.rules import (
    MAX_CUT_SIZE,
    MIN_CUT_SIZE,
    CutChange,
    CutChangeKind,
    CutChangeRefused,
    apply_cut_change,
)
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds import draft_changes
from tournaments.rounds.reasons import stored_reason

SEATS_PER_CUT_TABLE = 2
# "seeds" of a cut by number, best first, and players who are "out" of it.
StoredCut = dict[str, list[int]]


class CutRefused(Refusal):
    """The cut cannot be made or changed now."""


class CutIsPublic(Refusal):
    """A round of the cut is published, so its players can no longer change."""


class NothingToSay(Refusal):
    """The table needs no such decision, or not about this player."""


# The refusals of each action that the API declares; pages show any refusal.
MAKE_REFUSALS = (history.EventIsFinished, CutRefused, history.PlayerRemoved)
PUBLISH_REFUSALS = (history.EventIsFinished, CutRefused)
CHANGE_REFUSALS = (history.EventIsFinished, CutRefused, CutIsPublic)
ADVANCE_REFUSALS = (*services.TABLE_REFUSALS, NothingToSay)
ROLE_REFUSALS = (history.EventIsFinished, NothingToSay, matches_services.AlreadySettled)


@transaction.atomic
def make_cut(
    tournament: Tournament,
    players: Sequence[Registration],
    actor: Actor,
    *,
    system: str,
    scoring_rule: str = "",
    fixed_bracket: bool = False,
    reason: str = "",
) -> Stage:
    """Make a cut of these players, best seed first. `scoring_rule` defaults to that of the event.

    A `reason` is required if they are not the best of the standings in order.
    """
    locked = history.lock_unfinished(tournament)
    _refuse_unless_ready(locked)
    current = history.reload_registrations(players)
    players = [current[player.pk] for player in players]
    _refuse_players(locked, players)
    reason = _reason_for_manual_seeds(locked, players, reason)
    rule = _cut_scoring_rule(locked, scoring_rule)
    if system not in ELIMINATION_SYSTEMS:
        raise CutRefused(
            _("%(name)s cannot be used for a cut.") % {"name": STORED_SYSTEMS[system].name}
        )
    stage = Stage.objects.create(
        tournament=locked,
        number=locked.current_stage().number + 1,
        system=system,
        scoring_rule=rule,
        fixed_bracket=fixed_bracket,
    )
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, registration=player, seed=seed)
        for seed, player in enumerate(players, start=1)
    )
    seeds = [f"{player.player}" for player in players]
    after = {"system": system, "scoring_rule": rule, "seeds": seeds}
    made = f"top {len(players)}{', chosen by hand' if reason else ''}"
    history.record(locked, actor, LogAction.CUT_MADE, made, after=after, reason=reason)
    return stage


@transaction.atomic
def make_planned_cut(tournament: Tournament, actor: Actor, *, size: int, system: str = "") -> Stage:
    """Make the planned cut from the standings, with the usual scoring.

    `size` is the size that the page offered, and `system` the elimination if it differs from the
    plan. Called again, return the cut that was made.
    """
    locked = history.lock_unfinished(tournament)
    if (made := locked.get_cut()) is not None:
        return made
    _refuse_unless_ready(locked)
    players = locked.cut_candidates()
    planned = locked.planned_cut_size(len(players))
    if planned != size:
        raise CutRefused(
            _("The planned cut has changed. Check its size, then start it again.")
            if planned
            else _("No cut of this size is planned any more.")
        )
    rule = usual_cut_rule(locked)
    system = system or locked.planned_cut_system
    return make_cut(locked, players[:size], actor, system=system, scoring_rule=rule)


def usual_cut_rule(tournament: Tournament) -> str:
    """Return the rule of single games if the game has one, else the rule of the event."""
    rules = scoring_rules.scoring_rules_of(tournament.game_played.scoring_rules)
    single = next((rule.id for rule in rules if rule.games_per_match == 1), None)
    return single or tournament.scoring_rule


def _refuse_unless_ready(tournament: Tournament) -> None:
    if tournament.get_cut() is not None:
        raise CutRefused(_("This event has a cut. Undo it before you make another one."))
    latest = tournament.latest_round()
    if latest is not None and not latest.is_closed:
        raise CutRefused(
            _("Close round %(latest)s before you make the cut.") % {"latest": latest.number}
        )
    if reason := tournament.why_standings_wait():
        raise CutRefused(reason)


def _refuse_players(tournament: Tournament, players: Sequence[Registration]) -> None:
    if not MIN_CUT_SIZE <= len(players) <= MAX_CUT_SIZE:
        raise CutRefused(
            _("A cut has %(min_cut_size)s to %(max_cut_size)s players; you chose %(players)s.")
            % {"min_cut_size": MIN_CUT_SIZE, "max_cut_size": MAX_CUT_SIZE, "players": len(players)}
        )
    for place, player in enumerate(players):
        if player.tournament_id != tournament.pk or not player.is_active:
            raise CutRefused(
                _("%(player)s is not checked in. Choose another player.")
                % {"player": player.player}
            )
        if player in players[:place]:
            raise CutRefused(
                _("%(player)s has two seeds. Each player has one.") % {"player": player.player}
            )


def _reason_for_manual_seeds(
    tournament: Tournament, players: Sequence[Registration], reason: str
) -> str:
    """Return the reason why these are not the best of the standings in order; empty if they are."""
    if tournament.snapshots.newest() is None:
        return ""
    best = tournament.cut_candidates()[: len(players)]
    if [player.pk for player in players] == [player.pk for player in best]:
        return ""
    if not reason.strip():
        raise CutRefused(_("These seeds do not follow the standings. Give a reason for the log."))
    return reason.strip()


def _cut_scoring_rule(tournament: Tournament, scoring_rule: str) -> str:
    rule = scoring_rules.scoring_rule(scoring_rule or tournament.scoring_rule)
    if not tournament.game_played.is_scored_by(rule.id):
        raise CutRefused(
            _("The scoring %(rule)s belongs to another game.") % {"rule": in_words(rule.name)}
        )
    if rule.min_seats > SEATS_PER_CUT_TABLE:
        raise CutRefused(
            _("The scoring %(rule)s needs tables of %(min_seats)s.")
            % {"rule": in_words(rule.name), "min_seats": rule.min_seats}
        )
    return rule.id


@dataclass(frozen=True)
class CutPreview:
    before: tuple[Registration, ...]
    after: tuple[Registration, ...]
    # As stored in the log.
    change: dict[str, Any]

    @property
    def words(self) -> str:
        return cut_change_in_words(self.change)

    @property
    def lines(self) -> list[tuple[int, Registration | None, Registration, bool]]:
        """Each seed as (seed, old player, new player, differs)."""
        pairs = zip_longest(self.before, self.after)
        return [(seed, old, new, old != new) for seed, (old, new) in enumerate(pairs, start=1)]


def preview_cut_change(stage: Stage, change: CutChange) -> CutPreview:
    if stage.has_published_round():
        raise CutIsPublic(
            _("A round of the cut is published, so its players can no longer change.")
        )
    seeded = [entry.registration for entry in stage.entries.accepted()]
    candidates = stage.tournament.cut_candidates()
    named = {entry.number: entry for entry in (*seeded, *candidates)}
    numbers, successor = [entry.number for entry in seeded], get_next_candidate(stage)
    try:
        after = apply_cut_change(numbers, successor.number if successor else None, [*named], change)
    except CutChangeRefused as refusal:
        raise CutRefused(in_words(refusal.message)) from refusal
    described = _describe_change(change, named, numbers, successor)
    return CutPreview(tuple(seeded), tuple(named[number] for number in after), described)


def _describe_change(
    change: CutChange,
    named: Mapping[int, Registration],
    before: Sequence[int],
    successor: Registration | None,
) -> dict[str, Any]:
    """Return the values of CUT_CHANGE_SENTENCES for this change."""
    described: dict[str, Any] = {
        "kind": change.kind.value,
        "name": f"{named[change.player].player}",
    }
    if change.kind is CutChangeKind.INVITE:
        return described | {"seed": len(before) + 1}
    seed = before.index(change.player) + 1
    if change.kind is CutChangeKind.SEED:
        return described | {"seed": change.seed, "old_seed": seed}
    joins = successor if change.replacement is None else named[change.replacement]
    assert joins is not None
    return described | {"replacement": f"{joins.player}", "seed": seed}


@transaction.atomic
def change_cut(
    stage: Stage,
    change: CutChange,
    actor: Actor,
    reason: str,
    *,
    seen: Sequence[int] | None = None,
) -> CutPreview:
    """Change the players or seeds of the cut; return the applied change.

    `seen` are the numbers of the seeds that the preview began with.
    """
    stage = _lock_unplayed(stage, actor)
    if not reason.strip():
        raise CutRefused(_("Give a reason for the log."))
    done, before = preview_cut_change(stage, change), _stored_cut(stage)
    if seen is not None and list(seen) != before["seeds"]:
        raise CutRefused(_("The cut has changed since this preview. Review it again."))
    out = {entry.number for entry in done.before if entry not in done.after} | set(before["out"])
    after = {"seeds": [entry.number for entry in done.after], "out": sorted(out)}
    is_decline = change.kind is CutChangeKind.DECLINE
    action = LogAction.PLACE_DECLINED if is_decline else LogAction.CUT_CHANGED
    _write_entries(stage, after, actor, action, reason.strip(), done.change)
    return done


@transaction.atomic
def restore_cut(tournament: Tournament, stored: StoredCut, actor: Actor, reason: str) -> None:
    """Restore the cut from before a change. Players who return must still be active."""
    stage = tournament.get_cut()
    if stage is None:
        raise CutRefused(_("This cut was undone. Make a new one."))
    stage = _lock_unplayed(stage, actor)
    returning = set(stored["seeds"]) - set(_stored_cut(stage)["seeds"])
    roster = stage.tournament.registrations.select_related("player")
    for entry in roster.filter(number__in=returning):
        if not entry.is_active:
            raise CutRefused(
                _("%(player)s is not checked in. Return the player to the event first.")
                % {"player": entry.player}
            )
    _write_entries(stage, stored, actor, LogAction.CUT_CHANGED, reason)


def _stored_cut(stage: Stage) -> StoredCut:
    return {
        "seeds": [entry.registration.number for entry in stage.entries.accepted()],
        "out": sorted(entry.registration.number for entry in stage.entries.declined_in_order()),
    }


def _write_entries(
    stage: Stage,
    cut: StoredCut,
    actor: Actor,
    action: LogAction,
    reason: str,
    change: Mapping[str, Any] | None = None,
) -> None:
    before = _stored_cut(stage)
    roster = {entry.number: entry for entry in stage.tournament.registrations.all()}
    if not set(cut["seeds"]) <= roster.keys():
        raise CutRefused(_("A player in this cut is no longer on the roster."))
    # Delete all entries first: (stage, seed) is unique.
    stage.entries.all().delete()
    seeded = [
        StageEntry(stage=stage, registration=roster[number], seed=seed)
        for seed, number in enumerate(cut["seeds"], start=1)
    ]
    out = [
        StageEntry(stage=stage, registration=roster[number], declined=True)
        for number in cut["out"]
        if number in roster and number not in cut["seeds"]
    ]
    StageEntry.objects.bulk_create(seeded + out)
    names = (change[key] for key in ("name", "replacement") if key in change) if change else ()
    history.record(
        stage.tournament,
        actor,
        action,
        ", ".join(names),
        before={"cut": before},
        after={"cut": cut} | ({"cut_change": change} if change else {}),
        reason=reason,
        public=_is_visible(stage),
    )


def get_next_candidate(stage: Stage) -> Registration | None:
    """Return the best player in the standings who has not had a place in the cut."""
    known = set(stage.entries.values_list("registration", flat=True))
    candidates = stage.tournament.cut_candidates()
    return next((entry for entry in candidates if entry.pk not in known), None)


def is_seeded_by_standings(stage: Stage) -> bool:
    declined = {entry.registration_id for entry in stage.entries.declined_in_order()}
    best = [entry.pk for entry in stage.tournament.cut_candidates() if entry.pk not in declined]
    seeded = [entry.registration_id for entry in stage.entries.accepted()]
    return seeded == best[: len(seeded)]


def get_dropped_players(stage: Stage) -> list[Registration]:
    entries = stage.entries.accepted()
    gone = entries.filter(registration__state=RegistrationState.DROPPED)
    return [entry.registration for entry in gone]


@transaction.atomic
def publish_cut(stage: Stage, actor: Actor) -> None:
    """Publish seeds and bracket before the first games; the cut can still be changed."""
    locked = _lock_cut(stage)
    if locked.is_public_cut():
        return
    locked.seeds_shown_at = timezone.now()
    locked.save(update_fields=["seeds_shown_at"])
    size = locked.entries.accepted().count()
    history.record(locked.tournament, actor, LogAction.CUT_PUBLISHED, f"top {size}")


@transaction.atomic
def undo_cut(stage: Stage, actor: Actor) -> None:
    stage = _lock_unplayed(stage, actor)
    history.record(stage.tournament, actor, LogAction.CUT_UNDONE, public=_is_visible(stage))
    stage.delete()


def _is_visible(stage: Stage) -> bool:
    return stage.seeds_shown_at is not None or stage.decks_shown_to != DeckAudience.PRIVATE


def _lock_cut(stage: Stage) -> Stage:
    locked = history.lock_unfinished(stage.tournament).get_cut()
    if locked is None or locked.pk != stage.pk:
        raise CutRefused(_("This cut was undone. Make a new one."))
    return locked


def _lock_unplayed(stage: Stage, actor: Actor) -> Stage:
    """Lock the cut and discard its draft. Raise CutIsPublic if a round was published."""
    locked = _lock_cut(stage)
    if locked.has_published_round():
        raise CutIsPublic(
            _("A round of the cut is published, so its players can no longer change.")
        )
    tournament = locked.tournament
    job = tournament.pairing_job(tournament.next_round_number())
    if job is not None and job.is_live:
        raise CutRefused(_("A round of the cut is being paired. Reload the page in a moment."))
    for draft in locked.rounds.all():
        draft_changes.discard_draft(draft, actor)
    return locked


@transaction.atomic
def set_advancing_player(pairing: Pairing, registration: Registration, actor: Actor) -> None:
    """Set the player who advances from a drawn match."""
    tournament = history.lock_unfinished(pairing.round.stage.tournament)
    _refresh_pairing(pairing)
    if pairing.bracket_game is None or not rounds_cut.is_tied(pairing):
        raise NothingToSay(
            _("The result decides who advances, so there is nothing to choose here.")
        )
    _refuse_stranger(pairing, registration)
    before = {"goes_on": str(pairing.advances.player)} if pairing.advances else {}
    pairing.advances = registration
    pairing.save(update_fields=["advances"])
    services.refuse_unless_bracket_fits(pairing.round)
    history.record(
        tournament,
        actor,
        LogAction.WHO_GOES_ON_DECIDED,
        f"round {pairing.round.number}, {pairing}",
        before=before,
        after={"goes_on": str(registration.player)},
    )


def _refresh_pairing(pairing: Pairing) -> None:
    # The draft may have been discarded before the lock was taken.
    if not Pairing.objects.filter(pk=pairing.pk).exists():
        raise NothingToSay(
            _("This table no longer exists: its round was unpublished. Open the desk.")
        )
    pairing.refresh_from_db()


def _refuse_stranger(pairing: Pairing, registration: Registration) -> None:
    assert pairing.match is not None
    if not pairing.match.seats.filter(player=registration.player_id).exists():
        raise NothingToSay(
            _("%(player)s does not sit at %(pairing)s.")
            % {"player": registration.player, "pairing": pairing}
        )


@transaction.atomic
def choose_corp(
    pairing: Pairing, corp: Registration, actor: Actor, *, seen: str | None = None
) -> None:
    """Set the Corp of game 1 as the higher seed chose, until a result is reported.

    `seen` is the value of `cut.get_chosen_corp` when the page was made.
    """
    tournament = history.lock_unfinished(pairing.round.stage.tournament)
    _refresh_pairing(pairing)
    chooser = pairing.chooser_number
    if chooser is None or pairing.match is None:
        raise NothingToSay(_("The sides at this table are not chosen by a player."))
    chosen = rounds_cut.get_chosen_corp(pairing)
    if seen not in (None, chosen) and chosen != str(corp.player_id):
        raise NothingToSay(
            _("The sides have been chosen. Check them, then choose again if needed.")
        )
    _refuse_stranger(pairing, corp)
    runner = next(player for player in pairing.players if player != corp.player_id)
    matches_services.reseat_match(pairing.match, (corp.player_id, runner))
    code = "chose_corp" if corp.number == chooser else "chose_runner"
    pairing.reasons = [
        reason for reason in pairing.reasons if reason["kind"] not in (OPEN_CHOICE, MADE_CHOICE)
    ]
    pairing.reasons.append(stored_reason(PairingReason(MADE_CHOICE, (chooser,), code)))
    pairing.save(update_fields=["reasons"])
    subject = f"round {pairing.round.number}, {pairing}"
    history.record(
        tournament,
        actor,
        LogAction.ROLE_CHOSEN,
        subject,
        after={"corp": str(corp.player)},
        public=not pairing.round.is_draft,
    )
