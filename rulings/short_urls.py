"""Short URLs of rulings below /r/, for QR codes and typing."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from rulings import views
from rulings.models import SHORT_CODE_PATTERN


class ShortCodeConverter(StringConverter):
    regex = f"(?i:{SHORT_CODE_PATTERN.strip('^$')})"


register_converter(ShortCodeConverter, "ruling_short_code")

urlpatterns = [
    path("<ruling_short_code:short>/", views.short_url, name="ruling_short"),
    path("<ruling_short_code:short>/<int:number>/", views.short_url, name="ruling_short_version"),
]
