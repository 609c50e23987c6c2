"""Cases about tricks, talk and lore: each plays the power in a small scene and reads what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.explain import Explained
from services.rules.engine.grid import Square
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.bestiary import Size
from services.rules.systems.dungeonteller.catalog import called
from services.rules.systems.dungeonteller.play.facts import Event, Happened, LuckChanged
from services.rules.systems.dungeonteller.play.moves import Attack
from services.rules.systems.dungeonteller.play.pools import ActionRoll, pool
from services.rules.systems.dungeonteller.play.rules.powers.journeys import Journey
from services.rules.systems.dungeonteller.play.rules.tricks import is_trick, see_through
from services.rules.systems.dungeonteller.play.state import (
    Being,
    Creature,
    Duration,
    Effect,
    EffectKind,
    Scene,
    Side,
    Thing,
    Until,
)
from services.rules.systems.dungeonteller.powers import Light
from tests.conformance.dungeonteller.companions import summon, tame_animal
from tests.conformance.dungeonteller.hidden import hidden
from tests.conformance.dungeonteller.reading import (
    CATALOG,
    Answer,
    Given,
    own_power,
    refused,
    successes_in,
)
from tests.conformance.dungeonteller.stage import (
    FOE,
    MIDDLE,
    USER,
    Stage,
    being_in,
    cast,
    legal,
    luck_in,
    move,
    person,
    rolled,
    scene_of,
    user_of,
)

__all__ = ["ANSWERS", "hidden", "summon"]

FRIEND = "friend"
THING = "thing"
BESIDE = Square(MIDDLE.x + 1, MIDDLE.y)
NEAR = Square(MIDDLE.x + 2, MIDDLE.y)


def _open(*beings: Being, **changes: Any) -> Scene:
    """A hall in bright light, so that nothing but the power counts."""
    return replace(scene_of(*beings, light=Light.BRIGHT), **changes)


def _refused(problem: RuleProblem, given: Given) -> Answer:
    """A broken rule; nothing was paid."""
    return {**refused(problem), **({"luck": given["luck"]} if "luck" in given else {})}


def _foe(given: Given, at: Square = NEAR, **changes: Any) -> Being:
    """The other side of a power, as the case says it is."""
    size = Size(given.get("target_size", "human"))
    talk = given.get("target_talk", given.get("creature_talk", 1))
    dice = len(given.get("opposing_dice", ())) or 1
    ratings = Ratings(resist=dice, notice=dice, talk=talk)
    return replace(person(FOE, at, Side.FOES, ratings=ratings, size=size), **changes)


def _against(given: Given) -> dict[str, tuple[int, ...]]:
    return {"against": tuple(given.get("opposing_dice", ()))}


def _is(event: Event, code: str) -> bool:
    return isinstance(event, Happened) and event.code == code


# Tricks


def _trick(slug: str, given: Given, **how: Any) -> tuple[Stage, bool] | RuleProblem:
    """Play a trick and let a being doubt it."""
    user = user_of(slug, given)
    desk = cast(_open(user, _foe(given)), slug, given, **how)
    if isinstance(desk, RuleProblem):
        return desk
    made = [effect for effect in desk.scene.effects if is_trick(effect)]
    looked = successes_in(given, "opposing_dice")
    return desk, any(see_through(desk.desk, FOE, effect.id, looked) for effect in made)


def disguise(given: Given) -> Answer:
    """Disguise: as many Notice successes see through it."""
    played = _trick("disguise", given, words="a goblin")
    if isinstance(played, RuleProblem):
        return _refused(played, given)
    desk, seen = played
    on = desk.scene.has(USER, EffectKind.DISGUISED)
    return legal(
        seen_through=seen,
        works=on,
        disguised=on,
        fooled=on and not seen,
        successes=rolled(desk),
        luck=luck_in(desk.scene),
    )


def voice_trick(given: Given) -> Answer:
    """Voice Trick: more Notice successes are needed."""
    played = _trick("voice-trick", given, words="a guard")
    if isinstance(played, RuleProblem):
        return _refused(played, given)
    desk, seen = played
    on = desk.scene.has(USER, EffectKind.VOICE)
    return legal(
        fooled=on and not seen, seen_through=seen, works=on, successes=rolled(desk), luck=luck_in(desk.scene)
    )


def phantom(given: Given) -> Answer:
    """Phantom: more Notice successes are needed, and any attack shows what it is."""
    how = {"targets": (FOE,)} if "target_size" in given else {}
    played = _trick("phantom", given, **how)
    if isinstance(played, RuleProblem):
        return _refused(played, given)
    desk, seen = played
    made = next((being for being in desk.scene.beings if being.creature is Creature.PHANTOM), None)
    exists = made is not None
    luck = luck_in(desk.scene)
    if made is not None and any(given.get(key) for key in ("attacked", "attack", "hit")):
        foe = replace(being_in(desk.scene, FOE), at=made.at)
        own_turn = replace(
            _open(foe, made, *(one for one in desk.scene.beings if one.id not in (FOE, made.id)))
        )
        struck = move(own_turn, Attack(actor=FOE, action=Action.BATTLE, target=made.id))
        exists = isinstance(struck, Stage) and struck.scene.being(made.id) is not None
    return legal(
        seen_through=seen,
        believed=exists and not seen,
        fooled=exists and not seen,
        works=made is not None,
        exists=exists,
        successes=rolled(desk),
        luck=luck,
    )


def eye(given: Given) -> Answer:
    """Eye: how long, how well it hides and sees, and what one success does to it."""
    user = user_of("eye", given)
    user = replace(user, ratings=replace(user.ratings, notice=given.get("notice", 2)))
    desk = cast(_open(user, _foe(given)), "eye", given)
    if isinstance(desk, RuleProblem):
        return _refused(desk, given)
    made = next((being for being in desk.scene.beings if being.creature is Creature.EYE), None)
    turns = sum(effect.lasts.left for effect in desk.scene.effects_on(USER, EffectKind.NOTE))
    answer = legal(turns=turns, works=made is not None, luck=luck_in(desk.scene), successes=rolled(desk))
    if made is None:
        return {**answer, "exists": False, "destroyed": False}
    hits = given.get("hits", given.get("hit", 0))
    taken = sum(hit.get("successes", 1) for hit in hits) if isinstance(hits, list) else int(hits)
    desk.desk.hit(made.id, FOE, taken, Action.BATTLE, "a blow")
    exists = desk.scene.being(made.id) is not None
    dice = pool(desk.scene, CATALOG, made, ActionRoll((Action.NOTICE,)), reacting=True)
    seen = dice.value if isinstance(dice, Explained) else 0
    return {
        **answer,
        "sneak": made.ratings.sneak,
        "notice": seen,
        "move": made.move,
        "exists": exists,
        "destroyed": not exists,
    }


# Words


def tongues(given: Given) -> Answer:
    """Tongues: whom it lets a being speak with."""
    desk = cast(_open(user_of("tongues", given), _foe(given)), "tongues", given)
    if isinstance(desk, RuleProblem):
        return _refused(desk, given)
    on = desk.scene.has(USER, EffectKind.TONGUES)
    talks = on and being_in(desk.scene, FOE).ratings.talk >= 1
    return legal(understands=talks, works=on, successes=rolled(desk), luck=luck_in(desk.scene))


def duress(given: Given) -> Answer:
    """Duress: who has to answer."""
    desk = cast(
        _open(user_of("duress", given), _foe(given)), "duress", given, _against(given), targets=(FOE,)
    )
    if isinstance(desk, RuleProblem):
        return _refused(desk, given)
    owes = desk.scene.has(FOE, EffectKind.NOTE)
    return legal(
        works=owes,
        must_answer=owes,
        answers=owes,
        truthful=owes,
        successes=rolled(desk),
        luck=luck_in(desk.scene),
    )


def deceive(given: Given) -> Answer:
    """Deceive: who believes the lie (ruling P14)."""
    desk = cast(
        _open(user_of("deceive", given), _foe(given)), "deceive", given, _against(given), targets=(FOE,)
    )
    if isinstance(desk, RuleProblem):
        return _refused(desk, given)
    fooled = desk.scene.has(FOE, EffectKind.NOTE)
    return legal(works=fooled, fooled=fooled, successes=rolled(desk), luck=luck_in(desk.scene))


def secret_message(given: Given) -> Answer:
    """Secret Message: whether the whisper is heard."""
    friend = person(FRIEND, NEAR)
    desk = cast(
        _open(user_of("secret-message", given), friend),
        "secret-message",
        given,
        targets=(FRIEND,),
        words="Psst!",
    )
    if isinstance(desk, RuleProblem):
        return _refused(desk, given)
    heard = any(_is(event, "power.secret-message.words") for event in desk.events)
    return legal(
        works=heard,
        heard=heard,
        delivered=heard,
        overheard=False,
        successes=rolled(desk),
        luck=luck_in(desk.scene),
    )


def sense_malice(given: Given) -> Answer:
    """Sense Malice: what the paladin learns of the enemies there are."""
    far = _paces(given)
    corner = Square(0, MIDDLE.y)
    foes = tuple(
        person(f"{FOE}-{number}", Square(paces, MIDDLE.y), Side.FOES, hidden=3, tags=("living", "malicious"))
        for number, paces in enumerate(far, start=1)
    )
    scene = scene_of(user_of("sense-malice", given, at=corner), *foes)
    desk = cast(scene, "sense-malice", given)
    if isinstance(desk, RuleProblem):
        return _refused(desk, given)
    code = "power.sense-malice."
    told = [
        event.code for event in desk.events if isinstance(event, Happened) and event.code.startswith(code)
    ]
    learn = [name for one in told if (name := one.removeprefix(code)) not in ("failed", "nobody")]
    return legal(
        learn=learn,
        presence="presence" in learn,
        senses=bool(learn),
        successes=rolled(desk),
        luck=luck_in(desk.scene),
    )


def _paces(given: Given) -> list[int]:
    """How far away each enemy of a case is; one nearby when it names none."""
    if "feet" in given or "enemy_feet" in given:
        return [-(-int(given.get("feet", given.get("enemy_feet", 0))) // 5)]
    for key in ("paces", "enemy_paces", "distance"):
        if key in given:
            return list(given[key]) if isinstance(given[key], list) else [given[key]]
    enemies = given.get("enemies", given.get("foes", 1))
    if isinstance(enemies, list):
        return [one["paces"] if isinstance(one, Mapping) else one for one in enemies]
    return [3] * int(enemies)


# Lore


def appraise(given: Given) -> Answer:
    """Appraise: whether the value is learnt, and that there is one try for each thing."""
    needed = given.get("needed", given.get("successes_needed", 2 if given.get("rare") else 1))
    thing = Thing(id=THING, name="cup", value=given.get("value", 30), appraise=needed, at=NEAR)
    scene = _open(user_of("appraise", given), things=(thing,))
    for number in range(given.get("tries", 0)):
        other = THING if given.get("item", "same") == "same" else "another"
        tried = Effect(
            id=f"tried-{number + 1}",
            kind=EffectKind.TRIED,
            bearer=USER,
            source=USER,
            cause=own_power("appraise").id,
            about=other,
        )
        scene = replace(scene, effects=(*scene.effects, tried))
    desk = cast(scene, "appraise", given, targets=(THING,))
    if isinstance(desk, RuleProblem):
        return _refused(desk, given)
    known = any(_is(event, "power.appraise") for event in desk.events)
    return legal(
        works=known,
        known=known,
        value_known=known,
        knows_value=known,
        value=thing.value if known else None,
        successes=rolled(desk),
        luck=luck_in(desk.scene),
    )


def corrosion(given: Given) -> Answer:
    """Corrosion: whether a thing of the list falls to pieces."""
    name = given.get("object", "Dagger")
    item = called(CATALOG.weapons, name) or called(CATALOG.armor, name)
    if item is None and called(CATALOG.objects, name) is None and "object_luck" not in given:
        raise UnsupportedCaseError(f"no object is called {name!r}")
    thing = Thing(
        id=THING,
        name=name,
        item="" if item is None else item.id,
        luck=given.get("object_luck"),
        magical=bool(given.get("magical")),
        at=NEAR,
    )
    desk = cast(_open(user_of("corrosion", given), things=(thing,)), "corrosion", given, targets=(THING,))
    if isinstance(desk, RuleProblem):
        return _refused(desk, given)
    gone = not desk.scene.things
    return legal(destroyed=gone, works=gone, successes=rolled(desk), luck=luck_in(desk.scene))


def create_hippogriff(given: Given) -> Answer:
    """Create Hippogriff: how far it carries, after what is not known of the destination."""
    riders = given.get("riders", given.get("companions", 0) + 1) - 1
    friends = tuple(person(f"{FRIEND}-{number}", BESIDE) for number in range(max(riders, 0)))
    scene = _open(user_of("create-hippogriff", given), *friends, person("stays", NEAR))
    goal = given.get("destination", "seen")
    desk = cast(
        scene,
        "create-hippogriff",
        given,
        sort=goal,
        words="home",
        targets=tuple(friend.id for friend in friends),
    )
    if isinstance(desk, RuleProblem):
        return _refused(desk, given)
    told = next(event for event in desk.events if isinstance(event, Happened))
    paid = [event.luck for event in desk.events if isinstance(event, LuckChanged) and event.being == USER]
    journey = Journey(told.successes)
    return legal(
        net=journey.successes,
        miles=journey.miles,
        hours=journey.hours,
        works=journey.successes > 0,
        successes=rolled(desk),
        leaves=desk.scene.being(USER) is None,
        luck=paid[-1],
    )


def undo_magic(given: Given) -> Answer:
    """Undo Magic: against a spell of so much Magic, or a lasting enchantment that only sleeps for a turn."""
    magic = given["caster_magic"]
    foe = _foe(given)
    spell = Effect(
        id="petrified-1",
        kind=EffectKind.PETRIFIED,
        bearer=FOE,
        source=FOE,
        cause=own_power("turn-to-stone").id,
        strength=magic,
    )
    sword = Thing(id=THING, name="flaming longsword", magical=True, holder=FOE, tags=(f"magic:{magic}",))
    if given.get("permanent"):
        scene, aim = _open(user_of("undo-magic", given), foe, things=(sword,)), THING
    else:
        scene, aim = _open(user_of("undo-magic", given), foe, effects=(spell,)), FOE
    desk = cast(scene, "undo-magic", given, targets=(aim,))
    if isinstance(desk, RuleProblem):
        return _refused(desk, given)
    sleeping = desk.scene.effects_on(FOE, EffectKind.SUPPRESSED)
    turns = sum(_turns(effect.lasts) for effect in sleeping)
    ended = not desk.scene.has(FOE, EffectKind.PETRIFIED) and not given.get("permanent")
    return legal(
        works=ended or bool(sleeping),
        suppressed_turns=turns,
        ended=ended,
        successes=rolled(desk),
        luck=luck_in(desk.scene),
    )


def _turns(lasts: Duration) -> int:
    return lasts.left if lasts.until is Until.TURNS else 0


ANSWERS: dict[str, Area] = {
    "appraise": appraise,
    "corrosion": corrosion,
    "create-hippogriff": create_hippogriff,
    "deceive": deceive,
    "disguise": disguise,
    "duress": duress,
    "eye": eye,
    "phantom": phantom,
    "raise-skeleton": summon,
    "raise-zombie": summon,
    "secret-message": secret_message,
    "sense-malice": sense_malice,
    "summon-familiar": summon,
    "summon-greater-familiar": summon,
    "summon-orc": summon,
    "tame-animal": tame_animal,
    "tongues": tongues,
    "undo-magic": undo_magic,
    "voice-trick": voice_trick,
}
"""Areas `power_use` and `summon` by the slug of the power."""
