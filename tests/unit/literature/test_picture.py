"""Pictures of pages: drawn in a child process, bounded, with the box where it was asked for."""

import io

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from tasks.kinds.literature.web.picture import LONGEST_SIDE, draw, picture


def pdf(path, width=400, height=600):
    canvas = Canvas(str(path), pagesize=(width, height))
    canvas.drawString(50, height - 50, "words")
    canvas.save()
    return str(path)


def test_a_page_is_drawn_and_the_box_is_marked_where_it_belongs(tmp_path):
    path = pdf(tmp_path / "a.pdf")
    plain = Image.open(io.BytesIO(draw(path, 1))).convert("RGB")
    marked = Image.open(io.BytesIO(draw(path, 1, [100, 300, 200, 400]))).convert("RGB")
    scale = plain.width / 400
    red, green, _blue = marked.getpixel((int(150 * scale), int(300 * scale) - 2))
    assert red > 150 and green < 100
    assert plain.getpixel((int(150 * scale), int(300 * scale) - 2)) == (255, 255, 255)


def test_a_huge_page_becomes_a_small_picture(tmp_path):
    image = Image.open(io.BytesIO(draw(pdf(tmp_path / "a.pdf", 14_000, 10_000), 1)))
    assert max(image.size) <= LONGEST_SIDE


async def test_a_page_that_does_not_exist_is_an_index_error_across_the_process_border(tmp_path):
    with pytest.raises(IndexError):
        await picture(pdf(tmp_path / "a.pdf"), 2, None, timeout_s=20, memory_mib=1024)
