/**
 * node compose.mjs OUT [PUBLIC]
 *
 * Writes the supergraph of schema/*.graphql (or of HEARTHFORGE_SCHEMA_DIR) to OUT, and to PUBLIC the schema that
 * clients see: without what only the gateway reads. Prints one line per
 * composition error and exits 1 if the schemas do not fit together. The written addresses are placeholders:
 * the running gateway puts the addresses of its environment in their places.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { schemaDirectory, SUBGRAPHS } from './config.mjs';
import { composeSupergraph, CompositionError, placeholder, publicSchema } from './supergraph.mjs';

const [out, seen] = process.argv.slice(2);
if (!out) {
  process.stderr.write('usage: node compose.mjs OUT [PUBLIC]\n');
  process.exit(2);
}
const directory = schemaDirectory(process.env);
const present = SUBGRAPHS.filter((name) => existsSync(`${directory}/${name}.graphql`));
if (present.length === 0) {
  process.stderr.write(`no subgraph schema (${SUBGRAPHS.join(', ')}) found in ${directory}\n`);
  process.exit(1);
}
try {
  const supergraph = composeSupergraph(
    directory,
    Object.fromEntries(present.map((name) => [name, placeholder(name)])),
  );
  writeFileSync(out, supergraph.endsWith('\n') ? supergraph : `${supergraph}\n`);
  if (seen) writeFileSync(seen, `${publicSchema(supergraph)}\n`);
} catch (error) {
  if (!(error instanceof CompositionError)) throw error;
  for (const reason of error.reasons) process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}
