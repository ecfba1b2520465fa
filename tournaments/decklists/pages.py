"""Decklists as pages show them, and the deck rules of an event in words.

Callers check tournaments.event.visibility.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.form_fields import whole_number
from decks.catalogue import format_table
from decks.check_sentences import closed_sentence, sentences
from decks.formats.writers import section_of, section_rank
from decks.legality.difference import ListDifference, ListFacts, compare_lists
from decks.legality.records import AnrRules, OnrRules
from decks.models import Card, DecklistVersion, DeckSlot, Side
from tournaments.decklists import queries
from tournaments.decklists.queries import DeckLock, DeckProblem
from tournaments.decklists.services import deck_rules
from tournaments.event import pages as event_pages
from tournaments.event import visibility
from tournaments.event.permissions import Actor
from tournaments.models import (
    DeckAudience,
    DeckCheck,
    DeckCheckDraw,
    DeckReceipt,
    DeckSubmission,
    IdentitiesShown,
    Registration,
    Stage,
    Tournament,
)

# Players without a deck that the desk names.
MAX_MISSING_SHOWN = 20
BASIC_RULES = gettext_lazy("Basic rules: all cards of the game, no ban list.")
IDENTITY_RULES = gettext_lazy(
    "A deck has an identity and at least that identity's minimum number of cards. "
    "It has up to three copies of a card unless the card says otherwise, and no "
    "more influence than the identity allows."
)


@dataclass(frozen=True)
class DeckGroup:
    """The cards of a section as (copies, title), sorted by title."""

    heading: str
    cards: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class PlayerDecks:
    name: str
    pronouns: str
    number: int
    decks: tuple[tuple[DeckSubmission, tuple[DeckGroup, ...]], ...]


def deck_lists(submissions: QuerySet[DeckSubmission]) -> list[PlayerDecks]:
    """Group the decks by player in their given order, in a constant number of queries."""
    decks = submissions.select_related("registration__player", "version__identity")
    by_player = groupby(
        decks.prefetch_related(queries.SLOTS_WITH_CARDS), key=lambda deck: deck.registration
    )
    return [
        PlayerDecks(
            name=registration.player.name,
            pronouns=registration.player.pronouns,
            number=registration.number,
            decks=tuple(
                (submission, _deck_groups(submission.version.slots.all()))
                for submission in sorted(group, key=lambda deck: Side(deck.side))
            ),
        )
        for registration, group in by_player
    ]


def _deck_groups(slots: Iterable[DeckSlot]) -> tuple[DeckGroup, ...]:
    copies: Counter[Card] = Counter()
    for slot in slots:
        copies[slot.card] += slot.quantity
    ordered = sorted(
        copies, key=lambda card: (section_rank(_section_of_card(card)), card.title_key)
    )
    return tuple(
        DeckGroup(section, tuple((copies[card], card.title) for card in cards))
        for section, cards in groupby(ordered, key=_section_of_card)
    )


def _section_of_card(card: Card) -> str:
    return section_of(card.type, card.subtypes)


@dataclass(frozen=True)
class ReceiptComparison:
    older: DeckReceipt
    newer: DeckReceipt
    difference: ListDifference


def compare_receipts(
    receipts: Sequence[DeckReceipt], query: Mapping[str, str]
) -> ReceiptComparison | None:
    """Compare the receipts `older` and `newer`, by default the newest with its predecessor.

    Return None if there are fewer than two receipts or a number does not exist.
    """
    by_number = {receipt.number: receipt for receipt in receipts}
    # An invalid number becomes 0, which no receipt has.
    chosen = {
        name: whole_number(query[name], 5) or 0 for name in ("older", "newer") if name in query
    }
    newer = chosen.get("newer", max(by_number, default=0))
    older = chosen.get("older", newer - 1)
    if older not in by_number or newer not in by_number:
        return None
    before, after = by_number[older], by_number[newer]
    difference = compare_lists(_list_facts(before.version), _list_facts(after.version))
    return ReceiptComparison(before, after, difference)


def _list_facts(version: DecklistVersion) -> ListFacts:
    copies: Counter[str] = Counter()
    for title, quantity in version.slots.values_list("card__title", "quantity"):
        copies[title] += quantity
    return ListFacts(
        seal=version.seal,
        copies=copies,
        identity=version.identity.title if version.identity else "",
        lines=tuple(version.text.splitlines()),
    )


@dataclass(frozen=True)
class DeckWarnings:
    """Deck problems for the desk, and notices such as an upcoming ban list.

    `missing` is empty if decks are optional; `waived` needs no action.
    """

    missing: Sequence[DeckProblem]
    illegal: Sequence[DeckProblem]
    waived: Sequence[DeckProblem]
    notices: Sequence[str]
    lock: DeckLock | None

    @property
    def first_missing(self) -> Sequence[DeckProblem]:
        """Return the players to show by name: at a large event without decks there are hundreds."""
        return self.missing[:MAX_MISSING_SHOWN]

    @property
    def further_missing(self) -> int:
        return len(self.missing) - len(self.first_missing)

    def __bool__(self) -> bool:
        return bool(self.missing or self.illegal or self.waived or self.notices)


def deck_warnings(tournament: Tournament, *, has_begun: bool) -> DeckWarnings | None:
    """Collect the event's deck problems in at most three queries.

    Returns None for a game without decks. Notices apply only before the event. Once it `has_begun`,
    an event without problems takes one query.
    """
    if not tournament.has_decks:
        return None
    find = queries.players_with_deck_problems if has_begun else queries.registrations_with_decks
    playing = list(find(tournament))
    problems = queries.deck_problems_of_event(tournament, playing)
    to_solve = [problem for problem in problems if problem.waiver is None]
    notices = () if has_begun else queries.deck_notices(playing)
    return DeckWarnings(
        missing=[problem for problem in to_solve if problem.is_missing],
        illegal=[problem for problem in to_solve if not problem.is_missing],
        waived=[problem for problem in problems if problem.waiver],
        notices=[
            ngettext(
                "%(cause)s %(number)s deck is affected.",
                "%(cause)s %(number)s decks are affected.",
                count,
            )
            % {"number": count, "cause": closed_sentence(cause)}
            for cause, count in notices
        ],
        lock=queries.event_deck_lock(tournament),
    )


@dataclass(frozen=True)
class DeckRulesInWords:
    """Sentences for all decks of the event, for Runner decks and for Corp decks."""

    all: str
    runner: str
    corp: str


def deck_rules_in_words(tournament: Tournament) -> DeckRulesInWords:
    rules = deck_rules(tournament)
    if isinstance(rules, OnrRules):
        corp = (
            _("Corp: at least %(minimum)s cards, with exactly 2 agenda points for every 5 cards.")
            if rules.exact_ratio
            else _(
                "Corp: at least %(minimum)s cards, with 2 agenda points for every 5 cards or "
                "part of 5: 18 for 45 cards, 20 for 46 to 50."
            )
        )
        ban_list = _("The ban list of the Top Runners' Conference applies.")
        return DeckRulesInWords(
            all=ban_list if rules.ban_list else "",
            runner=_("Runner: at least %(minimum)s cards.") % {"minimum": rules.runner_minimum},
            corp=corp % {"minimum": rules.corp_minimum},
        )
    corp = _("A Corp deck needs agenda points for its size: 20 or 21 for 45 to 49 cards.")
    sentences = [_format_in_words(tournament, rules), str(IDENTITY_RULES)]
    if rules.identities_only:
        sentences.append(_("Players may submit just the identity."))
    return DeckRulesInWords(" ".join(sentences), "", corp)


def _format_in_words(tournament: Tournament, rules: AnrRules) -> str:
    if not rules.format_id:
        return str(BASIC_RULES)
    format_ = format_table(tournament.game).find(rules.format_id)
    if format_ is None:
        return _(
            'The format "%(format_id)s" is not in the card data of this site, so decks '
            "cannot be checked against it."
        ) % {"format_id": rules.format_id}
    day = date_format(tournament.starts_on, "LONG_DATE_FORMAT")
    snapshot = format_.on(tournament.starts_on)
    if snapshot is None:
        return _("Format %(format)s: no card pool exists yet on %(day)s.") % {
            "format": format_.name,
            "day": day,
        }
    restriction = snapshot.restriction
    names = {"format": format_.name, "day": day, "pool": snapshot.pool.name}
    if restriction is None:
        return _("Format %(format)s on %(day)s: card pool %(pool)s, no ban list.") % names
    return _(
        "Format %(format)s on %(day)s: card pool %(pool)s, %(ban_list)s, in force since %(since)s."
    ) % {
        **names,
        "ban_list": restriction.name,
        "since": date_format(restriction.effective_from, "LONG_DATE_FORMAT"),
    }


# Audiences in words, and the event as a viewer sees it


# %(when)s is one of the sentences of `_stage_sentence`.
ALL_DECKS_SENTENCES = {
    DeckAudience.OPPONENT: gettext_lazy(
        "Players who share a published table see each other's decks. %(when)s"
    ),
    DeckAudience.PARTICIPANTS: gettext_lazy("All players of the event see all decks. %(when)s"),
    DeckAudience.PUBLIC: gettext_lazy("Everyone who can see the event sees all decks. %(when)s"),
}
CUT_DECKS_SENTENCES = {
    DeckAudience.OPPONENT: gettext_lazy(
        "Players who share a published table in the cut see each other's decks. %(when)s"
    ),
    DeckAudience.CUT: gettext_lazy("The players in the cut see each other's decks. %(when)s"),
    DeckAudience.PARTICIPANTS: gettext_lazy(
        "All players of the event see the decks of the players in the cut. %(when)s"
    ),
    DeckAudience.PUBLIC: gettext_lazy(
        "Everyone who can see the event sees the decks of the players in the cut. %(when)s"
    ),
}


@dataclass(frozen=True)
class AudiencesInWords:
    """Sentences on current deck visibility and on scheduled changes."""

    now: tuple[str, ...]
    to_come: tuple[str, ...]


def audiences_in_words(tournament: Tournament) -> AudiencesInWords:
    """Describe the visibility settings.

    Players always see their own decks and judges see all, so neither is listed.
    """
    now: list[str] = []
    to_come: list[str] = []
    if tournament.decks_revealed_at is not None:
        at = event_pages.moment_in_words(tournament.decks_revealed_at, tournament)
        now.append(
            _("Everyone who can see the event sees all decks. They were revealed on %(moment)s.")
            % {"moment": at}
        )
    rounds = tournament.rounds.published().order_by()
    published = set(rounds.values_list("stage", flat=True))
    for stage in tournament.stages.all():
        if (sentence := _stage_sentence(stage, tournament, stage.pk in published)) is not None:
            is_now, words = sentence
            (now if is_now else to_come).append(words)
    if tournament.game_played.has_identities:
        is_now, words = _identities_sentence(tournament, bool(published))
        (now if is_now else to_come).append(words)
    return AudiencesInWords(tuple(now), tuple(to_come))


def _stage_sentence(
    stage: Stage, tournament: Tournament, is_published: bool
) -> tuple[bool, str] | None:
    """Return (applies now, sentence), or None if the stage shows no decks."""
    if stage.decks_shown_to == DeckAudience.PRIVATE:
        return None
    see = CUT_DECKS_SENTENCES if stage.is_cut else ALL_DECKS_SENTENCES
    sentence = see.get(
        DeckAudience(stage.decks_shown_to), ALL_DECKS_SENTENCES[DeckAudience.OPPONENT]
    )
    is_now = is_published
    if stage.decks_shown_at is not None:
        is_now = stage.decks_shown_at <= timezone.now()
        when = (
            _("This has applied since %(moment)s.")
            if is_now
            else _("This will apply from %(moment)s.")
        )
        when %= {"moment": event_pages.moment_in_words(stage.decks_shown_at, tournament)}
    else:
        when = (
            _("This has applied since the first round of stage %(stage)s was published.")
            if is_published
            else _("This will apply once the first round of stage %(stage)s is published.")
        )
        when %= {"stage": stage.number}
    return is_now, sentence % {"when": when}


def _identities_sentence(tournament: Tournament, is_published: bool) -> tuple[bool, str]:
    if tournament.identities_shown == IdentitiesShown.WITH_DECKS:
        return True, _("Identities are shown only to people who can see the whole deck.")
    if is_published:
        return True, _("Everyone who can see the event sees identities next to names.")
    return False, _(
        "Once round 1 is published, everyone who can see the event sees identities next to names."
    )


@dataclass(frozen=True)
class ViewerPreviewLine:
    registration: Registration
    decks: tuple[DeckSubmission, ...]
    identities: tuple[DeckSubmission, ...]
    is_own: bool
    has_submitted: bool


@dataclass(frozen=True)
class ViewerPreview:
    """The event as an actor sees it; without `reads_event` it does not exist for them."""

    reads_event: bool
    reads_notes: bool
    rounds: tuple[int, ...]
    lines: tuple[ViewerPreviewLine, ...]


def preview_for(tournament: Tournament, actor: Actor) -> ViewerPreview:
    decks = _decks_by_registration(visibility.visible_decks(actor, tournament))
    identities = _decks_by_registration(
        visibility.visible_identities(actor, tournament).select_related("version__identity")
    )
    roster = tournament.registrations.select_related("player")
    roster = roster.prefetch_related("deck_submissions")
    return ViewerPreview(
        reads_event=visibility.can_see(actor, tournament),
        reads_notes=visibility.can_see_notes(actor, tournament),
        rounds=tuple(
            round_.number
            for round_ in tournament.rounds
            if visibility.can_see_round(actor, tournament, round_)
        ),
        lines=tuple(
            ViewerPreviewLine(
                registration,
                decks=tuple(decks[registration.pk]),
                identities=tuple(identities[registration.pk]),
                is_own=actor.player is not None and actor.player.pk == registration.player_id,
                has_submitted=bool(registration.deck_submissions.all()),
            )
            for registration in roster
        ),
    )


def _decks_by_registration(
    submissions: Iterable[DeckSubmission],
) -> dict[int, list[DeckSubmission]]:
    decks: dict[int, list[DeckSubmission]] = defaultdict(list)
    for submission in submissions:
        decks[submission.registration_id].append(submission)
    return decks


# Deck checks


@dataclass(frozen=True)
class DrawWithChecks:
    draw: DeckCheckDraw
    # By table.
    checks: tuple[DeckCheck, ...]


@dataclass(frozen=True)
class TickLine:
    """A box to tick: copies of a card; `place` is its position in the list, from 1."""

    place: int
    quantity: int
    title: str


@dataclass(frozen=True)
class TickGroup:
    """The boxes of one card type, with their total copies."""

    heading: str
    copies: int
    lines: tuple[TickLine, ...]


@dataclass(frozen=True)
class TickList:
    """A deck to compare with its list, in list order and by type.

    `size` excludes the identity. `unread` are the problems of lines that name no known card.
    """

    check: DeckCheck
    identity: str
    size: int
    in_list_order: tuple[TickGroup, ...]
    by_type: tuple[TickGroup, ...]
    unread: tuple[str, ...]


def draws_with_checks(tournament: Tournament) -> list[DrawWithChecks]:
    """All draws, newest first, in one query."""
    by_draw = groupby(queries.deck_checks(tournament), key=lambda check: check.draw)
    return [DrawWithChecks(draw, tuple(checks)) for draw, checks in by_draw]


def tick_list(check: DeckCheck) -> TickList:
    """Build the tick list of a check. Requires "version__slots__card" prefetched."""
    version = check.version
    slots = sorted(version.slots.all(), key=lambda slot: (slot.position, slot.pk))
    # Lists from older versions have no positions, so count the entries here.
    placed = list(enumerate(slots, start=1))
    by_type = sorted(placed, key=lambda entry: (entry[1].card.type, entry[1].card.title_key))
    return TickList(
        check=check,
        identity=version.identity.title if version.identity else "",
        size=sum(slot.quantity for slot in slots),
        in_list_order=(_tick_group("", placed),),
        by_type=tuple(
            _tick_group(type_.capitalize(), list(of_type))
            for type_, of_type in groupby(by_type, key=lambda entry: entry[1].card.type)
        ),
        unread=tuple(
            _("Line %(line)s: %(problem)s")
            % {"line": breach.line, "problem": sentences(breach.problem)}
            for breach in version.stored_breaches
            if breach.code.startswith(("unknown_", "unreadable_", "quantity"))
        ),
    )


def _tick_group(heading: str, placed: list[tuple[int, DeckSlot]]) -> TickGroup:
    lines = tuple(TickLine(place, slot.quantity, slot.card.title) for place, slot in placed)
    return TickGroup(heading, sum(line.quantity for line in lines), lines)
