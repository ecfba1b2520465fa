"""How much somebody may send, and how often somebody may ask."""

from config.settings.environment import whole_number

# The preview of a pasted list sends a tick for each of up to 1000 lines.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1200
# By the name of the address; all others take core.body_limits.MOST_BYTES. A deck page sends the
# list it was opened with beside a chosen file, and each form has fields around what is sent.
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
            *("api:registration_lists", "rulings:import", "api:ruling_imports"),
        ),
        1024 * 1024 + ROOM_OF_A_FORM,
    ),
    **dict.fromkeys(("tournaments:import", "api:imports"), 5 * 1024 * 1024 + ROOM_OF_A_FORM),
}
# What is pasted counts as what is chosen as a file: BODY_LIMITS says how much that may be.
DATA_UPLOAD_MAX_MEMORY_SIZE = max(BODY_LIMITS.values())
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# Players times rounds of one event, of an account that does not administer the site.
MOST_EVENT_LINES = whole_number(
    "DATAFORT_MOST_EVENT_LINES", default=10_000, least=1, most=10_000_000
)


def _limit(name: str, default: int) -> int:
    return whole_number(name, default, least=0, most=10_000_000)


# How many a minute. A hall of 500 phones that ask every five seconds makes 6,000 at one address.
API_LIMITS = {
    "address": _limit("DATAFORT_LIMIT_ADDRESS", default=20_000),
    "token": _limit("DATAFORT_LIMIT_TOKEN", default=600),
    "token_writes": _limit("DATAFORT_LIMIT_TOKEN_WRITES", default=300),
    "person": _limit("DATAFORT_LIMIT_PERSON", default=300),
    "unknown_tokens": _limit("DATAFORT_LIMIT_UNKNOWN_TOKENS", default=600),
    # Strangers at one address: decks, previews, booklets and exports.
    "expensive": _limit("DATAFORT_LIMIT_EXPENSIVE", default=120),
    "search": _limit("DATAFORT_LIMIT_SEARCH", default=600),
    # Letters typed for the title of a card: sixty phones of a hall, fifty each.
    "typing": _limit("DATAFORT_LIMIT_TYPING", default=3000),
    # One account with a role at an event: as many of each.
    "organiser": _limit("DATAFORT_LIMIT_ORGANISER", default=300),
    # One player or guest of an event that is on now: as many of each.
    "player": _limit("DATAFORT_LIMIT_PLAYER", default=60),
    # All such players, guests and organisers at one address: 300 people, ten of each.
    "hall": _limit("DATAFORT_LIMIT_HALL", default=3000),
    # Of one account, previews among them: the site reads one file at a time.
    "imports": _limit("DATAFORT_LIMIT_IMPORTS", default=20),
    # Of one account: lists of players, previewed or added.
    "lists": _limit("DATAFORT_LIMIT_LISTS", default=30),
    # Of one account or guest: decks saved, of both sides.
    "deck_saves": _limit("DATAFORT_LIMIT_DECK_SAVES", default=20),
    # Not a minute, but at the same time: expensive requests and searches of one address together,
    # whatever accounts it has. Others wait about this number times the mean time of such an answer.
    "requests_at_once": whole_number(
        "DATAFORT_LIMIT_REQUESTS_AT_ONCE", default=2, least=1, most=1000
    ),
    # Writes of a token or session, in each process.
    "writes_at_once": whole_number("DATAFORT_LIMIT_WRITES_AT_ONCE", default=3, least=1, most=1000),
    # Passwords checked for an address, decks fetched from NetrunnerDB, and pages of a player or
    # member of staff: as many of each.
    "at_once": whole_number("DATAFORT_LIMIT_AT_ONCE", default=2, least=1, most=1000),
}
