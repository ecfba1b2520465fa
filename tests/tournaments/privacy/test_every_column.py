"""Every text or JSON column must be classified: erased with a person, or without personal data."""

import pytest
from django.apps import apps
from django.db.models import CharField, JSONField, TextField

pytestmark = pytest.mark.check(40)

# Deleted with the person, emptied, or stored without the name.
ERASED = {
    "account.emailaddress": "email",
    "account.emailconfirmation": "key",
    "admin.logentry": "object_repr change_message",
    "decks.decklist": "title",
    "decks.decklistversion": "text breaches notices",
    "matches.resultreport": "result note",
    "mfa.authenticator": "data",
    "players.player": "name name_key sort_key pronouns shown_name claim_hash former_names",
    "players.session": "session_key session_data user_agent",
    "players.user": "password username first_name last_name email",
    "rulings.citation": "authority",
    "rulings.judgecall": "about",
    "rulings.judgenote": "text",
    "rulings.searchentry": "source",
    "tournaments.apitoken": "digest token_key name",
    "tournaments.deckcheck": "note",
    "tournaments.deckreceipt": "reason",
    "tournaments.importedfile": "file_name notices differences",
    "tournaments.job": "payload error error_params",
    "tournaments.idempotencyrecord": "who key digest answer",
    "tournaments.logentry": "subject before after reason",
    "tournaments.pairing": "cost reasons",
    "tournaments.penalty": "withdrawn_reason",
    "tournaments.playermerge": "reason moved before after",
    "tournaments.pushsubscription": "endpoint p256dh auth",
    "tournaments.registration": "avoid_group",
    "tournaments.round": "certificate relaxations",
    "tournaments.series": "description",
    "tournaments.serieslogentry": "subject before after",
    "tournaments.staffinvitation": "secret_hash note",
    "tournaments.tournament": "location description address entry_fee contact links",
    "tournaments.upload": "error",
    "tournaments.webhook": "disabled_why",
    "tournaments.webhookdelivery": "payload last_error",
}
# Names of events, cards, rules and programs, network addresses, codes and figures.
IMPERSONAL = {
    "players.user": "language",
    "admin.logentry": "object_id",
    "decks.decklistversion": "format_id snapshot_id seal",
    "decks.deckslot": "printing",
    "matches.faction": "id name colour",
    "matches.gameseat": "faction",
    "matches.match": "scoring_rule flags losses",
    # Network address or purpose of an email; deleted after a week.
    "players.incidentcount": "subject detail",
    "rulings.citation": "via venue about",
    "rulings.ruling": "code short_code place heading subject subject_key subject_slug overturned",
    "rulings.rulingdocument": "slug title edition notice",
    "rulings.rulinglink": "name subject_slug",
    "rulings.rulingstamp": "value",
    "rulings.rulingversion": "text original_text reason",
    "rulings.searchentry": "heading body",
    "tournaments.announcing": "webhook",
    "tournaments.importedfile": "dialect digest",
    "tournaments.eveningplan": "time_zone stopped_why",
    "tournaments.infractionchange": "code name description ladder",
    "tournaments.invitedplayer": "how",
    "tournaments.job": "kind key error_code",
    "tournaments.latestbackup": "machine name",
    "tournaments.logentry": "action",
    "tournaments.eventtallies": "figures",
    "tournaments.forecast": "digest times_in",
    "tournaments.monthtallies": "format_id figures",
    "tournaments.outlook": "digest needs",
    "tournaments.penalty": "infraction infraction_name",
    "tournaments.ratingrun": "constants",
    "tournaments.series": "name slug place_points tie_breakers",
    "tournaments.sitetallies": "format_id figures",
    "tournaments.sitejob": "kind key payload error error_code error_params",
    "tournaments.stage": "scoring_rule",
    "tournaments.standing": "tie_breakers",
    "tournaments.statedidentity": "title",
    "tournaments.tournament": (
        "name slug time_zone language join_code scoring_rule tie_breakers table_numbers "
        "feature_tables deck_rules"
    ),
    "tournaments.upload": "code page",
    "tournaments.webhook": "address secret events",
}
CARD_DATA = ("decks.c", "decks.printing", "decks.format", "decks.restriction", "decks.snapshot")
FOREIGN_APPS = ("auth.", "contenttypes.")


def test_every_text_column_is_classified():
    classified = {
        (model, column)
        for table in (ERASED, IMPERSONAL)
        for model, columns in table.items()
        for column in columns.split()
    }

    columns = {
        (model._meta.label_lower, field.name)
        for model in apps.get_models()
        if not model._meta.label_lower.startswith((*CARD_DATA, *FOREIGN_APPS))
        for field in model._meta.get_fields()
        if isinstance(field, CharField | TextField | JSONField) and not field.choices
    }

    assert columns == classified
