"""The pages for browsers, and the description of the REST face."""

import base64
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from typing import Any

import orjson
import pytest

from services.gateway.openapi import document
from services.gateway.pages import OWN, SWAGGER, table_page
from services.gateway.rest.codes import CODES
from tests.gateway.federation.toy_house import NODE
from tests.gateway.front import Front
from tests.house import ROOT

IN_THE_APPS_LOOP = pytest.mark.asyncio(loop_scope="module")


class Links(HTMLParser):
    """Collects what a page points at, and whether it carries scripts or styles of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []
        self.inline = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        given = dict(attributes)
        if tag in ("script", "style"):
            self.inline |= "src" not in given
        self.inline |= any(name.startswith("on") or name == "style" for name in given)
        if tag in ("script", "img", "link"):
            self.loaded.append(str(given.get("src") or given.get("href")))
        if tag == "a":
            self.linked.append(str(given["href"]))


@IN_THE_APPS_LOOP
async def test_the_pages_load_nothing_from_anywhere_else(app: Front) -> None:
    for path in ("/", "/docs", "/docs/problems"):
        page = await app.http.get(path)
        assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "http" not in policy
        assert "script-src 'unsafe" not in policy
        links = Links()
        links.feed(page.text)
        assert not links.inline
        assert links.loaded
        for address in links.loaded:
            assert address.startswith("/")
            if SWAGGER.is_dir() or not address.startswith("/docs/swagger"):
                assert (await app.http.get(address)).status_code == 200, address


@IN_THE_APPS_LOOP
async def test_the_start_page_leads_to_everything(app: Front) -> None:
    links = Links()
    page = await app.http.get("/")
    links.feed(page.text)
    assert set(links.linked) == {
        *("/graphql", "/docs", "/docs/problems", "/guide", "/openapi.json", "/readyz", "/table"),
    }
    assert f"{app.settings.public_url}/v1/accounts" in page.text


@IN_THE_APPS_LOOP
async def test_every_page_fits_a_phone_takes_either_scheme_and_has_an_icon(app: Front) -> None:
    for path in ("/", "/docs", "/docs/problems", "/guide", "/guide/dice", "/table"):
        page = (await app.http.get(path)).text
        assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page, path
        assert '<meta name="color-scheme" content="light dark">' in page, path
        assert '<link rel="icon" type="image/svg+xml" href="/favicon.svg">' in page, path
    for path, sort in (("/favicon.svg", "image/svg+xml"), ("/favicon.ico", "image/x-icon")):
        icon = await app.http.get(path)
        assert (icon.status_code, icon.headers["content-type"]) == (200, sort)


@IN_THE_APPS_LOOP
async def test_the_rest_documentation_follows_the_reader_s_colour_scheme(app: Front) -> None:
    script = (await app.http.get("/docs/scheme.js")).text
    assert "matchMedia('(prefers-color-scheme: dark)')" in script and "'dark-mode'" in script
    assert '<script src="/docs/scheme.js"></script>' in (await app.http.get("/docs")).text
    if SWAGGER.is_dir():  # a newer version that renames the class would leave the page bright
        assert "html.dark-mode" in (await app.http.get("/docs/swagger-ui.css")).text


@IN_THE_APPS_LOOP
async def test_only_the_named_files_of_swagger_are_served(app: Front) -> None:
    for name in ("package.json", "index.html", "..%2fpackage.json", "%2e%2e", "swagger-ui.css.map"):
        answer = await app.http.get(f"/docs/{name}")
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


@IN_THE_APPS_LOOP
async def test_the_table_s_page_takes_no_inline_script_but_its_import_map(app: Front) -> None:
    page = await app.http.get("/table")
    assert page.text.count("<script") == 2 and "<style" not in page.text
    found = re.search(r'<script type="importmap">(.*?)</script>', page.text, re.DOTALL)
    assert found
    digest = base64.b64encode(hashlib.sha256(found.group(1).encode()).digest()).decode()
    policy = page.headers["content-security-policy"]
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    own = re.findall(r'(?:src|href)="(/table/[^"]*)"', page.text)
    modules = [*json.loads(found.group(1))["imports"].values()] if table_page.MODULES.is_dir() else []
    for address in (*own, *modules):
        assert (await app.http.get(address)).status_code == 200, address


@IN_THE_APPS_LOOP
async def test_only_modules_of_the_table_s_page_are_served(app: Front) -> None:
    for name in (
        "table.html",
        "..%2fstart.css",
        "lib/preact/..%2fpackage.json",
        "lib/graphql/index.js",
        "lib/htm/htm.d.ts",
    ):
        answer = await app.http.get(f"/table/{name}")
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json"), name


@IN_THE_APPS_LOOP
async def test_the_description_is_served_as_it_is_printed(app: Front) -> None:
    served = await app.http.get("/openapi.json")
    assert served.json() == orjson.loads(document())
    again = await app.http.get("/openapi.json", headers={"if-none-match": served.headers["etag"]})
    assert again.status_code == 304


@IN_THE_APPS_LOOP
async def test_pages_are_compressed_and_tagged_once_and_kept_for_a_while(app: Front) -> None:
    for path in ("/", "/docs", "/openapi.json", "/start.css"):
        plain = await app.http.get(path, headers={"accept-encoding": "identity"})
        packed = await app.http.get(path, headers={"accept-encoding": "br;q=1.0, gzip;q=0.8"})
        refused = await app.http.get(path, headers={"accept-encoding": "gzip;q=0"})
        assert "content-encoding" not in plain.headers and "content-encoding" not in refused.headers
        assert packed.headers["content-encoding"] == "gzip" and packed.content == plain.content
        assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]), path
        assert plain.headers["etag"] != packed.headers["etag"]
        for answer in (plain, packed):
            assert answer.headers["vary"] == "accept-encoding"
            assert answer.headers["cache-control"] == "public, max-age=300"
            known = {"if-none-match": answer.headers["etag"]}
            coding = "gzip" if answer is packed else "identity"
            again = await app.http.get(path, headers={**known, "accept-encoding": coding})
            assert (again.status_code, again.content) == (304, b"")


@IN_THE_APPS_LOOP
async def test_no_answer_may_be_taken_for_another_kind(app: Front) -> None:
    paths = ("/", "/docs", "/docs/docs.js", "/docs/nothing", "/openapi.json", "/start.css", "/healthz")
    paths += ("/readyz", "/metrics", "/v1/me", "/v1/nowhere", "/graphql", "/internal/principal")
    for path in paths:
        answer = await app.http.get(path)
        assert answer.headers["x-content-type-options"] == "nosniff", path


def test_the_description_is_printed_without_any_setting_and_always_the_same() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "services.gateway.openapi"],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"},
        capture_output=True,
        check=True,
    )
    assert printed.stdout == document()
    assert b"/root" not in printed.stdout and str(ROOT).encode() not in printed.stdout


@cache
def printed() -> bytes:
    """Print the description, once for all who read it; that it is always the same is tested above."""
    return document()


def described() -> dict[str, Any]:
    """Read the description."""
    found: dict[str, Any] = orjson.loads(printed())
    return found


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    """List path, method and description of every operation."""
    return [
        (path, method, operation)
        for path, methods in described()["paths"].items()
        for method, operation in methods.items()
    ]


def endless(schema: Any, place: str, named: dict[str, Any], seen: set[str]) -> Iterator[str]:
    """Find the lists in a request that have no maximum, and follow references."""
    if isinstance(schema, list):
        for index, one in enumerate(schema):
            yield from endless(one, f"{place}/{index}", named, seen)
    if not isinstance(schema, dict):
        return
    if schema.get("type") == "array" and "maxItems" not in schema:
        yield place
    name = str(schema.get("$ref", "")).rsplit("/", 1)[-1]
    if name and name not in seen:
        seen.add(name)
        yield from endless(named[name], name, named, seen)
    for word, one in schema.items():
        yield from endless(one, f"{place}/{word}", named, seen)


def test_every_list_of_a_request_has_a_maximum() -> None:
    found = orjson.loads(document())
    named, seen = found["components"]["schemas"], set[str]()
    requests = [
        (f"{verb} {path} {part}", operation[part])
        for path, item in found["paths"].items()
        for verb, operation in item.items()
        for part in ("parameters", "requestBody")
        if part in operation
    ]
    assert len(requests) > 50
    assert not [place for name, one in requests for place in endless(one, name, named, seen)]


def test_the_description_is_openapi_3_1_with_all_its_references() -> None:
    found = described()
    assert (found["openapi"], found["info"]["title"]) == ("3.1.0", "Hearthforge REST API")
    assert found["info"]["version"] == "1.0.0"
    assert found["security"] == [{"bearer": []}]
    for reference in set(re.findall(r'"\$ref":\s*"([^"]+)"', printed().decode())):
        place: Any = found
        for step in reference.removeprefix("#/").split("/"):
            assert step in place, reference
            place = place[step]


def test_the_description_bounds_numbers_in_the_words_of_json_schema() -> None:
    asked = described()["paths"]["/v1/keys"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    days = asked["properties"]["expiresInDays"]["anyOf"][0]
    assert (days["type"], days["minimum"], days["maximum"]) == ("integer", 1, 3650)
    assert not re.search(r'"(ge|le|gt|lt)"', printed().decode())


def test_every_operation_is_named_explained_and_tagged() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(names) == len(set(names)) >= 25
    tags = {tag["name"] for tag in described()["tags"]}
    for path, _, operation in operations():
        assert operation["summary"] and operation["description"], path
        assert set(operation["tags"]) <= tags, path


def test_every_operation_tells_its_problems() -> None:
    for path, method, operation in operations():
        statuses = set(operation["responses"])
        assert {"400", "429", "500", "503"} <= statuses, path
        if any(one["in"] in ("query", "header") for one in operation.get("parameters", ())):
            assert "422" in statuses, path
        assert ("401" in statuses) == (operation.get("security") != []), path
        if method in ("post", "patch"):
            assert {"400", "413", "415", "422"} <= statuses, path
        if method == "get":
            # What is streamed as it is read has no tag that could be compared.
            streamed = path.endswith(("/receipts", "/maps.zip", "/maps.ndjson", "/export"))
            assert {"200", *(() if streamed else ("304",))} <= statuses, path
        if "{" in path:
            assert "404" in statuses, path


def test_the_example_of_every_problem_is_one_that_is_answered() -> None:
    for name, response in described()["components"]["responses"].items():
        example = response["content"]["application/problem+json"]["example"]
        assert f"Problem{example['status']}" == name
        if example["status"] != 500:
            assert CODES[example["code"]].status == example["status"]


def test_the_description_has_no_key_that_could_be_sent_as_it_stands() -> None:
    """Tools send examples and defaults unread: all of their users would share what stands there."""
    keys = [
        parameter
        for _, _, operation in operations()
        for parameter in operation.get("parameters", ())
        if parameter["name"] == "Idempotency-Key"
    ]
    assert len(keys) > 40
    for parameter in keys:
        assert not {"example", "examples"} & parameter.keys(), parameter
        assert not {"example", "examples", "default", "const", "enum", "format"} & parameter["schema"].keys()
    for credential in (rb"hf_live_[0-9a-z]{26}_[0-9a-z]{40}", rb"hf_invite_[0-9a-z]{26}"):
        assert not re.search(credential, printed())


SENT_TWICE = """
let page;
globalThis.SwaggerUIBundle = (given) => { page = given; };
await import(process.argv[1]);
const sent = (method, headers) => page.requestInterceptor({ url: '/v1/accounts', method, headers }).headers;
console.log(JSON.stringify({
  posted: [sent('POST', {}), sent('POST', {}), sent('DELETE'), sent('POST', { 'Idempotency-Key': '' }),
    sent('patch', { accept: '*/*' })],
  read: sent('GET', {}),
  typed: [sent('POST', { 'Idempotency-Key': 'mine' }), sent('POST', { 'idempotency-key': 'mine' })],
}));
"""


def test_the_page_makes_a_fresh_idempotency_key_for_each_request() -> None:
    ran = subprocess.run(
        [NODE, "--input-type=module", "--eval", SENT_TWICE, "--", str(OWN / "docs.js")],
        capture_output=True,
        check=True,
    )
    found = json.loads(ran.stdout)
    keys = [headers["Idempotency-Key"] for headers in found["posted"]]
    assert len(set(keys)) == len(keys) == 5
    assert all(re.fullmatch(r"[0-9a-f]{32}", key) for key in keys)
    assert found["posted"][-1]["accept"] == "*/*"
    assert found["read"] == {}
    assert found["typed"] == [{"Idempotency-Key": "mine"}, {"idempotency-key": "mine"}]
