"""Powers on foes and friends: cases answered by playing them in a small scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from services.rules.engine.conformance import Area
from services.rules.engine.grid import Square
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.play.conditions import armor_against
from services.rules.systems.dungeonteller.play.moves import Attack, Danger, Try
from services.rules.systems.dungeonteller.play.pools import ActionRoll, parts_of, pool
from services.rules.systems.dungeonteller.play.state import (
    Climb,
    Duration,
    Effect,
    EffectKind,
    Reflex,
    Until,
)
from tests.conformance.dungeonteller.blows import (
    NEAR,
    against,
    ambush,
    amount_on,
    first,
    foe_of,
    hit,
    knockout,
    pools_in,
    two_foes,
)
from tests.conformance.dungeonteller.holds import pin
from tests.conformance.dungeonteller.reading import (
    CATALOG,
    Answer,
    Given,
    action_called,
    own_power,
    refused,
)
from tests.conformance.dungeonteller.stage import (
    FOE,
    LUCK,
    MIDDLE,
    USER,
    WIN,
    being_in,
    cast,
    legal,
    luck_in,
    move,
    pass_turns,
    person,
    scene_of,
    turn_of,
    user_of,
)

__all__ = ["ANSWERS", "pin"]

FRIEND = "friend"

# Strength


def knockback(given: Given) -> Answer:
    """Knockback: paces the foe is pushed, and where that leaves its pusher."""
    room = first(given, "free_paces", "room", "wall_paces", "paces_to_wall")
    sort = "follow" if first(given, "follow", "step_in", "follows", default=False) else ""
    start = scene_of(user_of("knockback", given), foe_of(given))
    if room is not None:
        grid = replace(start.field.grid, solid=(Square(NEAR.x + room + 1, NEAR.y),))
        start = replace(start, field=replace(start.field, grid=grid))
    desk = cast(start, "knockback", given, {"against": against(given)}, targets=(FOE,), sort=sort)
    if isinstance(desk, RuleProblem):
        return refused(desk)
    paces = being_in(desk.scene, FOE).at.x - NEAR.x
    return legal(
        paces=paces,
        may_follow=paces > 0,
        followed=being_in(desk.scene, USER).at == NEAR,
        luck=luck_in(desk.scene),
    )


def feat(given: Given) -> Answer:
    """Feat of Strength: the Muscle dice for the Luck that is spent."""
    user = user_of("feat-of-strength", given)
    user = replace(user, ratings=Ratings(muscle=given.get("muscle", len(given.get("dice", ())) or LUCK)))
    desk = cast(scene_of(user), "feat-of-strength", given, luck=given.get("spend", 1))
    if isinstance(desk, RuleProblem):
        return refused(desk)
    return legal(pool=pools_in(desk)["power"], successes=desk.successes("power"), luck=luck_in(desk.scene))


def climb(given: Given) -> Answer:
    """Climb: steps passed, or a fall."""
    track = tuple(action_called(name) for name in given["track"])
    at = given.get("at", 0)
    user = user_of("climb", given)
    start = replace(scene_of(user), climbs=(Climb(being=USER, track=track, at=at),))
    desk = cast(start, "climb", given, {"land": tuple(given.get("soft_landing_dice", ()))})
    if isinstance(desk, RuleProblem):
        return refused(desk)
    wall = desk.scene.climbs
    now = wall[0].at if wall else len(track)
    lost = (user.luck or 0) - luck_in(desk.scene)
    return legal(at=now, fell=now < at, done=not wall, luck_lost=lost, luck=luck_in(desk.scene))


def jump(given: Given) -> Answer:
    """Jump: paces, and whether it ends on both feet."""
    shaky = bool(first(given, "unstable", "shaky", "small_landing", default=False))
    faces = {"feet": tuple(given.get("stunt_dice", ()))}
    start = scene_of(user_of("jump", given))
    there = (Square(MIDDLE.x + LUCK, MIDDLE.y),)
    desk = cast(start, "jump", given, faces, squares=there, sort="shaky" if shaky else "")
    if isinstance(desk, RuleProblem):
        return refused(desk)
    return legal(
        paces=being_in(desk.scene, USER).at.x - MIDDLE.x,
        on_feet=not shaky or desk.successes("feet") > 0,
        luck=luck_in(desk.scene),
    )


def soft_landing(given: Given) -> Answer:
    """Soft Landing: the Luck a fall still takes."""
    loss = first(given, "fall_loss", "luck_lost", "fall_luck", "loss")
    feet = given["fall_feet"] if loss is None else 5 * loss
    fell = tuple(given.get("fall_dice", (WIN,) * (feet // 5)))
    user = user_of("soft-landing", given)
    danger = Danger(actor="gm", being=USER, danger="fall", feet=feet)
    desk = move(scene_of(user), danger, {"fall": fell, "land": tuple(given.get("dice", ()))})
    if isinstance(desk, RuleProblem):
        return refused(desk)
    return legal(luck_lost=(user.luck or 0) - luck_in(desk.scene), luck=luck_in(desk.scene))


# Guards


def guard(slug: str, kind: str) -> Area:
    """Shield and Parry: the store after casting and after hits, and the Luck that is left."""

    def answer(given: Given) -> Answer:
        user = user_of(slug, given)
        store = given.get("store", 0)
        lasts = Duration(Until.USED) if kind == EffectKind.SHIELD else Duration(Until.NEXT_TURN, USER)
        kept = Effect(
            id="s-1", kind=kind, bearer=USER, source=USER, cause=own_power(slug).id, amount=store, lasts=lasts
        )
        start = replace(
            scene_of(user, foe_of(given, ratings=Ratings(battle=LUCK, shoot=LUCK))),
            effects=(kept,) if store else (),
        )
        scene, successes = start, 0
        if "dice" in given:
            desk = cast(start, slug, given)
            if isinstance(desk, RuleProblem):
                return refused(desk)
            scene, successes = desk.scene, desk.successes("power")
        if first(given, "next_turn", "own_next_turn", "turn_passed", default=False):
            scene = pass_turns(turn_of(scene, USER), 2)
        for blow in given.get("hits", ()):
            action = action_called(blow["action"])
            attack = Attack(actor=FOE, action=action, target=USER)
            struck = move(turn_of(scene, FOE), attack, {"attack": (WIN,) * blow["successes"]})
            if isinstance(struck, RuleProblem):
                return refused(struck)
            scene = struck.scene
        return legal(
            successes=successes,
            store=amount_on(scene, USER, kind),
            luck=luck_in(scene),
            knocked_out=being_in(scene, USER).out,
        )

    return answer


def dodge(given: Given) -> Answer:
    """Dodge: the dice that are left to each foe, and what it costs to dodge them all."""
    number = given.get("foes", 1)
    stunt = first(given, "stunt", "dodge_stunt", default=0)
    armor = first(given, "armor", "target_armor", default=0)
    scene = scene_of(
        person(
            USER,
            MIDDLE,
            ratings=Ratings(stunt=stunt),
            luck=given.get("luck", LUCK),
            armor=armor,
            reflex=Reflex.ASK,
        ),
        *(
            foe_of(
                {},
                Square(NEAR.x, NEAR.y - 1 + index % 3),
                id=f"{FOE}-{index}",
                luck=None,
                ratings=Ratings(battle=first(given, "foe_dice", "dice_count", default=LUCK)),
            )
            for index in range(number)
        ),
    )
    left = 0
    for index in range(number):
        foe = f"{FOE}-{index}"
        asked = move(turn_of(scene, foe), Attack(actor=foe, action=Action.BATTLE, target=USER))
        if isinstance(asked, RuleProblem):
            return refused(asked)
        if not asked.asks:
            return {"legal": False, "error": "not_enough_luck", "luck": luck_in(scene)}
        done = asked.yes()
        scene, left = done.scene, pools_in(done)["attack"]
    return legal(foe_dice=left, dice=left, pool=left, luck=luck_in(scene))


# Foes under a spell


def bound(slug: str, kind: str) -> Area:
    """Trance, Fear, Turn to Stone: whether it works, for how long, and what it does."""

    def answer(given: Given) -> Answer:
        start = scene_of(user_of(slug, given), foe_of(given))
        desk = cast(start, slug, given, {"against": against(given)}, targets=(FOE,))
        if isinstance(desk, RuleProblem):
            return refused(desk)
        scene = pass_turns(desk.scene, 2 * given.get("turns_later", 0))
        made = scene.effects_on(FOE, kind)
        user, foe = being_in(scene, USER), being_in(scene, FOE)
        losses = parts_of(scene, foe, Action.BATTLE, against=user)
        return legal(
            works=bool(made),
            asleep=kind == EffectKind.ASLEEP and bool(made),
            successes=max(0, desk.successes("power") - desk.successes("against")),
            net=max(0, desk.successes("power") - desk.successes("against")),
            turns=sum(effect.lasts.left for effect in made),
            battle_shoot_penalty=-sum(part.value for part in losses),
            keep_away_paces=(own_power(slug).figures.keep_away_paces or 0) if made else 0,
            armor=armor_against(scene, CATALOG, foe, Action.BATTLE, user),
            can_act=desk.desk.able(FOE),
            luck=luck_in(scene),
        )

    return answer


def counterspell(given: Given) -> Answer:
    """Counterspell: the Magic dice of the foe's next roll."""
    foe = foe_of(given, ratings=Ratings(magic=given.get("foe_magic", 1)), luck=given.get("foe_luck"))
    desk = cast(scene_of(user_of("counterspell", given), foe), "counterspell", given, targets=(FOE,))
    if isinstance(desk, RuleProblem):
        return refused(desk)
    left = pool(desk.scene, CATALOG, being_in(desk.scene, FOE), ActionRoll((Action.MAGIC,)))
    if isinstance(left, RuleProblem):
        return refused(left)
    return legal(foe_magic=left.value, successes=desk.successes("power"), luck=luck_in(desk.scene))


def drive_away(given: Given) -> Answer:
    """Drive Away Undead: how many keep away."""
    count = first(given, "undead", "undead_present", "targets", "foes", default=LUCK)
    number = count if isinstance(count, int) and not isinstance(count, bool) else LUCK
    tags = tuple(given.get("target_tags", ("undead",)))
    undead = given.get("target_undead", True)
    foes = tuple(
        foe_of(given, Square(NEAR.x, index), id=f"{FOE}-{index}", tags=tags if undead else ("living",))
        for index in range(number)
    )
    targets = tuple(foe.id for foe in foes)
    desk = cast(
        scene_of(user_of("drive-away-undead", given), *foes), "drive-away-undead", given, targets=targets
    )
    if isinstance(desk, RuleProblem):
        return refused(desk)
    driven = [effect for effect in desk.scene.effects if effect.kind == EffectKind.DRIVEN_AWAY]
    return legal(
        driven_away=len(driven),
        kept_away=len(driven),
        affected=len(driven),
        count=len(driven),
        turns=max((effect.lasts.left for effect in driven), default=0),
        works=bool(driven),
        luck=luck_in(desk.scene),
    )


# Friends


def inspire(given: Given) -> Answer:
    """Inspire: dice to lend, and the pools of friends they are lent to."""
    lent = given.get("dice_to_lend", 0)
    pools = tuple(given.get("friend_pools", ()))
    friends = tuple(
        person(
            f"{FRIEND}-{index}",
            Square(NEAR.x, index),
            ratings=Ratings(stunt=dice),
            luck=given.get("friend_luck"),
        )
        for index, dice in enumerate(pools)
    )
    start = scene_of(user_of("inspire", given), *friends)
    kept = Effect(id="i-1", kind=EffectKind.INSPIRED, bearer=USER, source=USER, amount=lent)
    scene = replace(start, effects=(kept,) if lent else ())
    if "dice" in given:
        desk = cast(scene, "inspire", given)
        if isinstance(desk, RuleProblem):
            return refused(desk)
        scene = desk.scene
    to_lend = amount_on(scene, USER, EffectKind.INSPIRED)
    found = []
    for friend, dice in zip(friends, given.get("split", ()), strict=False):
        tried = move(turn_of(scene, friend.id), Try(actor=friend.id, action=Action.STUNT, inspired=dice))
        if isinstance(tried, RuleProblem):
            return refused(tried)
        scene = tried.scene
        found.append(pools_in(tried)["try"])
    return legal(
        dice_to_lend=to_lend,
        pools=found,
        left=amount_on(scene, USER, EffectKind.INSPIRED),
        luck=luck_in(scene),
    )


def heal(given: Given) -> Answer:
    """Hand of Healing: how much goes over, and what both have then (ruling P31)."""
    most = given.get("friend_max", LUCK)
    friend = person(FRIEND, _reach(given), luck=given.get("friend_luck", 0), max_luck=most)
    wish = first(given, "give", "transfer", "wish", default=0)
    start = scene_of(user_of("hand-of-healing", given), friend)
    desk = cast(start, "hand-of-healing", given, targets=(FRIEND,), luck=wish)
    if isinstance(desk, RuleProblem):
        return refused(desk)
    after = luck_in(desk.scene, FRIEND)
    return legal(
        can_transfer=after - (friend.luck or 0),
        transferred=after - (friend.luck or 0),
        successes=desk.successes("power"),
        luck=luck_in(desk.scene),
        friend_luck=after,
    )


def cure(slug: str, kind: str, key: str) -> Area:
    """Antidote and Restore: whether poison or stone is gone."""

    def answer(given: Given) -> Answer:
        sick = Effect(id="e-1", kind=kind, bearer=FRIEND, amount=2)
        start = scene_of(user_of(slug, given), person(FRIEND, _reach(given)))
        scene = replace(start, effects=(sick,) if given.get(key, True) else ())
        desk = cast(scene, slug, given, targets=(FRIEND,))
        if isinstance(desk, RuleProblem):
            return refused(desk)
        gone = not desk.scene.has(FRIEND, kind)
        return legal(works=gone, **{key: not gone}, luck=luck_in(desk.scene))

    return answer


def _reach(given: Given) -> Square:
    """Where a friend stands: beside, but for a case that says otherwise."""
    far = 2 if first(given, "touch", "touching", "in_reach", default=True) is False else 1
    return Square(MIDDLE.x + given.get("paces", far), MIDDLE.y)


ANSWERS: Mapping[str, Area] = {
    "ambush": ambush,
    "antidote": cure("antidote", EffectKind.POISONED, "poisoned"),
    "charge": hit("charge", Square(MIDDLE.x + 8, MIDDLE.y), Square(MIDDLE.x + 7, MIDDLE.y)),
    "climb": climb,
    "counterspell": counterspell,
    "dodge": dodge,
    "drive-away-undead": drive_away,
    "fear": bound("fear", EffectKind.AFRAID),
    "feat-of-strength": feat,
    "fist-of-justice": hit("fist-of-justice"),
    "hand-of-healing": heal,
    "inspire": inspire,
    "jump": jump,
    "knockback": knockback,
    "knockout": knockout,
    "parry": guard("parry", EffectKind.PARRY),
    "rapid-fire": two_foes("rapid-fire"),
    "restore": cure("restore", EffectKind.PETRIFIED, "petrified"),
    "shield": guard("shield", EffectKind.SHIELD),
    "smite": hit("smite"),
    "soft-landing": soft_landing,
    "sweep": two_foes("sweep"),
    "trance": bound("trance", EffectKind.ASLEEP),
    "turn-to-stone": bound("turn-to-stone", EffectKind.PETRIFIED),
    "zap": hit("zap"),
}
"""How the cases of each power are answered, by the slug of the power."""
