"""The whole paper as Markdown, and each page as plain text in reading order."""

import re

from .captions import table_cells
from .paper import Paper


def paragraphs(paper: Paper, lines) -> list[str]:
    """Lines to paragraphs: a new one at a gap, an indent after a full stop, a change of size or of part."""
    groups: list[list] = []
    for line in lines:
        last = groups[-1][-1] if groups else None
        if last is None or _breaks(last, line):
            groups.append([line])
        else:
            groups[-1].append(line)
    return [t for t in (paper.text_of(g) for g in groups) if t]


def _breaks(last, line) -> bool:
    ended = bool(re.search(r"[.:!?)\]”\"]\s*$", last.text))
    if line.page != last.page or line.region != last.region:
        return ended and (line.text[:1].isupper() or line.x0 - line.column[0] > 0.6 * line.size)
    if abs(line.size - last.size) > 0.1 * last.size or line.y0 - last.y1 > 0.75 * line.size:
        return True
    short = last.x1 < last.column[1] - 0.12 * (last.column[1] - last.column[0])
    return ended and (line.x0 - last.x0 > 0.6 * line.size or short)


def page_text(paper: Paper, number: int) -> str:
    """The text of a page (from 1) in reading order, without running heads and page numbers."""
    lines = [k for k in paper.pages[number - 1] if k.role not in ("head", "foot")]
    return "\n".join(paragraphs(paper, lines))


def whole(paper: Paper) -> str:
    """Title, authors, abstract, sections, tables, captions and references as Markdown."""
    out = []
    if paper.front.title:
        out.append(f"# {paper.front.title}")
    if paper.authors:
        out.append(", ".join(f"{p['given']} {p['family']}".strip() for p in paper.authors))
    if paper.abstract:
        out.append(f"## Abstract\n\n{paper.abstract}")
    if paper.keywords:
        out.append(f"**Keywords:** {'; '.join(paper.keywords)}")
    out += _body(paper)
    return "\n\n".join(out).strip() + "\n"


def _body(paper):
    starts = {h.start: h for h in paper.headings}
    captions = {id(c["lines"][0]): c for c in paper.captions}
    drop = {id(k) for k in paper.front.title_lines + paper.author_lines}
    first = min((h.start for h in paper.headings if h.part == "introduction"), default=0)
    out, buffer, i = [], [], 0

    def flush():
        if buffer:
            out.extend(paragraphs(paper, buffer))
            buffer.clear()

    while i < len(paper.flow):
        line, heading = paper.flow[i], starts.get(i)
        if heading:
            flush()
            out.append(f"{'#' * min(heading.level + 1, 6)} {heading.title}")
            if heading.part == "references" and paper.references:
                out.append("\n".join(f"{n}. {r['text']}" for n, r in enumerate(paper.references, 1)))
            if not heading.run_in:
                i = heading.end
                continue
        if id(line) in captions:
            flush()
            out.append(_caption(paper, captions[id(line)]))
        front = i < first and line.page == paper.front.page + 1
        if not line.role and id(line) not in drop and not front:
            buffer.append(line)
        i += 1
    flush()
    return out


def _caption(paper, entry):
    text = f"*{paper.text_of(entry['lines'])}*"
    rows = table_cells(entry["rows"]) if entry["rows"] else []
    if not rows:
        return text
    width = max(len(r) for r in rows)
    cells = [[c.replace("|", "\\|") for c in r] + [""] * (width - len(r)) for r in rows]
    lines = ["| " + " | ".join(r) + " |" for r in cells]
    return "\n".join([text, "", lines[0], "|" + " --- |" * width, *lines[1:]])
