"""Charts as inline SVG with presentation attributes only: no script and no style, which the strict CSP would refuse.

Horizontal positions are percentages, so a chart fits a phone and a sheet of paper while its letters keep the size of
the text around it. Colours come from ``currentColor`` and the classes of report.css. Each bar has its number as a
title, and the page has a table of them too.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

HEIGHT, TOP, FOOT = 190, 18, 24  # pixels: the chart, room above for numbers, below for labels
FEW_LABELS = 7  # of four figures each fit side by side on a phone
FEW_NUMBERS = 14


def columns(bars: Sequence[tuple[str, int]], label: str) -> SafeString:
    """Upright bars of (label, number) from left to right. Labels are left out where they would overlap."""
    most = max((number for _name, number in bars), default=0) or 1
    width = 100 / max(1, len(bars))
    ground = HEIGHT - FOOT
    step = -(-len(bars) // FEW_LABELS)
    drawn = []
    for place, (name, number) in enumerate(bars):
        height = round((ground - TOP) * number / most, 1)
        middle = _percent(width * (place + 0.5))
        drawn.append(
            format_html(
                "<g><title>{}: {}</title>"
                '<rect class="bar-fill" x="{}" y="{}" width="{}" height="{}" rx="2"></rect></g>',
                name,
                number,
                _percent(width * place + width * 0.12),
                ground - height,
                _percent(width * 0.76),
                height,
            )
        )
        if number and len(bars) <= FEW_NUMBERS:
            drawn.append(_text(middle, ground - height - 5, number))
        if place % step == 0:
            drawn.append(_text(middle, HEIGHT - 6, name))
    line = format_html('<line class="bar-ground" x1="0" x2="100%" y1="{0}" y2="{0}"></line>', ground)
    return format_html(
        '<svg class="columns" role="img" aria-label="{}" width="100%" height="{}" font-size="12">{}{}</svg>',
        label,
        HEIGHT,
        format_html_join("", "{}", ((one,) for one in drawn)),
        line,
    )


def bar(share: float, proven: float = 0.0) -> SafeString:
    """A horizontal bar in a row of a table: ``share`` of the width, ``proven`` in full colour (both 0 to 1). The number
    stands beside it, so screen readers skip it."""
    share, proven = (max(0.0, min(1.0, value)) for value in (share, proven))
    return format_html(
        '<svg class="level" aria-hidden="true" width="100%" height="12"><rect class="bar-track" width="100%" '
        'height="12" rx="3"></rect><rect class="bar-part" width="{}" height="12" rx="3"></rect><rect class="bar-fill" '
        'width="{}" height="12" rx="3"></rect></svg>',
        _percent(100 * share),
        _percent(100 * proven),
    )


def _text(x: str, y: float, words: object) -> SafeString:
    return format_html('<text x="{}" y="{}" text-anchor="middle" fill="currentColor">{}</text>', x, round(y, 1), words)


def _percent(value: float) -> str:
    return f"{value:.2f}%"
