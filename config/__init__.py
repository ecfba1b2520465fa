"""Project configuration: settings, URLs, Celery, WSGI and live streams."""
