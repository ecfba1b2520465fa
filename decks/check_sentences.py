"""Sentences of pages for the texts of deck checks (`decks.legality.check_texts`)."""

import datetime
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from core.text import with_full_stop
from decks.legality.anr_formats import CardStatus
from decks.legality.check_texts import UNCODED, CheckText
from decks.models import Side

SENTENCES: Mapping[str, Any] = {
    UNCODED: "%(text)s",
    # Reading a file or a list.
    "file_is_zip": gettext_lazy(
        "This file is a ZIP archive or an office document, not a list. Choose a text, JSON or .o8d "
        "file."
    ),
    "file_is_packed": gettext_lazy("This file is compressed. Choose a text, JSON or .o8d file."),
    "file_is_pdf": gettext_lazy(
        "This file is a PDF, not a list. Choose a text, JSON or .o8d file."
    ),
    "file_is_picture": gettext_lazy(
        "This file is a picture, not a list. Choose a text, JSON or .o8d file."
    ),
    "file_is_rtf": gettext_lazy(
        "This file is a word processor document (RTF), not a list. Choose a text, JSON or .o8d "
        "file."
    ),
    "file_is_office": gettext_lazy(
        "This file is an office document, not a list. Choose a text, JSON or .o8d file."
    ),
    "file_is_utf_16": gettext_lazy(
        'This file is saved in UTF-16 ("Unicode"). Save it as UTF-8 and choose it again, or paste '
        "the list instead."
    ),
    "file_is_binary": gettext_lazy("This is not a text file. Choose a text, JSON or .o8d file."),
    "file_is_not_utf_8": gettext_lazy(
        'This file is not saved in UTF-8 but in an older encoding ("ANSI"); see line %(line)s. '
        "Save it as UTF-8 and choose it again, or paste the list instead."
    ),
    "list_bytes": gettext_lazy("The list has %(bytes)s bytes; at most %(limit)s are allowed."),
    "list_characters": gettext_lazy(
        "The list has %(characters)s characters; at most %(limit)s are allowed."
    ),
    "list_lines": gettext_lazy("The list has %(lines)s lines; only the first %(limit)s were read."),
    "one_card_a_line": gettext_lazy("Submit a single deck, with one card per line."),
    "line_length": gettext_lazy(
        "The line has %(characters)s characters; at most %(limit)s are allowed."
    ),
    "line_hidden_character": gettext_lazy(
        "The line contains a character that cannot be shown (%(character)s)."
    ),
    "line_ordinal": gettext_lazy(
        "A number with a full stop may be a position in the list or a number of copies."
    ),
    "line_without_card": gettext_lazy("The line names no card."),
    "line_copies_limit": gettext_lazy("A line can have at most %(limit)s copies."),
    "identity_hidden_character": gettext_lazy(
        "The identity contains a character that cannot be shown."
    ),
    "json_trailing_text": gettext_lazy(
        "Invalid JSON in line %(line)s, column %(column)s: there is text after the end."
    ),
    "json_name_missing": gettext_lazy(
        "Invalid JSON in line %(line)s, column %(column)s: a name in quotation marks is missing."
    ),
    "json_colon_missing": gettext_lazy(
        'Invalid JSON in line %(line)s, column %(column)s: the colon after "%(key)s" is missing.'
    ),
    "json_comma_missing": gettext_lazy(
        "Invalid JSON in line %(line)s, column %(column)s: a comma or %(closing)s is missing."
    ),
    "json_value_missing": gettext_lazy(
        "Invalid JSON in line %(line)s, column %(column)s: a value is missing."
    ),
    "json_text_not_closed": gettext_lazy(
        "Invalid JSON in line %(line)s, column %(column)s: a text has no closing quotation mark, "
        "or contains an invalid character."
    ),
    "json_depth": gettext_lazy(
        "The JSON cannot be read: in line %(line)s, column %(column)s, it is nested more than "
        "%(limit)s levels deep."
    ),
    "json_values": gettext_lazy(
        "The JSON cannot be read: at line %(line)s, column %(column)s, it exceeds %(limit)s values."
    ),
    "json_key_twice": gettext_lazy(
        'The JSON cannot be read: in line %(line)s, column %(column)s, "%(key)s" appears a second '
        "time in the same object."
    ),
    "json_digits": gettext_lazy(
        "The JSON cannot be read: in line %(line)s, column %(column)s, a number has more than "
        "%(limit)s characters."
    ),
    "json_no_deck": gettext_lazy(
        "The JSON is not an Android: Netrunner deck: it has none of the keys cards, card_slots and "
        "entries."
    ),
    "json_no_cards_object": gettext_lazy(
        "In line %(line)s, %(key)s is not an object with cards and their numbers of copies."
    ),
    "netrunnerdb_error": gettext_lazy(
        "This is not a deck but an error message from NetrunnerDB: %(message)s."
    ),
    "netrunnerdb_error_unknown": gettext_lazy(
        "This is not a deck but an error from NetrunnerDB, without a message."
    ),
    "several_decks": gettext_lazy("The file contains %(number)s decks: %(names)s."),
    "several_decks_and_more": ngettext_lazy(
        "The file contains %(number)s decks: %(names)s, and %(more)s more.",
        "The file contains %(number)s decks: %(names)s, and %(more)s more.",
        "more",
    ),
    "one_deck_only": gettext_lazy("Export only the deck you play, and choose that file."),
    "entry_without_card": gettext_lazy("This entry names no card: %(text)s"),
    "entry_name_length": gettext_lazy(
        "The name in this entry has more than %(limit)s characters: %(text)s"
    ),
    "entry_hidden_character": gettext_lazy(
        "This entry contains a character that cannot be shown (%(character)s): %(text)s"
    ),
    "entry_copies_not_whole": gettext_lazy(
        "The number of copies in this entry is not a whole number: %(text)s"
    ),
    "entry_copies_limit": gettext_lazy("This entry has more than %(limit)s copies: %(text)s"),
    "file_entries": gettext_lazy(
        "The file has %(entries)s entries; only the first %(limit)s were read."
    ),
    "file_without_cards": gettext_lazy("The deck in the file has no cards."),
    "export_again": gettext_lazy(
        "Export the deck again, or paste it as text with one card per line, such as: 3 Title of "
        "the card"
    ),
    "xml_entities": gettext_lazy(
        "The XML contains entities or a document type, which are not allowed in a deck."
    ),
    "xml_broken": gettext_lazy("The XML is invalid."),
    "xml_broken_at": gettext_lazy("Invalid XML in line %(line)s, column %(column)s: %(reason)s."),
    "xml_depth": gettext_lazy("The XML is nested more than %(limit)s levels deep."),
    "xml_elements": gettext_lazy("The XML has more than %(limit)s elements."),
    "xml_not_octgn": gettext_lazy(
        "The XML is not an OCTGN deck: its outermost element is not called deck."
    ),
    # Lines.
    "reading_rule": gettext_lazy("Format of lists: each line has a number of copies and a title"),
    "identity_rule": gettext_lazy(
        "Format of lists: a deck has one identity, named by its full title"
    ),
    "deck_name_line": gettext_lazy("Read as the name of the deck."),
    "side_unclear": gettext_lazy("The list does not show whether it is a Corp or a Runner deck."),
    "side_tied": ngettext_lazy(
        "The list has as many Corp as Runner cards: %(cards)s of each.",
        "The list has as many Corp as Runner cards: %(cards)s of each.",
        "cards",
    ),
    "fix_lines_or_name_side": gettext_lazy(
        "Fix the lines that name no known card, or choose the side."
    ),
    "write_copies_and_title": gettext_lazy(
        "Enter the number of copies and the title, such as: 3 Title of the card"
    ),
    "unknown_card": gettext_lazy('No card is called "%(title)s".'),
    "unknown_printing": gettext_lazy('No card has the code "%(printing)s".'),
    "unknown_printing_and_title": gettext_lazy(
        'No card has the code "%(printing)s", and none is called "%(title)s".'
    ),
    "nearest_titles": gettext_lazy("Similar titles: %(titles)s."),
    "nearest_titles_limit": gettext_lazy(
        "Similar titles are shown only for the first %(limit)s faulty lines."
    ),
    "correct_code_or_write_title": gettext_lazy(
        "Correct the code, or enter the title of the card."
    ),
    "comment_out": gettext_lazy("Put # before the line if it is not a card."),
    "write_name_or_remove_entry": gettext_lazy("Enter the title of a card, or remove the entry."),
    "unknown_identity": gettext_lazy('No identity is called "%(name)s".'),
    "write_full_title": gettext_lazy("Enter the full title."),
    "give_full_title": gettext_lazy("Enter the full title."),
    "give_full_identity_title": gettext_lazy("Enter the full title of the identity."),
    "name_identity": gettext_lazy("Enter the identity you play."),
    "no_identities_in_game": gettext_lazy("Remove the line: this game has no identities."),
    "not_an_identity": gettext_lazy("%(card)s is not an identity."),
    "not_an_identity_but_type": gettext_lazy("%(card)s is not an identity; its type is %(type)s."),
    "line_copies": ngettext_lazy(
        "The line has %(copies)s copy of %(title)s; the number must be at least 1.",
        "The line has %(copies)s copies of %(title)s; the number must be at least 1.",
        "copies",
    ),
    "write_copies_or_remove_line": gettext_lazy("Enter the number of copies, or remove the line."),
    "two_meanings": gettext_lazy('The line may mean "%(card)s" or "%(alternative)s".'),
    "two_quantities": gettext_lazy('The line may mean different numbers of copies of "%(card)s".'),
    "write_copies_first": gettext_lazy(
        "Put the number of copies first, such as: %(copies)s %(card)s"
    ),
    "two_names": gettext_lazy(
        'The line names "%(title)s", but its code %(printing)s is "%(card)s".'
    ),
    "correct_title_or_code": gettext_lazy("Correct the title, or remove the code."),
    "several_identities": gettext_lazy("The list names %(number)s identities: %(title_lines)s."),
    "keep_one_identity": gettext_lazy("Keep only the line of the identity you play."),
    "identity_copies": ngettext_lazy(
        "The list has %(copies)s copy of %(title)s; a deck has its identity once.",
        "The list has %(copies)s copies of %(title)s; a deck has its identity once.",
        "copies",
    ),
    "write_identity_once": gettext_lazy(
        "Enter the identity on one line, without a number of copies."
    ),
    "no_identity": gettext_lazy("The list names no identity."),
    "write_identity": gettext_lazy("Enter the full title of the identity on a line of its own."),
    "other_identity": gettext_lazy(
        'The list names "%(title)s", but the chosen identity is "%(card)s".'
    ),
    "choose_one_identity": gettext_lazy(
        "Choose one of them. The list was checked with the chosen identity."
    ),
    # Size and side.
    "construction_size_rule": gettext_lazy(
        "Comprehensive rules, deck construction: minimum deck size of the identity, which does not "
        "count itself"
    ),
    "rulebook_size_rule": gettext_lazy(
        "Netrunner rulebook (1996), deck construction: at least %(minimum)s cards"
    ),
    "rulings_size_rule": gettext_lazy(
        "Netrunner rulings v1.62, Deck Construction (Wendy Wallace, 29 April 1996): at least "
        "%(minimum)s cards"
    ),
    "event_size_rule": gettext_lazy("Deck rules of this event: at least %(minimum)s cards"),
    "identity_deck_size": ngettext_lazy(
        "The deck has %(size)s card; with %(identity)s it needs at least %(minimum)s, not counting "
        "the identity.",
        "The deck has %(size)s cards; with %(identity)s it needs at least %(minimum)s, not "
        "counting the identity.",
        "size",
    ),
    "side_deck_size": ngettext_lazy(
        "The deck has %(size)s card; a %(side)s deck needs at least %(minimum)s.",
        "The deck has %(size)s cards; a %(side)s deck needs at least %(minimum)s.",
        "size",
    ),
    "unread_copies": ngettext_lazy(
        "%(copies)s more copy does not count, because its line names no known card.",
        "%(copies)s more copies do not count, because their lines name no known card.",
        "copies",
    ),
    "add_cards": ngettext_lazy("Add %(cards)s card.", "Add %(cards)s cards.", "cards"),
    "size_has_points": gettext_lazy(
        "A deck of %(minimum)s cards has %(least)s or %(most)s agenda points."
    ),
    "size_needs_points": gettext_lazy(
        "A deck of %(minimum)s cards needs %(points)s agenda points."
    ),
    "construction_side_rule": gettext_lazy(
        "Comprehensive rules, deck construction: the identity and all cards are of the same side"
    ),
    "rulebook_side_rule": gettext_lazy(
        "Netrunner rulebook (1996), deck construction: all cards are of the same side"
    ),
    "card_of_other_side": gettext_lazy(
        "%(card)s is a %(side)s card; this is a %(deck_side)s deck."
    ),
    "identity_of_other_side": gettext_lazy(
        "%(card)s is a %(side)s identity; this is a %(deck_side)s deck."
    ),
    "name_identity_of_side": gettext_lazy(
        "Enter a %(deck_side)s identity, or submit the list as the %(side)s deck."
    ),
    "take_out": ngettext_lazy("Remove the card.", "Remove all %(copies)s copies.", "copies"),
    "take_out_or_other_deck": ngettext_lazy(
        "Remove the card, or submit it with the %(side)s deck.",
        "Remove all %(copies)s copies, or submit them with the %(side)s deck.",
        "copies",
    ),
    # Copies.
    "construction_copies_rule": gettext_lazy(
        "Comprehensive rules, deck construction: at most 3 copies of a card, unless the card says "
        "otherwise"
    ),
    "card_copies_rule": ngettext_lazy(
        "Text of %(card)s: at most %(limit)s copy in a deck",
        "Text of %(card)s: at most %(limit)s copies in a deck",
        "limit",
    ),
    "too_many_copies": ngettext_lazy(
        "%(copies)s copy of %(card)s; a deck can have at most %(limit)s.",
        "%(copies)s copies of %(card)s; a deck can have at most %(limit)s.",
        "copies",
    ),
    "singleton": ngettext_lazy(
        "%(copies)s copy of %(card)s; with %(identity)s, a deck can have only 1 of each card.",
        "%(copies)s copies of %(card)s; with %(identity)s, a deck can have only 1 of each card.",
        "copies",
    ),
    "take_out_copies": ngettext_lazy(
        "Remove %(copies)s copy.", "Remove %(copies)s copies.", "copies"
    ),
    # Factions, and texts of identities.
    "ampere_rule": gettext_lazy(
        "Text of Ampère: Cybernetics For Anyone: at most 1 copy of each card, and at most 2 "
        "different agendas of each faction"
    ),
    "nova_rule": gettext_lazy(
        "Text of Nova Initiumia: Catalyst & Impetus: at most 1 copy of each card"
    ),
    "custom_biotics_rule": gettext_lazy(
        "Text of Custom Biotics: Engineered for Success: no Jinteki cards"
    ),
    "forbidden_faction": gettext_lazy(
        "%(card)s belongs to %(faction)s; with %(identity)s, a deck cannot have %(faction)s cards."
    ),
    "construction_agenda_faction_rule": gettext_lazy(
        "Comprehensive rules, deck construction: agendas are neutral or of the identity's faction"
    ),
    "agenda_faction": gettext_lazy(
        "%(card)s is an agenda of %(faction)s; with %(identity)s, a deck can have only "
        "%(own_faction)s and neutral agendas."
    ),
    "agenda_faction_neutral": gettext_lazy(
        "%(card)s is an agenda of %(faction)s; with %(identity)s, a deck can have only neutral "
        "agendas."
    ),
    "replace_agendas": ngettext_lazy(
        "Replace the card with another agenda (agenda points: %(points)s).",
        "Replace all %(copies)s copies with other agendas (agenda points: %(points)s).",
        "copies",
    ),
    "guest_agendas": gettext_lazy(
        "%(number)s different agendas of %(faction)s (%(titles)s); with %(identity)s, a deck can "
        "have at most %(limit)s of each faction."
    ),
    "take_out_guest_agendas": ngettext_lazy(
        "Remove %(number)s of them, or replace it with a neutral agenda.",
        "Remove %(number)s of them, or replace them with neutral agendas.",
        "number",
    ),
    # Agenda points.
    "construction_agenda_points_rule": gettext_lazy(
        "Comprehensive rules, deck construction: a Corp deck has 2 agenda points for every full 5 "
        "cards and 2 more, or 1 above that"
    ),
    "rulebook_agenda_points_rule": gettext_lazy(
        "Netrunner rulebook (1996), deck construction: 2 agenda points for every 5 cards or part "
        "of 5"
    ),
    "event_agenda_points_rule": gettext_lazy(
        "Deck rules of this event: 2 agenda points for every 5 cards, rounded up"
    ),
    "agenda_points_band": ngettext_lazy(
        "The deck has %(points)s agenda point; decks of %(first)s to %(last)s cards have %(least)s "
        "or %(most)s.",
        "The deck has %(points)s agenda points; decks of %(first)s to %(last)s cards have "
        "%(least)s or %(most)s.",
        "points",
    ),
    "agenda_points_minimum": ngettext_lazy(
        "The deck has %(points)s agenda point; with its number of cards (%(size)s), it needs "
        "%(minimum)s.",
        "The deck has %(points)s agenda points; with its number of cards (%(size)s), it needs "
        "%(minimum)s.",
        "points",
    ),
    "add_points": gettext_lazy("Add %(fewest)s or %(largest)s agenda points."),
    "add_points_or_shrink": gettext_lazy(
        "Add %(fewest)s or %(largest)s agenda points, or remove cards other than agendas (number: "
        "%(cards)s): decks of %(first)s to %(last)s cards have %(least)s or %(most)s."
    ),
    "swap_points_in": gettext_lazy(
        "Replace other cards with %(fewest)s or %(largest)s agenda points."
    ),
    "swap_points_in_or_shrink": gettext_lazy(
        "Replace other cards with %(fewest)s or %(largest)s agenda points, or remove cards other "
        "than agendas (number: %(cards)s): decks of %(first)s to %(last)s cards have %(least)s or "
        "%(most)s."
    ),
    "swap_points_out_or_grow": gettext_lazy(
        "Replace %(fewest)s or %(largest)s agenda points with other cards, or add cards other than "
        "agendas (number: %(cards)s): decks of %(first)s to %(last)s cards have %(least)s or "
        "%(most)s."
    ),
    "swap_minimum_in": ngettext_lazy(
        "Replace other cards with %(points)s agenda point.",
        "Replace other cards with %(points)s agenda points.",
        "points",
    ),
    "swap_minimum_in_or_shrink": ngettext_lazy(
        "Replace other cards with agenda points (%(points)s more), or remove %(cards)s card other "
        "than agendas.",
        "Replace other cards with agenda points (%(points)s more), or remove %(cards)s cards other "
        "than agendas.",
        "cards",
    ),
    # Influence.
    "influence_rule": gettext_lazy(
        "Comprehensive rules, deck construction: cards outside the identity's faction cost "
        "influence, up to the identity's limit"
    ),
    "influence_rule_of_list": gettext_lazy(
        "Comprehensive rules, deck construction: cards outside the identity's faction cost "
        "influence, up to the identity's limit; %(restriction)s"
    ),
    "influence_spent": gettext_lazy("The deck spends %(spent)s influence; the limit is %(limit)s."),
    "universal_influence": gettext_lazy(
        "%(influence)s of this is universal influence of %(restriction)s."
    ),
    "limit_lowered": gettext_lazy("%(restriction)s lowers the limit by %(influence)s."),
    "limit_lowered_to_one": gettext_lazy(
        "%(restriction)s lowers the limit by %(influence)s, but never below 1."
    ),
    "exchange_cards": gettext_lazy(
        "Replace these with cards that cost no influence: %(title_copies)s."
    ),
    "exchange_cards_and_more": ngettext_lazy(
        "Replace these with cards that cost no influence: %(title_copies)s, and %(more)s more of "
        "the most expensive cards.",
        "Replace these with cards that cost no influence: %(title_copies)s, and %(more)s more of "
        "the most expensive cards.",
        "more",
    ),
    "free_with_faction_cards": gettext_lazy(
        "%(card)s costs no influence in a deck with 6 or more %(faction)s cards other than "
        "alliances; this deck has %(count)s."
    ),
    "free_with_ice": gettext_lazy(
        "%(card)s costs no influence in a deck with 15 or fewer ice; this deck has %(count)s."
    ),
    "free_with_assets": gettext_lazy(
        "%(card)s costs no influence in a deck with 7 or more assets; this deck has %(count)s."
    ),
    "free_with_size": gettext_lazy(
        "%(card)s costs no influence in a deck with 50 or more cards; this deck has %(count)s."
    ),
    "free_with_pad_campaigns": gettext_lazy(
        "%(card)s costs no influence in a deck with exactly 3 copies of PAD Campaign; this deck "
        "has %(count)s."
    ),
    # Card pools.
    "format_rule": gettext_lazy("Format %(format)s"),
    "format_not_begun": gettext_lazy(
        "%(format)s began on %(first_day)s, and the deck was checked for %(day)s."
    ),
    "format_without_pool": gettext_lazy("%(format)s has no card pool for %(day)s."),
    "choose_day_from": gettext_lazy("Choose %(first_day)s or a later day, or another format."),
    "choose_day_or_format": gettext_lazy("Choose another day or another format."),
    "pool_rule": gettext_lazy("Card pool %(pool)s, as of %(day)s"),
    "teaching_rule": gettext_lazy(
        "The teaching decks of System Gateway are only for the System Gateway format; card pool "
        "%(pool)s, as of %(day)s"
    ),
    "box_rule": gettext_lazy(
        "System Gateway: no more copies than in one box; card pool %(pool)s, as of %(day)s"
    ),
    "not_in_pool": gettext_lazy("%(card)s is not in the card pool %(pool)s."),
    "teaching_identity": gettext_lazy(
        "%(card)s is an identity of the teaching decks of System Gateway."
    ),
    "take_out_or_other_format": ngettext_lazy(
        "Remove the card, or choose another format.",
        "Remove all %(copies)s copies, or choose another format.",
        "copies",
    ),
    "choose_identity_of_pool": gettext_lazy(
        "Choose an identity of the card pool, or another format."
    ),
    "too_many_for_the_box": ngettext_lazy(
        "%(copies)s copy of %(card)s; one box has %(limit)s.",
        "%(copies)s copies of %(card)s; one box has %(limit)s.",
        "copies",
    ),
    "take_out_some": ngettext_lazy(
        "Remove %(number)s of them.", "Remove %(number)s of them.", "number"
    ),
    # Ban lists.
    "ban_list_rule": gettext_lazy("%(restriction)s, in force since %(day)s"),
    "conference_list_rule": gettext_lazy("Ban list of the Top Runners' Conference"),
    "big_agendas_rule": gettext_lazy(
        "Startup: at most four agendas worth 3 or more points; %(restriction)s, in force since "
        "%(day)s"
    ),
    "banned_by_list": gettext_lazy("%(card)s is banned by %(restriction)s."),
    "banned_subtype": gettext_lazy(
        '%(card)s has the subtype "%(subtype)s", and all cards of this subtype are banned.'
    ),
    "banned_at_event": ngettext_lazy(
        "%(card)s is banned at this event; the list has %(copies)s copy.",
        "%(card)s is banned at this event; the list has %(copies)s copies.",
        "copies",
    ),
    "choose_other_identity": gettext_lazy("Choose another identity."),
    "restricted": gettext_lazy(
        "The deck has %(number)s restricted cards: %(title_lines)s. Only 1 is allowed, with any "
        "number of copies."
    ),
    "keep_one_title": gettext_lazy("Keep the copies of one of these cards, and remove the others."),
    "points": gettext_lazy(
        "The cards of the deck cost %(points)s points: %(title_points)s. At most %(limit)s are "
        "allowed."
    ),
    "take_out_titles": ngettext_lazy(
        "Remove all copies of cards that together cost at least %(points)s point.",
        "Remove all copies of cards that together cost at least %(points)s points.",
        "points",
    ),
    "big_agendas": gettext_lazy(
        "The deck has %(number)s agendas worth %(worth)s or more points: %(title_copies)s. At most "
        "%(limit)s are allowed."
    ),
    "take_out_big_agendas": ngettext_lazy(
        "Remove %(number)s of them, or replace it with a smaller agenda.",
        "Remove %(number)s of them, or replace them with smaller agendas.",
        "number",
    ),
    # Notices.
    "list_takes_effect": gettext_lazy(
        "%(restriction)s takes effect on %(day)s, before the event on %(event_day)s."
    ),
    "list_takes_effect_on_event_day": gettext_lazy(
        "%(restriction)s takes effect on %(day)s, the day of the event."
    ),
    "no_list_takes_effect": gettext_lazy(
        "From %(day)s, before the event on %(event_day)s, there is no ban list."
    ),
    "no_list_takes_effect_on_event_day": gettext_lazy(
        "From %(day)s, the day of the event, there is no ban list."
    ),
    "pool_takes_effect": gettext_lazy(
        "The card pool %(pool)s takes effect on %(day)s, before the event on %(event_day)s."
    ),
    "pool_takes_effect_on_event_day": gettext_lazy(
        "The card pool %(pool)s takes effect on %(day)s, the day of the event."
    ),
    "will_be_banned": gettext_lazy("%(card)s will be banned."),
    "will_not_be_banned": gettext_lazy("%(card)s will no longer be banned."),
    "will_be_restricted": gettext_lazy("%(card)s will be restricted."),
    "will_not_be_restricted": gettext_lazy("%(card)s will no longer be restricted."),
    "will_be_in_pool": gettext_lazy("%(card)s will be in the card pool."),
    "will_not_be_in_pool": gettext_lazy("%(card)s will no longer be in the card pool."),
    "will_cost_points": ngettext_lazy(
        "%(card)s will cost %(after)s point instead of %(before)s.",
        "%(card)s will cost %(after)s points instead of %(before)s.",
        "after",
    ),
    "will_cost_influence": gettext_lazy(
        "Each copy of %(card)s will cost %(after)s more influence instead of %(before)s."
    ),
    "will_lower_limit": gettext_lazy(
        "Each copy of %(card)s will lower the influence limit by %(after)s instead of %(before)s."
    ),
    "will_be_illegal": gettext_lazy(
        "Under the lists of %(format)s, this deck is legal today, %(today)s, but illegal on "
        "%(day)s."
    ),
    "will_be_legal": gettext_lazy(
        "Under the lists of %(format)s, this deck is illegal today, %(today)s, but legal on "
        "%(day)s."
    ),
    "card_data_outdated": gettext_lazy(
        "The card data of this site is from %(as_of)s, which is before %(day)s. Newer cards and "
        "ban lists are missing."
    ),
    "newest_list": gettext_lazy(
        "The newest ban list known is %(restriction)s, in force since %(day)s."
    ),
    "no_list_known": gettext_lazy("No ban list of this format is known."),
    # Days and lists of a legal deck.
    "legal_from": gettext_lazy("Legal since %(first_day)s; no announced list changes that."),
    "legal_until": gettext_lazy("Legal from %(first_day)s until %(day)s."),
    "pool_in_force": gettext_lazy("card pool %(pool)s"),
    "list_in_force": "%(restriction)s",
}

_DAYS = frozenset({"as_of", "day", "event_day", "first_day", "today"})
# Figures that may have thousands.
_LARGE = frozenset({"bytes", "characters", "limit"})


def sentence(text: CheckText) -> str:
    values = {key: _shown_value(key, value) for key, value in text.params.items()}
    shown: str = SENTENCES[text.code] % values
    return shown


def sentences(texts: Iterable[CheckText]) -> str:
    return " ".join(map(sentence, texts))


def phrases(texts: Iterable[CheckText]) -> str:
    return ", ".join(map(sentence, texts))


def closed_sentence(text: CheckText) -> str:
    """Return the sentence with a full stop, which uncoded texts may lack."""
    return with_full_stop(sentence(text))


def _title_line(row: tuple[str, int | None]) -> str:
    title, line = row
    return _("%(title)s (line %(line)s)") % {"title": title, "line": line} if line else title


_ROWS: Mapping[str, Callable[[Any], str]] = {
    "names": lambda name: name or _("a deck without a name"),
    "title_copies": lambda row: f"{row[1]}× {row[0]}",
    "title_lines": _title_line,
    "title_points": lambda row: f"{row[0]} ({row[1]})",
    "titles": str,
}


def _shown_value(key: str, value: Any) -> Any:
    """Return a value as shown. Counts stay numbers, which select the plural form."""
    if key in _DAYS:
        return date_format(datetime.date.fromisoformat(value), "LONG_DATE_FORMAT")
    if key in _ROWS:
        return ", ".join(map(_ROWS[key], value))
    if key in _LARGE and value >= 1000:
        return number_format(value, force_grouping=True)
    if key in ("side", "deck_side"):
        return Side(value).label
    if key == "cards" and isinstance(value, list):
        first, last = value
        return f"{first}–{last}" if first != last else str(first)
    return value


# Status of a card in a format.


def card_status_text(status: CardStatus) -> str:
    """Return a status such as "Legal, costs 3 points"."""
    states = {"outside": _("Not in the card pool"), "banned": _("Banned")}
    notes = [_status_note(code, figure) for code, figure in status.notes]
    return ", ".join([states.get(status.status) or _("Legal"), *notes])


def _status_note(code: str, figure: int | None) -> str:
    if figure is None:
        return _("restricted to one card of the list")
    if code == "points":
        return ngettext("costs %(points)s point", "costs %(points)s points", figure) % {
            "points": figure
        }
    if code == "universal_influence":
        return _("each copy costs %(influence)s more influence") % {"influence": figure}
    return _("each copy lowers the influence limit by %(influence)s") % {"influence": figure}
