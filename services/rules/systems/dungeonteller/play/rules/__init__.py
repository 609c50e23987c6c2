"""The rules of DungeonTeller's scenes, a file for each thing that the book has a word for.

`dispatch` names the rule of each kind of move: `turn`, `moving`, `battle` (with `dodge`), `action` (a try),
`grapple` (Pin: grabbing, squeezing, getting free), `stuff` (what is held, taken and given), `doors`,
`dismissal`, `power` (how any power is used) with a function for each in `powers`, and `master`. `harm`,
`falls`, `feat`, `gear` and `tricks` are parts of several.
"""
