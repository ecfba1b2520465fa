"""Stored data about a person: the tables and the source of each column.

Excludes data only about other people, such as a judge's note or an opponent's draft seat. Secrets
are excluded: passwords, links and tokens are stored as hashes only. Drafts are excluded, and log
entries are limited to those the person may read.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from decks.models import DecklistVersion
from matches.models import ResultReport
from players.models import Player, Session, User
from rulings.models import JudgeCall, JudgeNote, RulingVersion
from tournaments.event.actors import Actor
from tournaments.models import (
    ApiToken,
    DeckReceipt,
    ImportedFile,
    InvitedPlayer,
    MailWish,
    Penalty,
    PlayerMerge,
    PushSubscription,
    Rating,
    Registration,
    SeriesLogEntry,
    SeriesStaff,
    Staff,
    StaffInvitation,
    Upload,
    Webhook,
)
from tournaments.privacy.pages.rows import Rows, games, log, of_player, of_user, results


@dataclass(frozen=True)
class Table:
    """One kind of data: its rows for a person, and the query path of each column.

    `words` has labels by column for codes that have no label in the field's choices.
    """

    key: str
    title: str
    rows: Callable[[Actor], Rows]
    columns: Mapping[str, str]
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


TABLES = (
    Table(
        "account",
        "Account",
        of_user(User, "pk"),
        {
            "username": "username",
            "first_name": "first_name",
            "last_name": "last_name",
            "email": "email",
            "made_at": "date_joined",
            "last_login_at": "last_login",
        },
    ),
    Table(
        "addresses",
        "Mail addresses",
        of_user(EmailAddress),
        {"email": "email", "verified": "verified", "primary": "primary"},
    ),
    Table(
        "second_factors",
        "Second factors",
        of_user(Authenticator),
        {"kind": "type", "made_at": "created_at", "last_used_at": "last_used_at"},
        {"kind": {"totp": "Authenticator app", "webauthn": "Passkey"}},
    ),
    Table(
        "devices",
        "Devices that are logged in",
        of_user(Session),
        {"address": "address", "browser": "user_agent", "since": "logged_in_at"},
    ),
    Table(
        "tokens",
        "Tokens of programs",
        of_user(ApiToken),
        {
            "name": "name",
            "may": "scope",
            "event": "tournament__name",
            "made_at": "created",
            "ends_at": "expiry",
            "last_used_at": "last_used_at",
            "revoked_at": "revoked_at",
        },
    ),
    Table(
        "player",
        "Player",
        of_player(Player, "pk"),
        {
            "name": "name",
            "pronouns": "pronouns",
            "former_names": "former_names",
            "shown_name": "shown_name",
            "hides_history": "hides_history",
            "hides_from_streams": "hides_from_streams",
            "made_at": "created_at",
            "personal_link_used_at": "claimed_at",
            "personal_link_ends_at": "claim_expires_at",
            "asked_to_stay_at": "stays_from",
        },
    ),
    Table(
        "records",
        "Records that are part of mine",
        of_player(PlayerMerge, "kept"),
        {"name": "merged__name", "since": "at", "reason": "reason", "undone_at": "undone_at"},
    ),
    Table(
        "registrations",
        "Events I play at",
        of_player(Registration, "player"),
        {
            "event": "tournament__name",
            "day": "tournament__starts_on",
            "number": "number",
            "state": "state",
            "registered_at": "created_at",
            "checked_in_at": "checked_in_at",
            "dropped_at": "dropped_at",
            "checked_in_for_day_two_at": "day_two_at",
            "place_on_the_waiting_list": "waiting_rank",
            "marked_as_paid_at": "paid_at",
            "seed": "seed",
            "kept_apart_from": "avoid_group",
            "fixed_table": "fixed_table",
            "does_not_want_to_be_filmed": "avoids_stream",
        },
    ),
    Table(
        "roles",
        "Events I help to run",
        of_user(Staff),
        {"event": "tournament__name", "day": "tournament__starts_on", "role": "role"},
    ),
    Table(
        "series_roles",
        "Series I help to run",
        of_user(SeriesStaff),
        {"series": "series__name", "role": "role"},
    ),
    Table(
        "series_log",
        "What I did to series",
        of_user(SeriesLogEntry),
        {"series": "series__name", "at": "at", "action": "action", "subject": "subject"},
    ),
    Table(
        "invited_to",
        "Events I may join by invitation",
        of_player(InvitedPlayer, "player"),
        {
            "event": "tournament__name",
            "series": "series__name",
            "how": "how",
            "invited_at": "invited_at",
            "declined_at": "declined_at",
        },
    ),
    Table(
        "results",
        "My tables",
        results,
        {
            "event": "round__stage__tournament__name",
            "round": "round__number",
            "table": "table_number",
            "state": "match__state",
            "match": "match",
            "points": "my_points",
            "points_of_a_bye": "bye_points",
        },
    ),
    Table(
        "games",
        "My games",
        games,
        {
            "match": "game__match",
            "game": "game__number",
            "role": "role",
            "faction": "faction",
            "agenda_points": "agenda_points",
            "points": "points",
            "end": "game__end",
        },
    ),
    Table(
        "ratings",
        "My ratings",
        of_player(Rating, "player"),
        {
            "game": "game",
            "day": "day",
            "rating": "value",
            "deviation": "deviation",
            "volatility": "volatility",
            "games": "games",
            "events": "events",
        },
    ),
    Table(
        "reports",
        "Results I reported",
        lambda actor: of_player(ResultReport, "seat__player")(actor) | of_user(ResultReport)(actor),
        {
            "match": "match",
            "told_at": "created_at",
            "state": "state",
            "result": "result",
            "note": "note",
        },
    ),
    Table(
        "decks",
        "My decks, with every version",
        of_player(DecklistVersion, "decklist__player"),
        {
            "title": "decklist__title",
            "side": "decklist__side",
            "version": "number",
            "made_at": "created_at",
            "legal": "is_legal",
            "list": "text",
        },
    ),
    Table(
        "decks_handed_in",
        "Decks handed in",
        of_player(DeckReceipt, "submission__registration__player"),
        {
            "event": "submission__registration__tournament__name",
            "side": "submission__side",
            "version": "version__number",
            "received_at": "received_at",
            "locked_at": "submission__locked_at",
            "reason": "reason",
        },
    ),
    Table(
        "calls",
        "Judges I called",
        of_player(JudgeCall, "player"),
        {"match": "match", "about": "about", "at": "raised_at", "answered_at": "answered_at"},
    ),
    Table(
        "penalties",
        "Penalties given to me",
        of_player(Penalty, "registration__player"),
        {
            "event": "tournament__name",
            "round": "round_number",
            "infraction": "infraction_name",
            "penalty": "kind",
            "reason": "note__text",
            "given_at": "given_at",
            "withdrawn_at": "withdrawn_at",
        },
    ),
    Table(
        "mails",
        "News by mail",
        of_player(MailWish, "registration__player"),
        {"event": "registration__tournament__name", "since": "made_at"},
    ),
    Table(
        "phones",
        "Phones with notifications",
        of_player(PushSubscription, "registration__player"),
        {
            "event": "registration__tournament__name",
            "address": "endpoint",
            "since": "made_at",
        },
    ),
    Table(
        "notes",
        "Notes I wrote as a judge",
        of_user(JudgeNote, "author"),
        {"match": "match", "kind": "kind", "at": "created_at", "text": "text"},
    ),
    Table(
        "rulings",
        "Rulings I wrote",
        of_user(RulingVersion, "written_by"),
        {"ruling": "ruling__subject", "version": "number", "at": "created_at", "text": "text"},
    ),
    Table(
        "programs",
        "Webhooks I made",
        of_user(Webhook, "made_by"),
        {"event": "tournament__name", "address": "address", "made_at": "made_at"},
    ),
    Table(
        "uploads",
        "Results I uploaded",
        of_user(Upload, "made_by"),
        {"event": "tournament__name", "at": "made_at", "state": "state"},
    ),
    Table(
        "files",
        "Files I imported",
        of_user(ImportedFile, "made_by"),
        {"event": "tournament__name", "file": "file_name", "at": "made_at"},
    ),
    Table(
        "invitations",
        "Invitations I used",
        of_user(StaffInvitation, "used_by"),
        {"event": "tournament__name", "role": "role", "used_at": "used_at"},
    ),
    Table(
        "log",
        "The logs of events on me, and on what I did",
        log,
        {
            "event": "tournament__name",
            "at": "at",
            "done": "action",
            "about": "subject",
            "before": "before",
            "after": "after",
            "reason": "reason",
        },
    ),
)
