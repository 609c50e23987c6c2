"""Characters: what a player decides, what is wrong with it, and the sheet that comes of it.

Read in this order: `person` (what choices make of somebody), `budgets`, `permission`, `trait_rules`,
`skill_rules`, `belongings` and `development` (what it costs, and what is wrong with it), `creation` (all of
that together); `standing`, `trying`, `attacks`, `casting` and `hero` (from choices to a sheet), `sheet_lines`
and `sheet`, `build`, `card`; `offering` and `guide` (creation step by step), `advancing`, `random_character`
and `examples`.
"""
