"""The page of codes, ``/docs/problems``: what each means and what to do about it, out of the code itself."""

from collections.abc import Iterable, Mapping
from html import escape

from services.gateway.rest.codes import Code

_HEAD = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Hearthforge: what goes wrong, and what to do about it</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="/start.css">
</head>
<body>
<main>
<h1>What goes wrong</h1>
<p>A problem has a code that never changes its meaning. With <code>INVALID_INPUT</code> and
<code>MOVE_REJECTED</code> each of its <code>issues</code> has one too, with the path that it concerns, what
was <code>found</code> there and what is <code>allowed</code>.</p>
"""
_FOOT = "</main>\n</body>\n</html>\n"


def problems_page(codes: Mapping[str, Code], rules: Mapping[str, Code]) -> str:
    """Returns the page, as HTML.

    Args:
        codes: those that the house tells.
        rules: those that the games' rules tell.
    """
    known = (
        (code, "" if one.status is None else str(one.status), one.meaning, one.mend)
        for code, one in codes.items()
    )
    of_rules = (
        (
            code,
            ", ".join(service.removeprefix("rules/") for service in one.told),
            one.meaning,
            one.mend,
            " ".join(sentence for says in one.told.values() for sentence in says),
        )
        for code, one in rules.items()
    )
    return (
        _HEAD
        + _table(("Code", "Status", "What it means", "What to do"), known)
        + "<h2>Rules of games and maps</h2>\n<p>Each stands in the <code>issues</code> of a 422; its "
        "<code>rule</code> names the place in the book, <code>allowed</code> what would be right.</p>\n"
        + _table(("Code", "Of", "What it means", "What to do", "What it says"), of_rules)
        + _FOOT
    )


def _table(heads: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    lines = "".join(_line(row) for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table>\n"


def _line(row: tuple[str, ...]) -> str:
    code, *others = row
    cells = "".join(f"<td>{escape(one)}</td>" for one in others)
    return f'<tr id="{escape(code)}"><td><code>{escape(code)}</code></td>{cells}</tr>\n'
