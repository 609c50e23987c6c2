/**
 * The errors a client may see, and what must never reach it.
 *
 * UNAUTHENTICATED        401  bad API key; `reason` says why
 * RATE_LIMITED           429  a bucket is empty; `limit` says whose: key, account or network; Retry-After
 * QUERY_TOO_EXPENSIVE    400  more than one operation may cost
 * QUERY_TOO_LARGE        400  depth, aliases, directives, root fields, fields, spreads, tokens, characters;
 *                             `limit` says which
 * FRAGMENT_CYCLE         400
 * BAD_USER_INPUT         400  variables that do not fit
 * BAD_REQUEST            400  a body that is no GraphQL request
 * METHOD_NOT_ALLOWED     405
 * NOT_ACCEPTABLE         406
 * BODY_TOO_LARGE         413
 * TOO_MANY_VALUES        413  more elements of lists or members of objects than the operation takes; `limit`
 * UNSUPPORTED_MEDIA_TYPE 415
 * IDENTITY_UNAVAILABLE   503  API keys cannot be checked at the moment
 * TOO_MANY_OPERATIONS         more at a time than one WebSocket may run
 * TOO_MANY_STREAMS       429  more subscriptions at a time than one account or one network may have
 * SUBGRAPH_UNAVAILABLE        one service is away: its fields are null, the rest is answered
 * UNAVAILABLE            503  a part of one service is away (its database), or too much waits for it; Retry-After
 * INTERNAL_SERVER_ERROR       anything unexpected; the log has the details under the request id
 */
import { GraphQLError } from 'graphql';

/** Codes by which the runtime reports that a subgraph could not be reached or gave no GraphQL answer. */
const UNREACHABLE = new Set([
  'SUBREQUEST_HTTP_ERROR',
  'RESPONSE_VALIDATION_FAILED',
  'GATEWAY_TIMEOUT',
  'TIMEOUT_ERROR',
  'UNSIGNED',
]);
/** Keys of extensions that may carry addresses, bodies, headers or stack traces. */
const PRIVATE = [
  'stacktrace',
  'exception',
  'debug',
  'originalError',
  'request',
  'response',
  'http',
  'serviceName',
];

/**
 * An error with a code, and an HTTP status that holds whatever media type the client accepts.
 * @param {string} code
 * @param {string} message
 * @param {{ status?: number, headers?: Record<string, string>, [extension: string]: unknown }} [extra]
 */
export function codedError(code, message, { status, headers, ...extensions } = {}) {
  const http = status ? { http: { status, spec: false, headers } } : {};
  return new GraphQLError(message, { extensions: { code, ...extensions, ...http } });
}

/**
 * @param {{ retryAfter: number, limit?: string }} charge  whole seconds to wait, and which limit it was
 */
export function rateLimited({ retryAfter, limit }) {
  return codedError('RATE_LIMITED', `The limit is used up. Try again in ${retryAfter} s.`, {
    status: 429,
    headers: { 'retry-after': String(retryAfter) },
    retryAfter,
    limit,
  });
}

/**
 * Make a subgraph's error fit for clients: keep its code and path, hide what is private or unexpected.
 * @param {import('graphql').GraphQLError} error
 * @param {string} service   the subgraph's name
 * @param {(event: string, fields: object) => void} complain  told what is hidden
 */
export function publicSubgraphError(error, service, complain) {
  const { code } = error.extensions ?? {};
  const { path, positions, source, nodes } = error;
  const keep = { path, positions, source, nodes };
  if (UNREACHABLE.has(code) || (!code && error.originalError)) {
    complain('subgraph_unavailable', { subgraph: service, reason: error.message.slice(0, 300), code });
    return new GraphQLError(`The ${service} service is not available.`, {
      ...keep,
      extensions: { code: 'SUBGRAPH_UNAVAILABLE', service },
    });
  }
  if (!code && path) {
    complain('subgraph_error_masked', { subgraph: service, reason: error.message.slice(0, 300) });
    return new GraphQLError('Unexpected error.', { ...keep, extensions: { code: 'INTERNAL_SERVER_ERROR' } });
  }
  const extensions = { code: 'BAD_USER_INPUT', ...error.extensions };
  for (const key of PRIVATE) delete extensions[key];
  return new GraphQLError(error.message, { ...keep, extensions });
}
