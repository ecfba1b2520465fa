"""Set who sees the decks of each stage, and from when."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal, StaleVersion
from tournaments.event import history
from tournaments.event import queries as event_queries
from tournaments.event.actors import Actor
from tournaments.models import DeckAudience, IdentitiesShown, LogAction, Stage, Tournament


class NoCut(Refusal):
    """The audience is the players of the cut, but the stage is not a cut."""


@dataclass(frozen=True)
class Shown:
    """A stage's deck audience and start time; None starts when its first round is published."""

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
    """Set the audiences by stage number, and that of identities unless empty.

    Changes are logged and move the version. A finished event can be changed too, because decks are
    often revealed afterwards. Raises NoCut, and StaleVersion if the settings changed after
    `seen_log`, the newest log entry when the form was rendered.
    """
    locked = history.lock(tournament)
    wanted = {number: _kept(shown) for number, shown in stages.items()}
    changed = [
        stage
        for stage in locked.stages.all()
        if stage.number in wanted and wanted[stage.number] != _stored(stage)
    ]
    new_identities = identities_shown and identities_shown != locked.identities_shown
    if not changed and not new_identities:
        return
    if (
        seen_log is not None
        and locked.log.filter(action=LogAction.AUDIENCE_OF_DECKS_CHANGED, pk__gt=seen_log).exists()
    ):
        recorded = {stage.number: _stored(stage) for stage in changed}
        entered = {stage.number: wanted[stage.number] for stage in changed}
        raise _stale(
            _values(locked, recorded, locked.identities_shown if new_identities else ""),
            _values(locked, entered, identities_shown if new_identities else ""),
        )
    for stage in changed:
        _change(locked, stage, wanted[stage.number], actor)
    if new_identities:
        _change_identities(locked, IdentitiesShown(identities_shown), actor)


@transaction.atomic
def set_revealed(tournament: Tournament, actor: Actor, *, revealed: bool) -> None:
    """Reveal all decks to everyone who may see the event, or hide them again."""
    tournament = history.lock(tournament)
    tournament.decks_revealed_at = timezone.now() if revealed else None
    tournament.save(update_fields=["decks_revealed_at"])
    history.record(
        tournament, actor, LogAction.DECKS_REVEALED if revealed else LogAction.DECKS_HIDDEN
    )


def _kept(shown: Shown) -> Shown:
    # A start time for a private audience would only confuse readers of the log.
    return Shown(shown.to) if shown.to == DeckAudience.PRIVATE else shown


def _stored(stage: Stage) -> Shown:
    return Shown(DeckAudience(stage.decks_shown_to), stage.decks_shown_at)


def _change(tournament: Tournament, stage: Stage, shown: Shown, actor: Actor) -> None:
    if shown.to == DeckAudience.CUT and not stage.way.is_elimination:
        raise NoCut(f"Stage {stage.number} is no cut, so it has no players of a cut to show to.")
    before = _as_logged(tournament, _stored(stage))
    stage.decks_shown_to, stage.decks_shown_at = shown.to, shown.at
    stage.save(update_fields=["decks_shown_to", "decks_shown_at"])
    subject = f"stage {stage.number}"
    after = _as_logged(tournament, shown)
    history.record(
        tournament, actor, LogAction.AUDIENCE_OF_DECKS_CHANGED, subject, before=before, after=after
    )


def _as_logged(tournament: Tournament, shown: Shown) -> dict[str, str]:
    from_when = (
        event_queries.moment_in_words(shown.at, tournament) if shown.at else "its first round"
    )
    return {"shown to": shown.to.value, "from": from_when}


def _change_identities(tournament: Tournament, shown: IdentitiesShown, actor: Actor) -> None:
    before = {"shown": tournament.identities_shown}
    tournament.identities_shown = shown
    tournament.save(update_fields=["identities_shown"])
    after = {"shown": shown.value}
    history.record(
        tournament,
        actor,
        LogAction.AUDIENCE_OF_DECKS_CHANGED,
        "identities",
        before=before,
        after=after,
    )


def _values(
    tournament: Tournament, stages: Mapping[int, Shown], identities_shown: str
) -> dict[str, dict[str, str]]:
    """The settings in the format of the log; unchanged identities are left out."""
    logged = {f"stage {number}": _as_logged(tournament, shown) for number, shown in stages.items()}
    return {**logged, "identities": {"shown": identities_shown}} if identities_shown else logged


def _stale(recorded: dict[str, dict[str, str]], entered: dict[str, dict[str, str]]) -> StaleVersion:
    return StaleVersion(
        "Somebody changed who sees the decks while you had this page open. Now recorded: "
        f"{_in_words(recorded)}. You entered: {_in_words(entered)}. Look, then save again.",
        recorded=recorded,
        entered=entered,
    )


def _in_words(values: dict[str, dict[str, str]]) -> str:
    return "; ".join(
        f"{what} {', '.join(f'{name} {value}' for name, value in entry.items())}"
        for what, entry in values.items()
    )
