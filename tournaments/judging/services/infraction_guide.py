"""Changes of an event to the infraction guide."""

from collections.abc import Sequence

from django.db import transaction

from core.errors import Refusal
from rulings.guide import is_code, ladder_errors, shipped_guide
from tournaments.event import history, permissions
from tournaments.event.actors import Actor
from tournaments.judging.services.penalties import NotForThisJudge
from tournaments.models import InfractionChange, LogAction, Tournament


class BadChange(Refusal):
    """The change makes no valid infraction; `details["errors"]` lists the reasons."""


@transaction.atomic
def change_infraction(
    tournament: Tournament,
    actor: Actor,
    code: str,
    *,
    name: str = "",
    description: str = "",
    ladder: Sequence[str] = (),
    is_off: bool = False,
) -> InfractionChange:
    """Change the ladder of an infraction, disable it, or define a new infraction.

    Empty name, description or ladder default to the guide. Penalties already given do not change.
    Raises NotForThisJudge and BadChange.
    """
    tournament = _locked(tournament, actor)
    known = shipped_guide().infractions.get(code)
    errors = _errors(known is not None, name, ladder, is_off=is_off)
    if errors or not is_code(code):
        errors = errors or [f'"{code}" is not an infraction code.']
        raise BadChange(" ".join(error[0].upper() + error[1:] for error in errors), errors=errors)
    values = {
        "name": name.strip(),
        "description": description.strip(),
        "ladder": [str(step) for step in ladder],
        "is_off": is_off,
    }
    row, _ = InfractionChange.objects.update_or_create(
        tournament=tournament, code=code, defaults=values
    )
    title = row.name or (known.name if known else code)
    after = {"ladder": row.ladder, "off": is_off}
    history.record(tournament, actor, LogAction.INFRACTION_CHANGED, title, after=after)
    return row


@transaction.atomic
def forget_change(tournament: Tournament, actor: Actor, code: str) -> None:
    """Revert an infraction to the guide, or delete the event's own. Idempotent."""
    tournament = _locked(tournament, actor)
    row = tournament.infraction_changes.filter(code=code).first()
    if row is None:
        return
    known = shipped_guide().infractions.get(code)
    row.delete()
    title = row.name or (known.name if known else code)
    history.record(tournament, actor, LogAction.INFRACTION_AS_IN_THE_GUIDE, title)


def _locked(tournament: Tournament, actor: Actor) -> Tournament:
    locked = history.lock_unfinished(tournament)
    if not permissions.can_head_judge(actor, locked):
        raise NotForThisJudge("Only the head judge changes the guide of an event.")
    return locked


def _errors(is_known: bool, name: str, ladder: Sequence[str], *, is_off: bool) -> list[str]:
    errors: list[str] = []
    if not is_known and not name.strip():
        errors.append("an infraction of the event's own needs a name.")
    if ladder or (not is_known and not is_off):
        errors += ladder_errors([str(step) for step in ladder])
    return errors
