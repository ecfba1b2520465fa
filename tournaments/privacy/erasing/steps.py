"""Find the data of a person and erase it step by step, in one transaction."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import CASCADE, ManyToOneRel, Q, QuerySet
from django.utils import timezone

from core.redis_cache import forget_pages
from decks.models import Decklist, DecklistVersion
from matches.models import ResultReport
from players.models import Player, Session, User
from rulings.importer import index
from rulings.models import Citation, JudgeCall, JudgeNote, RulingDocument, RulingVersion
from tournaments.event import history, visibility
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import (
    Absence,
    DeckCheck,
    DeckReceipt,
    DeckSubmission,
    InvitedPlayer,
    KeptAnswer,
    LocalRuling,
    LogAction,
    LogEntry,
    MailWish,
    Penalty,
    PlayerMerge,
    PushSubscription,
    Rating,
    Registration,
    Series,
    SeriesLogEntry,
    SeriesStaff,
    Staff,
    StaffInvitation,
    StaffRole,
    StatedIdentity,
    Tournament,
    Visibility,
    log_actions,
)
from tournaments.privacy.erasing.texts import (
    Names,
    take_names_out,
    take_names_out_elsewhere,
    take_names_out_of_decks,
    take_names_out_of_own,
)


@dataclass(frozen=True)
class Person:
    """An account, a player, or both for the same human being."""

    user: User | None
    player: Player | None

    @property
    def label(self) -> str:
        """Permanent replacement for the name, such as "Player 17"."""
        if self.player is not None:
            return f"Player {self.player.pk}"
        assert self.user is not None, "somebody is forgotten"
        return f"Account {self.user.pk}"

    def names(self) -> list[str]:
        """All current and former names, the username and email addresses."""
        found: list[str] = []
        if self.player is not None:
            for player in (self.player, *self.merged()):
                found += [player.name, player.shown_name, *player.former_names]
        if self.user is not None:
            found += [self.user.get_full_name(), self.user.username, self.user.email]
            addresses = EmailAddress.objects.filter(user=self.user)
            found += addresses.values_list("email", flat=True)
        return list(dict.fromkeys(name for name in found if name))

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

    def namesakes(self, names: Names) -> dict[int, frozenset[str]]:
        """Names of other players, by event, that contain a name of this person.

        Rehearsals are left out: they play with copies, including copies of this person.
        """
        real = Registration.objects.filter(
            tournament__in=self.events(), tournament__practice_of=None, player__erased_at=None
        )
        others = real.exclude(player=self.player) if self.player else real
        found: dict[int, set[str]] = defaultdict(set)
        for event, name in others.values_list("tournament", "player__name"):
            if names.in_words(name) != name:
                found[event].add(name)
        return {event: frozenset(alike) for event, alike in found.items()}

    def twins(self) -> QuerySet[Player]:
        """Copies of this guest in practice events, under a current or former name."""
        if self.player is None:
            return Player.objects.none()
        practised = Registration.objects.filter(tournament__practice_of__in=self.events())
        own_deck = Q(deck_submissions__version__decklist__player=self.player)
        copies = practised.filter(Q(player__name__in=self.names()) | own_deck)
        guests = Player.objects.filter(pk__in=copies.values("player"), user=None)
        return guests.exclude(pk=self.player.pk)

    def events(self) -> QuerySet[Tournament]:
        """All events that may mention this person, in locking order."""
        mine = self._by_keys() | self._by_name()
        events = Tournament.objects.filter(mine)
        practices = Q(practice_of__in=events.values("pk"))
        return Tournament.objects.filter(mine | practices).order_by("pk")

    def series(self) -> QuerySet[Series]:
        """Series of this person's events, and series they helped to run.

        No others: a person called "Spring" must not empty the descriptions of unrelated series.
        """
        theirs = Q(pk__in=self.events().exclude(series=None).order_by().values("series"))
        if self.user is not None:
            theirs |= Q(pk__in=SeriesStaff.objects.filter(user=self.user).values("series"))
            key = self.user.pk
            given = Q(user=self.user) | Q(before__account=key) | Q(after__account=key)
            theirs |= Q(pk__in=SeriesLogEntry.objects.filter(given).values("series"))
        return Series.objects.filter(theirs).order_by("pk")

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
            others = Registration.objects.filter(player__name_key=self.player.name_key)
            others = others.exclude(player=self.player)
            named = named.exclude(tournament__in=others.values("tournament"))
        return Q(pk__in=named.values("tournament"))


def person_of(user: User | None, player: Player | None) -> Person:
    """Complete a person from their account or player, with fresh rows."""
    if user is not None and player is None:
        player = Player.objects.filter(user=user).first()
    elif player is not None and player.user_id is not None:
        user = User.objects.get(pk=player.user_id)
    return Person(user, player and Player.objects.get(pk=player.pk))


def lock_events(person: Person) -> list[Tournament]:
    """Lock all events that mention the person, in the common locking order."""
    return [history.lock(event) for event in person.events()]


def lock(person: Person) -> Person:
    """Lock all events that mention the person, then their rows, and return fresh rows.

    Until the transaction ends, this person cannot log in, be registered or extend their stay.
    """
    lock_events(person)
    user = person.user and User.objects.select_for_update().get(pk=person.user.pk)
    player = person.player and Player.objects.select_for_update().get(pk=person.player.pk)
    return Person(user, player)


@transaction.atomic
def erase(person: Person, actor: Actor = NOBODY) -> str:
    """Erase this person permanently and return the label that replaces their name.

    Results, standings and public decks remain. Callers check permissions (services). Only a backup
    can restore the data.
    """
    events = lock_events(person)
    names = Names(person.names(), person.label)
    namesakes = person.namesakes(names)
    twins = list(person.twins())
    merged = list(person.merged())
    players = [*([person.player] if person.player else []), *merged, *twins]
    for one in (person, *(Person(None, player) for player in merged)):
        end_sessions(one)
    forget_own_words(players)
    sign_rulings_anew(person, names.known)
    forget_decks(players, names)
    take_names_out_of_own(players, names)
    for alike, there in _by_namesakes(events, namesakes).items():
        take_names_out(there, Names(person.names(), person.label, alike))
    everywhere = {name for alike in namesakes.values() for name in alike}
    take_names_out_elsewhere(person.series(), Names(person.names(), person.label, everywhere))
    forget_account(person)
    for player in players:
        forget_player(player, person.label)
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
    transaction.on_commit(partial(forget_pages))
    return person.label


def _by_namesakes(
    events: Iterable[Tournament], namesakes: Mapping[int, frozenset[str]]
) -> dict[frozenset[str], list[Tournament]]:
    """Group events by the namesakes in them; a rehearsal belongs to its event."""
    groups: dict[frozenset[str], list[Tournament]] = defaultdict(list)
    for event in events:
        groups[namesakes.get(event.practice_of_id or event.pk, frozenset())].append(event)
    return groups


def forget_account(person: Person) -> None:
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
    LogEntry.objects.filter(user=user, action__in=log_actions.TOKENS).update(subject="")
    user.groups.clear()
    user.user_permissions.clear()
    user.set_unusable_password()
    user.username, user.email = f"erased-{user.pk}", ""
    user.first_name, user.last_name = person.label, ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login, user.date_joined = None, timezone.now()
    user.save()


def forget_player(player: Player, label: str) -> None:
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


def end_sessions(person: Person) -> None:
    """End all sessions of this person and delete stored idempotent responses."""
    who = [f"user:{person.user.pk}"] if person.user else []
    who += [f"player:{person.player.pk}"] if person.player else []
    KeptAnswer.objects.filter(who__in=who).delete()
    Session.objects.filter(
        Q(user=person.user, user__isnull=False) | Q(player=person.player, player__isnull=False)
    ).delete()


def forget_own_words(players: list[Player]) -> None:
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


def sign_rulings_anew(person: Person, names: set[str]) -> None:
    """Replace the author of local rulings; the rulings remain in force.

    The database forbids updates of citations, so they are deleted and recreated.
    """
    if person.user is None:
        return
    rulings = LocalRuling.objects.filter(made_here=True).values("ruling")
    versions = RulingVersion.objects.filter(ruling__in=rulings, written_by=person.user)
    cut = {name[:80] for name in names}
    signed = list(Citation.objects.filter(version__in=versions, authority__in=cut))
    Citation.objects.filter(pk__in=[one.pk for one in signed]).delete()
    for one in signed:
        one.authority = person.label
    Citation.objects.bulk_create(signed)
    signed_versions = {one.version_id for one in signed}
    documents = RulingDocument.objects.filter(rulings__versions__in=signed_versions)
    for document in documents.distinct():
        index.update(document)


def forget_decks(players: list[Player], names: Names) -> None:
    """Delete decklists of these players, except public ones, which lose the names.

    If only the identity of a deck was public, the identity remains.
    """
    owned = DeckSubmission.objects.filter(registration__player__in=players)
    read, identities = _public(owned)
    hidden = owned.exclude(pk__in=read)
    for submission in hidden.filter(pk__in=identities).select_related("version__identity"):
        _keep_identity(submission)
    DeckCheck.objects.filter(submission__in=hidden).delete()
    hidden.delete()
    _forget_earlier(owned)
    lists = Decklist.objects.filter(player__in=players)
    kept = owned.values("version")
    DecklistVersion.objects.filter(decklist__in=lists).exclude(pk__in=kept).delete()
    lists.filter(versions=None).delete()
    take_names_out_of_decks(lists, names)


def _public(owned: QuerySet[DeckSubmission]) -> tuple[set[int], set[int]]:
    """Primary keys of submissions with a public decklist, and of those with a public identity."""
    read: set[int] = set()
    identities: set[int] = set()
    events = Tournament.objects.filter(registrations__deck_submissions__in=owned).distinct()
    for event in events.exclude(visibility=Visibility.PRIVATE):
        mine = owned.filter(registration__tournament=event)
        seen = visibility.decks_for_reader(event, None).filter(pk__in=mine)
        read |= set(seen.values_list("pk", flat=True))
        known = visibility.identities_for_reader(event, None).filter(pk__in=mine)
        identities |= set(known.values_list("pk", flat=True))
    return read, identities


def _keep_identity(submission: DeckSubmission) -> None:
    card = submission.version.identity
    if card is not None:
        StatedIdentity.objects.get_or_create(
            registration_id=submission.registration_id,
            side=submission.side,
            defaults={"title": card.title, "card": card},
        )


def _forget_earlier(owned: QuerySet[DeckSubmission]) -> None:
    """Delete receipts and checks of earlier versions, which were never public."""
    for submission in owned:
        earlier = DeckReceipt.objects.filter(submission=submission)
        earlier.exclude(version_id=submission.version_id).delete()
        checks = DeckCheck.objects.filter(submission=submission)
        checks.exclude(version_id=submission.version_id).delete()
