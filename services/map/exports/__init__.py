"""Maps for other programs, and maps from them: pure functions from models to bytes and back.

Each export writes exactly the map it is given: for a player's file the caller passes `for_players(model)`, in
which a secret door is wall; the whole map makes the game master's file. Pictures are passed in as bytes or by
the name of their file; nothing is drawn here.

Read in this order: `geometry` (what stops sight and walking, as lines), `outlines` (cells as rings); the
formats `uvtt`, `foundry`, `tiled`, `owlbear`, `geojson`; the way back `refusals` (problems of a file),
`soundness` (what a grid map must hold to), `uvtt_file`,
`uvtt_import`, `own`; `schemas` (the published JSON Schemas).
"""
