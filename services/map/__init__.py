"""Maps: made from a seed or from dropped dice, kept, played on, drawn and exported.

Read in this order: `kind` (what a kind of map is), `kinds` (the kinds, a package each, and how to write one),
`registry` (finds them); `generation` (what generators share), `render` (map model to pictures), `exports` (to
and from other programs), `ground` (ways, sight, cover, light: questions asked of a grid map), `play` (what
lies on a map at the table), `board` (a map with what lies on it), then the service around them: `service`
(having maps made), `batches`, `table` (playing), `growth` and `leading` (maps that a game changes), `showing`
(pictures and exports), `importing`, `pools` (the processes of both), `deletion`, `erasure` (what goes with
campaigns, scenes and accounts). No module but the kinds' own knows a kind: what differs from kind to kind is
asked of the parts of its `MapKind`.
"""
