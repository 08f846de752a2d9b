"""``{% live_words %}``: the live view's words as data of the page, which a strict Content-Security-Policy allows."""

from django import template
from django.utils.html import json_script

from streaming import words

register = template.Library()


@register.simple_tag
def live_words():
    return json_script(words.catalogue(), "live-words")
