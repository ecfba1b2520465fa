"""The last round of the Swiss, and what is known of it."""

from engine.systems import SystemKind
from tournaments.event import queries
from tournaments.models import Outlook, Round, RoundState, Tournament


def last_round(tournament: Tournament) -> Round | None:
    """The last planned round once it is at the tables, and after it until there is a cut.

    None where nobody said how many rounds there are: then any round may be the last.
    """
    round_ = queries.latest_round(tournament)
    if round_ is None or round_.is_draft or round_.stage.way.is_elimination:
        return None
    stage = round_.stage
    stage.tournament = tournament
    if tournament.planned_rounds is None and stage.way.kind is not SystemKind.ROUND_ROBIN:
        return None
    last = queries.round_target(tournament)
    return round_ if queries.number_in_stage(stage, round_.number) >= last else None


def outlook_of(tournament: Tournament) -> Outlook | None:
    """What is known of the newest round of the event, where players may read it; one query."""
    if not tournament.shows_needs:
        return None
    outlooks = Outlook.objects.filter(round__stage__tournament=tournament)
    # A round that was taken back is a draft again, and it may be paired anew.
    outlooks = outlooks.exclude(round__state=RoundState.DRAFT)
    newest = outlooks.select_related("round__stage").order_by("-round__number").first()
    return newest if newest is not None and _is_last(tournament, newest.round) else None


def _is_last(tournament: Tournament, round_: Round) -> bool:
    """Whether it is still the last: rounds may have been added since."""
    planned = tournament.planned_rounds
    is_fixed = round_.stage.way.kind is SystemKind.ROUND_ROBIN
    return is_fixed or (planned is not None and round_.number >= planned)
