"""The frame of every game system, and the words that games and clients share.

Read in this order. A character: `problem` (broken rules as values), `explain` (numbers with their reasons),
`sheet`, `codec` with `spelling` and `json_schema` (values to JSON and back), `content` (TOML to frozen data),
`library` with `shelf_index` (content searched), `system` (the protocol that ties them together), `guide`,
`packs`, `tools`. A scene: `play` (the protocol), `steps` (moves as generators), `driver` (from beginning to
end), `position` (a move that waits), `plain` (what every game repeats), `effects` (what lasts), `windows`
(where it acts and people react), `turns`, `buttons` and `offers` (moves as offers), `wording`, `bots`,
`sampling` (fills offers in), `matches`, `simulation` (matches by the million, measured), `work`. The ground:
`grid`, `ways`, `ground`, `site`. Between scenes: `campaign`. Around them: `chance` (a parameter of what is
drawn), `registry` (finds the systems), `playthrough` with `playthrough_text` (golden runs as readable text),
`conformance` (answers case files).
"""
