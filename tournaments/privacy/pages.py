"""Stored data about a person, limited to what they may see."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction
from typing import Any, TypeAlias

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from core.model_fields import ExactField
from decks.models import DecklistVersion
from matches.models import GameSeat, ResultReport, Seat
from players.models import Player, Session, User
from rulings.models import JudgeCall, JudgeNote, RulingVersion
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import Actor
from tournaments.models import (
    ApiToken,
    DeckReceipt,
    ImportedFile,
    InvitedPlayer,
    LogEntry,
    MailWish,
    Pairing,
    Penalty,
    PlayerMerge,
    ProgramReason,
    PushSubscription,
    Rating,
    Registration,
    RoundState,
    SeriesLogEntry,
    SeriesStaff,
    Staff,
    StaffInvitation,
    Tournament,
    Upload,
    Webhook,
)

Rows: TypeAlias = QuerySet[Any]


def user_rows(model: type[Model], field: str = "user") -> Callable[[Actor], Rows]:
    """Rows whose `field` is the account; none for a guest."""

    def rows(actor: Actor) -> Rows:
        objects = model._default_manager.order_by("pk")
        return objects.filter(**{field: actor.user.pk}) if actor.user else objects.none()

    return rows


def player_rows(model: type[Model], field: str) -> Callable[[Actor], Rows]:
    """Rows whose `field` is the player; none for an account without a player."""

    def rows(actor: Actor) -> Rows:
        objects = model._default_manager.order_by("pk")
        return objects.filter(**{field: actor.player.pk}) if actor.player else objects.none()

    return rows


def log_rows(actor: Actor) -> Rows:
    """Log entries by or about this person, as far as they may read the log."""
    own = Q(pk__in=[])
    if actor.user is not None:
        own |= Q(user=actor.user)
    if actor.player is not None:
        own |= Q(player=actor.player) | Q(registration__player=actor.player)
    pks: list[int] = []
    for event in Tournament.objects.of_person(actor.user, actor.player):
        judges = event_permissions.can_judge(actor, event)
        entries = event.readable_log(with_draft=False, with_checks=judges)
        pks += entries.filter(own).values_list("pk", flat=True)
    return LogEntry.objects.filter(pk__in=pks).order_by("pk")


def game_rows(actor: Actor) -> Rows:
    """Games of visible tables; a draft's sides are never shown."""
    tables = table_rows(actor).exclude(match=None)
    return player_rows(GameSeat, "seat__player")(actor).filter(
        game__match__in=tables.values("match")
    )


def table_rows(actor: Actor) -> Rows:
    """Tables and byes of published rounds; drafts are never shown."""
    own = Q(pk__in=[])
    if actor.player is not None:
        own = Q(match__seats__player=actor.player) | Q(bye__player=actor.player)
    published = Pairing.objects.filter(own).exclude(round__state=RoundState.DRAFT)
    own_seat = Seat.objects.filter(match=OuterRef("match"), player=actor.player)
    points = Subquery(own_seat.values("points"), output_field=ExactField())
    return published.annotate(my_points=points).order_by(
        "round__stage__tournament", "round__number"
    )


# Tables and their columns.


@dataclass(frozen=True)
class DataTable:
    """A kind of data: its rows for a person, and the query path of each column.

    `words` has labels by column for codes that have no label in the field's choices.
    """

    key: str
    title: str | Promise
    rows: Callable[[Actor], Rows]
    columns: Mapping[str, str]
    words: Mapping[str, Mapping[str, str | Promise]] = field(default_factory=dict)


def _columns(text: str) -> dict[str, str]:
    """Parse columns such as "name made_at=created_at": the key, and its query path if different."""
    pairs = (column.partition("=") for column in text.split())
    return {key: path or key for key, _, path in pairs}


DATA_TABLES = (
    DataTable(
        "account",
        gettext_lazy("Account"),
        user_rows(User, "pk"),
        _columns(
            "username first_name last_name email made_at=date_joined last_login_at=last_login"
        ),
    ),
    DataTable(
        "addresses",
        gettext_lazy("Email addresses"),
        user_rows(EmailAddress),
        _columns("email verified primary"),
    ),
    DataTable(
        "second_factors",
        gettext_lazy("Two-factor authentication"),
        user_rows(Authenticator),
        _columns("kind=type made_at=created_at last_used_at"),
        {"kind": {"totp": "Authenticator app", "webauthn": "Passkey"}},
    ),
    DataTable(
        "devices",
        gettext_lazy("Logged-in devices"),
        user_rows(Session),
        _columns("address browser=user_agent since=logged_in_at"),
    ),
    DataTable(
        "tokens",
        gettext_lazy("API tokens"),
        user_rows(ApiToken),
        _columns(
            "name may=scope event=tournament__name made_at=created ends_at=expiry last_used_at "
            "revoked_at"
        ),
    ),
    DataTable(
        "player",
        gettext_lazy("Player"),
        player_rows(Player, "pk"),
        _columns(
            "name pronouns former_names shown_name hides_history hides_from_streams "
            "made_at=created_at personal_link_used_at=claimed_at "
            "personal_link_ends_at=claim_expires_at asked_to_stay_at=stays_from"
        ),
    ),
    DataTable(
        "records",
        gettext_lazy("Merged player records"),
        player_rows(PlayerMerge, "kept"),
        _columns("name=merged__name since=at reason undone_at"),
    ),
    DataTable(
        "registrations",
        gettext_lazy("Registrations"),
        player_rows(Registration, "player"),
        _columns(
            "event=tournament__name day=tournament__starts_on number state "
            "registered_at=created_at checked_in_at dropped_at "
            "checked_in_for_day_two_at=day_two_at place_on_the_waiting_list=waiting_rank "
            "marked_as_paid_at=paid_at seed kept_apart_from=avoid_group fixed_table "
            "does_not_want_to_be_filmed=avoids_stream"
        ),
    ),
    DataTable(
        "roles",
        gettext_lazy("Roles at events"),
        user_rows(Staff),
        _columns("event=tournament__name day=tournament__starts_on role"),
    ),
    DataTable(
        "series_roles",
        gettext_lazy("Roles in series"),
        user_rows(SeriesStaff),
        _columns("series=series__name role"),
    ),
    DataTable(
        "series_log",
        gettext_lazy("Changes to series"),
        user_rows(SeriesLogEntry),
        _columns("series=series__name at action subject"),
    ),
    DataTable(
        "invited_to",
        gettext_lazy("Invitations to play"),
        player_rows(InvitedPlayer, "player"),
        _columns("event=tournament__name series=series__name how invited_at declined_at"),
    ),
    DataTable(
        "results",
        gettext_lazy("Tables"),
        table_rows,
        _columns(
            "event=round__stage__tournament__name round=round__number table=table_number "
            "state=match__state match points=my_points points_of_a_bye=bye_points"
        ),
    ),
    DataTable(
        "games",
        gettext_lazy("Games"),
        game_rows,
        _columns(
            "match=game__match game=game__number role faction agenda_points points end=game__end"
        ),
    ),
    DataTable(
        "ratings",
        gettext_lazy("Ratings"),
        player_rows(Rating, "player"),
        _columns("game day rating=value deviation volatility games events"),
    ),
    DataTable(
        "reports",
        gettext_lazy("Reported results"),
        lambda actor: (
            player_rows(ResultReport, "seat__player")(actor) | user_rows(ResultReport)(actor)
        ),
        _columns("match told_at=created_at state result note"),
    ),
    DataTable(
        "decks",
        gettext_lazy("Decks, with every version"),
        player_rows(DecklistVersion, "decklist__player"),
        _columns(
            "title=decklist__title side=decklist__side version=number made_at=created_at "
            "legal=is_legal list=text"
        ),
    ),
    DataTable(
        "decks_handed_in",
        gettext_lazy("Deck submissions"),
        player_rows(DeckReceipt, "submission__registration__player"),
        _columns(
            "event=submission__registration__tournament__name side=submission__side "
            "version=version__number received_at locked_at=submission__locked_at reason"
        ),
    ),
    DataTable(
        "calls",
        gettext_lazy("Judge calls"),
        player_rows(JudgeCall, "player"),
        _columns("match about at=raised_at answered_at"),
    ),
    DataTable(
        "penalties",
        gettext_lazy("Penalties"),
        player_rows(Penalty, "registration__player"),
        _columns(
            "event=tournament__name round=round_number infraction=infraction_name penalty=kind "
            "reason=note__text given_at withdrawn_at"
        ),
    ),
    DataTable(
        "mails",
        gettext_lazy("Email notifications"),
        player_rows(MailWish, "registration__player"),
        _columns("event=registration__tournament__name since=made_at"),
    ),
    DataTable(
        "phones",
        gettext_lazy("Push notifications"),
        player_rows(PushSubscription, "registration__player"),
        _columns("event=registration__tournament__name address=endpoint since=made_at"),
    ),
    DataTable(
        "notes",
        gettext_lazy("Judge notes"),
        user_rows(JudgeNote, "author"),
        _columns("match kind at=created_at text"),
    ),
    DataTable(
        "rulings",
        gettext_lazy("Rulings"),
        user_rows(RulingVersion, "written_by"),
        _columns("ruling=ruling__subject version=number at=created_at text"),
    ),
    DataTable(
        "programs",
        gettext_lazy("Webhooks"),
        user_rows(Webhook, "made_by"),
        _columns("event=tournament__name address made_at"),
    ),
    DataTable(
        "uploads",
        gettext_lazy("Uploaded results"),
        user_rows(Upload, "made_by"),
        _columns("event=tournament__name at=made_at state"),
    ),
    DataTable(
        "files",
        gettext_lazy("Imported files"),
        user_rows(ImportedFile, "made_by"),
        _columns("event=tournament__name file=file_name at=made_at"),
    ),
    DataTable(
        "invitations",
        gettext_lazy("Accepted staff invitations"),
        user_rows(StaffInvitation, "used_by"),
        _columns("event=tournament__name role used_at"),
    ),
    DataTable(
        "log",
        gettext_lazy("Event log entries by or about you"),
        log_rows,
        _columns("event=tournament__name at done=action about=subject before after reason"),
        words={"reason": dict(ProgramReason.choices)},
    ),
)


# Sections to view and download.


@dataclass(frozen=True)
class DataSection:
    """A kind of data; each of `rows` has a value per column.

    `words` has labels for stored codes, by column.
    """

    key: str
    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    words: Mapping[str, Mapping[str, str | Promise]]

    def headings(self) -> list[str]:
        return [
            column.removesuffix("_at").replace("_", " ").capitalize() for column in self.columns
        ]

    def lines(self) -> Iterator[list[tuple[str, str]]]:
        """Yield each row as (heading, text) pairs, without empty values."""
        columns = list(zip(self.columns, self.headings(), strict=True))
        for row in self.rows:
            yield [
                (heading, self._label(column, value))
                for (column, heading), value in zip(columns, row, strict=True)
                if value not in (None, "", [], {})
            ]

    def _label(self, column: str, value: Any) -> str:
        if isinstance(value, str):
            return str(self.words[column].get(value, value))
        return in_words(value)


def data_sections(actor: Actor) -> list[DataSection]:
    """Return all sections, with one query each, plus one per event for its log."""
    return [_data_section(table, actor) for table in DATA_TABLES]


def data_document(sections: list[DataSection]) -> dict[str, list[dict[str, Any]]]:
    """Convert the sections to a JSON object: a list of row objects by section key."""
    return {
        section.key: [
            {
                column: str(value) if isinstance(value, Fraction) else value
                for column, value in zip(section.columns, row, strict=True)
            }
            for row in section.rows
        ]
        for section in sections
    }


def in_words(value: Any) -> str:
    """Format a value for display; times are in the site's time zone."""
    if isinstance(value, bool):
        return gettext("Yes") if value else gettext("No")
    if isinstance(value, datetime):
        return date_format(timezone.localtime(value), "DATETIME_FORMAT")
    if isinstance(value, date):
        return date_format(value, "SHORT_MONTH_DATE_FORMAT")
    if isinstance(value, Mapping):
        known = {key: item for key, item in value.items() if item not in (None, "")}
        pair = gettext("%(key)s: %(value)s")
        return "; ".join(
            pair % {"key": key, "value": in_words(item)} for key, item in known.items()
        )
    if isinstance(value, list):
        return ", ".join(map(in_words, value))
    return str(value)


def _data_section(table: DataTable, actor: Actor) -> DataSection:
    objects = table.rows(actor)
    rows = list(objects.values_list(*table.columns.values()))
    words = {
        column: {**_choice_labels(objects.model, path), **table.words.get(column, {})}
        for column, path in table.columns.items()
    }
    return DataSection(table.key, str(table.title), tuple(table.columns), rows, words)


def _choice_labels(model: type[Model], path: str) -> dict[str, str]:
    """Labels of the choices of the field at the end of this path; empty for free text."""
    first, _, rest = path.partition("__")
    try:
        field = model._meta.get_field(first)
    except FieldDoesNotExist:  # a computed column
        return {}
    if rest and field.related_model:
        return _choice_labels(field.related_model, rest)
    return {str(key): str(label) for key, label in getattr(field, "flatchoices", None) or []}
