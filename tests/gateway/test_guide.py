"""The guide as pages: its chapters, what they are made of, and the search through them."""

import re
from pathlib import Path

import pytest

from services.gateway.pages import guide
from services.shared.settings import table
from tests.gateway.front import Front

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "https://table.example"
IN_THE_APPS_LOOP = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def chapters() -> dict[str, guide.Chapter]:
    """Return the chapters as they are served."""
    return guide.read(ADDRESS)


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_bytes()) <= 9 * 1024


def test_the_chapters_come_in_the_order_of_reading(chapters: dict[str, guide.Chapter]) -> None:
    first = ["evening", "concepts", "dice", "characters", "scenes", "maps", "live", "errors", "limits"]
    assert list(chapters)[:11] == [*first, "running", "changing"]
    assert {"notation", "dungeonteller", "forge_engine"} <= set(chapters)


def test_examples_name_the_product_s_own_address(chapters: dict[str, guide.Chapter]) -> None:
    assert f"H={ADDRESS}" in chapters["evening"].body
    assert not any("127.0.0.1:4000" in chapter.body for chapter in chapters.values())


def test_the_settings_are_all_there(chapters: dict[str, guide.Chapter]) -> None:
    for name in re.findall(r"^\| `(\w+)`", table(), re.MULTILINE):
        assert f"<code>{name}</code>" in chapters["running"].body


def test_every_link_leads_somewhere(chapters: dict[str, guide.Chapter]) -> None:
    known = {f"/guide/{slug}" for slug in chapters} | {"/graphql", "/docs", "/guide", "/table"}
    for chapter in chapters.values():
        for picture in re.findall(r'src="([^"]*)"', chapter.body):
            assert (guide.CHAPTERS / picture.removeprefix("/guide/")).is_file(), (chapter.slug, picture)
        for link in re.findall(r'href="([^"]*)"', chapter.body):
            page, _, anchor = link.partition("#")
            assert page.startswith("https://") or page in known, (chapter.slug, link)
            target = chapters.get(page.removeprefix("/guide/"))
            assert not anchor or target is None or f'id="{anchor}"' in target.body, (chapter.slug, link)


def test_a_search_finds_sections_by_words_and_parts_of_words(chapters: dict[str, guide.Chapter]) -> None:
    found = guide.search(chapters, "Idempot KEY")
    assert ("concepts", "once-is-once") in [(one.chapter.slug, one.section.anchor) for one in found]
    # What names the words in its heading comes first.
    assert guide.search(chapters, "resuming")[0].section.title == "Resuming"
    assert guide.search(chapters, "xyzzy") == guide.search(chapters, "  ") == []


@IN_THE_APPS_LOOP
async def test_the_pages_are_served(app: Front) -> None:
    contents = await app.http.get("/guide")
    assert contents.status_code == 200 and "A first evening" in contents.text
    page = await app.http.get("/guide/concepts")
    assert page.status_code == 200 and '<h2 id="once-is-once">' in page.text
    again = await app.http.get("/guide/concepts", headers={"if-none-match": page.headers["etag"]})
    assert again.status_code == 304
    assert "form-action 'self'" in page.headers["content-security-policy"]
    lost = await app.http.get("/guide/nowhere")
    assert (lost.status_code, lost.json()["code"]) == (404, "NOT_FOUND")


@IN_THE_APPS_LOOP
async def test_reading_on_leads_through_every_page_and_back_to_the_contents(app: Front) -> None:
    path, seen = "/guide", []
    while path not in seen:
        seen.append(path)
        page = await app.http.get(path)
        assert page.status_code == 200
        (path,) = re.findall(r'<a rel="next" href="([^"]+)">', page.text)
    assert path == "/guide"
    assert seen[1:] == [f"/guide/{slug}" for slug in guide.read(ADDRESS)]


@IN_THE_APPS_LOOP
async def test_every_block_of_every_page_has_a_button_that_copies_it(app: Front) -> None:
    for path in ("/", *(f"/guide/{slug}" for slug in guide.read(ADDRESS))):
        page = await app.http.get(path)
        assert len(
            re.findall(r'<button [^>]*class="copy"[^>]*>Copy</button><pre', page.text)
        ) == page.text.count("<pre"), path
        assert '<script src="/copy.js" defer></script>' in page.text
        assert "script-src 'self';" in page.headers["content-security-policy"]


@IN_THE_APPS_LOOP
async def test_the_text_comes_before_the_list_of_chapters_and_results_too(app: Front) -> None:
    for path in ("/guide", "/guide/concepts", "/guide/search?q=fog"):
        page = await app.http.get(path)
        assert page.text.index("<h1") < page.text.index('<nav id="chapters"'), path
        assert 'href="#chapters"' in page.text


@IN_THE_APPS_LOOP
async def test_maps_boards_and_results_have_pictures(app: Front) -> None:
    for slug, sorts in (
        ("maps", {"image/webp"}),
        ("scenes", {"image/svg+xml"}),
        ("simulations", {"image/svg+xml"}),
    ):
        page = await app.http.get(f"/guide/{slug}")
        found = [await app.http.get(one) for one in re.findall(r'<img src="([^"]+)"', page.text)]
        assert {one.headers["content-type"] for one in found} == sorts
        assert all(one.status_code == 200 and len(one.content) > 2_000 for one in found)
    question = await app.http.get("/guide/pictures/monsters.json")
    assert question.status_code == 404, "what lies beside pictures is for the command line"
    lost = await app.http.get("/guide/pictures/..%2f01-evening.md")
    assert (lost.status_code, lost.json()["code"]) == (404, "NOT_FOUND")


@IN_THE_APPS_LOOP
async def test_what_is_searched_for_is_shown_and_never_run(app: Front) -> None:
    wanted = '"><script>alert(1)</script>'
    answer = await app.http.get("/guide/search", params={"q": wanted})
    assert answer.status_code == 200
    assert "<script>" not in answer.text and "&lt;script&gt;" in answer.text
    found = await app.http.get("/guide/search", params={"q": "webhook OR ' fog"})
    assert found.status_code == 200
