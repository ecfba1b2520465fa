"""News of an event outside the site: a channel, mail, phones. Only what everybody may read.

Call as `announcements.name()`.
"""

from tournaments.announcements.channel import CHANNELS, tell_channel
from tournaments.announcements.mail import can_mail, mail_tables
from tournaments.announcements.phones import PHONES, tell_phones
from tournaments.announcements.texts import pairings_texts, standings_texts

__all__ = [
    "CHANNELS",
    "PHONES",
    "can_mail",
    "mail_tables",
    "pairings_texts",
    "standings_texts",
    "tell_channel",
    "tell_phones",
]
