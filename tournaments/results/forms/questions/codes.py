"""What a code writes into the fields of a table, and which fields it still asks for."""

from collections.abc import Mapping
from dataclasses import dataclass

from matches.scoring import AgendaRule, GameEnd, ResultCode, ScoringRule, all_codes_of
from tournaments.results.forms.questions.base import NOBODY

SEATS = (1, 2)


@dataclass(frozen=True)
class FilledIn:
    """`values` by name of the field, a flag that holds is "on"; fields not named are emptied.

    `asks` are the fields that are typed next, in order.
    """

    words: str
    values: Mapping[str, str]
    asks: tuple[str, ...]


def filled_in(rule: ScoringRule) -> dict[str, FilledIn]:
    """By the keys of each code what it writes; empty where every number is typed."""
    counts_agendas = isinstance(rule, AgendaRule)
    return {
        keys: FilledIn(code.words, _values(code), _asks(code) if counts_agendas else ())
        for keys, code in all_codes_of(rule).items()
    }


def _values(code: ResultCode) -> dict[str, str]:
    values = {flag.value: "on" for flag in sorted(code.flags)}
    for number, winner in enumerate(code.winners, start=1):
        values[f"game_{number}_winner"] = str(winner) if winner else NOBODY
        if winner and code.end:
            values[f"game_{number}_end"] = code.end.value
    return values


def _asks(code: ResultCode) -> tuple[str, ...]:
    """The agenda points of everybody who did not win; after a no-show there are none."""
    return tuple(
        f"game_{number}_points_{position}"
        for number, winner in enumerate(code.winners, start=1)
        for position in SEATS
        if position != winner and not (winner and code.end is GameEnd.NO_SHOW)
    )
