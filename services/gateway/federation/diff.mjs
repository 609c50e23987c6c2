/**
 * node diff.mjs OLD NEW
 *
 * Compares two schema files (subgraphs or supergraphs; of a supergraph, what clients see). Prints `BREAKING`
 * and `DANGEROUS` lines; exit 1 if anything breaks clients. What was deprecated in OLD may go.
 */
import { readFileSync } from 'node:fs';
import { buildASTSchema, parse } from 'graphql';
import { CriticalityLevel, diff, DiffRule } from '@graphql-inspector/core';
import { transformSupergraphToPublicSchema } from '@theguild/federation-composition';

const files = process.argv.slice(2);
if (files.length !== 2) {
  process.stderr.write('usage: node diff.mjs OLD NEW\n');
  process.exit(2);
}

/** Directives of federation are not part of what clients see, and need no definition here. */
function readSchema(file) {
  const text = readFileSync(file, 'utf8');
  const document = parse(text, { noLocation: true });
  const visible = /@join__/.test(text) ? transformSupergraphToPublicSchema(document) : document;
  return buildASTSchema(visible, { assumeValidSDL: true });
}

const [older, newer] = files.map(readSchema);
const changes = await diff(older, newer, [DiffRule.suppressRemovalOfDeprecatedField]);
let breaking = 0;
for (const { type, criticality, message } of changes) {
  if (type.startsWith('DIRECTIVE_USAGE')) continue;
  if (criticality.level === CriticalityLevel.Breaking) {
    breaking += 1;
    process.stdout.write(`BREAKING ${message}\n`);
  } else if (criticality.level === CriticalityLevel.Dangerous) {
    process.stdout.write(`DANGEROUS ${message}\n`);
  }
}
process.exitCode = breaking > 0 ? 1 : 0;
