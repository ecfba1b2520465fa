"""Draw tables for deck checks and record the outcomes."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import Refusal
from engine import table_plan
from tournaments.decklists import queries
from tournaments.event import history
from tournaments.event.permissions import Actor
from tournaments.models import (
    STATES_IN_PLAY,
    DeckCheck,
    DeckCheckDraw,
    DeckCheckOutcome,
    LogAction,
    Round,
    Tournament,
)
from tournaments.models.codes import new_seed
from tournaments.models.rounds import SEATS

# Outcomes a judge can choose; an empty outcome is an open check.
OUTCOMES = [choice for choice in DeckCheckOutcome.choices if choice[0]]


class NothingToCheck(Refusal):
    pass


class OutcomeMissing(Refusal):
    pass


@transaction.atomic
def draw_tables(round_: Round, actor: Actor, count: int) -> DeckCheckDraw:
    """Draw `count` tables of the round at random, except tables already drawn in it.

    Players never checked at this event come first. The seed is stored so that the draw can be
    repeated. Raises NothingToCheck if no table is left.
    """
    tournament = _lock_played(round_)
    tables = queries.checkable_tables(round_)
    seed = new_seed()
    numbers = table_plan.draw_tables(tables, count, seed)
    if not numbers:
        raise NothingToCheck(
            _(
                "There is no table left to check in round %(round)s. All tables have been "
                "drawn, or their players have not submitted decks."
            )
            % {"round": round_.number}
        )
    return _create_draw(tournament, round_, actor, numbers, seed)


@transaction.atomic
def pick_table(round_: Round, actor: Actor, table_number: int) -> DeckCheckDraw:
    """Check a table chosen by a judge; the draw has no seed. Raises NothingToCheck."""
    tournament = _lock_played(round_)
    if table_number not in {table.number for table in queries.checkable_tables(round_)}:
        raise NothingToCheck(
            _(
                "Table %(table_number)s cannot be checked in round %(round)s. The table does "
                "not exist, none of its players has submitted a deck, or it is already being "
                "checked."
            )
            % {"table_number": table_number, "round": round_.number}
        )
    return _create_draw(tournament, round_, actor, (table_number,), None)


@transaction.atomic
def record_outcome(check: DeckCheck, actor: Actor, outcome: str, note: str = "") -> DeckCheck:
    """Record the outcome of a check, or replace it. Raises OutcomeMissing."""
    tournament = history.lock_unfinished(check.draw.tournament)
    if outcome not in DeckCheckOutcome.values or outcome == DeckCheckOutcome.OPEN:
        raise OutcomeMissing(_("Choose what you found before you save the check."))
    rows = DeckCheck.objects.select_for_update(of=("self",))
    check = rows.select_related("submission__registration__player", "draw").get(pk=check.pk)
    before = {"outcome": check.outcome} if check.outcome else {}
    check.outcome, check.note = outcome, note
    check.checked_by, check.checked_at = actor.user, timezone.now()
    check.save(update_fields=["outcome", "note", "checked_by", "checked_at"])
    # The note may name cards, so it is stored with the check and not in the log.
    history.record(
        tournament,
        actor,
        LogAction.DECK_CHECKED,
        check.submission.registration.player,
        before=before,
        after={"side": check.submission.side, "outcome": check.outcome},
    )
    return check


def _lock_played(round_: Round) -> Tournament:
    tournament = history.lock_unfinished(round_.stage.tournament)
    if not Round.objects.filter(pk=round_.pk, state__in=STATES_IN_PLAY).exists():
        raise NothingToCheck(
            _("Round %(round)s is no longer being played.") % {"round": round_.number}
        )
    return tournament


def _create_draw(
    tournament: Tournament, round_: Round, actor: Actor, numbers: Iterable[int], seed: int | None
) -> DeckCheckDraw:
    last = tournament.deck_check_draws.last()
    drawn = DeckCheckDraw.objects.create(
        tournament=tournament,
        round_number=round_.number,
        number=last.number + 1 if last else 1,
        seed=seed,
        drawn_by=actor.user,
        drawn_at=timezone.now(),
    )
    pairings = round_.pairings.filter(table_number__in=numbers).prefetch_related(SEATS)
    checks = []
    for pairing in pairings:
        assert pairing.table_number is not None
        checks += [
            DeckCheck(
                draw=drawn,
                table_number=pairing.table_number,
                submission=submission,
                version=submission.version,
            )
            for submission in queries.decks_played_at(pairing)
        ]
    DeckCheck.objects.bulk_create(checks)
    history.record(
        tournament,
        actor,
        LogAction.DECK_CHECK_DRAWN if seed is not None else LogAction.DECK_CHECK_PICKED,
        f"round {round_.number}",
        after={"tables": sorted(numbers)},
    )
    return drawn
