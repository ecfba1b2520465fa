"""What is said about a document that cannot be read."""

from core.errors import Refusal


class DocumentRefused(Refusal):
    """A document is wrong at `path`, a JSON path such as `$.rounds[0][1].seats[0].id`."""

    code = "document_refused"

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message, path=path)
        self.path = path
