"""Who may do what at an event; tournaments.visibility says who may see what."""

from tournaments import queries
from tournaments.actors import Actor
from tournaments.models import Staff, StaffRole, Tournament

RUNNERS = {StaffRole.OWNER, StaffRole.ORGANISER}
SCORERS = RUNNERS | {StaffRole.SCOREKEEPER, StaffRole.HEAD_JUDGE}
JUDGES = RUNNERS | {StaffRole.HEAD_JUDGE, StaffRole.JUDGE}


def _has_role(actor: Actor, tournament: Tournament, roles: set[StaffRole]) -> bool:
    if actor.user is None:
        return False
    return actor.user.is_superuser or queries.role_of(actor.user, tournament) in roles


def is_staff(actor: Actor, tournament: Tournament) -> bool:
    """Any role at the event."""
    return _has_role(actor, tournament, set(StaffRole))


def can_own(actor: Actor, tournament: Tournament) -> bool:
    """Change the staff, reopen a finished event."""
    return _has_role(actor, tournament, {StaffRole.OWNER})


def can_run(actor: Actor, tournament: Tournament) -> bool:
    """Settings, roster, pairing, publishing, closing."""
    return _has_role(actor, tournament, RUNNERS)


def can_enter_results(actor: Actor, tournament: Tournament) -> bool:
    """Enter, change and decide results."""
    return _has_role(actor, tournament, SCORERS)


def can_judge(actor: Actor, tournament: Tournament) -> bool:
    """Write notes on a match, cite rulings, look at decks."""
    return _has_role(actor, tournament, JUDGES)


def can_open_desk(actor: Actor, tournament: Tournament) -> bool:
    """Stand behind the desk: whoever runs, scores or judges."""
    return _has_role(actor, tournament, SCORERS | JUDGES)


def desks_of(actor: Actor) -> set[int]:
    """The events, by primary key, at which the account has a role behind the desk; one query."""
    roles = Staff.objects.filter(user=actor.user, role__in=SCORERS | JUDGES)
    return set(roles.values_list("tournament", flat=True))
