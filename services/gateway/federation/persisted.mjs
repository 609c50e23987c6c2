/**
 * Automatic persisted queries: a client sends the SHA-256 of a query instead of the query, and the query itself
 * only where this process does not know it (yet, or any more).
 *
 * Anybody may have a text remembered, so that texts are kept within a bound of characters, and none is known by
 * another name than its own hash.
 */
import { createHash } from 'node:crypto';
import { MAX_DOCUMENT_CHARACTERS, rememberTexts } from './documents.mjs';
import { codedError } from './errors.mjs';

const VERSION = 1;
const HASH = /^[0-9a-f]{64}$/;

const bad = (message) => codedError('BAD_REQUEST', message, { status: 400 });

/** @returns {(params: object) => object} puts the query in where only its hash was sent */
export function createPersisted() {
  const texts = rememberTexts(MAX_DOCUMENT_CHARACTERS);

  /**
   * @template {{ query?: unknown, extensions?: unknown }} T
   * @param {T} params  of a request, not yet checked
   * @returns {T}
   * @throws {import('graphql').GraphQLError} `PERSISTED_QUERY_NOT_FOUND` with status 200, which clients expect of
   *   it: they send the query then
   */
  return function withQuery(params) {
    const named = params.extensions?.persistedQuery;
    if (named === undefined || named === null) return params;
    const hash = String(named.sha256Hash).toLowerCase();
    if (named.version !== VERSION || !HASH.test(hash))
      throw bad('"persistedQuery" needs the version 1 and a "sha256Hash" of 64 hexadecimal digits.');
    const { query = '' } = params;
    if (query === '') {
      const known = texts.get(hash);
      if (known === undefined)
        throw codedError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound', { status: 200 });
      return { ...params, query: known };
    }
    if (typeof query !== 'string') return params; // refused with what else is wrong with it
    if (createHash('sha256').update(query).digest('hex') !== hash)
      throw bad('The "sha256Hash" is not that of the query.');
    texts.set(hash, query);
    return params;
  };
}
