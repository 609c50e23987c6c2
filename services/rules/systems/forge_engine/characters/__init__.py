"""The rules of making characters and of their growth: from `choices` to what `build` puts on the sheet.

Read in this order: `person` (attributes, traits and skills of a character), `budgets`, `permission`,
`trait_rules`, `skill_rules`, `belongings` and `development` (costs, and broken rules), `creation` (all of
that together); `standing`, `attribute_tests`, `attacks`, `spells` and `hero` (the lines of the sheet);
`offers` (choices that are still affordable).
"""
