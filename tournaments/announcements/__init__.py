"""News of an event outside the site: a channel, mail, phones. Only what everybody may read.

Call as `announcements.name()`.
"""

from tournaments.announcements.channel import CHANNELS, tell_channel
from tournaments.announcements.mail import can_mail, mail_tables
from tournaments.announcements.phones import PHONES, tell_phones
from tournaments.announcements.programs import PROGRAMS, switch_off, tell_program
from tournaments.announcements.texts import pairings_texts, standings_texts
from tournaments.announcements.uploads import NothingToUpload, results_document, upload_results
