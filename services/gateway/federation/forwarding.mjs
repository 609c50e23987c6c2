/**
 * Who a request comes from and what may be passed on: request ids, client addresses, header hygiene.
 */
import { randomUUID } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { SECRET_HEADER } from './codings.mjs';
import { strongly } from './encoded_response.mjs';

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Headers that belong to one connection, not to the message (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
]);
/** What a client's Connection header may name without taking a header from the message. */
const CONNECTION_OPTIONS = new Set([
  'close',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
  'proxy-connection',
]);
/** Where a second header of the name would let two readers believe different ones. */
const SINGLE = new Set(['host', 'authorization', 'content-length', 'content-type', 'transfer-encoding']);
/** Methods whose body means something here. Elsewhere a body is a second message waiting to be misread. */
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** The client's request id if it is well formed, else a new one. */
export function requestId(headers) {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** W3C trace context, passed through untouched when it is well formed. */
export function traceContext(headers) {
  if (!TRACEPARENT.test(headers.traceparent ?? '')) return {};
  const { tracestate } = headers;
  return { traceparent: headers.traceparent, ...(tracestate?.length <= 512 ? { tracestate } : {}) };
}

/** The address at the other end of a connection. @param {import('node:net').Socket} socket */
export const peerAddress = (socket) => (socket.remoteAddress ?? '').replace(/^::ffff:/, '');

/**
 * The client's address. Only as many entries of X-Forwarded-For are believed as there are proxies of ours in
 * front; the rest is the client's own claim.
 * @param {import('node:http').IncomingMessage} request
 * @param {number} trustedHops
 */
export function clientAddress(request, trustedHops) {
  const peer = peerAddress(request.socket);
  if (trustedHops === 0) return peer;
  const claimed = (request.headers['x-forwarded-for'] ?? '').split(',').map((part) => part.trim());
  return claimed.at(-trustedHops) || peer;
}

/**
 * What one client can choose its address from: the address itself, or for IPv6 the /64 that it lies in.
 * @param {string} address
 * @returns {string} for instance `192.0.2.7` or `2001:db8:0:7::/64`
 */
export function networkOf(address) {
  if (!isIPv6(address)) return address;
  const [head, tail] = address
    .split('%', 1)[0]
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  const length = (groups) => groups.length + (groups.at(-1)?.includes('.') ? 1 : 0);
  const missing = tail ? Math.max(0, 8 - length(head) - length(tail)) : 0;
  const groups = [...head, ...Array(missing).fill('0'), ...(tail ?? [])].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/**
 * Whether a request leaves room for two readings of where it ends or what it says. Node's parser has refused
 * the worst already (both lengths, a chunked coding that is not last, broken sizes); this refuses the rest.
 * @param {import('node:http').IncomingMessage} request
 * @returns {string | undefined} why it is refused
 */
export function ambiguity({ headers, rawHeaders, method, httpVersion }) {
  const seen = new Set();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index].toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) return `The header "${name}" may be sent once.`;
    seen.add(name);
  }
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Speak HTTP/1.1.';
  if (httpVersion === '1.1' && headers.host === undefined) return 'The header "host" is missing.';
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    if (httpVersion === '1.0') return 'HTTP/1.0 has no transfer codings.';
    if (coding.toLowerCase() !== 'chunked') return 'The only transfer coding known here is "chunked".';
    if (headers['content-length'] !== undefined) return 'Send either a length or a transfer coding.';
  }
  if (hasBody(headers) && !WITH_BODY.has(method)) return `${method} takes no body here.`;
  for (const option of listed(headers.connection)) {
    if (!CONNECTION_OPTIONS.has(option)) return 'The header "connection" may not name headers of the message.';
  }
  return undefined;
}

/** Whether a body follows the headers. */
export function hasBody(headers) {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * The headers of a request as they go on to the app behind. Its length is not among them: whoever sends it
 * frames it anew.
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {{ requestId: string, address: string, publicUrl: URL }} hop
 */
export function requestHeaders(headers, { requestId, address, publicUrl }) {
  return {
    ...only(
      headers,
      (name) => !isOurs(name) && !name.startsWith('x-forwarded-') && name !== 'forwarded' && !isFraming(name),
    ),
    ...(headers['if-none-match'] ? { 'if-none-match': strongly(headers['if-none-match']) } : {}),
    'x-request-id': requestId,
    'x-forwarded-for': address,
    'x-forwarded-proto': publicUrl.protocol.slice(0, -1),
    'x-forwarded-host': headers.host ?? publicUrl.host,
    'x-hearthforge-network': networkOf(address),
  };
}

/**
 * The headers of the app's answer as the client may see them. CORS is answered at the door: a second set would
 * make browsers refuse the answer. That it holds a secret is for the last step before the client to know.
 * @param {Record<string, string | string[]>} headers
 */
export function answerHeaders(headers) {
  const named = new Set(listed(headers.connection));
  return only(
    headers,
    (name) =>
      name === SECRET_HEADER ||
      (!HOP_BY_HOP.has(name) && !named.has(name) && !isOurs(name) && !name.startsWith('access-control-')),
  );
}

/** By these the parts of the house trust each other: a client neither brings nor sees them. */
const isOurs = (name) => name.startsWith('x-hearthforge-');
const isFraming = (name) => HOP_BY_HOP.has(name) || name === 'content-length' || name === 'host';

function only(headers, keep) {
  const kept = {};
  for (const name in headers) if (keep(name)) kept[name] = headers[name];
  return kept;
}

/** The members of a header that lists tokens. */
function listed(value) {
  return value === undefined
    ? []
    : String(value)
        .toLowerCase()
        .split(',')
        .map((token) => token.trim())
        .filter(Boolean);
}
