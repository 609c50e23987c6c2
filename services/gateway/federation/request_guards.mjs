/**
 * Reads a GraphQL request off the wire and refuses what is none, before anything costly happens.
 *
 * Media types, size and nesting are checked on bytes, so that neither a 100,000-deep document nor a form post
 * from a foreign page ever reaches a parser that could choke on it.
 */
import { MAX_DIGITS } from './document_limits.mjs';
import { codedError } from './errors.mjs';
import { Refused } from './problems.mjs';
import { beyond, MOST, scanJson } from './values.mjs';

const MAX_JSON_DEPTH = 64;
/** The runtime caches parsed documents by their text: short texts keep that cache small. */
const MAX_QUERY_CHARACTERS = 64 * 1024;

const ANSWERABLE =
  /\*\/\*|application\/(\*|json|graphql-response\+json)|text\/event-stream|multipart\/mixed/i;
const JSON_TYPE = /^application\/(graphql\+)?json\s*(;|$)/i;
const CHARSET = /charset\s*=\s*"?([^";\s]+)/i;

const bad = (message) => codedError('BAD_REQUEST', message, { status: 400 });

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {URL} url
 * @param {() => Promise<Buffer>} readBody  reads the body, see {@link import('./intake.mjs').createIntake}
 * @param {ReturnType<import('./persisted.mjs').createPersisted>} withQuery
 * @returns {Promise<{ params: object, values: import('./values.mjs').Values }>}
 *   `params`: `{ query, variables, operationName, extensions }` as sent, not yet checked further
 * @throws {import('graphql').GraphQLError} with an HTTP status
 */
export async function readGraphqlRequest(request, url, readBody, withQuery) {
  if (request.method !== 'GET' && request.method !== 'POST') {
    throw codedError('METHOD_NOT_ALLOWED', 'Use GET or POST.', {
      status: 405,
      headers: { allow: 'GET, POST, OPTIONS' },
    });
  }
  if (!ANSWERABLE.test(request.headers.accept ?? '*/*')) {
    throw codedError(
      'NOT_ACCEPTABLE',
      'Accept application/graphql-response+json, application/json or text/event-stream.',
      { status: 406 },
    );
  }
  const { value: params, values } =
    request.method === 'GET' ? fromQuery(url.searchParams) : parseJson(await jsonBody(request, readBody));
  if (Array.isArray(params)) throw bad('Batches are not supported: send one operation a request.');
  if (params === null || typeof params !== 'object') throw bad('The body must be a JSON object.');
  return { params: checkParams(withQuery(params)), values };
}

/**
 * Refuse what the runtime would only throw at.
 * @template {object} T
 * @param {T} params
 * @returns {T}
 */
export function checkParams(params) {
  const { query, operationName, variables, extensions, ...unknown } = params;
  const isObject = (value) => typeof value === 'object' && !Array.isArray(value);
  if (typeof query !== 'string') throw bad('Send the "query" as a string.');
  if (typeof (operationName ?? '') !== 'string') throw bad('"operationName" must be a string.');
  if (!isObject(variables ?? {})) throw bad('"variables" must be an object.');
  if (!isObject(extensions ?? {})) throw bad('"extensions" must be an object.');
  if (Object.keys(unknown).length > 0)
    throw bad(`A GraphQL request has no "${Object.keys(unknown)[0].slice(0, 40)}".`);
  if (query.length > MAX_QUERY_CHARACTERS) {
    throw codedError(
      'QUERY_TOO_LARGE',
      `The query has more than ${MAX_QUERY_CHARACTERS} characters. Send long values as variables.`,
      {
        status: 400,
        limit: 'characters',
        allowed: MAX_QUERY_CHARACTERS,
      },
    );
  }
  return params;
}

function fromQuery(search) {
  const params = {};
  const values = { elements: 0, keys: 0 };
  for (const name of ['query', 'operationName']) if (search.has(name)) params[name] = search.get(name);
  for (const name of ['variables', 'extensions']) {
    if (!search.get(name)) continue;
    const found = parseJson(Buffer.from(search.get(name)));
    params[name] = found.value;
    values.elements += found.values.elements;
    values.keys += found.values.keys;
  }
  return { value: params, values };
}

async function jsonBody(request, readBody) {
  const type = request.headers['content-type'] ?? '';
  const charset = CHARSET.exec(type)?.[1].toLowerCase() ?? 'utf-8';
  if (
    !JSON_TYPE.test(type) ||
    (charset !== 'utf-8' && charset !== 'utf8') ||
    request.headers['content-encoding']
  ) {
    throw codedError('UNSUPPORTED_MEDIA_TYPE', 'Post application/json in UTF-8, not compressed.', {
      status: 415,
    });
  }
  try {
    return await readBody();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { status, code, message, headers } = error;
    throw codedError(code, message, { status, headers });
  }
}

/**
 * @param {Buffer} bytes
 * @returns {{ value: unknown, values: import('./values.mjs').Values }} what it says, and how many values it holds
 * @throws {import('graphql').GraphQLError}
 */
export function parseJson(bytes) {
  const values = checkBytes(bytes);
  try {
    return { value: JSON.parse(bytes.toString('utf8')), values };
  } catch {
    throw bad('The body is not valid JSON.');
  }
}

/** Refuse what is nested or numbered beyond measure, or holds more values than any operation takes. */
function checkBytes(bytes) {
  const found = scanJson(bytes);
  if (found.depth > MAX_JSON_DEPTH) throw bad(`JSON may nest ${MAX_JSON_DEPTH} levels.`);
  if (found.digits > MAX_DIGITS) throw bad(`Numbers may have ${MAX_DIGITS} digits.`);
  const excess = beyond(found, MOST);
  if (excess) throw tooManyValues(excess);
  return { elements: found.elements, keys: found.keys };
}

/**
 * @param {{ limit: string, allowed: number, message: string }} excess
 * @returns {import('graphql').GraphQLError}
 */
export const tooManyValues = ({ message, ...excess }) =>
  codedError('TOO_MANY_VALUES', message, { status: 413, ...excess, path: [] });
