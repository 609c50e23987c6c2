/**
 * Reads the supergraph that was composed of the subgraphs' schema files, or composes it, in this process: no
 * registry, no network.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parse, print } from 'graphql';
import {
  compositionHasErrors,
  composeServices,
  transformSupergraphToPublicSchema,
} from '@theguild/federation-composition';

/** The schema files do not fit together. One message per reason. */
export class CompositionError extends Error {
  name = 'CompositionError';

  /** @param {string[]} reasons */
  constructor(reasons) {
    super(`the subgraphs do not compose: ${reasons.join('; ')}`);
    this.reasons = reasons;
  }
}

/** The name that `compose.mjs` gives its supergraph, beside the subgraphs' schema files. */
const COMPOSED = 'supergraph.graphql';

/** The address that stands in a composed supergraph for a subgraph's own. */
export const placeholder = (name) => `http://${name}`;

/**
 * The supergraph of a folder: the one that lies there composed, else composed of what lies there, which takes
 * about as long as all else that the gateway does at its start.
 * @param {string} directory            folder of `<name>.graphql`
 * @param {Record<string, string>} urls a base address of each subgraph
 * @returns {string} the supergraph SDL, with these addresses
 * @throws {CompositionError}
 */
export function readSupergraph(directory, urls) {
  const file = `${directory}/${COMPOSED}`;
  if (!existsSync(file)) return composeSupergraph(directory, urls);
  const addressed = (supergraph, [name, url]) => {
    const standing = `url: "${placeholder(name)}/graphql"`;
    if (!supergraph.includes(standing)) throw new CompositionError([`${COMPOSED} was made without ${name}`]);
    return supergraph.replace(standing, () => `url: ${JSON.stringify(`${url}/graphql`)}`);
  };
  return Object.entries(urls).reduce(addressed, readFileSync(file, 'utf8'));
}

/**
 * @param {string} directory            folder of `<name>.graphql`
 * @param {Record<string, string>} urls private base address of each subgraph to compose
 * @returns {string} the supergraph SDL
 * @throws {CompositionError}
 */
export function composeSupergraph(directory, urls) {
  const reasons = [];
  const services = Object.entries(urls).flatMap(([name, url]) => {
    try {
      return {
        name,
        url: `${url}/graphql`,
        typeDefs: parse(readFileSync(`${directory}/${name}.graphql`, 'utf8')),
      };
    } catch (error) {
      reasons.push(`${name}.graphql: ${error.message}`);
      return [];
    }
  });
  if (reasons.length > 0) throw new CompositionError(reasons);
  const result = composeServices(services);
  if (compositionHasErrors(result)) throw new CompositionError(result.errors.map((error) => error.message));
  return result.supergraphSdl;
}

/**
 * The schema that clients see of a supergraph, as SDL.
 * @param {string} supergraph
 */
export function publicSchema(supergraph) {
  return print(transformSupergraphToPublicSchema(parse(supergraph, { noLocation: true })));
}
