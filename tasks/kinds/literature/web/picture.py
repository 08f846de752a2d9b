"""Draws one page of a paper, with the place of a value marked, in a process that may be killed.

``draw`` runs in the killable child: no Django here at import, and none of the web process's memory is at risk.
"""

from __future__ import annotations

import io

LONGEST_SIDE = 1600  # pixels; also the bound on memory for a page that is huge when drawn


def draw(path: str, number: int, box: list[float] | None = None, longest: int = LONGEST_SIDE) -> bytes:
    """PNG of page ``number`` (from 1). ``box``: [x0, y0, x1, y1] in points from the top left. IndexError if no page."""
    import pypdfium2
    from PIL import ImageDraw

    pdf = pypdfium2.PdfDocument(path)
    try:
        if not 1 <= number <= len(pdf):
            raise IndexError(f"page {number} of {len(pdf)}")
        page = pdf[number - 1]
        width, height = page.get_size()
        scale = longest / max(width, height, 1)
        image = page.render(scale=min(scale, 4)).to_pil().convert("RGB")
    finally:
        pdf.close()
    if box:
        factor = image.width / width
        x0, y0, x1, y1 = (value * factor for value in box)
        ImageDraw.Draw(image).rectangle((x0 - 3, y0 - 3, x1 + 3, y1 + 3), outline=(200, 30, 30), width=3)
    out = io.BytesIO()
    image.quantize(64).save(out, "PNG")
    return out.getvalue()


async def picture(path: str, number: int, box: list[float] | None, *, timeout_s: float, memory_mib: int) -> bytes:
    """``draw`` in a child of its own. Raises IndexError (no such page) and IsolateError (it can't be drawn)."""
    from tasks.sandbox.isolate import Isolate

    async with Isolate(size=1, memory_mib=memory_mib, modules=("tasks.kinds.literature.web.picture",)) as child:
        return await child.call("tasks.kinds.literature.web.picture:draw", path, number, box, timeout_s=timeout_s)
