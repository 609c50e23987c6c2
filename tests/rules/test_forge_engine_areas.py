"""Area spells at a square: which squares are offered, what the odds say, what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from services.rules.engine.ground.measure import FEET
from services.rules.engine.ground.squares import Square
from services.rules.engine.play import FieldKind, LegalMove
from services.rules.engine.site import plain_ground
from services.rules.systems.forge_engine.play import facts
from services.rules.systems.forge_engine.play.moves import Cast
from services.rules.systems.forge_engine.play.rules.areas import MOST_PLACES
from services.rules.systems.forge_engine.play.rules.outcomes import spell_id
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.state import FOES, HEROES, Fight
from tests.conformance.forge_engine.stage import ALLY, FOE, HERO, fight, fighter
from tests.rules.forge_engine_play import armed, facts_of, played, refused
from tests.rules.test_forge_engine_magic_in_fights import caster

FIREBALL = spell_id("fireball")


def on_grid(*places: tuple[str, str, int, int], **ground: Any) -> Fight:
    """The hero, who knows Fireball, and others at squares of a bare grid."""
    figures = caster((FIREBALL, 3))
    people = [
        fighter(who, side, figures if who == HERO else armed(), at=Square(x, y)) for who, side, x, y in places
    ]
    state = fight(*people)
    standing = tuple(one for one in state.combatants if one.at is not None)
    return replace(state, combatants=standing, ground=plain_ground(40, 20, measure=FEET, **ground))


def at_a_place(state: Fight) -> LegalMove | None:
    return next((one for one in PLAY.legal(state, HERO) if one.id == f"cast:{FIREBALL}:place"), None)


def squares_of(offer: LegalMove | None) -> tuple[Square, ...]:
    assert offer is not None
    (field,) = (each for each in offer.fields if each.kind is FieldKind.SQUARE)
    assert field.name == "at" and 0 < len(field.squares) <= MOST_PLACES
    return field.squares


def struck(state: Fight, at: Square) -> set[str]:
    made = played(state, Cast(actor=HERO, spell=FIREBALL, at=at, added=1), {"defense": [10]})
    return {hit.target for hit in facts_of(made, facts.Struck)}


CROWD = ((HERO, HEROES, 2, 10), (ALLY, HEROES, 12, 10), (FOE, FOES, 15, 10), ("other", FOES, 19, 10))


def test_the_first_square_takes_in_most_enemies_and_spares_friends() -> None:
    state = on_grid(*CROWD)
    offer = at_a_place(state)
    assert offer is not None
    assert struck(state, squares_of(offer)[0]) == {FOE, "other"}
    # No square beside a friend stands before one that spares it.
    assert all(struck(state, at) == {FOE, "other"} for at in squares_of(offer)[:5])
    assert {chance.id for chance in offer.chances} == {f"hit:{FOE}", "hit:other"}
    assert all(0 < chance.chance < 1 for chance in offer.chances)
    assert offer.odds.startswith("forge_engine:opposed(")


def test_every_square_that_is_offered_may_be_cast_at_and_takes_in_an_enemy() -> None:
    wall = tuple(Square(10, y) for y in range(4, 12))
    state = on_grid(*CROWD, solid=wall)
    for at in squares_of(at_a_place(state)):
        assert struck(state, at) & {FOE, "other"}


def test_squares_out_of_range_out_of_sight_or_off_the_grid_are_refused() -> None:
    wall = tuple(Square(10, y) for y in range(20))
    state = on_grid(*CROWD, solid=wall)
    assert at_a_place(state) is None
    for at, code in (
        (Square(15, 10), "covered"),
        (Square(39, 10), "out_of_range"),
        (Square(-1, 10), "off_grid"),
    ):
        assert refused(state, Cast(actor=HERO, spell=FIREBALL, at=at, added=1)) == [code]
    bare = replace(state, ground=None)
    assert at_a_place(bare) is None
    assert refused(bare, Cast(actor=HERO, spell=FIREBALL, at=Square(3, 3), added=1)) == ["off_grid"]


def test_who_hides_moves_no_square_and_no_chance() -> None:
    alone = on_grid(*CROWD[:3])
    ambush = on_grid(*CROWD)
    people = tuple(replace(one, hidden=one.id == "other") for one in ambush.combatants)
    hidden = replace(ambush, combatants=people)
    mine, theirs = at_a_place(alone), at_a_place(hidden)
    assert mine is not None and theirs is not None
    assert (mine.fields, mine.chances, mine.dice) == (theirs.fields, theirs.chances, theirs.dice)
