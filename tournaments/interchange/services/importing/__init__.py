"""Events made of files: read, looked at, and stored in one transaction."""

from tournaments.interchange.services.importing.files import Imported, earlier_imports, import_file
from tournaments.interchange.services.importing.reading import MOST_BYTES
