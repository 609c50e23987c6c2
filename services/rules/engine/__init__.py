"""What every game system offers, and the words it offers it in.

Read in this order: `problem` (how a broken rule is told), `explain` (numbers that say why), `sheet` (what any
client can draw), `codec` (values to JSON and back), `content` (TOML to frozen data), `system` (the protocol
that ties them together), `play` (the protocol of scenes) with `grid`, `areas` and `site`, `table` (drives a
scene) and `sampling` (fills offers in), `chance` (what content is drawn from), `registry` (finds the
systems), `playthrough` with `playthrough_text` (golden runs as readable text), `conformance` (answers case
files).
"""
