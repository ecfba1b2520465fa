"""The deck rules of an event in words, for its page and for who hands in a deck."""

from dataclasses import dataclass

from django.utils.formats import date_format

from decks.catalogue import format_table
from decks.legality.formats import SnapshotFacts
from decks.legality.records import AnrRules, OnrRules
from tournaments.decklists.deck_verdicts import deck_rules
from tournaments.models import Tournament

BASIC = "The basic rules alone: every card of the game may be played, and no ban list holds."
IDENTITY = (
    "A deck has an identity, and as many cards as it asks for at least, up to three copies of "
    "each unless the card says otherwise, with influence up to its limit."
)


@dataclass(frozen=True)
class DeckRulesInWords:
    """Sentences: for all decks of the event, for Runner decks, for Corp decks."""

    all: str
    runner: str
    corp: str


def deck_rules_in_words(tournament: Tournament) -> DeckRulesInWords:
    """The rules of the event's settings, for its day."""
    rules = deck_rules(tournament)
    if isinstance(rules, OnrRules):
        return _of_onr(rules)
    corp = "A Corp deck has the agenda points its size asks for: 20 or 21 for 45 to 49 cards."
    return DeckRulesInWords(f"{_format(tournament, rules)} {IDENTITY}", "", corp)


def _of_onr(rules: OnrRules) -> DeckRulesInWords:
    ratio = (
        "2 for every 5 cards, to the card"
        if rules.exact_ratio
        else "2 for every 5 cards begun: 18 for 45, 20 for 46 to 50"
    )
    return DeckRulesInWords(
        all="The ban list of the Top Runners' Conference applies." if rules.ban_list else "",
        runner=f"Runner: at least {rules.runner_minimum} cards.",
        corp=f"Corp: at least {rules.corp_minimum} cards, with agenda points for its size "
        f"({ratio}).",
    )


def _format(tournament: Tournament, rules: AnrRules) -> str:
    if not rules.format_id:
        return BASIC
    found = format_table(tournament.game).find(rules.format_id)
    if found is None:
        return (
            f'The format "{rules.format_id}" is not among the card data of this site, so decks '
            "cannot be judged by it."
        )
    day = date_format(tournament.starts_on, "j F Y")
    snapshot = found.on(tournament.starts_on)
    if snapshot is None:
        return f"Format {found.name}, which has no card pool yet on {day}."
    return f"Format {found.name} on {day}: {_snapshot(snapshot)}."


def _snapshot(snapshot: SnapshotFacts) -> str:
    pool = f"card pool {snapshot.pool.name}"
    if snapshot.restriction is None:
        return f"{pool}, without a ban list"
    since = date_format(snapshot.restriction.effective_from, "j F Y")
    return f"{pool}, {snapshot.restriction.name}, in force since {since}"
