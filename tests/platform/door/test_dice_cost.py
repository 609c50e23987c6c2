"""Through the public port: what dice cost is known before they fall, and nobody else waits for them."""

import time

from tests.e2e.product import Product

HEAVY = "200d1000r<991"


def test_a_batch_of_two_million_draws_is_refused_before_a_die_falls(sqlite: Product) -> None:
    asked = sqlite.sign_up()
    refused = asked.send("POST", "/v1/rolls/batch", json={"rolls": [{"expression": HEAVY}] * 100})
    assert (refused.status_code, refused.json()["code"]) == (400, "QUERY_TOO_EXPENSIVE")
    assert asked.get("/v1/rolls").json()["items"] == []
    other = sqlite.sign_up()
    began = time.monotonic()
    assert other.send("POST", "/v1/rolls", json={"expression": "d20"}).status_code == 201
    # It worked on for 135 s and stopped all dice.
    assert time.monotonic() - began < 30


def test_a_heavy_roll_is_paid_for_and_shows_no_more_dice_than_anybody_looks_at(sqlite: Product) -> None:
    asked = sqlite.sign_up()
    key = {"Idempotency-Key": "storm"}

    def roll() -> tuple[int, dict[str, object], int]:
        answer = asked.send("POST", "/v1/rolls", json={"expression": HEAVY}, headers=key)
        return answer.status_code, answer.json(), int(answer.headers.get("x-ratelimit-remaining", 2_000))

    for _ in range(10):
        status, made, remaining = roll()
        if status == 201:
            break
        # A machine that has other things to do: the roll is kept under its key all the same.
        assert status == 503
    assert status == 201
    assert remaining < 1_980
    (term,) = made["terms"]  # type: ignore[misc]
    assert len(term["dice"]) == 1_000
    assert term["diceLeftOut"] > 1_000
    assert roll()[1] == made


def test_samples_are_charged_by_their_number(sqlite: Product) -> None:
    asked = sqlite.sign_up()

    def left(samples: int) -> int:
        path = f"/v1/odds?expression=4d6&sample={samples}"
        return int(asked.get(path).headers["x-ratelimit-remaining"])

    assert left(1) - left(100_000) > 15
