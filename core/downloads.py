"""Files to be kept, not shown."""

from django.http import HttpResponse
from django.utils.http import content_disposition_header


def attached(data: bytes, name: str, media_type: str) -> HttpResponse:
    """The file under its name; no browser opens it as a page."""
    disposition = content_disposition_header(as_attachment=True, filename=name)
    headers = {
        "Content-Disposition": disposition or "attachment",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(data, content_type=media_type, headers=headers)
