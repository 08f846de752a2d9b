"""One paper from its words to its record: the order in which the parts are found, and nothing else."""

import re
from collections import Counter

from . import authors as people
from .abstract import find_abstract, find_keywords
from .affiliations import AFFILIATION, attach_affiliations
from .bylines import Byline, find_byline, part_side_notes, signature
from .captions import mark_captions
from .columns import reading_order
from .document import Document
from .frontmatter import Front, front_page, is_label
from .identifiers import find_dois, find_pmid, find_volume, join_broken, repeated_doi, vote_doi, vote_year
from .journal import Scene, find_journal, mastheads
from .line_numbers import without_line_numbers
from .lines import Line, fragments
from .metadata import Claims, claims, of_another_paper
from .names import part_of
from .reference_list import find_reference_list, opens_with_references
from .references import parse_reference
from .running import body_size, mark_notes, mark_running
from .sections import Heading, find_headings
from .text import Spelling, squash
from .title import find_title


class Paper:
    """Lines of all pages in reading order with their roles, and what was found in them."""

    def __init__(self, document: Document):
        self.document = document
        self.pages: list[list[Line]] = [
            reading_order(fragments(without_line_numbers(p.words, p.wide), p.number)) for p in document.pages
        ]
        heights = [p.tall for p in document.pages]
        mark_running(self.pages, heights)
        self.body = body_size(self.pages)
        mark_notes(self.pages, heights, self.body)
        self.spelling = Spelling([k for lines in self.pages for k in lines])
        self.body_font, self.body_bold = self._body_face()
        self.claims: Claims = claims(document.info, document.xmp)
        self.captions: list[dict] = []
        for lines in self.pages:
            self.captions += mark_captions(lines, self.body, self.body_font)
        self.front = self._front()
        self.flow: list[Line] = [k for lines in self.pages for k in lines if k.role not in ("head", "foot")]
        self.headings: list[Heading] = find_headings(self.flow, self.body, self.body_bold)
        self._bibliography()
        if opens_with_references(self.flow, self.front):
            self._know_nothing()
        self._abstract()
        self._references()
        self._sections()

    def _body_face(self):
        faces: Counter = Counter()
        for lines in self.pages:
            for k in lines:
                if not k.role and abs(k.size - self.body) < 0.04 * self.body:
                    faces[k.font, k.bold] += len(k.text)
        return faces.most_common(1)[0][0] if faces else (-1, False)

    def _front(self) -> Front:
        index = front_page(self.pages)
        lines = self.pages[index] = part_side_notes(self.pages[index])
        text, title_lines, confidence = find_title(
            lines,
            self.document.pages[index].tall,
            self.claims.titles,
            self.spelling,
            self.body,
            mastheads(self.pages, index),
        )
        return Front(index, lines, text, title_lines, confidence)

    def text_of(self, lines) -> str:
        return self.spelling.text(list(lines))

    def _bibliography(self):
        front = self.front
        self.front_text = join_broken(self.text_of(front.lines))
        cover = [self.text_of(self.pages[i]) for i in range(front.page)]
        edges_by_page = [self.text_of(k for k in lines if k.role in ("head", "foot")) for lines in self.pages]
        self.edges = " \n ".join(dict.fromkeys(e for e in edges_by_page if e))
        height = self.document.pages[front.page].tall
        brim = " \n ".join(k.text for k in front.lines if k.y1 < 0.16 * height or k.y0 > 0.9 * height or k.role)
        self.brim = brim
        self.citation = people.own_citation(self.front_text)
        citation_doi = " ".join(d for d, _ in find_dois(join_broken(self.citation))[:1])
        sources = []
        if of_another_paper(self.claims.titles, front.title):  # then nothing of the file's metadata is believed
            self.claims.journals.clear()
        else:
            sources = [(t, 2.0, "metadata") for t in dict.fromkeys(self.claims.doi_texts)]
        sources += [
            (self.claims.subject, 2.0, "metadata"),
            (self._own_edges(edges_by_page), 2.0, "edge"),
            (brim, 2.0, "edge"),
            (citation_doi, 2.0, "citation"),
            (self._before_text(), 1.0, "front"),
        ]
        sources += [(t, 1.0, "edge") for t in cover] + [(self._closing_citation(), 2.0, "citation")]
        self.doi, self.doi_votes = vote_doi(sources)
        self.doi = self.doi or repeated_doi(edges_by_page)
        self.pmid, self.pmcid = find_pmid(self.front_text + " " + " ".join(cover))
        self.year, self.year_votes = vote_year(
            self.front_text,
            self.edges,
            self.claims.subject,
            self.claims.created,
            self.doi,
            self.citation,
            brim,
            self._dated(),
        )
        places = (self.edges, self.citation, brim, self.front_text[:3000], self.claims.subject)
        self.numbers = max((find_volume(t) for t in places), key=len)
        self._authors()
        self.journal, self.journal_confidence = find_journal(self._scene())

    def _authors(self):
        byline = find_byline(self.front.lines, self.front.title_lines)
        if not byline.units and self.front.title and len(self.pages) <= 4:
            signed = signature(self.flow, self.headings)
            byline = Byline([people.marked_text(k.words) for k in signed], signed, byline.after)
        self.author_lines, self.after_authors = byline.lines, byline.after
        self.authors, dropped = people.parse_authors(byline.units, people.cited_names(self.citation), self._evidence())
        doubts = byline.doubts | ({"pieces_dropped"} if dropped else set())
        self.authors_confidence = people.confidence(self.authors, doubts, byline.after)

    def _know_nothing(self) -> None:
        """A list of references without its paper: what stands on its first page belongs to the papers in the list."""
        self.doi, self.pmid, self.pmcid, self.year, self.journal = None, None, None, None, None
        self.doi_votes, self.year_votes, self.numbers, self.authors = Counter(), Counter(), {}, []
        self.front.title, self.front.title_lines = "", []
        self.author_lines, self.after_authors = [], []

    def _dated(self) -> str:
        """Short lines around the title in which a date may stand; all of them where the page is a cover."""
        front = self.front
        cover = sum(len(k.text) for k in front.lines) < 900 and len(self.pages) > 2
        below = max((k.y1 for k in front.title_lines), default=0.0)
        stop = min((k.y0 for k in front.lines if part_of(k.text[:30]) in ("abstract", "introduction")), default=0.0)
        near = [k for k in front.lines if cover or k.y0 < below or k.y0 < stop]
        title = {id(k) for k in front.title_lines}
        short = [k for k in near if len(k.text) < (90 if cover else 60) and id(k) not in title]
        plain = [k.text for k in short if not re.search(r"\breceived|submitted|revised|access|recebido", k.text, re.I)]
        return " \n ".join(plain) if cover or front.title_lines else ""

    def _own_edges(self, edges_by_page: list[str]) -> str:
        """Running lines of the front page, and of others what two pages say: a lone one may be a cut reference."""
        pages = [{d for d, _ in find_dois(join_broken(e))} for e in edges_by_page]
        twice = {d for n, dois in enumerate(pages) for d in dois if any(d in other for other in pages[n + 1 :])}
        front = [edges_by_page[self.front.page]] if edges_by_page else []
        few = edges_by_page if len(edges_by_page) <= 2 else []
        return " \n ".join([*front, *few, *sorted(twice)])

    def _evidence(self) -> str:
        """Running heads, what stands below the names, and all text from the last heading called "References" on."""
        start = next((h.end for h in reversed(self.headings) if h.part == "references"), len(self.flow))
        below = self.text_of(self.after_authors[:25])
        return " \n ".join((self.edges, self.brim, below, self.text_of(self.flow[start : start + 600])))

    def _closing_citation(self) -> str:
        """DOI lines beside "Cite this article as" on the last page, if it is this paper's title that is cited."""
        text = join_broken(self.text_of(self.pages[-1]))
        at = re.search(r"\bcite this article as\b", text, re.I)
        if not at:
            return ""
        before = re.search(r"10\.\d{4,9}/\S+\s*$", text[: at.start()])
        cited = text[at.start() : at.end() + 500]
        key = squash(self.front.title)[:40]
        return f"{before[0] if before else ''} {cited}" if len(key) > 15 and key in squash(cited) else ""

    def _before_text(self) -> str:
        """The front page without the text of its sections and references."""
        stop = min(
            (
                h.start
                for h in self.headings
                if h.part in ("introduction", "references") and h.page == self.front.page + 1
            ),
            default=None,
        )
        chosen = self.front.lines
        if stop is not None:
            first = self.flow[stop]
            chosen = [
                k
                for k in self.front.lines
                if not (abs(k.size - self.body) < 0.02 * self.body and k.font == self.body_font and k.y0 > first.y0)
            ]
        return self.text_of(chosen)

    def _scene(self) -> Scene:
        running: Counter = Counter()
        for lines in self.pages:
            for k in lines:
                if k.role in ("head", "foot"):
                    for cell in k.cells or [k]:
                        running.update(re.split(r"(?<!\s)\s*+\|\s*", cell.text))
        front = self.front
        return Scene(
            claims=self.claims,
            lines=front.lines,
            height=self.document.pages[front.page].tall,
            title=front.title,
            title_lines=front.title_lines,
            authors=[p["printed"] for p in self.authors],
            running=running,
            citation=self.citation,
            text=self.front_text,
            brim=f"{self.brim} \n {self.edges}",
        )

    def _abstract(self):
        front = self.front
        following = self.pages[front.page + 1] if front.page + 1 < len(self.pages) else []
        self.abstract, self.abstract_lines = find_abstract(front.lines, self.after_authors, following, self.spelling)
        self.keywords, self.keyword_lines = find_keywords(front.lines, self.spelling)
        if not self.abstract and front.title and front.page + 1 < len(self.pages):
            self.abstract, self.abstract_lines = find_abstract(
                following, [], [], self.spelling
            )  # under its heading only
        for k in self.abstract_lines + self.keyword_lines:
            k.role = k.role or "abstract"
        stop = next(
            (
                i
                for i, k in enumerate(self.after_authors)
                if k.role == "abstract" or re.match(r"\W*abstract\b", k.text, re.I)
            ),
            len(self.after_authors),
        )
        self.address_lines = self.after_authors[:stop] if self.abstract_lines else []
        block = self.after_authors[:stop] + [k for k in front.lines if k.role == "note"]
        attach_affiliations(self.authors, (block or self.after_authors[:12]) + self._author_details())

    def _author_details(self) -> list[Line]:
        """Addresses some houses print at the end, under a heading of their own."""
        for n, h in enumerate(self.headings):
            if re.fullmatch(r"(author|authors[’']) (details|information|affiliations)|affiliations", h.title, re.I):
                stop = self.headings[n + 1].start if n + 1 < len(self.headings) else len(self.flow)
                return self.flow[h.end : min(stop, h.end + 30)]
        return []

    def _references(self):
        found = find_reference_list(self.flow, self.headings, self.spelling)
        self.headings, self.reference_lines = found.headings, found.lines
        self.references = [parse_reference(entry) for entry in found.entries]
        for k in found.lines:
            k.role = "reference"

    def _sections(self):
        """Drops what only looks like a heading: parts of the front matter, labels, what stands after the list."""
        drop = {id(k) for k in self.front.title_lines + self.author_lines}
        first = self.front.page + 1
        below = self.front.title_lines[-1].y1 if self.front.title_lines else 0.0
        last = next((h.start for h in reversed(self.headings) if h.part == "references"), len(self.flow))
        opening = next(
            (
                h.start
                for h in self.headings
                if h.page == first
                and h.part == "introduction"
                and not h.run_in
                and self.flow[h.start].role != "abstract"
            ),
            0,
        )
        ids = {id(k) for k in self.abstract_lines if k.page == first}
        before_abstract = max((i for i, k in enumerate(self.flow) if id(k) in ids), default=0)
        kept = []
        for h in self.headings:
            line = self.flow[h.start]
            if (
                h.page < first
                or line.role in ("abstract", "caption", "table", "note")
                or id(line) in drop
                or h.part in ("abstract", "keywords")
            ):
                continue
            if before_abstract and h.page == first and not h.part and h.start < before_abstract:
                continue  # a title in another language, a box of key points
            if (
                is_label(h.title)
                and not h.part
                or squash(h.title) == squash(self.front.title)
                or h.start > last
                and not h.part
            ):
                continue
            if h.page == first and not h.part and (line.y0 < below or h.start < opening or AFFILIATION.search(h.title)):
                continue
            kept.append(h)
        self.headings = kept
