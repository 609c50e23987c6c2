/**
 * Who a request comes from and what may be passed on: request ids, client addresses, header hygiene.
 */
import { randomUUID } from 'node:crypto';
import { isIPv6 } from 'node:net';

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Headers that belong to one connection, not to the message (RFC 9110, 7.6.1), and those we set ourselves. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];

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

/**
 * The client's address. Only as many entries of X-Forwarded-For are believed as there are proxies of ours in
 * front; the rest is the client's own claim.
 * @param {import('node:http').IncomingMessage} request
 * @param {number} trustedHops
 */
export function clientAddress(request, trustedHops) {
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
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
 * A copy of a message's headers without what ends at this hop.
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @returns {import('node:http').OutgoingHttpHeaders}
 */
export function endToEndHeaders(headers) {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/\s*,\s*/);
  const kept = { ...headers };
  for (const name of [...HOP_BY_HOP, ...named]) delete kept[name];
  return kept;
}

/** Remove the headers by which the parts of the house trust each other: a client may not bring its own. */
export function withoutInternalHeaders(headers) {
  const kept = { ...headers };
  for (const name of Object.keys(kept)) {
    if (name.startsWith('x-hearthforge-') || name.startsWith('x-forwarded-') || name === 'forwarded')
      delete kept[name];
  }
  return kept;
}
