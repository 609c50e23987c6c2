"""DungeonTeller's scenes.

Read in this order: `moves` (what can be done), `state` and `effects` (where a scene stands, what lasts),
`facts` and `evolve` (what happens, and what it changes); `conditions`, `equipment` and `pools` (what holds
just now, and how many dice), `secrecy` (who may know of what), `refusals`, `resolution` and `desk` (a move
being worked out, and the verbs that rules are written in), `question` (what a move asks on its way) and
`targeting` (whom it may be aimed at); then `rules`, the package in which each move and each power has its
rule; `arrivals`, `squares`, `sites` and `setup` (how scenes begin); and what others see of it all: `legal`,
`scene_card`, `view`, `tell` with `sentences`, `bots`, `changes`. `scene` puts them together.
"""
