"""Events made of files: read, looked at, and stored in one transaction."""

from tournaments.services.importing.files import (
    Imported,
    earlier_imports,
    import_file,
)
from tournaments.services.importing.reading import MOST_BYTES
