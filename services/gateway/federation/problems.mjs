/**
 * What the door itself answers where there is no GraphQL to answer with: RFC 9457 problems, in the form of the
 * REST face behind it (services/gateway/rest/problems.py).
 *
 * BAD_REQUEST           400  a target, framing or header that leaves room for two readings
 * UNAUTHENTICATED       401  (the REST face)
 * NOT_FOUND             404  also for what belongs to the house alone
 * METHOD_NOT_ALLOWED    405  TRACE with a body or anything else that has two readings
 * NOT_ACCEPTABLE        406
 * REQUEST_TIMEOUT       408  a header or body that comes too slowly
 * BODY_TOO_LARGE        413
 * TOO_MANY_VALUES       413  more elements or keys than any operation takes; `limit`, `allowed`, `path`
 * EXPECTATION_FAILED    417
 * HEADERS_TOO_LARGE     431
 * INTERNAL_SERVER_ERROR 500  our fault; the log has the details under the request id
 * BAD_GATEWAY           502  the app behind is away; Retry-After
 * UNAVAILABLE           503  more is being read or waits than there is room for; Retry-After
 * GATEWAY_TIMEOUT       504  the app behind does not answer in time; Retry-After
 */
import { STATUS_CODES } from 'node:http';

/** A request that the door refuses to read or pass on; its message is for the client. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} detail
   * @param {Record<string, string>} [headers]
   * @param {Record<string, unknown>} [more]  further members of the answer
   */
  constructor(status, code, detail, headers = {}, more = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.more = more;
  }
}

/** Clients read our answers as what their content type says, and as nothing else. */
export const NOSNIFF = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {string} code
 * @param {string} detail
 * @param {Record<string, string>} [headers]
 * @param {Record<string, unknown>} [more]  further members
 */
export function sendProblem(response, status, code, detail, headers = {}, more = {}) {
  const body = problem(status, code, detail, more);
  response.writeHead(status, {
    ...NOSNIFF,
    ...headers,
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/**
 * A whole answer as bytes, for a connection whose request could not be read.
 * @param {number} status
 * @param {string} code
 * @param {string} detail
 */
export function rawProblem(status, code, detail) {
  const body = problem(status, code, detail);
  const head = {
    ...NOSNIFF,
    'access-control-allow-origin': '*',
    connection: 'close',
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

const problem = (status, code, detail, more = {}) =>
  JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, code, detail, ...more });
