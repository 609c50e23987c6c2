/**
 * Composes the subgraphs' schema files into one supergraph, in this process: no registry, no network.
 */
import { readFileSync } from 'node:fs';
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
