"""Erase a person in one transaction: rows, decks, and their names in all text.

Add every new column that may hold a name to `_text_columns_of_events`; a test checks all columns.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.admin.models import LogEntry as AdminEntry
from django.db import transaction
from django.db.models import CASCADE, JSONField, ManyToOneRel, Model, Q, QuerySet
from django.utils import timezone

from core.redis_cache import clear_page_caches
from core.text import clean
from decks.models import Decklist, DecklistVersion
from matches.models import ResultReport, Seat
from players.models import Player, Session, User
from rulings import importer
from rulings.models import Citation, JudgeCall, JudgeNote, RulingDocument, RulingVersion
from tournaments.event import history, visibility
from tournaments.event.permissions import NOBODY, Actor
from tournaments.models import (
    Absence,
    DeckCheck,
    DeckReceipt,
    DeckSubmission,
    IdempotencyRecord,
    ImportedFile,
    InvitedPlayer,
    Job,
    LocalRuling,
    LogAction,
    LogEntry,
    MailWish,
    Pairing,
    Penalty,
    PlayerMerge,
    PushSubscription,
    Rating,
    Registration,
    Round,
    Series,
    SeriesLogEntry,
    SeriesStaff,
    Staff,
    StaffInvitation,
    StaffRole,
    StatedIdentity,
    Tournament,
    Upload,
    Visibility,
    Webhook,
    WebhookDelivery,
    event_log,
)
from tournaments.rounds.reasons import SENTENCES

OWN_APPS = ("players", "decks", "matches", "rulings", "tournaments")
# Their values are codes, also in a reason of a pairing: they decide who may read it.
CODE_KEYS = frozenset({"kind", "code", "level"})
# Maximum length of a log subject: the last name in it may be cut off.
SUBJECT_LENGTH = 160
MIN_CUT_NAME = 3
ROWS_PER_FETCH = 500
EVENT_TEXT_FIELDS = ("description", "location", "address", "entry_fee", "contact", "links")
# Common words are not treated as names, so that a player called "the" does not empty all notes.
# Case matters: Will and Can are names.
COMMON_WORDS = frozenset(
    """
    a about after all also am an and any are as at be been before but by can corp could deck did
    do does draw drop end event for from game games had has have he her him his how if in into is
    it its judge just last late lost match may me more my new no not note of off on one only open
    or our out over penalty play player players points report result round rounds ruling runner
    seat she so staff table than that the their them then they this time to told too two under
    until up was we were what when where which who why will win with won you your
    And Corp Game Judge Match Player Round Runner Table The They This
    """.split()  # noqa: SIM905 - it is read as a text
)


class ErasedNames:
    """The names of a person, and the label that replaces them.

    A name of one word matches with its exact case, a longer name in any case. Both match whole
    words only. Common words and names with fewer than two letters ("7", "X") match only as the
    whole text.

    Names in `other_names` stay: a player who briefly takes the name "Bob Smith" does not affect
    the real Bob Smith.
    """

    def __init__(self, names: Iterable[str], label: str, other_names: Iterable[str] = ()) -> None:
        self.label = label
        self.known = {clean(name) for name in names if clean(name)} - {label}
        self.namesakes: set[str] = set()
        self.in_text = _names_pattern(filter(_is_distinctive, self.known))
        similar = [name for name in other_names if self.in_words(name) != name]
        self.namesakes = {_comparison_key(name) for name in similar}
        self.in_text = _names_pattern([*filter(_is_distinctive, self.known), *similar])
        self.codes = _choice_values() | SENTENCES.keys()

    def in_words(self, text: str) -> str:
        """Return the text without the names."""
        whole = clean(text)
        if whole in self.known and _comparison_key(whole) not in self.namesakes:
            return self.label
        return self.in_text.sub(self._replacement, text)

    def _replacement(self, match: re.Match[str]) -> str:
        return match[0] if _comparison_key(match[0]) in self.namesakes else self.label

    def in_subject(self, text: str) -> str:
        """Like `in_words`, for a text that may end in the middle of a name."""
        cleaned = self.in_words(text)
        if len(text) < SUBJECT_LENGTH:
            return cleaned
        for name in self.known:
            for length in range(len(name) - 1, MIN_CUT_NAME - 1, -1):
                if cleaned.endswith(name[:length]):
                    return f"{cleaned[: len(cleaned) - length]}{self.label}"[:SUBJECT_LENGTH]
        return cleaned[:SUBJECT_LENGTH]

    def in_json(self, value: Any) -> Any:
        """Return the document without the names; keys and codes ("judge", "open") stay."""
        if isinstance(value, str):
            return value if value in self.codes else self.in_words(value)
        if isinstance(value, list):
            return [self.in_json(item) for item in value]
        if isinstance(value, dict):
            return {
                key: item if key in CODE_KEYS else self.in_json(item) for key, item in value.items()
            }
        return value


def _comparison_key(name: str) -> str:
    return name if name.isalnum() else name.casefold()


def _is_distinctive(name: str) -> bool:
    """Return True if the name identifies a person within a sentence."""
    letters = sum(character.isalpha() for character in name)
    return letters > 1 and name not in COMMON_WORDS


def _names_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Match longer names first, so that "Ada Lovelace" does not become "Player 17 Lovelace"."""
    ordered = sorted(names, key=lambda name: (-len(name), name))
    patterns = (
        re.escape(name) if name.isalnum() else f"(?i:{re.escape(name)})" for name in ordered
    )
    # `(?!)` never matches.
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns) or '(?!)'})(?!\w)")


def _choice_values() -> frozenset[str]:
    """All choice values of the models: codes, even if a player has the same name."""
    fields = (
        field
        for app in OWN_APPS
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.get_fields()
    )
    return frozenset(
        str(value) for field in fields for value, _ in getattr(field, "flatchoices", ()) if value
    )


@dataclass(frozen=True)
class TextColumns:
    rows: QuerySet[Any]
    columns: tuple[str, ...]
    # Free text that names the person is about them, so it is deleted completely.
    is_free: bool = False


def remove_names_elsewhere(series: Iterable[Series], names: ErasedNames) -> None:
    """Replace the names in these series and in data that belongs to no event.

    Stored responses and the admin log are read completely; responses expire after a day.
    """
    keys = [row.pk for row in series]
    log = SeriesLogEntry.objects.filter(series__in=keys)
    _rewrite(TextColumns(log, ("subject", "before", "after")), names)
    _rewrite(TextColumns(Series.objects.filter(pk__in=keys), ("description",)), names)
    _rewrite(TextColumns(IdempotencyRecord.objects.all(), ("answer",)), names)
    _rewrite(TextColumns(AdminEntry.objects.all(), ("object_repr", "change_message")), names)


def _text_columns_of_events(events: list[int]) -> Iterator[TextColumns]:
    matches = Pairing.objects.filter(round__stage__tournament__in=events).exclude(match=None)
    of_matches = Q(match__in=matches.values("match"))
    of_event = Q(tournament__in=events)
    yield TextColumns(Tournament.objects.filter(pk__in=events), EVENT_TEXT_FIELDS)
    log = LogEntry.objects.filter(of_event)
    yield TextColumns(log, ("subject", "before", "after"))
    yield TextColumns(log.exclude(reason=""), ("reason",), is_free=True)
    yield TextColumns(Job.objects.filter(of_event), ("payload", "error", "error_params"))
    yield TextColumns(Webhook.objects.filter(of_event), ("disabled_why",))
    deliveries = WebhookDelivery.objects.filter(webhook__tournament__in=events)
    yield TextColumns(deliveries, ("payload", "last_error"))
    yield TextColumns(Upload.objects.filter(of_event), ("error",))
    rounds = Round.objects.filter(stage__tournament__in=events)
    yield TextColumns(rounds, ("certificate", "relaxations"))
    pairings = Pairing.objects.filter(round__stage__tournament__in=events)
    yield TextColumns(pairings, ("reasons", "cost"))
    files = ImportedFile.objects.filter(of_event)
    yield TextColumns(files, ("file_name", "notices", "differences"))
    notes = JudgeNote.objects.filter(of_matches | Q(penalty__tournament__in=events))
    yield TextColumns(notes, ("text",), is_free=True)
    yield TextColumns(JudgeCall.objects.filter(of_matches), ("about",), is_free=True)
    reports = ResultReport.objects.filter(of_matches)
    yield TextColumns(reports, ("result",))
    yield TextColumns(reports.exclude(note=""), ("note",), is_free=True)
    yield TextColumns(Penalty.objects.filter(of_event), ("withdrawn_reason",), is_free=True)
    receipts = DeckReceipt.objects.filter(submission__registration__tournament__in=events)
    yield TextColumns(receipts, ("reason",), is_free=True)
    yield TextColumns(
        DeckCheck.objects.filter(draw__tournament__in=events), ("note",), is_free=True
    )
    yield TextColumns(StaffInvitation.objects.filter(of_event), ("note",))


def remove_names_from_own_texts(players: Iterable[Player], names: ErasedNames) -> None:
    """Replace the names in text that is only about these players, ignoring namesakes."""
    matches = Seat.objects.filter(player__in=players).values("match")
    own = Q(match__in=matches)
    log = LogEntry.objects.filter(registration__player__in=players)
    _rewrite(TextColumns(log, ("subject", "before", "after")), names)
    _rewrite(TextColumns(JudgeNote.objects.filter(own), ("text",), is_free=True), names)
    _rewrite(TextColumns(JudgeCall.objects.filter(own), ("about",), is_free=True), names)
    _rewrite(TextColumns(ResultReport.objects.filter(own), ("note",), is_free=True), names)


def _rewrite(place: TextColumns, names: ErasedNames) -> None:
    changed: list[Model] = []
    rows = place.rows.order_by("pk").only("pk", *place.columns)
    for row in rows.iterator(ROWS_PER_FETCH):
        if _rewrite_row(row, place, names):
            changed.append(row)
    # Not `save`: only the text may change.
    place.rows.model._base_manager.bulk_update(changed, place.columns, batch_size=100)


def _rewrite_row(row: Model, place: TextColumns, names: ErasedNames) -> bool:
    """Replace the names in a row; return True if it changed."""
    is_changed = False
    for column in place.columns:
        stored, field = getattr(row, column), row._meta.get_field(column)
        if not isinstance(stored, str):
            cleaned = names.in_json(stored)
        elif column == "subject":
            cleaned = names.in_subject(stored)
        else:
            cleaned = names.in_words(stored)
        if cleaned != stored:
            if isinstance(cleaned, str) and not isinstance(field, JSONField):
                cleaned = "" if place.is_free else cleaned[: getattr(field, "max_length", None)]
            setattr(row, column, cleaned)
            is_changed = True
    return is_changed


# A person and their erasure.


@dataclass(frozen=True)
class DataSubject:
    """An account, a player, or both for the same human being."""

    user: User | None
    player: Player | None

    @property
    def label(self) -> str:
        """Permanent replacement for the name, such as "Player 17"."""
        if self.player is not None:
            return f"Player {self.player.pk}"
        assert self.user is not None, "a data subject has a user or a player"
        return f"Account {self.user.pk}"

    def names(self) -> list[str]:
        """All current and former names, the username and email addresses."""
        names: list[str] = []
        if self.player is not None:
            for player in (self.player, *self.merged()):
                names += [player.name, player.shown_name, *player.former_names]
        if self.user is not None:
            names += [self.user.get_full_name(), self.user.username, self.user.email]
            addresses = EmailAddress.objects.filter(user=self.user)
            names += addresses.values_list("email", flat=True)
        return list(dict.fromkeys(name for name in names if name))

    def merged(self) -> QuerySet[Player]:
        """Guests without registrations whose entries or records were merged into this player."""
        if self.player is None:
            return Player.objects.none()
        merges = LogEntry.objects.filter(action=LogAction.ENTRIES_MERGED, undone_by=None)
        pairs = list(merges.values_list("after__merged__player", "before__merged__player"))
        records = Player.objects.exclude(merged_into=None)
        pairs += list(records.values_list("merged_into", "pk"))
        known = {self.player.pk}
        while found := {gone for kept, gone in pairs if kept in known} - known:
            known |= found
        placed = Registration.objects.filter(player__in=known).values("player")
        guests = Player.objects.filter(pk__in=known - {self.player.pk}, user=None, erased_at=None)
        return guests.exclude(pk__in=placed)

    def namesakes(self, names: ErasedNames) -> dict[int, frozenset[str]]:
        """Names of other players, by event, that contain a name of this person.

        Rehearsals are left out: they play with copies, including copies of this person.
        """
        real = Registration.objects.filter(
            tournament__in=self.events(), tournament__practice_of=None, player__erased_at=None
        )
        registrations = real.exclude(player=self.player) if self.player else real
        found: dict[int, set[str]] = defaultdict(set)
        for event, name in registrations.values_list("tournament", "player__name"):
            if names.in_words(name) != name:
                found[event].add(name)
        return {event: frozenset(similar) for event, similar in found.items()}

    def twins(self) -> QuerySet[Player]:
        """Return the copies of this guest in practice events, under a current or former name."""
        if self.player is None:
            return Player.objects.none()
        practised = Registration.objects.filter(tournament__practice_of__in=self.events())
        own_deck = Q(deck_submissions__version__decklist__player=self.player)
        copies = practised.filter(Q(player__name__in=self.names()) | own_deck)
        guests = Player.objects.filter(pk__in=copies.values("player"), user=None)
        return guests.exclude(pk=self.player.pk)

    def events(self) -> QuerySet[Tournament]:
        """All events that may mention this person, in locking order."""
        mentions = self._by_keys() | self._by_name()
        events = Tournament.objects.filter(mentions)
        practices = Q(practice_of__in=events.values("pk"))
        return Tournament.objects.filter(mentions | practices).order_by("pk")

    def series(self) -> QuerySet[Series]:
        """Series of this person's events, and series they helped to run.

        No others: a person called "Spring" must not empty the descriptions of unrelated series.
        """
        involved = Q(pk__in=self.events().exclude(series=None).order_by().values("series"))
        if self.user is not None:
            involved |= Q(pk__in=SeriesStaff.objects.filter(user=self.user).values("series"))
            key = self.user.pk
            account = Q(user=self.user) | Q(before__account=key) | Q(after__account=key)
            involved |= Q(pk__in=SeriesLogEntry.objects.filter(account).values("series"))
        return Series.objects.filter(involved).order_by("pk")

    def _by_keys(self) -> Q:
        acted = Q(pk__in=[])
        if self.player is not None:
            places = Registration.objects.filter(player=self.player)
            acted |= Q(pk__in=places.values("tournament"))
            acting = LogEntry.objects.filter(player__in=[self.player, *self.merged()])
            acted |= Q(pk__in=acting.values("tournament"))
            absences = Absence.objects.filter(player=self.player)
            acted |= Q(pk__in=absences.values("pairing__round__stage__tournament"))
            acted |= Q(pk__in=InvitedPlayer.objects.filter(player=self.player).values("tournament"))
        if self.user is not None:
            acted |= Q(pk__in=Staff.objects.filter(user=self.user).values("tournament"))
            acted |= Q(pk__in=LogEntry.objects.filter(user=self.user).values("tournament"))
            used = StaffInvitation.objects.filter(used_by=self.user)
            acted |= Q(pk__in=used.values("tournament"))
        return acted

    def _by_name(self) -> Q:
        """Events whose roster they were removed from: the log has the name but no key."""
        named = LogEntry.objects.filter(registration=None, subject__in=self.names())
        if self.player is not None:
            # If a player of the same name takes part, the entry is about that player.
            namesakes = Registration.objects.filter(player__name_key=self.player.name_key)
            namesakes = namesakes.exclude(player=self.player)
            named = named.exclude(tournament__in=namesakes.values("tournament"))
        return Q(pk__in=named.values("tournament"))


def data_subject_of(user: User | None, player: Player | None) -> DataSubject:
    """Complete a person from their account or player, with fresh rows."""
    if user is not None and player is None:
        player = Player.objects.filter(user=user).first()
    elif player is not None and player.user_id is not None:
        user = User.objects.get(pk=player.user_id)
    return DataSubject(user, player and Player.objects.get(pk=player.pk))


def lock_events(person: DataSubject) -> list[Tournament]:
    """Lock all events that mention the person, in the common locking order."""
    return [history.lock(event) for event in person.events()]


def lock_data_subject(person: DataSubject) -> DataSubject:
    """Lock all events that mention the person, then their rows, and return fresh rows.

    Until the transaction ends, this person cannot log in, be registered or extend their stay.
    """
    lock_events(person)
    user = person.user and User.objects.select_for_update().get(pk=person.user.pk)
    player = person.player and Player.objects.select_for_update().get(pk=person.player.pk)
    return DataSubject(user, player)


@transaction.atomic
def erase(person: DataSubject, actor: Actor = NOBODY) -> str:
    """Erase this person permanently and return the label that replaces their name.

    Results, standings and public decks remain. Callers check permissions (services). Only a backup
    can restore the data.
    """
    events = lock_events(person)
    names = ErasedNames(person.names(), person.label)
    namesakes = person.namesakes(names)
    twins = list(person.twins())
    merged = list(person.merged())
    players = [*([person.player] if person.player else []), *merged, *twins]
    for subject in (person, *(DataSubject(None, player) for player in merged)):
        end_sessions(subject)
    delete_free_text(players)
    replace_ruling_author(person, names.known)
    delete_decks(players, names)
    remove_names_from_own_texts(players, names)
    for similar_names, its_events in _by_namesakes(events, namesakes).items():
        event_names = ErasedNames(person.names(), person.label, similar_names)
        for place in _text_columns_of_events([event.pk for event in its_events]):
            _rewrite(place, event_names)
    all_similar = {name for similar_names in namesakes.values() for name in similar_names}
    remove_names_elsewhere(person.series(), ErasedNames(person.names(), person.label, all_similar))
    erase_account(person)
    for player in players:
        erase_player(player, person.label)
    for event in events:
        history.record(event, actor, LogAction.PERSON_ERASED, person.label)
        if event.is_finished and event.registrations.filter(player__in=players).exists():
            history.record_correction(
                event,
                NOBODY,
                LogAction.EVENT_CORRECTED,
                "A name",
                "This person asked to be forgotten.",
            )
    transaction.on_commit(partial(clear_page_caches))
    return person.label


def _by_namesakes(
    events: Iterable[Tournament], namesakes: Mapping[int, frozenset[str]]
) -> dict[frozenset[str], list[Tournament]]:
    """Group events by the namesakes in them; a rehearsal belongs to its event."""
    groups: dict[frozenset[str], list[Tournament]] = defaultdict(list)
    for event in events:
        groups[namesakes.get(event.practice_of_id or event.pk, frozenset())].append(event)
    return groups


def erase_account(person: DataSubject) -> None:
    """Disable the account, delete its related rows and replace its name.

    The row remains, so that event logs still distinguish authors. The owner role in finished events
    also remains, because every event needs an owner.
    """
    user = person.user
    if user is None:
        return
    Staff.objects.filter(user=user).exclude(role=StaffRole.OWNER).delete()
    for relation in User._meta.get_fields(include_hidden=True):
        if isinstance(relation, ManyToOneRel) and relation.on_delete is CASCADE:
            rows: Any = relation.related_model
            if rows is not Staff:
                rows._base_manager.filter(**{relation.field.name: user}).delete()
    # Token names are the user's own words; the logged action belongs to the event.
    LogEntry.objects.filter(user=user, action__in=event_log.TOKEN_CHANGES).update(subject="")
    user.groups.clear()
    user.user_permissions.clear()
    user.set_unusable_password()
    user.username, user.email = f"erased-{user.pk}", ""
    user.first_name, user.last_name = person.label, ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login, user.date_joined = None, timezone.now()
    user.save()


def erase_player(player: Player, label: str) -> None:
    """Anonymise a player and delete pronouns, subscriptions, ratings and links."""
    wishes = {"registration__player": player}
    PushSubscription.objects.filter(**wishes).delete()
    MailWish.objects.filter(**wishes).delete()
    StatedIdentity.objects.filter(**wishes, card=None).delete()
    Rating.objects.filter(player=player).delete()
    PlayerMerge.objects.filter(Q(kept=player) | Q(merged=player)).delete()
    InvitedPlayer.objects.filter(player=player, tournament__finished_at=None).delete()
    player.user = None
    player.name, player.pronouns, player.former_names = label, "", []
    player.shown_name, player.hides_history, player.hides_from_streams = "", False, False
    player.claim_hash = player.claim_expires_at = player.claimed_at = player.stays_from = None
    player.claim_generation += 1
    player.erased_at = timezone.now()
    player.save()


def end_sessions(person: DataSubject) -> None:
    """End all sessions of this person and delete stored idempotent responses."""
    who = [f"user:{person.user.pk}"] if person.user else []
    who += [f"player:{person.player.pk}"] if person.player else []
    IdempotencyRecord.objects.filter(who__in=who).delete()
    Session.objects.filter(
        Q(user=person.user, user__isnull=False) | Q(player=person.player, player__isnull=False)
    ).delete()


def delete_free_text(players: list[Player]) -> None:
    """Delete free text about these players: reasons, notes and questions. The facts remain."""
    places = Registration.objects.filter(player__in=players)
    about = Q(registration__in=places) | Q(player__in=players)
    LogEntry.objects.filter(about).exclude(reason="").update(reason="")
    penalties = Penalty.objects.filter(registration__in=places)
    JudgeNote.objects.filter(penalty__in=penalties).update(text="")
    penalties.update(withdrawn_reason="")
    JudgeCall.objects.filter(player__in=players).update(about="")
    ResultReport.objects.filter(seat__player__in=players).update(note="")
    DeckCheck.objects.filter(submission__registration__in=places).update(note="")
    DeckReceipt.objects.filter(submission__registration__in=places).update(reason="")
    places.update(avoid_group="", avoids_stream=False, fixed_table=None, paid_at=None)


def replace_ruling_author(person: DataSubject, names: set[str]) -> None:
    """Replace the author of local rulings; the rulings remain in force.

    The database forbids updates of citations, so they are deleted and recreated.
    """
    if person.user is None:
        return
    rulings = LocalRuling.objects.filter(made_here=True).values("ruling")
    versions = RulingVersion.objects.filter(ruling__in=rulings, written_by=person.user)
    authorities = {name[:80] for name in names}
    signed = list(Citation.objects.filter(version__in=versions, authority__in=authorities))
    Citation.objects.filter(pk__in=[citation.pk for citation in signed]).delete()
    for citation in signed:
        citation.authority = person.label
    Citation.objects.bulk_create(signed)
    signed_versions = {citation.version_id for citation in signed}
    documents = RulingDocument.objects.filter(rulings__versions__in=signed_versions)
    for document in documents.distinct():
        importer.update_search_entries(document)


def delete_decks(players: list[Player], names: ErasedNames) -> None:
    """Delete decklists of these players, except public ones, which lose the names.

    If only the identity of a deck was public, the identity remains.
    """
    owned = DeckSubmission.objects.filter(registration__player__in=players)
    public, identities = _public_submissions(owned)
    hidden = owned.exclude(pk__in=public)
    for submission in hidden.filter(pk__in=identities).select_related("version__identity"):
        _store_identity(submission)
    DeckCheck.objects.filter(submission__in=hidden).delete()
    hidden.delete()
    # Earlier versions were never public.
    for submission in owned:
        receipts = DeckReceipt.objects.filter(submission=submission)
        receipts.exclude(version_id=submission.version_id).delete()
        checks = DeckCheck.objects.filter(submission=submission)
        checks.exclude(version_id=submission.version_id).delete()
    lists = Decklist.objects.filter(player__in=players)
    shown = owned.values("version")
    DecklistVersion.objects.filter(decklist__in=lists).exclude(pk__in=shown).delete()
    lists.filter(versions=None).delete()
    # The remaining decks are public.
    _rewrite(TextColumns(lists, ("title",)), names)
    versions = DecklistVersion.objects.filter(decklist__in=lists)
    _rewrite(TextColumns(versions, ("text", "breaches", "notices")), names)


def _public_submissions(owned: QuerySet[DeckSubmission]) -> tuple[set[int], set[int]]:
    """Primary keys of submissions with a public decklist, and of those with a public identity."""
    public: set[int] = set()
    identities: set[int] = set()
    events = Tournament.objects.filter(registrations__deck_submissions__in=owned).distinct()
    for event in events.exclude(visibility=Visibility.PRIVATE):
        in_event = owned.filter(registration__tournament=event)
        decks = visibility.decks_for_reader(event, None).filter(pk__in=in_event)
        public |= set(decks.values_list("pk", flat=True))
        known = visibility.identities_for_reader(event, None).filter(pk__in=in_event)
        identities |= set(known.values_list("pk", flat=True))
    return public, identities


def _store_identity(submission: DeckSubmission) -> None:
    card = submission.version.identity
    if card is not None:
        StatedIdentity.objects.get_or_create(
            registration_id=submission.registration_id,
            side=submission.side,
            defaults={"title": card.title, "card": card},
        )
