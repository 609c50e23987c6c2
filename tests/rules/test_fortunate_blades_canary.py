"""A canary in all that is hidden of a played campaign of Fortunate Blades: the gate `campaigns` has more."""

from __future__ import annotations

from tests.rules.fortunate_blades_canary import (
    CANARY,
    HIDDEN_CLOCK,
    looked_through,
    told_to_the_master,
)

KINDS = {
    "state",
    "card",
    "actor",
    "offers",
    "changes",
    "picture",
    "event",
    "sentence",
    "chronicle",
    "markdown",
}


def test_nothing_hidden_of_a_campaign_is_in_any_answer_to_players() -> None:
    counted, betrayed = looked_through(quests=1)
    assert betrayed == []
    assert sum(counted.values()) > 1_000
    assert set(counted) >= KINDS | {"refusal", "map", "map picture", "encounter state", "encounter event"}


def test_the_game_master_is_told_all_of_it_so_that_the_canary_can_be_found() -> None:
    assert told_to_the_master(quests=1) == {CANARY, HIDDEN_CLOCK, "secret-", "close=53", "Doom("}
