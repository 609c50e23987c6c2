"""Games as tables play them: their content, searched and asked by tools, with a table's own packs in it.

Read ``requests`` and ``inspection`` for what packs may hold, ``games`` and ``editions`` for games with packs
in them, ``service`` for what can be done with packs, ``library`` and ``tools`` for what games are asked; then
``graphql``, whose ``systems`` reflects what the game systems declare.
"""
