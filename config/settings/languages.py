"""Languages of pages. core.languages chooses one for each response."""

from config.settings.environment import BASE_DIR

USE_I18N = True
LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch"), ("fr", "Français")]
LOCALE_PATHS = [BASE_DIR / "locale"]
# Formats of dates and times: 24-hour times in English, and formats of our own.
FORMAT_MODULE_PATH = "config.formats"

PLAYER_PAGES = frozenset(
    {
        "home",
        *(
            f"tournaments:{name}"
            for name in (
                "event",
                "list",
                "pairings",
                "round",
                "table",
                "standings",
                "bracket",
                "schedule",
                "player",
                "decks",
                "deck_page",
                "join",
                "join_code",
                "mine",
                "invitation_answer",
                "my_table",
                "my_event",
                "my_check_in",
                "my_drop",
                "my_return",
                "my_stream",
                "report",
                "confirm",
                "dispute",
                "missing",
                "came",
                "call_judge",
                "withdraw_call",
                "appeal_answer",
                "choose_faction",
                "deck",
                "deck_lock",
                "deck_receipt",
                "deck_difference",
                "help",
                "offline",
            )
        ),
    }
)
# Languages with a few pages only, by the names of their URLs. Other pages are in LANGUAGE_CODE, so
# that no page mixes languages.
PAGES_IN_LANGUAGE = {"de": PLAYER_PAGES, "fr": PLAYER_PAGES}
