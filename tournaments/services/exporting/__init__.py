"""Every file an event can be had as: what it is, who may have it, how it is made."""

from tournaments.services.exporting.catalogue import FORMATS, formats_for
from tournaments.services.exporting.files import Asked, Format, NothingToExport, made
from tournaments.services.exporting.makers import pieces_of
