"""Wires the apps together: settings, addresses, Celery, WSGI."""
