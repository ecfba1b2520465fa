"""Limits on the size and rate of requests."""

from config.settings.environment import whole_number

# The preview of a pasted list has a checkbox for each of up to 1000 lines.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1200
# By URL name; all other URLs use core.body_limits.MAX_BYTES. A deck page sends the original list
# as well as the chosen file. Forms add further fields.
ROOM_OF_A_FORM = 64 * 1024
BODY_LIMITS = {
    **dict.fromkeys(
        (
            *("decks:check", "api:deck_check", "api:deck_export", "api:event_deck_check"),
            *("tournaments:deck", "tournaments:deck_change", "api:my_deck", "api:deck"),
        ),
        32 * 1024 + ROOM_OF_A_FORM,
    ),
    **dict.fromkeys(
        (
            *("tournaments:roster_paste", "tournaments:roster_csv", "tournaments:roster_apply"),
            *("api:registration_lists", "rulings:import"),
        ),
        1024 * 1024 + ROOM_OF_A_FORM,
    ),
    **dict.fromkeys(("tournaments:import", "api:imports"), 5 * 1024 * 1024 + ROOM_OF_A_FORM),
}
# Pasted text may be as large as an uploaded file: BODY_LIMITS sets the limit.
DATA_UPLOAD_MAX_MEMORY_SIZE = max(BODY_LIMITS.values())
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# Maximum of players times rounds in an event, for accounts that do not administer the site.
MAX_EVENT_LINES = whole_number(
    "DATAFORT_MOST_EVENT_LINES", default=10_000, least=1, most=10_000_000
)


def _limit(name: str, default: int) -> int:
    return whole_number(name, default, least=0, most=10_000_000)


# Requests per minute. A hall of 500 phones that poll every five seconds makes 6,000.
API_LIMITS = {
    "address": _limit("DATAFORT_LIMIT_ADDRESS", default=20_000),
    "token": _limit("DATAFORT_LIMIT_TOKEN", default=600),
    "token_writes": _limit("DATAFORT_LIMIT_TOKEN_WRITES", default=300),
    "person": _limit("DATAFORT_LIMIT_PERSON", default=300),
    "unknown_tokens": _limit("DATAFORT_LIMIT_UNKNOWN_TOKENS", default=600),
    # Anonymous requests by address: decks, previews, booklets and exports.
    "expensive": _limit("DATAFORT_LIMIT_EXPENSIVE", default=120),
    "search": _limit("DATAFORT_LIMIT_SEARCH", default=600),
    # Keystrokes in the card search: sixty phones of a hall, fifty each.
    "typing": _limit("DATAFORT_LIMIT_TYPING", default=3000),
    # Per account with a role at an event: this many expensive requests, and as many searches.
    "organiser": _limit("DATAFORT_LIMIT_ORGANISER", default=300),
    # The same per player or guest of a current event.
    "player": _limit("DATAFORT_LIMIT_PLAYER", default=60),
    # The same for all such players, guests and organisers at an address: 300 people, ten requests
    # each.
    "hall": _limit("DATAFORT_LIMIT_HALL", default=3000),
    # Imports and their previews per account: the site reads one file at a time.
    "imports": _limit("DATAFORT_LIMIT_IMPORTS", default=20),
    # Player lists per account, previewed or added.
    "lists": _limit("DATAFORT_LIMIT_LISTS", default=30),
    # Saved decks per account or guest, counting both sides.
    "deck_saves": _limit("DATAFORT_LIMIT_DECK_SAVES", default=20),
    # Concurrent expensive requests and searches per address, with any account. Further requests
    # wait about this number times the mean response time.
    "requests_at_once": whole_number(
        "DATAFORT_LIMIT_REQUESTS_AT_ONCE", default=2, least=1, most=1000
    ),
    # Concurrent writes of a token or session, per process.
    "writes_at_once": whole_number("DATAFORT_LIMIT_WRITES_AT_ONCE", default=3, least=1, most=1000),
    # Concurrent password checks per address, NetrunnerDB deck requests, and page requests per
    # player or staff member.
    "at_once": whole_number("DATAFORT_LIMIT_AT_ONCE", default=2, least=1, most=1000),
}
