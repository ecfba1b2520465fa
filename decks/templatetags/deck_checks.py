"""Sentences for the texts of deck checks."""

from django import template

from decks import check_sentences

register = template.Library()
register.filter("sentence", check_sentences.sentence)
register.filter("sentences", check_sentences.sentences)
register.filter("phrases", check_sentences.phrases)
register.filter("card_status_text", check_sentences.card_status_text)
