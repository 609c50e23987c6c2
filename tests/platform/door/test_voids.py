"""Through the public port: a roll that divides by zero is seen, named and counted by the whole table."""

from tests.e2e.product import Product, until
from tests.e2e.table import found_campaign, join, log

MISS = "20 / (1d1000000 >= 1000000)"


def test_a_miss_written_as_a_division_by_zero_hides_nothing(sqlite: Product) -> None:
    gm, player = sqlite.sign_up("Gm"), sqlite.sign_up("Player")
    campaign = found_campaign(gm)
    join(player, gm, campaign)
    refused = player.send(
        "POST", "/v1/rolls", json={"expression": MISS, "campaignId": campaign, "label": "Strike"}
    )
    assert refused.status_code == 422
    assert refused.json()["issues"][0]["code"] == "DIVISION_BY_ZERO"
    (seen,) = gm.get(f"/v1/rolls?campaign={campaign}").json()["items"]
    assert (seen["outcome"], seen["void"], seen["label"]) == ("void", "DIVISION_BY_ZERO", "Strike")
    assert seen["by"]["id"] == player.id
    assert len(seen["terms"][0]["dice"]) == 1

    def told() -> str | None:
        entries = log(gm, campaign)
        return next((entry["text"] for entry in entries if entry["kind"] == "roll.recorded"), None)

    line = until(told, "the line in the log")
    assert line.startswith("Strike: 20 / ") and line.endswith("= void (division by zero)")


def test_odds_tell_before_that_dice_can_fail(sqlite: Product) -> None:
    asked = sqlite.sign_up()
    found = asked.send("GET", "/v1/odds", params={"expression": "20 / (1d20 >= 15)"}).json()
    assert found["canFail"] is True
    assert found["failure"]["exact"] == "7/10"
    assert asked.send("GET", "/v1/odds", params={"expression": "1d20 + 5"}).json()["canFail"] is False
