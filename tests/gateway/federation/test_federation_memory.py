"""What the gateway remembers of documents stays within its bounds, whatever is sent."""

import json
import subprocess

from infra.launch.bootstrap import FEDERATION, node_binary

FLOOD = """
import { createDocumentCaches, MAX_DOCUMENT_CHARACTERS, MAX_REFUSED_CHARACTERS } from './documents.mjs';
const { documentCache, errorCache } = createDocumentCaches();
for (const cache of [documentCache, errorCache]) {
  for (let number = 0; number < 500; number += 1) cache.set(`{ a${number} }`.padEnd(60_000, '#'), { number });
}
const long = [documentCache, errorCache].map((cache) => ({ count: cache.size, size: cache.calculatedSize }));
for (let number = 0; number < 5_000; number += 1) documentCache.set(`{ b${number} }`, { number });
console.log(JSON.stringify({
  long,
  bounds: [MAX_DOCUMENT_CHARACTERS, MAX_REFUSED_CHARACTERS],
  short: documentCache.size,
  last: documentCache.get('{ b4999 }'),
  first: documentCache.get('{ b0 }') ?? null,
}));
"""


def test_documents_are_remembered_within_a_bound_of_characters_and_of_count() -> None:
    run = subprocess.run(
        [str(node_binary()), "--input-type=module", "-e", FLOOD],
        cwd=FEDERATION,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(run.stdout)
    for cache, bound in zip(found["long"], found["bounds"], strict=True):
        assert cache["count"] > 0 and cache["size"] <= bound
    assert found["short"] <= 1024
    assert (found["last"], found["first"]) == ({"number": 4999}, None)
