"""Responses with files to download."""

import io

import segno
from django.http import HttpResponse
from django.utils.http import content_disposition_header


def attached(data: bytes, name: str, media_type: str) -> HttpResponse:
    """Return the file as an attachment, so that no browser opens it as a page."""
    disposition = content_disposition_header(as_attachment=True, filename=name)
    headers = {
        "Content-Disposition": disposition or "attachment",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(data, content_type=media_type, headers=headers)


def qr_picture(code: segno.QRCode, title: str) -> HttpResponse:
    """Return a QR code as an SVG picture, dark on light in every theme."""
    image = io.BytesIO()
    code.save(image, kind="svg", border=4, scale=8, dark="#10202b", light="#fff", title=title)
    response = HttpResponse(image.getvalue(), content_type="image/svg+xml")
    response["Cache-Control"] = "private, max-age=3600"
    return response
