"""Verdict as plain text for the command line."""

from collections.abc import Iterator

from decks.legality import wording
from decks.legality.verdict import Verdict

SIDES = {"corp": "Corp deck", "runner": "Runner deck", "": "Deck of an unknown side"}


def lines_of(verdict: Verdict) -> Iterator[str]:
    """Yield the outcome, figures, breaches with fixes, and notices."""
    yield _outcome(verdict)
    if verdict.identity:
        yield f"Identity: {verdict.identity.title}"
    if verdict.format_id:
        names = wording.listing(verdict.lists_in_force) or "nothing in force yet"
        yield f"Format: {verdict.format_name}, {wording.day(verdict.date)}: {names}"
    if verdict.span:
        yield verdict.span.in_words()
    for breach in verdict.breaches:
        place = f"line {breach.line}: " if breach.line else ""
        yield f"- {place}{breach.message} {breach.remedy}"
        yield f"  ({breach.rule})"
    yield from (f"! {notice.message}" for notice in verdict.notices)
    if verdict.outdated:
        yield f"! {verdict.outdated.in_words()}"


def _outcome(verdict: Verdict) -> str:
    outcome = "legal" if verdict.legal else f"not legal, {len(verdict.breaches)} to fix"
    figures = [SIDES[verdict.side], wording.cards(verdict.size), *_figures(verdict)]
    return f"{', '.join(figures)}: {outcome}."


def _figures(verdict: Verdict) -> Iterator[str]:
    if verdict.agenda_minimum is not None:
        band = f"at least {verdict.agenda_minimum}"
        if verdict.agenda_maximum is not None:
            band = f"{verdict.agenda_minimum} or {verdict.agenda_maximum} needed"
        yield f"{wording.points(verdict.agenda_points)} ({band})"
    if verdict.influence_spent is not None:
        limit = "no limit" if verdict.influence_limit is None else f"of {verdict.influence_limit}"
        yield f"{verdict.influence_spent} influence ({limit})"
