"""The guide: chapters in Markdown, rendered once at the start, and a search through their sections.

Beside the chapters of ``guide/*.md`` it shows what the rules say of themselves: the notation of dice, and
each game's edition, licence and rulings.
"""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from services.shared.settings import table

CHAPTERS = Path(__file__).parent / "guide"
PICTURES = CHAPTERS / "pictures"
RULES = Path(__file__).resolve().parents[2] / "rules"
PLACE = "<!-- settings -->"
MOST_FOUND = 30

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_MARKDOWN.add_render_rule("fence", lambda _renderer, tokens, at, _options, _env: block(tokens[at].content))
_MARKDOWN.add_render_rule(
    "code_block", lambda _renderer, tokens, at, _options, _env: block(tokens[at].content)
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a chapter under one heading.

    Attributes:
        title: the heading's text.
        anchor: the heading's id within the page; empty for what stands before the first.
        text: what is searched: its words without marks, in lower case.
        start: its first words, as they stand.
    """

    title: str
    anchor: str
    text: str
    start: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """One page of the guide.

    Attributes:
        slug: the last part of its address.
        title: of the page.
        body: as HTML.
        sections: in order.
    """

    slug: str
    title: str
    body: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A section that a search found."""

    chapter: Chapter
    section: Section


def read(address: str, folder: Path = CHAPTERS, rules: Path = RULES) -> dict[str, Chapter]:
    """Read and render all chapters, by slug, in the order in which they are to be read.

    Args:
        address: of the product, which the examples name.
        folder: of the chapters.
        rules: the package whose README files are shown too.
    """
    pages = {path.stem.partition("-")[2]: path for path in sorted(folder.glob("*.md"))}
    pages["notation"] = rules / "dice" / "README.md"
    pages |= {path.parent.name: path for path in sorted((rules / "systems").glob("*/README.md"))}
    return {slug: _chapter(slug, path.read_text("utf-8"), address) for slug, path in pages.items()}


def search(chapters: Mapping[str, Chapter], wanted: str) -> list[Found]:
    """Find the sections that hold every word, those that name them in their heading first.

    Args:
        chapters: all of them, in order.
        wanted: words, or beginnings or middles of words, apart by spaces.
    """
    words = wanted.lower().split()
    if not words:
        return []
    hits: list[tuple[int, Found]] = []
    for chapter in chapters.values():
        for section in chapter.sections:
            title = f"{chapter.title} {section.title}".lower()
            if all(word in section.text or word in title for word in words):
                named = sum(word in title for word in words)
                hits.append((named, Found(chapter, section)))
    hits.sort(key=lambda hit: -hit[0])
    return [found for _, found in hits[:MOST_FOUND]]


def block(code: str) -> str:
    """Write code as HTML, with a button that copies it; the button shows itself where scripts run."""
    button = '<button type="button" class="copy" hidden>Copy</button>'
    return f'<div class="block">{button}<pre tabindex="0"><code>{html.escape(code)}</code></pre></div>\n'


def turning(chapters: Mapping[str, Chapter], slug: str | None) -> str:
    """Write the links to the pages before and after one, as HTML; the last leads back to the contents.

    Args:
        chapters: all of them, in order.
        slug: the chapter's; None = the contents, which come first.
    """
    pages = [("/guide", "All chapters"), *((f"/guide/{one.slug}", one.title) for one in chapters.values())]
    at = 0 if slug is None else [*chapters].index(slug) + 1
    before = pages[at - 1] if at else None
    links = [("prev", before, "Before"), ("next", pages[(at + 1) % len(pages)], "Next")]
    shown = "".join(
        f'<a rel="{rel}" href="{target[0]}">{word}: {html.escape(target[1])}</a>'
        for rel, target, word in links
        if target is not None
    )
    return f'<nav class="turning" aria-label="Pages">{shown}</nav>'


def page(chapters: Mapping[str, Chapter], title: str, body: str, wanted: str = "") -> str:
    """Write a page: a form to search, the body, the list of chapters.

    Args:
        chapters: all of them, in order.
        title: of the page.
        body: as HTML.
        wanted: what was searched for.
    """
    links = "".join(
        f'<li><a href="/guide/{one.slug}">{html.escape(one.title)}</a></li>' for one in chapters.values()
    )
    return _FRAME.format(
        title=html.escape(title), links=links, body=body, wanted=html.escape(wanted, quote=True)
    )


def contents(chapters: Mapping[str, Chapter]) -> str:
    """Write the list of chapters with what each is about, as HTML."""
    items = "".join(
        f'<li><a href="/guide/{one.slug}">{html.escape(one.title)}</a>: '
        f"{html.escape(', '.join(section.title for section in one.sections[1:]))}</li>"
        for one in chapters.values()
    )
    return f"<h1>The guide</h1><ul>{items}</ul>"


def results(found: Sequence[Found], wanted: str) -> str:
    """Write what a search found as HTML."""
    shown = html.escape(wanted)
    if not found:
        return f"<h1>Nothing about “{shown}”</h1><p>Try fewer words, or the beginning of one.</p>"
    items = "".join(
        f'<li><a href="/guide/{one.chapter.slug}{_at(one.section)}">{html.escape(_named(one))}</a>'
        f"<p>{html.escape(one.section.start)}</p></li>"
        for one in found
    )
    return f'<h1>“{shown}”</h1><ul class="found">{items}</ul>'


def _at(section: Section) -> str:
    return f"#{section.anchor}" if section.anchor else ""


def _named(found: Found) -> str:
    title, section = found.chapter.title, found.section.title
    return title if section in ("", title) else f"{title}: {section}"


def _chapter(slug: str, text: str, address: str) -> Chapter:
    text = text.replace(PLACE, table()).replace("http://127.0.0.1:4000", address)
    tokens = _MARKDOWN.parse(text)
    sections: list[Section] = []
    words: list[str] = []
    title = anchor = ""
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            sections += _section(title, anchor, words)
            title, words = _words(tokens[place + 1]), []
            anchor = _anchor(title)
            token.attrSet("id", anchor)
        elif token.type in ("inline", "fence", "code_block"):
            _drop_links_to_files(token)
            words.append(_words(token))
    sections += _section(title, anchor, words)
    name = next((_words(tokens[at + 1]) for at, one in enumerate(tokens) if one.type == "heading_open"), slug)
    return Chapter(slug, name, _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}), tuple(sections))


def _drop_links_to_files(token: Token) -> None:
    """Take the addresses from links to files of the source, which are not served."""
    for one in token.children or ():
        if one.type == "link_open" and not str(one.attrs["href"]).startswith(("/", "#", "https://")):
            del one.attrs["href"]


def _section(title: str, anchor: str, words: Sequence[str]) -> list[Section]:
    if not title and not words:
        return []
    whole = " ".join(words)
    start = whole[:200].rsplit(" ", 1)[0] + " …" if len(whole) > 200 else whole
    return [Section(title, anchor, whole.lower(), start)]


def _words(token: Token) -> str:
    """Return a token's text without its marks."""
    if token.children is None:
        return " ".join(token.content.split())
    return "".join(
        one.content if one.type in ("text", "code_inline") else " " for one in token.children
    ).strip()


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · Hearthforge</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="/start.css">
<script src="/copy.js" defer></script>
</head>
<body class="guide">
<header>
<a class="home" href="/">Hearthforge</a>
<a class="to-chapters" href="#chapters">Chapters</a>
<form action="/guide/search" role="search"><input type="search" name="q" value="{wanted}" maxlength="100"
 placeholder="Search the guide" aria-label="Search the guide"></form>
</header>
<main>
{body}
</main>
<nav id="chapters" aria-label="Chapters">
<ul>{links}</ul>
</nav>
</body>
</html>
"""
