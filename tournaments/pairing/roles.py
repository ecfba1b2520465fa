"""Who is Corp in game 1: a rematch reverses, otherwise it evens out over the event."""

import random

from matches.scoring import Role
from tournaments.pairing.records import Entrant, Reason


def corp_and_runner(
    first: Entrant, second: Entrant, chance: random.Random
) -> tuple[Entrant, Entrant, Reason]:
    """Corp and Runner of game 1, and why.

    After a meeting the roles of the last one are reversed. Else whoever was Corp in game 1 less
    often is Corp; equals draw a lot.
    """
    last = next((role for role in reversed(first.roles_against.get(second.id, ())) if role), None)
    if last is not None:
        corp = second if last is Role.CORP else first
        why = "the roles of their last meeting are reversed"
    elif first.corp_first != second.corp_first:
        corp, other = sorted((first, second), key=lambda entrant: entrant.corp_first)
        why = f"{_times(corp)} so far, the opponent {_times(other)}"
    else:
        corp = chance.choice((first, second))
        why = f"by lot, both {_times(corp)} so far"
    runner = second if corp is first else first
    text = f"{{0}} is Corp in game 1 against {{1}}: {why}."
    return corp, runner, Reason("roles", (corp.id, runner.id), text)


def _times(entrant: Entrant) -> str:
    count = entrant.corp_first
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
