from django.dispatch import Signal

# Sent after the commit of an import that changed something.
cards_imported = Signal()
