"""What the gateway remembers of documents stays within its bounds, whatever is sent."""

import json
import subprocess
from typing import Any

from infra.launch.bootstrap import FEDERATION, node_binary

FLOOD = """
import { MAX_DOCUMENT_CHARACTERS, rememberTexts } from './documents.mjs';
const texts = rememberTexts(MAX_DOCUMENT_CHARACTERS);
for (let number = 0; number < 500; number += 1) texts.set(`{ a${number} }`.padEnd(60_000, '#'), { number });
const long = { count: texts.size, size: texts.calculatedSize };
for (let number = 0; number < 5_000; number += 1) texts.set(`{ b${number} }`, { number });
const [short, last, first] = [texts.size, texts.get('{ b4999 }'), texts.get('{ b0 }') ?? null];
console.log(JSON.stringify({ long, bound: MAX_DOCUMENT_CHARACTERS, short, last, first }));
"""

REPLACED = """
import { useDocuments } from './documents.mjs';
const runtime = { onParse() {}, onValidate() {} };
const plugins = [useDocuments(), runtime, { onParse() {}, onExecute() {} }];
plugins[0].onPluginInit({ plugins });
const left = plugins.length;
let refused = '';
try { plugins[0].onPluginInit({ plugins }); } catch (error) { refused = error.message; }
console.log(JSON.stringify({ left, gone: !plugins.includes(runtime), refused }));
"""


def told(program: str) -> Any:
    """Run a program among the gateway's modules and return what it prints."""
    command = [str(node_binary()), "--input-type=module", "-e", program]
    run = subprocess.run(command, cwd=FEDERATION, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def test_documents_are_remembered_within_a_bound_of_characters_and_of_count() -> None:
    found = told(FLOOD)
    assert found["long"]["count"] > 0 and found["long"]["size"] <= found["bound"]
    assert found["short"] <= 1024
    assert (found["last"], found["first"]) == ({"number": 4999}, None)


def test_the_runtimes_own_memory_of_documents_is_replaced_or_the_gateway_does_not_start() -> None:
    found = told(REPLACED)
    assert (found["left"], found["gone"]) == (2, True)
    assert found["refused"] == "the runtime has 0 memories of documents, not one"
