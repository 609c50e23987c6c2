"""The kinds of maps, a package each; `services.map.registry` finds them.

A game with a map of its own touches two folders: that of its system, `services/rules/systems/<game>`, and one
package here. The system has what the game knows of its map: places, kinds, powers, names, procedures, what is
secret. The package has how that is laid out, drawn and shown. Common code of the map service names neither.

How to write a kind, in the order of the work (`realm` has every part; `tests/toys/maps/lanterns` is the
smallest one):

1. `model`: a frozen dataclass of the whole map. A map in cells is a `generation.grid.model.GridMap` instead.
2. `canonical`: the map file, JSON with a `format` and a `format_version`; equal maps have equal bytes.
3. `gates`: what every map must pass, told from the model alone and without the generator's code.
4. `generator`: an object with all that `generation.kind.Generator` asks. Its parameters are a frozen
   dataclass whose fields have defaults; `width` and `height` are among them, and the seed is not. Each stage
   draws from a `Stream` of its own name. Raise `generator_version` when the same seed makes another map.
5. `render/`: the picture as SVG, made with `services.map.render`; a gate over its words.
6. `kind`: `KIND`, a `services.map.kind.MapKind`. Its parts:

   - `filed` (all kinds): how maps are kept, and what of them players know (`secretive`, `for_players`);
   - `making`: the generator, its costs (`curves` tells how to measure them; `infra/gate prices` checks them),
     and a `wish` where maps are asked for in other words than the parameters';
   - `sheet`: size, picture, words, JSON Schema, GeoJSON. Kinds of cells have none: their pictures, exports,
     ground and fog are common;
   - `growth`: what a table may add to a map or change on it, one frozen dataclass for each operation;
   - `leading`: how a scene's document of the map becomes the map, with its pieces as tokens;
   - `site`: a map as the document that a scene of its game is set on.

7. `graphql`: `GRAPH`, a `services.map.graphql.kind.Graph`, where the graph shows more than all maps have.
   This module alone may know the graph; the others are pure.

What follows without another line: `MapKind`, `MapWishInput` and `MapEditInput` of the graph, prices, batches,
formats, the REST paths, files brought along, undo, revisions, `infra/maps`, compiled kernels. Afterwards run
`infra/schema`, which writes the contracts and the JSON Schemas, and add tests to `tests/map`.

Kinds of cells share one map file and the looks of cells, which go by `generation.grid.model.GridKind`: a
further one adds its slug there, and to the looks in `render.grid` where it is to look otherwise than a
dungeon.

A kind imports no other kind; what two of them share belongs to the common packages.
"""
