from django import template

register = template.Library()


@register.simple_block_tag
def capture(content: str) -> str:
    """Store the content of `{% capture as words %}...{% endcapture %}` for `{{ words }}`."""
    return content
