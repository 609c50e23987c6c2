"""Cases about companions: minions, familiars and pets, called or tamed in a small scene."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.content import content_id, slug_of
from services.rules.engine.explain import Explained
from services.rules.engine.grid import Square
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.catalog import SLUG
from services.rules.systems.dungeonteller.play.arrivals import monster_being
from services.rules.systems.dungeonteller.play.pools import ActionRoll, pool
from services.rules.systems.dungeonteller.play.rules.powers.companions import familiar_of
from services.rules.systems.dungeonteller.play.state import Creature, Effect, EffectKind, Scene, Side
from services.rules.systems.dungeonteller.powers import Light
from tests.conformance.dungeonteller.reading import (
    CATALOG,
    Answer,
    Given,
    find,
    own_power,
    refused,
)
from tests.conformance.dungeonteller.stage import (
    FOE,
    MIDDLE,
    USER,
    being_in,
    cast,
    desk_of,
    legal,
    luck_in,
    person,
    rolled,
    scene_of,
    user_of,
)

BESIDE = Square(MIDDLE.x + 1, MIDDLE.y)


def _in_play(given: Given) -> int:
    """How many of a kind the user has already."""
    keys = (
        "pets",
        "familiars",
        *(key for key in given if key.endswith("_in_play") or key.startswith(("has_", "existing_"))),
    )
    return sum(int(given.get(key) or 0) for key in keys)


def tame_animal(given: Given) -> Answer:
    """Tame Animal: given Talk, the number of the try, a pet in play, or something other than an animal."""
    animal = not (given.get("animal") is False or given.get("target_animal") is False)
    beast = person(
        FOE,
        BESIDE,
        Side.FOES,
        ratings=Ratings(talk=given.get("target_talk", 0)),
        tags=("living", "animal") if animal else ("living",),
    )
    user = user_of("tame-animal", given)
    people = [user, beast]
    if _in_play(given):
        people.append(person("pet", MIDDLE, creature=Creature.PET, leader=USER))
    before = given.get("try", 1) - 1
    tried = Effect(
        id="tried-1",
        kind=EffectKind.TRIED,
        bearer=USER,
        source=USER,
        cause=own_power("tame-animal").id,
        amount=before,
        about=FOE,
    )
    scene = replace(scene_of(*people, light=Light.BRIGHT), effects=(tried,) if before else ())
    desk = cast(scene, "tame-animal", given, targets=(FOE,))
    if isinstance(desk, RuleProblem):
        return {**refused(desk), "luck": luck_in(scene)}
    tamed = being_in(desk.scene, FOE).creature is Creature.PET
    known = [effect.amount for effect in desk.scene.effects_on(USER, EffectKind.TRIED)]
    return legal(
        tamed=tamed,
        works=tamed,
        successes=rolled(desk),
        luck=luck_in(desk.scene),
        next_needed=max(known, default=0) + 1,
        needed=before + 1,
    )


def summon(given: Given) -> Answer:
    """Minions and familiars: what they cost, what they give, and what their losses do."""
    if "familiar_hit" in given:
        return _familiar_hit(given)
    power = find(CATALOG.powers, given["power"])
    slug = slug_of(power.id)
    role = find(CATALOG.roles, given.get("role", "Wizard"))
    caster = person(
        USER,
        MIDDLE,
        ratings=role.ratings,
        luck=given.get("luck", role.luck),
        max_luck=given.get("max", max(given.get("luck", 0), role.luck)),
        powers=(power.id,),
        tags=("living", "talker", *(("malicious",) if given.get("malicious", True) else ())),
    )
    scene = scene_of(caster, light=Light.BRIGHT)
    if _in_play(given) and slug.endswith("familiar"):
        known = person("familiar-0", MIDDLE, creature=Creature.FAMILIAR, leader=USER, luck=power.figures.luck)
        scene = replace(scene, beings=(*scene.beings, known))
    before = luck_in(scene)
    for number in range(given.get("count", given.get("times", 1))):
        if number:
            # The next one is called in the caster's next turn.
            scene = replace(scene, turn=replace(scene.turn, acted=False))
        desk = cast(scene, slug, given, sort=given.get("kind", ""), words="of long ago")
        if isinstance(desk, RuleProblem):
            return {**refused(desk), "luck": luck_in(scene), "max": being_in(scene, USER).max_luck}
        scene = desk.scene
    if any(given.get(key) for key in ("dismissed", "destroyed", "gone", "minion_gone")):
        scene = _ended(scene)
    return _summoned(scene, before)


def _ended(scene: Scene) -> Scene:
    """The companions are gone again."""
    desk = desk_of(scene)
    for being in scene.beings:
        if being.leader == USER:
            desk.vanish(being.id)
    return desk.scene


def _summoned(scene: Scene, before: int) -> Answer:
    caster = being_in(scene, USER)
    companions = [being for being in scene.beings if being.leader == USER]
    familiar = familiar_of(scene, caster)
    answer = legal(
        luck=caster.luck,
        max=caster.max_luck,
        paid=before - (caster.luck or 0),
        exists=bool(companions),
        summoned=bool(companions),
        works=bool(companions),
        minions=sum(being.creature is Creature.MINION for being in companions),
        familiar_luck=0 if familiar is None else familiar.luck,
        bonus_spell=None,
    )
    # Dice on the card: what Luck cuts off again is the roll's business.
    fresh = replace(caster, luck=None)
    for action in Action:
        dice = pool(scene, CATALOG, fresh, ActionRoll((action,)), reacting=True)
        value = dice.value if isinstance(dice, Explained) and caster.ratings.of(action) else 0
        answer[action.label] = answer[action.value] = value
    if familiar is not None and familiar.lends:
        answer["bonus_spell"] = CATALOG.powers[familiar.lends[0]].name.lower()
    return answer


def _familiar_hit(given: Given) -> Answer:
    """A foe hits a familiar: its owner loses as much (ruling P19)."""
    slug = "summon-greater-familiar" if given.get("greater") else "summon-familiar"
    owner = person(USER, MIDDLE, luck=given["owner_luck"])
    kind = CATALOG.monsters[content_id(SLUG, "monster", "cat")]
    burden = -(own_power(slug).figures.max_luck or 0)
    familiar = replace(
        monster_being("familiar-1", kind, CATALOG, MIDDLE, side=Side.HEROES),
        luck=given["familiar_luck"],
        leader=USER,
        creature=Creature.FAMILIAR,
        burden=burden,
    )
    owner = replace(owner, max_luck=given.get("max", owner.max_luck) - burden)
    desk = desk_of(scene_of(owner, familiar, light=Light.BRIGHT))
    desk.hit(familiar.id, "", given["familiar_hit"], Action.BATTLE, "a blow")
    left = desk.scene.being(familiar.id)
    after = being_in(desk.scene, USER)
    return {
        "familiar_luck": 0 if left is None else left.luck,
        "owner_luck": after.luck,
        "owner_max": after.max_luck,
        "exists": left is not None,
        "knocked_out": after.out,
    }
