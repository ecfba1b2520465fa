"""The last round of the Swiss, and what is known of it."""

from engine.systems import SystemKind
from tournaments.event import queries
from tournaments.models import Outlook, Round, Tournament


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
    return outlooks.select_related("round__stage").order_by("-round__number").first()
