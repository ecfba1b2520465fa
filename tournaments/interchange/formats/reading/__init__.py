"""Reading: a tournament file of any dialect in, records out, or the place where it is broken."""

from tournaments.interchange.formats.reading.files import MOST_BYTES, read
