"""Apply an event's deck rules to its decklists, and re-check them in a job."""

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext

from decks import services as deck_services
from decks.catalogue import format_table
from decks.legality.formats import outdated
from decks.legality.records import AnrRules, DeckRules, deck_rules_of
from decks.legality.verdict import Verdict
from decks.models import DecklistVersion
from players.models import Player
from tournaments.event import history, visibility
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import DeckSubmission, Job, LogAction, Tournament

# Reasons why a list gets no verdict, whatever its cards.
NOT_JUDGED = (
    deck_services.NoCards,
    deck_services.GameNotJudged,
    deck_services.UnknownFormat,
)
NO_FORMAT = (
    "No format is chosen, so every card is legal. To check decks by a card pool and ban list, "
    "choose a format in the settings."
)


def deck_rules(tournament: Tournament) -> DeckRules:
    """Convert the event's settings into legality rules."""
    return deck_rules_of(tournament.game, tournament.deck_rules)


@dataclass(frozen=True)
class RulesNotice:
    """A warning for the organiser about the chosen deck rules."""

    code: str
    detail: str


def rules_notices(tournament: Tournament) -> list[RulesNotice]:
    """List the notices for a game with formats: no format chosen, or outdated card data."""
    rules = deck_rules(tournament) if tournament.has_decks else None
    if not isinstance(rules, AnrRules):
        return []
    if not rules.format_id:
        return [RulesNotice("no_format", gettext(NO_FORMAT))]
    table = format_table(tournament.game)
    format_ = table.find(rules.format_id)
    stale = outdated(format_, table.as_of, tournament.starts_on) if format_ else None
    return [RulesNotice("outdated_card_data", stale.in_words())] if stale else []


def verdict(tournament: Tournament, side: str, text: str) -> Verdict:
    """Check a list against the event's rules without saving it."""
    return deck_services.check(
        text,
        game=tournament.game,
        side=side,
        rules=deck_rules(tournament),
        date=tournament.starts_on,
    )


def kept_version(tournament: Tournament, player: Player, side: str, text: str) -> DecklistVersion:
    """Save the list as a version of the player's deck, with its verdict."""
    return deck_services.hand_in(
        player,
        game=tournament.game,
        side=side,
        text=text,
        rules=deck_rules(tournament),
        date=tournament.starts_on,
    )


@transaction.atomic
def judge_again(tournament: Tournament, actor: Actor) -> None:
    """Re-check every list, locked or not, after the deck rules, date or card data changed.

    A locked list that is no longer legal stays locked and is flagged on the desk. No receipt is
    written, because nothing was submitted.
    """
    submissions = DeckSubmission.objects.filter(registration__tournament=tournament)
    for submission in submissions.select_related("version", "registration__player"):
        list_ = submission.version
        judged = verdict(tournament, submission.side, list_.text)
        if deck_services.says_the_same(list_, judged):
            continue
        player = submission.registration.player
        submission.version = kept_version(tournament, player, submission.side, list_.text)
        submission.save(update_fields=["version"])
        record(tournament, actor, LogAction.DECK_JUDGED_AGAIN, submission)


def judge_decks(job: Job) -> None:
    """Run the re-check job of an event. Lists of a finished event keep their verdict."""
    tournament = history.lock(job.tournament)
    if not tournament.is_finished:
        judge_again(tournament, NOBODY)


def is_public(tournament: Tournament) -> bool:
    """Return True if people other than the player and the judges may see decks."""
    return visibility.others_see_decks(tournament)


def record(
    tournament: Tournament,
    actor: Actor,
    action: LogAction,
    submission: DeckSubmission,
    *,
    reason: str = "",
    receipt: int | None = None,
) -> None:
    """Log an action on a deck, without its cards.

    The entry moves the public version only if decks are visible beyond the player and judges.
    """
    shown = is_public(tournament)
    after = {"side": submission.side, "version": submission.version.number}
    history.record(
        tournament,
        actor,
        action,
        submission.registration,
        after=after if receipt is None else {**after, "receipt": receipt},
        reason=reason,
        public=shown,
        players=None if shown else [submission.registration.player_id],
    )
