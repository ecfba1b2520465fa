"""A piece of a template kept under a name, to stand in two places of a page."""

from django import template

register = template.Library()


@register.simple_block_tag
def capture(content: str) -> str:
    """`{% capture as words %}...{% endcapture %}` keeps what stands in it for `{{ words }}`."""
    return content
