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
# Pages in the language of their event, for a room, a stream or paper, by the names of their URLs.
EVENT_PAGES = frozenset(
    f"tournaments:{name}"
    for name in (
        "projector",
        "stream",
        "overlay_table",
        "overlay_feature",
        "overlay_standings",
        "overlay_bracket",
        "overlay_clock",
        "embed_standings",
        "embed_pairings",
        "poster",
        "badges",
        "print_roster",
        "meeting_paper",
        "print_pairings",
        "print_standings",
        "print_open",
        "print_decks",
        "slips",
        "blank_slips",
    )
)
# Languages with a few pages only, by the names of their URLs. Other pages are in LANGUAGE_CODE, so
# that no page mixes languages.
PAGES_IN_LANGUAGE = {"de": PLAYER_PAGES | EVENT_PAGES, "fr": PLAYER_PAGES | EVENT_PAGES}
