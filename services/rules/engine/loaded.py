"""Every game, loaded: processes that are forked after this was imported need load none of them."""

from services.rules.engine.registry import mechanics, named_dice, systems

SYSTEMS, MECHANICS, DICE = systems(), mechanics(), named_dice()
