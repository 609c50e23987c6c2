/**
 * Reads a GraphQL request off the wire and refuses what is none, before anything costly happens.
 *
 * Media types, size and nesting are checked on bytes, so that neither a 100,000-deep document nor a form post
 * from a foreign page ever reaches a parser that could choke on it.
 */
import { MAX_DIGITS } from './document_limits.mjs';
import { codedError } from './errors.mjs';
import { Refused } from './problems.mjs';

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
 * @returns {Promise<object>} `{ query, variables, operationName, extensions }` as sent, not yet checked further
 * @throws {import('graphql').GraphQLError} with an HTTP status
 */
export async function readGraphqlRequest(request, url, readBody) {
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
  const params =
    request.method === 'GET' ? fromQuery(url.searchParams) : parseJson(await jsonBody(request, readBody));
  if (Array.isArray(params)) throw bad('Batches are not supported: send one operation a request.');
  if (params === null || typeof params !== 'object') throw bad('The body must be a JSON object.');
  return checkParams(params);
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
  for (const name of ['query', 'operationName']) if (search.has(name)) params[name] = search.get(name);
  for (const name of ['variables', 'extensions']) {
    if (search.get(name)) params[name] = parseJson(Buffer.from(search.get(name)));
  }
  return params;
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
 * @throws {import('graphql').GraphQLError}
 */
export function parseJson(bytes) {
  checkBytes(bytes);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw bad('The body is not valid JSON.');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isOpening = (byte) => byte === 0x5b || byte === 0x7b; // [ {
const isClosing = (byte) => byte === 0x5d || byte === 0x7d; // ] }
const isDigit = (byte) => byte >= 0x30 && byte <= 0x39;

/** Look at brackets and digits outside of strings, without building anything. */
function checkBytes(bytes) {
  let depth = 0;
  let digits = 0;
  let quoted = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === BACKSLASH)
      index += 1; // what follows is not a delimiter
    else if (byte === QUOTE) quoted = !quoted;
    else if (!quoted) {
      digits = isDigit(byte) ? digits + 1 : 0;
      if (isOpening(byte)) depth += 1;
      else if (isClosing(byte)) depth -= 1;
      if (depth > MAX_JSON_DEPTH) throw bad(`JSON may nest ${MAX_JSON_DEPTH} levels.`);
      if (digits > MAX_DIGITS) throw bad(`Numbers may have ${MAX_DIGITS} digits.`);
    }
  }
}
