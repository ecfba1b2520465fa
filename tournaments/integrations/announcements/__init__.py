"""News of an event outside the site: a channel, mail, phones. Only what everybody may read.

Call as `announcements.name()`.
"""

from tournaments.integrations.announcements.channel import CHANNELS, tell_channel
from tournaments.integrations.announcements.mail import can_mail, mail_tables
from tournaments.integrations.announcements.phones import PHONES, tell_phones
from tournaments.integrations.announcements.programs import PROGRAMS, switch_off, tell_program
from tournaments.interchange.services.abr_upload import (
    NothingToUpload,
    results_document,
    upload_results,
)
from tournaments.results.pages.chat_texts import pairings_texts, standings_texts
