"""What the guide says of live feeds in JavaScript, run as it is written, on a line that breaks."""

import json
import re
import subprocess

from tests.e2e.documents import MUTATIONS
from tests.e2e.product import Product, until
from tests.gateway.federation.toy_house import FEDERATION, NODE, REPOSITORY

CHAPTER = REPOSITORY / "services" / "gateway" / "pages" / "guide" / "07-live.md"
ROLLS = 3
# Cuts the line behind the first entry and behind the third; ends with the last one that it waits for.
BROKEN_LINE = """
const [url, key, campaign, count] = process.argv.slice(1);
const shown = [];
const client = follow({ url, key, campaign, show });
function show(text) {
  shown.push(text);
  if (shown.length === Number(count)) {
    console.log(JSON.stringify(shown));
    client.dispose();
  } else if (shown.length % 2 === 1) client.terminate();
}
"""


def test_the_client_of_the_guide_shows_each_entry_once_on_a_line_that_breaks(product: Product) -> None:
    mara = product.sign_up("Mara")
    made = mara.ask(MUTATIONS["createCampaign"], input={"name": "Ashes"})
    campaign = made["createCampaign"]["campaign"]["id"]
    for _ in range(ROLLS):
        mara.post("/v1/rolls", {"expression": "1d6", "campaignId": campaign})
    path = f"/v1/campaigns/{campaign}/log"
    until(lambda: len(mara.get(path).json()["items"]) > ROLLS, "the rolls in the log")
    log = [entry["text"] for entry in mara.get(path).json()["items"]]
    code = re.search(r"^```js\n(.*?)^```$", CHAPTER.read_text(), re.MULTILINE | re.DOTALL)
    assert code is not None
    command = [NODE, "--input-type=module", "--eval", code[1] + BROKEN_LINE, "--"]
    socket = f"{product.url.replace('http', 'ws', 1)}/graphql"
    program = [*map(str, command), socket, mara.key, campaign, str(len(log))]
    told = subprocess.run(program, cwd=FEDERATION, capture_output=True, text=True, timeout=100, check=True)
    assert json.loads(told.stdout) == log
