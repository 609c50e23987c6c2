"""Smiths as characters, and the content of the game."""

from __future__ import annotations

from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from services.rules.dice.stream import ByteStream
from services.rules.engine.problem import Problems
from services.rules.systems.forgeborn import SYSTEM
from services.rules.systems.forgeborn.build import build
from services.rules.systems.forgeborn.card import smith_card
from services.rules.systems.forgeborn.catalog import (
    FORM_OF_DIE,
    FUNCTION_OF_DIE,
    TableSettings,
    own_catalog,
)
from services.rules.systems.forgeborn.choices import ChronicleEntry, SmithChoices
from services.rules.systems.forgeborn.drop import RealmSettings
from services.rules.systems.forgeborn.pools import (
    SIDES,
    DiceCount,
    DieSize,
    pool_problems,
)
from services.rules.systems.forgeborn.prices import PRICES, cost, larger, maximal, most_power, of_power
from services.rules.systems.forgeborn.random import drawn_smith
from services.rules.systems.forgeborn.sheet import SmithSheet
from tests.rules.forgeborn_values import purchases

CATALOG = own_catalog()
counts = st.builds(DiceCount, *[st.integers(0, 6)] * 5)
some_dice = st.lists(st.sampled_from(DieSize), max_size=8)


def built(choices: SmithChoices) -> SmithSheet:
    sheet = build(choices, CATALOG)
    assert isinstance(sheet, SmithSheet), str(sheet)
    return sheet


def codes(choices: SmithChoices) -> dict[str, str]:
    problems = build(choices, CATALOG)
    assert isinstance(problems, Problems)
    return {problem.code: ".".join(map(str, problem.path)) for problem in problems}


@given(counts)
def test_a_smith_is_built_exactly_when_her_dice_are_within_the_budget(dice: DiceCount) -> None:
    made = build(SmithChoices(name="A", dice=dice), CATALOG)
    faces = sum(SIDES[size] * dice.count(size) for size in DieSize)
    if faces <= 72:
        assert isinstance(made, SmithSheet)
        assert (made.faces.value, made.left) == (faces, 72 - faces)
    else:
        assert isinstance(made, Problems)
        assert made.codes == ("budget_exceeded",)


def test_every_broken_rule_of_a_smith_is_named_at_once() -> None:
    chronicle = (ChronicleEntry(title="x", points=-1, rank=5, players=2),)
    wrong = SmithChoices(name="", description="\x00", dice=DiceCount(d4=-1, d6=1000), chronicle=chronicle)
    assert codes(wrong) == {
        "text_missing": "name",
        "text_unprintable": "description",
        "dice_out_of_range": "dice.d6",
        "chronicle_out_of_range": "chronicle.0.rank",
    }


def test_a_sheet_offers_the_best_three_dice_and_all_of_them() -> None:
    sheet = built(SmithChoices(name="A", dice=DiceCount(d4=2, d8=1, d12=2)))
    assert [check.notation for check in sheet.checks] == ["d8+2d12", "2d4+d8+2d12", "2d6"]
    assert [part.value for part in sheet.checks[1].dice.parts] == [3, 2]
    assert sheet.named_numbers()["d12"] == 2
    without = built(SmithChoices(name="A"))
    assert [check.id for check in without.checks] == ["forest"]


def test_a_card_has_a_box_for_each_die_and_a_line_for_each_game() -> None:
    sheet = built(SYSTEM.examples["hawina"])
    card = smith_card(sheet, CATALOG)
    assert [line.boxes for line in card.dice] == ["☐☐☐", "☐☐", "☐☐", "☐☐", "☐"]
    assert card.chronicle == ("The Realm of Wilum: 11 points, place 1 of 3; made Nightwell Crown",)
    assert [(make.price, make.form, make.function) for make in card.makes][3] == (
        11,
        "ranged weapon",
        "transformation",
    )


@given(st.binary(min_size=300, max_size=300), st.sampled_from([None, *(size.value for size in DieSize)]))
def test_a_smith_drawn_by_chance_builds_and_spends_what_she_can(seed: bytes, concept: str | None) -> None:
    def drawn() -> SmithChoices | Problems:
        return drawn_smith(ByteStream(BytesIO(seed * 20).read), CATALOG, None, concept)

    choices = drawn()
    assert isinstance(choices, SmithChoices)
    assert drawn() == choices
    assert built(choices).left < 4
    assert choices.name in CATALOG.words.names


def test_an_unknown_concept_is_refused() -> None:
    found = drawn_smith(ByteStream(BytesIO(b"").read), CATALOG, None, "d20")
    assert isinstance(found, Problems)
    assert found.codes == ("concept_unknown",)


# Content


def test_the_content_is_the_books() -> None:
    names = CATALOG.words.names
    assert (len(names), len(set(names)), sum(not name.isascii() for name in names)) == (210, 210, 12)
    assert {"Hemostill", "Cerrana", "Aquera", "Turiedoplos"} <= set(names)
    assert (len(CATALOG.threats), len(CATALOG.guardians)) == (26, 14)
    assert [len(form.items) for form in CATALOG.forms] == [3, 3, 4, 3, 2]
    assert [len(function.keywords) for function in CATALOG.functions] == [4, 4, 5, 4, 3]


def test_the_content_and_the_code_agree() -> None:
    for entry in CATALOG.dice:
        assert entry.price == PRICES[entry.size]
        assert CATALOG.forms[entry.form].form is FORM_OF_DIE[entry.size]
        assert CATALOG.forms[entry.form].die is entry.size
        assert CATALOG.functions[entry.function].function is FUNCTION_OF_DIE[entry.size]
        assert CATALOG.functions[entry.function].die is entry.size
    assert CATALOG.settings == TableSettings()
    assert CATALOG.realm == RealmSettings()


# Dice that somebody has


@given(counts, some_dice, some_dice)
def test_a_pool_is_legal_exactly_as_the_rules_say(
    own: DiceCount, dice: list[DieSize], sacrificed: list[DieSize]
) -> None:
    legal = (
        1 <= len(dice) <= 3
        and own.holds([*dice, *sacrificed])
        and (not sacrificed or (own.total() > 3 and len(dice) == 3))
    )
    assert (pool_problems(own, dice, sacrificed) == []) is legal


@given(st.integers(0, 45))
def test_maximal_purchases_are_those_that_nothing_is_left_for(total: int) -> None:
    every = list(purchases(total))
    assert len(set(every)) == len(every)
    assert all(0 < cost(purchase) <= total for purchase in every)
    tight = {purchase for purchase in every if not larger(purchase, total - cost(purchase))}
    assert set(maximal(total)) == tight
    assert max(map(len, every), default=0) == most_power(total)
    if every:
        for power in range(1, most_power(total) + 1):
            (best,) = of_power(total, power)
            assert cost(best) == max(cost(one) for one in every if len(one) == power)


def test_the_books_fifteen_points_buy_what_the_book_says() -> None:
    found = {tuple(SIDES[size] for size in purchase) for purchase in maximal(15)}
    assert found == {(12,), (8, 4), (6, 6), (4, 4, 4)}
    assert len(list(purchases(15))) == 10
