"""Texts of deck checks as codes and params, and their English in the JSON documents.

The documents stay the same from version to version. Pages have sentences of their own
(`decks.check_sentences`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from core.text import with_full_stop
from decks.legality import wording

# Code of a text that was stored, or imported, without a code.
UNCODED = "uncoded"


@dataclass(frozen=True)
class CheckText:
    """A text of a deck check. `str()` is its English in documents.

    Params are JSON: days are in ISO format, cards and lists are titles and names.
    """

    code: str
    params: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return _FORMATTER.vformat(TEXTS[self.code], (), self.params)

    def as_stored(self) -> dict[str, Any]:
        return {"code": self.code, "params": dict(self.params)}

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> "CheckText":
        return cls(stored["code"], stored["params"])


def check_text(code: str, **params: Any) -> CheckText:
    return CheckText(code, params)


def uncoded_text(text: str) -> CheckText:
    """Wrap an English text whose code and params are not known."""
    return CheckText(UNCODED, {"text": text})


_HIDDEN_CHARACTER = "a character that cannot be shown"
_NOT_A_LIST = "This file is {}, not a list. Choose a text, JSON or .o8d file."
_SAVE_AS_UTF_8 = "Save it as text in UTF-8 and choose it again, or paste the list instead."
_BROKEN_JSON = "The JSON is broken in line {line}, column {column}: "
_UNREAD_JSON = "The JSON cannot be read in line {line}, column {column}: "
_ENTRY_READS = "; it reads: {text}."
_READING = "Reading of lists: "
_CONSTRUCTION = "Comprehensive rules, deck construction: "
_RULEBOOK = "Netrunner rulebook (1996), deck construction"
_FITTING_SIZES = "decks of {first} to {last} cards have {least} or {most}"
_SIZE = ": at least {minimum} cards"
_POOL = "Card pool {pool}, as of {day:day}"
_BAN_LIST = "{restriction}, in force from {day:day}"
_FREE = "{card} costs no influence in a deck with "
_HAS = "; this one has {count}."
_ADD_POINTS = "Add {fewest} or {largest} agenda points"
_IN_PLACE = " in place of other cards"
_SHRINK = f", or take out {{cards:between}} other than agendas: {_FITTING_SIZES}."
_ON_EVENT_DAY = " takes effect on {day:day}, the day of the event"
_BEFORE_EVENT = " takes effect on {day:day}, before the event on {event_day:day}"

TEXTS: Mapping[str, str] = {
    UNCODED: "{text}",
    # Reading a file or a list.
    "file_is_zip": _NOT_A_LIST.format("a ZIP archive or an office document"),
    "file_is_packed": _NOT_A_LIST.format("a packed file"),
    "file_is_pdf": _NOT_A_LIST.format("a PDF"),
    "file_is_picture": _NOT_A_LIST.format("a picture"),
    "file_is_rtf": _NOT_A_LIST.format("a document of a word processor (RTF)"),
    "file_is_office": _NOT_A_LIST.format("an office document"),
    "file_is_utf_16": f'This file is saved in UTF-16 ("Unicode"). {_SAVE_AS_UTF_8}',
    "file_is_binary": "This is not a text file. Choose a text, JSON or .o8d file.",
    "file_is_not_utf_8": (
        'This file is not saved in UTF-8 but in an older code ("ANSI"): see line {line}. '
        f"{_SAVE_AS_UTF_8}"
    ),
    "list_bytes": "The list has {bytes:,} bytes; at most {limit:,} are allowed.",
    "list_characters": "The list has {characters:,} characters; at most {limit:,} are allowed.",
    "list_lines": "The list has {lines} lines; only the first {limit} were read.",
    "one_card_a_line": "Hand in one deck, one card a line.",
    "line_length": "The line has {characters} characters; at most {limit} are allowed.",
    "line_hidden_character": f"The line holds {_HIDDEN_CHARACTER} ({{character}}).",
    "line_ordinal": "A number with a point may be a place in a list or a number of copies.",
    "line_without_card": "The line names no card.",
    "line_copies_limit": "{limit} copies is the most for one line.",
    "identity_hidden_character": f"The identity is written with {_HIDDEN_CHARACTER}.",
    "json_trailing_text": f"{_BROKEN_JSON}there is text after the end of the JSON.",
    "json_name_missing": f"{_BROKEN_JSON}a name in quotation marks is missing.",
    "json_colon_missing": f'{_BROKEN_JSON}a colon behind "{{key}}" is missing.',
    "json_comma_missing": f"{_BROKEN_JSON}a comma or {{closing}} is missing.",
    "json_value_missing": f"{_BROKEN_JSON}a value is missing.",
    "json_text_not_closed": (
        f"{_BROKEN_JSON}a text is not closed, or holds a character it may not hold."
    ),
    "json_depth": f"{_UNREAD_JSON}lists and objects are nested more than {{limit}} deep.",
    "json_values": f"{_UNREAD_JSON}it has more than {{limit:,}} values.",
    "json_key_twice": f'{_UNREAD_JSON}"{{key}}" appears twice in one object.',
    "json_digits": f"{_UNREAD_JSON}a number has more than {{limit}} characters.",
    "json_no_deck": (
        "The JSON is not an Android: Netrunner deck: it has none of the keys cards, card_slots "
        "and entries."
    ),
    "json_no_cards_object": (
        "In line {line}, {key} is no object of cards with their numbers of copies."
    ),
    "netrunnerdb_error": "This is not a deck but an error from NetrunnerDB: {message}.",
    "netrunnerdb_error_unknown": (
        "This is not a deck but an error from NetrunnerDB, without a reason."
    ),
    "several_decks": "The file holds {number} decks: {names:names}.",
    "several_decks_and_more": "The file holds {number} decks: {names:names} and {more} more.",
    "one_deck_only": "Export only the one deck you play, and choose that file.",
    "entry_without_card": f"The entry names no card{_ENTRY_READS}",
    "entry_name_length": (f"The entry has a name of more than {{limit}} characters{_ENTRY_READS}"),
    "entry_hidden_character": (
        f"The entry holds {_HIDDEN_CHARACTER} ({{character}}){_ENTRY_READS}"
    ),
    "entry_copies_not_whole": f"The number of copies is not a whole number{_ENTRY_READS}",
    "entry_copies_limit": f"{{limit}} copies is the most for one entry{_ENTRY_READS}",
    "file_entries": "The file has {entries} entries; only the first {limit} were read.",
    "file_without_cards": "The deck in the file has no cards.",
    "export_again": (
        "Export the deck again, or paste it as text: one card a line, such as: 3 Title of the card"
    ),
    "xml_entities": "The XML declares entities or a document type; a deck needs none.",
    "xml_broken": "The XML is broken.",
    "xml_broken_at": "The XML is broken in line {line}, column {column}: {reason}.",
    "xml_depth": "The XML is nested more than {limit} deep.",
    "xml_elements": "The XML has more than {limit:,} elements.",
    "xml_not_octgn": "The XML is not an OCTGN deck: its outermost element is not called deck.",
    # Lines.
    "reading_rule": f"{_READING}a line is a number of copies and a title",
    "identity_rule": f"{_READING}a deck has one identity, named by its full title",
    "deck_name_line": "Read as the name of the deck.",
    "side_unclear": "Nothing in the list says whether it is a Corp or a Runner deck.",
    "side_tied": "The list has as many Corp as Runner cards: {cards} of each.",
    "fix_lines_or_name_side": "Fix the lines without a card, or say which side it is.",
    "write_copies_and_title": (
        "Write the number of copies and the title, such as: 3 Title of the card"
    ),
    "unknown_card": 'No card is called "{title}".',
    "unknown_printing": 'No card has a printing with the code "{printing}".',
    "unknown_printing_and_title": (
        'No card has a printing with the code "{printing}", and none is called "{title}".'
    ),
    "nearest_titles": "Nearest titles: {titles:suggestions}",
    "nearest_titles_limit": "Nearest titles are shown for the first {limit} faulty lines only.",
    "correct_code_or_write_title": "Correct the code, or write the title of the card.",
    "comment_out": "Put # before the line if it is not a card.",
    "write_name_or_remove_entry": "Write the name of a card, or remove the entry.",
    "unknown_identity": 'No identity is called "{name}".',
    "write_full_title": "Write the full title.",
    "give_full_title": "Give the full title.",
    "give_full_identity_title": "Give the full title of the identity.",
    "name_identity": "Name the identity you play.",
    "no_identities_in_game": "Remove the line: this game has no identities.",
    "not_an_identity": "{card} is not an identity.",
    "not_an_identity_but_type": "{card} is not an identity; its type is {type}.",
    "line_copies": "{copies} copies of {title}: a line has at least 1.",
    "write_copies_or_remove_line": "Write how many copies there are, or remove the line.",
    "two_meanings": "The line may mean {card} or {alternative:stop}",
    "two_quantities": "The line may mean different numbers of copies of {card:stop}",
    "write_copies_first": "Write the number of copies first, such as: {copies} {card}",
    "two_names": "The line names {title}, but its code {printing} is {card:stop}",
    "correct_title_or_code": "Correct the title, or remove the code.",
    "several_identities": "The list names {number} identities: {title_lines:title_lines}.",
    "keep_one_identity": "Keep the line of the identity you play.",
    "identity_copies": "{copies} copies of {title}: a deck has its identity once.",
    "write_identity_once": "Write it on one line, without a number of copies.",
    "no_identity": "The list names no identity.",
    "write_identity": "Write the full title of the identity on a line of its own.",
    "other_identity": "The list names {title}, but the chosen identity is {card:stop}",
    "choose_one_identity": ("Choose one of them. The list is checked with the chosen identity."),
    # Size and side.
    "construction_size_rule": (
        f"{_CONSTRUCTION}a deck has at least as many cards as its identity says, itself not counted"
    ),
    "rulebook_size_rule": f"{_RULEBOOK}{_SIZE}",
    "rulings_size_rule": (
        "Netrunner rulings v1.62, Deck Construction (Wendy Wallace, 29 April 1996)" + _SIZE
    ),
    "event_size_rule": f"Deck rules of this event{_SIZE}",
    "identity_deck_size": (
        "{size:cards}; a deck of {identity} has at least {minimum}, the identity not counted."
    ),
    "side_deck_size": "{size:cards}; a {side:side} deck has at least {minimum}.",
    "unread_copies": "{copies} more on lines that name no known card do not count.",
    "add_cards": "Add {cards:cards}.",
    "size_has_points": "A deck of {minimum} has {least} or {most} agenda points.",
    "size_needs_points": "A deck of {minimum} needs {points} agenda points.",
    "construction_side_rule": (
        f"{_CONSTRUCTION}the identity and the cards of a deck are of one side"
    ),
    "rulebook_side_rule": f"{_RULEBOOK}: the cards of a deck are of one side",
    "card_of_other_side": "{card} is a {side:side} card; this is a {deck_side:side} deck.",
    "identity_of_other_side": "{card} is a {side:side} identity; this is a {deck_side:side} deck.",
    "name_identity_of_side": (
        "Name a {deck_side:side} identity, or hand the list in as the {side:side} deck."
    ),
    "take_out": "Take out {copies:all}.",
    "take_out_or_other_deck": "Take out {copies:all}, or hand it in with the {side:side} deck.",
    # Copies.
    "construction_copies_rule": (
        f"{_CONSTRUCTION}a deck has at most 3 copies of a card, unless the card says otherwise"
    ),
    "card_copies_rule": "Text of {card}: a deck has at most {limit:copies} of it",
    "too_many_copies": "{copies:copies} of {card}; a deck has at most {limit}.",
    "singleton": "{copies:copies} of {card}; a deck of {identity} has at most 1 of each card.",
    "take_out_copies": "Take out {copies:copies}.",
    # Factions, and texts of identities.
    "ampere_rule": (
        "Text of Ampère: Cybernetics For Anyone: 1 copy of a card at most, and up to 2 different "
        "agendas of each faction"
    ),
    "nova_rule": "Text of Nova Initiumia: Catalyst & Impetus: 1 copy of a card at most",
    "custom_biotics_rule": "Text of Custom Biotics: Engineered for Success: no Jinteki cards",
    "forbidden_faction": (
        "{card} belongs to {faction}; a deck of {identity} has no {faction} cards."
    ),
    "construction_agenda_faction_rule": (
        f"{_CONSTRUCTION}the agendas of a deck are of the identity's faction or neutral"
    ),
    "agenda_faction": (
        "{card} is an agenda of {faction}; a deck of {identity} has only {own_faction} and neutral "
        "agendas."
    ),
    "agenda_faction_neutral": (
        "{card} is an agenda of {faction}; a deck of {identity} has only neutral agendas."
    ),
    "replace_agendas": "Put other agendas in place of {copies:all} ({points:points}).",
    "guest_agendas": (
        "{number} different agendas of {faction} ({titles:list}); a deck of {identity} has at most "
        "{limit} of each faction."
    ),
    "take_out_guest_agendas": ("Take out {number} of them, or put neutral agendas in their place."),
    # Agenda points.
    "construction_agenda_points_rule": (
        f"{_CONSTRUCTION}a Corp deck has 2 agenda points for every full 5 cards and 2 more, or 1 "
        "above that"
    ),
    "rulebook_agenda_points_rule": f"{_RULEBOOK}: 2 agenda points for every 5 cards or part of 5",
    "event_agenda_points_rule": (
        "Deck rules of this event: 2 agenda points in 5 cards, rounded up"
    ),
    "agenda_points_band": f"{{points:points}} in {{size:cards}}; {_FITTING_SIZES}.",
    "agenda_points_minimum": "{points:points} in {size:cards}; {minimum} are needed.",
    "add_points": f"{_ADD_POINTS}.",
    "add_points_or_shrink": f"{_ADD_POINTS}{_SHRINK}",
    "swap_points_in": f"{_ADD_POINTS}{_IN_PLACE}.",
    "swap_points_in_or_shrink": f"{_ADD_POINTS}{_IN_PLACE}{_SHRINK}",
    "swap_points_out_or_grow": (
        "Put other cards in place of {fewest} or {largest} agenda points, or add {cards:between} "
        f"other than agendas: {_FITTING_SIZES}."
    ),
    "swap_minimum_in": "Add {points:points} in place of other cards.",
    "swap_minimum_in_or_shrink": (
        "Add {points:points} in place of other cards, or take out {cards:cards} other than agendas."
    ),
    # Influence.
    "influence_rule": (
        f"{_CONSTRUCTION}cards that are not of the identity's faction cost influence, up to the "
        "limit of the identity"
    ),
    "influence_rule_of_list": (
        f"{_CONSTRUCTION}cards that are not of the identity's faction cost influence, up to the "
        "limit of the identity; {restriction}"
    ),
    "influence_spent": "{spent} influence spent of {limit}.",
    "universal_influence": "{influence} of it is universal influence of {restriction}.",
    "limit_lowered": "{restriction} takes {influence} off the limit.",
    "limit_lowered_to_one": (
        "{restriction} takes {influence} off the limit, which is never below 1."
    ),
    "exchange_cards": (
        "Put cards that cost no influence in place of {title_copies:title_copies_stop}"
    ),
    "exchange_cards_and_more": (
        "Put cards that cost no influence in place of {title_copies:title_copies_more} and {more} "
        "more of the dearest cards."
    ),
    "free_with_faction_cards": (f"{_FREE}6 or more {{faction}} cards other than alliances{_HAS}"),
    "free_with_ice": f"{_FREE}15 or fewer ice{_HAS}",
    "free_with_assets": f"{_FREE}7 or more assets{_HAS}",
    "free_with_size": f"{_FREE}50 or more cards{_HAS}",
    "free_with_pad_campaigns": f"{_FREE}exactly 3 copies of PAD Campaign{_HAS}",
    # Card pools.
    "format_rule": "Format {format}",
    "format_not_begun": "{format} began on {first_day:day}; {day:day} is before it.",
    "format_without_pool": "{format} has no card pool for {day:day}.",
    "choose_day_from": "Choose a day from {first_day:day} on, or another format.",
    "choose_day_or_format": "Choose another day or another format.",
    "pool_rule": _POOL,
    "teaching_rule": (
        f"The teaching decks of System Gateway are for the System Gateway format only; {_POOL}"
    ),
    "box_rule": f"System Gateway: no more copies than one box holds; {_POOL}",
    "not_in_pool": "{card} is not in the card pool {pool}.",
    "teaching_identity": "{card} is an identity of the teaching decks of System Gateway.",
    "take_out_or_other_format": "Take out {copies:all}, or choose another format.",
    "choose_identity_of_pool": "Choose an identity of the card pool, or another format.",
    "too_many_for_the_box": "{copies:copies} of {card}; one box holds {limit:copies}.",
    "take_out_some": "Take out {number} of them.",
    # Ban lists.
    "ban_list_rule": _BAN_LIST,
    "conference_list_rule": "Top Runners' Conference ban list",
    "big_agendas_rule": (f"Startup, at most four agendas worth 3 or more points; {_BAN_LIST}"),
    "banned_by_list": "{card} is banned by {restriction}.",
    "banned_subtype": '{card} is a card of the subtype "{subtype}", which is banned as a whole.',
    "banned_at_event": "{card} is banned at this event; the list has {copies}.",
    "choose_other_identity": "Choose another identity.",
    "restricted": (
        "{number} restricted titles: {title_lines:title_lines_and}; a deck may hold cards of 1."
    ),
    "keep_one_title": "Keep the copies of one of these titles and take out the others.",
    "points": "{points} points: {title_points:title_points}; at most {limit} are allowed.",
    "take_out_titles": "Take out whole titles worth {points} or more of these points.",
    "big_agendas": (
        "{number} agendas worth {worth} or more points: {title_copies:copies_titles}; at most "
        "{limit} are allowed."
    ),
    "take_out_big_agendas": ("Take out {number} of them, or put smaller agendas in their place."),
    # Notices. The documents name the card before the change: "Sting! will be banned".
    "list_takes_effect": f"{{restriction}}{_BEFORE_EVENT}",
    "list_takes_effect_on_event_day": f"{{restriction}}{_ON_EVENT_DAY}",
    "no_list_takes_effect": f"Play without a ban list{_BEFORE_EVENT}",
    "no_list_takes_effect_on_event_day": f"Play without a ban list{_ON_EVENT_DAY}",
    "pool_takes_effect": f"Card pool {{pool}}{_BEFORE_EVENT}",
    "pool_takes_effect_on_event_day": f"Card pool {{pool}}{_ON_EVENT_DAY}",
    "will_be_banned": "will be banned",
    "will_not_be_banned": "will no longer be banned",
    "will_be_restricted": "will be restricted",
    "will_not_be_restricted": "will no longer be restricted",
    "will_be_in_pool": "will be in the pool",
    "will_not_be_in_pool": "will no longer be in the pool",
    "will_cost_points": "will cost {after} points instead of {before}",
    "will_cost_influence": "will cost {after} more influence a copy instead of {before}",
    "will_lower_limit": "will lower the influence limit by {after} a copy instead of {before}",
    "will_be_illegal": (
        "By the lists of {format} this deck is legal today, {today:day}, and not legal on "
        "{day:day}."
    ),
    "will_be_legal": (
        "By the lists of {format} this deck is not legal today, {today:day}, and legal on "
        "{day:day}."
    ),
    "card_data_outdated": (
        "The card data of this site is from {as_of:day}, before {day:day}. Newer cards and ban "
        "lists are not known here."
    ),
    "newest_list": "The newest ban list known is {restriction}, in force since {day:day}.",
    "no_list_known": "No ban list of it is known.",
    # Days and lists of a legal deck.
    "legal_from": "Legal from {first_day:day} on; no list to come is known that would change it.",
    "legal_until": "Legal from {first_day:day} until {day:day}.",
    "pool_in_force": "card pool {pool}",
    "list_in_force": "{restriction}",
}


def _title_lines(rows: list[tuple[str, int | None]]) -> list[str]:
    return [f"{title} (line {line})" if line else title for title, line in rows]


def _title_copies(rows: list[tuple[str, int]]) -> list[str]:
    return [f"{wording.copies(copies)} of {title}" for title, copies in rows]


# How documents show a param, by its format specification.
_PHRASES: Mapping[str, Callable[[Any], str]] = {
    "all": wording.all_copies,
    "between": lambda bounds: wording.cards_between(*bounds),
    "cards": wording.cards,
    "copies": wording.copies,
    "copies_titles": lambda rows: wording.listing([f"{number} {title}" for title, number in rows]),
    "day": wording.iso_day,
    "list": wording.listing,
    "names": lambda names: ", ".join(name or "one without a name" for name in names),
    "points": wording.points,
    "side": wording.SIDE_NAMES.__getitem__,
    "stop": with_full_stop,
    "suggestions": lambda titles: with_full_stop("; ".join(titles)),
    "title_copies_more": lambda rows: ", ".join(_title_copies(rows)),
    "title_copies_stop": lambda rows: with_full_stop(wording.listing(_title_copies(rows))),
    "title_lines": lambda rows: "; ".join(_title_lines(rows)),
    "title_lines_and": lambda rows: wording.listing(_title_lines(rows)),
    "title_points": lambda rows: wording.listing([f"{title} ({number})" for title, number in rows]),
}


class _DocumentFormatter(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec in _PHRASES:
            return _PHRASES[format_spec](value)
        text: str = super().format_field(value, format_spec)
        return text


_FORMATTER = _DocumentFormatter()
