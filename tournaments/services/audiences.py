"""Who sees the decks of each stage and from when, as the organiser says."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from core.errors import Refusal, StaleVersion
from tournaments import history
from tournaments.actors import Actor
from tournaments.models import DeckAudience, IdentitiesShown, Stage, Tournament
from tournaments.sheets.seeing import moment_in_words

ACTION = "audience of decks changed"


class NoCut(Refusal):
    """Players of a cut, at a stage that is none."""

    code = "no_cut"


@dataclass(frozen=True)
class Shown:
    """Who sees the decks of a stage from `at` on; without that once its first round is public."""

    to: DeckAudience
    at: datetime | None = None


@transaction.atomic
def show_decks(
    tournament: Tournament,
    actor: Actor,
    stages: Mapping[int, Shown],
    *,
    identities_shown: str = "",
    seen_log: int | None = None,
) -> None:
    """Set it for these stages, by number, and for identities unless that is empty.

    What differs is logged and moves the version. A finished event may be changed too, as decks
    are often shown afterwards. Raises NoCut, and StaleVersion when somebody has changed it after
    `seen_log`, the newest log entry when the form was made.
    """
    locked = history.lock(tournament)
    changed = [stage for stage in locked.stages.all() if _differs(stage, stages.get(stage.number))]
    new_identities = identities_shown and identities_shown != locked.identities_shown
    if not changed and not new_identities:
        return
    _refuse_stale(locked, seen_log)
    for stage in changed:
        _change(locked, stage, stages[stage.number], actor)
    if new_identities:
        _change_identities(locked, IdentitiesShown(identities_shown), actor)


def _differs(stage: Stage, shown: Shown | None) -> bool:
    return shown is not None and _kept(shown) != (stage.decks_shown_to, stage.decks_shown_at)


def _kept(shown: Shown) -> tuple[str, datetime | None]:
    # A time at which nobody begins to see anything would be a riddle in the log.
    return shown.to.value, None if shown.to == DeckAudience.PRIVATE else shown.at


def _change(tournament: Tournament, stage: Stage, shown: Shown, actor: Actor) -> None:
    if shown.to == DeckAudience.CUT and not stage.way.is_elimination:
        raise NoCut(f"Stage {stage.number} is no cut, so it has no players of a cut to show to.")
    before = _told(tournament, stage)
    stage.decks_shown_to, stage.decks_shown_at = _kept(shown)
    stage.save(update_fields=["decks_shown_to", "decks_shown_at"])
    subject = f"stage {stage.number}"
    after = _told(tournament, stage)
    history.record(tournament, actor, ACTION, subject, before=before, after=after)


def _told(tournament: Tournament, stage: Stage) -> dict[str, str]:
    at = stage.decks_shown_at
    from_when = "its first round" if at is None else moment_in_words(at, tournament)
    return {"shown to": stage.decks_shown_to, "from": from_when}


def _change_identities(tournament: Tournament, shown: IdentitiesShown, actor: Actor) -> None:
    before = {"shown": tournament.identities_shown}
    tournament.identities_shown = shown
    tournament.save(update_fields=["identities_shown"])
    after = {"shown": shown.value}
    history.record(tournament, actor, ACTION, "identities", before=before, after=after)


def _refuse_stale(tournament: Tournament, seen_log: int | None) -> None:
    if seen_log is None or not tournament.log.filter(action=ACTION, pk__gt=seen_log).exists():
        return
    raise StaleVersion(
        "Somebody changed who sees the decks while you had this page open. Look, then save again."
    )
